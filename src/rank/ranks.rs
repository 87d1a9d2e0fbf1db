//! Input of a metric: the ascending ranks of each covered query's positives, and R.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::TargetRanks;
use super::gains::Gains;
use super::judged_ranks::JudgedRanks;
use super::pass::CancelToken;
use super::similar::{QuerySimilarities, Similarities, Similarity};
use super::targets::PairSet;
use crate::data::gallery::Fold;
use crate::data::sets::{Set, Sets};
use crate::truth::conventions::Conventions;
use crate::truth::relevance::Relevance;

/// Ascending ranks of the positives of every covered query, with R: all inputs of a metric.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ranks {
    /// Gallery indices of the queries.
    queries: Vec<u32>,
    /// Known ranks of the positives of each query.
    ranks: Sets,
    /// R of each query.
    listed: Vec<u32>,
    /// End of the ranking of each query; empty if every item is ranked.
    cut: Vec<Cut>,
    /// Gains by index of the query, for queries whose positives do not all have the same.
    gains: FxHashMap<usize, Gains>,
    /// Ranks of judged items by index of the query; empty for truths without items judged not relevant.
    judged: FxHashMap<usize, JudgedRanks>,
    /// Similarities of the retrieved items; `None` for truths without a phi.
    similarities: Option<QuerySimilarities>,
    /// Conventions for edge cases.
    conventions: Conventions,
}

/// End of a ranking that does not have all items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cut {
    /// Number of ranked items.
    depth: u32,
    /// Number of positives in the pool that are unranked.
    unranked: u32,
}

/// One query's part of [`Ranks`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueryRanks<'a> {
    /// Known ranks (from 1) of the positives in the pool.
    pub ranks: Set<'a>,
    /// R: positives in the truth, including those outside the gallery.
    pub listed: u32,
    /// Number of items that the model ranked for this query; `None` if it ranked all.
    pub depth: Option<u32>,
    /// Positives in the pool that the model did not rank: each is somewhere below `depth`.
    pub unranked: u32,
    /// The gains of items in graded metrics; `None` if every positive has the same gain and no other item has one.
    pub gains: Option<&'a Gains>,
    /// Ranks of items judged not relevant; `None` if the truth has none.
    pub judged: Option<&'a JudgedRanks>,
    /// Similarity of the retrieved items, if the truth has any.
    pub similarity: Option<Similarity<'a>>,
    /// Conventions for queries without positives and for short rankings.
    pub conventions: Conventions,
}

impl<'a> QueryRanks<'a> {
    /// A query whose items are all ranked: the ascending ranks of its positives, and R (`listed`).
    pub fn complete(ranks: &'a [u32], listed: u32) -> Self {
        QueryRanks {
            ranks: ranks.into(),
            listed,
            depth: None,
            unranked: 0,
            gains: None,
            judged: None,
            similarity: None,
            conventions: Conventions::default(),
        }
    }
}

impl QueryRanks<'_> {
    /// The best known rank of a positive in the pool; `None` without any.
    pub fn first(&self) -> Option<u32> {
        self.ranks.first()
    }

    /// Whether it is known which ranks up to `k` have positives.
    pub fn is_known_up_to(&self, k: u32) -> bool {
        self.unranked == 0 || self.depth.is_none_or(|depth| depth >= k)
    }
}

impl Ranks {
    /// Collects the ranks of one truth from the counted targets, in the truth's query order.
    ///
    /// In a fold, only its queries and the positives inside it remain; positives outside the
    /// gallery altogether still count in R.
    pub fn from_counts(
        relevance: &Relevance,
        targets: &PairSet,
        counted: &TargetRanks,
        fold: Option<Fold>,
    ) -> Arc<Ranks> {
        let position = |of: &[Relevance]| of.iter().position(|one| one.is_same(relevance));
        if let Some(wide) = position(&targets.wide) {
            return counted.wide[wide].ranks(fold, targets.query_count());
        }
        let depths = counted.depths.as_ref();
        let of_truth = relevance.conventions();
        let mut ranks =
            Ranks::with_conventions(depths.map_or(of_truth, |depths| depths.conventions(of_truth)));
        let mut positive_ranks = Vec::new();
        let is_judged = relevance.has_nonrelevant();
        // Similarities are those of items of the whole gallery, not of a fold.
        let similar = position(&targets.similar).filter(|_| fold.is_none());
        let (pair_ranks, depths) = match fold {
            None => (&counted.all, depths.map(|depths| &depths.all)),
            Some(_) => (&counted.fold, depths.map(|depths| &depths.fold)),
        };
        for (place, &query) in relevance.queries().iter().enumerate() {
            if fold.is_some_and(|fold| !fold.holds(query as usize, targets.query_count())) {
                continue;
            }
            let of_items = targets.pair_indices(query as usize, relevance.positives(place));
            positive_ranks.clear();
            positive_ranks.extend(of_items.map(|at| pair_ranks[at]));
            let depth = depths.map(|depths| depths[query as usize]);
            if let Some(gains) = relevance.gains(place) {
                let ranked = rank_items(targets, pair_ranks, query, gains);
                let outside = relevance.gains_outside(place);
                ranks.push_gains(Some(Gains::from_ranks(ranked, outside, depth)));
            }
            if is_judged {
                let ranked =
                    rank_items(targets, pair_ranks, query, relevance.judged_nonpositives(place));
                let outside = relevance.nonrelevant_outside(place);
                ranks.push_judged(Some(JudgedRanks::from_ranks(ranked, outside, depth)));
            }
            ranks.push_similarity(similar.map(|similar| (&counted.similar[similar], query)));
            ranks.push_counted(query, &mut positive_ranks, relevance.total_positives(place), depth);
        }
        Arc::new(ranks)
    }

