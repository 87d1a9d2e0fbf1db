//! An item as a card: its picture, or what is written of it, in the frame of its badge.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Widget};

use super::cards;
use crate::data::Direction;
use crate::truth::standing::Badge;
use crate::tui::model::Model;
use crate::tui::pictures::Place;
use crate::tui::signs;
use crate::tui::ui::Context;
use crate::tui::widgets::text;

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

/// Draws an item of the selected query's ranking; its picture belongs at [`place`].
pub(super) fn draw<S>(cx: Context<'_, S>, card: &Card, area: Rect, buf: &mut Buffer) {
    if area.width < 3 || area.height < 3 {
        return;
    }
    frame(cx, card, area, buf);
    let inner = cards::inner(area);
    let shown = place(cx, card.item, area);
    let above = shown.map_or(0, |place| place.area.height);
    let rest = Rect {
        y: inner.y + above,
        height: inner.height - above,
        ..inner
    };
    written(cx, card.item, rest, buf);
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
}

/// Rank, badge and verdict.
fn signs_of<S>(cx: Context<'_, S>, card: &Card, badge: Badge) -> Line<'static> {
    let query = cx.model.selection.query().unwrap_or_default();
    let mut spans = vec![
        Span::styled(format!(" {} ", card.rank), cx.theme.title),
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
    let look: Style = if badge(cx.model, item).is_positive() {
        Style::default()
    } else {
        cx.theme.dim.into()
    };
    let lines = lines(
        cx.model,
        item,
        usize::from(area.width),
        usize::from(area.height),
    );
    for (line, y) in lines.into_iter().zip(area.top()..area.bottom()) {
        buf.set_string(area.x, y, line, look);
    }
}

/// What is written of an item in at most so many columns and lines; of an image its captions, or its name.
fn lines(model: &Model, item: usize, columns: usize, most: usize) -> Vec<String> {
    let gallery = &model.study.gallery;
    let texts = match model.view.direction {
        Direction::I2t => vec![gallery.caption(item)],
        Direction::T2i if gallery.texts.is_empty() => vec![gallery.image(item)],
        Direction::T2i => {
            let own = model.study.own(Direction::I2t, item).iter();
            own.map(|caption| gallery.caption(caption as usize))
                .collect()
        }
    };
    let wrapped = texts.iter().flat_map(|text| {
        let lines = text::wrap(text, columns).into_iter().enumerate();
        lines.map(|(at, line)| (line, at == 0))
    });
    let mut lines: Vec<(String, bool)> = wrapped.take(most + 1).collect();
    if lines.len() > most {
        let (rest, is_other) = lines.pop().unwrap_or_default();
        if let Some((last, _)) = lines.last_mut() {
            // What goes on is cut; another caption is not begun.
            let rest = if is_other {
                String::new()
            } else {
                format!(" {rest}")
            };
            *last = text::fit(&format!("{last}{rest} …"), columns);
        }
    }
    lines.into_iter().map(|(line, _)| line).collect()
}
