//! Positions of the boxes of phrases on an image.

use super::ImagePhrases;
use super::rect::{Extent, Rect};

/// A box to draw on an image.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outline {
    /// Left, upper, right and lower edge, as shares of the image's width and height.
    pub edges: [f64; 4],
    /// Lowest index of its chains in [`ImagePhrases::chains`].
    pub chain: usize,
}

impl ImagePhrases {
    /// The boxes to draw, the largest first, so that none hides another.
    pub fn outlines(&self) -> Vec<Outline> {
        let Some(annotation) = &self.annotation else {
            return Vec::new();
        };
        let size = [annotation.width, annotation.height].map(f64::from);
        let outline = |region: &super::Region| {
            let indices = region.chains.iter();
            let index =
                indices.filter_map(|chain| self.chains.iter().position(|other| other == chain));
            Some((region.rect, index.min()?))
        };
        let mut found: Vec<(Rect, usize)> = annotation.regions.iter().filter_map(outline).collect();
        let area = |rect: Rect| rect.area(Extent::PlusOne);
        found.sort_by(|(one, _), (other, _)| area(*other).total_cmp(&area(*one)));
        let shares = |(rect, chain)| Outline { edges: edges(rect, size), chain };
        found.into_iter().map(shares).collect()
    }
}

/// Edges of a box as shares of an image of this size. A box begins before its first pixel and ends after its last.
fn edges(Rect([x1, y1, x2, y2]): Rect, [width, height]: [f64; 2]) -> [f64; 4] {
    let share = |edge: f64, side: f64| (edge / side).clamp(0.0, 1.0);
    [share(x1 - 1.0, width), share(y1 - 1.0, height), share(x2, width), share(y2, height)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phrase::{Annotation, Chain, Region};

    #[test]
    fn boxes_are_shares_of_the_image_the_largest_first() {
        let region = |chains: &[u32], edges: [i32; 4]| Region {
            chains: chains.iter().copied().map(Chain).collect(),
            rect: Rect(edges.map(f64::from)),
        };
        let image = ImagePhrases {
            annotation: Some(Annotation {
                width: 10,
                height: 20,
                regions: vec![
                    region(&[7, 5], [2, 1, 5, 10]),
                    region(&[7], [1, 1, 10, 25]),
                    region(&[9], [1, 1, 2, 2]),
                ],
                ..Annotation::default()
            }),
            chains: vec![Chain(5), Chain(7)],
            ..ImagePhrases::default()
        };
        let all = image.outlines();
        let told: Vec<_> = all.iter().map(|outline| (outline.edges, outline.chain)).collect();
        // A chain that is in no caption has no colour, and no box here.
        assert_eq!(told, [([0.0, 0.0, 1.0, 1.0], 1), ([0.1, 0.0, 0.5, 0.5], 0)]);
    }
}
