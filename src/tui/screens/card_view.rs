//! Items as cards: the image or the text of each, in the frame of its badge.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Widget};

use crate::data::Direction;
use crate::data::text::grouped;
use crate::tui::context::{Context, Ui};
use crate::tui::popups::detail::caption_lines;
use crate::tui::signs;
use crate::tui::state::query_list::Item;
use crate::tui::thumbnails::{Place, is_text};
use crate::tui::ui::{pane, text, thumbnail};

/// Draws an item of the selected query with its image, painted by priority `order`. `marked`: whether it is selected,
/// and focused.
pub(super) fn draw<S>(
    cx: Context<'_, S>,
    order: usize,
    (item, marked): (Item, Option<bool>),
    area: Rect,
    buf: &mut Buffer,
) {
    if area.width < 3 || area.height < 3 {
        return;
    }
    frame(cx, item, marked, area, buf);
    let inner = inner(area);
    let height = rows(inner.width).min(inner.height);
    let place = Place { area: Rect { height, ..inner }, image: item.item };
    let has_image = cx.ui.ranks_images(cx.model.view.direction)
        && cx.ui.thumbnails.lacks(item.item).is_none()
        && place.area.area() > 0;
    let above = if has_image { place.area.height } else { 0 };
    let rest = Rect { y: inner.y + above, height: inner.height - above, ..inner };
    write(cx, item.item, rest, buf);
    if has_image {
        thumbnail::show(order, place, cx.ui, buf);
    }
}

/// The frame with rank, badge, judgment and score, and the id below.
fn frame<S>(
    cx: Context<'_, S>,
    Item { item, rank, score }: Item,
    marked: Option<bool>,
    area: Rect,
    buf: &mut Buffer,
) {
    let query = cx.model.selection.query().unwrap_or_default();
    let badge = cx.model.badge(query, item);
    let look: Style = cx.theme.badge(badge);
    let (border, style) = match marked {
        Some(true) => (BorderType::Thick, Style::from(cx.theme.focus)),
        Some(false) => (BorderType::Thick, look),
        None => (BorderType::Rounded, look),
    };
    let mut signs = vec![
        Span::styled(format!(" {} ", grouped(rank)), cx.theme.title),
        Span::styled(format!("{} {} ", badge.glyph(), badge.word()), look),
    ];
    if let Some(said) = cx.model.response(query, item) {
        let sign = format!("{} ", signs::response(said));
        signs.push(Span::styled(sign, cx.theme.response(said)));
    }
    let signs = Line::from(signs);
    let score = signs::score(score);
    let taken = signs.width() + text::width(&score) + 5;
    let id = cx.model.study.gallery.items(cx.model.view.direction)[item].to_string();
    let id = text::fit(&id, usize::from(area.width).saturating_sub(6));
    let mut block = Block::bordered()
        .border_type(border)
        .border_style(style)
        .title(signs)
        .title_bottom(Line::styled(format!(" {id} "), cx.theme.dim).right_aligned());
    if taken <= usize::from(area.width) && !score.is_empty() {
        block = block.title(Line::styled(format!(" {score} "), cx.theme.dim).right_aligned());
    }
    block.render(area, buf);
}

/// Writes the caption, or as many of an image's captions as fit.
fn write<S>(cx: Context<'_, S>, item: usize, area: Rect, buf: &mut Buffer) {
    let (gallery, look) = (&cx.model.study.gallery, Style::default());
    let captions = match cx.model.view.direction {
        Direction::I2t => vec![item as u32],
        Direction::T2i => cx.model.captions_of(item),
    };
    let captions = captions.into_iter();
    let mut lines: Vec<Line<'_>> =
        captions.flat_map(|of| caption_lines(cx, of as usize, area.width.into(), look)).collect();
    if cx.model.view.direction == Direction::T2i && gallery.texts.is_empty() {
        lines = vec![Line::styled(gallery.image(item), look)];
    }
    pane::lines(&pane::fitting(lines, area.height.into()), 0, area, buf);
}

