//! Semantic recall over m: retrieved share of the m most similar items.

use super::{ChartRequest, Limits, StudyChart};
use crate::analysis::semantic_recall::{RecallByM, semantic_recall};
use crate::error::{Error, Result};
use crate::figure::chart::{Axis, Chart, Curve, distinct_index};
use crate::rank::pass::CancelToken;
use crate::study::Pool;
use crate::truth::similar::DEPTH;

/// Default K of semantic recall in the top K.
pub const K: u32 = 10;

/// Chart with a curve for each model, similarity and direction.
pub const CHART: StudyChart = StudyChart {
    key: "semantic-recall",
    title: "semantic recall over m, the number of most similar items",
    limits: Limits { depths: 1, directions: 2, ..Limits::NONE },
    check: |study| {
        study.require_models_and_truths()?;
        if study.phis.is_empty() {
            return Err(
                Error::new("--phi", "no similarity is named").expected("cider, or NAME=FILE")
            );
        }
        Ok(())
    },
    compute_chart,
};

fn compute_chart(request: &ChartRequest<'_>, token: &CancelToken) -> Result<Option<Chart>> {
    let study = request.study();
    if study.pool != Pool::All {
        let found = format!("a candidate pool ({})", study.pool_name(study.pool));
        return Err(Error::new("SR over m", found)
            .expected("the whole gallery, whose most similar items are known"));
    }
    let k = request.k.unwrap_or(K);
    let recalls = semantic_recall(study, &request.directions, &[k], token)?;
    Ok(recalls.map(|recalls| chart(&recalls.iter().collect::<Vec<_>>(), k)))
}

/// Draws each recall as a line; all are at depth `k`.
pub fn chart(recalls: &[&RecallByM], k: u32) -> Chart {
    Chart {
        title: format!("Semantic recall SR@{k} by the number of most similar items"),
        x: Axis::new("m, the number of most similar items", [0.0, DEPTH as f64], 5.0),
        y: Axis::new("of these in the top K, in percent", [0.0, 100.0], 20.0),
        lines: recalls.iter().map(|recall| line(recall, recalls)).collect(),
        note: "Biten et al. 2022, arXiv:2110.02623.".into(),
    }
}

/// Draws one of `all` recalls as a line, with a hue for each model, and dashes for each similarity and direction.
fn line(recall: &RecallByM, all: &[&RecallByM]) -> Curve {
    let kind = |recall: &RecallByM| (recall.phi.clone(), recall.direction);
    let points = (1_u32..).zip(&recall.by_m);
    let points = points.filter_map(|(m, mean)| Some([f64::from(m), mean.value? * 100.0]));
    let hue = distinct_index(all.iter().map(|other| &other.model), &&recall.model);
    let dashes = distinct_index(all.iter().map(|other| kind(other)), &kind(recall));
    let name = format!("{} {} {}", recall.model, recall.phi, recall.direction);
    Curve::line(name, [hue, dashes], points.collect())
}
