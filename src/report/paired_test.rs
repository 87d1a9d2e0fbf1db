//! Columns of a paired test of two models, shared by all reports.

use super::cell::Cell;
use super::list::List;
use crate::analysis::holm::HolmTest;
use crate::analysis::inference::Estimate;
use crate::metric::Unit;

/// The note on intervals, and on p-values if there are tests.
pub(super) fn note(has_tests: bool) -> String {
    let tests = if has_tests { "; Holm p over all tests, * below 0.05" } else { "" };
    format!("95 % CI clustered by image (docs/compare.md){tests}")
}

impl<'a, R: 'a> List<'a, R> {
    /// Adds columns of a paired test of two shares: difference, first minus second, interval, wins, ties and losses,
    /// p-values. `test` returns the test of a record.
    pub(super) fn paired_test<K: 'a>(
        mut self,
        test: impl for<'r> Fn(&'r R) -> &'r HolmTest<K> + Copy + 'a,
    ) -> Self {
        self = self
            .column("delta", "difference", move |one| {
                test(one).paired.means().map(|[first, second]| Cell::points(first - second))
            })
            .interval(
                ["low", "high"],
                "95 % CI",
                move |one| test(one).estimate.map(Estimate::interval),
                Cell::points,
            );
        for (at, key) in ["wins", "ties", "losses"].into_iter().enumerate() {
            self = self.column(key, key, move |one| test(one).paired.counts(Unit::Share)[at]);
        }
        self.data("p", move |one| test(one).estimate.map(Estimate::p)).column(
            "p_holm",
            "Holm p",
            move |one| test(one).corrected.holm.map(Cell::corrected_p),
        )
    }
}
