//! Items as cards in a grid: the image or the captions of each, in a frame with rank, badge, score and id.

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

/// Draws an item of the selected query as a card; its image is requested with priority `order`, 0 first. `selection`:
/// whether the list has focus, if this item is selected; `None` if it is not.
pub(super) fn draw<S>(
    cx: Context<'_, S>,
    order: usize,
    (item, selection): (Item, Option<bool>),
    area: Rect,
    buf: &mut Buffer,
) {
    if area.width < 3 || area.height < 3 {
        return;
    }
    draw_frame(cx, item, selection, area, buf);
    let inner = inner_area(area);
    let height = image_rows(inner.width).min(inner.height);
    let place = Place { area: Rect { height, ..inner }, image: item.item };
    let has_image = cx.ui.has_item_images(cx.model.view.direction)
        && cx.ui.thumbnails.failure(item.item).is_none()
        && place.area.area() > 0;
    let image_height = if has_image { place.area.height } else { 0 };
    let below = Rect { y: inner.y + image_height, height: inner.height - image_height, ..inner };
    draw_captions(cx, item.item, below, buf);
    if has_image {
        thumbnail::show(order, place, cx.ui, buf);
    }
}

/// Draws the frame with rank, badge, judgment and score at the top, and the id at the bottom. `selection`: as in
/// [`draw`].
fn draw_frame<S>(
    cx: Context<'_, S>,
    Item { item, rank, score }: Item,
    selection: Option<bool>,
    area: Rect,
    buf: &mut Buffer,
) {
    let query = cx.model.selection.query().unwrap_or_default();
    let badge = cx.model.badge(query, item);
    let look: Style = cx.theme.badge(badge);
    let (border, style) = match selection {
        Some(true) => (BorderType::Thick, Style::from(cx.theme.focus)),
        Some(false) => (BorderType::Thick, look),
        None => (BorderType::Rounded, look),
    };
    let mut title = vec![
        Span::styled(format!(" {} ", grouped(rank)), cx.theme.title),
        Span::styled(format!("{} {} ", badge.glyph(), badge.short_label()), look),
    ];
    if let Some(response) = cx.model.response(query, item) {
        let sign = format!("{} ", signs::response(response));
        title.push(Span::styled(sign, cx.theme.response(response)));
    }
    let title = Line::from(title);
    let score = signs::score(score);
    let full_width = title.width() + text::width(&score) + 5;
    let id = cx.model.study.gallery.items(cx.model.view.direction)[item].to_string();
    let id = text::fit(&id, usize::from(area.width).saturating_sub(6));
    let mut block = Block::bordered()
        .border_type(border)
        .border_style(style)
        .title(title)
        .title_bottom(Line::styled(format!(" {id} "), cx.theme.dim).right_aligned());
    if full_width <= usize::from(area.width) && !score.is_empty() {
        block = block.title(Line::styled(format!(" {score} "), cx.theme.dim).right_aligned());
    }
    block.render(area, buf);
}

/// Draws the text of the item at a gallery index: a caption, or as many captions of an image as fit. If the gallery has
/// no texts, an image has its file name or id instead.
fn draw_captions<S>(cx: Context<'_, S>, item: usize, area: Rect, buf: &mut Buffer) {
    let (gallery, look) = (&cx.model.study.gallery, Style::default());
    let captions = match cx.model.view.direction {
        Direction::I2t => vec![item as u32],
        Direction::T2i => cx.model.shown_captions(item),
    };
    let to_lines = |at: u32| caption_lines(cx, at as usize, area.width.into(), look);
    let mut lines: Vec<Line<'_>> = captions.into_iter().flat_map(to_lines).collect();
    if cx.model.view.direction == Direction::T2i && gallery.texts.is_empty() {
        lines = vec![Line::styled(gallery.image(item), look)];
    }
    pane::draw_lines(&pane::clip(lines, area.height.into()), 0, area, buf);
}

/// Columns, and rows, that the frame of a card takes.
const FRAME_SIZE: u16 = 2;
/// Columns between two cards.
const GAP: u16 = 1;
/// Aspect ratio of an image in columns and rows: most are 4:3, and a cell is twice as high as wide.
const IMAGE_ASPECT: (u16, u16) = (8, 3);

