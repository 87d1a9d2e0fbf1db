//! The list of queries beside rankings, and shared parts of other query panes.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};

use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::data::text::grouped;
use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::popups::detail::phrased;
use crate::tui::signs;
use crate::tui::sort::Sort;
use crate::tui::state::Model;
use crate::tui::state::query_list::Pane;
use crate::tui::state::view::Numbers;
use crate::tui::ui::hits::{ListId, Target};
use crate::tui::ui::list::{Column, ListView, Scrolled};
use crate::tui::ui::pane;
use crate::tui::ui::text::{self, Phrased};

const QUERIES: ListId = "queries";

/// Draws the list in its frame: columns, and for the text at least `least` percent of the width. `unsorted` is the note
/// of the frame in gallery order. `focus`: whether it has the focus.
pub(super) fn draw<'a, S>(
    cx: Context<'a, S>,
    mut columns: Vec<Column<'a>>,
    (least, scrolled, focus): (usize, &Scrolled, bool),
    unsorted: &str,
    area: Rect,
    buf: &mut Buffer,
) {
    if area.area() == 0 {
        return;
    }
    let model = cx.model;
    let (place, len) = (model.selection.selected + 1, model.selection.queries.len());
    let place = format!("queries {}/{}", grouped(place.min(len)), grouped(len));
    let search = match model.search.text() {
        "" => String::new(),
        words => format!(" /{words}"),
    };
    let title = place + &search;
    let inner = pane::frame(title, &order(cx, unsorted), focus, cx.theme, area, buf);
    condition(cx, "", area, buf);
    let query = move |at: usize| model.selection.queries[at] as usize;
    columns.push(Column::rest("", move |at, room| query_label(cx, query(at), room)));
    let list = ListView {
        id: QUERIES,
        columns,
        len,
        selected: Some(model.selection.selected),
        focus,
        least: usize::from(inner.width) * least / 100,
        found: model.search.text(),
        empty: if len == 0 { nothing(cx) } else { String::new() },
        ..ListView::default()
    };
    list.draw(scrolled, cx.ui, inner, buf);
}

