//! The list of queries.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::Pane;
use crate::data::Direction;
use crate::data::text::grouped;
use crate::metric::{Spec, Unit, map_at_r::MapAtR};
use crate::tui::app::App;
use crate::tui::signs;
use crate::tui::widgets::pane::{self, Scroll};
use crate::tui::widgets::text;

/// Columns before the text: rank, AP@R, badge.
const BEFORE: usize = 16;
/// Columns after the text of a query with a note: a blank and the sign.
const NOTED: usize = 2;

pub(super) fn draw(app: &App, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let focus = app.browse.pane == Pane::Queries;
    let title = title(app);
    // Two corners, and blanks around the title and the words.
    let room = usize::from(area.width).saturating_sub(text::width(&title) + 6);
    let words = text::fit(&app.order_words(), room);
    let inner = pane::frame(&title, &words, focus, &app.theme, area, buf);
    list(app, inner, "  rank   AP@R", row, buf);
}

/// A row of the list, of so many columns.
type Row = fn(&App, usize, usize) -> Line<'static>;

/// The list inside of its frame: names of the columns, and a row for each query.
pub(in crate::tui::screens) fn list(
    app: &App,
    inner: Rect,
    names: &str,
    row: Row,
    buf: &mut Buffer,
) {
    let focus = app.browse.pane == Pane::Queries;
    let head = Span::styled(text::pad(names, usize::from(inner.width)), app.theme.dim);
    buf.set_span(inner.x, inner.y, &head, inner.width);
    let list = Rect {
        y: inner.y + 1,
        height: inner.height.saturating_sub(1),
        ..inner
    };
    if app.browse.queries.is_empty() {
        let nothing = if app.search.text().is_empty() {
            "no query is judged"
        } else {
            "nothing matches"
        };
        buf.set_stringn(
            list.x + 2,
            list.y,
            nothing,
            usize::from(list.width.saturating_sub(2)),
            app.theme.dim,
        );
        return;
    }
    rows(app, list, row, buf);
    let (offset, total) = (app.browse.offset, app.browse.queries.len());
    let scroll = Scroll {
        offset,
        shown: usize::from(list.height),
        total,
    };
    pane::scrollbar(scroll, focus, &app.theme, list, buf);
}

/// The queries in sight, the selected one marked.
fn rows(app: &App, list: Rect, row: Row, buf: &mut Buffer) {
    let focus = app.browse.pane == Pane::Queries;
    let width = usize::from(list.width);
    let queries = app
        .browse
        .queries
        .iter()
        .enumerate()
        .skip(app.browse.offset);
    for ((place, &query), y) in queries.zip(list.top()..list.bottom()) {
        buf.set_line(list.x, y, &row(app, query as usize, width), list.width);
        if place == app.browse.selected {
            pane::mark(focus, &app.theme, Rect::new(list.x, y, list.width, 1), buf);
        }
    }
}

pub(in crate::tui::screens) fn title(app: &App) -> String {
    let (place, count) = (app.browse.selected + 1, app.browse.queries.len());
    let place = grouped(place.min(count));
    match app.search.text() {
        "" => format!("queries {place}/{}", grouped(count)),
        text => format!("queries {place}/{} /{text}", grouped(count)),
    }
}

fn row(app: &App, query: usize, width: usize) -> Line<'static> {
    let ranks = app.ranks_of(app.view.truth, query);
    let rank = ranks.map_or("·".into(), signs::first_rank);
    let ap = ranks.map_or("·".into(), |ranks| {
        Unit::Share.shown(Spec::new(&MapAtR).per_query(ranks))
    });
    let badge = app.first_badge(query);
    let (sign, style) = badge.map_or((" ", Style::default()), |b| {
        (signs::badge(b), app.theme.badge(b))
    });
    let is_picked = app.is_picked(app.view.direction, query);
    let picked = if is_picked { "★" } else { " " };
    let room = width.saturating_sub(BEFORE);
    let noted = app.note(app.view.direction, query).is_some() && room > NOTED;
    let label = label(app, query);
    let label = if noted {
        text::pad(&label, room - NOTED)
    } else {
        text::fit(&label, room)
    };
    Line::from(vec![
        Span::styled(text::pad_left(&rank, 6), app.theme.dim),
        Span::raw(text::pad_left(&ap, 7)),
        Span::styled(picked, app.theme.key),
        Span::styled(format!("{sign} "), style),
        Span::raw(label),
        Span::raw(if noted { " " } else { "" }),
        Span::styled(if noted { signs::NOTE } else { "" }, app.theme.key),
    ])
}

/// A caption's text; an image's first own caption where there is one, else its name.
pub(in crate::tui::screens) fn label(app: &App, query: usize) -> String {
    match app.view.direction {
        Direction::T2i => app.study.gallery.caption(query),
        Direction::I2t => image_label(app, query),
    }
}

/// An image in one line: what its first own caption says, else its file name.
pub(in crate::tui::screens) fn image_label(app: &App, image: usize) -> String {
    let gallery = &app.study.gallery;
    match app.study.own(Direction::I2t, image).first() {
        Some(caption) if !gallery.texts.is_empty() => {
            format!(
                "[{}] {}",
                gallery.images[image],
                gallery.caption(caption as usize)
            )
        }
        _ => gallery.image(image),
    }
}
