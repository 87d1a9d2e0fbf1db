//! Scores of embeddings as a `.npy` file.

use std::io::{self, Write};

use super::embeddings::Product;
use super::scalar::Scalar;
use crate::data::Direction;
use crate::data::npy::MAGIC;

/// Writes all scores, images first, a block at a time.
pub(super) fn write<T: Scalar>(product: &Product<T>, mut out: impl Write) -> io::Result<()> {
    let [images, captions] = Direction::BOTH.map(|direction| product.side(direction).nrows());
    out.write_all(&header(T::DESCR, [images, captions]))?;
    let step = product.block_len(Direction::I2t);
    for start in (0..images).step_by(step) {
        let queries: Vec<usize> = (start..images.min(start + step)).collect();
        let block = product.block(Direction::I2t, &queries);
        for score in &block {
            out.write_all(score.bytes().as_ref())?;
        }
    }
    out.flush()
}

/// The beginning of a `.npy` file of a matrix in C order, up to its data.
pub fn header(descr: &str, [rows, columns]: [usize; 2]) -> Vec<u8> {
    let text =
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    let start = MAGIC.len() + 4;
    let padded = (start + text.len() + 1).next_multiple_of(64) - start;
    let mut header = MAGIC.to_vec();
    header.extend([1, 0]);
    header.extend((padded as u16).to_le_bytes());
    header.extend(format!("{text:<width$}\n", width = padded - 1).bytes());
    header
}

#[cfg(test)]
mod tests {
    use super::super::ScoreMatrix;
    use super::super::embeddings::tests::single;
    use super::*;
    use crate::data::npy::Npy;

    #[test]
    fn saved_scores_are_a_readable_matrix() {
        let mut file = Vec::new();
        write(&single(), &mut file).unwrap();
        let source = crate::data::source::Source::in_memory("s.npy", file);
        let matrix = ScoreMatrix::new(Npy::open(source.into()).unwrap(), false).unwrap();
        assert_eq!((matrix.images(), matrix.captions()), (301, 45));
        let row = single().of_query(Direction::I2t, 300);
        assert_eq!(matrix.of_query(Direction::I2t, 300), row);
    }
}
