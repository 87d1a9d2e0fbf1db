//! Scores that are dot products of embeddings, computed a block of queries at a time.
//!
//! The whole matrix is never held: at most [`BLOCK_BYTES`] of scores a thread, three times that
//! while they are written. The products are those of `ndarray` (the `matrixmultiply` kernels), in
//! `f32`, or in `f64` where a file has `f8`. A score does not depend on the block that it is computed
//! in.

use std::io::{self, Write};

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayRef2, ArrayView1, ArrayView2, Axis};

use super::save::{self, Precision};
use super::scalar::{self, Scalar};
use super::{Blocks, ScoreMatrix, fold};
use crate::data::Direction;
use crate::data::candidate_mask::Part;
use crate::data::npy::{Element, Npy};
use crate::data::parallel;
use crate::data::text::grouped;
use crate::error::{Error, Result};

/// Most bytes of scores that one thread holds.
pub const BLOCK_BYTES: usize = 16 << 20;
/// Most queries in a block: more gain nothing.
const BLOCK_QUERIES: usize = 256;

/// The embeddings of both sides, in one precision.
#[derive(Debug, Clone)]
pub enum Embeddings {
    /// From `f2`, bfloat16 and `f4` files.
    Single(Product<f32>),
    /// Where one of the files has `f8`.
    Double(Product<f64>),
}

/// Embeddings whose dot products are the scores.
#[derive(Debug, Clone)]
pub struct Product<T> {
    /// Images x dimensions.
    images: Array2<T>,
    /// Captions x dimensions.
    captions: Array2<T>,
}

/// The same of embeddings of either type.
macro_rules! either {
    ($embeddings:expr, $product:ident => $of:expr) => {
        match $embeddings {
            Embeddings::Single($product) => $of,
            Embeddings::Double($product) => $of,
        }
    };
}

impl Embeddings {
    /// Reads the embeddings of both sides; with `cosine` they are scaled to length one.
    ///
    /// # Errors
    /// Arrays that are no matrices of floats, of different dimensions, or that hold NaN or infinity;
    /// with `cosine` also an embedding of length zero.
    pub fn new(images: &Npy, captions: &Npy, cosine: bool) -> Result<Self> {
        let tables = [table_file(images)?, table_file(captions)?];
        let [of_images, of_captions] = [images, captions].map(|npy| npy.shape[1]);
        if of_images != of_captions {
            let name = captions.source().display();
            return Err(Error::new(name, format!("embeddings of {of_captions} dimensions"))
                .expected(format!("{of_images}, as in {}", images.source().display()))
                .mend("name the two files that one model wrote"));
        }
        Ok(if tables.iter().any(ScoreMatrix::is_double) {
            Embeddings::Double(Product::new(&tables, cosine)?)
        } else {
            Embeddings::Single(Product::new(&tables, cosine)?)
        })
    }

    /// Number of queries of a direction.
    pub fn side_len(&self, direction: Direction) -> usize {
        either!(self, product => product.side(direction).nrows())
    }

    /// The least and the greatest length of an embedding of either side, those of length zero aside; 0 and
    /// 0 where there are none.
    pub fn lengths(&self) -> [f64; 2] {
        either!(self, product => product.lengths())
    }

    /// The scores of one query.
    pub fn of_query(&self, direction: Direction, query: usize) -> Vec<f64> {
        either!(self, product => product.of_query(direction, query))
    }

    /// The scores of some queries, computed together.
    pub fn of_queries(&self, direction: Direction, queries: &[usize]) -> Vec<Vec<f64>> {
        either!(self, product => product.of_queries(direction, queries))
    }

    /// Keeps each image once where it stands once for each of its captions, and tells how often it stood:
    /// there are as many images as captions, in runs of copies that are equal up to rounding.
    pub fn fold_repeated_images(&mut self) -> Option<usize> {
        either!(self, product => product.fold_repeated_images())
    }

    /// Writes all scores as `.npy`, images first.
    ///
    /// # Errors
    /// As writing.
    pub fn write_scores(&self, out: impl Write + Send) -> io::Result<()> {
        match self {
            Embeddings::Single(product) => save::write(product, Precision::Single, out, |_| ()),
            Embeddings::Double(product) => save::write(product, Precision::Double, out, |_| ()),
        }
    }
}

impl Blocks<f64> for Embeddings {
    fn side_len(&self, direction: Direction) -> usize {
        self.side_len(direction)
    }

