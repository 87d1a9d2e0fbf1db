//! Truth against truth: how many positives each has, and how well one agrees with another, as in
//! tables 2 and 3 of the ECCV Caption paper (Chun et al. 2022, arXiv:2204.03359).

use super::Truth;
use super::relevance::Relevance;
use crate::data::sets::Set;
use crate::data::{Direction, PerDirection};

/// One direction of a truth in numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Counts {
    /// Covered queries of the gallery.
    pub queries: usize,
    /// Positives of these, those outside the gallery included.
    pub positives: u64,
    /// Fewest and most positives of a query.
    pub extent: (u32, u32),
}

/// One direction of a truth, measured by another on the queries that both cover.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement {
    /// Positives on the queries that the other covers, those outside the gallery included.
    pub positives: u64,
    /// Mean over the queries with a positive of the share that the other lists too.
    pub precision: Option<f64>,
    /// Mean over all queries of the other that have a positive there of the share that this one
    /// lists too; a query that this one does not cover counts as 0.
    pub recall: Option<f64>,
    /// The other's queries for which this one lists any positive.
    pub queries_with_any: usize,
    /// Pairs that this one lists and the other does not, and the other way round.
    pub added: u64,
    /// Pairs of the other that this one does not list.
    pub removed: u64,
    /// Pairs that both list.
    pub common: u64,
}

impl Agreement {
    /// The pairs that both list over those that either lists (Jaccard); `None` where neither lists
    /// any.
    pub fn overlap(&self) -> Option<f64> {
        let either = self.common + self.added + self.removed;
        (either > 0).then(|| self.common as f64 / either as f64)
    }
}

/// Pairs of one direction on which two truths differ: gallery indices of query and item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Differences {
    /// Those that the one lists and the reference does not.
    pub added: Vec<(u32, u32)>,
    /// Those of the reference that the one does not list.
    pub removed: Vec<(u32, u32)>,
}

/// The counts of each direction that the truth has.
pub fn counts(truth: &Truth) -> PerDirection<Option<Counts>> {
    PerDirection::from_fn(|direction| {
        let relevance = truth.relevance[direction].as_ref()?;
        let listed = (0..relevance.len()).map(|place| relevance.listed(place));
        Some(Counts {
            queries: relevance.len(),
            positives: listed.clone().map(u64::from).sum(),
            extent: (listed.clone().min().unwrap_or(0), listed.max().unwrap_or(0)),
        })
    })
}

/// Measures `truth` by `reference`, in each direction that both have.
pub fn against(truth: &Truth, reference: &Truth) -> PerDirection<Option<Agreement>> {
    PerDirection::from_fn(|direction: Direction| {
        let relevance = truth.relevance[direction].as_ref()?;
        Some(agreement(
            relevance,
            reference.relevance[direction].as_ref()?,
        ))
    })
}

/// The pairs on which `truth` differs from `reference` on the queries that the reference covers, those
/// outside the gallery left out; `None` where one of them lacks the direction.
pub fn differences(truth: &Truth, reference: &Truth, direction: Direction) -> Option<Differences> {
    let relevance = truth.relevance[direction].as_ref()?;
    let reference = reference.relevance[direction].as_ref()?;
    let mut found = Differences::default();
    for (place, &query) in reference.queries().iter().enumerate() {
        let wanted = reference.positives(place);
        let own = relevance.place(query as usize);
        let own = own.map_or(Set::default(), |own| relevance.positives(own));
        let lacking = |one: Set<'_>, other: Set<'_>| -> Vec<(u32, u32)> {
            let lacks = one.iter().filter(|&item| !other.contains(item));
            lacks.map(|item| (query, item)).collect()
        };
        found.added.extend(lacking(own, wanted));
        found.removed.extend(lacking(wanted, own));
    }
    Some(found)
}

fn agreement(relevance: &Relevance, reference: &Relevance) -> Agreement {
    let mut found = Agreement {
        positives: 0,
        precision: None,
        recall: None,
        queries_with_any: 0,
        added: 0,
        removed: 0,
        common: 0,
    };
    let (mut precisions, mut recalls) = (Vec::new(), Vec::new());
    for (place, &query) in reference.queries().iter().enumerate() {
        let wanted = reference.positives(place);
        let own = relevance.place(query as usize);
        let positives = own.map_or(Set::default(), |own| relevance.positives(own));
        let (listed, wanted_len) = (
            own.map_or(0, |own| relevance.listed(own)),
            reference.listed(place),
        );
        let common = positives
            .iter()
            .filter(|&item| wanted.contains(item))
            .count() as u32;
        found.positives += u64::from(listed);
        found.added += u64::from(listed - common);
        found.removed += u64::from(wanted_len - common);
        found.common += u64::from(common);
        if listed > 0 {
            found.queries_with_any += 1;
            precisions.push(f64::from(common) / f64::from(listed));
        }
        if wanted_len > 0 {
            recalls.push(f64::from(common) / f64::from(wanted_len));
        }
    }
    found.precision = mean(&precisions);
    found.recall = mean(&recalls);
    found
}

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
        let counted = counts(&other).i2t.unwrap();
        assert_eq!(
            (counted.queries, counted.positives, counted.extent),
            (4, 6, (0, 3))
        );
        assert_eq!(counts(&other).t2i, None);
        let found = against(&one, &other).i2t.unwrap();
        assert_eq!((found.positives, found.queries_with_any), (3, 2));
        assert_eq!((found.added, found.removed, found.common), (1, 4, 2));
        assert_eq!(found.overlap(), Some(2.0 / 7.0));
        // The third positive of query 1 is outside the gallery: counted, not listed.
        let listed = differences(&one, &other, Direction::I2t).unwrap();
        assert_eq!(listed.added, [(0, 1)]);
        assert_eq!(listed.removed, [(1, 6), (0, 3), (4, 8)]);
        assert_eq!(differences(&one, &other, Direction::T2i), None);
        assert_eq!(found.precision, Some(0.75));
        assert_eq!(found.recall, Some((1.0 / 3.0 + 0.5 + 0.0) / 3.0));
    }
}
