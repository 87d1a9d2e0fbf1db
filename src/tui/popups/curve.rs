//! The header's two metrics over alpha, one chart each: their values lie too far apart for one.

mod panel;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use panel::{LEAST, Number, panel};

use super::export::ExportForm;
use super::sheet::Sheet;
use crate::data::scores::Scaling;
use crate::data::text::grouped;
use crate::evaluate::curve::STEP;
use crate::figure::chart::Chart;
use crate::figure::charts::over_alpha::{self, Mixtures};
use crate::jobs::CurveKey;
use crate::study::Pool;
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::model::dirty::Asked;
use crate::tui::model::export::one_line;
use crate::tui::model::what_if::TAKES_TWO;
use crate::tui::popup::{Answer, Hint, Popup};
use crate::tui::ui::Context;
use crate::tui::widgets::{pane, text};

/// Rows above the charts: what they are of, and what is to say of them.
const ABOVE: u16 = 2;

/// The chart; its points are kept by the model.
pub struct Curve;

/// Opens the curve; one model has none, which is then said.
pub(in crate::tui) fn open(model: &mut Model) -> Option<Curve> {
    let has_one = model.curve_key().is_some();
    if !has_one {
        model.message = Some(TAKES_TWO.into());
    }
    has_one.then_some(Curve)
}

impl Popup for Curve {
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
    match chart(model) {
        Ok(chart) => match ExportForm::of_chart(model, over_alpha::CHART.key, chart) {
            Some(form) => return Answer::Open(Box::new(form)),
            None => return Answer::Stay,
        },
        Err(told) => model.message = Some(told),
    }
    Answer::Stay
}

/// The chart for a file, or why there is none.
fn chart(model: &Model) -> Result<Chart, String> {
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
    let Some(key) = cx.model.curve_key() else {
        return;
    };
    let (width, height) = Sheet::outer((screen.width, screen.height));
    let hint = |action| cx.ui.keymap.hint(action);
    let [down, up, scaling] = [Action::AlphaDown, Action::AlphaUp, Action::Scaling].map(hint);
    let alpha = cx.model.dials.mix.map(|_| format!("{down} {up} alpha"));
    let mix = alpha.unwrap_or_else(|| format!("{} mix", hint(Action::Mix)));
    let note = format!("{mix}, {scaling} scaling, Esc closes");
    let title = format!("{} over alpha", cx.model.header.titles().join(", "));
    let inner = pane::popup(&title, &note, (width, height.min(28)), cx.ui, screen, buf);
    if inner.height <= ABOVE {
        return;
    }
    above(cx, key, inner, buf);
    let Ok(points) = cx.model.curve_points() else {
        return;
    };
    let rest = Rect { y: inner.y + ABOVE, height: inner.height - ABOVE, ..inner };
    for (number, area) in Number::both(cx).iter().zip(side_by_side(rest)) {
        panel(cx, number, points, area, buf);
    }
}

/// Room for two charts: above each other where that leaves them high enough, else beside each other.
fn side_by_side(area: Rect) -> [Rect; 2] {
    let (width, height) = (area.width / 2, area.height / 2);
    if height >= LEAST {
        let below = Rect { y: area.y + height, height: area.height - height, ..area };
        [Rect { height, ..area }, below]
    } else {
        let beside = Rect { x: area.x + width, width: area.width - width, ..area };
        let width = width.saturating_sub(1);
        [Rect { width, ..area }, beside]
    }
}

/// What is mixed and by what it is judged; then how far the curve is, or why there is none.
fn above(cx: Context<'_>, key: CurveKey, inner: Rect, buf: &mut Buffer) {
    let [first, second] = key.models.map(|model| &cx.model.base.models[model].name);
    let [scaled, short] = match key.scaling {
        Scaling::Raw => [", raw scores", ""].map(String::from),
        scaled => ["scaled by ", ""].map(|by| format!(", {by}{}", scaled.key())),
    };
    let truth = cx.model.truth();
    let judged = grouped(truth.judges(cx.model.view.direction).unwrap_or(0));
    let mixed = format!(" alpha * {first} + (1 - alpha) * {second}");
    let of = format!(
        "{} {}, {judged} judged",
        cx.model.study.name_with_rule(truth),
        cx.model.view.direction
    );
    let ways = [
        format!("{mixed}{scaled}; {of}"),
        format!("{mixed}{short}; {of}"),
        format!("{mixed}{short}"),
    ];
    let room = usize::from(inner.width);
    let what = text::first_fitting(ways, room);
    buf.set_stringn(inner.x, inner.y, what, room, cx.theme.dim);
    let (words, style) = match cx.model.curve_points() {
        Err(error) => (error.to_string().replace("\n ", ";"), cx.theme.error),
        Ok(points) if cx.model.wanted_curve().is_some() => {
            // Of the alphas that lie so far apart, both ends among them.
            let done = points.last().map_or(0.0, |last| last.alpha + STEP) / (1.0 + STEP);
            let of = match (cx.model.untaken_filter(), cx.model.is_judged()) {
                (Some(told), _) => format!("; over all queries: {told}"),
                (None, true) => ", without your verdicts".into(),
                (None, false) => String::new(),
            };
            let words = if cx.model.files.is_overwritten() {
                cx.model.files.waiting().to_owned()
            } else {
                format!("counting {:.0} %{of}", 100.0 * done)
            };
            (words, cx.theme.warning)
        }
        Ok(_) => (scope(cx, room.saturating_sub(2)), cx.theme.dim),
    };
    let lines = text::wrap(&words, room.saturating_sub(2)).into_iter();
    for (line, y) in lines.zip(inner.y + 1..inner.bottom()) {
        buf.set_stringn(inner.x, y, format!(" {line}"), room, style);
    }
}

/// Which queries and verdicts the curve is of, and what its best value is worth; on one line.
fn scope(cx: Context<'_>, room: usize) -> String {
    let best = "best: chosen on these same queries";
    let verdicts = cx.model.is_judged().then_some("without your verdicts");
    let Some(filter) = cx.model.untaken_filter() else {
        let last = verdicts.unwrap_or("`mix` tells its worth on others");
        return format!("{best}; {last}");
    };
    let after = verdicts.map_or(String::new(), |told| format!("; {told}"));
    let whole = format!("over all queries: {filter}{after}");
    let few = format!("over all queries{after}; {best}");
    text::first_fitting([format!("{whole}; {best}"), whole, few], room)
}
