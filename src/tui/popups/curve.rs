//! The header's two metrics over alpha, one chart each: their values lie too far apart for one.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;

use super::export::ExportForm;
use super::sheet::Sheet;
use crate::data::text::grouped;
use crate::evaluate::curve::{Point, STEP, best};
use crate::figure::chart::{Axis, Chart, Curve, Shape};
use crate::figure::charts::over_alpha::{self, Mixtures};
use crate::jobs::CurveKey;
use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::popup::{Answer, Hint, Popup};
use crate::tui::state::Model;
use crate::tui::state::export::one_line;
use crate::tui::state::results::Asked;
use crate::tui::state::what_if::TAKES_TWO;
use crate::tui::ui::{chart, pane};

/// Alphas that are this near are the same.
const NEAR: f64 = 1e-9;

/// The charts; their points are kept by the model.
pub struct AlphaCurves;

/// Opens the curves; one model has none, which is then said.
pub(in crate::tui) fn open(model: &mut Model) -> Option<AlphaCurves> {
    if model.curve_key().is_none() {
        model.message = Some(TAKES_TWO.into());
        return None;
    }
    Some(AlphaCurves)
}

impl Popup for AlphaCurves {
    fn opened_by(&self) -> Action {
        Action::Curve
    }

    fn act(&mut self, action: Action, model: &mut Model) -> Answer {
        use Action::{AlphaDown, AlphaUp, DialDown, DialUp, Direction, Export, Left, Mix};
        use Action::{NextTruth, PreviousTruth, Redo, Right, Scaling, Undo};
        match action {
            Export => export(model),
            Right => Answer::Below(AlphaUp),
            Left => Answer::Below(AlphaDown),
            AlphaUp | AlphaDown | Scaling | Mix | Direction | NextTruth | PreviousTruth
            | DialUp | DialDown | Undo | Redo => Answer::Below(action),
            _ => Answer::Pass,
        }
    }

    fn hints(&self, model: &Model) -> Vec<Hint> {
        let has_dial = model.base.dial(model.truth()).is_some();
        let mut hints = vec![
            (Action::AlphaUp, "more"),
            (Action::AlphaDown, "less"),
            (Action::Mix, "mix"),
            (Action::Scaling, "scaling"),
            (Action::Direction, "direction"),
            (Action::NextTruth, "truth"),
            (Action::DialUp, "threshold up"),
            (Action::DialDown, "down"),
            (Action::Undo, "undo"),
            (Action::Close, "close"),
            (Action::Export, "write chart"),
        ];
        let is_of_dial = |action| matches!(action, Action::DialUp | Action::DialDown);
        hints.retain(|(action, _)| has_dial || !is_of_dial(*action));
        hints
    }

    fn asks(&self) -> Asked {
        Asked::Curve
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        let key = cx.model.curve_key()?;
        let (width, height) = Sheet::outer((screen.width, screen.height));
        let title = format!("{} over alpha", cx.model.header.titles().join(", "));
        let size = (width, height.min(28));
        let inner = pane::popup(&title, "Esc closes", size, cx.ui, screen, buf);
        let rows = [Constraint::Length(2), Constraint::Fill(1)];
        let [above, charts] = inner.layout(&Layout::vertical(rows));
        match cx.model.curve_points() {
            Err(error) => {
                let error = Line::styled(one_line(error), cx.theme.error);
                pane::wrapped([(error, 0)], inner, buf);
            }
            Ok(points) => {
                let is_whole = cx.model.wanted_curve().is_none();
                let style = if is_whole { cx.theme.dim } else { cx.theme.warning };
                let words = Line::styled(describe(cx, key, points), style);
                pane::wrapped([(words, 0)], above, buf);
                let metrics = [0, 1].into_iter();
                let shown = metrics.filter_map(|at| metric_chart(cx, key, at, points));
                chart::draw(&shown.collect::<Vec<Chart>>(), cx.theme, charts, buf);
            }
        }
        None
    }
}

/// Has both metrics in the direction looked at written as one chart, once they are computed.
fn export(model: &mut Model) -> Answer {
    let chart = chart_to_write(model).map_err(|why| model.message = Some(why)).ok();
    let form = chart.and_then(|chart| ExportForm::of_chart(model, over_alpha::CHART.key, chart));
    form.map_or(Answer::Stay, |form| Answer::Open(Box::new(form)))
}

