//! Input of a metric: the ascending ranks of each covered query's positives, and R.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Counted;
use super::gains::Gains;
use super::judged_ranks::Judged;
use super::pass::CancelToken;
use super::similar::{Compared, Similarities, Similarity};
use super::targets::PairSet;
use crate::data::gallery::Fold;
use crate::data::sets::{Set, Sets};
use crate::truth::conventions::Conventions;
use crate::truth::relevance::Relevance;

/// Ascending ranks of the positives of every covered query, with R: all inputs of a metric.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ranks {
    queries: Vec<u32>,
    ranks: Sets,
    listed: Vec<u32>,
    /// Items ranked and positives unranked of each query; empty if every item is ranked.
    cut: Vec<Cut>,
    /// By index; of the queries whose items do not all have the same.
    gains: FxHashMap<usize, Gains>,
    /// By index; of truths with items judged not relevant.
    judged: FxHashMap<usize, Judged>,
    /// Of truths with similarities.
    compared: Option<Compared>,
    conventions: Conventions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cut {
    depth: u32,
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
    /// The gains of items in graded metrics; `None` if every positive has the same and nothing else any.
    pub gains: Option<&'a Gains>,
    /// Ranks of items judged not relevant; `None` if the truth has none.
    pub judged: Option<&'a Judged>,
    /// Similarity of the retrieved items, if the truth has any.
    pub similarity: Option<Similarity<'a>>,
    /// Conventions without positives, or for a short ranking.
    pub conventions: Conventions,
}

impl<'a> QueryRanks<'a> {
    /// Ranks, ascending, of a query whose items are all ranked.
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
    /// The best known rank of a positive in the pool.
    pub fn first(&self) -> Option<u32> {
        self.ranks.first()
    }

    /// Whether the positives at the ranks up to `k` are known.
    pub fn is_known_to(&self, k: u32) -> bool {
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
        counted: &Counted,
        fold: Option<Fold>,
    ) -> Arc<Ranks> {
        let place = |of: &[Relevance]| of.iter().position(|one| one.is_same(relevance));
        if let Some(wide) = place(&targets.wide) {
            return counted.wide[wide].ranks(fold, targets.query_count());
        }
        let depths = counted.depths.as_ref();
        let of_truth = relevance.conventions();
        let mut ranks =
            Ranks::under(depths.map_or(of_truth, |depths| depths.conventions(of_truth)));
        let mut of_query = Vec::new();
        let is_judged = relevance.has_nonrelevant();
        // A fold has other similar items.
        let similar = place(&targets.similar).filter(|_| fold.is_none());
        let (of_pair, depths) = match fold {
            None => (&counted.all, depths.map(|depths| &depths.all)),
            Some(_) => (&counted.fold, depths.map(|depths| &depths.fold)),
        };
        for (place, &query) in relevance.queries().iter().enumerate() {
            if fold.is_some_and(|fold| !fold.holds(query as usize, targets.query_count())) {
                continue;
            }
            let of_items = targets.find_all(query as usize, relevance.positives(place));
            of_query.clear();
            of_query.extend(of_items.map(|at| of_pair[at]));
            let depth = depths.map(|depths| depths[query as usize]);
            if let Some(gains) = relevance.gains(place) {
                let ranked = ranked(targets, of_pair, query, gains);
                let outside = relevance.gains_outside(place);
                ranks.gain(Some(Gains::counted(ranked, outside, depth)));
            }
            if is_judged {
                let ranked = ranked(targets, of_pair, query, relevance.beyond(place));
                let outside = relevance.nonrelevant_outside(place);
                ranks.judge(Some(Judged::counted(ranked, outside, depth)));
            }
            ranks.compare(similar.map(|similar| (&counted.similar[similar], query)));
            ranks.push_counted(query, &mut of_query, relevance.total_positives(place), depth);
        }
        Arc::new(ranks)
    }

    /// No ranks yet, with these conventions for edge cases.
    pub(super) fn under(conventions: Conventions) -> Self {
        Ranks { conventions, ..Ranks::default() }
    }

    /// Conventions for edge cases.
    pub(super) fn conventions(&self) -> Conventions {
        self.conventions
    }