/// Rows and columns of a card's frame.
const FRAME: u16 = 2;
/// Columns between two cards.
const GAP: u16 = 1;
/// Most images are 4:3; a cell is twice as high as wide.
const COLUMNS_A_ROW: (u16, u16) = (8, 3);

/// Columns of an image by its rows.
pub(super) fn columns(rows: u16) -> u16 {
    rows * COLUMNS_A_ROW.0 / COLUMNS_A_ROW.1
}

/// Rows of an image by its columns.
pub(super) fn rows(columns: u16) -> u16 {
    columns * COLUMNS_A_ROW.1 / COLUMNS_A_ROW.0
}

/// Cards of one size in rows; at least one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cards {
    area: Rect,
    /// Cards per row.
    pub columns: u16,
    /// Rows of cards.
    pub rows: u16,
    width: u16,
    height: u16,
}

impl Cards {
    /// As many cards of a direction's items as fit an area; they fill it.
    pub fn for_direction(area: Rect, ui: &Ui, direction: Direction) -> Self {
        match (direction, ui.image_protocol()) {
            // Half-blocks have few pixels, and need more cells.
            (Direction::T2i, Some(way)) => {
                Cards::filling(area, if is_text(way) { 20 } else { 16 }, None)
            }
            // The captions of an image, or one.
            (Direction::T2i, None) => Cards::filling(area, 22, Some(5)),
            (Direction::I2t, _) => Cards::filling(area, 22, Some(3)),
        }
    }

    /// Cards with at least `least` inner columns, and rows of text, or an image with a line below.
    fn filling(area: Rect, least: u16, text: Option<u16>) -> Self {
        let columns = ((area.width + GAP) / (least + FRAME + GAP)).max(1);
        let width = (area.width + GAP) / columns - GAP.min(area.width);
        let height = FRAME + text.unwrap_or(rows(width.saturating_sub(FRAME)) + 1);
        // A row that lacks less than a third is squeezed in.
        let rows = ((area.height + height / 3) / height).max(1);
        Cards { area, columns, rows, width, height: area.height / rows }
    }

    /// Number of cards.
    pub fn count(self) -> usize {
        usize::from(self.columns) * usize::from(self.rows)
    }

    /// Area of the card at an index, from the top left.
    pub fn card(self, at: usize) -> Rect {
        let (column, row) = (at as u16 % self.columns, at as u16 / self.columns);
        let card = Rect {
            x: self.area.x + column * (self.width + GAP),
            y: self.area.y + row * self.height,
            width: self.width,
            height: self.height,
        };
        card.intersection(self.area)
    }
}

/// Area inside a card's frame.
pub(super) fn inner(card: Rect) -> Rect {
    card.inner(Margin::new(1, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At every size the cards lie inside of their area, and do not overlap.
    #[test]
    fn cards_lie_side_by_side() {
        for (width, height) in [(0, 0), (1, 1), (10, 3), (48, 12), (78, 19), (118, 35), (300, 90)] {
            let area = Rect::new(3, 2, width, height);
            let filling = |least, text| Cards::filling(area, least, text);
            for cards in [filling(20, None), filling(22, Some(3))] {
                let all: Vec<Rect> = (0..cards.count()).map(|at| cards.card(at)).collect();
                for (at, card) in all.iter().enumerate() {
                    assert_eq!(card.intersection(area).area(), card.area(), "{area:?}");
                    assert!(all[..at].iter().all(|other| !other.intersects(*card)), "{area:?}");
                }
            }
        }
    }

    #[test]
    fn as_many_as_are_worth_looking_at() {
        let shape = |width, height, least, text| {
            let cards = Cards::filling(Rect::new(0, 0, width, height), least, text);
            (cards.columns, cards.rows)
        };
        assert_eq!(shape(78, 19, 20, None), (3, 2));
        assert_eq!(shape(118, 35, 20, None), (5, 3));
        assert_eq!(shape(158, 45, 16, None), (8, 5));
        assert_eq!(shape(78, 19, 22, Some(5)), (3, 3));
        assert_eq!(shape(78, 19, 22, Some(3)), (3, 4));
    }
}