    /// No ranks yet, with these conventions for edge cases.
    pub(super) fn with_conventions(conventions: Conventions) -> Self {
        Ranks { conventions, ..Ranks::default() }
    }

    /// Conventions for edge cases.
    pub(super) fn conventions(&self) -> Conventions {
        self.conventions
    }

    /// Appends a query. `counted` has the ranks of its positives as counted, in any order, 0 outside the pool, and is
    /// overwritten. `listed` is R over all pools; `depth` is the length of the ranking, `None` if it has all items.
    pub(super) fn push_counted(
        &mut self,
        query: u32,
        counted: &mut Vec<u32>,
        listed: u32,
        depth: Option<u32>,
    ) {
        let positives = counted.len();
        counted.retain(|&rank| rank > 0);
        let competing = counted.len();
        counted.retain(|&rank| rank <= depth.unwrap_or(u32::MAX));
        let unranked = (competing - counted.len()) as u32;
        let outside = (positives - competing) as u32;
        self.push_known(query, counted, listed - outside, depth, unranked);
    }

    /// Appends a query. `ranks` has the known ranks of its positives in any order, and may be sorted. `listed` is R;
    /// `depth` is the length of the ranking, `None` if it has all items; `unranked` positives of the pool are below it.
    pub(super) fn push_known(
        &mut self,
        query: u32,
        ranks: &mut Vec<u32>,
        listed: u32,
        depth: Option<u32>,
        unranked: u32,
    ) {
        self.ranks.push_unsorted(ranks);
        self.cut.extend(depth.map(|depth| Cut { depth, unranked }));
        self.end_query(query, listed);
    }

    /// Appends a query. Bit `n % 32` of `ranks[n / 32]` is set if a positive has rank n; bits beyond `depth`, the
    /// length of the ranking (`None` if it has all items), are cleared. `competing` is the number of positives in the
    /// pool; `listed` is R: these, and the positives outside the gallery.
    pub(super) fn push_bits(
        &mut self,
        query: u32,
        ranks: &mut [u32],
        competing: u32,
        listed: u32,
        depth: Option<u32>,
    ) {
        self.ranks.push_bits(truncate_bits(ranks, depth.unwrap_or(u32::MAX)));
        if let Some(depth) = depth {
            let known = self.ranks.get(self.queries.len()).len() as u32;
            let unranked = competing - known;
            self.cut.push(Cut { depth, unranked });
        }
        self.end_query(query, listed);
    }

    /// Appends the query at index `place` in `other`.
    pub(super) fn push_from(&mut self, other: &Ranks, place: usize) {
        self.ranks.push_set(other.ranks.get(place));
        self.cut.extend(other.cut.get(place));
        self.push_gains(other.gains.get(&place).cloned());
        self.push_judged(other.judged.get(&place).cloned());
        self.push_similarity(other.similarity(place));
        self.end_query(other.queries[place], other.listed[place]);
    }

    /// Combines the ranks of the parts of a gallery, each over the indices of its part, in the query order of
    /// `relevance`. `part_of` maps the gallery index of a query to the index of its part. `None` if cancelled.
    ///
    /// # Panics
    /// If a query of `relevance` is in no part.
    pub(super) fn from_parts(
        parts: &[Arc<Ranks>],
        relevance: &Relevance,
        part_of: impl Fn(usize) -> Option<usize>,
        token: &CancelToken,
    ) -> Option<Ranks> {
        // A part in which nothing is ranked has its own conventions; they do not affect the others.
        let of_truth = relevance.conventions();
        let of_parts = || parts.iter().map(|ranks| ranks.conventions);
        let same = of_parts().find(|of_part| *of_part == of_truth);
        let mut whole = Ranks::with_conventions(same.or(of_parts().next()).unwrap_or(of_truth));
        let mut next = vec![0; parts.len()];
        for &query in relevance.queries() {
            if token.is_cancelled() {
                return None;
            }
            let part =
                part_of(query as usize).expect("a ground truth in a mask covers what competes");
            whole.push_from(&parts[part], next[part]);
            *whole.queries.last_mut().expect("just added") = query;
            next[part] += 1;
        }
        Some(whole)
    }

    /// The ranks of the queries whose gallery index `keep` accepts.
    pub(crate) fn filter_queries(&self, keep: impl Fn(usize) -> bool) -> Ranks {
        let mut found = Ranks::with_conventions(self.conventions);
        for (place, &query) in self.queries.iter().enumerate() {
            if keep(query as usize) {
                found.push_from(self, place);
            }
        }
        found
    }

