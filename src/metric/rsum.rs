//! RSUM: the six R@1/5/10 of both directions, in percent, summed.

use super::{Metric, hit};
use crate::data::{Direction, PerDirection};

/// Name in keys.
pub const KEY: &str = "rsum";
/// Definition with source.
pub const DOC: &str = "Sum of R@1, R@5 and R@10 of both directions, in percent (at most 600). Source: \
                       Huang et al. 2017, arXiv:1611.05588.";

/// What is summed, in each direction; the COCO 1K protocol has these alone.
pub const RECALLS: [&dyn Metric; 3] = [&hit::R1, &hit::R5, &hit::R10];

/// The sum, from the shares R@1, R@5 and R@10 of each direction; `None` unless all six are there.
pub fn rsum(recalls: &PerDirection<[Option<f64>; 3]>) -> Option<f64> {
    let six = Direction::BOTH
        .iter()
        .flat_map(|&direction| recalls[direction]);
    six.map(|share| share.map(|share| share * 100.0)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_or_nothing() {
        let i2t = [Some(0.5), Some(0.75), Some(1.0)];
        let t2i = [Some(0.25), Some(0.5), Some(0.75)];
        assert_eq!(rsum(&PerDirection { i2t, t2i }), Some(375.0));
        assert_eq!(
            rsum(&PerDirection {
                i2t,
                t2i: [None, Some(0.5), Some(0.75)]
            }),
            None
        );
    }
}
