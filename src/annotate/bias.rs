//! Bias of a ground truth towards the models that proposed it: every model under the proposals of each.
//!
//! Source: Chun et al. 2022 (ECCV Caption), arXiv:2204.03359, appendix E: R@1 and R-Precision, a match being 1 if fully
//! relevant, 0.5 if partially.

use super::effect::ranks;
use super::proposers::{Proposers, Share};
use crate::data::{Direction, PerDirection};
use crate::error::Result;
use crate::metric::mean;
use crate::rank::{QueryRanks, Ranks};
use crate::study::Study;
use crate::truth::Truth;
use crate::truth::relevance::WHOLE;

const METRICS: [&str; 2] = ["R@1", "R-P"];
/// Their names with partial matches: these differ from the usual metrics.
const GRADED: [&str; 2] = ["graded R@1", "graded R-P"];

/// A metric of one model under one truth.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Matched {
    /// Mean over its queries; `None` if there are none, or rankings end too early.
    pub value: Option<f64>,
    /// Queries with a positive there.
    pub queries: usize,
}

/// One model in one direction.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its name.
    pub model: String,
    /// The direction.
    pub direction: Direction,
    /// By metric: under the proposals of each pool model, and of all.
    pub matched: [Vec<Matched>; 2],
    /// Its index among the proposers.
    pub own: Option<usize>,
}

impl Row {
    /// Gain in a metric under its own proposals over the mean under those of the others.
    pub fn advantage(&self, metric: usize) -> Option<f64> {
        let own = self.own?;
        let by_models = self.matched[metric].split_last()?.1;
        let others = by_models.iter().enumerate().filter(|(at, _)| *at != own);
        let others: Option<Vec<f64>> = others.map(|(_, matched)| matched.value).collect();
        let others = others.filter(|others| !others.is_empty())?;
        Some(by_models[own].value? - mean::pairwise(&others))
    }
}

/// Every model under each's proposals.
#[derive(Debug, Clone)]
pub struct Bias {
    /// The proposers.
    pub sources: Vec<String>,
    /// Positives by proposer, in the order of the sources.
    pub shares: Vec<PerDirection<Option<Share>>>,
    /// Positives neither proposed nor known before: they count only under all.
    pub of_nobody: usize,
    /// The models, in each direction of the truth.
    pub rows: Vec<Row>,
    /// Whether matches may be partial: the truth has grades.
    pub is_graded: bool,
}

impl Bias {
    /// Names of the two metrics.
    pub fn metrics(&self) -> [&'static str; 2] {
        if self.is_graded { GRADED } else { METRICS }
    }
}

/// Evaluates every model of a study under each pool model's proposals in a truth.
///
/// # Errors
/// As ranks are computed.
pub fn bias(study: &Study, truth: &Truth, proposed: &Proposers) -> Result<Bias> {
    let sources = 0..proposed.models.len();
    let mut truths: Vec<Truth> = sources.clone().map(|model| proposed.only(truth, model)).collect();
    truths.push(truth.clone());
    let mut rows = Vec::new();
    for model in &study.models {
        let ranks = ranks(study, &truths, model)?;
        for direction in Direction::BOTH {
            let Some(relevance) = &truth.relevance[direction] else {
                continue;
            };
            let highest_grade = relevance.grading().map_or(1, |grading| grading.highest);
            let of_truth = |is_first: bool| {
                let each = ranks.iter().filter_map(|of| of[direction].as_deref());
                each.map(|ranks| mean_match(ranks, highest_grade, is_first)).collect()
            };
            rows.push(Row {
                model: model.name.clone(),
                direction,
                matched: [of_truth(true), of_truth(false)],
                own: proposed.place(&model.name),
            });
        }
    }
    Ok(Bias {
        shares: sources.map(|model| proposed.shares(truth, model)).collect(),
        sources: proposed.models.clone(),
        of_nobody: proposed.of_nobody(truth),
        is_graded: Direction::BOTH.into_iter().any(|direction| {
            let relevance = truth.relevance[direction].as_ref();
            relevance.is_some_and(|relevance| relevance.grading().is_some())
        }),
        rows,
    })
}

/// Mean match at top-1, or in the top R.
fn mean_match(ranks: &Ranks, highest_grade: u32, is_first: bool) -> Matched {
    let queries = ranks.iter().filter(|query| query.listed > 0);
    let of_query = |query: QueryRanks<'_>| {
        let k = if is_first { 1 } else { query.listed };
        query.is_known_to(k).then(|| sum_of_matches(query, k, highest_grade) / f64::from(k))
    };
    let values: Vec<Option<f64>> = queries.map(of_query).collect();
    let queries = values.len();
    let values: Option<Vec<f64>> = values.into_iter().collect();
    Matched {
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
            let of = |&value: &f64| Matched { value: Some(value), queries: 3 };
            values.iter().map(of).collect::<Vec<_>>()
        };
        let row = Row {
            model: "a".into(),
            direction: Direction::I2t,
            matched: [matched(&[0.5, 0.25, 0.125, 0.9]), matched(&[0.5])],
            own: Some(0),
        };
        assert_eq!(row.advantage(0), Some(0.5 - 0.1875));
        assert_eq!(row.advantage(1), None);
        assert_eq!(Row { own: None, ..row }.advantage(0), None);
    }
}
