//! Rows of pictures above the rankings, one a model.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::strips::Sighted;
use super::{Cx, names, ranking};
use crate::data::index::ModelIx;
use crate::tui::model::query_list::Pane;
use crate::tui::screens::card_view::{self, Card};
use crate::tui::screens::{filtered_view, queries};
use crate::tui::signs;
use crate::tui::widgets::{picture, text};

/// A condition that is worth a place, in columns with what stands around it.
const LEAST_CONDITION: usize = 12;

pub(super) fn draw(cx: Cx<'_>, buf: &mut Buffer) {
    let rows = cx.model.compared().into_iter().zip(cx.areas().strips);
    for (column, (model, strip)) in rows.enumerate() {
        if strip.area() == 0 {
            continue;
        }
        name(cx, (column, model), strip, buf);
        for one in cx.in_strip(model, strip) {
            card_view::draw(cx, (2, &card(cx, (column, model), one)), one.card, buf);
        }
    }
}

/// Whether keys go to a ranking.
fn has_keys(cx: Cx<'_>, column: usize) -> bool {
    cx.model.selection.pane == Pane::Ranking && cx.column() == column
}

fn name(cx: Cx<'_>, (column, model): (usize, ModelIx), strip: Rect, buf: &mut Buffer) {
    let look = if has_keys(cx, column) { cx.theme.focus } else { cx.theme.title };
    let letter = ('A'..).nth(column).unwrap_or('A');
    let room = usize::from(strip.width).saturating_sub(6);
    let name = signs::model(&cx.model.study, model, room);
    let mut spans = vec![Span::styled(format!(" {letter} {name} "), Style::from(look))];
    let query = cx.model.selection.query();
    if let Some(ranks) = query.and_then(|query| cx.model.ranks_by(model, query)) {
        let first = signs::first_rank(ranks);
        spans.push(Span::styled(format!(" first positive {first}"), cx.theme.dim));
    }
    if cx.shows_cards() {
        // Blanks around them.
        let taken: usize = spans.iter().map(Span::width).sum();
        let room = usize::from(strip.width).saturating_sub(taken + 4);
        let hidden = names::hidden(cx, column, room);
        let of_query = of_query(cx, column, room.saturating_sub(text::width(&hidden) + 2));
        spans.extend([Span::raw(of_query), Span::styled(format!("  {hidden}"), cx.theme.dim)]);
    }
    buf.set_line(strip.x, strip.y, &Line::from(spans), strip.width);
}

/// Which query contact sheets are of, after the uppermost name: the list cuts it, or is out of sight. After another one
/// the condition in force, where the list that tells it is.
fn of_query(cx: Cx<'_>, column: usize, room: usize) -> String {
    let areas = cx.areas();
    let is_first = areas.sighted().next() == Some(column);
    let condition = || {
        let words = filtered_view::condition(cx.model);
        let words = words.filter(|_| areas.queries.area() == 0 && room > LEAST_CONDITION)?;
        Some(format!("  [{}]", text::fit(&words, room - 4)))
    };
    match cx.model.selection.query() {
        Some(query) if is_first => {
            format!("  {}", text::fit(&queries::quoted(cx.model, query), room))
        }
        _ => condition().unwrap_or_default(),
    }
}

fn card(cx: Cx<'_>, (column, model): (usize, ModelIx), one: Sighted) -> Card {
    let change = (column > 0).then(|| cx.model.change_of(one.item, one.rank));
    let query = cx.model.selection.query().unwrap_or_default();
    let badge = cx.model.badge(query, one.item);
    let (change, look) = ranking::change(change.flatten(), badge, cx.theme);
    let only = if cx.model.is_only(model, one.item) { signs::ONLY } else { "" };
    Card {
        item: one.item,
        rank: one.rank,
        beside: (format!("{change}{only}"), look),
        marked: (cx.model.linked() == Some(one.item)).then(|| has_keys(cx, column)),
    }
}
