//! Where list, picture and details are.

use ratatui::layout::Rect;

use crate::tui::screens::layout::{self, split, stack};

/// The parts between header and footer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Parts {
    /// The failures, with the frame.
    pub list: Rect,
    /// The picture of the selected one.
    pub picture: Rect,
    /// What is said of it, with the frame.
    pub detail: Rect,
}

/// Narrower terminals have the list above the rest.
const BESIDE: u16 = 70;
/// Rows of the details, with the frame.
const DETAIL: u16 = 11;

/// The parts at a size; while `alone`, the picture has all but its details. Without pictures these have its place.
pub fn parts(size: (u16, u16), alone: bool, has_pictures: bool) -> Parts {
    let body = layout::frame(size).body;
    let (list, rest) = match (alone, body.width < BESIDE) {
        (true, _) => (Rect::default(), body),
        (false, true) => stack(body, body.height * 3 / 5),
        (false, false) => split(body, body.width * 9 / 20),
    };
    let below = if has_pictures { DETAIL.min(rest.height / 2) } else { rest.height };
    let (picture, detail) = stack(rest, below);
    Parts { list, picture, detail }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_fill_the_body() {
        for size in [(40, 8), (60, 24), (80, 24), (160, 50)] {
            let body = layout::frame(size).body;
            for (alone, has_pictures) in [(false, false), (false, true), (true, true)] {
                let of = parts(size, alone, has_pictures);
                let area = |part: Rect| u32::from(part.width) * u32::from(part.height);
                let sum = area(of.list) + area(of.picture) + area(of.detail);
                assert_eq!(sum, area(body), "{size:?} {alone} {has_pictures}");
                assert_eq!(of.picture.height > 0, has_pictures);
            }
        }
    }
}
