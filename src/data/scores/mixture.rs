//! Two models mixed, cell by cell, without a third file.
//!
//! score = w1 * ((a - o1) / s1) + w2 * ((b - o2) / s2), in 64 bits and in this order, so that every way of reading
//! gives the same result, and the same formula in `NumPy`. Weights are neither 0 nor 1 here (see
//! [`super::ModelPair::model`]): an infinite score never meets a weight of 0.

use std::ops::Range;

use itm_explore_kernels::{Run, Term, mix};

use super::nan::{self, has_nan};
use super::{Buffer, ScoreMatrix, Scores, Source};
use crate::data::Direction;
use crate::data::candidate_mask::Part;
use crate::error::Error;

/// The weighted sum of the scores of two models of one gallery, each with a score for every item.
#[derive(Debug, Clone)]
pub struct Mixture {
    pub(super) parts: [MixedModel; 2],
}

/// One of the models of a mixture: its scores, with weight and scaling.
#[derive(Debug, Clone)]
pub(super) struct MixedModel {
    pub scores: Scores,
    /// File names, for messages.
    pub source: String,
    pub term: Term,
}

impl MixedModel {
    /// The scores of a row in `columns`, where rows are the queries of direction `rows`. If the file has the other
    /// orientation, each score is in another of its rows; a tile of rows reads the same cache lines. `single` or
    /// `double` is the buffer. Panics if the scores are no matrix.
    fn run<'a>(
        &'a self,
        rows: Direction,
        row: usize,
        columns: Range<usize>,
        (single, double): &'a mut (Vec<f32>, Vec<f64>),
    ) -> Run<'a> {
        let matrix = self.matrix().expect("only matrices have rows");
        if matrix.rows() != rows {
            matrix.gather_items(rows, row, columns, double);
            Run::Double(double)
        } else if matrix.is_double() {
            Run::Double(matrix.run(row, columns, double))
        } else {
            Run::Single(matrix.run(row, columns, single))
        }
    }

    /// The matrix file; `None` for scores in another form.
    fn matrix(&self) -> Option<&ScoreMatrix> {
        match &self.scores {
            Scores::Matrix(matrix) => Some(matrix),
            _ => None,
        }
    }
}

impl Mixture {
    /// The mixture over a part of the gallery. Scaling stays that of the whole.
    pub(super) fn within(&self, part: &Part) -> Self {
        let within =
            |one: &MixedModel| MixedModel { scores: one.scores.within(part), ..one.clone() };
        Mixture { parts: self.parts.each_ref().map(within) }
    }

    #[inline]
    fn terms(&self) -> [Term; 2] {
        self.parts.each_ref().map(|part| part.term)
    }

    /// The error of the first infinities of opposite sign in the rows of these queries; `None` without any.
    fn opposite_infinity_error(
        &self,
        rows: Direction,
        mut queries: impl Iterator<Item = usize>,
    ) -> Option<Error> {
        let mut row = vec![0.0; self.side_len(rows.flipped())];
        let query = queries.find(|&query| {
            self.block(rows, &[query], &mut row);
            has_nan(&row)
        })?;
        let place = nan::describe_cell(rows, query, row.iter().position(|score| score.is_nan())?);
        let [first, second] = &self.parts;
        let mixture = format!("the mixture of {} and {}", first.source, second.source);
        Some(
            Error::new(mixture, format!("infinities of opposite sign at {place}"))
                .expected("a sum that is a number, or an infinity, in every cell")
                .fix("numpy.clip(scores, least, most) makes them finite"),
        )
    }
}

impl Source<f64> for Mixture {
    fn side_len(&self, direction: Direction) -> usize {
        self.parts[0].scores.by_query(direction).query_count()
    }

    /// Rows of the first part, if both parts are matrices.
    fn row_direction(&self) -> Option<Direction> {
        let [first, second] = self.parts.each_ref().map(MixedModel::matrix);
        second.and(first).map(ScoreMatrix::rows)
    }

    fn segment<'a>(
        &'a self,
        row: usize,
        columns: Range<usize>,
        buffer: &'a mut Buffer<f64>,
    ) -> &'a [f64] {
        let rows = self.parts[0].matrix().expect("only matrices have rows").rows();
        let Buffer { cells, parts: [one, other] } = buffer;
        cells.resize(columns.len(), 0.0);
        let [first, second] = &self.parts;
        let runs =
            [first.run(rows, row, columns.clone(), one), second.run(rows, row, columns, other)];
        mix(runs, self.terms(), cells);
        cells
    }

    fn block(&self, direction: Direction, queries: &[usize], block: &mut [f64]) {
        let [first, second] = self.parts.each_ref().map(|part| part.scores.by_query(direction));
        let [mut a, mut b] = [vec![0.0; block.len()], vec![0.0; block.len()]];
        first.block(queries, &mut a);
        second.block(queries, &mut b);
        mix([Run::Double(&a), Run::Double(&b)], self.terms(), block);
    }

    fn item_scores(&self, direction: Direction, query: usize, items: &[u32]) -> Vec<f64> {
        let mut mixed = vec![0.0; items.len()];
        let [a, b] = self
            .parts
            .each_ref()
            .map(|part| part.scores.by_query(direction).item_scores(query, items));
        mix([Run::Double(&a), Run::Double(&b)], self.terms(), &mut mixed);
        mixed
    }

    fn is_symmetric(&self) -> bool {
        self.parts.iter().all(|part| !matches!(part.scores, Scores::Phi(_)))
    }

    /// The error of one of the two models, else of their sum.
    fn nan_error(&self, direction: Direction, queries: &[usize]) -> Option<Error> {
        let model_error = |part: &MixedModel| part.scores.query_nan_error(direction, queries);
        self.parts.iter().find_map(model_error).or_else(|| match self.row_direction() {
            Some(rows) => self.opposite_infinity_error(rows, 0..self.side_len(rows)),
            None => self.opposite_infinity_error(direction, queries.iter().copied()),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Embeddings, Model, ModelPair, Scaling, save};
    use super::*;
    use crate::data::npy::Npy;
    use crate::data::source::Source;

    /// From `f4`, as products are.
    fn npy(name: &str, cells: [f32; 4]) -> Npy {
        let mut file = save::header("<f4", [2, 2]);
        file.extend(cells.iter().flat_map(|cell| cell.to_le_bytes()));
        Npy::open(Arc::new(Source::in_memory(name, file))).unwrap()
    }

    /// Errors of a mixture of a matrix with products, for the queries 0 and 1 of both directions.
    fn nan_errors(matrix: [f32; 4], images: [f32; 4], captions: [f32; 4]) -> [Option<String>; 4] {
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
        let mixed = ModelPair::new(&a, &b).unwrap();
        let mixed = mixed.model(0.5, Scaling::Raw).unwrap();
        let of = |direction, query| {
            let error = mixed.scores.query_nan_error(direction, &[query])?;
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
        assert_eq!(nan_errors(UNIT, UNIT, UNIT), [const { None }; 4]);
        // A file is refused whatever the query.
        let of_file = nan_errors([0.0, f32::NAN, 0.0, 0.0], UNIT, UNIT);
        assert_said(of_file, "a.npy: NaN at image 0, caption 1 ", [true; 4]);
    }
}
