//! The scores of one query, with the maximum of each run.

use itm_explore_kernels::RUN_LEN;

use super::Scalar;

/// Number of sets, per item of the top k, that bound the scores of the top k.
const SETS_PER_ITEM: usize = 4;

/// The scores of one query and the maximum of each run of them, so that low runs can be skipped.
#[derive(Debug)]
pub struct Peaks<'a, T> {
    scores: &'a [T],
    /// Maximum of each run; NaN if all its scores are NaN.
    maxima: Vec<T>,
}

impl<'a, T: Scalar> Peaks<'a, T> {
    /// Finds the maxima of a query's scores; skips NaN.
    pub fn new(scores: &'a [T]) -> Self {
        let mut maxima = vec![T::UNREACHABLE; scores.len().div_ceil(RUN_LEN)];
        (T::loops().find_run_maxima)(scores, &mut maxima);
        Peaks { scores, maxima }
    }

    /// All scores.
    pub fn scores(&self) -> &'a [T] {
        self.scores
    }

    /// The runs with a score of at least `min_score`: the index of the first item, and the scores.
    pub fn runs_reaching(&self, min_score: T) -> impl Iterator<Item = (usize, &'a [T])> {
        let runs = (0..).step_by(RUN_LEN).zip(self.scores.chunks(RUN_LEN));
        let both = runs.zip(&self.maxima);
        both.filter(move |(_, maximum)| **maximum >= min_score).map(|(run, _)| run)
    }

    /// The top `k` items, best first, equal scores by index. With `fill`, only items with a score above it: there may
    /// be fewer than `k`.
    pub fn top_k(&self, k: usize, fill: Option<f64>) -> Vec<u32> {
        let is_scored = |_, score: T| fill.is_none_or(|fill| score.wide() > fill);
        let top = self.top_keys(k, self.score_bound(k), is_scored);
        top.into_iter().map(|key| T::from_key(key).1).collect()
    }

    /// A score that each of the top `k` items reaches, and few others do: the k-th highest maximum of disjoint sets of
    /// items.
    fn score_bound(&self, k: usize) -> T {
        let sets = k.saturating_mul(SETS_PER_ITEM);
        let mut set_maxima = Vec::new();
        if self.maxima.len() < sets && sets <= self.scores.len() {
            set_maxima.resize(sets, T::LOWEST);
            (T::loops().find_set_maxima)(self.scores, &mut set_maxima);
        }
        let maxima = if set_maxima.is_empty() { &self.maxima } else { &set_maxima };
        let known = maxima.iter().filter(|score| !score.is_nan());
        let mut keys: Vec<T::Key> = known.map(|score| score.key(0)).collect();
        if k == 0 || keys.len() < k {
            return T::LOWEST;
        }
        T::from_key(*keys.select_nth_unstable(k - 1).1).0
    }

    /// Keys of the top `k` items for which `competes(item, score)` holds, best first. No score among them may be below
    /// `bound`.
    fn top_keys(&self, k: usize, mut bound: T, competes: impl Fn(u32, T) -> bool) -> Vec<T::Key> {
        let mut top: Vec<T::Key> = Vec::with_capacity(2 * k);
        if k == 0 {
            return top;
        }
        let runs = (0..).step_by(RUN_LEN).zip(self.scores.chunks(RUN_LEN));
        for ((start, run), maximum) in runs.zip(&self.maxima) {
            let is_reached = *maximum >= bound;
            if !is_reached {
                continue;
            }
            for (item, &score) in (start..).zip(run) {
                if score >= bound && competes(item, score) {
                    top.push(score.key(item));
                    if top.len() == 2 * k {
                        let last = *top.select_nth_unstable(k - 1).1;
                        top.truncate(k);
                        // Items come in index order: one that only equals the k-th ranks behind it.
                        bound = T::from_key(last).0.above();
                    }
                }
            }
        }
        if k < top.len() {
            top.select_nth_unstable(k);
            top.truncate(k);
        }
        top.sort_unstable();
        top
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
            let found = Peaks::new(&scores).maxima;
            for (run, greatest) in scores.chunks(RUN_LEN).zip(found) {
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
