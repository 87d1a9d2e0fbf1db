//! A metric at K over K: R@K, unless another one is request for.

use super::{ANY, ChartRequest, StudyChart, Takes, percent};
use crate::data::Direction;
use crate::error::{Error, Result};
use crate::figure::chart::{Axis, Chart, Curve, place};
use crate::metric::hit::HitAtK;
use crate::metric::{Depth, METRICS, Metric, Spec, Unit, spelling};
use crate::rank::pass::CancelToken;
use crate::study::Study;

/// The greatest K.
const MOST: u32 = 100;
/// Values of K from one power of ten to the next.
const STEPS: f64 = 20.0;

/// A line for each model and direction.
pub const CHART: StudyChart = StudyChart {
    key: "over-k",
    title: "R@K, or another metric at K, over K",
    takes: Takes { models: ANY, truths: 1, metrics: 1, directions: 2, pools: 1, ..Takes::NONE },
    check: Study::require_models_and_truths,
    make,
};

fn make(request: &ChartRequest<'_>, token: &CancelToken) -> Result<Option<Chart>> {
    let truth = request.truth()?;
    let metric = metric(request)?;
    let directions = request.directions_of(truth);
    if request.count(&[truth], token)?.is_none() {
        return Ok(None);
    }
    let depths = depths(metric.deepest().min(MOST));
    let mut lines = Vec::new();
    for (at, (model, name)) in request.names().enumerate() {
        for &direction in &directions {
            if token.is_cancelled() {
                return Ok(None);
            }
            let dashes = place(Direction::BOTH.iter(), &&direction);
            let value = |k: u32| {
                let summary = request.summary(Spec { metric, k }, (model, truth, direction))?;
                Some([f64::from(k), metric.unit().change(summary.value?)])
            };
            let points: Vec<_> = depths.iter().filter_map(|&k| value(k)).collect();
            let name = format!("{name} {direction}");
            if !points.is_empty() {
                lines.push(Curve::line(name, [at, dashes], points));
            }
        }
    }
    if lines.is_empty() {
        let found = format!("no model has {} at any K", metric.title());
        return Err(Error::new("models", found)
            .expected("a direction in which a model has rankings, and the ground truth lists")
            .mend("--direction, or other models with --model"));
    }
    let title = metric.title();
    let mut note = String::new();
    if metric.key() == HitAtK.key() {
        note += "R@K: share of the queries with any positive in the top K.";
    }
    if lines.iter().any(|line| line.points.len() < depths.len()) {
        note += " A line ends where rankings end too early to tell.";
    }
    let ends = [1.0, depths.last().map_or(1.0, |&k| f64::from(k))];
    Ok(Some(Chart {
        title: format!("{title} over K ({})", request.context(truth, &[])),
        across: Axis::log("K", ends),
        up: Axis::new(format!("{title}{}", percent(metric.unit())), [0.0, 100.0], 20.0),
        lines,
        note,
    }))
}

/// The metric at K.
fn metric(request: &ChartRequest<'_>) -> Result<&'static dyn Metric> {
    let Some(name) = request.metrics.first() else {
        return Ok(&HitAtK);
    };
    let key = spelling::key(name).unwrap_or_else(|| name.clone());
    let has_k = |one: &&'static dyn Metric| one.depth() == Depth::AtK && one.unit() == Unit::Share;
    let all = [&HitAtK as &'static dyn Metric].into_iter().chain(METRICS.iter().copied());
    let known: Vec<&'static dyn Metric> = all.filter(has_k).collect();
    let mut named = known.iter().copied();
    let found = named.find(|one| one.key() == key || one.title().eq_ignore_ascii_case(name));
    found.ok_or_else(|| {
        let keys: Vec<&str> = known.iter().map(|one| one.key()).collect();
        Error::new("--metrics", format!("{name} has no K")).expected(keys.join(", "))
    })
}

/// Values of K that are about as far apart on an axis of ratios, the usual 1, 5 and 10 among them.
fn depths(most: u32) -> Vec<u32> {
    let even = (0..).map(|at| 10_f64.powf(f64::from(at) / STEPS).round() as u32);
    let mut depths: Vec<u32> = even.take_while(|k| *k <= most).chain([most]).collect();
    depths.dedup();
    depths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::index::ModelIx;
    use crate::figure::charts::Counts;
    use crate::metric::{hit, recall};
    use crate::study::demo;

    #[test]
    fn depths_ascend_from_one_to_the_last() {
        let depths = depths(100);
        assert!(depths.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!((depths[0], depths.last()), (1, Some(&100)));
        for usual in [1, 5, 10] {
            assert!(depths.contains(&usual), "{depths:?}");
        }
        assert_eq!(super::depths(30).last(), Some(&30));
    }

    #[test]
    fn at_the_usual_depths_it_is_the_metric_of_eval() {
        let study = demo::open().unwrap();
        let counts = Counts::new(&study);
        let mut request = ChartRequest::all(&counts);
        let chart = make(&request, &CancelToken::default()).unwrap().unwrap();
        let (truth, t2i) = (request.truth().unwrap(), Direction::T2i);
        let line = &chart.lines[1];
        assert_eq!(line.name, "careful t2i");
        let three: [(f64, &'static dyn Metric); 3] =
            [(1.0, &hit::R1), (5.0, &hit::R5), (10.0, &hit::R10)];
        for (k, metric) in three {
            let point = line.points.iter().find(|point| (point[0] - k).abs() < 1e-9).unwrap();
            let spec = Spec::new(metric);
            let value = request.summary(spec, (ModelIx::new(0), truth, t2i)).unwrap();
            assert!((point[1] - 100.0 * value.value.unwrap()).abs() < 1e-9);
        }
        request.metrics = vec!["IR-Recall@K".into()];
        let chart = make(&request, &CancelToken::default()).unwrap().unwrap();
        assert!(chart.title.starts_with(recall::RecallAtK.title()));
        request.metrics = vec!["map_at_r".into()];
        let error = make(&request, &CancelToken::default()).unwrap_err().to_string();
        assert!(error.contains("r_at_k, ir_recall_at_k"), "{error}");
    }
}
