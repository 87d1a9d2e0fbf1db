//! The header's two metrics over alpha, one chart each: their values lie too far apart for one.

use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::symbols::Marker;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Axis, Chart as Plot, Dataset, GraphType, Widget};

use super::export::ExportForm;
use super::sheet::Sheet;
use crate::data::Direction;
use crate::data::scores::Scaling;
use crate::data::text::grouped;
use crate::engine::CurveKey;
use crate::evaluate::curve::{Point, STEP, best};
use crate::figure::chart::Chart;
use crate::figure::charts::over_alpha::{self, Mixtures};
use crate::metric::Unit;
use crate::study::Pool;
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::model::demand::Asked;
use crate::tui::model::dials::TAKES_TWO;
use crate::tui::model::exports::one_line;
use crate::tui::popup::{Answer, Hint, Popup};
use crate::tui::theme::{Theme, ThemeStyle};
use crate::tui::ui::Context;
use crate::tui::widgets::{pane, text};

/// Rows above the charts: what they are of, and what is to say of them.
const ABOVE: u16 = 2;
/// Rows of a chart that is worth drawing, with the line above it.
const LEAST: u16 = 6;
/// Columns of the levels beside a chart, with the axis.
const LEVELS: u16 = 7;
/// Alphas that are this near are the same.
const NEAR: f64 = 1e-9;

/// One of the header's metrics over alpha.
struct Number {
    name: String,
    unit: Unit,
    /// Its place among the two.
    at: usize,
}

impl Number {
    fn both(cx: Context<'_>) -> [Number; 2] {
        let (names, units) = (cx.model.header.titles(), cx.model.header.units());
        [0, 1].map(|at| Number {
            name: names[at].clone(),
            unit: units[at],
            at,
        })
    }

    fn of(&self, point: &Point, direction: Direction) -> Option<f64> {
        point.numbers[self.at][direction]?.value
    }

    fn style(&self, theme: &Theme) -> ThemeStyle {
        [theme.line_r1, theme.line_map][self.at]
    }
}

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
    let [down, up] = [Action::AlphaDown, Action::AlphaUp].map(hint);
    let scaling = hint(Action::Scaling);
    let note = format!("{down} {up} alpha, {scaling} scaling, Esc closes");
    let size = (width, height.min(28));
    let title = format!("{} over alpha", cx.model.header.titles().join(", "));
    let inner = pane::popup(&title, &note, size, cx.theme, screen, buf);
    if inner.height <= ABOVE {
        return;
    }
    above(cx, key, inner, buf);
    let Ok(points) = cx.model.curve_points() else {
        return;
    };
    let rest = Rect {
        y: inner.y + ABOVE,
        height: inner.height - ABOVE,
        ..inner
    };
    for (number, area) in Number::both(cx).iter().zip(side_by_side(rest)) {
        panel(cx, number, points, area, buf);
    }
}

