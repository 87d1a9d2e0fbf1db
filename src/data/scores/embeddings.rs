//! Scores as dot products of embeddings, computed a block of queries at a time.
//!
//! The whole matrix is never held: at most [`BLOCK_BYTES`](super::BLOCK_BYTES) of scores a thread, three times that
//! while they are written. The products are those of `ndarray` (the `matrixmultiply` kernels), in
//! `f32`, or in `f64` where a file has `f8`. A score does not depend on its block.

use std::ops::Range;

use itm_explore_kernels::TILE;
use ndarray::linalg::general_mat_mul;
use ndarray::{
    Array2, ArrayRef2, ArrayView1, ArrayView2, ArrayViewMut2, Axis, CowArray, ShapeBuilder, s,
};

use super::nan::has_nan;
use super::{Blocks, Scalar, ScoreMatrix, Source, fold};
use crate::data::candidate_mask::Part;
use crate::data::npy::{Element, Npy};
use crate::data::parallel;
use crate::data::text::grouped;
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};

/// The embeddings of both sides, in one precision.
#[derive(Debug, Clone)]
pub enum Embeddings {
    /// From `f2`, bfloat16 and `f4` files.
    Single(Product<f32>),
    /// If one of the files has `f8`.
    Double(Product<f64>),
}

/// Embeddings whose dot products are the scores.
#[derive(Debug, Clone)]
pub struct Product<T> {
    /// Images or captions x dimensions.
    sides: PerDirection<Array2<T>>,
    /// Shortest and longest embedding of each side, zero vectors excluded; `None` if all are zero.
    lengths: PerDirection<Option<[f64; 2]>>,
}

/// Embeddings per parallel task of the search for copies.
const COPIES_BLOCK: usize = 256;

