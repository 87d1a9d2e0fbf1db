//! Hubness: how often each item is among the top k.

use super::request::K;
use super::{ANY, ChartRequest, StudyChart, Takes};
use crate::data::Direction;
use crate::data::text::grouped;
use crate::error::Result;
use crate::figure::chart::{Axis, Chart, Curve, Shape, look};
use crate::rank::hubs::{Occurrences, OfModel};
use crate::rank::pass::CancelToken;
use crate::study::Study;

/// A line for each model.
pub const CHART: StudyChart = StudyChart {
    key: "hubness",
    title: "hubness: items by how often they are in the top 10",
    takes: Takes { models: ANY, depths: 1, directions: 1, pools: 1, ..Takes::NONE },
    is_held: false,
    check: Study::require_models_and_truths,
    make,
};

fn make(request: &ChartRequest<'_>, token: &CancelToken) -> Result<Option<Chart>> {
    let (study, k) = (request.study(), request.k.unwrap_or(K));
    let direction = request.direction().unwrap_or(Direction::T2i);
    request.require_ranked(direction)?;
    let field = (&study.gallery, study.mask.as_deref());
    let mut found = Vec::new();
    for (model, name) in request.names() {
        let of = (model, &study.models[model]);
        let Some(of) = OfModel::of(field, of, direction, &[k as usize], token)? else {
            return Ok(None);
        };
        let mut depths = of.hubness.depths.into_iter();
        found.extend(depths.find(|of| of.k == k as usize).map(|of| (name, of)));
    }
    let mut context = direction.to_string();
    context.extend(request.study().pool_words().map(|pool| format!(", {pool}")));
    Ok(Some(chart(&found, k, &context)))
}

/// A line for each model: the share of the items that at least so many queries have in their top k.
fn chart(found: &[(&str, Occurrences)], k: u32, context: &str) -> Chart {
    let mut lines: Vec<Curve> = Vec::new();
    for (place, (name, of)) in found.iter().enumerate() {
        lines.push(Curve::line(*name, look(place), shares(of)));
    }
    let all = || lines.iter().flat_map(|line| &line.points);
    let most = all().map(|point| point[0]).fold(1.0, f64::max);
    let least = all().map(|point| point[1]).fold(100.0, f64::min);
    let (across, up) = (
        Axis::log(format!("n: queries that have the item in their top {k}"), [1.0, most]),
        Axis::log("items in the top of n queries or more, in percent", [least, 100.0]),
    );
    let mean = found.first().map_or(0.0, |(_, of)| of.mean);
    let upright = up.ends.map(|end| [mean, end]);
    if mean > 1.0 {
        lines
            .insert(0, Curve::background(Shape::Line, format!("mean {mean:.1}"), upright.to_vec()));
    }
    let said: Vec<String> = found.iter().map(|(name, of)| words(name, of)).collect();
    Chart {
        title: format!("Hubness: items by how often in the top {k} ({context})"),
        across,
        up,
        lines,
        note: format!("{}. Radovanović et al. 2010, JMLR 11.", said.join("; ")),
    }
}

/// What is known of the items of a model.
fn words(name: &str, of: &Occurrences) -> String {
    let never = 100.0 * of.never as f64 / of.items.max(1) as f64;
    let skewness =
        of.skewness.map_or(String::new(), |skewness| format!(", skewness {skewness:.2}"));
    let most = grouped(of.most() as usize);
    format!("{name}: {never:.1} % of the items never, none more often than {most} times{skewness}")
}

/// Numbers of queries, and the share of the items that have at least so many, in percent.
fn shares(of: &Occurrences) -> Vec<[f64; 2]> {
    let mut counts: Vec<u32> = of.counts.iter().copied().filter(|count| *count > 0).collect();
    counts.sort_unstable();
    let (found, items) = (counts.len(), of.items.max(1) as f64);
    let share = |from: usize| 100.0 * (found - from) as f64 / items;
    let mut points = Vec::new();
    let mut from = 0;
    for same in counts.chunk_by(|one, other| one == other) {
        points.push([f64::from(same[0]), share(from)]);
        from += same.len();
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_all_items_and_fall() {
        let of = Occurrences {
            k: 2,
            counts: vec![0, 1, 1, 3, 5],
            mean: 2.0,
            deviation: 1.8,
            skewness: Some(0.6),
            items: 5,
            never: 1,
        };
        assert_eq!(shares(&of), [[1.0, 80.0], [3.0, 40.0], [5.0, 20.0]]);
        let chart = chart(&[("sims", of)], 2, "t2i");
        assert_eq!(chart.lines[0].name, "mean 2.0");
        assert!(chart.note.starts_with(
            "sims: 20.0 % of the items never, none more often than 5 times, skewness 0.60"
        ));
        assert_eq!((chart.across.ends, chart.up.ends), ([1.0, 5.0], [20.0, 100.0]));
    }
}