    /// Appends a query: its ranks as counted, in any order, 0 for positives outside the pool; its R over all pools; and
    /// the length of its ranking, if short.
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
        let left_out = (positives - competing) as u32;
        self.push_known(query, counted, listed - left_out, depth, unranked);
    }

    /// Appends a fully known query: the ranks in any order, R, the length of the ranking, and the number of positives
    /// below.
    pub(super) fn push_known(
        &mut self,
        query: u32,
        ranks: &mut Vec<u32>,
        listed: u32,
        depth: Option<u32>,
        unranked: u32,
    ) {
        self.ranks.push_any(ranks);
        self.cut.extend(depth.map(|depth| Cut { depth, unranked }));
        self.end(query, listed);
    }

    /// Appends a query: the ranks of its positives as bits, the number of positives in the pool, R in this pool, and
    /// the length of the ranking, if short. Bits beyond it are no ranks.
    pub(super) fn push_bits(
        &mut self,
        query: u32,
        ranks: &mut [u32],
        competing: u32,
        listed: u32,
        depth: Option<u32>,
    ) {
        self.ranks.push_bits(bits_to(ranks, depth.unwrap_or(u32::MAX)));
        if let Some(depth) = depth {
            let known = self.ranks.get(self.queries.len()).len() as u32;
            let unranked = competing - known;
            self.cut.push(Cut { depth, unranked });
        }
        self.end(query, listed);
    }

    /// Appends a query of `other`.
    pub(super) fn push_from(&mut self, other: &Ranks, place: usize) {
        self.ranks.push_set(other.ranks.get(place));
        self.cut.extend(other.cut.get(place));
        self.gain(other.gains.get(&place).cloned());
        self.judge(other.judged.get(&place).cloned());
        self.compare(other.similarity(place));
        self.end(other.queries[place], other.listed[place]);
    }

    /// Combines the ranks of parts of a gallery, each over the indices of its part, in the order of `relevance`; `None`
    /// if cancelled.
    pub(super) fn of_parts(
        parts: &[Arc<Ranks>],
        relevance: &Relevance,
        part_of: impl Fn(usize) -> Option<usize>,
        token: &CancelToken,
    ) -> Option<Ranks> {
        // A part without any ranking does not affect others.
        let of_truth = relevance.conventions();
        let of_parts = || parts.iter().map(|ranks| ranks.conventions);
        let same = of_parts().find(|of_part| *of_part == of_truth);
        let mut whole = Ranks::under(same.or(of_parts().next()).unwrap_or(of_truth));
        let mut next = vec![0; parts.len()];
        for &query in relevance.queries() {
            if token.is_cancelled() {
                return None;
            }
            let part =
                part_of(query as usize).expect("a ground truth in a mask judges what competes");
            whole.push_from(&parts[part], next[part]);
            *whole.queries.last_mut().expect("just added") = query;
            next[part] += 1;
        }
        Some(whole)
    }

    /// The ranks of the queries that `keep` accepts.
    pub(crate) fn of_queries(&self, keep: impl Fn(usize) -> bool) -> Ranks {
        let mut kept = Ranks::under(self.conventions);
        for (place, &query) in self.queries.iter().enumerate() {
            if keep(query as usize) {
                kept.push_from(self, place);
            }
        }
        kept
    }

    /// The ranks of a perfect model: every positive in the pool before everything else, and for graded metrics the
    /// highest gain first. A metric of these is its ceiling.
    #[must_use]
    pub fn ideal(&self) -> Ranks {
        let mut ideal = Ranks::under(self.conventions);
        ideal.compared = self.compared.as_ref().map(Compared::ideal);
        let mut first: Vec<u32> = Vec::new();
        for (&query, ranks) in self.queries.iter().zip(self.iter()) {
            let positives = ranks.ranks.len() + ranks.unranked as usize;
            first.extend(first.len() as u32 + 1..=positives as u32);
            ideal.ranks.push(&first[..positives]);
            ideal.gain(ranks.gains.map(Gains::ideal));
            ideal.judge(ranks.judged.map(|judged| judged.ideal(positives as u32)));
            ideal.end(query, ranks.listed);
        }
        ideal
    }

    /// Stores the gains of the query being appended, if they are not all the same.
    pub(super) fn gain(&mut self, gains: Option<Gains>) {
        self.gains.extend(gains.map(|gains| (self.queries.len(), gains)));
    }

    /// Stores the ranks of items judged not relevant for the query being appended.
    pub(super) fn judge(&mut self, judged: Option<Judged>) {
        self.judged.extend(judged.map(|judged| (self.queries.len(), judged)));
    }

    /// Stores the similarities of the query being appended: those of all queries, and its index there.
    pub(super) fn compare(&mut self, similarity: Option<(&Similarities, u32)>) {
        if let Some((similarities, place)) = similarity {
            let compared = self.compared.get_or_insert_with(|| Compared {
                similarities: similarities.clone(),
                places: Vec::new(),
            });
            compared.places.push(place);
        }
    }

    /// Ends a query after its ranks were appended.
    fn end(&mut self, query: u32, listed: u32) {
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

    /// Similarities of retrieved items, and the index there of the query at `place`.
    pub(super) fn similarity(&self, place: usize) -> Option<(&Similarities, u32)> {
        let compared = self.compared.as_ref()?;
        Some((&compared.similarities, compared.places[place]))
    }

    /// The ranks of the query at `place`.
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

/// Values of targets of a query, with their ranks in place of the items.
fn ranked<T>(
    targets: &PairSet,
    ranks: &[u32],
    query: u32,
    known: impl IntoIterator<Item = (u32, T)>,
) -> impl Iterator<Item = (u32, T)> {
    let (items, known): (Vec<u32>, Vec<T>) = known.into_iter().unzip();
    let places = targets.find_all(query as usize, items.as_slice().into());
    let ranks: Vec<u32> = places.map(|at| ranks[at]).collect();
    ranks.into_iter().zip(known)
}

/// The words with the bits up to `last`, all others cleared.
fn bits_to(words: &mut [u32], last: u32) -> &[u32] {
    let whole = last as usize / 32;
    if let Some(word) = words.get_mut(whole) {
        *word &= u32::MAX >> (31 - last % 32);
    }
    &words[..words.len().min(whole + 1)]
}
