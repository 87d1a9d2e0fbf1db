//! The two metrics that the header shows.

use crate::metric::{Metric, Spec, Unit, hit, map_at_r};

/// The two metrics of the header, its history and its intervals: R@1 and mAP@R unless the settings say
/// otherwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeaderMetrics([Spec; 2]);

impl Default for HeaderMetrics {
    fn default() -> Self {
        let usual: [&'static dyn Metric; 2] = [&hit::R1, &map_at_r::MapAtR];
        HeaderMetrics(usual.map(Spec::new))
    }
}

impl HeaderMetrics {
    /// These two.
    pub fn new(specs: [Spec; 2]) -> Self {
        HeaderMetrics(specs)
    }

    /// Both metrics.
    pub fn specs(self) -> [Spec; 2] {
        self.0
    }

    /// Their names as in headings, such as `R@1` and `nDCG@10`.
    pub fn titles(self) -> [String; 2] {
        self.0.map(|spec| spec.title())
    }

    /// What their numbers are.
    pub fn units(self) -> [Unit; 2] {
        self.0.map(|spec| spec.metric.unit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_have_their_depth() {
        assert_eq!(HeaderMetrics::default().titles(), ["R@1", "mAP@R"]);
        let specs = ["ndcg_at_10", "median_rank"].map(|key| key.parse().unwrap());
        let header = HeaderMetrics::new(specs);
        assert_eq!(header.titles()[0], "nDCG@10");
        assert_eq!(header.units(), [Unit::Share, Unit::Rank]);
    }
}
