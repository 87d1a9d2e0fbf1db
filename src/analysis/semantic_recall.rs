//! Semantic recall as a function of m: share of the m most similar items retrieved.
//!
//! The ranks of the [`DEPTH`] most similar items of each query are computed once. The first m of them give Recall@K
//! under a similarity's ground truth with m positives.

use crate::data::Direction;
use crate::error::Result;
use crate::metric::sr::SrAtK;
use crate::metric::{Spec, Summary};
use crate::rank::pass::CancelToken;
use crate::rank::targets::{PairSet, Targets};
use crate::rank::{QueryRanks, TargetRanks, UNRANKED, rank_targets};
use crate::study::Study;
use crate::truth::conventions::Conventions;
use crate::truth::relevance::Relevance;
use crate::truth::similar::DEPTH;

/// Semantic recall of one model for one similarity, direction and depth.
#[derive(Debug, Clone, PartialEq)]
pub struct RecallByM {
    /// Name of the similarity.
    pub phi: String,
    /// Name of the model.
    pub model: String,
    /// Direction of retrieval.
    pub direction: Direction,
    /// Depth K of Recall@K.
    pub k: u32,
    /// Mean recall for m = 1 to [`DEPTH`].
    pub by_m: Vec<Summary>,
}

/// Semantic recall of all models for all similarities over a whole gallery, in these directions and at these depths;
/// `None` if cancelled.
///
/// # Errors
/// As [`rank_targets`].
pub fn semantic_recall(
    study: &Study,
    directions: &[Direction],
    depths: &[u32],
    token: &CancelToken,
) -> Result<Option<Vec<RecallByM>>> {
    let mut found = Vec::new();
    for truth in study.truths.iter().filter(|truth| truth.is_by_similarity()) {
        let targets = Targets::from_fn(|direction| {
            let similar = truth.relevance[direction].as_ref().and_then(Relevance::similar);
            let similar = similar.into_iter();
            let queries = similar.flat_map(|of| (0..of.own.len()).map(move |query| (of, query)));
            PairSet::from_lists(queries.map(|(similar, query)| {
                let nearest = similar.nearest(query, DEPTH).map(|(item, _)| item);
                let mut items: Vec<u32> = nearest.collect();
                items.sort_unstable();
                items
            }))
        });
        for model in &study.models {
            let Some(counted) = rank_targets(model, &targets, None, token)? else {
                return Ok(None);
            };
            for &direction in directions {
                let relevance = truth.relevance[direction].as_ref();
                let Some(relevance) = relevance.filter(|of| of.similar().is_some()) else {
                    continue;
                };
                let ranks = NearestRanks::new(relevance, &targets[direction], &counted[direction]);
                found.extend(depths.iter().map(|&k| RecallByM {
                    phi: truth.name.clone(),
                    model: model.name.clone(),
                    direction,
                    k,
                    by_m: ranks.by_m(k),
                }));
            }
        }
    }
    Ok(Some(found))
}

/// Ranks of the most similar items of all queries.
struct NearestRanks {
    /// Ranks by query, that of the most similar item first; [`UNRANKED`] if the model does not rank an item.
    ranks: Vec<Vec<u32>>,
    /// Ranking depth of each query, if some end early.
    depths: Option<Vec<u32>>,
    conventions: Conventions,
}

impl NearestRanks {
    /// Looks up the most similar items of each query among the targets in `set`, whose ranks are in `counted`.
    fn new(relevance: &Relevance, set: &PairSet, counted: &TargetRanks) -> Self {
        let nearest_ranks = |query: usize| {
            let (items, ranks) = (set.items(query), &counted.all[set.range(query)]);
            let nearest = relevance.similar().into_iter();
            let nearest = nearest.flat_map(|similar| similar.nearest(query, DEPTH));
            nearest.filter_map(|(item, _)| Some(ranks[items.binary_search(&item).ok()?])).collect()
        };
        NearestRanks {
            ranks: (0..set.query_count()).map(nearest_ranks).collect(),
            depths: counted.depths.as_ref().map(|depths| depths.all.clone()),
            conventions: relevance.conventions(),
        }
    }

    /// Semantic recall at depth `k`, for m = 1 to [`DEPTH`].
    fn by_m(&self, k: u32) -> Vec<Summary> {
        let spec = Spec { metric: &SrAtK, k };
        // Ascending ranks of the first m items of each query.
        let mut known: Vec<Vec<u32>> = vec![Vec::new(); self.ranks.len()];
        let recall = |m: usize| {
            for (known, ranks) in known.iter_mut().zip(&self.ranks) {
                let next = ranks.get(m - 1).filter(|rank| **rank != UNRANKED);
                if let Some(&next) = next {
                    known.insert(known.partition_point(|rank| *rank < next), next);
                }
            }
            let queries = known.iter().enumerate();
            spec.summary_over(queries.map(|(query, known)| self.query_ranks(query, known, m)))
        };
        (1..=DEPTH).map(recall).collect()
    }

    /// Ranks of a query with its `m` most similar items as positives; `known` has the ascending ranks of those
    /// that the model ranks.
    fn query_ranks<'a>(&self, query: usize, known: &'a [u32], m: usize) -> QueryRanks<'a> {
        let listed = self.ranks[query].len().min(m);
        QueryRanks {
            depth: self.depths.as_ref().map(|depths| depths[query]),
            unranked: (listed - known.len()) as u32,
            conventions: self.conventions,
            ..QueryRanks::complete(known, listed as u32)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::cider::CiderOptions;
    use crate::evaluate::plan::{Choice, Request};
    use crate::evaluate::{Value, evaluate};
    use crate::semantic::add_truths;
    use crate::study::demo;

    fn with_phi(m: usize) -> Study {
        let mut study = demo::open().unwrap();
        study.phis = vec![study.cider(CiderOptions::default()).unwrap()];
        study.phi_rule.m = m;
        assert!(add_truths(&mut study, &CancelToken::default()).unwrap());
        study
    }

    /// Each m equals the evaluation under a ground truth with m positives.
    #[test]
    fn each_m_is_the_metric_under_its_own_ground_truth() {
        let token = CancelToken::default();
        let found = semantic_recall(&with_phi(5), &Direction::BOTH, &[1, 10], &token);
        let found = found.unwrap().unwrap();
        assert_eq!(found.len(), 3 * 2 * 2);
        for m in [1, 4, 30] {
            let study = with_phi(m);
            let request = Request {
                metrics: Choice::Named(vec!["sr_at_k".into()]),
                depths: vec![1, 10],
                ..Request::default()
            };
            let expected = evaluate(&study, &request, &token).unwrap();
            for one in &found {
                let model = study.models.iter().position(|of| of.name == one.model);
                let key = format!("cider_sr_at_{}", one.k);
                let line = expected.lines.iter().position(|line| line.key == key);
                let Value::Each(values) = expected.models[model.unwrap()].2[line.unwrap()] else {
                    panic!("{key}: one value a direction");
                };
                assert_eq!(Some(one.by_m[m - 1]), values[one.direction], "{key} {m}");
            }
        }
    }
}
