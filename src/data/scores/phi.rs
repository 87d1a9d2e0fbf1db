//! CIDEr-D as scores: a model that only compares captions.

use std::sync::{Arc, LazyLock};

use super::Source;
use crate::data::Direction;
use crate::data::candidate_mask::Part;
use crate::data::cider::Cider;
use crate::error::Error;

/// phi, the CIDEr-D similarity of a caption with an image's captions, for all pairs of a gallery or of a part of it.
/// Document frequencies are those of the whole gallery.
#[derive(Debug, Clone)]
pub struct Phi {
    cider: Arc<LazyLock<Cider, Indexing>>,
    /// Numbers of images and captions of the whole gallery.
    sizes: [usize; 2],
    part: Option<Part>,
}

/// Indexes the captions of the whole gallery.
type Indexing = Box<dyn FnOnce() -> Cider + Send>;

impl Phi {
    /// phi of a whole gallery; `sizes` are its numbers of images and captions. `index` runs when phi is first used.
    pub fn new(sizes: [usize; 2], index: impl FnOnce() -> Cider + Send + 'static) -> Self {
        Phi { cider: Arc::new(LazyLock::new(Box::new(index))), sizes, part: None }
    }

    /// Indexes the captions now, unless that is done already.
    pub fn index(&self) {
        LazyLock::force(&self.cider);
    }

    /// phi of a query with some items.
    pub fn query_phis(&self, direction: Direction, query: usize, items: &[u32]) -> Vec<f64> {
        let query = self.whole_index(direction, query);
        let phi = |&item: &u32| {
            let item = self.whole_index(direction.flipped(), item as usize);
            match direction {
                Direction::I2t => self.cider.phi(item, query),
                Direction::T2i => self.cider.phi(query, item),
            }
        };
        items.iter().map(phi).collect()
    }

    /// phi of a part of the gallery.
    pub(super) fn within(&self, part: &Part) -> Self {
        let indices = |direction: Direction| {
            let places = part.queries(direction).iter();
            places.map(|&at| self.whole_index(direction, at as usize) as u32).collect()
        };
        Phi {
            cider: self.cider.clone(),
            sizes: self.sizes,
            part: Some(Part { images: indices(Direction::I2t), captions: indices(Direction::T2i) }),
        }
    }

    /// The index in the whole gallery of the query at `index` in the part.
    fn whole_index(&self, direction: Direction, index: usize) -> usize {
        let part = self.part.as_ref();
        part.map_or(index, |part| part.queries(direction)[index] as usize)
    }
}

impl Source<f64> for Phi {
    fn side_len(&self, direction: Direction) -> usize {
        let whole = self.sizes[usize::from(direction == Direction::T2i)];
        self.part.as_ref().map_or(whole, |part| part.queries(direction).len())
    }

    fn block(&self, direction: Direction, queries: &[usize], block: &mut [f64]) {
        let indices: Vec<usize> =
            queries.iter().map(|&query| self.whole_index(direction, query)).collect();
        let scores = match direction {
            Direction::I2t => self.cider.rows_of_images(&indices),
            Direction::T2i => self.cider.rows_of_captions(&indices),
        };
        let Some(part) = &self.part else {
            return block.copy_from_slice(&scores);
        };
        let items = part.items(direction);
        let width = scores.len() / queries.len().max(1);
        let rows =
            scores.chunks_exact(width.max(1)).zip(block.chunks_exact_mut(items.len().max(1)));
        for (row, part_row) in rows {
            part_row.iter_mut().zip(&**items).for_each(|(cell, &item)| *cell = row[item as usize]);
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
                    let pairs = phi.query_phis(direction, query, &items);
                    assert_eq!(row.len(), pairs.len());
                    assert!(row.iter().zip(pairs).all(|(a, b)| (a - b).abs() < 1e-12));
                }
            }
        }
    }
}
