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
    /// All of them.
    pub const ALL: [Precision; 3] = [Precision::Half, Precision::Single, Precision::Double];

    /// The `numpy` name: `f2`, `f4` or `f8`.
    pub fn key(self) -> &'static str {
        match self {
            Precision::Half => "f2",
            Precision::Single => "f4",
            Precision::Double => "f8",
        }
    }

    /// Parses a key.
    pub fn named(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.key() == key)
    }

    /// Appends a number, rounded, little-endian.
    fn push(self, number: f64, bytes: &mut Vec<u8>) {
        match self {
            Precision::Half => bytes.extend(f16::from_f64(number).to_le_bytes()),
            Precision::Single => bytes.extend((number as f32).to_le_bytes()),
            Precision::Double => bytes.extend(number.to_le_bytes()),
        }
    }
}

/// Writes all scores as `.npy`, a row per image. `done` gets the number of images of each computed block. Each thread
/// computes a block; while these are written in order, the next ones are computed.
///
/// # Errors
/// Errors of `out`.
pub fn write<T: Scalar>(
    scores: &dyn Source<T>,
    precision: Precision,
    mut out: impl Write + Send,
    done: impl Fn(usize) + Sync,
) -> io::Result<()> {
    let [images, captions] = Direction::both(|direction| scores.side_len(direction));
    out.write_all(&header(&format!("<{}", precision.key()), [images, captions]))?;
    let step = scores.step(Direction::I2t);
    let starts: Vec<usize> = (0..images).step_by(step).collect();
    let mut made: Vec<Vec<u8>> = Vec::new();
    for batch in starts.chunks(parallel::threads()) {
        let make = |&start: &usize| {
            let images = start..images.min(start + step);
            let bytes = bytes(scores, precision, images.clone());
            done(images.len());
            bytes
        };
        let (next, written) = parallel::both(
            || parallel::map(batch, make),
            || made.iter().try_for_each(|block| out.write_all(block)),
        );
        written?;
        made = next;
    }
    made.iter().try_for_each(|block| out.write_all(block))?;
    out.flush()
}

/// The scores of some images, encoded.
fn bytes<T: Scalar>(scores: &dyn Source<T>, precision: Precision, images: Range<usize>) -> Vec<u8> {
    let queries: Vec<usize> = images.collect();
    let mut block = vec![T::zero(); queries.len() * scores.side_len(Direction::T2i)];
    scores.block(Direction::I2t, &queries, &mut block);
    let mut bytes = Vec::with_capacity(block.len() * size_of::<T>());
    for score in &block {
        precision.push(score.wide(), &mut bytes);
    }
    bytes
}

/// Beginning of a `.npy` file of a matrix in C order, before the data.
pub fn header(descr: &str, [rows, columns]: [usize; 2]) -> Vec<u8> {
    let text = npy::header(descr, false, &[rows, columns]);
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
            assert_eq!(matrix.of_query(Direction::I2t, image), row);
        }
    }
}
