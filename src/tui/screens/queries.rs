//! The list of queries beside rankings, and parts that all screens with queries share.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};

use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::data::text::grouped;
use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::popups::detail::phrase_colours;
use crate::tui::signs;
use crate::tui::sort::Sort;
use crate::tui::state::Model;
use crate::tui::state::query_list::Pane;
use crate::tui::state::view::Numbers;
use crate::tui::ui::hits::{ListId, Target};
use crate::tui::ui::list::{Column, ListView, ScrollState};
use crate::tui::ui::pane;
use crate::tui::ui::text::{self, PhraseColours};

/// Id of the list of queries.
const QUERIES: ListId = "queries";

/// Draws the list of queries in its frame: `columns`, then the text in at least `text_percent` of the width. `scrolled`
/// is the scroll position, `focus` whether the list has focus, `unsorted` the note of the frame in gallery order.
pub(super) fn draw<'a, S>(
    cx: Context<'a, S>,
    mut columns: Vec<Column<'a>>,
    (text_percent, scrolled, focus): (usize, &ScrollState, bool),
    unsorted: &str,
    area: Rect,
    buf: &mut Buffer,
) {
    if area.area() == 0 {
        return;
    }
    let model = cx.model;
    let (number, len) = (model.selection.selected + 1, model.selection.queries.len());
    let position = format!("queries {}/{}", grouped(number.min(len)), grouped(len));
    let search = match model.search.text() {
        "" => String::new(),
        words => format!(" /{words}"),
    };
    let title = position + &search;
    let inner = pane::draw_frame(title, &order_label(cx, unsorted), focus, cx.theme, area, buf);
    draw_condition(cx, "", area, buf);
    let query = move |at: usize| model.selection.queries[at] as usize;
    columns.push(Column::rest("", move |at, room| query_label(cx, query(at), room)));
    let list = ListView {
        id: QUERIES,
        columns,
        len,
        selected: Some(model.selection.selected),
        focus,
        min_rest: usize::from(inner.width) * text_percent / 100,
        highlight: model.search.text(),
        empty: if len == 0 { why_empty(cx) } else { String::new() },
        ..ListView::default()
    };
    list.draw(scrolled, cx.ui, inner, buf);
}