    fn block_len(&self, direction: Direction) -> usize {
        either!(self, product => product.block_len(direction))
    }

    fn block(&self, direction: Direction, queries: &[usize]) -> Array2<f64> {
        match self {
            Embeddings::Single(product) => product.block(direction, queries).mapv(f64::from),
            Embeddings::Double(product) => product.block(direction, queries),
        }
    }

    fn nan_error_at(&self, direction: Direction, query: usize) -> Error {
        product_error(direction, query)
    }
}

/// Lengths are checked where files are read: no more than rounding can overflow.
fn product_error(direction: Direction, query: usize) -> Error {
    Error::new(
        "embeddings",
        format!("the products of {direction} query {} are not numbers", grouped(query)),
    )
    .expected("embeddings whose dot products are finite")
    .mend("--cosine scales them to length one")
}

/// The file as a matrix that can be read run by run.
fn table_file(npy: &Npy) -> Result<ScoreMatrix> {
    if !npy.element.is_float() || npy.shape.len() != 2 {
        let error = Error::new(npy.source().display(), "no embeddings")
            .expected("a matrix of floats (f2, bf16, f4 or f8): one row for each image or caption");
        let is_whole = matches!(npy.element, Element::Int { .. });
        return Err(if is_whole && npy.shape.len() == 2 {
            error.mend("save it as embeddings.astype('float32')")
        } else {
            error
        });
    }
    ScoreMatrix::new(npy.clone(), false)
}

impl<T: Scalar> Product<T> {
    fn new([images, captions]: &[ScoreMatrix; 2], cosine: bool) -> Result<Self> {
        let read = |file: &ScoreMatrix| {
            let mut table = scalar::table(file);
            scalar::check(&mut table, cosine, &file.npy().source().display())?;
            Ok(table)
        };
        let product = Product { images: read(images)?, captions: read(captions)? };
        product.check_range(captions)?;
        Ok(product)
    }

    /// Refuses lengths whose products the number type does not hold, on the safe side: a dot product is
    /// at most the product of the lengths.
    fn check_range(&self, captions: &ScoreMatrix) -> Result<()> {
        let [images, texts] = Direction::both(|direction| lengths(&self.side(direction)));
        let [Some(images), Some(texts)] = [images, texts] else {
            return Ok(());
        };
        let largest = images[1] * texts[1];
        let smallest = (images[0] * texts[1]).min(images[1] * texts[0]);
        let found = if largest >= T::largest() {
            format!("dot products of up to {largest:.1e}")
        } else if smallest < T::smallest() {
            format!("dot products of at most {smallest:.1e} for some embeddings")
        } else {
            return Ok(());
        };
        let bits = 8 * size_of::<T>();
        Err(Error::new(captions.npy().source().display(), found)
            .expected(format!(
                "products between {:.1e} and {:.1e}, which a {bits}-bit float holds",
                T::smallest(),
                T::largest()
            ))
            .mend(
                "--cosine scales the embeddings to length one; or save them as .astype('float64')",
            ))
    }

