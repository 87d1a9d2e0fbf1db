//! The list of queries, as all screens have it that list queries beside rankings.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::data::Direction;
use crate::data::text::grouped;
use crate::tui::model::Model;
use crate::tui::model::selection::Pane;
use crate::tui::signs;
use crate::tui::ui::Context;
use crate::tui::widgets::pane::{self, Scroll};
use crate::tui::widgets::text;

/// The list inside of its frame: names of the columns, and a row of so many columns for each query.
pub(in crate::tui::screens) fn list<S>(
    cx: Context<'_, S>,
    inner: Rect,
    names: &str,
    row: impl Fn(usize, usize) -> Line<'static>,
    buf: &mut Buffer,
) {
    let (model, theme) = (cx.model, cx.theme);
    let focus = model.selection.pane == Pane::Queries;
    let head = Span::styled(text::pad(names, usize::from(inner.width)), theme.dim);
    buf.set_span(inner.x, inner.y, &head, inner.width);
    let list = Rect {
        y: inner.y + 1,
        height: inner.height.saturating_sub(1),
        ..inner
    };
    if model.selection.queries.is_empty() {
        let nothing = if model.search.text().is_empty() {
            "no query is judged"
        } else {
            "nothing matches"
        };
        buf.set_stringn(
            list.x + 2,
            list.y,
            nothing,
            usize::from(list.width.saturating_sub(2)),
            theme.dim,
        );
        return;
    }
    rows(cx, list, row, buf);
    let (offset, total) = (model.selection.offset, model.selection.queries.len());
    let scroll = Scroll {
        offset,
        shown: usize::from(list.height),
        total,
    };
    pane::scrollbar(scroll, focus, theme, list, buf);
}

/// The queries in sight, the selected one marked.
fn rows<S>(
    cx: Context<'_, S>,
    list: Rect,
    row: impl Fn(usize, usize) -> Line<'static>,
    buf: &mut Buffer,
) {
    let (model, theme) = (cx.model, cx.theme);
    let focus = model.selection.pane == Pane::Queries;
    let width = usize::from(list.width);
    let queries = model
        .selection
        .queries
        .iter()
        .enumerate()
        .skip(model.selection.offset);
    for ((place, &query), y) in queries.zip(list.top()..list.bottom()) {
        buf.set_line(list.x, y, &row(query as usize, width), list.width);
        if model.is_query_marked(query as usize) {
            buf.set_string(list.x, y, signs::MARKED, theme.key);
        }
        if place == model.selection.selected {
            pane::mark(focus, theme, Rect::new(list.x, y, list.width, 1), buf);
        }
    }
}

pub(in crate::tui::screens) fn title(model: &Model) -> String {
    let (place, count) = (model.selection.selected + 1, model.selection.queries.len());
    let place = grouped(place.min(count));
    let marked = marked_words(model.marked_counts()[0]);
    match model.search.text() {
        "" => format!("queries {place}/{}{marked}", grouped(count)),
        text => format!("queries {place}/{}{marked} /{text}", grouped(count)),
    }
}

/// How many lines are marked, for the title of a list.
pub(in crate::tui::screens) fn marked_words(count: usize) -> String {
    match count {
        0 => String::new(),
        count => format!(" {}{} marked", signs::MARKED, grouped(count)),
    }
}

/// A caption's text; an image's first own caption where there is one, else its name.
pub(in crate::tui::screens) fn label(model: &Model, query: usize) -> String {
    match model.view.direction {
        Direction::T2i => model.study.gallery.caption(query),
        Direction::I2t => image_label(model, query),
    }
}

/// An image in one line: what its first own caption says, else its file name.
pub(in crate::tui::screens) fn image_label(model: &Model, image: usize) -> String {
    model.image_words(image)
}
