//! Which boxes are drawn on a picture, and where.

use super::rect::{Extent, Rect};
use super::{Chain, ImagePhrases};

/// Which boxes are drawn on pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Boxes {
    /// None.
    #[default]
    Off,
    /// All.
    All,
    /// Those of one chain; on a picture without it all.
    Of(Chain),
}

/// A box on a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outline {
    /// Its left, upper, right and lower edge, as shares of the picture's width and height.
    pub edges: [f64; 4],
    /// The place of its chain among those of the image ([`ImagePhrases::chains`]): of several the first.
    pub chain: usize,
}

impl ImagePhrases {
    /// The boxes that are drawn, the largest first, so that none is hidden below another.
    pub fn outlines(&self, boxes: Boxes) -> Vec<Outline> {
        let wanted = match boxes {
            Boxes::Off => return Vec::new(),
            Boxes::Of(chain) if self.chains.contains(&chain) => Some(chain),
            _ => None,
        };
        let Some(annotation) = &self.annotation else {
            return Vec::new();
        };
        let size = [annotation.width, annotation.height].map(f64::from);
        let outline = |region: &super::Region| {
            let of = |chain: &Chain| wanted.is_none_or(|wanted| wanted == *chain);
            let places = region.chains.iter().filter(|chain| of(chain));
            let place =
                places.filter_map(|chain| self.chains.iter().position(|other| other == chain));
            Some((region.rect, place.min()?))
        };
        let mut found: Vec<(Rect, usize)> = annotation.regions.iter().filter_map(outline).collect();
        let area = |rect: Rect| rect.area(Extent::PlusOne);
        found.sort_by(|(one, _), (other, _)| area(*other).total_cmp(&area(*one)));
        let shares = |(rect, chain)| Outline { edges: edges(rect, size), chain };
        found.into_iter().map(shares).collect()
    }
}

/// The edges of a box as shares: it begins before its first pixel and ends after its last.
fn edges(Rect([x1, y1, x2, y2]): Rect, [width, height]: [f64; 2]) -> [f64; 4] {
    let share = |edge: f64, side: f64| (edge / side).clamp(0.0, 1.0);
    [share(x1 - 1.0, width), share(y1 - 1.0, height), share(x2, width), share(y2, height)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phrase::{Annotation, Region};

    #[test]
    fn boxes_are_shares_of_the_picture_the_largest_first() {
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
        let all = image.outlines(Boxes::All);
        let told: Vec<_> = all.iter().map(|outline| (outline.edges, outline.chain)).collect();
        // A chain that no caption names has no colour, and no box here.
        assert_eq!(told, [([0.0, 0.0, 1.0, 1.0], 1), ([0.1, 0.0, 0.5, 0.5], 0)]);
        let of = |chain| image.outlines(Boxes::Of(Chain(chain))).len();
        assert_eq!((of(5), of(7), of(4)), (1, 2, 2));
        assert_eq!(image.outlines(Boxes::Of(Chain(7)))[1].chain, 1);
        assert!(image.outlines(Boxes::Off).is_empty());
    }
}
