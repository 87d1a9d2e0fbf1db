//! The list of queries.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::Cx;
use crate::metric::{Spec, Unit, map_at_r::MapAtR};
use crate::tui::model::selection::Pane;
use crate::tui::screens::queries;
use crate::tui::signs;
use crate::tui::widgets::{pane, text};

/// Columns before the text: rank, AP@R, badge.
const BEFORE: usize = 16;
/// Columns after the text of a query with a note: a blank and the sign.
const NOTED: usize = 2;

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let focus = cx.model.selection.pane == Pane::Queries;
    let title = queries::title(cx.model, area.width);
    // Two corners, and blanks around the title and the words.
    let room = usize::from(area.width).saturating_sub(text::width(&title) + 6);
    let words = text::fit(&cx.model.order_words(), room);
    let inner = pane::frame(&title, &words, focus, cx.theme, area, buf);
    let row = |query, width| row(cx, query, width);
    let names = if cx.model.is_blind() {
        ""
    } else {
        "  rank   AP@R"
    };
    queries::list(cx, inner, names, row, buf);
}

fn row(cx: Cx<'_>, query: usize, width: usize) -> Line<'static> {
    if cx.model.is_blind() {
        let label = text::fit(&queries::label(cx.model, query), width.saturating_sub(2));
        return Line::from(format!("  {label}"));
    }
    let ranks = cx.model.ranks_of(cx.model.view.truth, query);
    let rank = ranks.map_or("·".into(), signs::first_rank);
    let ap = ranks.map_or("·".into(), |ranks| {
        Unit::Share.shown(Spec::new(&MapAtR).per_query(ranks))
    });
    let badge = cx.model.first_badge(query);
    let (sign, style) = badge.map_or((" ", Style::default()), |b| {
        (signs::badge(b), cx.theme.badge(b))
    });
    let is_picked = cx.model.is_picked(cx.model.view.direction, query);
    let picked = if is_picked { "★" } else { " " };
    let room = width.saturating_sub(BEFORE);
    let noted = cx.model.note(cx.model.view.direction, query).is_some() && room > NOTED;
    let label = queries::label(cx.model, query);
    let label = if noted {
        text::pad(&label, room - NOTED)
    } else {
        text::fit(&label, room)
    };
    Line::from(vec![
        Span::styled(text::pad_left(&rank, 6), cx.theme.dim),
        Span::raw(text::pad_left(&ap, 7)),
        Span::styled(picked, cx.theme.key),
        Span::styled(format!("{sign} "), style),
        Span::raw(label),
        Span::raw(if noted { " " } else { "" }),
        Span::styled(if noted { signs::NOTE } else { "" }, cx.theme.key),
    ])
}
