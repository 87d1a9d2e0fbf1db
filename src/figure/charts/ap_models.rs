//! AP@R of every query: the second model against the first.

use super::asked::require_two_models;
use super::scatter::{Scatter, usual};
use super::{Asked, StudyChart, Takes};
use crate::error::Result;
use crate::figure::chart::Chart;
use crate::rank::pass::CancelToken;

/// A dot for each query.
pub const CHART: StudyChart = StudyChart {
    key: "ap-models",
    title: "AP@R of each query, the second model against the first",
    takes: &[Takes::TwoModels, Takes::Truth, Takes::Metrics, Takes::OneDirection, Takes::Pool],
    is_held: true,
    check: require_two_models,
    make,
};

fn make(asked: &Asked<'_>, token: &CancelToken) -> Result<Option<Chart>> {
    let models = asked.two_models()?;
    let view = asked.view()?;
    let usual = usual(&asked.study().truths[view.truth]).to_string();
    let spec = asked.specs(&[&usual])?[0];
    let asked = Asked { models: models.to_vec(), ..asked.clone() };
    if asked.count(&[view.truth], token)?.is_none() {
        return Ok(None);
    }
    let ranks = models.map(|model| asked.ranks(model, view.truth, view.direction));
    let [Some(x), Some(y)] = ranks else {
        return Ok(None);
    };
    let both = x.iter().zip(y.iter());
    let both = both.filter_map(|(x, y)| Some([spec.per_query(x)?, spec.per_query(y)?]));
    let of = Scatter {
        points: &both.collect::<Vec<_>>(),
        names: models.map(|model| asked.name(model)),
        specs: [spec; 2],
        context: &asked.context(view.truth, &[view.direction]),
    };
    Ok(Some(of.chart()))
}
