//! Where the parts of the screen are.

use ratatui::layout::Rect;

use super::Cx;
use crate::tui::model::selection::Pane;
use crate::tui::screens::layout::{frame, split, stack};

/// The parts of the screen; a part of no size is not shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Areas {
    /// The list of queries, with its frame.
    pub queries: Rect,
    /// A ranking each, with its frame: those of the first models, as many as there is room for.
    pub columns: Vec<Rect>,
    /// The selected query by every model.
    pub table: Rect,
    /// What there is to say of it.
    pub told: Rect,
}

/// Narrower screens show the list or the rankings.
const TWO_LISTS: u16 = 72;
/// Lower screens show rankings only.
const WITH_TABLE: u16 = 15;
/// Rows of the table: a frame, names, and a line for each of four models.
const TABLE: u16 = 7;
/// Rows of it on a high screen, for the sentences beside it, and where that begins.
const HIGH_TABLE: u16 = 9;
const HIGH: u16 = 30;
/// The list of queries is not made narrower for the sake of rankings.
const LEAST_QUERIES: u16 = 30;
/// Columns that a ranking needs, and those that the list of queries leaves to it.
const LEAST: u16 = 24;
const WANTED: u16 = 28;

/// The layout of a terminal of this size, for so many models.
pub fn areas(size: (u16, u16), pane: Pane, models: usize) -> Areas {
    let body = frame(size).body;
    if body.area() == 0 {
        return Areas::default();
    }
    let below = match body.height {
        HIGH.. => HIGH_TABLE,
        WITH_TABLE.. => TABLE,
        _ => 0,
    };
    let (lists, details) = stack(body, below);
    let models = models as u16;
    let (queries, rankings) = match (body.width < TWO_LISTS, pane) {
        (false, _) => {
            let left = body.width.saturating_sub(models * WANTED);
            let most = body.width * 34 / 100;
            split(lists, left.clamp(LEAST_QUERIES, most.max(LEAST_QUERIES)))
        }
        (true, Pane::Queries) => (lists, Rect::default()),
        (true, Pane::Ranking) => (Rect::default(), lists),
    };
    let (table, told) = if body.width < TWO_LISTS {
        (details, Rect::default())
    } else {
        split(details, body.width * 55 / 100)
    };
    Areas {
        queries,
        columns: columns(rankings, models),
        table,
        told,
    }
}

/// Equal parts beside each other, two at the least.
fn columns(area: Rect, models: u16) -> Vec<Rect> {
    if area.width == 0 {
        return Vec::new();
    }
    let count = (area.width / LEAST).max(2).min(models);
    let start = |at: u16| area.x + area.width * at / count;
    let part = |at: u16| Rect {
        x: start(at),
        width: start(at + 1) - start(at),
        ..area
    };
    (0..count).map(part).collect()
}

impl Areas {
    /// The list or ranking that keys go to.
    pub fn list(&self, pane: Pane) -> Rect {
        match pane {
            Pane::Queries => self.queries,
            Pane::Ranking => self.columns.first().copied().unwrap_or_default(),
        }
    }
}

impl Cx<'_> {
    /// The parts of the compare screen at the present size.
    pub fn areas(self) -> Areas {
        areas(
            self.ui.size,
            self.model.selection.pane,
            self.model.compared().len(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At every size the parts fill what is between header and footer, and do not overlap.
    #[test]
    fn the_parts_tile_the_body() {
        for width in [40, 71, 72, 80, 120, 140, 200, 500] {
            for height in [8, 12, 18, 24, 40, 60] {
                for (pane, models) in [(Pane::Queries, 2), (Pane::Ranking, 3), (Pane::Ranking, 4)] {
                    let areas = areas((width, height), pane, models);
                    let body = frame((width, height)).body;
                    let mut parts = vec![areas.queries, areas.table, areas.told];
                    parts.extend(&areas.columns);
                    let covered: u32 = parts.iter().map(|part| part.area()).sum();
                    assert_eq!(covered, body.area(), "{width}x{height}, {models} models");
                    for (at, part) in parts.iter().enumerate() {
                        let clear = parts[..at].iter().all(|other| !part.intersects(*other));
                        assert!(clear || part.area() == 0, "{width}x{height}: {part:?}");
                    }
                }
            }
        }
        assert_eq!(areas((80, 24), Pane::Queries, 3).columns.len(), 2);
        assert_eq!(areas((140, 40), Pane::Queries, 3).columns.len(), 3);
        assert_eq!(areas((140, 40), Pane::Queries, 4).columns.len(), 4);
        assert_eq!(areas((39, 50), Pane::Queries, 2), Areas::default());
    }
}
