//! Saves computed scores as a `.npy` file.

use std::io::{self, Write};
use std::ops::Range;

use half::f16;

use super::{Scalar, Source};
use crate::data::Direction;
use crate::data::npy::{self, MAGIC};
use crate::data::parallel;

/// Number format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// 16 bits.
    Half,
    /// 32 bits.
    Single,
    /// 64 bits.
    Double,
}

impl Precision {
    /// All precisions, the lowest first.
    pub const ALL: [Precision; 3] = [Precision::Half, Precision::Single, Precision::Double];

    /// The `numpy` name: `f2`, `f4` or `f8`.
    pub fn key(self) -> &'static str {
        match self {
            Precision::Half => "f2",
            Precision::Single => "f4",
            Precision::Double => "f8",
        }
    }

    /// Appends a number to `bytes`, rounded to this precision, little-endian.
    fn push(self, number: f64, bytes: &mut Vec<u8>) {
        match self {
            Precision::Half => bytes.extend(f16::from_f64(number).to_le_bytes()),
            Precision::Single => bytes.extend((number as f32).to_le_bytes()),
            Precision::Double => bytes.extend(number.to_le_bytes()),
        }
    }
}

/// Writes all scores as `.npy`, a row per image. `report_done` gets the number of images of each computed block. Every
/// thread computes a block; while these are written in order, the next ones are computed.
///
/// # Errors
/// Errors of `out`.
pub fn write<T: Scalar>(
    scores: &dyn Source<T>,
    precision: Precision,
    mut out: impl Write + Send,
    report_done: impl Fn(usize) + Sync,
) -> io::Result<()> {
    let [images, captions] = Direction::both(|direction| scores.side_len(direction));
    out.write_all(&header(&format!("<{}", precision.key()), [images, captions]))?;
    let step = scores.step(Direction::I2t);
    let starts: Vec<usize> = (0..images).step_by(step).collect();
    let mut encoded: Vec<Vec<u8>> = Vec::new();
    for batch in starts.chunks(parallel::threads()) {
        let encode_block = |&start: &usize| {
            let images = start..images.min(start + step);
            let rows = encode(scores, precision, images.clone());
            report_done(images.len());
            rows
        };
        let (next, written) = parallel::both(
            || parallel::map(batch, encode_block),
            || encoded.iter().try_for_each(|block| out.write_all(block)),
        );
        written?;
        encoded = next;
    }
    encoded.iter().try_for_each(|block| out.write_all(block))?;
    out.flush()
}

/// Encodes some rows of the matrix: the scores of images with all captions.
fn encode<T: Scalar>(scores: &dyn Source<T>, precision: Precision, rows: Range<usize>) -> Vec<u8> {
    let queries: Vec<usize> = rows.collect();
    let mut block = vec![T::zero(); queries.len() * scores.side_len(Direction::T2i)];
    scores.block(Direction::I2t, &queries, &mut block);
    let mut bytes = Vec::with_capacity(block.len() * size_of::<T>());
    for score in &block {
        precision.push(score.wide(), &mut bytes);
    }
    bytes
}

/// The bytes before the data in a `.npy` file of a matrix in C order; `descr` is the number format, such as `<f4`.
pub fn header(descr: &str, [rows, columns]: [usize; 2]) -> Vec<u8> {
    let text = npy::format_header(descr, false, &[rows, columns]);
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
    use super::super::embeddings::tests::{row, single};
    use super::*;
    use crate::data::npy::Npy;

    #[test]
    fn saved_scores_are_a_readable_matrix() {
        let mut file = Vec::new();
        let single_of = |out: &mut Vec<u8>| write(&single(), Precision::Single, out, |_| ());
        single_of(&mut file).unwrap();
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let mut block_by_block = Vec::new();
        let write_again = || single_of(&mut block_by_block);
        alone.unwrap().install(write_again).unwrap();
        assert!(file == block_by_block);
        let source = crate::data::source::Source::in_memory("s.npy", file);
        let matrix = ScoreMatrix::new(Npy::open(source.into()).unwrap(), false).unwrap();
        assert_eq!((matrix.images(), matrix.captions()), (301, 45));
        for image in 0..301 {
            let row = row(&single(), Direction::I2t, image);
            assert_eq!(matrix.query_scores(Direction::I2t, image), row);
        }
    }
}
