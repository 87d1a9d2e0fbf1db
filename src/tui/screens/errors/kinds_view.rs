//! Draws the table of kinds: a row for each, a column for each model under each truth.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::grid::{CELL, COUNT, Column, Grid, NAME, SHARE};
use super::layout::NAMES;
use super::{Cx, Pane};
use crate::analysis::kinds::{self, Kind};
use crate::data::text::grouped;
use crate::tui::action::Action;
use crate::tui::screens::filtered_view;
use crate::tui::signs;
use crate::tui::widgets::pane::{self, Scroll};
use crate::tui::widgets::text;

/// Columns of the shortest title.
const SHORT_TITLE: usize = 16;

/// What stands where a count is not there yet.
pub(super) const WAITING: &str = "…";

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let focus = cx.state.pane == Pane::Kinds;
    let grid = Grid::of(cx, area);
    // Two corners, and the blanks around title and note.
    let room = usize::from(area.width).saturating_sub(6);
    let ways = notes(cx, &grid);
    let note = ways.iter().find(|note| text::width(note) + SHORT_TITLE <= room);
    let note = note.map_or("", String::as_str);
    let titles = ["queries and % of those that qualify", "% of those that qualify"];
    let direction = cx.model.view.direction;
    let titles = titles.map(|words| format!("error types, {direction}: {words}"));
    let short = [format!("error types, {direction}")];
    let titles = titles.into_iter().chain(short);
    let title = text::first_fitting(titles, room.saturating_sub(text::width(note)));
    let inner = pane::frame(&title, note, focus, cx.theme, area, buf);
    filtered_view::draw(cx, filtered_view::Of::All, area, buf);
    let top_k = [truths(cx, &grid), models(cx, &grid), judged(cx, &grid)];
    pane::lines(&top_k, 0, inner, buf);
    let list = Rect {
        y: inner.y + NAMES.min(inner.height),
        height: inner.height.saturating_sub(NAMES),
        ..inner
    };
    let place = cx.state.place(Pane::Kinds);
    let shown = kinds::of(&cx.model.study).iter().enumerate().skip(place.offset);
    for ((at, kind), y) in shown.zip(list.top()..list.bottom()) {
        buf.set_line(list.x, y, &row(cx, &grid, at, kind), list.width);
        if at == place.selected {
            mark(cx, &grid, Rect::new(list.x, y, list.width, 1), buf);
        }
    }
    let scroll = Scroll {
        offset: place.offset,
        shown: usize::from(list.height),
        total: kinds::of(&cx.model.study).len(),
    };
    pane::scrollbar(scroll, focus, cx.theme, list, buf);
}

/// What is to say of all counts, in ever fewer words.
fn notes(cx: Cx<'_>, grid: &Grid) -> Vec<String> {
    let [left, right] = [Action::Left, Action::Right].map(|of| cx.ui.keymap.hint(of));
    let of_all = format!("{} of {} columns", grid.columns.len(), grid.all);
    let more = (grid.columns.len() < grid.all)
        .then(|| format!("{of_all}, {left} and {right} show others"));
    let mine = cx.model.is_judged().then(|| "+mine: with your verdicts".into());
    let short = more.as_ref().map(|_| format!("{of_all}, {left} {right}"));
    let ways = [[more.clone(), mine], [more, None], [short, None]];
    let joined = |notes: [Option<String>; 2]| {
        let notes: Vec<String> = notes.into_iter().flatten().collect();
        notes.join(", ")
    };
    ways.into_iter().map(joined).collect()
}

