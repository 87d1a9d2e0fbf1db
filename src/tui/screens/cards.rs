//! Where items stand as cards beside each other.

use ratatui::layout::{Margin, Rect};

use crate::data::Direction;
use crate::tui::pictures::Way;
use crate::tui::ui::Ui;

/// What cards show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// Pictures, painted in a way, each with a line of text.
    Pictures(Way),
    /// The captions of an image.
    Captions,
    /// One caption.
    Caption,
}

impl Shown {
    /// What cards of a direction's items show.
    pub fn of(ui: &Ui, direction: Direction) -> Self {
        match (direction, ui.picture_way()) {
            (Direction::I2t, _) => Shown::Caption,
            (Direction::T2i, None) => Shown::Captions,
            (Direction::T2i, Some(way)) => Shown::Pictures(way),
        }
    }
}

/// Rows and columns of a card's frame.
const FRAME: u16 = 2;
/// Columns between two cards.
const GAP: u16 = 1;
/// Most pictures are four units wide and three high; a cell is twice as high as wide.
const COLUMNS_A_ROW: (u16, u16) = (8, 3);

/// Columns of a picture with so many rows.
pub(super) fn columns(rows: u16) -> u16 {
    rows * COLUMNS_A_ROW.0 / COLUMNS_A_ROW.1
}

/// Rows of a picture with so many columns.
fn rows(columns: u16) -> u16 {
    columns * COLUMNS_A_ROW.1 / COLUMNS_A_ROW.0
}

/// Cards of one size in rows; at least one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cards {
    area: Rect,
    /// Cards beside each other.
    pub columns: u16,
    /// Cards above each other.
    pub rows: u16,
    width: u16,
    height: u16,
}

impl Cards {
    /// As many as fit an area; they fill it.
    pub fn of(area: Rect, shown: Shown) -> Self {
        let least = match shown {
            // Half-blocks have few pixels, and need more cells.
            Shown::Pictures(way) if way.is_text() => 20,
            Shown::Pictures(_) => 16,
            Shown::Captions | Shown::Caption => 22,
        };
        let cards = Cards::beside(area, least);
        let inner = match shown {
            // A caption stands below.
            Shown::Pictures(_) => rows(cards.width.saturating_sub(FRAME)) + 1,
            Shown::Captions => 5,
            Shown::Caption => 3,
        };
        let height = inner + FRAME;
        // A row that lacks less than a third is squeezed in.
        let rows = ((area.height + height / 3) / height).max(1);
        Cards { rows, height: area.height / rows, ..cards }
    }

    /// One row of cards with pictures as high as an area.
    pub fn strip(area: Rect) -> Self {
        let rows = area.height.saturating_sub(FRAME);
        Cards::beside(area, (rows * COLUMNS_A_ROW.0).div_ceil(COLUMNS_A_ROW.1))
    }

    /// One row of cards with at least so many columns inside.
    fn beside(area: Rect, least: u16) -> Self {
        let columns = ((area.width + GAP) / (least + FRAME + GAP)).max(1);
        let width = (area.width + GAP) / columns - GAP.min(area.width);
        Cards { area, columns, rows: 1, width, height: area.height }
    }

    /// How many they are.
    pub fn count(self) -> usize {
        usize::from(self.columns) * usize::from(self.rows)
    }

    /// Where the card at a place is, from the top left on.
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

/// What is inside of a card's frame.
pub(super) fn inner(card: Rect) -> Rect {
    card.inner(Margin::new(1, 1))
}

/// Where a card's picture is: above what is written of it.
pub(super) fn picture(card: Rect) -> Rect {
    let inner = inner(card);
    Rect { height: rows(inner.width).min(inner.height), ..inner }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALVES: Shown = Shown::Pictures(Way::Halfblocks);

    /// At every size the cards lie inside of their area, and do not overlap.
    #[test]
    fn cards_lie_side_by_side() {
        for (width, height) in [(0, 0), (1, 1), (10, 3), (48, 12), (78, 19), (118, 35), (300, 90)] {
            let area = Rect::new(3, 2, width, height);
            for cards in
                [Cards::of(area, HALVES), Cards::of(area, Shown::Caption), Cards::strip(area)]
            {
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
        let shape = |width, height, shown| {
            let cards = Cards::of(Rect::new(0, 0, width, height), shown);
            (cards.columns, cards.rows)
        };
        assert_eq!(shape(78, 19, HALVES), (3, 2));
        assert_eq!(shape(118, 35, HALVES), (5, 3));
        assert_eq!(shape(158, 45, Shown::Pictures(Way::Kitty)), (8, 5));
        assert_eq!(shape(78, 19, Shown::Captions), (3, 3));
        assert_eq!(shape(78, 19, Shown::Caption), (3, 4));
    }
}
