//! How intervals and tests are resampled.

use clap::Args;

use crate::analysis::bootstrap::Draws;

#[derive(Debug, Clone, Args)]
pub(super) struct ResampleArgs {
    /// Resamples for the intervals and tests
    #[arg(long, default_value_t = Draws::default().resamples, value_name = "N", value_parser = resamples)]
    resamples: usize,
    /// What they are drawn from: the same seed gives the same numbers
    #[arg(long, default_value_t = Draws::default().seed, value_name = "N", value_parser = seed)]
    seed: u64,
}

impl ResampleArgs {
    /// What they say.
    pub(super) fn draws(&self) -> Draws {
        Draws {
            resamples: self.resamples,
            seed: self.seed,
        }
    }
}

/// A seed.
pub(super) fn seed(text: &str) -> std::result::Result<u64, String> {
    let most = u64::MAX;
    text.parse()
        .map_err(|_| format!("a whole number from 0 to {most} is expected"))
}

/// More are a slip of the pen: the least p-value they can tell is far below what anybody reports.
const MOST_RESAMPLES: usize = 10_000_000;

pub(super) fn resamples(text: &str) -> std::result::Result<usize, String> {
    let count = text
        .parse()
        .ok()
        .filter(|count| (1..=MOST_RESAMPLES).contains(count));
    count.ok_or_else(|| format!("a number from 1 to {MOST_RESAMPLES} is expected"))
}
