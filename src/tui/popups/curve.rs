//! The header's two metrics over alpha, one chart each: their values lie too far apart for one.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::export::ExportForm;
use super::sheet::Sheet;
use crate::data::text::grouped;
use crate::evaluate::curve::{Point, STEP, best};
use crate::figure::chart::{Axis, Chart, Curve, Shape};
use crate::figure::charts::over_alpha::{self, Mixtures};
use crate::jobs::CurveKey;
use crate::study::Pool;
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::model::export::one_line;
use crate::tui::model::results::Asked;
use crate::tui::model::what_if::TAKES_TWO;
use crate::tui::popup::{Answer, Hint, Popup};
use crate::tui::ui::Context;
use crate::tui::widgets::{chart, pane, text};

/// Alphas that are this near are the same.
const NEAR: f64 = 1e-9;

/// The charts; their points are kept by the model.
pub struct AlphaCurves;

/// Opens the curves; one model has none, which is then said.
pub(in crate::tui) fn open(model: &mut Model) -> Option<AlphaCurves> {
    let has_one = model.curve_key().is_some();
    if !has_one {
        model.message = Some(TAKES_TWO.into());
    }
    has_one.then_some(AlphaCurves)
}

impl Popup for AlphaCurves {
    fn opened_by(&self) -> Action {
        Action::Curve
    }

    fn act(&mut self, action: Action, model: &mut Model) -> Answer {
        match action {
            Action::Export => export(model),
            Action::Right => Answer::Below(Action::AlphaUp),
            Action::Left => Answer::Below(Action::AlphaDown),
            Action::AlphaUp
            | Action::AlphaDown
            | Action::Scaling
            | Action::Mix
            | Action::Direction
            | Action::NextTruth
            | Action::PreviousTruth
            | Action::DialUp
            | Action::DialDown
            | Action::Undo
            | Action::Redo => Answer::Below(action),
            _ => Answer::Pass,
        }
    }

    fn hints(&self, model: &Model) -> Vec<Hint> {
        let mut hints = vec![
            (Action::AlphaUp, "more"),
            (Action::AlphaDown, "less"),
            (Action::Scaling, "scaling"),
            (Action::Mix, "mix"),
            (Action::Direction, "direction"),
            (Action::NextTruth, "truth"),
        ];
        // There is no alpha to turn before a mixture is looked at.
        if model.dials.mix.is_none() {
            hints.rotate_left(3);
        }
        if model.base.dial(model.truth()).is_some() {
            hints.extend([(Action::DialUp, "threshold up"), (Action::DialDown, "down")]);
        }
        hints.extend([
            (Action::Undo, "undo"),
            (Action::Close, "close"),
            (Action::Export, "write chart"),
        ]);
        hints
    }

    fn asks(&self) -> Asked {
        Asked::Curve
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        draw(cx, screen, buf);
        None
    }
}

/// Has both metrics in the direction looked at written as one chart, once they are computed.
fn export(model: &mut Model) -> Answer {
    match chart_to_write(model) {
        Ok(chart) => match ExportForm::of_chart(model, over_alpha::CHART.key, chart) {
            Some(form) => return Answer::Open(Box::new(form)),
            None => return Answer::Stay,
        },
        Err(told) => model.message = Some(told),
    }
    Answer::Stay
}

/// The chart for a file, or why there is none.
fn chart_to_write(model: &Model) -> Result<Chart, String> {
    let counting = || "the curve is not there yet: there is nothing to write".to_owned();
    let key = model.curve_key().ok_or_else(counting)?;
    let points = model.curve_points().map_err(one_line)?;
    if points.is_empty() || model.wanted_curve().is_some() {
        return Err(counting());
    }
    let (study, pool) = (&model.study, model.study.pool);
    let truth = study.name_with_rule(model.truth());
    let context = match pool {
        Pool::All => truth,
        pool => format!("{truth}, pool {}", study.pool_name(pool)),
    };
    let mixtures = Mixtures {
        names: key.models.map(|at| &*model.base.models[at].name),
        scaling: key.scaling,
        specs: key.specs,
        directions: &[model.view.direction],
        points,
        context: &context,
    };
    mixtures.chart().map_err(|error| one_line(&error))
}

