//! Scores of embeddings as a `.npy` file.

use std::io::{self, Write};
use std::ops::Range;

use rayon::prelude::*;

use super::embeddings::Product;
use super::scalar::Scalar;
use crate::data::Direction;
use crate::data::npy::MAGIC;

/// Writes all scores, images first. Each thread makes a block; while these are written in their
/// order, the next ones are made.
pub(super) fn write<T: Scalar>(product: &Product<T>, mut out: impl Write + Send) -> io::Result<()> {
    let [images, captions] = Direction::BOTH.map(|direction| product.side(direction).nrows());
    out.write_all(&header(T::DESCR, [images, captions]))?;
    let step = product.block_len(Direction::I2t);
    let starts: Vec<usize> = (0..images).step_by(step).collect();
    let mut made: Vec<Vec<u8>> = Vec::new();
    for batch in starts.chunks(rayon::current_num_threads()) {
        let make = |&start: &usize| bytes(product, start..images.min(start + step));
        let (next, written) = rayon::join(
            || batch.par_iter().map(make).collect(),
            || made.iter().try_for_each(|block| out.write_all(block)),
        );
        written?;
        made = next;
    }
    made.iter().try_for_each(|block| out.write_all(block))?;
    out.flush()
}

/// The scores of some images, as the file has them.
fn bytes<T: Scalar>(product: &Product<T>, images: Range<usize>) -> Vec<u8> {
    let queries: Vec<usize> = images.collect();
    let block = product.block(Direction::I2t, &queries);
    let mut bytes = Vec::with_capacity(block.len() * size_of::<T>());
    for score in &block {
        bytes.extend_from_slice(score.bytes().as_ref());
    }
    bytes
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
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let mut block_by_block = Vec::new();
        let write_again = || write(&single(), &mut block_by_block);
        alone.unwrap().install(write_again).unwrap();
        assert!(file == block_by_block);
        let source = crate::data::source::Source::in_memory("s.npy", file);
        let matrix = ScoreMatrix::new(Npy::open(source.into()).unwrap(), false).unwrap();
        assert_eq!((matrix.images(), matrix.captions()), (301, 45));
        for image in 0..301 {
            let row = single().of_query(Direction::I2t, image);
            assert_eq!(matrix.of_query(Direction::I2t, image), row);
        }
    }
}