    /// The embeddings of a direction's queries.
    pub fn side(&self, direction: Direction) -> ArrayView2<'_, T> {
        match direction {
            Direction::I2t => self.images.view(),
            Direction::T2i => self.captions.view(),
        }
    }

    /// The scores of one query.
    pub fn of_query(&self, direction: Direction, query: usize) -> Vec<f64> {
        let row = self.block(direction, &[query]);
        row.iter().map(|score| score.wide()).collect()
    }

    /// The scores of images with captions, in the order of the images.
    pub fn scores(&self, pairs: &[(u32, u32)]) -> Vec<T> {
        let parts: Vec<&[(u32, u32)]> = pairs.chunks(GATHERED).collect();
        let of_part = |part: &&[(u32, u32)]| {
            let [images, captions] = [side_of(part, |pair| pair.0), side_of(part, |pair| pair.1)];
            let scores =
                multiplied(&self.images, &images, &self.captions.select(Axis(0), &captions));
            let place = |side: &[usize], at: u32| {
                side.binary_search(&(at as usize)).expect("every side of a pair is there")
            };
            let score = |&(image, caption): &(u32, u32)| {
                scores[[place(&images, image), place(&captions, caption)]]
            };
            part.iter().map(score).collect::<Vec<T>>()
        };
        parallel::map(&parts, of_part).concat()
    }

    fn lengths(&self) -> [f64; 2] {
        let of_sides = Direction::both(|direction| lengths(&self.side(direction)));
        let ends = of_sides.into_iter().flatten();
        let ends = ends.reduce(|one, other| [one[0].min(other[0]), one[1].max(other[1])]);
        ends.unwrap_or_default()
    }

    /// The embeddings of a part of the gallery, copied.
    pub(super) fn within(&self, part: &Part) -> Self {
        let of = |table: &Array2<T>, places: &[u32]| {
            let places: Vec<usize> = places.iter().map(|&at| at as usize).collect();
            table.select(Axis(0), &places)
        };
        Product {
            images: of(&self.images, &part.images),
            captions: of(&self.captions, &part.captions),
        }
    }

    fn fold_repeated_images(&mut self) -> Option<usize> {
        let images = &self.images;
        let rows = images.nrows();
        let row = |at: usize| images.row(at).iter().map(|cell| cell.wide()).collect::<Vec<_>>();
        let is_copy = |one: usize, other: usize| {
            images.row(one) == images.row(other)
                || fold::are_copies(&row(one), &row(other), fold::rounding(Element::Float(4)))
        };
        let are_runs = |length: usize| (0..rows).all(|at| is_copy(at - at % length, at));
        let is_by_caption = rows == self.captions.nrows();
        let found = fold::run_length(rows, |at| is_copy(0, at), are_runs);
        let length = found.filter(|_| is_by_caption)?;
        let kept: Vec<usize> = (0..rows).step_by(length).collect();
        self.images = self.images.select(Axis(0), &kept);
        Some(length)
    }
}

/// The least and the greatest length of embeddings, those of length zero aside; `None` without any.
fn lengths<T: Scalar>(side: &ArrayView2<'_, T>) -> Option<[f64; 2]> {
    let squares = |row: ArrayView1<'_, T>| row.iter().map(|cell| cell.wide().powi(2)).sum::<f64>();
    let lengths = side.rows().into_iter().map(|row| squares(row).sqrt());
    let ends = lengths.filter(|length| *length > 0.0).map(|length| [length; 2]);
    ends.reduce(|one, other| [one[0].min(other[0]), one[1].max(other[1])])
}

impl<T: Scalar> Blocks<T> for Product<T> {
    fn side_len(&self, direction: Direction) -> usize {
        self.side(direction).nrows()
    }

    fn block_len(&self, direction: Direction) -> usize {
        let row = self.side_len(direction.flipped()) * size_of::<T>();
        (BLOCK_BYTES / row.max(1)).clamp(1, BLOCK_QUERIES)
    }

    fn block(&self, direction: Direction, queries: &[usize]) -> Array2<T> {
        multiplied(&self.side(direction), queries, &self.side(direction.flipped()))
    }

    fn nan_error_at(&self, direction: Direction, query: usize) -> Error {
        product_error(direction, query)
    }
}

/// Pairs whose scores are looked up together: their captions are few enough for a small product.
const GATHERED: usize = 512;

/// One side of pairs, each once, ascending.
fn side_of(pairs: &[(u32, u32)], of: impl Fn(&(u32, u32)) -> u32) -> Vec<usize> {
    let mut side: Vec<usize> = pairs.iter().map(|pair| of(pair) as usize).collect();
    side.sort_unstable();
    side.dedup();
    side
}

