//! Metrics over the steps of a training.

use super::{ANY, ChartRequest, Limits, StudyChart};
use crate::analysis::series::{self, Course};
use crate::data::Direction;
use crate::error::{Error, Result};
use crate::evaluate::plan::{self, Choice};
use crate::figure::chart::{Axis, Chart, Curve, distinct_index, min_max};
use crate::metric::{Unit, spelling};
use crate::rank::pass::CancelToken;
use crate::study::Study;

/// Keys of the default metrics.
pub const DEFAULT_METRICS: [&str; 2] = ["r1", "map_at_r"];

/// Chart with a line for each metric and direction.
pub const CHART: StudyChart = StudyChart {
    key: "over-steps",
    title: "metrics over the steps of a training",
    limits: Limits { truths: ANY, metrics: ANY, directions: 2, ..Limits::NONE },
    check: require_steps,
    compute_chart,
};

/// Checks that the models of a study are steps of one training.
fn require_steps(study: &Study) -> Result<()> {
    study.require_models_and_truths()?;
    if study.steps.len() > 1 {
        return Ok(());
    }
    let count = study.models.len();
    let noun = if count == 1 { "model, which is" } else { "models, which are" };
    Err(Error::new("models", format!("{count} {noun} no series of steps"))
        .expected("one model at several steps of its training, such as run/step-*.npy")
        .fix("--series"))
}

fn compute_chart(request: &ChartRequest<'_>, token: &CancelToken) -> Result<Option<Chart>> {
    let study = request.study();
    let truths = request.truths.iter().map(|at| study.truths[*at].name.clone());
    let metrics = match request.metrics.as_slice() {
        [] => DEFAULT_METRICS.map(str::to_owned).to_vec(),
        names => {
            let key = |name: &String| spelling::key(name).unwrap_or_else(|| name.clone());
            names.iter().map(key).collect()
        }
    };
    let lines_request = plan::Request {
        metrics: Choice::Named(metrics),
        truths: truths.collect(),
        ..plan::Request::default()
    };
    let Some(courses) = series::courses(study, lines_request, &request.directions, token)? else {
        return Ok(None);
    };
    // A hue for each metric, dashes for each direction.
    let shares = courses.iter().filter(|course| course.line.unit() == Unit::Share);
    let line = |course: &Course| {
        let keys = courses.iter().map(|course| &course.line.key);
        let hue = distinct_index(keys, &&course.line.key);
        let dashes = usize::from(course.direction == Direction::T2i);
        let points = study.steps.iter().zip(&course.means);
        let points = points.filter_map(|(step, mean)| Some([step.number as f64, (*mean)? * 100.0]));
        let (title, prefix) = (course.line.title(), course.line.prefix());
        let name = format!("{title} {prefix} {}", course.direction);
        Curve::line(name, [hue, dashes], points.collect())
    };
    let error = || {
        Error::new("chart over steps", "no metric that is a share")
            .expected("one, such as --metrics r1,map_at_r")
    };
    chart(shares.map(line).collect()).ok_or_else(error).map(Some)
}

/// A chart of lines whose points are a step and a percentage; `None` if no line has a point.
pub fn chart(lines: Vec<Curve>) -> Option<Chart> {
    let points = || lines.iter().flat_map(|line| &line.points);
    Some(Chart {
        title: "Metrics over the steps of a training".into(),
        x: Axis::for_range("step", min_max(points().map(|point| point[0]))?),
        y: Axis::for_range("in percent", min_max(points().map(|point| point[1]))?),
        lines,
        note: String::new(),
    })
}
