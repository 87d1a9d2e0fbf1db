//! Samples queries: at random, or for diversity.

use rustc_hash::FxHashSet;

use crate::data::Direction;
use crate::data::stream::{Stream, Use};
use crate::data::words::tokens;
use crate::study::Study;

/// Shuffles in place by random `numbers`, every order equally likely (Fisher-Yates).
pub(crate) fn shuffle<T>(all: &mut [T], numbers: &mut Stream) {
    for end in (1..all.len()).rev() {
        all.swap(end, numbers.index(end + 1));
    }
}

/// A random sample of `count` queries, in sampling order; all of them if there are fewer. Deterministic by seed.
pub fn sample_at_random(queries: &[u32], count: usize, seed: u64) -> Vec<u32> {
    Stream::new(seed, Use::Draw, 0).sample(queries.to_vec(), count)
}

/// A diverse sample of `count` queries, or all if there are fewer: the first at random, then each time the query whose
/// highest similarity to a sampled query is lowest. Similarity is the Jaccard index of words; an image has the words of
/// its captions.
///
/// Source: Gonzalez 1985, *Clustering to minimize the maximum intercluster distance*.
pub fn sample_diverse(
    study: &Study,
    direction: Direction,
    queries: &[u32],
    count: usize,
    seed: u64,
) -> Vec<u32> {
    // Ties are broken by random order.
    let queries = sample_at_random(queries, queries.len(), seed);
    let words: Vec<_> = queries.iter().map(|&query| query_words(study, direction, query)).collect();
    // Similarity of each query to the most similar chosen one.
    let mut nearest = vec![0.0_f64; queries.len()];
    let mut chosen: Vec<usize> = Vec::new();
    while chosen.len() < count.min(queries.len()) {
        let remaining = (0..queries.len()).filter(|at| !chosen.contains(at));
        // The first minimum: `min_by` keeps the earlier of two.
        let Some(next) = remaining.min_by(|&a, &b| nearest[a].total_cmp(&nearest[b])) else {
            break;
        };
        chosen.push(next);
        for (near, other) in nearest.iter_mut().zip(&words) {
            *near = near.max(jaccard_index(other, &words[next]));
        }
    }
    chosen.into_iter().map(|at| queries[at]).collect()
}

/// Words of a caption, or of all captions of an image.
fn query_words(study: &Study, direction: Direction, query: u32) -> FxHashSet<String> {
    let captions = match direction {
        Direction::T2i => vec![query],
        Direction::I2t => study.original_items(Direction::I2t, query as usize).iter().collect(),
    };
    let texts = captions.iter().filter_map(|&caption| study.gallery.texts.get(caption as usize));
    texts.flat_map(|text| tokens(text.shown())).collect()
}

/// Number of words in both sets over number of words in either; 1 for two empty sets.
fn jaccard_index(one: &FxHashSet<String>, other: &FxHashSet<String>) -> f64 {
    let shared = one.intersection(other).count();
    let union = one.len() + other.len() - shared;
    if union == 0 { 1.0 } else { shared as f64 / union as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::gallery::Gallery;
    use crate::data::id::IdList;
    use crate::data::text::Text;

    #[test]
    fn random_samples_are_uniform_without_repetition() {
        let queries = [3, 5, 7, 9];
        let mut times = [0; 10];
        for seed in 0..2000 {
            let drawn = sample_at_random(&queries, 2, seed);
            assert!(drawn.len() == 2 && drawn[0] != drawn[1]);
            for query in drawn {
                times[query as usize] += 1;
            }
        }
        for query in queries {
            assert!((900..1100).contains(&times[query as usize]), "{times:?}");
        }
        assert_eq!(sample_at_random(&queries, 2, 4), sample_at_random(&queries, 2, 4));
        let mut all = sample_at_random(&queries, 9, 1);
        all.sort_unstable();
        assert_eq!(all, queries);
        assert!(sample_at_random(&[], 3, 0).is_empty());
    }

    #[test]
    fn a_diverse_sample_takes_the_least_similar_next() {
        let texts = ["a red bus", "the red bus", "a red bus here", "two dogs", "two dogs run"];
        let study = Study {
            gallery: Gallery {
                captions: IdList::for_len(texts.len()),
                texts: texts.iter().map(|text| Text::new(text)).collect(),
                ..Gallery::default()
            },
            ..Study::default()
        };
        for seed in 0..20 {
            let drawn = sample_diverse(&study, Direction::T2i, &[0, 1, 2, 3, 4], 2, seed);
            let of_dogs = drawn.iter().filter(|&&query| query > 2).count();
            assert_eq!(of_dogs, 1, "{drawn:?}");
            let mut all = sample_diverse(&study, Direction::T2i, &[0, 1, 2, 3, 4], 7, seed);
            all.sort_unstable();
            assert_eq!(all, [0, 1, 2, 3, 4]);
        }
    }
}
