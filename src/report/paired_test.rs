//! The columns of a paired test of two models, the same in every report.

use super::cell::Cell;
use super::list::List;
use crate::analysis::inference::Estimate;
use crate::analysis::paired::Paired;
use crate::metric::Unit;

/// The note on intervals, and on p-values where there are tests.
pub(super) fn note(has_tests: bool) -> String {
    let tests = if has_tests { "; Holm p over all tests, * below 0.05" } else { "" };
    format!("95 % CI clustered by image (docs/compare.md){tests}")
}

/// Two models on the same queries, by shares.
pub(super) struct PairedTest<'a> {
    pub paired: &'a Paired,
    pub estimate: Option<Estimate>,
    pub holm: Option<f64>,
}

impl<'a, R: 'a> List<'a, R> {
    /// First model minus second with its interval, the number of wins, ties and losses, and p-values.
    pub(super) fn paired_test(mut self, of: impl Fn(&R) -> PairedTest<'_> + Copy + 'a) -> Self {
        self = self
            .column("delta", "difference", move |one| {
                of(one).paired.means().map(|[first, second]| Cell::points(first - second))
            })
            .interval(
                ["low", "high"],
                "95 % CI",
                move |one| of(one).estimate.map(Estimate::interval),
                Cell::points,
            );
        for (at, key) in ["wins", "ties", "losses"].into_iter().enumerate() {
            self = self.column(key, key, move |one| of(one).paired.counts(Unit::Share)[at]);
        }
        self.data("p", move |one| of(one).estimate.map(Estimate::p)).column(
            "p_holm",
            "Holm p",
            move |one| of(one).holm.map(Cell::corrected),
        )
    }
}
