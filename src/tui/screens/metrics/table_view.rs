//! Draws the table of metrics.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::grid::{self, FRAME, Grid, NAMES, VALUE};
use super::{Beside, Cx, Pane};
use crate::data::Direction;
use crate::data::index::TruthIx;
use crate::data::text::grouped;
use crate::metric::Unit;
use crate::study::View;
use crate::tui::action::Action;
use crate::tui::model::metrics_table::{Cell, Column, Measure, Row};
use crate::tui::screens::filtered_view;
use crate::tui::signs::{self, ordinal};
use crate::tui::widgets::pane::{self, Scroll};
use crate::tui::widgets::text;

/// What stands between a ground truth and its queries.
const GAP: &str = "  ";
/// The sign of the best value of a row and direction.
const BEST: &str = "*";

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let focus = cx.state.pane == Pane::Table;
    let inner = pane::frame(title(cx), &note(cx), focus, cx.theme, area, buf);
    filtered_view::draw(cx, filtered_view::Of::All, area, buf);
    let grid = Grid::of(cx, area);
    names(cx, &grid, inner, buf);
    let list = Rect { y: inner.y + NAMES, height: inner.height.saturating_sub(NAMES), ..inner };
    let offset = cx.state.offset;
    let selected = cx.row();
    for (line, y) in grid.lines.iter().skip(offset).zip(list.top()..list.bottom()) {
        match *line {
            grid::Line::Truth(truth, is_mine) => {
                let heading = heading(cx, truth, is_mine, list.width);
                buf.set_line(list.x, y, &heading, list.width);
            }
            grid::Line::Row(_, row) => {
                let drawn = cells(cx, &grid, row);
                buf.set_line(list.x, y, &drawn, list.width);
                if Some(row) == selected {
                    mark(cx, &grid, Rect::new(list.x, y, list.width, 1), buf);
                }
            }
        }
    }
    let scroll = Scroll { offset, shown: grid::shown(area), total: grid.lines.len() };
    pane::scrollbar(scroll, focus, cx.theme, list, buf);
}

