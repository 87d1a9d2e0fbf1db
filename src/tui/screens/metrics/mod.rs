//! The metrics screen: every metric of every truth for all models, a chart of two numbers against each
//! other, and the places of the models among the published ones.

pub mod chart;
mod chart_view;
pub mod cloud;
mod grid;
mod page;
mod places;
mod table;
mod table_view;
pub mod view;

use ratatui::layout::Rect;

use super::layout::{frame, split, stack};
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::study::View;
use crate::tui::app::App;
use chart::{Plot, Side};
use grid::Grid;
pub(super) use page::Measuring;
pub use table::{Cell, Measure, Row};

/// What keys go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pane {
    /// The table.
    #[default]
    Table,
    /// The chart.
    Chart,
}

/// What stands beside each value of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Beside {
    /// Nothing.
    #[default]
    Nothing,
    /// What a perfect model would get.
    Ceiling,
    /// The place among the published models.
    Place,
}

/// A column of the table: a model, and who asks whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Index of the model.
    pub model: ModelIx,
    /// Direction of retrieval.
    pub direction: Direction,
}

/// What models are ordered by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Order {
    /// The metric, and its truth.
    pub row: Row,
    /// The direction whose values count.
    pub direction: Direction,
}

/// State of the screen.
#[derive(Debug, Default)]
pub struct Metrics {
    /// What keys go to.
    pub pane: Pane,
    /// Place of the selected row.
    pub row: usize,
    /// The selected column; that of what is looked at where none is, or where it is gone.
    pub column: Option<Column>,
    /// The first line of the table that is shown, headings counted.
    offset: usize,
    /// What models are ordered by; the order of the files where it is nothing.
    pub order: Option<Order>,
    /// What stands beside each value.
    pub beside: Beside,
    /// What the chart shows.
    pub plot: Plot,
    /// The selected quadrant: at the left or the right, at the bottom or the top.
    pub quadrant: [Side; 2],
}

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
    let below = if body.height >= WITH_DETAIL {
        (DETAIL + placed).min(body.height * 2 / 5)
    } else {
        0
    };
    let (above, detail) = stack(body, below);
    let (table, chart) = match pane {
        _ if body.width >= BOTH => split(above, wanted.min(body.width - CHART)),
        Pane::Table => (above, Rect::default()),
        Pane::Chart => (Rect::default(), above),
    };
    Areas {
        table,
        chart,
        detail,
    }
}

impl App {
    /// The parts of the metrics screen at the present size.
    pub(super) fn metrics_areas(&self) -> Areas {
        let placed = self.placed_models().count() as u16;
        let wanted = Grid::wanted_width(self, self.size.0.saturating_sub(CHART));
        areas(self.size, self.metrics.pane, wanted, placed)
    }

    /// The view and the metric that a definition is asked of: those under the cursor of the table, or
    /// else what is looked at, with all metrics.
    pub(in crate::tui) fn defined(&self) -> (View, Option<Row>) {
        let is_table = self.screen == super::Screen::Metrics && self.metrics.pane == Pane::Table;
        let row = self.metrics_row().filter(|_| is_table);
        row.map_or((self.view, None), |row| {
            (row.view(self.metrics_column()), Some(row))
        })
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
                        let Areas {
                            table,
                            chart,
                            detail,
                        } = areas((width, height), pane, wanted, placed);
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