/// Columns of an image with a number of rows.
pub(super) fn image_columns(rows: u16) -> u16 {
    rows * IMAGE_ASPECT.0 / IMAGE_ASPECT.1
}

/// Rows of an image with a number of columns.
pub(super) fn image_rows(columns: u16) -> u16 {
    columns * IMAGE_ASPECT.1 / IMAGE_ASPECT.0
}

/// A grid of at least one card, all of one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CardGrid {
    area: Rect,
    /// Cards per row.
    pub columns: u16,
    /// Rows of cards.
    pub rows: u16,
    /// Columns and rows of the terminal that a card takes, with its frame.
    width: u16,
    height: u16,
}

impl CardGrid {
    /// A grid that fills an area with cards for items of a direction.
    pub fn new(area: Rect, ui: &Ui, direction: Direction) -> Self {
        match (direction, ui.image_protocol()) {
            // Half-blocks have few pixels: such images need more columns.
            (Direction::T2i, Some(protocol)) => {
                CardGrid::filling(area, if is_text(protocol) { 20 } else { 16 }, None)
            }
            // The captions of an image, or the caption that is the item.
            (Direction::T2i, None) => CardGrid::filling(area, 22, Some(5)),
            (Direction::I2t, _) => CardGrid::filling(area, 22, Some(3)),
        }
    }

    /// A grid that fills `area`, of cards with at least `min_columns` inside the frame. `text_rows`: rows inside the
    /// frame; `None` for an image with a line below.
    fn filling(area: Rect, min_columns: u16, text_rows: Option<u16>) -> Self {
        let columns = ((area.width + GAP) / (min_columns + FRAME_SIZE + GAP)).max(1);
        let width = (area.width + GAP) / columns - GAP.min(area.width);
        let height =
            FRAME_SIZE + text_rows.unwrap_or(image_rows(width.saturating_sub(FRAME_SIZE)) + 1);
        // The last row is squeezed in if two thirds of it fit.
        let rows = ((area.height + height / 3) / height).max(1);
        CardGrid { area, columns, rows, width, height: area.height / rows }
    }

    /// Number of cards.
    pub fn count(self) -> usize {
        usize::from(self.columns) * usize::from(self.rows)
    }

    /// Area of the card at an index, row by row from the top left.
    pub fn card_area(self, at: usize) -> Rect {
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

/// Area inside the frame of a card.
pub(super) fn inner_area(card: Rect) -> Rect {
    card.inner(Margin::new(1, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At every size the cards lie inside of their area, and do not overlap.
    #[test]
    fn cards_are_inside_the_area_and_do_not_overlap() {
        for (width, height) in [(0, 0), (1, 1), (10, 3), (48, 12), (78, 19), (118, 35), (300, 90)] {
            let area = Rect::new(3, 2, width, height);
            let filling = |min_columns, text_rows| CardGrid::filling(area, min_columns, text_rows);
            for cards in [filling(20, None), filling(22, Some(3))] {
                let all: Vec<Rect> = (0..cards.count()).map(|at| cards.card_area(at)).collect();
                for (at, card) in all.iter().enumerate() {
                    assert_eq!(card.intersection(area).area(), card.area(), "{area:?}");
                    assert!(all[..at].iter().all(|other| !other.intersects(*card)), "{area:?}");
                }
            }
        }
    }

    #[test]
    fn number_of_cards_depends_on_area_and_text_rows() {
        let shape = |width, height, min_columns, text_rows| {
            let area = Rect::new(0, 0, width, height);
            let cards = CardGrid::filling(area, min_columns, text_rows);
            (cards.columns, cards.rows)
        };
        assert_eq!(shape(78, 19, 20, None), (3, 2));
        assert_eq!(shape(118, 35, 20, None), (5, 3));
        assert_eq!(shape(158, 45, 16, None), (8, 5));
        assert_eq!(shape(78, 19, 22, Some(5)), (3, 3));
        assert_eq!(shape(78, 19, 22, Some(3)), (3, 4));
    }
}
