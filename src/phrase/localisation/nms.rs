//! Non-maximum suppression.

use super::rect::{Extent, Rect};

/// The places of the boxes that stay, best first: each that has an intersection over union of at most
/// `threshold` with every one that stays before it.
pub fn kept(boxes: &[Rect], threshold: f64, extent: Extent) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::new();
    for (place, rect) in boxes.iter().enumerate() {
        let is_apart = |&other: &usize| rect.iou(boxes[other], extent) <= threshold;
        if kept.iter().all(is_apart) {
            kept.push(place);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_covers_a_better_box_too_much_goes() {
        let boxes = [
            Rect([0.0, 0.0, 10.0, 10.0]),
            Rect([0.0, 0.0, 10.0, 9.0]),
            Rect([0.0, 0.0, 10.0, 5.0]),
            Rect([20.0, 0.0, 30.0, 10.0]),
            // Overlaps only with the second, which is gone.
            Rect([0.0, 8.0, 10.0, 9.0]),
        ];
        assert_eq!(kept(&boxes, 0.5, Extent::Plain), [0, 2, 3, 4]);
        assert_eq!(kept(&boxes, 0.49, Extent::Plain), [0, 3, 4]);
        assert_eq!(kept(&boxes, 1.0, Extent::Plain), [0, 1, 2, 3, 4]);
        assert_eq!(kept(&[], 0.5, Extent::Plain), Vec::<usize>::new());
    }
}