/// The chart for a file, or why there is none.
fn chart_to_write(model: &Model) -> Result<Chart, String> {
    let points = model.curve_points().map_err(one_line)?;
    let key = model.curve_key().filter(|_| model.wanted_curve().is_none() && !points.is_empty());
    let key = key.ok_or("the curve is not there yet")?;
    let truth = model.study.name_with_rule(model.truth());
    let context: Vec<String> = [truth].into_iter().chain(model.study.pool_words()).collect();
    let mixtures = Mixtures {
        names: key.models.map(|at| &*model.base.models[at].name),
        scaling: key.scaling,
        specs: key.specs,
        directions: &[model.view.direction],
        points,
        context: &context.join(", "),
    };
    mixtures.chart().map_err(|error| one_line(&error))
}

/// What the curve is of, how far it is computed, and what its best value is worth.
fn describe(cx: Context<'_>, key: CurveKey, points: &[Point]) -> String {
    let (model, direction) = (cx.model, cx.model.view.direction);
    let truth = model.truth();
    let name = model.study.name_with_rule(truth);
    let judged = grouped(truth.judges(direction).unwrap_or(0));
    let of = format!("{} scores; {name} {direction}, {judged} judged", key.scaling.key());
    let filter = model.untaken_filter().map(|told| format!("over all queries: {told}"));
    let verdicts = model.is_judged().then(|| "without your verdicts".to_owned());
    let state = if model.wanted_curve().is_none() {
        "best: tuned on these queries; `mix` gives a held-out estimate".to_owned()
    } else if model.files.is_overwritten() {
        model.files.waiting().to_owned()
    } else {
        let done = points.last().map_or(0.0, |last| last.alpha + STEP) / (1.0 + STEP);
        format!("counting {:.0} %", 100.0 * done)
    };
    let parts = [Some(of), filter, verdicts, Some(state)];
    parts.into_iter().flatten().collect::<Vec<String>>().join("; ")
}

/// One of the header's metrics over alpha, with its best and its present value; `None` before it has any.
fn metric_chart(cx: Context<'_>, key: CurveKey, at: usize, points: &[Point]) -> Option<Chart> {
    let unit = cx.model.header.units()[at];
    let value = |point: &Point| point.numbers[at][cx.model.view.direction]?.value;
    let place = |point: &Point| Some([point.alpha, unit.change(value(point)?)]);
    let values: Vec<[f64; 2]> = points.iter().filter_map(place).collect();
    let heights = || values.iter().map(|value| value[1]);
    let ends = [heights().reduce(f64::min)?, heights().reduce(f64::max)?];
    // Of a part of the alphas, the best is none.
    let best = best(points, unit, value).filter(|_| cx.model.wanted_curve().is_none());
    let alpha = cx.model.dials.mix.map(|mix| f64::from(mix.percent) / 100.0);
    let now = points.iter().find(|point| alpha.is_some_and(|at| (point.alpha - at).abs() < NEAR));
    let mut title = cx.model.header.titles()[at].clone();
    for (words, point) in [("• best", best), ("now", now)] {
        if let Some(point) = point {
            let shown = unit.shown(value(point));
            title = format!("{title}  {words} {shown} at {:.2}", point.alpha);
        }
    }
    let up = Axis::over(title, ends);
    let upright = alpha.map(|alpha| up.ends.map(|end| [alpha, end]).to_vec());
    let upright = upright.map(|points| Curve::background(Shape::Line, "", points));
    let line = Curve::line("", [at, 0], values);
    let best = best.and_then(place).map(|best| Curve::new(Shape::Dots, "", [at, 0], vec![best]));
    let [first, second] = key.models.map(|model| &*cx.model.base.models[model].name);
    let across = format!("alpha: 0 is {second} alone, 1 is {first} alone");
    Some(Chart {
        title: String::new(),
        across: Axis::new(across, [0.0, 1.0], 0.1),
        up,
        lines: upright.into_iter().chain([line]).chain(best).collect(),
        note: String::new(),
    })
}