/// The truths, each above the first of its columns.
fn truths(cx: Cx<'_>, grid: &Grid) -> Line<'static> {
    let mut spans = vec![Span::raw(" ".repeat(NAME))];
    let of = |column: &Column| (column.view.truth, column.is_loaded);
    for columns in grid.columns.chunk_by(|one, other| of(one) == of(other)) {
        let (at, is_loaded) = of(&columns[0]);
        let truth = &cx.model.study.truths[at];
        let room = CELL * columns.len();
        let own = if is_loaded { truth.name.clone() } else { cx.model.name_in_force(at) };
        let name = format!("{own}{}", cx.model.dial_words(truth));
        let name = text::fit(&name, room - 1);
        let style: Style = if at == cx.model.view.truth && !is_loaded {
            cx.theme.key.into()
        } else {
            cx.theme.title.into()
        };
        // In the middle of what stands below it, at the right of each cell.
        let before = (room + SHARE).saturating_sub(text::width(&name)) / 2;
        let name = format!("{}{name}", " ".repeat(before.min(room - text::width(&name))));
        spans.push(Span::styled(text::pad(&name, room), style));
    }
    Line::from(spans)
}

fn models(cx: Cx<'_>, grid: &Grid) -> Line<'static> {
    let mut spans = vec![Span::raw(" ".repeat(NAME))];
    for &Column { view, is_loaded } in &grid.columns {
        let name = signs::model(&cx.model.study, view.model, CELL - 1);
        let style: Style = if view == cx.model.view && !is_loaded {
            cx.theme.key.into()
        } else {
            cx.theme.dim.into()
        };
        spans.push(Span::styled(text::pad_left(&name, CELL), style));
    }
    Line::from(spans)
}

fn judged(cx: Cx<'_>, grid: &Grid) -> Line<'static> {
    let name = text::pad(" judged queries", NAME);
    let mut spans = vec![Span::styled(name, cx.theme.dim)];
    for &column in &grid.columns {
        let count = text::pad_left(&grouped(judged_by(cx, column)), COUNT);
        spans.push(Span::styled(text::pad(&count, CELL), cx.theme.dim));
    }
    Line::from(spans)
}

fn judged_by(cx: Cx<'_>, Column { view, is_loaded }: Column) -> usize {
    let truth = &cx.model.study.truths[view.truth];
    let judges = truth.judges(view.direction).unwrap_or(0);
    // A verdict may leave a query without a positive, or give it one: those of which it is known whether top-1 is one
    // are what the first kind is of.
    let by_verdicts = || Some(cx.model.lists_of(view)?.first()?.as_ref()?.of);
    let judged = (!is_loaded).then(by_verdicts).flatten();
    judged.unwrap_or(judges)
}

fn row(cx: Cx<'_>, grid: &Grid, at: usize, kind: &Kind) -> Line<'static> {
    let mut spans = vec![Span::raw(text::pad(&format!(" {}", kind.name), NAME))];
    for &Column { view, is_loaded } in &grid.columns {
        let list = cx.model.lists_of(view).map(|lists| &lists[at]);
        let (count, share, style): (String, String, Style) = match list {
            None => (WAITING.into(), String::new(), cx.theme.dim.into()),
            Some(None) => ("-".into(), String::new(), cx.theme.dim.into()),
            Some(Some(of_kind)) => {
                let count = if is_loaded { of_kind.loaded } else { of_kind.count() };
                (grouped(count.met), count.percent(), Style::default())
            }
        };
        spans.push(Span::styled(text::pad_left(&count, COUNT), style));
        spans.push(Span::styled(text::pad_left(&share, SHARE), cx.theme.dim));
    }
    Line::from(spans)
}

/// Marks the selected row, and in it the selected cell.
fn mark(cx: Cx<'_>, grid: &Grid, row: Rect, buf: &mut Buffer) {
    buf.set_style(row, cx.theme.marked);
    let here = cx.view();
    let is_here = |column: &Column| column.view == here && !column.is_loaded;
    let Some(at) = grid.columns.iter().position(is_here) else {
        return;
    };
    let cell = Rect { x: row.x + (NAME + at * CELL) as u16, width: CELL as u16, ..row };
    let focus = cx.state.pane == Pane::Kinds;
    pane::mark(focus, cx.theme, cell.intersection(row), buf);
}
