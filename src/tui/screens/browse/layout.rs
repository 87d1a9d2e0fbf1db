//! Where the parts of the screen are: one pure function, for drawing, paging and the mouse alike.

use ratatui::layout::Rect;

use super::Cx;
use crate::tui::model::query_list::Pane;
use crate::tui::screens::cards::{self, Cards, Shown};
use crate::tui::screens::layout::{frame, split, stack};

/// The parts of the screen; a part of no size is not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Areas {
    /// The list of queries, with its frame.
    pub queries: Rect,
    /// The ranking of the selected query, with its frame.
    pub ranking: Rect,
    /// The selected item.
    pub detail: Rect,
    /// The selected query in every truth.
    pub standing: Rect,
}

impl Areas {
    /// All of them, the lists first, in the order of their panes.
    fn parts(&mut self) -> [&mut Rect; 4] {
        [&mut self.queries, &mut self.ranking, &mut self.detail, &mut self.standing]
    }
}

/// Narrower screens show one list at a time.
const TWO_LISTS: u16 = 72;
/// Narrower screens show the list or the cards.
const BESIDE_CARDS: u16 = 100;
/// Lower screens show no details.
const WITH_DETAILS: u16 = 15;

/// The layout of a terminal of this size.
pub fn areas(size: (u16, u16), pane: Pane) -> Areas {
    let body = frame(size).body;
    let width = body.width;
    let below = if body.height >= WITH_DETAILS { (body.height * 3 / 10).clamp(7, 14) } else { 0 };
    let (lists, details) = stack(body, below);
    let (queries, ranking) = match (width < TWO_LISTS, pane) {
        (false, _) => split(lists, list_width(width)),
        (true, Pane::Queries) => (lists, Rect::default()),
        (true, Pane::Ranking) => (Rect::default(), lists),
    };
    let (detail, standing) = match (width < TWO_LISTS, pane) {
        (false, _) => split(details, width / 2),
        (true, Pane::Queries) => (Rect::default(), details),
        (true, Pane::Ranking) => (details, Rect::default()),
    };
    Areas { queries, ranking, detail, standing }
}

/// Columns of the list of queries beside a ranking.
fn list_width(width: u16) -> u16 {
    (width * 36 / 100).clamp(30, 64)
}

/// The layout while the ranking is shown as cards, which need the rows of the details.
fn areas_of_cards(size: (u16, u16), pane: Pane) -> Areas {
    let body = frame(size).body;
    let (queries, ranking) = match pane {
        _ if body.width >= BESIDE_CARDS => split(body, list_width(body.width)),
        Pane::Queries => (body, Rect::default()),
        Pane::Ranking => (Rect::default(), body),
    };
    Areas { queries, ranking, ..Areas::default() }
}

impl Cx<'_> {
    /// The cards of the ranking; `None` while it is a list.
    pub(super) fn cards(self) -> Option<Cards> {
        let inner = cards::inner(self.areas().ranking);
        let shown = Shown::of(self.ui, self.model.view.direction);
        self.shows_cards().then(|| Cards::of(inner, shown))
    }

    /// Whether the ranking is a contact sheet; cards tell what is hidden while one judges blind.
    pub(super) fn shows_cards(self) -> bool {
        self.state.as_cards && !self.model.is_blind()
    }

    /// The parts of the browse screen at the present size.
    pub fn areas(self) -> Areas {
        let pane = self.model.selection.pane;
        let mut areas = if self.shows_cards() {
            areas_of_cards(self.ui.size, pane)
        } else {
            areas(self.ui.size, pane)
        };
        self.ui.zoom(areas.parts(), pane as usize);
        areas
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At every size the parts lie inside the screen, do not overlap, and fill it.
    #[test]
    fn the_parts_tile_the_screen() {
        for width in [40, 71, 72, 80, 120, 200, 500] {
            for height in [8, 11, 12, 18, 24, 40, 60, 200] {
                for pane in [Pane::Queries, Pane::Ranking] {
                    let size = (width, height);
                    for areas in [areas(size, pane), areas_of_cards(size, pane)] {
                        assert_tiles(areas, size);
                    }
                }
            }
        }
        for too_small in [(39, 50), (50, 7)] {
            assert!(frame(too_small).is_too_small());
            assert_eq!(areas(too_small, Pane::Queries), Areas::default());
        }
    }

    fn assert_tiles(areas: Areas, (width, height): (u16, u16)) {
        let outer = frame((width, height));
        let parts = [
            outer.header,
            areas.queries,
            areas.ranking,
            areas.detail,
            areas.standing,
            outer.footer,
        ];
        let covered: u32 = parts.iter().map(|part| part.area()).sum();
        assert_eq!(covered, u32::from(width) * u32::from(height), "{width}x{height}");
        for (at, part) in parts.iter().enumerate() {
            assert!(part.right() <= width && part.bottom() <= height);
            let clear = parts[..at].iter().all(|other| !part.intersects(*other));
            assert!(clear || part.area() == 0, "{width}x{height}: {part:?}");
        }
    }
}