/// Room for two charts: above each other where that leaves them high enough, else beside each other.
fn side_by_side(area: Rect) -> [Rect; 2] {
    let (width, height) = (area.width / 2, area.height / 2);
    if height >= LEAST {
        let below = Rect {
            y: area.y + height,
            height: area.height - height,
            ..area
        };
        [Rect { height, ..area }, below]
    } else {
        let beside = Rect {
            x: area.x + width,
            width: area.width - width,
            ..area
        };
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

/// One number: its best and present value in words, and the chart.
fn panel(cx: Context<'_>, number: &Number, points: &[Point], area: Rect, buf: &mut Buffer) {
    let value = |point: &Point| number.of(point, cx.model.view.direction);
    let level = |point: &Point| Some(number.unit.change(value(point)?));
    let values: Vec<(f64, f64)> = points
        .iter()
        .filter_map(|point| Some((point.alpha, level(point)?)))
        .collect();
    let alpha = cx.model.dials.mix.map(|mix| f64::from(mix.percent) / 100.0);
    let at = |alpha: f64| {
        let mut points = points.iter();
        points.find(|point| (point.alpha - alpha).abs() < NEAR)
    };
    let most = best(points, number.unit, value);
    let now = alpha.and_then(at);
    let said = |point: &Point| number.unit.shown(value(point));
    let mut words = vec![format!(" {}", number.name)];
    // Of a part of the alphas, the best is none.
    let most = most.filter(|_| cx.model.wanted_curve().is_none());
    let best = if cx.model.filtered().is_some() {
        "best over all queries"
    } else {
        "best for these queries"
    };
    words.extend(most.map(|point| format!("  • {best} {} at {:.2}", said(point), point.alpha)));
    words.extend(now.map(|point| format!("  ┊ now {}", said(point))));
    words.extend(now.map(|point| format!(" at {:.2}", point.alpha)));
    let looks = [number.style(cx.theme)]
        .into_iter()
        .chain(std::iter::repeat(cx.theme.base));
    let mut line = Line::default();
    // As many of the words as there is room for.
    for (words, style) in words.into_iter().zip(looks) {
        if line.width() + text::width(&words) > usize::from(area.width) {
            break;
        }
        line.push_span(Span::styled(words, style));
    }
    buf.set_line(area.x, area.y, &line, area.width);
    let chart = Rect {
        y: area.y + 1,
        height: area.height.saturating_sub(1),
        ..area
    };
    let best = most.and_then(|point| Some((point.alpha, level(point)?)));
    if chart.height + 1 >= LEAST && values.len() > 1 {
        draw_chart(cx, number, &values, (best, alpha), chart, buf);
    }
}

fn draw_chart(
    cx: Context<'_>,
    number: &Number,
    values: &[(f64, f64)],
    (best, alpha): (Option<(f64, f64)>, Option<f64>),
    area: Rect,
    buf: &mut Buffer,
) {
    let bounds = bounds(values);
    let present = alpha.map_or(Vec::new(), |alpha| upright(alpha, bounds, area.height));
    let best: Vec<(f64, f64)> = best.into_iter().collect();
    let dots = |marker, data, style: ThemeStyle| {
        let set = Dataset::default().marker(marker).data(data);
        set.graph_type(GraphType::Scatter).style(style)
    };
    let sets = vec![
        dots(Marker::Braille, &present, cx.theme.dim),
        dots(Marker::Braille, values, number.style(cx.theme)).graph_type(GraphType::Line),
        dots(Marker::Dot, &best, cx.theme.key),
    ];
    let axis = || Axis::default().style(cx.theme.dim);
    let levels = bounds.map(|bound| format!("{bound:6.2}"));
    Plot::new(sets)
        .style(cx.theme.base)
        .legend_position(None)
        .x_axis(
            axis()
                .bounds([0.0, 1.0])
                .labels(ends(cx, area.width))
                // The first one begins at the axis.
                .labels_alignment(Alignment::Right),
        )
        .y_axis(axis().bounds(bounds).labels(levels))
        .render(area, buf);
}

/// The least and the greatest value; a flat curve lies in the middle.
fn bounds(values: &[(f64, f64)]) -> [f64; 2] {
    let values = values.iter().map(|value| value.1);
    let least = values.clone().fold(f64::INFINITY, f64::min);
    let most = values.fold(f64::NEG_INFINITY, f64::max);
    let margin = if most > least { 0.0 } else { 1.0 };
    [least - margin, most + margin]
}

/// A dotted line from bottom to top, a dot a row.
fn upright(alpha: f64, [least, most]: [f64; 2], rows: u16) -> Vec<(f64, f64)> {
    let step = (most - least) / f64::from(rows);
    let dots = (0..=rows).map(f64::from);
    dots.map(|dot| (alpha, least + dot * step)).collect()
}

/// What stands below the chart: which model is alone at which end.
fn ends(cx: Context<'_>, width: u16) -> [String; 3] {
    let key = cx.model.curve_key();
    let names = key.map(|key| key.models.map(|model| &*cx.model.base.models[model].name));
    let [first, second] = names.unwrap_or_default();
    // Beside the levels each of the three has a third.
    let room = usize::from(width.saturating_sub(LEVELS)) / 3;
    [
        text::fit_middle(&format!("0 {second}"), room),
        "0.5".to_owned(),
        text::fit_middle(&format!("{first} 1"), room),
    ]
}
