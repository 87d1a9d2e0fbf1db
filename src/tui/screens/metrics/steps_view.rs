//! Both metrics of the header over the steps of a training: on one axis where their unit is the same, so that heights
//! compare; else each on its own.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::symbols::Marker;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;
use ratatui::widgets::canvas::{Canvas, Context, Line as Stroke};

use super::Cx;
use super::chart::LEVELS;
use super::chart_view::{MARGIN, colour, colour_behind, dots};
use crate::data::text::grouped;
use crate::figure::chart::{Chart, Curve};
use crate::figure::charts;
use crate::metric::Unit;
use crate::study::Step;
use crate::tui::model::metrics_table::is_better;
use crate::tui::model::metrics_table::{Column, Measure, Row};
use crate::tui::theme::ThemeStyle;
use crate::tui::widgets::text;

/// A metric over the steps.
pub(super) struct Course {
    pub title: String,
    pub unit: Unit,
    /// By place of the step, where it is known.
    pub values: Vec<Option<f64>>,
}

impl Course {
    /// The first of the best steps.
    pub fn best(&self) -> Option<(usize, f64)> {
        let known = self.values.iter().enumerate();
        let known = known.filter_map(|(at, value)| Some((at, (*value)?)));
        known.reduce(|best, one| if is_better(self.unit, one.1, best.1) { one } else { best })
    }
}

/// The least and the greatest value of courses of one unit, with a margin as far as there are such values.
fn bounds(courses: &[Course]) -> [f64; 2] {
    let values = || courses.iter().flat_map(|of| &of.values).flatten().copied();
    let low = values().fold(f64::INFINITY, f64::min);
    let high = values().fold(f64::NEG_INFINITY, f64::max);
    let margin = (high - low) * MARGIN;
    match margin {
        margin if margin > 0.0 => {
            let most = match courses[0].unit {
                Unit::Share => 1.0,
                _ => f64::INFINITY,
            };
            [(low - margin).max(0.0), (high + margin).min(most)]
        }
        _ if low.is_finite() => [low - 0.01, low + 0.01],
        _ => [0.0, 1.0],
    }
}

/// The ends of the axis of each metric.
fn axes(courses: &[Course; 2], is_one: bool) -> [[f64; 2]; 2] {
    if is_one {
        return [bounds(courses); 2];
    }
    courses.each_ref().map(|of| bounds(std::slice::from_ref(of)))
}

impl Cx<'_> {
    /// Whether both metrics have one axis: their unit is the same.
    pub(super) fn has_one_axis(self) -> bool {
        let [first, second] = self.field_specs().map(|spec| spec.metric.unit());
        first == second
    }

    /// Both metrics of the header under the truth and in the direction looked at.
    pub(super) fn courses(self) -> [Course; 2] {
        let view = self.model.view;
        self.field_specs().map(|spec| {
            let row = Row {
                truth: view.truth,
                is_mine: self.model.is_judged(),
                measure: Measure::Of(spec),
            };
            let value = |step: &Step| {
                let column = Column { model: step.model, direction: view.direction };
                self.model.cell(row, column).value()
            };
            Course {
                title: spec.title(),
                unit: spec.metric.unit(),
                values: self.model.study.steps.iter().map(value).collect(),
            }
        })
    }

    /// A number of a step as it is written.
    fn step_number(self, place: usize) -> String {
        grouped(self.model.study.steps[place].number as usize)
    }

    /// What each metric's best step is, and what choosing by it costs under the other one.
    pub(super) fn course_lines(self) -> Vec<Line<'static>> {
        let courses = self.courses();
        let line = |chosen: &Course, other: &Course| {
            let (at, value) = chosen.best()?;
            let words = format!(
                " {} best {} at step {}",
                chosen.title,
                chosen.unit.shown(Some(value)),
                self.step_number(at)
            );
            let both = other.values[at].zip(other.best());
            let beside = both.map_or(String::new(), |(there, (_, best))| {
                let cost = other.unit.shown(Some((best - there).abs()));
                let there = other.unit.shown(Some(there));
                format!("; there {} {there}, {cost} from its best", other.title)
            });
            Some(Line::raw(words + &beside))
        };
        let [first, second] = &courses;
        let both = [line(first, second), line(second, first)];
        let mut lines: Vec<Line<'static>> = both.into_iter().flatten().collect();
        let words = " chosen on these same queries; `itm-explore series` tests the difference";
        lines.push(Line::styled(words, self.theme.dim));
        lines
    }

    /// Both metrics as a chart for a file; `None` while nothing is counted, and where neither is a share.
    pub(super) fn course_chart(self) -> Option<Chart> {
        let view = self.model.view;
        let truth = self.model.name_in_force(view.truth);
        let courses = self.courses().into_iter().enumerate();
        let shares = courses.filter(|(_, course)| course.unit == Unit::Share);
        let line = |(hue, course): (usize, Course)| {
            let steps = self.model.study.steps.iter().zip(&course.values);
            let point = |(step, value): (&Step, &Option<f64>)| {
                Some([step.number as f64, (*value)? * 100.0])
            };
            let name = format!("{} {truth} {}", course.title, view.direction);
            Curve::line(name, [hue, 0], steps.filter_map(point).collect())
        };
        charts::steps::chart(shares.map(line).collect())
    }

    /// The styles of both metrics.
    fn course_styles(self) -> [ThemeStyle; 2] {
        [self.theme.line_r1, self.theme.line_map]
    }
}

