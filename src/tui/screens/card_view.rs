//! An item as a card: its picture, or what is written of it, in the frame of its badge.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Widget};

use super::cards;
use super::queries::phrased;
use crate::data::Direction;
use crate::data::text::grouped;
use crate::tui::model::Model;
use crate::tui::pictures::Place;
use crate::tui::signs;
use crate::tui::ui::Context;
use crate::tui::widgets::{picture, text};

/// What a card is of.
#[derive(Debug, Clone)]
pub(super) struct Card {
    /// Gallery index of the item.
    pub item: usize,
    /// Its rank, from 1.
    pub rank: usize,
    /// What stands at the right of rank and signs, where it has room, and its look.
    pub beside: (String, Style),
    /// Whether it is selected, and whether keys go to it.
    pub marked: Option<bool>,
}

/// Draws an item of the selected query's ranking with its picture, which is made in an order.
pub(super) fn draw<S>(
    cx: Context<'_, S>,
    (order, card): (usize, &Card),
    area: Rect,
    buf: &mut Buffer,
) {
    if area.width < 3 || area.height < 3 {
        return;
    }
    let query = cx.model.selection.query().unwrap_or_default();
    let badge = cx.model.badge(query, card.item);
    frame(cx, query, card, area, buf);
    let inner = cards::inner(area);
    let place = Place { area: cards::picture(area), image: card.item };
    let has_picture = cx.ui.ranks_pictures(cx.model.view.direction)
        && cx.ui.pictures.lacks(card.item).is_none()
        && place.area.area() > 0;
    let above = if has_picture { place.area.height } else { 0 };
    let look: Style = if badge.is_positive() { Style::default() } else { cx.theme.dim.into() };
    let rest = Rect { y: inner.y + above, height: inner.height - above, ..inner };
    write(cx, card.item, look, rest, buf);
    if has_picture {
        picture::show(order, place, cx.ui, buf);
    }
}

/// The frame, with rank, badge and verdict, and at its foot the id.
fn frame<S>(cx: Context<'_, S>, query: usize, card: &Card, area: Rect, buf: &mut Buffer) {
    let badge = cx.model.badge(query, card.item);
    let look: Style = cx.theme.badge(badge);
    let (border, style) = match card.marked {
        Some(true) => (BorderType::Thick, Style::from(cx.theme.focus)),
        Some(false) => (BorderType::Thick, look),
        None => (BorderType::Rounded, look),
    };
    let mut signs = vec![
        Span::styled(format!(" {} ", grouped(card.rank)), cx.theme.title),
        Span::styled(format!("{} ", signs::badge(badge)), look),
    ];
    if let Some(verdict) = cx.model.verdict(query, card.item) {
        let sign = format!("{} ", signs::verdict(verdict));
        signs.push(Span::styled(sign, cx.theme.verdict(verdict)));
    }
    let signs = Line::from(signs);
    let (words, style_beside) = &card.beside;
    let taken = signs.width() + text::width(words) + 5;
    let id = cx.model.study.gallery.items(cx.model.view.direction)[card.item].to_string();
    let id = text::fit(&id, usize::from(area.width).saturating_sub(6));
    let mut block = Block::bordered()
        .border_type(border)
        .border_style(style)
        .title(signs)
        .title_bottom(Line::styled(format!(" {id} "), cx.theme.dim).right_aligned());
    if taken <= usize::from(area.width) && !words.is_empty() {
        block = block.title(Line::styled(format!(" {words} "), *style_beside).right_aligned());
    }
    block.render(area, buf);
    if cx.model.is_item_marked(card.item) {
        buf.set_stringn(area.x + 1, area.y, signs::MARKED, 1, cx.theme.key);
    }
}

/// Writes the caption, or as many of an image's captions as there is room for.
fn write<S>(cx: Context<'_, S>, item: usize, look: Style, area: Rect, buf: &mut Buffer) {
    let mut rows = area.top()..area.bottom();
    for (caption, words) in texts(cx.model, item) {
        let mut lines = text::wrap(&words, area.width.into());
        if lines.len() > rows.len() {
            let cut = lines.split_off(rows.len());
            if let (Some(last), Some(rest)) = (lines.last_mut(), cut.first()) {
                *last = text::fit(&format!("{last} {rest} …"), area.width.into());
            }
        }
        for (line, y) in phrased(cx, (caption, ""), look).lines(&lines).into_iter().zip(&mut rows) {
            buf.set_line(area.x, y, &Line::from(line), area.width);
        }
    }
}

/// What is written of an item, each with the caption that it is: of an image its captions, or its name.
fn texts(model: &Model, item: usize) -> Vec<(Option<usize>, String)> {
    let gallery = &model.study.gallery;
    let written = |caption: usize| (Some(caption), gallery.caption(caption));
    match model.view.direction {
        Direction::I2t => vec![written(item)],
        Direction::T2i if gallery.texts.is_empty() => vec![(None, gallery.image(item))],
        Direction::T2i => {
            let own = model.captions_of(item).into_iter();
            own.map(|caption| written(caption as usize)).collect()
        }
    }
}
