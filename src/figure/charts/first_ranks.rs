//! Queries by the rank of their first positive: bars side by side for each model.

use super::{ANY, ChartRequest, StudyChart, Takes};
use crate::data::text::grouped;
use crate::error::Result;
use crate::figure::chart::{Axis, Chart, Curve, Shape, look};
use crate::rank::Ranks;
use crate::rank::pass::CancelToken;
use crate::study::Study;

/// The groups of ranks: their names, and the last rank of each.
const GROUPS: [(&str, u32); 9] = [
    ("1", 1),
    ("2", 2),
    ("3-5", 5),
    ("6-10", 10),
    ("11-20", 20),
    ("21-50", 50),
    ("51-100", 100),
    ("101-1000", 1000),
    ("more", u32::MAX),
];
/// The part of a group's width that bars take.
const ROOM: f64 = 0.84;

/// Bars for each model.
pub const CHART: StudyChart = StudyChart {
    key: "first-ranks",
    title: "queries by the rank of their first positive",
    takes: Takes { models: ANY, truths: 1, directions: 1, pools: 1, ..Takes::NONE },
    is_held: false,
    check: Study::require_models_and_truths,
    make,
};

fn make(request: &ChartRequest<'_>, token: &CancelToken) -> Result<Option<Chart>> {
    let view = request.view()?;
    if request.count(&[view.truth], token)?.is_none() {
        return Ok(None);
    }
    let of_model =
        |(model, name)| Some((name, counts(&*request.ranks(model, view.truth, view.direction)?)));
    let found: Vec<(&str, [usize; GROUPS.len() + 1])> =
        request.names().filter_map(of_model).collect();
    let width = ROOM / found.len().max(1) as f64;
    let mut note = String::new();
    let mut lines = Vec::new();
    for (place, (name, counts)) in found.iter().enumerate() {
        let all: usize = counts.iter().sum();
        if place == 0 {
            note = format!("{} judged queries.", grouped(all));
        }
        if let unranked @ 1.. = counts[GROUPS.len()] {
            let unranked = grouped(unranked);
            let end = "of them, which have no bar.";
            note = format!("{note} {name} ranks no positive of {unranked} {end}");
        }
        let left = (1.0 - ROOM) / 2.0 + (place as f64 + 0.5) * width;
        let share = |count: usize| 100.0 * count as f64 / all.max(1) as f64;
        let groups = counts[..GROUPS.len()].iter().enumerate();
        let points = groups.map(|(group, &count)| [group as f64 + left, share(count)]);
        lines.push(Curve::new(Shape::Bars(width), *name, look(place), points.collect()));
    }
    let points = lines.iter().flat_map(|line| &line.points);
    let most = points.map(|point| point[1]).fold(1.0, f64::max);
    let context = request.context(view.truth, &[view.direction]);
    Ok(Some(Chart {
        title: format!("Rank of the first positive ({context})"),
        across: Axis::of_groups("rank of the first positive", &GROUPS.map(|(name, _)| name)),
        up: Axis::over("queries in percent", [0.0, most]),
        note,
        lines,
    }))
}

/// How many queries have their first positive in each group of ranks; last those with positives of which none is
/// ranked.
fn counts(ranks: &Ranks) -> [usize; GROUPS.len() + 1] {
    let mut counts = [0; GROUPS.len() + 1];
    for query in ranks.iter().filter(|query| query.listed > 0) {
        let group = |rank| GROUPS.partition_point(|(_, last)| *last < rank);
        counts[query.first().map_or(GROUPS.len(), group)] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::charts::Counts;
    use crate::metric::{Spec, hit};
    use crate::study::demo;

    /// The first bars are R@1; with those up to rank 10, R@10.
    #[test]
    fn bars_sum_up_to_recall() {
        let study = demo::open().unwrap();
        let counts = Counts::new(&study);
        let request = ChartRequest::all(&counts);
        let chart = make(&request, &CancelToken::default()).unwrap().unwrap();
        let view = request.view().unwrap();
        for (line, (model, name)) in chart.lines.iter().zip(request.names()) {
            assert_eq!(line.name, name);
            let recall = |metric| {
                let of = (model, view.truth, view.direction);
                request.summary(Spec::new(metric), of).unwrap().value.unwrap()
            };
            let up_to =
                |groups: usize| line.points[..groups].iter().map(|point| point[1]).sum::<f64>();
            assert!((up_to(1) - 100.0 * recall(&hit::R1)).abs() < 1e-9);
            assert!((up_to(4) - 100.0 * recall(&hit::R10)).abs() < 1e-9);
            assert!((up_to(9) - 100.0).abs() < 1e-9);
        }
    }
}
