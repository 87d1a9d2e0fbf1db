//! The number types of scores.

use bytemuck::AnyBitPattern;
use itm_explore_kernels::Number;
use ndarray::LinalgScalar;

/// Number type of scores: `f32`, which also holds those of `f2` and bfloat16 files exactly, or `f64`.
pub trait Scalar: LinalgScalar + AnyBitPattern + Number {
    /// The largest finite number.
    const LARGEST: f64;
    /// The smallest positive number of full precision.
    const SMALLEST: f64;
    /// The bits of a score.
    type Bits: Copy + Default + Into<u64> + Send;
    /// A score and an item as one integer.
    type Key: Ord + Copy + Send + Sync;

    /// The next higher number; [`Number::UNREACHABLE`] above +infinity.
    #[must_use]
    fn above(self) -> Self;
    /// The score as an integer in rank order: the lower of two outranks the other.
    fn bits(self) -> Self::Bits;
    /// Score and item index as one integer in rank order: the lower of two outranks the other. Not for NaN.
    fn key(self, item: u32) -> Self::Key;
    /// The score and the item of a key. A score of -0.0 comes back as 0.0.
    fn from_key(key: Self::Key) -> (Self, u32);

    /// Converts to `f64`, exactly.
    fn wide(self) -> f64 {
        self.into()
    }
}

macro_rules! scalar {
    ($type:ident, $bits:ident, $signed:ident, $key:ident) => {
        impl Scalar for $type {
            const LARGEST: f64 = $type::MAX as f64;
            const SMALLEST: f64 = $type::MIN_POSITIVE as f64;
            type Bits = $bits;
            type Key = $key;

            fn above(self) -> Self {
                if self == $type::INFINITY { $type::NAN } else { self.next_up() }
            }

            fn bits(self) -> $bits {
                // Adding zero makes -0.0 the 0.0 that it equals. Flipping the sign bit, and all others of a negative
                // number, gives integers in the order of the scores.
                let bits = (self + 0.0).to_bits();
                let sign = $bits::BITS - 1;
                !(bits ^ ((((bits as $signed) >> sign) as $bits) | (1 << sign)))
            }

            fn key(self, item: u32) -> $key {
                ($key::from(self.bits()) << 32) | $key::from(item)
            }

            fn from_key(key: $key) -> ($type, u32) {
                let (bits, sign) = ((key >> 32) as $bits, $bits::BITS - 1);
                let is_negative = bits >> sign == 1;
                let bits = if is_negative { bits } else { !bits ^ (1 << sign) };
                ($type::from_bits(bits), key as u32)
            }
        }
    };
}

scalar!(f32, u32, i32, u64);
scalar!(f64, u64, i64, u128);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn order_of_keys<T: Scalar + std::fmt::Debug>(scores: &[T]) -> Vec<usize> {
        let mut keys: Vec<T::Key> =
            scores.iter().zip(0..).map(|(score, at)| score.key(at)).collect();
        keys.sort_unstable();
        let of_key = |key: T::Key| {
            let (score, item) = T::from_key(key);
            assert_eq!(score, scores[item as usize]);
            item as usize
        };
        keys.into_iter().map(of_key).collect()
    }

    proptest! {
        /// With equal scores, infinities and both zeros.
        #[test]
        fn keys_are_in_the_order_of_ranks(
            few in prop::collection::vec(0usize..8, 0..20),
            more in prop::collection::vec(-1e9f64..1e9, 0..20),
        ) {
            let edges = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, 1.0, -1.0, 1e-45, -1e-45];
            let double: Vec<f64> = few.iter().map(|&at| edges[at]).chain(more).collect();
            let single: Vec<f32> = double.iter().map(|&score| score as f32).collect();
            let mut expected: Vec<usize> = (0..double.len()).collect();
            expected.sort_by(|&a, &b| double[b].partial_cmp(&double[a]).unwrap());
            prop_assert_eq!(order_of_keys(&double), expected);
            let mut expected: Vec<usize> = (0..single.len()).collect();
            expected.sort_by(|&a, &b| single[b].partial_cmp(&single[a]).unwrap());
            prop_assert_eq!(order_of_keys(&single), expected);
        }
    }
}
