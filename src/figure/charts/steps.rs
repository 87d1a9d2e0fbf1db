//! Metrics over the steps of a training.

use super::{ANY, ChartRequest, StudyChart, Takes};
use crate::analysis::series::{self, Course};
use crate::data::Direction;
use crate::error::{Error, Result};
use crate::evaluate::plan::{self, Choice};
use crate::figure::chart::{Axis, Chart, Curve, ends, place};
use crate::metric::{Unit, spelling};
use crate::rank::pass::CancelToken;
use crate::study::Study;

/// The usual metrics.
pub const USUAL: [&str; 2] = ["r1", "map_at_r"];

/// A line for each metric and direction.
pub const CHART: StudyChart = StudyChart {
    key: "over-steps",
    title: "metrics over the steps of a training",
    takes: Takes { truths: ANY, metrics: ANY, directions: 2, ..Takes::NONE },
    check,
    make,
};

fn check(study: &Study) -> Result<()> {
    study.require_models_and_truths()?;
    if study.steps.len() > 1 {
        return Ok(());
    }
    let count = study.models.len();
    let noun = if count == 1 { "model, which is" } else { "models, which are" };
    Err(Error::new("models", format!("{count} {noun} no series of steps"))
        .expected("one model at several steps of its training, such as run/step-*.npy")
        .mend("--series"))
}

fn make(request: &ChartRequest<'_>, token: &CancelToken) -> Result<Option<Chart>> {
    let study = request.study();
    let names = request.truths.iter().map(|at| study.truths[*at].name.clone());
    let metrics = match request.metrics.as_slice() {
        [] => USUAL.map(str::to_owned).to_vec(),
        names => {
            let key = |name: &String| spelling::key(name).unwrap_or_else(|| name.clone());
            names.iter().map(key).collect()
        }
    };
    let lines = plan::Request {
        metrics: Choice::Named(metrics),
        truths: names.collect(),
        ..plan::Request::default()
    };
    let Some(courses) = series::courses(study, lines, &request.directions, token)? else {
        return Ok(None);
    };
    // A hue for each metric, dashes for each direction.
    let shares = courses.iter().filter(|course| course.line.unit() == Unit::Share);
    let line = |course: &Course| {
        let hue = place(courses.iter().map(|of| &of.line.key), &&course.line.key);
        let dashes = usize::from(course.direction == Direction::T2i);
        let (title, of) = (course.line.title(), course.line.prefix());
        let both = study.steps.iter().zip(&course.means);
        let points = both.filter_map(|(step, mean)| Some([step.number as f64, (*mean)? * 100.0]));
        let name = format!("{title} {of} {}", course.direction);
        Curve::line(name, [hue, dashes], points.collect())
    };
    let chart = chart(shares.map(line).collect());
    let chart = chart.ok_or_else(|| {
        Error::new("chart over steps", "no metric that is a share")
            .expected("one, such as --metrics r1,map_at_r")
    });
    chart.map(Some)
}

/// Lines over the steps, in percent; `None` without any point.
pub fn chart(lines: Vec<Curve>) -> Option<Chart> {
    let points = || lines.iter().flat_map(|line| &line.points);
    Some(Chart {
        title: "Metrics over the steps of a training".into(),
        across: Axis::over("step", ends(points().map(|point| point[0]))?),
        up: Axis::over("in percent", ends(points().map(|point| point[1]))?),
        lines,
        note: String::new(),
    })
}