/// The dot products of some queries with all items.
fn multiplied<T: Scalar>(
    queries: &ArrayRef2<T>,
    places: &[usize],
    items: &ArrayRef2<T>,
) -> Array2<T> {
    let queries = queries.select(Axis(0), places);
    // Not `dot`, which lays some products out by columns.
    let mut scores = Array2::zeros((queries.nrows(), items.nrows()));
    general_mat_mul(T::one(), &queries, &items.t(), T::zero(), &mut scores);
    scores
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    fn npy(shape: [usize; 2], cells: &[f64]) -> Npy {
        Npy::in_memory("e.npy", shape, cells.iter().copied())
    }

    pub fn single() -> Product<f32> {
        let wave = |n: usize| (0..n).map(|i| ((i * i + 7) as f64 * 0.618).sin() as f32).collect();
        Product {
            images: Array2::from_shape_vec((301, 67), wave(301 * 67)).unwrap(),
            captions: Array2::from_shape_vec((45, 67), wave(45 * 67)).unwrap(),
        }
    }

    #[test]
    fn scores_are_dot_products_and_cosine_scales() {
        let (images, captions) = (npy([1, 2], &[3.0, 4.0]), npy([2, 2], &[1.0, 0.0, 0.0, 2.0]));
        let plain = Embeddings::new(&images, &captions, false).unwrap();
        assert_eq!(plain.of_query(Direction::I2t, 0), [3.0, 8.0]);
        assert_eq!(plain.of_query(Direction::T2i, 1), [8.0]);
        let cosine = Embeddings::new(&images, &captions, true).unwrap();
        assert_eq!(cosine.of_query(Direction::I2t, 0), [0.6, 0.8]);
    }

    #[test]
    fn a_score_does_not_depend_on_its_block() {
        let product = single();
        for direction in Direction::BOTH {
            let queries: Vec<usize> = (0..product.side(direction).nrows()).collect();
            let whole = product.block(direction, &queries);
            for query in queries {
                let alone: Vec<f64> = product.of_query(direction, query);
                let row: Vec<f64> = whole.row(query).iter().map(|&s| s.into()).collect();
                assert_eq!(alone, row);
            }
        }
        let [by_image, by_caption] = Direction::both(|direction| {
            let queries: Vec<usize> = (0..product.side_len(direction)).collect();
            product.block(direction, &queries)
        });
        assert_eq!(by_image, by_caption.t());
        let pairs: Vec<(u32, u32)> = (0..2_000).map(|at| (at / 7, at * 31 % 45)).collect();
        let expected =
            pairs.iter().map(|&(image, caption)| by_image[[image as usize, caption as usize]]);
        assert_eq!(product.scores(&pairs), expected.collect::<Vec<f32>>());
    }

    #[test]
    fn images_that_stand_once_for_each_caption_are_folded() {
        let images = |copies: usize| [vec![[1.0, 2.0]; copies], vec![[3.0, 4.0]; copies]].concat();
        let fold = |rows: &[[f64; 2]], captions: usize| {
            let captions = npy([captions, 2], &vec![1.0; captions * 2]);
            let images = npy([rows.len(), 2], &rows.concat());
            let mut embeddings = Embeddings::new(&images, &captions, false).unwrap();
            let folded = embeddings.fold_repeated_images();
            (folded, embeddings.side_len(Direction::I2t))
        };
        assert_eq!(fold(&images(5), 10), (Some(5), 2));
        assert_eq!(fold(&images(3), 6), (Some(3), 2));
        assert_eq!(fold(&images(5), 20), (None, 10));
        let mut rows = images(5);
        rows[1][0] += 1e-6;
        assert_eq!(fold(&rows, 10), (Some(5), 2));
        rows[9][1] = 5.0;
        assert_eq!(fold(&rows, 10), (None, 10));
    }

    #[test]
    fn what_cannot_be_multiplied_is_refused() {
        let two = npy([1, 2], &[1.0, 0.0]);
        let refused =
            |images: &Npy, cosine| Embeddings::new(images, &two, cosine).unwrap_err().to_string();
        assert!(refused(&npy([1, 3], &[1.0; 3]), false).contains("2 dimensions"));
        assert!(refused(&npy([1, 2], &[1.0, f64::NAN]), false).contains("row 0"));
        assert!(refused(&npy([1, 2], &[0.0, 0.0]), true).contains("all zeros"));
    }

    #[test]
    fn products_beyond_the_number_type_are_refused() {
        let product = |images: f32, captions: f32| {
            let of =
                |cell: f32| ScoreMatrix::new(npy([2, 1], &[f64::from(cell); 2]), false).unwrap();
            Product::<f32>::new(&[of(images), of(captions)], false)
        };
        for (images, captions) in [(1e30, 1e30), (1e-30, 1e-30), (1e20, 1e19)] {
            let error = product(images, captions).unwrap_err().to_string();
            assert!(error.contains("--cosine") && error.contains("float64"), "{error}");
        }
        for (images, captions) in [(1e30, 1.0), (1e-30, 1.0), (0.0, 1.0), (1e30, 1e-30)] {
            assert!(product(images, captions).is_ok(), "{images} x {captions}");
        }
        let wide = npy([2, 1], &[1e30; 2]);
        assert!(Embeddings::new(&wide, &wide, false).is_ok());
    }
}
