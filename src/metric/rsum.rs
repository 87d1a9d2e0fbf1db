//! Sums over both directions: RSUM, the six R@1/5/10 in percent, and those of NCS.

use super::ncs::{NCS_AT_K, NCS_OTHERS_AT_K};
use super::{Metric, Spec, hit};
use crate::data::{Direction, PerDirection};

/// Name of RSUM in keys.
pub const KEY: &str = "rsum";
/// Definition of RSUM with source.
pub const DOC: &str = "Sum of R@1, R@5 and R@10 of both directions, in percent (at most 600). Source: \
                       Huang et al. 2017, arXiv:1611.05588.";

/// R@1, R@5 and R@10: the summands of RSUM in each direction, and the only metrics of the COCO 1K protocol.
pub const RECALLS: [&dyn Metric; 3] = [&hit::R1, &hit::R5, &hit::R10];

/// A sum of three metrics of both directions, in percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sum {
    /// RSUM: of R@1, R@5 and R@10.
    Recalls,
    /// NSUM: of NCS@1, NCS@5 and NCS@10.
    Ncs,
    /// NSUM-N: of NCS-N@1, NCS-N@5 and NCS-N@10.
    NcsOthers,
}

impl Sum {
    /// Every sum, in the order of every table.
    pub const ALL: [Sum; 3] = [Sum::Recalls, Sum::Ncs, Sum::NcsOthers];

    /// Name in keys.
    pub fn key(self) -> &'static str {
        match self {
            Sum::Recalls => KEY,
            Sum::Ncs => "nsum",
            Sum::NcsOthers => "nsum_n",
        }
    }

    /// Name in headings.
    pub fn title(self) -> &'static str {
        match self {
            Sum::Recalls => "RSUM",
            Sum::Ncs => "NSUM",
            Sum::NcsOthers => "NSUM-N",
        }
    }

    /// Definition with source.
    pub fn doc(self) -> &'static str {
        match self {
            Sum::Recalls => DOC,
            Sum::Ncs => {
                "Sum of NCS@1, NCS@5 and NCS@10 of both directions, in percent (at most 600). Source: Biten et al. 2022, \
                 arXiv:2110.02623."
            }
            Sum::NcsOthers => {
                "Sum of NCS-N@1, NCS-N@5 and NCS-N@10 of both directions, in percent (at most 600). Source: Biten et al. \
                 2022, arXiv:2110.02623."
            }
        }
    }

    /// Whether it is defined only under a truth by similarity.
    pub fn needs_phi(self) -> bool {
        self.summands().iter().any(|part| part.metric.needs_phi())
    }

    /// The three metrics that it sums in each direction.
    pub fn summands(self) -> [Spec; 3] {
        let at_depths = |metric: &'static dyn Metric| [1, 5, 10].map(|k| Spec { metric, k });
        match self {
            Sum::Recalls => RECALLS.map(Spec::new),
            Sum::Ncs => at_depths(&NCS_AT_K),
            Sum::NcsOthers => at_depths(&NCS_OTHERS_AT_K),
        }
    }
}

/// The sum in percent of three shares of each direction, such as R@1, R@5 and R@10; `None` if any is undefined.
pub fn rsum(shares: &PerDirection<[Option<f64>; 3]>) -> Option<f64> {
    let six = Direction::BOTH.iter().flat_map(|&direction| shares[direction]);
    six.map(|share| share.map(|share| share * 100.0)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rsum_needs_all_six_values() {
        let i2t = [Some(0.5), Some(0.75), Some(1.0)];
        let t2i = [Some(0.25), Some(0.5), Some(0.75)];
        assert_eq!(rsum(&PerDirection { i2t, t2i }), Some(375.0));
        assert_eq!(rsum(&PerDirection { i2t, t2i: [None, Some(0.5), Some(0.75)] }), None);
    }
}
