//! Boxes with real coordinates, and their intersection over union.

use std::fmt;

/// A box by its left, upper, right and lower edges, in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rect(pub [f64; 4]);

/// Convention for the length of a side between two edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// `x2 - x1`: edges are between pixels.
    Plain,
    /// `x2 - x1 + 1`: edges are pixels inside the box.
    PlusOne,
}

impl Extent {
    /// Number that is added to the difference of two edges to get the length of a side.
    pub fn length_offset(self) -> f64 {
        match self {
            Extent::Plain => 0.0,
            Extent::PlusOne => 1.0,
        }
    }
}

impl Rect {
    /// A box from its upper left corner, its width and its height.
    pub fn from_xywh([x, y, width, height]: [f64; 4], extent: Extent) -> Self {
        let last = |start: f64, length: f64| start + length - extent.length_offset();
        Rect([x, y, last(x, width), last(y, height)])
    }

    /// Whether all edges are finite, and the box ends no earlier than it begins.
    pub fn is_valid(self) -> bool {
        let [x1, y1, x2, y2] = self.0;
        self.0.iter().all(|edge| edge.is_finite()) && x2 >= x1 && y2 >= y1
    }

    /// Area of the box; 0 if it is not valid.
    pub fn area(self, extent: Extent) -> f64 {
        let [x1, y1, x2, y2] = self.0;
        let side = |first: f64, last: f64| last - first + extent.length_offset();
        if self.is_valid() { side(x1, x2) * side(y1, y2) } else { 0.0 }
    }

    /// Intersection over union, from 0 to 1; 0 if a box is not valid, or if both have no area.
    pub fn iou(self, other: Rect, extent: Extent) -> f64 {
        let ([ax1, ay1, ax2, ay2], [bx1, by1, bx2, by2]) = (self.0, other.0);
        let side = |first: f64, last: f64| (last - first + extent.length_offset()).max(0.0);
        let shared = side(ax1.max(bx1), ax2.min(bx2)) * side(ay1.max(by1), ay2.min(by2));
        let union = self.area(extent) + other.area(extent) - shared;
        if self.is_valid() && other.is_valid() && union > 0.0 { shared / union } else { 0.0 }
    }

    /// The smallest box around both boxes.
    #[must_use]
    pub fn enclosing(self, other: Rect) -> Rect {
        let ([ax1, ay1, ax2, ay2], [bx1, by1, bx2, by2]) = (self.0, other.0);
        Rect([ax1.min(bx1), ay1.min(by1), ax2.max(bx2), ay2.max(by2)])
    }
}

impl fmt::Display for Rect {
    /// The edges with at most two decimals, separated by blanks.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let edge =
            |edge: f64| format!("{edge:.2}").trim_end_matches('0').trim_end_matches('.').to_owned();
        f.write_str(&self.0.map(edge).join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: Rect = Rect([11.0, 11.0, 20.0, 20.0]);
    const UPPER: Rect = Rect([11.0, 11.0, 20.0, 15.0]);

    fn close(one: f64, other: f64) -> bool {
        (one - other).abs() < 1e-15
    }

    /// 9 x 4 of 9 x 9 pixels, or 10 x 5 of 10 x 10.
    #[test]
    fn a_small_box_is_a_hit_with_one_added_and_none_without() {
        assert!(close(WHOLE.iou(UPPER, Extent::Plain), 36.0 / 81.0));
        assert!(close(WHOLE.iou(UPPER, Extent::PlusOne), 0.5));
        assert!(close(WHOLE.iou(WHOLE, Extent::Plain), 1.0));
    }

    #[test]
    fn boxes_beside_each_other_share_nothing() {
        let beside = Rect([21.0, 11.0, 30.0, 20.0]);
        let above = Rect([0.0, 0.0, 40.0, 9.0]);
        for extent in [Extent::Plain, Extent::PlusOne] {
            assert!(close(WHOLE.iou(beside, extent), 0.0));
            assert!(close(WHOLE.iou(above, extent), 0.0));
        }
        // They share the column 20 where edges are pixels.
        let touching = Rect([20.0, 11.0, 29.0, 20.0]);
        assert!(close(WHOLE.iou(touching, Extent::Plain), 0.0));
        assert!(close(WHOLE.iou(touching, Extent::PlusOne), 10.0 / 190.0));
    }

    #[test]
    fn what_is_no_box_covers_nothing() {
        let turned = Rect([20.0, 11.0, 11.0, 20.0]);
        let unknown = Rect([f64::NAN, 11.0, 20.0, 20.0]);
        let point = Rect([12.0, 12.0, 12.0, 12.0]);
        for none in [turned, unknown] {
            assert!(!none.is_valid());
            assert!(close(WHOLE.iou(none, Extent::PlusOne), 0.0));
            assert!(close(none.area(Extent::PlusOne), 0.0));
        }
        assert!(close(point.iou(point, Extent::Plain), 0.0));
        assert!(close(point.iou(point, Extent::PlusOne), 1.0));
    }

    #[test]
    fn sides_keep_their_length() {
        for extent in [Extent::Plain, Extent::PlusOne] {
            let rect = Rect::from_xywh([11.0, 11.0, 10.0, 5.0], extent);
            assert!(close(rect.area(extent), 50.0));
        }
        assert_eq!(Rect::from_xywh([11.0, 11.0, 10.0, 5.0], Extent::PlusOne), UPPER);
        assert_eq!(UPPER.enclosing(Rect([1.0, 12.0, 15.0, 30.0])), Rect([1.0, 11.0, 20.0, 30.0]));
    }
}
