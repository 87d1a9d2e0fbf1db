//! Items of a gallery drawn for each query, over which two whole rankings are compared.

use crate::data::Direction;
use crate::data::stream::{Stream, Use};

/// Items that are drawn for a query.
pub const ITEMS: usize = 64;
/// A gallery of fewer items than this is compared whole.
pub const WHOLE_BELOW: usize = 128;

/// Draws items, each as likely as any other, for each query from a stream of its own.
///
/// Kendall's tau is a mean over pairs of items, and each pair of the gallery is as likely among the drawn
/// items as any other: tau over these is an unbiased estimate of tau over the gallery.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sampler {
    pub seed: u64,
    pub direction: Direction,
    /// Items of the gallery that competes.
    pub items: usize,
}

impl Sampler {
    /// The items for a query, ascending.
    pub(super) fn items(self, query: u32) -> Vec<u32> {
        if self.items < WHOLE_BELOW {
            return (0..self.items as u32).collect();
        }
        let side = match self.direction {
            Direction::I2t => 0,
            Direction::T2i => 1 << 32,
        };
        drawn(&mut Stream::new(self.seed, Use::Items, side + query as usize), self.items)
    }
}

/// [`ITEMS`] different ones of so many, ascending.
///
/// Source: Floyd's algorithm, in Bentley 1987, *Programming pearls: a sample of brilliance*,
/// doi:10.1145/30401.315746.
fn drawn(stream: &mut Stream, of: usize) -> Vec<u32> {
    // A bit for each item, in words: what is set is looked up at once, and read off in order.
    let mut words = vec![0_u64; of.div_ceil(64)];
    for last in of - ITEMS..of {
        let item = stream.index(last + 1);
        let is_new = words[item / 64] >> (item % 64) & 1 == 0;
        let item = if is_new { item } else { last };
        words[item / 64] |= 1 << (item % 64);
    }
    let mut items = Vec::with_capacity(ITEMS);
    for (start, mut word) in (0..).step_by(64).zip(words) {
        while word != 0 {
            items.push(start + word.trailing_zeros());
            word &= word - 1;
        }
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampler(items: usize) -> Sampler {
        Sampler { seed: 3, direction: Direction::T2i, items }
    }

    #[test]
    fn small_galleries_are_taken_whole() {
        assert!(sampler(0).items(5).is_empty());
        assert_eq!(sampler(127).items(5), (0..127).collect::<Vec<u32>>());
        assert_eq!(sampler(128).items(5).len(), ITEMS);
    }

    /// Each item is drawn in half of the samples of half of the items, within five deviations.
    #[test]
    fn every_item_is_as_likely_as_any_other() {
        let mut times = [0u32; 128];
        let samples = 4_000;
        for query in 0..samples {
            let items = sampler(128).items(query);
            assert!(items.is_sorted_by(|a, b| a < b));
            for item in items {
                times[item as usize] += 1;
            }
        }
        let deviation = (f64::from(samples) / 4.0).sqrt();
        for times in times {
            let off = f64::from(times) - f64::from(samples) / 2.0;
            assert!(off.abs() < 5.0 * deviation, "{times}");
        }
    }

    #[test]
    fn directions_and_seeds_draw_others() {
        let of = |seed, direction| {
            let items = 1_000;
            Sampler { seed, direction, items }.items(7)
        };
        assert_eq!(of(1, Direction::I2t), of(1, Direction::I2t));
        assert_ne!(of(1, Direction::I2t), of(1, Direction::T2i));
        assert_ne!(of(1, Direction::I2t), of(2, Direction::I2t));
    }
}
