//! The inner loops of itm-explore. They are compiled for speed, while the rest may be compiled fast or small.
//!
//! A generic function is compiled where it is called. So every loop is compiled here for `f32` and `f64`, and called
//! through [`Loops`].
//!
//! The loops that take most of the time have no closures: a closure is a separate function, which has the instructions of
//! the loop's target only if it is inlined.

mod cells;
mod ranks;
mod rows;

pub use cells::{bf16_to_f32, f16_to_f32, to_little_endian};
pub use ranks::{add_shares, discordant_pairs, scale};
pub use rows::{RowStatistics, Run, Term, mix};

/// Compiles functions for several sets of vector instructions; the machine's is chosen when they are called.
macro_rules! vectorized {
    ($($function:item)*) => {$(
        #[multiversion::multiversion(targets(
            "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
            "x86_64+avx2",
            "aarch64+neon"
        ))]
        $function
    )*};
}
use vectorized;

/// Thresholds handled together: each score is loaded once for all of them.
pub const GROUP: usize = 4;
/// Rows handled together by the column loop: thresholds and counts are loaded once for all of them.
pub const ROWS: usize = 8;
/// Number of scores per run of [`Loops::find_run_maxima`].
pub const RUN_LEN: usize = 64;
/// Number of rows that [`Loops::transpose`] takes at most.
pub const TILE: usize = 16;

/// Number type of scores: `f32` or `f64`.
pub trait Number:
    Copy + PartialOrd + Default + From<f32> + Into<f64> + Send + Sync + 'static
{
    /// NaN: a threshold that no score reaches.
    const UNREACHABLE: Self;
    /// The lowest score: minus infinity.
    const LOWEST: Self;

    /// Rounds a number to the nearest of this type.
    fn narrow(value: f64) -> Self;
    /// Whether the score is NaN.
    fn is_nan(self) -> bool;
    /// The loops over scores of this type.
    fn loops() -> &'static Loops<Self>;
}

/// The loops over scores of one type.
pub struct Loops<T: 'static> {
    /// Counts, for each of four thresholds, the scores of a run that reach it.
    pub count_reaching: fn(&[T], [T; GROUP]) -> [u32; GROUP],
    /// Counts the scores of a run that reach one threshold.
    pub count_from: fn(&[T], T) -> u32,
    /// Counts the scores of a run that are equal to a value.
    pub count_equal: fn(&[T], T) -> u32,
    /// For every column: adds to its count the number of rows whose score reaches its threshold.
    pub add_reaching: fn([&[T]; ROWS], &[T], &mut [u32]),
    /// Marks each column with 1 where the score of a row is not below the column's threshold: it reaches it, is NaN, or
    /// the threshold is NaN.
    pub mark_reaching: fn([&[T]; ROWS], &[T], &mut [u8]),
    /// For every column: the maximum of its cell and the scores of the rows; any score replaces NaN.
    pub raise_maxima: fn([&[T]; ROWS], &mut [T]),
    /// Writes the maximum of each run of [`RUN_LEN`] scores, the last perhaps shorter; NaN if all are NaN.
    pub find_run_maxima: fn(&[T], &mut [T]),
    /// Raises maxima to the maximum of each set of scores: item i belongs to set i modulo their number. Skips NaN.
    pub find_set_maxima: fn(&[T], &mut [T]),
    /// Whether any score is NaN.
    pub has_nan: fn(&[T]) -> bool,
    /// Transposes up to [`TILE`] rows into a block, whose columns have `height` cells: row i is cell `start + i` of each.
    /// The last arguments are `height` and `start`.
    pub transpose: fn(&[&[T]], &mut [T], usize, usize),
    /// Computes the statistics of a row.
    pub row_statistics: fn(&[T]) -> RowStatistics,
    /// Replaces the content of a buffer by decoded `f16` cells of a file; true for big-endian ones.
    pub decode_f16: fn(&mut Vec<T>, &[u8], bool),
    /// Like `decode_f16`, for bfloat16 cells.
    pub decode_bf16: fn(&mut Vec<T>, &[u8], bool),
    /// Like `decode_f16`, for `f32` cells.
    pub decode_f32: fn(&mut Vec<T>, &[u8], bool),
    /// Like `decode_f16`, for `f64` cells, rounded to this type.
    pub decode_f64: fn(&mut Vec<T>, &[u8], bool),
}

macro_rules! number {
    ($type:ident, $loops:ident) => {
        // A static: the functions in a constant are compiled in the crate that uses it.
        static $loops: Loops<$type> = Loops {
            count_reaching: ranks::count_reaching,
            count_from: ranks::count_from,
            count_equal: ranks::count_equal,
            add_reaching: ranks::add_reaching,
            mark_reaching: ranks::mark_reaching,
            raise_maxima: ranks::raise_maxima,
            find_run_maxima: ranks::find_run_maxima,
            find_set_maxima: ranks::find_set_maxima,
            has_nan: rows::has_nan,
            transpose: rows::transpose,
            row_statistics: rows::row_statistics,
            decode_f16: cells::decode_f16,
            decode_bf16: cells::decode_bf16,
            decode_f32: cells::decode_f32,
            decode_f64: cells::decode_f64,
        };

        impl Number for $type {
            const UNREACHABLE: Self = $type::NAN;
            const LOWEST: Self = $type::NEG_INFINITY;

            fn narrow(value: f64) -> Self {
                value as $type
            }

            fn is_nan(self) -> bool {
                self.is_nan()
            }

            fn loops() -> &'static Loops<Self> {
                &$loops
            }
        }
    };
}

number!(f32, SINGLE);
number!(f64, DOUBLE);