/// Evaluates `$then` with `$product` as the embeddings of either type.
macro_rules! either {
    ($embeddings:expr, $product:ident => $then:expr) => {
        match $embeddings {
            Embeddings::Single($product) => $then,
            Embeddings::Double($product) => $then,
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
        let tables = [as_matrix(images)?, as_matrix(captions)?];
        let [of_images, of_captions] = [images, captions].map(|npy| npy.shape[1]);
        if of_images != of_captions {
            let name = captions.source().display();
            return Err(Error::new(name, format!("embeddings of {of_captions} dimensions"))
                .expected(format!("{of_images}, as in {}", images.source().display()))
                .fix("name the two files that one model wrote"));
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

    /// The shortest and longest length of an embedding of either side, zero vectors excluded; 0 and 0 where there are
    /// none.
    pub fn lengths(&self) -> [f64; 2] {
        either!(self, product => product.lengths())
    }

    /// Keeps each image once if there are as many images as captions, in equally long runs of copies that are equal up
    /// to rounding. Returns the length of the runs; `None` if the images stay.
    pub fn fold_repeated_images(&mut self) -> Option<usize> {
        either!(self, product => product.fold_repeated_images())
    }

    /// The cosines of the embedding at index `at` with all embeddings of its side; 0 for zero vectors.
    pub fn cosines(&self, side: Direction, at: usize) -> Vec<f64> {
        either!(self, product => product.cosines(side, at))
    }

    /// For each embedding of a side, the index of the first earlier one with a cosine above `min_cosine`, if any.
    pub fn copies(&self, side: Direction, min_cosine: f64) -> Vec<Option<usize>> {
        either!(self, product => product.copies(side, min_cosine))
    }
}

/// The file as a matrix that can be read row by row.
///
/// # Errors
/// No matrix of floats.
fn as_matrix(npy: &Npy) -> Result<ScoreMatrix> {
    if !npy.element.is_float() || npy.shape.len() != 2 {
        let error = Error::new(npy.source().display(), "no embeddings")
            .expected("a matrix of floats (f2, bf16, f4 or f8): one row for each image or caption");
        let is_whole = matches!(npy.element, Element::Int { .. });
        return Err(if is_whole && npy.shape.len() == 2 {
            error.fix("save it as embeddings.astype('float32')")
        } else {
            error
        });
    }
    ScoreMatrix::new(npy.clone(), false)
}

/// Reads a file into memory in C order, whatever its order.
fn read_table<T: Scalar>(file: &ScoreMatrix) -> Array2<T> {
    let shape = (file.images(), file.captions());
    let mut cells = Vec::with_capacity(shape.0 * shape.1);
    let mut buffer = Vec::new();
    for row in 0..file.row_count() {
        cells.extend_from_slice(file.run(row, 0..file.row_len(), &mut buffer));
    }
    let is_fortran = file.rows() == Direction::T2i;
    let table = Array2::from_shape_vec(shape.set_f(is_fortran), cells);
    let table = table.expect("the header's shape fits the data, checked at load");
    table.as_standard_layout().into_owned()
}

/// Scales embeddings to length one for `cosine`, and checks them. Returns the shortest and the longest length
/// afterwards, zero vectors excluded; `None` if all are zero.
///
/// # Errors
/// Numbers or lengths that are not finite; with `cosine`, a zero vector.
fn scale<T: Scalar>(table: &mut Array2<T>, cosine: bool, file: &str) -> Result<Option<[f64; 2]>> {
    let mut lengths: Option<[f64; 2]> = None;
    for (at, mut row) in table.rows_mut().into_iter().enumerate() {
        let length = row.iter().map(|x| x.wide() * x.wide()).sum::<f64>().sqrt();
        if !length.is_finite() {
            let found = format!(
                "NaN, infinity or too large numbers in row {} (counted from 0)",
                grouped(at)
            );
            return Err(Error::new(file, found)
                .expected("finite numbers in every embedding, of a length that 64 bits hold")
                .fix("look at what was encoded there: an empty text, or half precision that overflowed"));
        }
        if cosine && length == 0.0 {
            return Err(Error::new(file, format!("row {} is all zeros", grouped(at)))
                .expected("a direction: the cosine with a zero embedding is undefined")
                .fix("drop --cosine, or fix the embedding"));
        }
        if cosine {
            row.mapv_inplace(|x| T::narrow(x.wide() / length));
        }
        if length > 0.0 {
            let length = if cosine { 1.0 } else { length };
            let [shortest, longest] = lengths.unwrap_or([length; 2]);
            lengths = Some([shortest.min(length), longest.max(length)]);
        }
    }
    Ok(lengths)
}

impl<T: Scalar> Product<T> {
    /// Reads and checks the embeddings of both sides.
    fn new([images, captions]: &[ScoreMatrix; 2], cosine: bool) -> Result<Self> {
        let read = |file: &ScoreMatrix| {
            let mut table = read_table(file);
            let lengths = scale(&mut table, cosine, &file.npy().source().display())?;
            Ok((table, lengths))
        };
        let (of_images, of_captions) = parallel::both(|| read(images), || read(captions));
        let (of_images, of_captions) = (of_images?, of_captions?);
        let product = Product {
            sides: PerDirection { i2t: of_images.0, t2i: of_captions.0 },
            lengths: PerDirection { i2t: of_images.1, t2i: of_captions.1 },
        };
        product.check_range(captions)?;
        Ok(product)
    }

    /// Checks that no product of two lengths, which bounds the dot product, overflows or underflows the number type.
    fn check_range(&self, captions: &ScoreMatrix) -> Result<()> {
        let PerDirection { i2t: Some(images), t2i: Some(texts) } = self.lengths else {
            return Ok(());
        };
        let largest = images[1] * texts[1];
        let smallest = (images[0] * texts[1]).min(images[1] * texts[0]);
        if largest < T::LARGEST && smallest >= T::SMALLEST {
            return Ok(());
        }
        let [low, high] = [T::SMALLEST, T::LARGEST];
        let found = format!("dot products of {smallest:.1e} to {largest:.1e}");
        Err(Error::new(captions.npy().source().display(), found)
            .expected(format!("{low:.1e} to {high:.1e}, which {} bits hold", 8 * size_of::<T>()))
            .fix("--cosine scales them to length one; or save them as .astype('float64')"))
    }

    /// The embeddings of a direction's queries.
    pub fn side(&self, direction: Direction) -> ArrayView2<'_, T> {
        self.sides[direction].view()
    }

    /// Writes the dot products of some queries with `items`, dimensions x items, to `block`, a row for each query. Not
    /// by `dot`, which lays some products out by columns.
    fn multiply(
        &self,
        direction: Direction,
        queries: &[usize],
        items: &ArrayRef2<T>,
        block: &mut [T],
    ) {
        let shape = (queries.len(), items.ncols());
        let mut scores = ArrayViewMut2::from_shape(shape, block).expect("a block of this size");
        let side = self.side(direction);
        let is_run = queries.windows(2).all(|two| two[0] + 1 == two[1]);
        let queries = match queries.first().filter(|_| is_run) {
            Some(&first) => side.slice(s![first..first + queries.len(), ..]).into(),
            None => CowArray::from(side.select(Axis(0), queries)),
        };
        // The kernel reads them again for each part of the items: in this order several times faster.
        let transposed = queries.t();
        let transposed = transposed.as_standard_layout();
        general_mat_mul(T::one(), &transposed.t(), items, T::zero(), &mut scores);
    }

    /// See [`Embeddings::lengths`].
    fn lengths(&self) -> [f64; 2] {
        let lengths = [self.lengths.i2t, self.lengths.t2i].into_iter().flatten();
        let range = lengths.reduce(|one, other| [one[0].min(other[0]), one[1].max(other[1])]);
        range.unwrap_or_default()
    }

    /// The embeddings of a part of the gallery, copied.
    pub(super) fn within(&self, part: &Part) -> Self {
        let select = |side| {
            let places: Vec<usize> = part.queries(side).iter().map(|&at| at as usize).collect();
            self.sides[side].select(Axis(0), &places)
        };
        Product { sides: PerDirection::from_fn(select), ..*self }
    }

    /// See [`Embeddings::cosines`].
    fn cosines(&self, side: Direction, at: usize) -> Vec<f64> {
        let rows = self.side(side);
        let product = |one: usize, other: usize| {
            let cells = rows.row(one).into_iter().zip(rows.row(other));
            cells.map(|(one, other)| one.wide() * other.wide()).sum::<f64>()
        };
        let square = product(at, at);
        parallel::map_indices(rows.nrows(), |other| {
            let lengths = (square * product(other, other)).sqrt();
            if lengths > 0.0 { product(at, other) / lengths } else { 0.0 }
        })
    }

    /// See [`Embeddings::copies`].
    fn copies(&self, side: Direction, min_cosine: f64) -> Vec<Option<usize>> {
        let mut rows = self.side(side).to_owned();
        for mut row in rows.rows_mut() {
            let length = row.iter().map(|x| x.wide() * x.wide()).sum::<f64>().sqrt();
            row.mapv_inplace(|x| T::narrow(if length > 0.0 { x.wide() / length } else { 0.0 }));
        }
        let find_copies = |at: Range<usize>| {
            let mut cosines = Array2::from_elem((at.len(), at.end), T::zero());
            let before = rows.slice(s![..at.end, ..]);
            let block = rows.slice(s![at.clone(), ..]);
            general_mat_mul(T::one(), &block, &before.t(), T::zero(), &mut cosines);
            let first = |(at, row): (usize, ArrayView1<'_, T>)| {
                row.iter().take(at).position(|cosine| cosine.wide() > min_cosine)
            };
            at.zip(cosines.rows()).map(first).collect::<Vec<_>>()
        };
        parallel::map_ranges(rows.nrows(), COPIES_BLOCK, find_copies).concat()
    }

    /// See [`Embeddings::fold_repeated_images`].
    fn fold_repeated_images(&mut self) -> Option<usize> {
        let images = &self.sides.i2t;
        let rows = images.nrows();
        let row = |at: usize| images.row(at).iter().map(|cell| cell.wide()).collect::<Vec<_>>();
        let is_copy = |one: usize, other: usize| {
            images.row(one) == images.row(other)
                || fold::are_copies(&row(one), &row(other), fold::rounding(Element::Float(4)))
        };
        let are_runs = |length: usize| (0..rows).all(|at| is_copy(at - at % length, at));
        let has_image_per_caption = rows == self.sides.t2i.nrows();
        let found = fold::run_length(rows, |at| is_copy(0, at), are_runs);
        let length = found.filter(|_| has_image_per_caption)?;
        let kept: Vec<usize> = (0..rows).step_by(length).collect();
        self.sides.i2t = images.select(Axis(0), &kept);
        Some(length)
    }
}

impl<T: Scalar> Source<T> for Product<T> {
    fn side_len(&self, direction: Direction) -> usize {
        self.side(direction).nrows()
    }

    fn block(&self, direction: Direction, queries: &[usize], block: &mut [T]) {
        self.multiply(direction, queries, &self.side(direction.flipped()).t(), block);
    }

    /// Transposes the items once, for all blocks: the kernel is a third faster with items in columns.
    fn blocks(&self, direction: Direction) -> Blocks<'_, T> {
        let items = self.side(direction.flipped());
        let (len, width) = items.dim();
        let mut transposed = vec![T::zero(); len * width];
        let rows: Vec<&[T]> = items.rows().into_iter().filter_map(|row| row.to_slice()).collect();
        for (tile, start) in rows.chunks(TILE).zip((0..).step_by(TILE)) {
            (T::loops().transpose)(tile, &mut transposed, len, start);
        }
        let transposed = Array2::from_shape_vec((width, len), transposed).expect("as many cells");
        Box::new(move |queries, block| self.multiply(direction, queries, &transposed, block))
    }

    fn item_scores(&self, direction: Direction, query: usize, items: &[u32]) -> Vec<T> {
        let mut scores = vec![T::zero(); items.len()];
        let items: Vec<usize> = items.iter().map(|&item| item as usize).collect();
        let items = self.side(direction.flipped()).select(Axis(0), &items);
        self.multiply(direction, &[query], &items.t(), &mut scores);
        scores
    }

    /// The error of the first query with NaN among its scores; `None` if there is none. Lengths are checked at load, so
    /// that only rounding can overflow.
    fn nan_error(&self, direction: Direction, queries: &[usize]) -> Option<Error> {
        let mut row = vec![T::zero(); self.side_len(direction.flipped())];
        let query = queries.iter().find(|query| {
            self.block(direction, &[**query], &mut row);
            has_nan(&row)
        })?;
        let found =
            format!("the products of {direction} query {} are not numbers", grouped(*query));
        let error = Error::new("embeddings", found);
        let error = error.expected("embeddings whose dot products are finite");
        Some(error.fix("--cosine scales them to length one"))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    fn npy(shape: [usize; 2], cells: &[f64]) -> Npy {
        Npy::in_memory("e.npy", shape, cells.iter().copied())
    }

    pub fn single() -> Product<f32> {
        let wave = |n: usize| (0..n).map(|i| ((i * i + 7) as f64 * 0.618).sin() as f32).collect();
        let side = |rows| Array2::from_shape_vec((rows, 67), wave(rows * 67)).unwrap();
        Product {
            sides: PerDirection { i2t: side(301), t2i: side(45) },
            lengths: PerDirection::default(),
        }
    }

    /// The scores of a query by itself.
    pub fn row<T: Scalar>(product: &Product<T>, direction: Direction, query: usize) -> Vec<f64> {
        let mut row = vec![T::zero(); product.side_len(direction.flipped())];
        product.block(direction, &[query], &mut row);
        row.into_iter().map(Into::into).collect()
    }

    #[test]
    fn scores_are_dot_products_and_cosine_scales() {
        let (images, captions) = (npy([1, 2], &[3.0, 4.0]), npy([2, 2], &[1.0, 0.0, 0.0, 2.0]));
        let row = |cosine, direction, query| {
            let embeddings = Embeddings::new(&images, &captions, cosine).unwrap();
            either!(&embeddings, product => row(product, direction, query))
        };
        assert_eq!(row(false, Direction::I2t, 0), [3.0, 8.0]);
        assert_eq!(row(false, Direction::T2i, 1), [8.0]);
        assert_eq!(row(true, Direction::I2t, 0), [0.6, 0.8]);
    }

    #[test]
    fn a_score_does_not_depend_on_its_block() {
        let product = single();
        let blocks = Direction::both(|direction| {
            let len = product.side_len(direction);
            let queries: Vec<usize> = (0..len).collect();
            let mut block = vec![0.0; 301 * 45];
            product.block(direction, &queries, &mut block);
            let width = block.len() / len;
            for (&query, whole) in queries.iter().zip(block.chunks(width)) {
                let whole: Vec<f64> = whole.iter().map(|&score| score.into()).collect();
                assert_eq!(row(&product, direction, query), whole);
                let some: Vec<u32> = (0..width as u32).step_by(3).rev().collect();
                let alone = product.item_scores(direction, query, &some);
                let expected = some.iter().map(|&item| whole[item as usize] as f32);
                assert_eq!(alone, expected.collect::<Vec<f32>>());
            }
            let mut again = vec![0.0; 301 * 45];
            product.blocks(direction)(&queries, &mut again);
            assert_eq!(again, block);
            let mut apart = vec![0.0; 3 * width];
            product.block(direction, &[7, 2, 31], &mut apart);
            assert_eq!(apart[width..2 * width], block[2 * width..3 * width]);
            Array2::from_shape_vec((len, width), block).unwrap()
        });
        assert_eq!(blocks[0], blocks[1].t());
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
