//! The table of error types: a row for each, a column for each model under each ground truth.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::{Cx, Pane};
use crate::analysis::kinds::{self, Kind, OfKind};
use crate::data::text::grouped;
use crate::study::View;
use crate::tui::action::Action;
use crate::tui::signs;
use crate::tui::widgets::list::{Column, Drawn, ListView};
use crate::tui::widgets::{pane, text};

/// Rows of the frame and above the error types: ground truths, models.
pub(super) const AROUND: u16 = 4;
/// Columns of the terminal for the name of an error type, for a count and for its share.
const NAME: usize = 24;
const COUNT: usize = 6;
const SHARE: usize = 6;

impl<'a> Cx<'a> {
    /// The view of each column: ground truth by ground truth, each model that has numbers.
    pub(super) fn columns(self) -> Vec<View> {
        let mut views = self.model.explained_views();
        views.sort_by_key(|view| (view.truth, view.model));
        views
    }

    /// The error type under the cursor.
    pub(super) fn kind(self) -> &'static Kind {
        &kinds::of(&self.model.study)[self.selected(Pane::Kinds)]
    }

    /// The queries of the error type under the cursor; `None` where the study lacks what it is about, and while they
    /// are not known.
    pub(super) fn of_kind(self) -> Option<&'a OfKind> {
        self.model.lists_of(self.view())?[self.selected(Pane::Kinds)].as_ref()
    }

    /// The number of queries of an error type by its place, and their share in percent.
    pub(super) fn counted_as(self, view: View, kind: usize) -> [String; 2] {
        match self.model.lists_of(view).map(|lists| &lists[kind]) {
            None => ["…".into(), String::new()],
            Some(None) => ["-".into(), String::new()],
            Some(Some(of)) => [grouped(of.count().met), of.count().percent()],
        }
    }
}

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let (study, views) = (&cx.model.study, cx.columns());
    let room = usize::from(area.width).saturating_sub(NAME + 2);
    let shown = (room / (COUNT + SHARE + 1)).max(1);
    let [left, right] = [Action::Left, Action::Right].map(|of| cx.ui.keymap.hint(of));
    let note = format!("{shown} of {} columns, {left} and {right} show others", views.len());
    let note = if shown < views.len() { note } else { String::new() };
    let direction = cx.model.view.direction;
    let titles = [": queries and % of those that qualify", ""];
    let titles = titles.map(|words| format!("error types, {direction}{words}"));
    // Two corners, and the blanks around title and note.
    let room = usize::from(area.width).saturating_sub(text::width(&note) + 6);
    let title = text::first_fitting(titles, room);
    let inner = cx.frame(Pane::Kinds, &title, &note, area, buf);
    let [top, table] =
        inner.layout(&Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]));
    let kinds = kinds::of(study);
    let name = move |at: usize, _| format!(" {}", kinds[at].name);
    let here = views.iter().position(|view| *view == cx.view()).unwrap_or(0);
    let mut columns = vec![Column::new("", NAME, name)];
    columns.extend((0..views.len()).map(|at| column(cx, &views, at, here)));
    let list = ListView {
        id: Pane::Kinds.list(),
        columns,
        len: kinds.len(),
        selected: Some(cx.selected(Pane::Kinds)),
        // The cell stands out, not its row.
        focus: false,
        has_cells: true,
        ..ListView::default()
    };
    let drawn = list.draw(&cx.state.scrolled[Pane::Kinds as usize], cx.ui, table, buf);
    draw_truths(cx, &views, &drawn, top, buf);
    let mut entries = drawn.entries.iter();
    if let Some((_, entry)) = entries.find(|(at, _)| *at == cx.selected(Pane::Kinds)) {
        let cell = drawn.cell(*entry, here + 1);
        pane::mark(cx.state.pane == Pane::Kinds, cx.theme, cell, buf);
    }
}

/// The column of a view by its place. Where not all have room, those around the selected one are shown, first those
/// of its ground truth.
fn column<'a>(cx: Cx<'a>, views: &[View], at: usize, here: usize) -> Column<'a> {
    let view = views[at];
    let near = 100 - at.abs_diff(here).min(100) as u8;
    let keep = if view.truth == views[here].truth { near + 100 } else { near };
    let look: Style = if view == cx.model.view { cx.theme.key.into() } else { cx.theme.dim.into() };
    let name = signs::model(&cx.model.study, view.model, COUNT + SHARE);
    let cell = move |kind: usize, _| {
        let [count, share] = cx.counted_as(view, kind);
        Line::from(vec![
            Span::raw(text::pad_left(&count, COUNT)),
            Span::styled(text::pad_left(&share, SHARE), cx.theme.dim),
        ])
    };
    let column = Column::new(Span::styled(name, look), COUNT + SHARE, cell).right();
    if at == here { column } else { column.keep(keep) }
}

/// The ground truths above their columns, each with the number of queries that it judges.
fn draw_truths(cx: Cx<'_>, views: &[View], drawn: &Drawn, row: Rect, buf: &mut Buffer) {
    let mut placed = drawn.columns.iter().skip(1);
    for views in views.chunk_by(|one, other| one.truth == other.truth) {
        let shown: Vec<_> = placed.by_ref().take(views.len()).flatten().collect();
        let (Some((left, _)), Some((x, width))) = (shown.first(), shown.last()) else {
            continue;
        };
        let area = Rect { x: *left, width: x + width - left, ..row };
        let at = views[0].truth;
        let dial = cx.model.dial_words(&cx.model.study.truths[at]);
        let name = format!("{}{dial}", cx.model.name_in_force(at));
        // Every judged query could be of the first error type, a failure.
        let failures = cx.model.lists_of(views[0]).and_then(|lists| lists.first()?.as_ref());
        let judged = failures.map(|of| format!("{name}: {} judged", grouped(of.of)));
        let words = text::first_fitting(judged.into_iter().chain([name]), area.width.into());
        let is_here = at == cx.model.view.truth;
        let look: Style = if is_here { cx.theme.key.into() } else { cx.theme.title.into() };
        Line::styled(words, look).centered().render(area, buf);
    }
}
