//! Items that compete for a query: disjoint parts of the gallery, each ranked alone.

use crate::data::index::{ItemIx, QueryIx};
use std::sync::Arc;

use super::{Direction, PerDirection};

/// Stands for the index of a part, for a query that is in no part.
const NO_PART: u16 = u16::MAX;

/// Images and captions that compete with each other: gallery indices, ascending, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Part {
    /// The images.
    pub images: Arc<[u32]>,
    /// The captions.
    pub captions: Arc<[u32]>,
}

/// Parts of a gallery that have nothing in common: a query ranks the items of its own part, and an
/// item of no part competes nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CandidateMask {
    parts: Vec<Part>,
    /// Index in `parts` of each query's part, or [`NO_PART`].
    part_of: PerDirection<Vec<u16>>,
}

impl Part {
    /// A part from the queries of a direction and their items.
    pub fn new(direction: Direction, queries: Arc<[u32]>, items: Arc<[u32]>) -> Self {
        let (images, captions) = direction.query_and_item(queries, items);
        Part { images, captions }
    }

    /// Gallery indices of the queries of a direction.
    pub fn queries(&self, direction: Direction) -> &Arc<[u32]> {
        match direction {
            Direction::I2t => &self.images,
            Direction::T2i => &self.captions,
        }
    }

    /// Gallery indices of the items that queries of a direction rank.
    pub fn items(&self, direction: Direction) -> &Arc<[u32]> {
        self.queries(direction.flipped())
    }
}

impl CandidateMask {
    /// A mask of disjoint parts; `sizes` are the numbers of queries of the gallery.
    pub fn new(parts: Vec<Part>, sizes: PerDirection<usize>) -> Self {
        let part_of = PerDirection::from_fn(|direction| {
            let mut part_of = vec![NO_PART; sizes[direction]];
            for (at, part) in (0..).zip(&parts) {
                for &query in part.queries(direction).iter() {
                    part_of[query as usize] = at;
                }
            }
            part_of
        });
        CandidateMask { parts, part_of }
    }

    /// The parts of the gallery, in the order given.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Index of the part that a query is in; `None` outside all parts.
    pub fn part_index(&self, direction: Direction, query: usize) -> Option<usize> {
        let part = self.part_of[direction][query];
        (part != NO_PART).then_some(part as usize)
    }

    /// Whether an item is ranked for a query: both are in the same part.
    pub fn competes(&self, direction: Direction, query: QueryIx, item: ItemIx) -> bool {
        let part = self.part_of[direction][query.get()];
        part != NO_PART && part == self.part_of[direction.flipped()][item.get()]
    }

    /// Number of queries of a direction that are in a part.
    pub fn query_count(&self, direction: Direction) -> usize {
        let parts = self.parts.iter();
        parts.map(|part| part.queries(direction).len()).sum()
    }
}

/// Position in `part` of each gallery index below `len`; `None` outside the part.
pub fn part_positions(part: &[u32], len: usize) -> Vec<Option<u32>> {
    let mut positions = vec![None; len];
    for (position, &index) in (0..).zip(part) {
        positions[index as usize] = Some(position);
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_items_of_the_same_part_compete() {
        let part = |images: &[u32], captions: &[u32]| Part {
            images: images.into(),
            captions: captions.into(),
        };
        let parts = vec![part(&[0, 2], &[1]), part(&[3], &[0, 3])];
        let mask = CandidateMask::new(parts, PerDirection { i2t: 4, t2i: 4 });
        assert_eq!(mask.part_index(Direction::I2t, 2), Some(0));
        assert_eq!(mask.part_index(Direction::I2t, 1), None);
        let competes =
            |direction, query: u32, item: u32| mask.competes(direction, query.into(), item.into());
        assert!(competes(Direction::T2i, 3, 3));
        assert!(!competes(Direction::T2i, 3, 0));
        assert!(!competes(Direction::I2t, 1, 2), "neither is in any part");
        assert_eq!([mask.query_count(Direction::I2t), mask.query_count(Direction::T2i)], [3, 3]);
        assert_eq!(part_positions(&[1, 3], 4), [None, Some(0), None, Some(1)]);
    }
}