/// The sign of a picked query.
pub(super) fn picked<S>(cx: Context<'_, S>, query: usize) -> Span<'static> {
    let is_picked = cx.model.is_picked(cx.model.view.direction, query);
    Span::styled(if is_picked { "★" } else { " " }, cx.theme.key)
}

/// Column of the sort key, if no other column has it.
pub(super) fn sorted<S>(cx: Context<'_, S>) -> Option<Column<'_>> {
    let (model, sort) = (cx.model, cx.model.order());
    let heading = sort.heading()?;
    let width = (text::width(&heading) + 1).clamp(7, 10);
    let title = text::fit(&heading, width - 1) + sort.sign();
    let value = move |at: usize, _| signs::number(model.sort_value(at));
    Some(Column::new(Span::styled(title, cx.theme.title), width, value).right())
}

/// Column of a sortable number: title, width, and the `keep` priority in a narrow list, unless it is the sort key.
pub(super) fn number<'a, S, T: Into<Text<'static>>>(
    cx: Context<'a, S>,
    (title, width, keep): (&'static str, usize, u8),
    number: &str,
    cell: impl Fn(usize, usize) -> T + 'a,
) -> Column<'a> {
    let sort = cx.model.order();
    let (title, keep) = if sort.is_by(number) {
        (Span::styled(format!("{title}{}", sort.sign()), cx.theme.title), u8::MAX)
    } else {
        (Span::styled(title, cx.theme.dim), keep)
    };
    Column::new(title, width, cell).right().keep(keep)
}

/// Handles a list click.
pub(super) fn click(model: &mut Model, target: &Target) {
    match *target {
        Target::Row(QUERIES, place) if place < model.selection.queries.len() => {
            model.selection.pane = Pane::Queries;
            model.select_query(place);
        }
        Target::List(QUERIES) => model.selection.pane = Pane::Queries,
        _ => {}
    }
}

/// Why no query is listed, and keys to fix it.
fn nothing<S>(cx: Context<'_, S>) -> String {
    let model = cx.model;
    let key = |action| cx.ui.keymap.hint(action);
    if !model.search.text().is_empty() {
        let found = model.search.found(model.view.direction);
        return match found.map(|found| (found.queries.len(), found)) {
            Some((count @ 1.., found)) => format!("{}, none in this list", found.counted(count)),
            _ => "nothing matches".into(),
        };
    }
    match model.filtered() {
        _ if model.queue_in_force().is_some() => {
            format!("no query of the pool; {} shows the other direction", key(Action::Direction))
        }
        Some(_) => format!("no query meets the filter; {} ends it", key(Action::Close)),
        None => "no query is judged".into(),
    }
}

/// The order of the list in brief.
fn order<S>(cx: Context<'_, S>, unsorted: &str) -> String {
    let sort = cx.model.order();
    let number = match sort {
        Sort::Gallery => return unsorted.to_owned(),
        Sort::Difference => "|Δ| AP@R".into(),
        other => other.heading().unwrap_or_default(),
    };
    format!("{number} {}", sort.sign())
}

/// Effect of a filter on metrics of all queries.
pub(super) const UNFILTERED: &str = "of all queries, without the filter";

/// Draws the filter's condition on the lower border of a pane, after its effect there.
pub(super) fn condition<S>(cx: Context<'_, S>, meaning: &str, area: Rect, buf: &mut Buffer) {
    if area.height < 2 || !cx.model.has_filter() {
        return;
    }
    let condition = cx.model.condition().unwrap_or_else(|| "a filter is in force".into());
    let words = format!("{meaning} [{condition}]");
    let words = text::fit(words.trim_start(), usize::from(area.width).saturating_sub(4));
    buf.set_string(area.x + 1, area.bottom() - 1, format!(" {words} "), cx.theme.dim);
}

/// Text of a query with coloured phrases, and the sign of a note.
fn query_label<S>(cx: Context<'_, S>, query: usize, room: usize) -> Line<'static> {
    let direction = cx.model.view.direction;
    let is_noted = cx.model.note(direction, query).is_some();
    let room = if is_noted { room.saturating_sub(2) } else { room };
    let label = text::fit(&cx.model.label(direction, query, room), room);
    let mut spans = phrased_label(cx, (direction, query), &label, Style::default()).line(&label);
    if is_noted {
        spans.push(Span::styled(format!(" {}", signs::NOTE), cx.theme.key));
    }
    Line::from(spans)
}

/// A caption's text in quotes; an image's first own caption, if any, else its name.
pub(super) fn quoted(model: &Model, query: usize) -> String {
    let label = model.label(model.view.direction, query, usize::MAX);
    match model.view.direction {
        Direction::T2i => format!("“{label}”"),
        Direction::I2t => label,
    }
}

/// Why a model has no items for the query.
pub(super) fn unranked<S>(cx: Context<'_, S>, model: ModelIx, is_ranked: bool) -> &'static str {
    match (&cx.model.numbers[model], cx.model.selection.query()) {
        _ if is_ranked => "this model ranks nothing for this query",
        (Numbers::Failed(_), _) => "this model cannot be ranked",
        (_, None) => "no query is selected",
        _ if cx.model.files.is_overwritten() => "not ranked: a file was written over",
        _ => "ranking …",
    }
}

/// [`Model::label`] of a query of a direction, with phrases to colour.
pub(super) fn phrased_label<'a, S>(
    cx: Context<'a, S>,
    (direction, query): (Direction, usize),
    label: &str,
    look: Style,
) -> Phrased<'a> {
    let caption = match direction {
        Direction::T2i => Some(query),
        Direction::I2t => cx.model.captions_of(query).first().map(|&first| first as usize),
    };
    let is_id = direction == Direction::I2t && label.starts_with('[');
    let prefix = label.split_once("] ").filter(|_| is_id);
    phrased(cx, (caption, prefix.map_or("", |(id, _)| id)), look)
}
