//! CIDEr-D as scores: retrieval by the captions of an image alone.

use std::sync::{Arc, LazyLock};

use super::Source;
use crate::data::Direction;
use crate::data::candidate_mask::Part;
use crate::data::cider::Cider;
use crate::error::Error;

/// phi of the images and captions of a gallery, or of a part of it, with document frequencies of the whole.
#[derive(Debug, Clone)]
pub struct Phi {
    cider: Arc<LazyLock<Cider, Indexing>>,
    /// Images and captions of the whole gallery.
    sides: [usize; 2],
    part: Option<Part>,
}

/// Indexes the captions.
type Indexing = Box<dyn FnOnce() -> Cider + Send>;

impl Phi {
    /// Of a whole gallery with these numbers of images and captions, indexed when phi is first used.
    pub fn new(sides: [usize; 2], index: impl FnOnce() -> Cider + Send + 'static) -> Self {
        Phi { cider: Arc::new(LazyLock::new(Box::new(index))), sides, part: None }
    }

    /// Indexes the captions, if not done yet.
    pub fn index(&self) {
        LazyLock::force(&self.cider);
    }

    /// phi of some items of a query.
    pub fn of_items(&self, direction: Direction, query: usize, items: &[u32]) -> Vec<f64> {
        let query = self.stored(direction, query);
        let of = |&item: &u32| {
            let item = self.stored(direction.flipped(), item as usize);
            match direction {
                Direction::I2t => self.cider.of_pair(item, query),
                Direction::T2i => self.cider.of_pair(query, item),
            }
        };
        items.iter().map(of).collect()
    }

    pub(super) fn within(&self, part: &Part) -> Self {
        let side = |direction: Direction| {
            let places = part.queries(direction).iter();
            places.map(|&at| self.stored(direction, at as usize) as u32).collect()
        };
        Phi {
            cider: self.cider.clone(),
            sides: self.sides,
            part: Some(Part { images: side(Direction::I2t), captions: side(Direction::T2i) }),
        }
    }

    /// The index in the whole gallery of a query of a direction.
    fn stored(&self, direction: Direction, place: usize) -> usize {
        let part = self.part.as_ref();
        part.map_or(place, |part| part.queries(direction)[place] as usize)
    }
}

impl Source<f64> for Phi {
    fn side_len(&self, direction: Direction) -> usize {
        let whole = self.sides[usize::from(direction == Direction::T2i)];
        self.part.as_ref().map_or(whole, |part| part.queries(direction).len())
    }

    fn block(&self, direction: Direction, queries: &[usize], block: &mut [f64]) {
        let stored: Vec<usize> =
            queries.iter().map(|&query| self.stored(direction, query)).collect();
        let scores = match direction {
            Direction::I2t => self.cider.of_images(&stored),
            Direction::T2i => self.cider.of_captions(&stored),
        };
        let Some(part) = &self.part else {
            return block.copy_from_slice(&scores);
        };
        let items = part.items(direction);
        let whole = scores.len() / queries.len().max(1);
        let rows =
            scores.chunks_exact(whole.max(1)).zip(block.chunks_exact_mut(items.len().max(1)));
        for (row, own) in rows {
            own.iter_mut().zip(&**items).for_each(|(own, &item)| *own = row[item as usize]);
        }
    }

    fn is_symmetric(&self) -> bool {
        false
    }

    fn nan_error(&self, _: Direction, _: &[usize]) -> Option<Error> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::cider::CiderOptions;

    const TEXTS: [&str; 6] = [
        "a dog runs",
        "the dog runs fast",
        "two cats sleep",
        "a cat sleeps here",
        "a red bus",
        "the bus is red",
    ];

    fn phi() -> Phi {
        let own = [vec![0, 1], vec![2, 3], vec![4, 5]];
        Phi::new([3, 6], move || Cider::new(&TEXTS, &own, CiderOptions::default()))
    }

    /// Both directions, in the whole and in a part, pair by pair.
    #[test]
    fn blocks_are_the_pairs() {
        let part = Part { images: [0, 2].into(), captions: [1, 2, 5].into() };
        for phi in [
            phi(),
            phi().within(&part),
            phi().within(&part).within(&Part { images: [1].into(), captions: [0, 2].into() }),
        ] {
            for direction in Direction::BOTH {
                let queries: Vec<usize> = (0..phi.side_len(direction)).rev().collect();
                let items: Vec<u32> = (0..phi.side_len(direction.flipped()) as u32).collect();
                let mut block = vec![0.0; queries.len() * items.len()];
                phi.block(direction, &queries, &mut block);
                for (row, query) in block.chunks(items.len()).zip(queries) {
                    let pairs = phi.of_items(direction, query, &items);
                    assert_eq!(row.len(), pairs.len());
                    assert!(row.iter().zip(pairs).all(|(a, b)| (a - b).abs() < 1e-12));
                }
            }
        }
    }
}
