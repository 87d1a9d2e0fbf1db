//! Semantic recall over m: retrieved share of the m most similar items.

use super::{ChartRequest, StudyChart, Takes};
use crate::analysis::semantic_recall::{RecallByM, semantic_recall};
use crate::error::{Error, Result};
use crate::figure::chart::{Axis, Chart, Curve, place};
use crate::rank::pass::CancelToken;
use crate::study::Pool;
use crate::truth::similar::DEPTH;

/// Default depth: in the top K.
pub const K: u32 = 10;

/// The curves of all models, by every similarity.
pub const CHART: StudyChart = StudyChart {
    key: "semantic-recall",
    title: "semantic recall over m, the number of most similar items",
    takes: Takes { depths: 1, directions: 2, ..Takes::NONE },
    check: |study| {
        study.require_models_and_truths()?;
        if study.phis.is_empty() {
            return Err(
                Error::new("--phi", "no similarity is named").expected("cider, or NAME=FILE")
            );
        }
        Ok(())
    },
    make,
};

fn make(request: &ChartRequest<'_>, token: &CancelToken) -> Result<Option<Chart>> {
    let study = request.study();
    if study.pool != Pool::All {
        let found = format!("a candidate pool ({})", study.pool_name(study.pool));
        return Err(Error::new("SR over m", found)
            .expected("the whole gallery, whose most similar items are known"));
    }
    let k = request.k.unwrap_or(K);
    let found = semantic_recall(study, &request.directions, &[k], token)?;
    Ok(found.map(|found| chart(&found.iter().collect::<Vec<_>>(), k)))
}

/// A line for each model, similarity and direction at this depth.
pub fn chart(found: &[&RecallByM], k: u32) -> Chart {
    Chart {
        title: format!("Semantic recall SR@{k} by the number of most similar items"),
        across: Axis::new("m, the number of most similar items", [0.0, DEPTH as f64], 5.0),
        up: Axis::new("of these in the top K, in percent", [0.0, 100.0], 20.0),
        lines: found.iter().map(|one| line(one, found)).collect(),
        note: "Biten et al. 2022, arXiv:2110.02623.".into(),
    }
}

/// A hue for each model, dashes for each similarity and direction.
fn line(one: &RecallByM, drawn: &[&RecallByM]) -> Curve {
    let kind = |of: &RecallByM| (of.phi.clone(), of.direction);
    let points = (1_u32..).zip(&one.by_m);
    let points = points.filter_map(|(m, of)| Some([f64::from(m), of.value? * 100.0]));
    let look = [
        place(drawn.iter().map(|of| &of.model), &&one.model),
        place(drawn.iter().map(|of| kind(of)), &kind(one)),
    ];
    let name = format!("{} {} {}", one.model, one.phi, one.direction);
    Curve::line(name, look, points.collect())
}
