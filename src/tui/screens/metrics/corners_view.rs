//! The number of queries in each quadrant of a chart of queries, where it hides none of them.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::chart::quadrant;
use super::cloud::Cloud;
use super::{Cx, Pane, Side};
use crate::data::text::grouped;
use crate::tui::widgets::{pane, text};

/// Dots of a Braille cell, across and up.
const ACROSS: u16 = 2;
const UP: u16 = 4;

/// Draws the counts, and marks the selected quadrant.
pub(super) fn draw(cx: Cx<'_>, cloud: &Cloud, plot: Rect, buf: &mut Buffer) {
    let taken = Taken::by(&cloud.points, plot);
    for sides in Side::BOTH.map(|x| Side::BOTH.map(|y| [x, y])).concat() {
        let area = quadrant(plot, sides);
        let is_here = cx.state.quadrant == sides;
        if is_here {
            pane::mark(cx.state.pane == Pane::Chart, cx.theme, area, buf);
        }
        let style = if is_here { cx.theme.key } else { cx.theme.title };
        let count = format!(" {} ", grouped(cloud.count(sides)));
        let (x, y) = taken.place(area, sides, text::width(&count) as u16);
        buf.set_string(x, y, count, style);
    }
}

/// Which cells of a chart have dots.
struct Taken {
    plot: Rect,
    cells: Vec<bool>,
}

impl Taken {
    fn by(points: &[(f64, f64)], plot: Rect) -> Self {
        let mut cells = vec![false; plot.area() as usize];
        let cell = |share: f64, cells: u16, dots: u16| {
            let last = f64::from(cells * dots - 1);
            (share * last) as usize / usize::from(dots)
        };
        for &(x, y) in points {
            let column = cell(x, plot.width, ACROSS);
            let row = cell(1.0 - y, plot.height, UP);
            cells[row * usize::from(plot.width) + column] = true;
        }
        Taken { plot, cells }
    }

    /// Where so many columns stand in a quadrant: in its outer corner, or in the nearest row at that side that has no
    /// dot there; in the corner where every row has.
    fn place(&self, area: Rect, [x, y]: [Side; 2], width: u16) -> (u16, u16) {
        let x = match x {
            Side::Low => area.x,
            Side::High => area.right().saturating_sub(width),
        };
        let from_outside = |at: u16| match y {
            Side::Low => area.bottom() - 1 - at,
            Side::High => area.y + at,
        };
        let mut rows = (0..area.height).map(from_outside);
        let free =
            rows.find(|&row| (x..(x + width).min(area.right())).all(|at| !self.is_taken(at, row)));
        (x, free.unwrap_or_else(|| from_outside(0)))
    }

    fn is_taken(&self, x: u16, y: u16) -> bool {
        let (column, row) = (x - self.plot.x, y - self.plot.y);
        self.cells[usize::from(row) * usize::from(self.plot.width) + usize::from(column)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_stands_where_it_hides_no_dot() {
        let plot = Rect::new(5, 2, 40, 10);
        let at = |points: &[(f64, f64)], sides| {
            let place = Taken::by(points, plot).place(quadrant(plot, sides), sides, 3);
            (place.0 - plot.x, place.1 - plot.y)
        };
        let low = [Side::Low, Side::Low];
        assert_eq!(at(&[], low), (0, 9));
        assert_eq!(at(&[(0.0, 0.0)], low), (0, 8));
        assert_eq!(at(&[(0.2, 0.0)], low), (0, 9));
        assert_eq!(at(&[(0.0, 0.0), (0.05, 0.15)], low), (0, 7));
        let high = [Side::High, Side::High];
        assert_eq!(at(&[(0.0, 0.0)], high), (37, 0));
        assert_eq!(at(&[(1.0, 1.0)], high), (37, 1));
        let everywhere: Vec<(f64, f64)> = (0..=40).map(|y| (1.0, f64::from(y) / 40.0)).collect();
        assert_eq!(at(&everywhere, high), (37, 0));
    }
}
