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
use crate::truth::standing::Badge;
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

/// Draws an item of the selected query's ranking with its picture, which is wanted in an order.
pub(super) fn draw<S>(
    cx: Context<'_, S>,
    (order, card): (usize, &Card),
    area: Rect,
    buf: &mut Buffer,
) {
    if area.width < 3 || area.height < 3 {
        return;
    }
    frame(cx, card, area, buf);
    let inner = cards::inner(area);
    let shown = place(cx, card.item, area);
    let above = shown.map_or(0, |place| place.area.height);
    let rest = Rect { y: inner.y + above, height: inner.height - above, ..inner };
    written(cx, card.item, rest, buf);
    if let Some(place) = shown {
        picture::show(order, place, cx.ui, buf);
    }
}

/// Where an item's picture is in its card; `None` where the item has none.
pub(super) fn place<S>(cx: Context<'_, S>, item: usize, card: Rect) -> Option<Place> {
    let area = cards::picture(card);
    let has_one =
        cx.ui.ranks_pictures(cx.model.view.direction) && cx.ui.pictures.lacks(item).is_none();
    (has_one && area.area() > 0).then_some(Place { area, image: item })
}

/// The frame, with rank and signs, and at its foot the id.
fn frame<S>(cx: Context<'_, S>, card: &Card, area: Rect, buf: &mut Buffer) {
    let badge = badge(cx.model, card.item);
    let look: Style = cx.theme.badge(badge);
    let border = match card.marked {
        Some(true) => (BorderType::Thick, Style::from(cx.theme.focus)),
        Some(false) => (BorderType::Thick, look),
        None => (BorderType::Rounded, look),
    };
    let id = cx.model.study.gallery.items(cx.model.view.direction)[card.item].to_string();
    let id = text::fit(&id, usize::from(area.width).saturating_sub(6));
    let mut block = Block::bordered()
        .border_type(border.0)
        .border_style(border.1)
        .title(signs_of(cx, card, badge))
        .title_bottom(Line::styled(format!(" {id} "), cx.theme.dim).right_aligned());
    let taken = signs_of(cx, card, badge).width() + text::width(&card.beside.0) + 5;
    if taken <= usize::from(area.width) && !card.beside.0.is_empty() {
        let beside = Span::styled(format!(" {} ", card.beside.0), card.beside.1);
        block = block.title(Line::from(beside).right_aligned());
    }
    block.render(area, buf);
    if cx.model.is_item_marked(card.item) {
        buf.set_stringn(area.x + 1, area.y, signs::MARKED, 1, cx.theme.key);
    }
}

/// Rank, badge and verdict.
fn signs_of<S>(cx: Context<'_, S>, card: &Card, badge: Badge) -> Line<'static> {
    let query = cx.model.selection.query().unwrap_or_default();
    let mut spans = vec![
        Span::styled(format!(" {} ", grouped(card.rank)), cx.theme.title),
        Span::styled(format!("{} ", signs::badge(badge)), cx.theme.badge(badge)),
    ];
    if let Some(verdict) = cx.model.verdict(query, card.item) {
        let sign = format!("{} ", signs::verdict(verdict));
        spans.push(Span::styled(sign, cx.theme.verdict(verdict)));
    }
    Line::from(spans)
}

fn badge(model: &Model, item: usize) -> Badge {
    let query = model.selection.query().unwrap_or_default();
    model.badge(query, item)
}

/// The caption, or as many of an image's captions as there is room for.
fn written<S>(cx: Context<'_, S>, item: usize, area: Rect, buf: &mut Buffer) {
    let look: Style =
        if badge(cx.model, item).is_positive() { Style::default() } else { cx.theme.dim.into() };
    let (columns, most) = (usize::from(area.width), usize::from(area.height));
    let texts = texts(cx.model, item);
    let mut rows = area.top()..area.bottom();
    for lines in lines(&texts, columns, most).chunk_by(|one, other| one.0 == other.0) {
        let caption = texts[lines[0].0].0;
        let phrased = phrased(cx, (caption, ""), look);
        let words: Vec<String> = lines.iter().map(|(_, line)| line.clone()).collect();
        for (line, y) in phrased.lines(&words).into_iter().zip(&mut rows) {
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

/// At most so many columns and lines of texts, each line with the place of its text.
fn lines(texts: &[(Option<usize>, String)], columns: usize, most: usize) -> Vec<(usize, String)> {
    let wrapped = texts.iter().enumerate().flat_map(|(at, (_, text))| {
        let lines = text::wrap(text, columns).into_iter();
        lines.map(move |line| (at, line))
    });
    let mut lines: Vec<(usize, String)> = wrapped.take(most + 1).collect();
    if lines.len() > most {
        let (of, rest) = lines.pop().unwrap_or_default();
        if let Some((at, last)) = lines.last_mut() {
            // What goes on is cut; another caption is not begun.
            let rest = if *at == of { format!(" {rest}") } else { String::new() };
            *last = text::fit(&format!("{last}{rest} …"), columns);
        }
    }
    lines
}
