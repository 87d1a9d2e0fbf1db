//! Embeddings as tables of numbers, checked.

use ndarray::{Array2, LinalgScalar, ShapeBuilder};

use super::{Rows, ScoreMatrix};
use crate::data::text::grouped;
use crate::error::{Error, Result};

/// The number type of a [`Product`](super::Product).
pub trait Scalar: LinalgScalar + PartialOrd + Send + Sync {
    /// A contiguous run of a file.
    fn run<'a>(matrix: &'a ScoreMatrix, row: usize, buffer: &'a mut Vec<Self>) -> &'a [Self];
    /// Exact.
    fn wide(self) -> f64;
    /// Whether this is not NaN.
    fn is_number(self) -> bool;
    /// Rounded.
    fn narrow(value: f64) -> Self;
    /// The largest finite number.
    fn largest() -> f64;
    /// The smallest positive number of full precision.
    fn smallest() -> f64;
}

macro_rules! scalar {
    ($type:ty, $run:ident) => {
        impl Scalar for $type {
            fn run<'a>(
                matrix: &'a ScoreMatrix,
                row: usize,
                buffer: &'a mut Vec<Self>,
            ) -> &'a [Self] {
                matrix.$run(row, 0..matrix.row_len(), buffer)
            }

            fn wide(self) -> f64 {
                self.into()
            }

            fn is_number(self) -> bool {
                !self.is_nan()
            }

            fn narrow(value: f64) -> Self {
                value as $type
            }

            fn largest() -> f64 {
                <$type>::MAX.into()
            }

            fn smallest() -> f64 {
                <$type>::MIN_POSITIVE.into()
            }
        }
    };
}

scalar!(f32, run_f32);
scalar!(f64, run_f64);

/// Reads a file into memory, whatever its order.
pub(super) fn table<T: Scalar>(file: &ScoreMatrix) -> Array2<T> {
    let shape = (file.images(), file.captions());
    let mut cells = Vec::with_capacity(shape.0 * shape.1);
    let mut buffer = Vec::new();
    for run in 0..file.row_count() {
        cells.extend_from_slice(T::run(file, run, &mut buffer));
    }
    let table = match file.rows() {
        Rows::Images => Array2::from_shape_vec(shape, cells),
        Rows::Captions => Array2::from_shape_vec(shape.f(), cells),
    };
    let table = table.expect("the header's shape fits the data, checked at load");
    table.as_standard_layout().into_owned()
}

/// Refuses rows that are no directions in space, and scales them to length one if asked.
pub(super) fn check<T: Scalar>(table: &mut Array2<T>, cosine: bool, file: &str) -> Result<()> {
    for (at, mut row) in table.rows_mut().into_iter().enumerate() {
        let length = row.iter().map(|x| x.wide() * x.wide()).sum::<f64>().sqrt();
        if !length.is_finite() && row.iter().all(|x| x.wide().is_finite()) {
            let found = format!(
                "row {} (counted from 0), whose squares add up to more than a 64-bit float holds",
                grouped(at)
            );
            return Err(Error::new(file, found)
                .expected("embeddings of a length that 64 bits hold")
                .mend("divide them by a power of two"));
        }
        if !length.is_finite() {
            return Err(Error::new(
                file,
                format!("NaN or infinity in row {} (counted from 0)", grouped(at)),
            )
            .expected("finite numbers in every embedding")
            .mend(
                "look at what was encoded there: an empty text, or half precision that overflowed",
            ));
        }
        if cosine && length == 0.0 {
            return Err(Error::new(file, format!("row {} is all zeros", grouped(at)))
                .expected("a direction: the cosine with a zero embedding is undefined")
                .mend("leave out --cosine, or mend the embedding"));
        }
        if cosine {
            row.mapv_inplace(|x| T::narrow(x.wide() / length));
        }
    }
    Ok(())
}
