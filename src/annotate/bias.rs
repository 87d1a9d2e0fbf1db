//! Bias of a ground truth towards the models that proposed it: every model under the proposals of each.
//!
//! Source: Chun et al. 2022 (ECCV Caption), arXiv:2204.03359, appendix E: R@1 and R-Precision, a match being 1 if fully
//! relevant, 0.5 if partially.

use super::effect::compute_ranks;
use super::proposers::{ProposalCounts, Proposers};
use crate::data::{Direction, PerDirection};
use crate::error::Result;
use crate::metric::mean;
use crate::rank::{QueryRanks, Ranks};
use crate::study::Study;
use crate::truth::Truth;
use crate::truth::relevance::WHOLE;

/// Names of the metrics.
const METRIC_NAMES: [&str; 2] = ["R@1", "R-P"];
/// Names of the metrics with partial matches, which differ from the usual metrics.
const GRADED_NAMES: [&str; 2] = ["graded R@1", "graded R-P"];

/// Mean match of one model's retrieved items under one truth, from 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct MatchMean {
    /// Mean over the queries with a positive; `None` if there are none, or rankings end too early.
    pub value: Option<f64>,
    /// Number of queries with a positive under the truth.
    pub queries: usize,
}

/// Metrics of one model in one direction under the proposals of each model of the pool.
#[derive(Debug, Clone, PartialEq)]
pub struct BiasRow {
    /// Name of the model.
    pub model: String,
    /// Direction of retrieval.
    pub direction: Direction,
    /// By metric: the mean under the proposals of each proposer, then of all.
    pub matched: [Vec<MatchMean>; 2],
    /// Index of the model among the proposers; `None` if it is none.
    pub own: Option<usize>,
}

impl BiasRow {
    /// Value of a metric (0: R@1, 1: R-Precision) under the model's own proposals, minus its mean over the proposals of
    /// each other proposer. `None` if the model is no proposer or the only one, or if a value is undefined.
    pub fn advantage(&self, metric: usize) -> Option<f64> {
        let own = self.own?;
        let by_models = self.matched[metric].split_last()?.1;
        let others = by_models.iter().enumerate().filter(|(at, _)| *at != own);
        let others: Option<Vec<f64>> = others.map(|(_, matched)| matched.value).collect();
        let others = others.filter(|others| !others.is_empty())?;
        Some(by_models[own].value? - mean::pairwise(&others))
    }
}

/// Metrics of every model under the proposals of each model of a pool.
#[derive(Debug, Clone)]
pub struct Bias {
    /// Names of the proposers.
    pub sources: Vec<String>,
    /// Number of positives of each proposer, in the order of `sources`.
    pub proposals: Vec<PerDirection<Option<ProposalCounts>>>,
    /// Number of positives neither proposed nor known before: they count only under all proposals.
    pub unproposed: usize,
    /// The models, in each direction of the truth.
    pub rows: Vec<BiasRow>,
    /// Whether matches may be partial: the truth has grades.
    pub is_graded: bool,
}

impl Bias {
    /// Names of the two metrics.
    pub fn metric_names(&self) -> [&'static str; 2] {
        if self.is_graded { GRADED_NAMES } else { METRIC_NAMES }
    }
}

/// Evaluates every model of a study under each pool model's proposals in a truth.
///
/// # Errors
/// As [`compute_ranks`].
pub fn compute_bias(study: &Study, truth: &Truth, pool: &Proposers) -> Result<Bias> {
    let sources = 0..pool.models.len();
    let mut truths: Vec<Truth> = sources.clone().map(|model| pool.restrict(truth, model)).collect();
    truths.push(truth.clone());
    let mut rows = Vec::new();
    for model in &study.models {
        let ranks = compute_ranks(study, &truths, model)?;
        for direction in Direction::BOTH {
            let Some(relevance) = &truth.relevance[direction] else {
                continue;
            };
            let highest_grade = relevance.grading().map_or(1, |grading| grading.highest);
            let means = |is_first: bool| {
                let each = ranks.iter().filter_map(|of| of[direction].as_deref());
                each.map(|ranks| mean_match(ranks, highest_grade, is_first)).collect()
            };
            rows.push(BiasRow {
                model: model.name.clone(),
                direction,
                matched: [means(true), means(false)],
                own: pool.model_index(&model.name),
            });
        }
    }
    Ok(Bias {
        proposals: sources.map(|model| pool.proposals(truth, model)).collect(),
        sources: pool.models.clone(),
        unproposed: pool.unproposed_count(truth),
        is_graded: Direction::BOTH.into_iter().any(|direction| {
            let relevance = truth.relevance[direction].as_ref();
            relevance.is_some_and(|relevance| relevance.grading().is_some())
        }),
        rows,
    })
}

/// Mean match over the queries with a positive: of top-1 if `is_first`, else averaged over the top R of each query.
fn mean_match(ranks: &Ranks, highest_grade: u32, is_first: bool) -> MatchMean {
    let queries = ranks.iter().filter(|query| query.listed > 0);
    let match_of = |query: QueryRanks<'_>| {
        let k = if is_first { 1 } else { query.listed };
        query.is_known_up_to(k).then(|| sum_of_matches(query, k, highest_grade) / f64::from(k))
    };
    let values: Vec<Option<f64>> = queries.map(match_of).collect();
    let queries = values.len();
    let values: Option<Vec<f64>> = values.into_iter().collect();
    MatchMean {
        value: values.filter(|values| !values.is_empty()).map(|values| mean::pairwise(&values)),
        queries,
    }
}

/// Sum of matches in the top `k`; the highest grade is a match of 1.
fn sum_of_matches(query: QueryRanks<'_>, k: u32, highest_grade: u32) -> f64 {
    match query.gains {
        None => query.ranks.count_to(k) as f64,
        Some(gains) => {
            let whole = f64::from(WHOLE * highest_grade);
            let matches = gains.top(k).map(|(_, gain)| f64::from(gain) / whole);
            // An empty sum would be -0.
            matches.fold(0.0, |sum, one| sum + one)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank::gains::Gains;

    #[test]
    fn a_partial_is_half_a_match() {
        // A yes at rank 2, a partial at rank 1, R = 2; grades 2 and 1.
        let gains = Gains::new([(Some(2), 2 * WHOLE), (Some(1), WHOLE)], Vec::new());
        let query = QueryRanks { gains: Some(&gains), ..QueryRanks::complete(&[1, 2], 2) };
        let of = |query, k, highest_grade| Some(sum_of_matches(query, k, highest_grade));
        assert_eq!([1, 2].map(|k| of(query, k, 2)), [Some(0.5), Some(1.5)]);
        assert_eq!(of(QueryRanks::complete(&[1, 4], 2), 2, 1), Some(1.0));
        let late = Gains::new([(Some(9), WHOLE)], Vec::new());
        let none = QueryRanks { gains: Some(&late), ..query };
        assert!(of(none, 1, 2).unwrap().is_sign_positive());
    }

    #[test]
    fn the_advantage_is_that_over_the_mean_of_the_others() {
        let matched = |values: &[f64]| {
            let of = |&value: &f64| MatchMean { value: Some(value), queries: 3 };
            values.iter().map(of).collect::<Vec<_>>()
        };
        let row = BiasRow {
            model: "a".into(),
            direction: Direction::I2t,
            matched: [matched(&[0.5, 0.25, 0.125, 0.9]), matched(&[0.5])],
            own: Some(0),
        };
        assert_eq!(row.advantage(0), Some(0.5 - 0.1875));
        assert_eq!(row.advantage(1), None);
        assert_eq!(BiasRow { own: None, ..row }.advantage(0), None);
    }
}
