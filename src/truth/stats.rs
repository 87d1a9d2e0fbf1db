//! Compares truths: number of positives and agreement, as in tables 2 and 3 of the ECCV Caption paper (Chun et al.
//! 2022, arXiv:2204.03359).

use super::Truth;
use super::relevance::Relevance;
use crate::data::{Direction, PerDirection};

/// Numbers of queries and positives of one direction of a truth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TruthSize {
    /// Covered queries of the gallery.
    pub queries: usize,
    /// Their positives, including those outside the gallery.
    pub positives: u64,
    /// Lowest and highest number of positives per query.
    pub extent: (u32, u32),
}

/// Agreement of one direction of a truth with a reference, over queries that both cover. Shares are means over the
/// queries for which they are defined.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Agreement {
    /// Queries that both cover: the base of all numbers below.
    pub queries: usize,
    /// Queries that only the reference covers: excluded from all numbers.
    pub not_covered: usize,
    /// Positives, including those outside the gallery.
    pub positives: u64,
    /// Mean share of a query's positives that the reference lists too; over queries with any.
    pub precision: Option<f64>,
    /// Mean share of the reference's positives of a query that this truth lists too; over queries with any of these.
    pub recall: Option<f64>,
    /// Mean ratio of pairs that both list to pairs that either lists (Jaccard 1912); over queries for which either
    /// lists any.
    pub overlap: Option<f64>,
    /// Common queries that have any positive in this truth.
    pub queries_with_any: usize,
    /// Pairs that only this truth lists.
    pub added: u64,
    /// Pairs that only the reference lists.
    pub removed: u64,
    /// Pairs that both list.
    pub common: u64,
}

/// Numbers of covered queries and positives of a truth, for each direction that it has.
pub fn truth_sizes(truth: &Truth) -> PerDirection<Option<TruthSize>> {
    PerDirection::from_fn(|direction| {
        let relevance = truth.relevance[direction].as_ref()?;
        let listed = (0..relevance.len()).map(|place| relevance.total_positives(place));
        Some(TruthSize {
            queries: relevance.len(),
            positives: listed.clone().map(u64::from).sum(),
            extent: (listed.clone().min().unwrap_or(0), listed.max().unwrap_or(0)),
        })
    })
}

/// Agreement of `truth` with `reference`, in each direction that both have.
pub fn compare(truth: &Truth, reference: &Truth) -> PerDirection<Option<Agreement>> {
    PerDirection::from_fn(|direction: Direction| {
        let relevance = truth.relevance[direction].as_ref()?;
        Some(agreement(relevance, reference.relevance[direction].as_ref()?))
    })
}

/// Queries that both cover, in the reference's order: their place in `relevance`, and in `reference`.
fn common_queries<'a>(
    relevance: &'a Relevance,
    reference: &'a Relevance,
) -> impl Iterator<Item = (usize, usize)> + 'a {
    let places = reference.queries().iter().enumerate();
    places.filter_map(|(place, &query)| Some((relevance.place(query as usize)?, place)))
}

/// Agreement of one direction of a truth with the reference.
fn agreement(relevance: &Relevance, reference: &Relevance) -> Agreement {
    let mut found = Agreement::default();
    let [mut precisions, mut recalls, mut overlaps] = [const { Vec::new() }; 3];
    for (place, ref_place) in common_queries(relevance, reference) {
        let wanted = reference.positives(ref_place);
        let inside = relevance.positives(place).iter().filter(|&item| wanted.contains(item));
        let wanted_outside = reference.outside_ids(ref_place);
        let outside = relevance.outside_ids(place).iter().filter(|id| wanted_outside.contains(id));
        let common = (inside.count() + outside.count()) as u64;
        let listed = u64::from(relevance.total_positives(place));
        let wanted = u64::from(reference.total_positives(ref_place));
        found.queries += 1;
        found.positives += listed;
        found.added += listed - common;
        found.removed += wanted - common;
        found.common += common;
        found.queries_with_any += usize::from(listed > 0);
        precisions.extend(share(common, listed));
        recalls.extend(share(common, wanted));
        overlaps.extend(share(common, listed + wanted - common));
    }
    found.not_covered = reference.len() - found.queries;
    found.precision = mean(&precisions);
    found.recall = mean(&recalls);
    found.overlap = mean(&overlaps);
    found
}

/// Share of a part in a whole; `None` if the whole is 0.
fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// The mean; `None` without any value.
fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::relevance::Builder;

    fn truth(lists: &[(u32, &[u32], u32)]) -> Truth {
        let mut builder = Builder::new(9);
        for &(query, items, listed) in lists {
            builder.push(query, items, listed);
        }
        let mut truth = Truth::new("t");
        truth.relevance.i2t = Some(builder.finish());
        truth
    }

    #[test]
    fn counts_and_shares_by_hand() {
        let one = truth(&[(0, &[1, 2], 2), (1, &[5], 1), (7, &[1], 1)]);
        let other = truth(&[(1, &[5, 6], 3), (0, &[2, 3], 2), (4, &[8], 1), (5, &[], 0)]);
        let counted = truth_sizes(&other).i2t.unwrap();
        assert_eq!((counted.queries, counted.positives, counted.extent), (4, 6, (0, 3)));
        assert_eq!(truth_sizes(&other).t2i, None);
        let found = compare(&one, &other).i2t.unwrap();
        // Only the other covers 4 and 5.
        assert_eq!((found.queries, found.not_covered), (2, 2));
        assert_eq!((found.positives, found.queries_with_any), (3, 2));
        assert_eq!((found.added, found.removed, found.common), (1, 3, 2));
        assert_eq!(found.precision, Some(0.75));
        assert_eq!(found.recall, Some(f64::midpoint(1.0 / 3.0, 0.5)));
        assert_eq!(found.overlap, Some(f64::midpoint(1.0 / 3.0, 1.0 / 3.0)));
    }

    /// The overlap is a mean over queries: pooled, the long list of query 0 would make it 1/10.
    #[test]
    fn a_long_list_counts_as_one_query() {
        let one = truth(&[(0, &[1], 9), (1, &[5], 1), (2, &[], 0)]);
        let other = truth(&[(0, &[], 0), (1, &[5], 1), (2, &[], 0)]);
        let found = compare(&one, &other).i2t.unwrap();
        assert_eq!(found.overlap, Some(0.5), "undefined where neither lists any");
        assert_eq!((found.precision, found.recall), (Some(0.5), Some(1.0)));
        assert_eq!((found.queries, found.not_covered), (3, 0));
    }
}
