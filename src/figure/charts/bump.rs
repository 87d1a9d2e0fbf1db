//! Bump chart: ranks of models by two metrics, R@1 and mAP@R by default, joined by lines.

use std::cmp::Reverse;

use super::{ANY, ChartRequest, Limits, StudyChart};
use crate::analysis::leaderboard::ranks;
use crate::data::index::ModelIx;
use crate::data::text::count;
use crate::error::{Error, Result};
use crate::figure::chart::{Axis, Chart, Curve, HUES, Shape};
use crate::rank::pass::CancelToken;
use crate::study::Study;

/// Bump chart with a line for each model.
pub const CHART: StudyChart = StudyChart {
    key: "bump",
    title: "ranks of models by R@1 and by mAP@R",
    limits: Limits { models: ANY, truths: 1, metrics: 2, directions: 2, pools: 1, ..Limits::NONE },
    check: require_three_models,
    compute_chart,
};

/// Checks that a study has three models or more, and a truth.
fn require_three_models(study: &Study) -> Result<()> {
    study.require_models_and_truths()?;
    let models = study.models.len();
    let error = || Error::new("models", count(models, "model")).expected("three or more");
    if models > 2 { Ok(()) } else { Err(error()) }
}

/// With more ranks than this, only some are labelled.
const MAX_LABELS: usize = 10;

/// A model with its rank by each metric.
struct RankedModel<'a> {
    name: &'a str,
    ranks: [usize; 2],
}

fn compute_chart(request: &ChartRequest<'_>, token: &CancelToken) -> Result<Option<Chart>> {
    let truth = request.truth()?;
    let specs = request.two_specs(truth)?;
    let directions = request.directions_of(truth);
    if request.compute_ranks(&[truth], token)?.is_none() {
        return Ok(None);
    }
    let [first, second] = specs.map(|spec| {
        let mean = |&model: &ModelIx| request.mean(spec, (model, truth), &directions);
        let means: Vec<Option<f64>> = request.models.iter().map(mean).collect();
        ranks(&means, spec.metric.unit())
    });
    let model = |(at, (_, name))| Some(RankedModel { name, ranks: [first[at]?, second[at]?] });
    let models = request.named_models().enumerate().filter_map(model).collect();
    let titles = specs.map(|spec| spec.title());
    let direction = match directions.as_slice() {
        [one] => one.key(),
        _ => "means of i2t and t2i",
    };
    Ok(Some(chart(models, &titles, &format!("{direction}, {}", request.context(truth, &[])))))
}

/// Draws a line for each model: coloured for those whose ranks change most, grey for the others. `context` names
/// directions, truth and pool.
fn chart(mut models: Vec<RankedModel<'_>>, titles: &[String; 2], context: &str) -> Chart {
    models.sort_by_key(|one| (Reverse(one.ranks[0].abs_diff(one.ranks[1])), one.ranks[1]));
    let last = models.iter().flat_map(|model| model.ranks).max().unwrap_or(1).max(2);
    let points = |[first, second]: [usize; 2]| vec![[0.0, first as f64], [1.0, second as f64]];
    let is_few = models.len() <= HUES.len();
    let moved = models.iter().take_while(|one| is_few || one.ranks[0] != one.ranks[1]).count();
    let others = models.split_off(moved.min(HUES.len()));
    let grey_lines = others.iter().enumerate().map(|(at, model)| {
        let name = if at == 0 { count(others.len(), "other model") } else { String::new() };
        Curve::background(Shape::Line, name, points(model.ranks))
    });
    let coloured_lines = models.iter().enumerate().map(|(hue, model)| {
        let name = format!("{} {} to {}", model.name, model.ranks[0], model.ranks[1]);
        Curve::line(name, [hue, 0], points(model.ranks))
    });
    let [first, second] = titles;
    let is_labelled =
        |rank: &usize| last <= MAX_LABELS || *rank == 1 || rank.is_multiple_of(MAX_LABELS / 2);
    let ranks = (1..=last).filter(is_labelled).map(|rank| (rank as f64, rank.to_string()));
    Chart {
        title: format!("Ranks by {first} and by {second} ({context})"),
        x: Axis::with_labels("", [-0.1, 1.1], [0.0, 1.0].into_iter().zip(titles.clone())),
        y: Axis::with_labels("rank", [last as f64, 1.0], ranks),
        lines: grey_lines.chain(coloured_lines).collect(),
        note: if others.is_empty() {
            "1 is best.".into()
        } else {
            "1 is best. Coloured: the models whose ranks change most.".into()
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Options;
    use crate::figure::chart::draw_chart;

    #[test]
    fn of_many_models_those_that_move_most_are_coloured() {
        let names: Vec<String> = (0..25).map(|at| format!("m{at}")).collect();
        // The first six change places with each other, the seventh to ninth by one or two.
        let second = [6, 5, 4, 3, 2, 1, 9, 8, 7].into_iter().chain(10..=25);
        let models = names.iter().enumerate().zip(second);
        let models = models.map(|((at, name), rank)| RankedModel { name, ranks: [at + 1, rank] });
        let titles = ["R@1", "mAP@R"].map(str::to_owned);
        let found = chart(models.collect(), &titles, "eccv");
        let coloured: Vec<&str> =
            found.lines.iter().filter(|of| !of.is_background).map(|of| &*of.name).collect();
        let expected =
            ["m5 6 to 1", "m0 1 to 6", "m4 5 to 2", "m1 2 to 5", "m8 9 to 7", "m6 7 to 9"];
        assert_eq!(coloured, expected);
        assert_eq!((found.lines.len(), &*found.lines[0].name), (25, "19 other models"));
        // The best is at the top.
        assert!(found.y.position(1.0) > found.y.position(2.0));
        draw_chart(&found, &Options::default()).unwrap();
    }
}