/// A star if a query is picked, else a blank.
pub(super) fn pick_sign<S>(cx: Context<'_, S>, query: usize) -> Span<'static> {
    let is_picked = cx.model.is_picked(cx.model.view.direction, query);
    Span::styled(if is_picked { "★" } else { " " }, cx.theme.key)
}

/// Column of the value that queries are sorted by; `None` if they are not sorted by a value.
pub(super) fn sort_column<S>(cx: Context<'_, S>) -> Option<Column<'_>> {
    let (model, sort) = (cx.model, cx.model.order());
    let heading = sort.heading()?;
    let width = (text::width(&heading) + 1).clamp(7, 10);
    let title = text::fit(&heading, width - 1) + sort.sign();
    let value = move |at: usize, _| signs::number(model.sort_value(at));
    Some(Column::new(Span::styled(title, cx.theme.title), width, value).right())
}

/// A column of a number that queries can be sorted by; `key` is its name in conditions. `keep` is its priority in a
/// narrow list; while queries are sorted by it, it is never dropped.
pub(super) fn number_column<'a, S, T: Into<Text<'static>>>(
    cx: Context<'a, S>,
    (title, width, keep): (&'static str, usize, u8),
    key: &str,
    cell: impl Fn(usize, usize) -> T + 'a,
) -> Column<'a> {
    let sort = cx.model.order();
    let (title, keep) = if sort.is_by(key) {
        (Span::styled(format!("{title}{}", sort.sign()), cx.theme.title), u8::MAX)
    } else {
        (Span::styled(title, cx.theme.dim), keep)
    };
    Column::new(title, width, cell).right().keep(keep)
}

/// Handles a click on the list.
pub(super) fn click(model: &mut Model, target: &Target) {
    match *target {
        Target::Row(QUERIES, row) if row < model.selection.queries.len() => {
            model.selection.pane = Pane::Queries;
            model.select_query(row);
        }
        Target::List(QUERIES) => model.selection.pane = Pane::Queries,
        _ => {}
    }
}

/// Why no query is listed, and the key that changes it.
fn why_empty<S>(cx: Context<'_, S>) -> String {
    let model = cx.model;
    let key = |action| cx.ui.keymap.hint(action);
    if !model.search.text().is_empty() {
        let found = model.search.current_matches(model.view.direction);
        return match found.map(|found| (found.queries.len(), found)) {
            Some((count @ 1.., found)) => format!("{}, none in this list", found.describe(count)),
            _ => "nothing matches".into(),
        };
    }
    match model.filtered_queries() {
        _ if model.queue_in_force().is_some() => {
            format!("no query of the pool; {} shows the other direction", key(Action::Direction))
        }
        Some(_) => format!(
            "no query of {} meets the filter; {} changes the ground truth, {} ends it",
            model.truth_label(model.view.truth),
            key(Action::NextTruth),
            key(Action::Close)
        ),
        None => "no query is judged".into(),
    }
}

/// Sort key of the list, and the sign for lowest or highest first; `unsorted` in gallery order.
fn order_label<S>(cx: Context<'_, S>, unsorted: &str) -> String {
    let sort = cx.model.order();
    let key = match sort {
        Sort::Gallery => return unsorted.to_owned(),
        Sort::Difference => "|Δ| AP@R".into(),
        other => other.heading().unwrap_or_default(),
    };
    format!("{key} {}", sort.sign())
}

/// Note for panes with metrics that a filter does not change.
pub(super) const UNFILTERED: &str = "of all queries, without the filter";

/// Draws the condition of the filter, if there is one, on the lower border of a pane, after a note on its effect there.
pub(super) fn draw_condition<S>(cx: Context<'_, S>, note: &str, area: Rect, buf: &mut Buffer) {
    if area.height < 2 || !cx.model.has_filter() {
        return;
    }
    let condition = cx.model.condition().unwrap_or_else(|| "a filter is in force".into());
    let words = format!("{note} [{condition}]");
    let words = text::fit(words.trim_start(), usize::from(area.width).saturating_sub(4));
    buf.set_string(area.x + 1, area.bottom() - 1, format!(" {words} "), cx.theme.dim);
}

/// Label of a query with coloured phrases, and a sign if there is a note on it.
fn query_label<S>(cx: Context<'_, S>, query: usize, room: usize) -> Line<'static> {
    let direction = cx.model.view.direction;
    let has_note = cx.model.note(direction, query).is_some();
    let room = if has_note { room.saturating_sub(2) } else { room };
    let label = text::fit(&cx.model.label(direction, query, room), room);
    let mut spans = label_colours(cx, (direction, query), &label, Style::default()).line(&label);
    if has_note {
        spans.push(Span::styled(format!(" {}", signs::NOTE), cx.theme.key));
    }
    Line::from(spans)
}

/// [`Model::label`] of a query in full; a caption is in quotes.
pub(super) fn full_label(model: &Model, query: usize) -> String {
    let label = model.label(model.view.direction, query, usize::MAX);
    match model.view.direction {
        Direction::T2i => format!("“{label}”"),
        Direction::I2t => label,
    }
}

/// Why no items of a model are listed for the selected query. `is_ranked`: whether its ranking is known.
pub(super) fn why_no_items<S>(cx: Context<'_, S>, model: ModelIx, is_ranked: bool) -> &'static str {
    match (&cx.model.numbers[model], cx.model.selection.query()) {
        _ if is_ranked => "this model ranks nothing for this query",
        (Numbers::Failed(_), _) => "this model cannot be ranked",
        (_, None) => "no query is selected",
        _ if cx.model.files.is_overwritten() => "not ranked: a file was written over",
        _ => "ranking …",
    }
}

/// Colours of the phrases in `label`, which is the [`Model::label`] of a query in a direction. It has a caption, with
/// `[ID]` before it for some images. `look`: style of other text.
pub(super) fn label_colours<'a, S>(
    cx: Context<'a, S>,
    (direction, query): (Direction, usize),
    label: &str,
    look: Style,
) -> PhraseColours<'a> {
    let caption = match direction {
        Direction::T2i => Some(query),
        Direction::I2t => cx.model.shown_captions(query).first().map(|&first| first as usize),
    };
    let is_id = direction == Direction::I2t && label.starts_with('[');
    let prefix = label.split_once("] ").filter(|_| is_id);
    phrase_colours(cx, (caption, prefix.map_or("", |(id, _)| id)), look)
}