fn draw(cx: Context<'_>, screen: Rect, buf: &mut Buffer) {
    let Some(CurveKey { models, scaling, .. }) = cx.model.curve_key() else {
        return;
    };
    let (width, height) = Sheet::outer((screen.width, screen.height));
    let title = format!("{} over alpha", cx.model.header.titles().join(", "));
    let size = (width, height.min(28));
    let inner = pane::popup(&title, "Esc closes", size, cx.ui, screen, buf);
    let rows = [Constraint::Length(1), Constraint::Length(1), Constraint::Fill(1)];
    let [mixed, status, charts] = inner.layout(&Layout::vertical(rows));
    let names = models.map(|model| &*cx.model.base.models[model].name);
    let [first, second] = names;
    let truth = cx.model.truth();
    let words = format!(
        " alpha * {first} + (1 - alpha) * {second}, {} scores; {} {}, {} judged",
        scaling.key(),
        cx.model.study.name_with_rule(truth),
        cx.model.view.direction,
        grouped(truth.judges(cx.model.view.direction).unwrap_or(0))
    );
    let room = usize::from(inner.width);
    Span::styled(text::fit(&words, room), cx.theme.dim).render(mixed, buf);
    match cx.model.curve_points() {
        Err(error) => {
            let lines = text::wrap(&one_line(error), room.saturating_sub(2)).into_iter();
            let lines = lines.map(|line| Line::styled(format!(" {line}"), cx.theme.error));
            let below = Rect { height: inner.height.saturating_sub(1), ..status };
            pane::lines(&lines.collect::<Vec<Line<'_>>>(), 0, below, buf);
        }
        Ok(points) => {
            let is_whole = cx.model.wanted_curve().is_none();
            let style = if is_whole { cx.theme.dim } else { cx.theme.warning };
            let words = text::fit(&format!(" {}", describe_state(cx, points)), room);
            Span::styled(words, style).render(status, buf);
            let shown: Vec<Chart> =
                [0, 1].into_iter().filter_map(|at| metric_chart(cx, names, at, points)).collect();
            chart::draw(&shown, cx.theme, charts, buf);
        }
    }
}

/// How far the curve is computed, which queries and verdicts it is of, and what its best value is worth.
fn describe_state(cx: Context<'_>, points: &[Point]) -> String {
    let filter = cx.model.untaken_filter().map(|told| format!("over all queries: {told}"));
    let verdicts = cx.model.is_judged().then(|| "without your verdicts".to_owned());
    let first = if cx.model.wanted_curve().is_none() {
        "best: tuned on these queries; `mix` gives a held-out estimate".to_owned()
    } else if cx.model.files.is_overwritten() {
        cx.model.files.waiting().to_owned()
    } else {
        let done = points.last().map_or(0.0, |last| last.alpha + STEP) / (1.0 + STEP);
        format!("counting {:.0} %", 100.0 * done)
    };
    filter.into_iter().chain(verdicts).chain([first]).collect::<Vec<String>>().join("; ")
}

/// One of the header's metrics over alpha, with its best and its present value; `None` before it has any.
fn metric_chart(
    cx: Context<'_>,
    [first, second]: [&str; 2],
    at: usize,
    points: &[Point],
) -> Option<Chart> {
    let (name, unit) = (&cx.model.header.titles()[at], cx.model.header.units()[at]);
    let value = |point: &Point| point.numbers[at][cx.model.view.direction]?.value;
    let place = |point: &Point| Some([point.alpha, unit.change(value(point)?)]);
    let values: Vec<[f64; 2]> = points.iter().filter_map(place).collect();
    let heights = || values.iter().map(|value| value[1]);
    let ends = [heights().reduce(f64::min)?, heights().reduce(f64::max)?];
    // Of a part of the alphas, the best is none.
    let best = best(points, unit, value).filter(|_| cx.model.wanted_curve().is_none());
    let alpha = cx.model.dials.mix.map(|mix| f64::from(mix.percent) / 100.0);
    let now = points.iter().find(|point| alpha.is_some_and(|at| (point.alpha - at).abs() < NEAR));
    let said = |words: &str, point: &Point| {
        format!("  {words} {} at {:.2}", unit.shown(value(point)), point.alpha)
    };
    let title = [
        name.clone(),
        best.map_or(String::new(), |point| said("• best", point)),
        now.map_or(String::new(), |point| said("now", point)),
    ];
    let up = Axis::over(title.concat(), ends);
    let upright = alpha.map(|alpha| up.ends.map(|end| [alpha, end]).to_vec());
    let upright = upright.map(|points| Curve::background(Shape::Line, "", points));
    let line = Curve::line("", [at, 0], values);
    let best = best.and_then(place).map(|best| Curve::new(Shape::Dots, "", [at, 0], vec![best]));
    Some(Chart {
        title: String::new(),
        across: Axis::new(
            format!("alpha: 0 is {second} alone, 1 is {first} alone"),
            [0.0, 1.0],
            0.1,
        ),
        up,
        lines: upright.into_iter().chain([line]).chain(best).collect(),
        note: String::new(),
    })
}
