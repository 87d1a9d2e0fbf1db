//! Words common in failures.
//!
//! Each word counts once per query. Over-representation among failures, relative to other covered queries, is the
//! difference of log-odds, with an informative Dirichlet prior from the whole gallery, over its standard deviation. So
//! neither rare nor common words come first by chance. Source: Monroe, Colaresi and Quinn, *Fightin' words*, Political
//! Analysis 16 (2008), 372-403, equations 15, 16, 19, 22.
//!
//! With this many words, some differ by chance: p-values are Holm-adjusted over all words that occur. The test treats
//! queries as independent, which captions of one image are not quite.

use super::student::normal_two_sided;
use super::{holm, inference};
use crate::data::words::{Contrast, Texts};

/// Weight of the prior, in words.
pub const PRIOR: f64 = 500.0;
/// Significance level of corrected p-values.
pub const LEVEL: f64 = inference::LEVEL;

/// A word, its counts on both sides of a comparison, and their imbalance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Word {
    /// Index of the word in [`Texts`].
    pub word: u32,
    /// For [`failure_words`]: failures and other covered queries with it. For [`swapped_words`]: contrasts with it only
    /// in the retrieved caption, and only in the positive one.
    pub counts: [u32; 2],
    /// Imbalance of the counts, in standard deviations; positive if the first side has more.
    pub z: f64,
    /// Two-sided p-value of z, normal under no difference.
    pub p: f64,
    /// p-value, Holm-adjusted over the words that occur.
    pub p_holm: f64,
}

impl Word {
    /// Whether the corrected p-value is below [`LEVEL`].
    pub fn is_significant(&self) -> bool {
        self.p_holm < LEVEL
    }
}

/// Compares the words of failures with those of other queries. `queries`: whether each failed, and its captions.
/// Most over-represented word first; words that do not occur are excluded.
pub fn failure_words<'a>(
    texts: &Texts,
    queries: impl Iterator<Item = (bool, &'a [u32])>,
) -> Vec<Word> {
    let mut counts = vec![[0; 2]; texts.word_count()];
    for (is_failure, captions) in queries {
        let words = captions.iter().flat_map(|&caption| texts.sorted_words(caption)).copied();
        count_distinct(&mut counts, usize::from(!is_failure), words);
    }
    let z = log_odds_z(&counts, &texts.occurrences());
    test_words(&counts, |word| z[word])
}

/// Compares how often each word is only in the retrieved or only in the positive caption of a contrast. Words mostly in
/// retrieved captions are first, words mostly in positive captions last. Words with equal counts are excluded.
pub fn swapped_words(texts: &Texts, contrasts: &[Contrast]) -> Vec<Word> {
    let mut counts = vec![[0; 2]; texts.word_count()];
    for contrast in contrasts {
        count_distinct(&mut counts, 0, contrast.extra.iter().copied());
        count_distinct(&mut counts, 1, contrast.missing.iter().copied());
    }
    let mut words = test_words(&counts, |word| imbalance(counts[word]));
    words.retain(|of| of.counts[0] != of.counts[1]);
    words
}

/// Adds 1 to the counts on one side (0 or 1) of each distinct word.
fn count_distinct(counts: &mut [[u32; 2]], side: usize, words: impl Iterator<Item = u32>) {
    let mut words: Vec<u32> = words.collect();
    words.sort_unstable();
    words.dedup();
    for word in words {
        counts[word as usize][side] += 1;
    }
}

/// The words that occur, highest z first, with corrected p-values; `z` gives the z of a word by its index.
fn test_words(counts: &[[u32; 2]], z: impl Fn(usize) -> f64) -> Vec<Word> {
    let found = counts.iter().enumerate().filter(|(_, of)| of[0] + of[1] > 0);
    let word = |(word, &counts)| {
        let z = z(word);
        Word { word: word as u32, counts, z, p: normal_two_sided(z), p_holm: 1.0 }
    };
    let mut words: Vec<Word> = found.map(word).collect();
    let p: Vec<Option<f64>> = words.iter().map(|of| Some(of.p)).collect();
    for (of, adjusted) in words.iter_mut().zip(holm::adjust(&p)) {
        of.p_holm = adjusted.unwrap_or(1.0);
    }
    words.sort_by(|one, other| other.z.total_cmp(&one.z));
    words
}

/// Over-represented words of failures, in order. If failures are few, the prior alone raises words that no failure has:
/// these are excluded.
pub fn over_represented(words: &[Word]) -> impl Iterator<Item = &Word> {
    words.iter().filter(|word| word.z > 0.0 && word.counts[0] > 0)
}

/// z of the log-odds difference of each word, from its counts in two corpora and in a background.
fn log_odds_z(counts: &[[u32; 2]], background: &[u32]) -> Vec<f64> {
    let total = |corpus: usize| counts.iter().map(|of| f64::from(of[corpus])).sum::<f64>();
    let totals = [total(0), total(1)];
    let all: f64 = background.iter().copied().map(f64::from).sum();
    let score = |(counts, &known): (&[u32; 2], &u32)| {
        let prior = PRIOR * f64::from(known) / all;
        let [one, other] = [0, 1].map(|corpus| {
            let count = f64::from(counts[corpus]) + prior;
            let rest = totals[corpus] + PRIOR - count;
            ((count / rest).ln(), 1.0 / count)
        });
        (one.0 - other.0) / (one.1 + other.1).sqrt()
    };
    counts.iter().zip(background).map(score).collect()
}