    /// The ranks of a perfect model: every positive in the pool before everything else, and for graded metrics the
    /// highest gain first. A metric of these is its ceiling.
    #[must_use]
    pub fn ideal(&self) -> Ranks {
        let mut ideal = Ranks::with_conventions(self.conventions);
        ideal.similarities = self.similarities.as_ref().map(QuerySimilarities::ideal);
        let mut first: Vec<u32> = Vec::new();
        for (&query, ranks) in self.queries.iter().zip(self.iter()) {
            let positives = ranks.ranks.len() + ranks.unranked as usize;
            first.extend(first.len() as u32 + 1..=positives as u32);
            ideal.ranks.push(&first[..positives]);
            ideal.push_gains(ranks.gains.map(Gains::ideal));
            ideal.push_judged(ranks.judged.map(|judged| judged.ideal(positives as u32)));
            ideal.end_query(query, ranks.listed);
        }
        ideal
    }

    /// Stores the gains of the query about to be appended; `None` if its positives all have the same.
    pub(super) fn push_gains(&mut self, gains: Option<Gains>) {
        self.gains.extend(gains.map(|gains| (self.queries.len(), gains)));
    }

    /// Stores the ranks of judged items of the query about to be appended; `None` if the truth has no such items.
    pub(super) fn push_judged(&mut self, judged: Option<JudgedRanks>) {
        self.judged.extend(judged.map(|judged| (self.queries.len(), judged)));
    }

    /// Stores the similarities of the query about to be appended: those of all queries, and the index of this query
    /// among them. Does nothing if `None`.
    pub(super) fn push_similarity(&mut self, similarity: Option<(&Similarities, u32)>) {
        if let Some((similarities, place)) = similarity {
            let similarities = self.similarities.get_or_insert_with(|| QuerySimilarities {
                similarities: similarities.clone(),
                places: Vec::new(),
            });
            similarities.places.push(place);
        }
    }

    /// Ends the query whose ranks were appended: stores its gallery index and R.
    fn end_query(&mut self, query: u32, listed: u32) {
        self.queries.push(query);
        self.listed.push(listed);
    }

    /// Number of queries that the truth covers.
    pub fn len(&self) -> usize {
        self.queries.len()
    }

    /// Whether no query is covered.
    pub fn is_empty(&self) -> bool {
        self.queries.is_empty()
    }

    /// Gallery indices of the covered queries, in the truth's order.
    pub fn queries(&self) -> &[u32] {
        &self.queries
    }

    /// Similarities of all queries, and the index among them of the query at index `place` in the truth; `None` for
    /// truths without a phi.
    pub(super) fn similarity(&self, place: usize) -> Option<(&Similarities, u32)> {
        let similarities = self.similarities.as_ref()?;
        Some((&similarities.similarities, similarities.places[place]))
    }

    /// The ranks of the query at index `place` in the truth.
    #[inline]
    pub fn query(&self, place: usize) -> QueryRanks<'_> {
        let cut = self.cut.get(place);
        QueryRanks {
            ranks: self.ranks.get(place),
            listed: self.listed[place],
            depth: cut.map(|cut| cut.depth),
            unranked: cut.map_or(0, |cut| cut.unranked),
            gains: self.gains.get(&place),
            judged: self.judged.get(&place),
            similarity: self.similarity(place).map(|(of, place)| of.get(place as usize)),
            conventions: self.conventions,
        }
    }

    /// Every covered query's ranks, in the truth's order.
    pub fn iter(&self) -> impl Iterator<Item = QueryRanks<'_>> {
        (0..self.len()).map(|place| self.query(place))
    }
}

/// Replaces the item by its rank in each (item, value) of a query. `ranks` is in the order of `targets`.
fn rank_items<T>(
    targets: &PairSet,
    ranks: &[u32],
    query: u32,
    values: impl IntoIterator<Item = (u32, T)>,
) -> impl Iterator<Item = (u32, T)> {
    let (items, values): (Vec<u32>, Vec<T>) = values.into_iter().unzip();
    let places = targets.pair_indices(query as usize, items.as_slice().into());
    let ranks: Vec<u32> = places.map(|at| ranks[at]).collect();
    ranks.into_iter().zip(values)
}

/// Clears the bits above bit `last`, and returns the words up to the one with that bit.
fn truncate_bits(words: &mut [u32], last: u32) -> &[u32] {
    let whole = last as usize / 32;
    if let Some(word) = words.get_mut(whole) {
        *word &= u32::MAX >> (31 - last % 32);
    }
    &words[..words.len().min(whole + 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_ranking_with_all_positives_is_known_beyond_its_end() {
        let short = QueryRanks { depth: Some(3), ..QueryRanks::complete(&[1, 3], 2) };
        assert!(short.is_known_up_to(10));
        let lacking = QueryRanks { unranked: 1, ..short };
        assert!(lacking.is_known_up_to(3) && !lacking.is_known_up_to(4));
    }
}