/// Draws both in `plot`, whose first axis is left of it; a second one takes as many columns of it.
pub(super) fn draw(cx: Cx<'_>, plot: Rect, buf: &mut Buffer) {
    let (courses, is_one) = (cx.courses(), cx.has_one_axis());
    let axes = axes(&courses, is_one);
    let plot = Rect {
        width: plot.width.saturating_sub(if is_one { 0 } else { LEVELS }),
        y: plot.y + 1,
        height: plot.height.saturating_sub(1),
        ..plot
    };
    let steps = &cx.model.study.steps;
    let across = |at: usize| steps[at].number as f64;
    let ends = [0, steps.len() - 1].map(across);
    let present = cx.model.study.step_of(cx.model.view.model);
    let upright: Vec<(f64, f64)> = present.map_or_else(Vec::new, |at| {
        let rows = (0..=plot.height).map(|row| f64::from(row) / f64::from(plot.height.max(1)));
        rows.map(|up| (across(at), up)).collect()
    });
    let paint = |context: &mut Context<'_>| {
        dots(context, &upright, cx.theme.dim);
        for ((course, axis), style) in courses.iter().zip(axes).zip(cx.course_styles()) {
            strokes(context, &points(course, axis, across), style);
        }
    };
    Canvas::default()
        .marker(Marker::Braille)
        .background_color(colour_behind(cx))
        .x_bounds(ends)
        .y_bounds([0.0, 1.0])
        .paint(paint)
        .render(plot, buf);
    let numbers = [0, steps.len() - 1].map(|at| cx.step_number(at));
    levels(cx, &courses, axes, plot, buf);
    labels(cx, &courses, &numbers, plot, buf);
}

/// Steps and values, the latter as shares of their axis.
fn points(
    course: &Course,
    [low, high]: [f64; 2],
    across: impl Fn(usize) -> f64,
) -> Vec<(f64, f64)> {
    let known = course.values.iter().enumerate();
    let point = |(at, value): (usize, &Option<f64>)| {
        let value = (*value)?;
        Some((across(at), (value - low) / (high - low)))
    };
    known.filter_map(point).collect()
}

/// Lines from point to point.
pub(super) fn strokes(context: &mut Context<'_>, points: &[(f64, f64)], style: ThemeStyle) {
    for two in points.windows(2) {
        let [(x1, y1), (x2, y2)] = [two[0], two[1]];
        let color = colour(style);
        context.draw(&Stroke { x1, y1, x2, y2, color });
    }
    context.layer();
}

/// The ends of the axis beside the plot; of two axes each in the colour of its metric.
fn levels(cx: Cx<'_>, courses: &[Course; 2], axes: [[f64; 2]; 2], plot: Rect, buf: &mut Buffer) {
    let width = usize::from(LEVELS) - 1;
    let (styles, count) =
        if cx.has_one_axis() { ([cx.theme.dim; 2], 1) } else { (cx.course_styles(), 2) };
    let xs = [plot.x - LEVELS, plot.right() + 1];
    for (at, x) in xs.into_iter().enumerate().take(count) {
        let ends = axes[at].map(|end| courses[at].unit.shown(Some(end)));
        for (words, y) in ends.iter().zip([plot.bottom() - 1, plot.y]) {
            buf.set_string(x, y, text::pad_left(words, width), styles[at]);
        }
    }
}

/// The best of each metric above the plot; the ends of the steps below.
fn labels(cx: Cx<'_>, courses: &[Course; 2], steps: &[String; 2], plot: Rect, buf: &mut Buffer) {
    let words = |course: &Course| match course.best() {
        Some((at, value)) => {
            let (value, step) = (course.unit.shown(Some(value)), cx.step_number(at));
            format!(" {} best {value} at {step} ", course.title)
        }
        None => format!(" {} {} ", course.title, cx.model.files.waiting()),
    };
    let spans = courses.iter().zip(cx.course_styles());
    let spans = spans.map(|(course, style)| Span::styled(words(course), style));
    let line = Line::from(spans.collect::<Vec<_>>());
    buf.set_line(plot.x - LEVELS, plot.y - 1, &line, plot.width + 2 * LEVELS);
    let [first, last] = steps;
    buf.set_string(plot.x, plot.bottom(), first, cx.theme.dim);
    let end = plot.right().saturating_sub(text::width(last) as u16);
    buf.set_string(end, plot.bottom(), last, cx.theme.dim);
}