/// Imbalance of counts (extra, missing) in standard deviations, negative if more are missing. If their total is
/// below 10, one is added to each, like the win and loss in [`inference`].
fn imbalance(counts: [u32; 2]) -> f64 {
    let [extra, missing] = counts.map(f64::from);
    let (all, min_differing) = (extra + missing, inference::MIN_DIFFERING as f64);
    let added = if all < min_differing { 2.0 } else { 0.0 };
    (extra - missing) / (all + added).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::gallery::Gallery;
    use crate::data::text::Text;

    /// By the formula: failures 3 of "cat" and 1 of "dog", others 1 and 5; the background has 4 and 6 of 10 words.
    #[test]
    fn scores_are_those_of_the_formula() {
        let found = log_odds_z(&[[3, 1], [1, 5]], &[4, 6]);
        let (cat, dog) = (200.0, 300.0);
        let log_odds = |seen: f64, rest: f64| (seen / rest).ln();
        let delta = log_odds(3.0 + cat, 1.0 + dog) - log_odds(1.0 + cat, 5.0 + dog);
        let variance: f64 = 1.0 / 203.0 + 1.0 / 201.0;
        assert!((found[0] - delta / variance.sqrt()).abs() < 1e-12);
        assert!(found[0] > 0.0 && found[1] < 0.0);
    }

    fn texts() -> Texts {
        let captions = ["red cat", "cat cat", "dog", "red dog", "dog"];
        let gallery = Gallery {
            texts: captions.iter().map(|text| Text::new(text)).collect(),
            ..Gallery::default()
        };
        Texts::from_gallery(&gallery)
    }

    #[test]
    fn a_word_counts_once_per_query() {
        let texts = texts();
        let queries = [(true, &[0, 1][..]), (true, &[1]), (false, &[2, 3]), (false, &[4])];
        let found = failure_words(&texts, queries.into_iter());
        let told = |word: &Word| (texts.word(word.word).to_owned(), word.counts[0], word.counts[1]);
        let told: Vec<_> = found.iter().map(told).collect();
        assert_eq!(told[0], ("cat".to_owned(), 2, 0));
        assert_eq!(told[2], ("dog".to_owned(), 0, 2));
        assert_eq!(told[1].1 + told[1].2, 2);
    }

    /// The family is all words in queries.
    #[test]
    fn p_values_are_corrected_over_the_words_that_occur() {
        let texts = texts();
        let queries = [(true, &[0][..]), (true, &[1]), (false, &[2])];
        let found = failure_words(&texts, queries.into_iter());
        let p: Vec<Option<f64>> = found.iter().map(|word| Some(word.p)).collect();
        let adjusted: Vec<Option<f64>> = found.iter().map(|word| Some(word.p_holm)).collect();
        assert_eq!(found.len(), 3);
        assert_eq!(adjusted, holm::adjust(&p));
        assert!(found.iter().all(|word| word.p <= word.p_holm));
        assert!(found.iter().all(|word| word.p.eq(&normal_two_sided(word.z))));
        let level = |p_holm| Word { p_holm, ..found[0] }.is_significant();
        assert!(level(0.049) && !level(0.05));
    }

    #[test]
    fn swapped_words_are_counted_on_both_sides() {
        let texts = texts();
        let contrast = |one, other| texts.contrast([one].into_iter(), &[other]);
        let contrasts: Vec<Contrast> = [(1, 2), (0, 3), (3, 1)]
            .into_iter()
            .filter_map(|(one, other)| contrast(one, other))
            .collect();
        let found = swapped_words(&texts, &contrasts);
        let told = |of: &Word| (texts.word(of.word).to_owned(), of.counts[0], of.counts[1]);
        let told: Vec<_> = found.iter().map(told).collect();
        assert_eq!(
            told,
            [("red".to_owned(), 1, 0), ("cat".to_owned(), 2, 1), ("dog".to_owned(), 1, 2)]
        );
    }

    /// `2 * scipy.stats.norm.sf(9 / sqrt(11))` and `2 * norm.sf(5 / sqrt(9))` of `SciPy` 1.17, times 3 and 2; a
    /// balanced word is in the family, but not listed.
    #[test]
    fn swapped_words_are_corrected_over_all_compared_words() {
        let texts = texts();
        let word = |word: &str| {
            let known = (0..texts.word_count() as u32).find(|&at| texts.word(at) == word);
            known.unwrap()
        };
        let [red, cat, dog] = ["red", "cat", "dog"].map(word);
        let contrast = |extra: &[u32], missing: &[u32]| Contrast {
            retrieved: 0,
            wanted: 1,
            extra: extra.to_vec(),
            missing: missing.to_vec(),
        };
        let mut contrasts = vec![contrast(&[red], &[]); 9];
        contrasts.extend(vec![contrast(&[], &[cat]); 6]);
        contrasts.push(contrast(&[cat, dog], &[]));
        contrasts.push(contrast(&[], &[dog]));
        let found = swapped_words(&texts, &contrasts);
        assert_eq!(found.len(), 2);
        for (of, (p, p_holm)) in found.iter().zip([
            (0.006655605482949377, 0.01996681644884813),
            (0.0955807045456294, 0.1911614090912588),
        ]) {
            assert!((of.p - p).abs() < 1e-12 && (of.p_holm - p_holm).abs() < 1e-12);
        }
        assert!(found[0].is_significant() && !found[1].is_significant());
    }
}
