//! Where the parts of the screen are.

use ratatui::layout::Rect;

use super::grid::Grid;
use super::table_view::width_of_headings;
use super::{Cx, Pane};
use crate::tui::screens::layout::{frame, split, stack};

/// The parts of the screen; a part of no size is not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Areas {
    /// The table, with its frame.
    pub table: Rect,
    /// The chart, with its frame.
    pub chart: Rect,
    /// What the cursor is on.
    pub detail: Rect,
}

/// Narrower screens show the table or the chart.
const BOTH: u16 = 110;

/// Columns of a chart that is worth drawing.
const CHART: u16 = 46;

/// Lower screens tell nothing of what the cursor is on.
const WITH_DETAIL: u16 = 12;

/// Rows that are told of it, with the frame, without the places of models.
const DETAIL: u16 = 5;

/// The layout of a terminal of this size, for a table that would like so many columns, and so many
/// models whose places are told.
fn areas(size: (u16, u16), pane: Pane, wanted: u16, placed: u16) -> Areas {
    let body = frame(size).body;
    let below =
        if body.height >= WITH_DETAIL { (DETAIL + placed).min(body.height * 2 / 5) } else { 0 };
    let (above, detail) = stack(body, below);
    let (table, chart) = match pane {
        _ if body.width >= BOTH => split(above, wanted.min(body.width - CHART)),
        Pane::Table => (above, Rect::default()),
        Pane::Chart => (Rect::default(), above),
    };
    Areas { table, chart, detail }
}

impl Cx<'_> {
    /// The parts of the metrics screen at the present size.
    pub(super) fn areas(self) -> Areas {
        let placed = self.model.placed_models().count() as u16;
        let most = self.ui.size.0.saturating_sub(CHART);
        let headings = width_of_headings(self).min(usize::from(most)) as u16;
        let wanted = Grid::wanted_width(self, most).max(headings);
        let mut areas = areas(self.ui.size, self.state.pane, wanted, placed);
        let parts = [&mut areas.table, &mut areas.chart, &mut areas.detail];
        self.ui.zoom(parts, self.state.pane as usize);
        areas
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At every size the parts lie inside the body, and fill it.
    #[test]
    fn the_parts_tile_the_body() {
        for width in [40, 80, 109, 110, 140, 300] {
            for height in [8, 12, 14, 24, 40, 100] {
                for pane in [Pane::Table, Pane::Chart] {
                    for (wanted, placed) in [(20, 0), (64, 3), (900, 40)] {
                        let body = frame((width, height)).body;
                        let Areas { table, chart, detail } =
                            areas((width, height), pane, wanted, placed);
                        let area = table.area() + chart.area() + detail.area();
                        assert_eq!(area, body.area(), "{width}x{height}");
                        for part in [table, chart, detail] {
                            let inside = part.intersection(body);
                            assert_eq!(inside.area(), part.area(), "{width}x{height}");
                        }
                        assert!(!table.intersects(chart) && !table.intersects(detail));
                    }
                }
            }
        }
    }
}
