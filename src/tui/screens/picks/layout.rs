//! Where the parts of the screen are.

use ratatui::layout::Rect;

use super::{Cx, Pane};
use crate::tui::screens::layout::{frame, split};

/// The parts of the screen; a part of no size is not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Areas {
    /// The picks, with their frame.
    pub list: Rect,
    /// Their figure, with its frame.
    pub figure: Rect,
}

impl Areas {
    /// The figure without its frame.
    pub fn figure_inner(&self) -> Rect {
        let area = self.figure;
        if area.width < 3 || area.height < 3 {
            return Rect::default();
        }
        Rect::new(area.x + 1, area.y + 1, area.width - 2, area.height - 2)
    }
}

/// Narrower screens show one part at a time.
const SIDE_BY_SIDE: u16 = 100;
/// Columns of the list.
const LIST: std::ops::RangeInclusive<u16> = 44..=72;

/// The layout of a terminal of this size, with what keys go to.
pub fn areas(size: (u16, u16), pane: Pane) -> Areas {
    let body = frame(size).body;
    if body.width >= SIDE_BY_SIDE {
        let (list, figure) = split(body, (body.width * 2 / 5).clamp(*LIST.start(), *LIST.end()));
        return Areas { list, figure };
    }
    match pane {
        Pane::List => Areas { list: body, figure: Rect::default() },
        Pane::Figure => Areas { list: Rect::default(), figure: body },
    }
}

impl Cx<'_> {
    /// The parts of the screen of picks at the present size.
    pub fn areas(self) -> Areas {
        let mut areas = areas(self.ui.size, self.state.pane);
        let parts = [&mut areas.list, &mut areas.figure];
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
        for width in [40, 80, 99, 100, 120, 160, 400] {
            for height in [8, 12, 24, 40, 90] {
                for pane in [Pane::List, Pane::Figure] {
                    let Areas { list, figure } = areas((width, height), pane);
                    let body = frame((width, height)).body;
                    assert_eq!(list.area() + figure.area(), body.area(), "{width}x{height}");
                    assert!(!list.intersects(figure), "{width}x{height}");
                    assert_eq!(list.union(figure).intersection(body).area(), body.area());
                }
            }
        }
    }
}
