//! Union of the models' top items for some queries, and of listed positives.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::data::index::{ModelIx, QueryIx, TruthIx};
use crate::data::{Direction, PerDirection};
use crate::error::Result;
use crate::rank::pass::CancelToken;
use crate::rank::top_k::top_k;
use crate::study::Study;
use crate::truth::judgment::Pair;

/// Sources and queries of a pool.
#[derive(Debug, Clone)]
pub struct Plan<'a> {
    /// The study; only items of its candidate pool are proposed.
    pub study: &'a Study,
    /// Models whose top items are proposed.
    pub models: Vec<ModelIx>,
    /// Ground truths whose positives are included.
    pub truths: Vec<TruthIx>,
    /// Gallery indices of the queries.
    pub queries: PerDirection<Vec<u32>>,
    /// Number of top items proposed per query and model.
    pub top: usize,
}

/// A proposed pair, with all who proposed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The pair.
    pub pair: Pair,
    /// The direction in which annotators judge it: that of its first proposal.
    pub direction: Direction,
    /// Who proposed it; never empty.
    pub proposals: Vec<CandidateProposal>,
}

/// A proposal of a pair by a model or ground truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CandidateProposal {
    /// Index of the model in the plan; ground truths are counted after the models.
    pub by: usize,
    /// Direction of the query of the proposal.
    pub direction: Direction,
    /// The item's rank, from 1; `None` for a truth.
    pub rank: Option<u32>,
}

impl Candidate {
    /// Gallery index of the query in the direction in which annotators judge the pair.
    pub fn query(&self) -> QueryIx {
        self.pair.query_and_item(self.direction).0
    }

    /// Best rank by a model; `None` if only ground truths list it.
    pub fn best_rank(&self) -> Option<u32> {
        self.proposals.iter().filter_map(|of| of.rank).min()
    }
}

/// Collects the candidates, deduplicated, by direction and query.
///
/// # Errors
/// As [`top_k`].
pub fn gather_candidates(plan: &Plan<'_>) -> Result<Vec<Candidate>> {
    let token = CancelToken::default();
    let mut union = CandidateMap::default();
    for direction in Direction::BOTH {
        if plan.queries[direction].is_empty() {
            continue;
        }
        for (by, &model) in plan.models.iter().enumerate() {
            let (study, mask) = (plan.study, plan.study.mask.as_deref());
            let model = &study.models[model];
            let found = top_k(&study.gallery, model, mask, direction, plan.top, &token)?;
            let Some(found) = found else { continue };
            for &query in &plan.queries[direction] {
                for (rank, &item) in (1..).zip(&found[query as usize]) {
                    add_proposal(&mut union, (direction, query, item), by, Some(rank));
                }
            }
        }
        add_truths(&mut union, plan, direction);
    }
    let mut all: Vec<Candidate> = union.into_values().collect();
    all.sort_by_key(|one| (one.direction, one.query()));
    Ok(all)
}

/// Adds the positives of all ground truths of the plan to `union`, as proposals in one direction.
fn add_truths(union: &mut CandidateMap, plan: &Plan<'_>, direction: Direction) {
    for (place, &truth) in plan.truths.iter().enumerate() {
        let Some(relevance) = &plan.study.truths[truth].relevance[direction] else {
            continue;
        };
        for &query in &plan.queries[direction] {
            let listed = relevance.place(query as usize);
            for item in listed.iter().flat_map(|&at| relevance.positives(at).iter()) {
                add_proposal(union, (direction, query, item), plan.models.len() + place, None);
            }
        }
    }
}

/// Pairs proposed so far.
type CandidateMap = IndexMap<Pair, Candidate, FxBuildHasher>;

/// Adds a proposal of the pair of a query and an item: by the proposer at index `by`, at a rank if it is a model.
fn add_proposal(
    union: &mut CandidateMap,
    (direction, query, item): (Direction, u32, u32),
    by: usize,
    rank: Option<u32>,
) {
    let pair = Pair::from_query(direction, query.into(), item.into());
    let new = || Candidate { pair, direction, proposals: Vec::new() };
    union.entry(pair).or_insert_with(new).proposals.push(CandidateProposal { by, direction, rank });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::demo;

    fn plan(study: &Study, top: usize) -> Plan<'_> {
        Plan {
            study,
            models: ModelIx::all(&study.models).collect(),
            truths: vec![study.truth_index("rich").unwrap()],
            queries: PerDirection { i2t: vec![0, 3], t2i: vec![0, 1, 40] },
            top,
        }
    }

    #[test]
    fn every_pair_occurs_once_with_its_proposers() {
        let study = demo::open().unwrap();
        let plan = plan(&study, 5);
        let all = gather_candidates(&plan).unwrap();
        let mut pairs: Vec<Pair> = all.iter().map(|one| one.pair).collect();
        pairs.sort_unstable();
        pairs.dedup();
        assert_eq!(pairs.len(), all.len());
        let ranked = |by: usize| {
            let proposals = all.iter().flat_map(|one| &one.proposals);
            proposals.filter(|of| of.by == by && of.rank.is_some()).count()
        };
        // Five items for each of five queries, including shared ones.
        assert_eq!([0, 1, 2].map(ranked), [25; 3]);
        let relevance =
            |direction| study.truths[plan.truths[0]].relevance[direction].clone().unwrap();
        let listed = Direction::both(|direction| {
            let of = relevance(direction);
            let queries = plan.queries[direction].iter();
            queries
                .filter_map(|&query| of.place(query as usize))
                .map(|at| of.positives(at).len())
                .sum::<usize>()
        });
        let by_truth = all.iter().flat_map(|one| &one.proposals).filter(|of| of.by == 3).count();
        assert_eq!(by_truth, listed.iter().sum::<usize>());
    }

    #[test]
    fn a_pair_of_both_directions_is_asked_in_the_first() {
        let study = demo::open().unwrap();
        let all = gather_candidates(&plan(&study, 40)).unwrap();
        let both = |one: &&Candidate| {
            let directions = one.proposals.iter().map(|of| of.direction);
            directions.clone().min() != directions.max()
        };
        let both: Vec<&Candidate> = all.iter().filter(both).collect();
        assert!(!both.is_empty());
        assert!(both.iter().all(|one| one.direction == Direction::I2t));
    }
}