fn title(cx: Cx<'_>) -> &'static str {
    match cx.state.beside {
        Beside::Nothing => "metrics",
        Beside::Ceiling => "metrics / upper bound",
        Beside::Place => "metrics, place of 26",
    }
}

/// What is to say of all numbers.
fn note(cx: Cx<'_>) -> String {
    let order = cx.state.order.and_then(|order| {
        let key = cx.model.metrics_key(order.row)?;
        Some(format!("best {key} {} first", order.direction))
    });
    let mut rows = cx.model.metrics_rows().into_iter();
    let mine = rows.any(|row| row.is_mine);
    let mine = mine.then(|| "+mine: with your verdicts".into());
    let notes: Vec<String> = [order, mine].into_iter().flatten().collect();
    notes.join(", ")
}

/// The models, and below them who asks whom.
fn names(cx: Cx<'_>, grid: &Grid, inner: Rect, buf: &mut Buffer) {
    let more = cx.model.numbers.len() * 2 - grid.columns.len();
    let left = if more > 0 {
        let [left, right] = [Action::Left, Action::Right].map(|of| cx.ui.keymap.hint(of));
        format!(" {} of {} models: {left} {right}", grid.columns.len() / 2, cx.model.numbers.len())
    } else {
        String::new()
    };
    let mut models = vec![Span::styled(text::pad(&left, grid.key), cx.theme.dim)];
    let mut directions = vec![Span::raw(" ".repeat(grid.key))];
    for &column in &grid.columns {
        let is_here = column == cx.column();
        let style: Style = if is_here { cx.theme.title.into() } else { cx.theme.dim.into() };
        if column.direction == Direction::I2t {
            let is_looked_at = column.model == cx.model.view.model;
            let style = if is_looked_at { cx.theme.key } else { cx.theme.title };
            let room = 2 * grid.cell;
            // In the middle of both values, which stand at the right of their cells.
            let name = signs::model(&cx.model.study, column.model, room - 2);
            let before = (room + VALUE / 2).saturating_sub(text::width(&name)) / 2;
            let before = before.min(room - text::width(&name));
            let name = format!("{}{name}", " ".repeat(before));
            models.push(Span::styled(text::pad(&name, room), style));
        }
        let of = |order: &super::Order| order.direction == column.direction;
        let sorted = if cx.state.order.as_ref().is_some_and(of) { "▾" } else { " " };
        let key = text::pad_left(column.direction.key(), VALUE) + sorted;
        directions.push(Span::styled(text::pad(&key, grid.cell), style));
    }
    buf.set_line(inner.x, inner.y, &Line::from(models), inner.width);
    if inner.height > 1 {
        buf.set_line(inner.x, inner.y + 1, &Line::from(directions), inner.width);
    }
}

/// Columns of the terminal that the table takes with its frame where all headings stand in it.
pub(super) fn width_of_headings(cx: Cx<'_>) -> usize {
    let lines = grid::lines(&cx.model.metrics_rows()).into_iter();
    let widths = lines.filter_map(|line| match line {
        grid::Line::Truth(truth, is_mine) => {
            let [name, judged] = name_and_queries(cx, truth, is_mine);
            Some(text::width(&name) + GAP.len() + text::width(&judged))
        }
        grid::Line::Row(..) => None,
    });
    widths.max().unwrap_or(0) + FRAME
}

/// A truth that rows are of, and how many queries it judges.
fn name_and_queries(cx: Cx<'_>, at: TruthIx, is_mine: bool) -> [String; 2] {
    let truth = &cx.model.study.truths[at];
    let judged = Direction::both(|direction| {
        let judges = truth.judges(direction)?;
        // Verdicts change of how many queries there is a value; beside lists that say nothing they alone judge.
        let by_verdicts = || {
            let view = View { truth: at, direction, ..cx.model.view };
            Some(cx.model.judged_at(view)?.r1.judged)
        };
        let judged = is_mine.then(by_verdicts).flatten().unwrap_or(judges);
        Some(format!("{} {direction}", grouped(judged)))
    });
    let judged: Vec<String> = judged.into_iter().flatten().collect();
    let own =
        if is_mine { cx.model.study.name_with_verdicts(&truth.name) } else { truth.name.clone() };
    let name = format!(" {}{}", text::fit(&own, 24), cx.model.dial_words(truth));
    [name, judged.join(", ")]
}

/// The truth that rows are of, and how many queries it judges.
fn heading(cx: Cx<'_>, at: TruthIx, is_mine: bool, width: u16) -> Line<'static> {
    let [name, judged] = name_and_queries(cx, at, is_mine);
    let is_looked_at = at == cx.model.view.truth && is_mine == cx.model.is_judged();
    let style = if is_looked_at { cx.theme.key } else { cx.theme.title };
    // The last column is the scrollbar's.
    let room = usize::from(width).saturating_sub(text::width(&name) + 1);
    let ways = [format!("{GAP}queries: {judged}"), format!("{GAP}{judged}")];
    Line::from(vec![
        Span::styled(name, style),
        Span::styled(text::first_fitting(ways, room), cx.theme.dim),
    ])
}

fn cells(cx: Cx<'_>, grid: &Grid, row: Row) -> Line<'static> {
    let name = grid.name(cx, row);
    let mut spans = vec![Span::raw(text::pad(&format!("  {name}"), grid.key))];
    let best = Direction::both(|direction| (direction, cx.model.best_of(row, direction)));
    for &column in &grid.columns {
        let best = best.iter().find(|(direction, _)| *direction == column.direction);
        spans.extend(cell(cx, row, column, best.and_then(|(_, best)| *best)));
    }
    Line::from(spans)
}

/// A value, the sign of the best, and what stands beside it.
fn cell(cx: Cx<'_>, row: Row, column: Column, best: Option<f64>) -> [Span<'static>; 3] {
    let unit = row.measure.unit();
    let cell = cx.model.cell(row, column);
    // A sum over both directions stands once.
    let is_told = !matches!(row.measure, Measure::Sum(_)) || column.direction == Direction::T2i;
    if !is_told {
        let words = text::pad_left("both", VALUE);
        let rest = " ".repeat(grid::beside(cx.state.beside) + 1);
        return [words, rest, String::new()].map(|part| Span::styled(part, cx.theme.dim));
    }
    let (value, style) = match cell {
        Cell::Absent => (String::new(), Style::default()),
        Cell::Waiting => ("···".into(), cx.theme.dim.into()),
        Cell::Known(summary, _) => (unit.shown(summary.value), Style::default()),
    };
    let is_best = best.is_some() && cell.value() == best;
    let (sign, style) = if is_best { (BEST, cx.theme.up.into()) } else { (" ", style) };
    let beside = text::pad(&beside(cx, row, column, cell, unit), grid::beside(cx.state.beside));
    [
        Span::styled(text::pad_left(&value, VALUE), style),
        Span::styled(sign, style),
        Span::styled(beside, cx.theme.dim),
    ]
}

fn beside(cx: Cx<'_>, row: Row, column: Column, cell: Cell, unit: Unit) -> String {
    match (cx.state.beside, cell) {
        (Beside::Ceiling, Cell::Known(_, ceiling)) if ceiling.is_some() => {
            format!("/{}", unit.shown(ceiling))
        }
        (Beside::Place, _) => {
            let place = cx.model.place(row, column.model, Some(column.direction));
            place.map_or(String::new(), |place| format!(" {}", ordinal(place.rank)))
        }
        _ => String::new(),
    }
}

/// Marks the selected row, and in it the selected cell.
fn mark(cx: Cx<'_>, grid: &Grid, row: Rect, buf: &mut Buffer) {
    let focus = cx.state.pane == Pane::Table;
    buf.set_style(row, cx.theme.marked);
    let here = cx.column();
    let Some(at) = grid.columns.iter().position(|column| *column == here) else {
        return;
    };
    // The blank before the value is no part of it.
    let cell =
        Rect { x: row.x + (grid.key + at * grid.cell) as u16 + 1, width: grid.cell as u16, ..row };
    pane::mark(focus, cx.theme, cell.intersection(row), buf);
}
