//! The scores of one query, with the maximum of each run.

use multiversion::multiversion;

use super::Scalar;

/// Scores per run.
const RUN: usize = 64;
/// Sets of items per item of the top k.
const SETS: usize = 4;
/// Running maxima of a run.
const LANES: usize = 16;

/// Scores, and the maximum of each run of them, to skip runs.
#[derive(Debug)]
pub struct Peaks<'a, T> {
    scores: &'a [T],
    greatest: Vec<T>,
}

impl<'a, T: Scalar> Peaks<'a, T> {
    /// Finds the maxima of a query's scores; skips NaN.
    pub fn new(scores: &'a [T]) -> Self {
        let mut greatest = vec![T::UNREACHABLE; scores.len().div_ceil(RUN)];
        find_greatest(scores, &mut greatest);
        Peaks { scores, greatest }
    }

    /// All scores.
    pub fn scores(&self) -> &'a [T] {
        self.scores
    }

    /// The runs with a score of at least `bar`, and their starts.
    pub fn reaching(&self, bar: T) -> impl Iterator<Item = (usize, &'a [T])> {
        let runs = (0..).step_by(RUN).zip(self.scores.chunks(RUN));
        let both = runs.zip(&self.greatest);
        both.filter(move |(_, greatest)| **greatest >= bar).map(|(run, _)| run)
    }

    /// The top `k` items above the fill, if there is one: best first, equal scores by index. Fewer if the ranking is
    /// shorter.
    pub fn top_k(&self, k: usize, fill: Option<f64>) -> Vec<u32> {
        let is_scored = |_, score: T| fill.is_none_or(|fill| score.wide() > fill);
        let first = self.first(k, self.bar(k), is_scored);
        first.into_iter().map(|key| T::of_key(key).1).collect()
    }

    /// A score that `k` items reach, and not many more: the k-th highest maximum of some sets. None of the first `k` is
    /// below it.
    fn bar(&self, k: usize) -> T {
        let sets = k.saturating_mul(SETS);
        let mut dealt = Vec::new();
        if self.greatest.len() < sets && sets <= self.scores.len() {
            dealt.resize(sets, T::LOWEST);
            deal(self.scores, &mut dealt);
        }
        let greatest = if dealt.is_empty() { &self.greatest } else { &dealt };
        let known = greatest.iter().filter(|score| !score.is_nan());
        let mut greatest: Vec<T::Key> = known.map(|score| score.key(0)).collect();
        if k == 0 || greatest.len() < k {
            return T::LOWEST;
        }
        T::of_key(*greatest.select_nth_unstable(k - 1).1).0
    }

    fn first(&self, k: usize, mut bar: T, competes: impl Fn(u32, T) -> bool) -> Vec<T::Key> {
        let mut kept: Vec<T::Key> = Vec::with_capacity(2 * k);
        if k == 0 {
            return kept;
        }
        let runs = (0..).step_by(RUN).zip(self.scores.chunks(RUN));
        for ((start, run), greatest) in runs.zip(&self.greatest) {
            let is_reached = *greatest >= bar;
            if !is_reached {
                continue;
            }
            for (item, &score) in (start..).zip(run) {
                if score >= bar && competes(item, score) {
                    kept.push(score.key(item));
                    if kept.len() == 2 * k {
                        let least = *kept.select_nth_unstable(k - 1).1;
                        kept.truncate(k);
                        // Items come in index order: one that only equals the k-th ranks behind it.
                        bar = T::of_key(least).0.above();
                    }
                }
            }
        }
        if k < kept.len() {
            kept.select_nth_unstable(k);
            kept.truncate(k);
        }
        kept.sort_unstable();
        kept
    }
}

/// Maximum of each run of [`RUN`] scores, the last perhaps shorter; NaN if all are NaN.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2",
    "aarch64+neon"
))]
fn find_greatest<T: Scalar>(scores: &[T], greatest: &mut [T]) {
    for (run, greatest) in scores.chunks(RUN).zip(greatest) {
        let (chunks, rest) = run.as_chunks::<LANES>();
        // NaN is not above anything: skipped.
        let mut lanes = [T::LOWEST; LANES];
        for chunk in chunks {
            for at in 0..LANES {
                lanes[at] = if chunk[at] > lanes[at] { chunk[at] } else { lanes[at] };
            }
        }
        for width in [8, 4, 2, 1] {
            for at in 0..width {
                let other = lanes[at + width];
                lanes[at] = if other > lanes[at] { other } else { lanes[at] };
            }
        }
        let mut most = lanes[0];
        for &score in rest {
            most = if score > most { score } else { most };
        }
        let is_found = most > T::LOWEST || run.contains(&T::LOWEST);
        *greatest = if is_found { most } else { T::UNREACHABLE };
    }
}

/// Maximum of each set; items are dealt to the sets in turn. Skips NaN.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2",
    "aarch64+neon"
))]
fn deal<T: Scalar>(scores: &[T], greatest: &mut [T]) {
    for run in scores.chunks(greatest.len()) {
        for (most, &score) in greatest.iter_mut().zip(run) {
            *most = if score > *most { score } else { *most };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn scores() -> impl Strategy<Value = Vec<f32>> {
        let ends = vec![f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0];
        let score = prop_oneof![
            3 => (-9i8..9).prop_map(f32::from),
            1 => prop::sample::select(ends),
        ];
        prop::collection::vec(score, 0..400)
    }

    proptest! {
        /// Incomplete runs, and NaN.
        #[test]
        fn the_greatest_of_each_run(scores in scores()) {
            let found = Peaks::new(&scores).greatest;
            for (run, greatest) in scores.chunks(RUN).zip(found) {
                let known = run.iter().copied().filter(|score| !score.is_nan());
                let expected = known.reduce(|a, b| if b > a { b } else { a });
                let is_same = expected.map_or(greatest.is_nan(), |one| one.total_cmp(&greatest).is_eq() || one == 0.0 && greatest == 0.0);
                prop_assert!(is_same, "{expected:?} {greatest}");
            }
        }

        /// In order, equal ones by index; without NaN and items below the fill.
        #[test]
        fn the_first_are_those_of_sorting(scores in scores(), k in 0usize..60, fill in -9i8..9) {
            let fill = f32::from(fill);
            let mut sorted: Vec<u32> =
                (0..scores.len() as u32).filter(|&at| !scores[at as usize].is_nan()).collect();
            sorted.sort_by(|&a, &b| {
                scores[b as usize].partial_cmp(&scores[a as usize]).unwrap()
            });
            let peaks = Peaks::new(&scores);
            prop_assert_eq!(peaks.top_k(k, None), &sorted[..k.min(sorted.len())]);
            let above = |&item: &u32| scores[item as usize] > fill;
            let expected: Vec<u32> = sorted.iter().copied().filter(above).take(k).collect();
            prop_assert_eq!(peaks.top_k(k, Some(fill.into())), expected);
        }
    }
}
