//! Where the parts of the screen are.

use ratatui::layout::Rect;

use super::{Cx, Pane};
use crate::analysis::kinds;
use crate::tui::screens::layout::{frame, split, stack};

/// The parts of the screen; a part of no size is not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Areas {
    panes: [Rect; 5],
    /// What the cursor is on.
    pub example: Rect,
}

impl Areas {
    /// A pane, with its frame.
    pub fn of(&self, pane: Pane) -> Rect {
        self.panes[pane as usize]
    }
}

/// Lines above the kinds: truths, models, judged queries.
pub(super) const NAMES: u16 = 3;
/// Rows of what the cursor is on.
const EXAMPLE: u16 = 7;
/// Rows that a pane needs.
const LEAST: u16 = 8;
/// Narrower screens show one pane beside the kinds.
const SIDE_BY_SIDE: u16 = 110;
/// Lower rows show one pane beside the kinds, too: two are above each other.
const ABOVE_EACH_OTHER: u16 = WHAT_IF + LEAST - 1;
/// Columns and rows of what rescaled scores would give.
const RESCALED: u16 = 46;
const WHAT_IF: u16 = 9;
/// Columns of words.
const WORDS: std::ops::RangeInclusive<u16> = 34..=40;

/// The layout of a terminal of this size for so many kinds, with the pane that keys go to and the one gone to
/// last of those beside the kinds.
pub fn areas(size: (u16, u16), kinds: usize, [pane, beside]: [Pane; 2]) -> Areas {
    // Rows of the table of kinds.
    let table_rows = kinds as u16 + NAMES + 2;
    let body = frame(size).body;
    let mut areas = Areas::default();
    let below = if body.height >= table_rows + EXAMPLE { EXAMPLE } else { 0 };
    let (above, example) = stack(body, below);
    areas.example = example;
    // Lower screens show one pane.
    if body.height < table_rows + EXAMPLE + LEAST {
        areas.panes[pane as usize] = above;
        return areas;
    }
    let (table, rest) = stack(above, above.height - table_rows);
    areas.panes[Pane::Kinds as usize] = table;
    if body.width < SIDE_BY_SIDE || rest.height < ABOVE_EACH_OTHER {
        areas.panes[beside as usize] = rest;
        return areas;
    }
    let words = (body.width / 5).clamp(*WORDS.start(), *WORDS.end());
    let (hubs, right) = split(rest, rest.width - words - RESCALED);
    let (words, right) = split(right, words);
    let (what_if, swapped) = stack(right, right.height - WHAT_IF);
    areas.panes[Pane::Hubs as usize] = hubs;
    areas.panes[Pane::Words as usize] = words;
    areas.panes[Pane::Swapped as usize] = swapped;
    areas.panes[Pane::WhatIf as usize] = what_if;
    areas
}

impl Cx<'_> {
    /// The parts of the errors screen at the present size.
    pub fn areas(self) -> Areas {
        let beside = self.state.beside.unwrap_or(Pane::Hubs);
        let kinds = kinds::of(&self.model.study).len();
        let mut areas = areas(self.ui.size, kinds, [self.state.pane, beside]);
        let parts = areas.panes.iter_mut().chain([&mut areas.example]);
        self.ui.zoom(parts, self.state.pane as usize);
        areas
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At every size the parts fill what is between header and footer, and do not overlap.
    #[test]
    fn the_parts_tile_the_body() {
        for width in [40, 80, 109, 110, 120, 160, 400] {
            for height in [8, 12, 20, 24, 32, 34, 40, 41, 50, 90] {
                for pane in Pane::ALL {
                    let beside = if pane == Pane::Kinds { Pane::WhatIf } else { pane };
                    let areas = areas((width, height), kinds::KINDS.len(), [pane, beside]);
                    let body = frame((width, height)).body;
                    let mut parts = areas.panes.to_vec();
                    parts.push(areas.example);
                    let covered: u32 = parts.iter().map(|part| part.area()).sum();
                    assert_eq!(covered, body.area(), "{width}x{height}, {pane:?}");
                    for (at, part) in parts.iter().enumerate() {
                        let clear = parts[..at].iter().all(|other| !part.intersects(*other));
                        let inside = part.intersection(body).area() == part.area();
                        assert!(clear && inside, "{width}x{height}, {pane:?}");
                    }
                    assert!(areas.of(pane).area() > 0, "{width}x{height}, {pane:?}");
                }
            }
        }
    }
}
