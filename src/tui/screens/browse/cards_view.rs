//! The contact sheet: the ranking of the selected query as cards beside each other.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Cx, ranking};
use crate::tui::model::query_list::{Item, Pane};
use crate::tui::screens::card_view::{self, Card};
use crate::tui::screens::cards::Cards;
use crate::tui::signs;
use crate::tui::widgets::pane::{self, Scroll};

pub(super) fn draw(cx: Cx<'_>, cards: Cards, area: Rect, buf: &mut Buffer) {
    let focus = cx.model.selection.pane == Pane::Ranking;
    let note = Some(ranking::ranked(cx)).filter(|words| !words.is_empty());
    let note = ranking::marked(cx) + &note.unwrap_or_else(|| "contact sheet".into());
    let title = ranking::title(cx);
    let pieces = |title: &str, look| ranking::phrased_title(cx, "", title, look);
    let inner = pane::titled((&title, pieces), &note, focus, cx.theme, area, buf);
    if let Some(words) = ranking::nothing(cx) {
        ranking::note(words, cx, inner, buf);
        return;
    }
    for at in 0..cards.count() {
        if let Some(item) = cx.model.listed_item(cx.state.item_offset + at) {
            card_view::draw(cx, &card(cx, item, focus), cards.card(at), buf);
        }
    }
    let columns = usize::from(cards.columns);
    let scroll = Scroll {
        offset: cx.state.item_offset / columns,
        shown: usize::from(cards.rows),
        total: cx.model.listed_items().map_or(0, |items| items.len().div_ceil(columns)),
    };
    pane::scrollbar(scroll, focus, cx.theme, inner, buf);
}

fn card(cx: Cx<'_>, item: Item, focus: bool) -> Card {
    Card {
        item: item.item,
        rank: item.rank,
        beside: (signs::score(item.score), cx.theme.dim.into()),
        marked: (item.rank == cx.model.selection.item + 1).then_some(focus),
    }
}
