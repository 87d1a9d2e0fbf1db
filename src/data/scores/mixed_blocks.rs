//! Two models mixed a block of queries at a time, where the scores of one of them are in no file.

use ndarray::Array2;

use super::mixture::{self, Term};
use super::{Blocks, Rows, Scores};
use crate::data::Direction;
use crate::data::candidate_mask::Part as OfGallery;
use crate::error::Error;

/// The weighted sum of the scores of two models of the same gallery.
#[derive(Debug, Clone)]
pub struct MixedBlocks {
    pub(super) parts: [Part; 2],
}

/// Scores with what becomes of them.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub scores: Computable,
    /// Where they come from, for messages.
    pub source: String,
    pub term: Term,
}

/// Scores of every item for every query, made block by block.
#[derive(Debug, Clone)]
pub(super) struct Computable(Scores);

impl Computable {
    /// `None` where some items have no score, or where scores are mixed already.
    pub fn of(scores: &Scores) -> Option<Self> {
        scores.blocks()?;
        Some(Computable(scores.clone()))
    }

    pub fn scores(&self) -> &Scores {
        &self.0
    }

    /// The same, block by block.
    pub fn blocks(&self) -> &dyn Blocks<f64> {
        self.0.blocks().expect("looked at when it was made")
    }
}

impl Scores {
    /// Scores of every item, made block by block whatever form they are in; `None` where some items have none,
    /// and for mixtures.
    fn blocks(&self) -> Option<&dyn Blocks<f64>> {
        match self {
            Scores::Matrix(matrix) => Some(matrix.as_ref()),
            Scores::Embeddings(embeddings) => Some(embeddings.as_ref()),
            Scores::Phi(phi) => Some(phi.as_ref()),
            Scores::Two(_) | Scores::Mixture(_) | Scores::Lists(_) => None,
        }
    }
}

impl MixedBlocks {
    /// How scores are scaled stays as it is over the whole gallery.
    pub(super) fn within(&self, of_gallery: &OfGallery) -> Self {
        let within = |part: &Part| Part {
            scores: Computable(part.scores.0.within(of_gallery)),
            ..part.clone()
        };
        MixedBlocks { parts: self.parts.each_ref().map(within) }
    }

    /// The first cell of a file that is no number, as an error.
    pub(super) fn nan_error(&self, direction: Direction) -> Option<Error> {
        let of_part = |part: &Part| part.scores.0.nan_error(direction);
        self.parts.iter().find_map(of_part)
    }
}

impl Blocks<f64> for MixedBlocks {
    fn side_len(&self, direction: Direction) -> usize {
        self.parts[0].scores.blocks().side_len(direction)
    }

    fn block_len(&self, direction: Direction) -> usize {
        let [one, other] = self.parts.each_ref();
        let [one, other] = [one, other].map(|part| part.scores.blocks().block_len(direction));
        one.min(other)
    }

    fn block(&self, direction: Direction, queries: &[usize]) -> Array2<f64> {
        let [first, second] = self.parts.each_ref();
        let terms = [first.term, second.term];
        let [mut mixed, second] =
            [first, second].map(|part| part.scores.blocks().block(direction, queries));
        let mut row = vec![0.0; mixed.ncols()];
        for (mut first, second) in mixed.rows_mut().into_iter().zip(second.rows()) {
            let first = first.as_slice_mut().expect("a block has contiguous rows");
            let second = second.to_slice().expect("a block has contiguous rows");
            mixture::mix(first, second, terms, &mut row);
            first.copy_from_slice(&row);
        }
        mixed
    }

    /// Of one of the two, else of their sum.
    fn nan_error_at(&self, direction: Direction, query: usize) -> Error {
        let of_part = |part: &Part| part.scores.blocks().nan_error_among(direction, &[query]);
        let of_sum = || {
            let row = self.block(direction, &[query]);
            let item = row.iter().position(|score| score.is_nan());
            let rows = match direction {
                Direction::I2t => Rows::Images,
                Direction::T2i => Rows::Captions,
            };
            let sources = self.parts.each_ref().map(|part| part.source.clone());
            mixture::opposed_error(sources, rows, query, item.unwrap_or_default())
        };
        self.parts.iter().find_map(of_part).unwrap_or_else(of_sum)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Embeddings, Model, ModelPair, Scaling, ScoreMatrix, save};
    use super::*;
    use crate::data::npy::Npy;
    use crate::data::source::Source;

    /// Of `f4`, whose products are.
    fn npy(name: &str, cells: [f32; 4]) -> Npy {
        let mut file = save::header("<f4", [2, 2]);
        file.extend(cells.iter().flat_map(|cell| cell.to_le_bytes()));
        Npy::open(Arc::new(Source::in_memory(name, file))).unwrap()
    }

    /// What is said of a mixture of a matrix with products, for the queries 0 and 1 of both directions.
    fn said(matrix: [f32; 4], images: [f32; 4], captions: [f32; 4]) -> [Option<String>; 4] {
        let model =
            |name: &str, scores| Model { name: name.into(), source: format!("{name}.npy"), scores };
        let matrix = ScoreMatrix::new(npy("a.npy", matrix), false).unwrap();
        let [images, captions] =
            [("i.npy", images), ("c.npy", captions)].map(|(name, of)| npy(name, of));
        let products = Embeddings::new(&images, &captions, false).unwrap();
        let [a, b] = [
            model("a", Scores::Matrix(Arc::new(matrix))),
            model("b", Scores::Embeddings(Arc::new(products))),
        ];
        let mixed = ModelPair::of(&a, &b).unwrap();
        let mixed = mixed.model(0.5, Scaling::Raw).unwrap();
        let of = |direction, query| {
            let error = mixed.scores.nan_error_of(direction, &[query])?;
            Some(error.to_string())
        };
        let [i2t, t2i] = Direction::BOTH;
        [of(i2t, 0), of(i2t, 1), of(t2i, 0), of(t2i, 1)]
    }

    #[test]
    fn what_is_no_number_is_named() {
        const UNIT: [f32; 4] = [1.0, 0.0, 0.0, 1.0];
        let assert_said = |found: [Option<String>; 4], part: &str, at: [bool; 4]| {
            let is = found.each_ref().map(|one| one.as_ref().is_some_and(|one| one.contains(part)));
            assert_eq!(is, at, "{found:?}");
        };
        assert_eq!(said(UNIT, UNIT, UNIT), [const { None }; 4]);
        // A file is refused whichever query has it.
        let of_file = said([0.0, f32::NAN, 0.0, 0.0], UNIT, UNIT);
        assert_said(of_file, "a.npy: NaN at image 0, caption 1 ", [true; 4]);
    }
}
