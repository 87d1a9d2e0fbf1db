//! Values of `--seed` and `--resamples`.

/// A random seed.
pub(super) fn seed(text: &str) -> std::result::Result<u64, String> {
    let most = u64::MAX;
    text.parse().map_err(|_| format!("a whole number from 0 to {most} is expected"))
}

/// More are a slip of the pen.
const MOST_RESAMPLES: usize = 10_000_000;

/// A number of resamples.
pub(super) fn resamples(text: &str) -> std::result::Result<usize, String> {
    let count = text.parse().ok().filter(|count| (1..=MOST_RESAMPLES).contains(count));
    count.ok_or_else(|| format!("a number from 1 to {MOST_RESAMPLES} is expected"))
}
