//! One of the header's metrics over alpha: in words, and as a chart.

use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::symbols::Marker;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Axis, Chart, Dataset, GraphType, Widget};

use crate::data::Direction;
use crate::evaluate::curve::{Point, best};
use crate::metric::Unit;
use crate::tui::theme::{Theme, ThemeStyle};
use crate::tui::ui::Context;
use crate::tui::widgets::text;

/// Rows of a chart that is worth drawing, with the line above it.
pub(super) const LEAST: u16 = 6;
/// Columns of the levels beside a chart, with the axis.
const LEVELS: u16 = 7;
/// Alphas that are this near are the same.
const NEAR: f64 = 1e-9;

/// One of the header's metrics over alpha.
pub(super) struct Number {
    name: String,
    unit: Unit,
    /// Its place among the two.
    at: usize,
}

impl Number {
    pub(super) fn both(cx: Context<'_>) -> [Number; 2] {
        let (names, units) = (cx.model.header.titles(), cx.model.header.units());
        [0, 1].map(|at| Number { name: names[at].clone(), unit: units[at], at })
    }

    fn of(&self, point: &Point, direction: Direction) -> Option<f64> {
        point.numbers[self.at][direction]?.value
    }

    fn style(&self, theme: &Theme) -> ThemeStyle {
        [theme.line_r1, theme.line_map][self.at]
    }
}

/// One number: its best and present value in words, and the chart.
pub(super) fn panel(
    cx: Context<'_>,
    number: &Number,
    points: &[Point],
    area: Rect,
    buf: &mut Buffer,
) {
    let value = |point: &Point| number.of(point, cx.model.view.direction);
    let level = |point: &Point| Some(number.unit.change(value(point)?));
    let values: Vec<(f64, f64)> =
        points.iter().filter_map(|point| Some((point.alpha, level(point)?))).collect();
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
    let looks = [number.style(cx.theme)].into_iter().chain(std::iter::repeat(cx.theme.base));
    let mut line = Line::default();
    // As many of the words as there is room for.
    for (words, style) in words.into_iter().zip(looks) {
        if line.width() + text::width(&words) > usize::from(area.width) {
            break;
        }
        line.push_span(Span::styled(words, style));
    }
    buf.set_line(area.x, area.y, &line, area.width);
    let chart = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
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
    Chart::new(sets)
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
