//! Where the parts of the screen are: one pure function, for drawing, paging and the mouse alike.

use ratatui::layout::Rect;

use super::Pane;

/// The parts of the screen; a part of no size is not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Areas {
    /// What is looked at and the two numbers.
    pub header: Rect,
    /// The list of queries, with its frame.
    pub queries: Rect,
    /// The ranking of the selected query, with its frame.
    pub ranking: Rect,
    /// The selected item.
    pub detail: Rect,
    /// The selected query in every truth.
    pub standing: Rect,
    /// Keys, search line, messages.
    pub footer: Rect,
}

/// Below this the screen says so and draws nothing else.
const LEAST: (u16, u16) = (40, 8);
/// Narrower screens show one list at a time.
const TWO_LISTS: u16 = 72;
/// Lower screens show no details.
const WITH_DETAILS: u16 = 15;

/// The layout of a terminal of this size; `None` where it is too small.
pub fn areas(size: (u16, u16), pane: Pane) -> Areas {
    let (width, height) = size;
    if width < LEAST.0 || height < LEAST.1 {
        return Areas::default();
    }
    let head = if height >= 12 { 2 } else { 1 };
    let body = Rect::new(0, head, width, height - head - 1);
    let below = if body.height >= WITH_DETAILS {
        (body.height * 3 / 10).clamp(7, 14)
    } else {
        0
    };
    let lists = Rect {
        height: body.height - below,
        ..body
    };
    let details = Rect {
        y: lists.bottom(),
        height: below,
        ..body
    };
    let (queries, ranking) = match (width < TWO_LISTS, pane) {
        (false, _) => split(lists, (width * 36 / 100).clamp(30, 64)),
        (true, Pane::Queries) => (lists, Rect::default()),
        (true, Pane::Ranking) => (Rect::default(), lists),
    };
    let (detail, standing) = match (width < TWO_LISTS, pane) {
        (false, _) => split(details, width / 2),
        (true, Pane::Queries) => (Rect::default(), details),
        (true, Pane::Ranking) => (details, Rect::default()),
    };
    Areas {
        header: Rect::new(0, 0, width, head),
        queries,
        ranking,
        detail,
        standing,
        footer: Rect::new(0, height - 1, width, 1),
    }
}

fn split(area: Rect, left: u16) -> (Rect, Rect) {
    let right = Rect {
        x: area.x + left,
        width: area.width - left,
        ..area
    };
    (
        Rect {
            width: left,
            ..area
        },
        right,
    )
}

impl Areas {
    /// Whether the terminal is too small for anything.
    pub fn is_too_small(&self) -> bool {
        self.footer.height == 0
    }
}

/// Rows for entries in a framed list with one line of column names.
pub fn rows(list: Rect) -> usize {
    usize::from(list.height.saturating_sub(3))
}

/// The entry's row at a place of the screen, in a framed list with one line of column names.
pub fn row_at(list: Rect, x: u16, y: u16) -> Option<usize> {
    let inside = x > list.x && x + 1 < list.right() && y > list.y + 1 && y + 1 < list.bottom();
    inside.then(|| usize::from(y - list.y - 2))
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
                    let areas = areas((width, height), pane);
                    let parts = [
                        areas.header,
                        areas.queries,
                        areas.ranking,
                        areas.detail,
                        areas.standing,
                        areas.footer,
                    ];
                    let covered: u32 = parts.iter().map(|part| part.area()).sum();
                    assert_eq!(
                        covered,
                        u32::from(width) * u32::from(height),
                        "{width}x{height}"
                    );
                    for (at, part) in parts.iter().enumerate() {
                        assert!(part.right() <= width && part.bottom() <= height);
                        let clear = parts[..at].iter().all(|other| !part.intersects(*other));
                        assert!(clear || part.area() == 0, "{width}x{height}: {part:?}");
                    }
                }
            }
        }
        assert!(areas((39, 50), Pane::Queries).is_too_small());
        assert!(areas((50, 7), Pane::Queries).is_too_small());
    }
}
