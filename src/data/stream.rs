//! Random numbers that are the same on every machine and in every version.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

/// What random numbers are used for: with one seed, two uses share no numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Use {
    /// Bootstrap of queries.
    Bootstrap = 1,
    /// Random candidate pools.
    Pool = 3,
    /// Random queries.
    Draw = 4,
    /// Random rankings.
    Shuffled = 7,
    /// Bootstrap of models.
    Models = 8,
    /// Bootstrap of model families.
    Families = 9,
    /// Halves of the queries: tuning and test.
    Halves = 10,
    /// Bootstrap of ratings.
    Ratings = 20,
    /// Golden pairs of HITs.
    Hits = 30,
    /// Order of the annotation queue.
    Queue = 31,
    /// Split of a pool among annotators.
    Parts = 32,
}

/// Random numbers of a resample, or of a pool.
///
/// Source: `ChaCha` with 8 rounds, Bernstein 2008, <https://cr.yp.to/chacha/chacha-20080128.pdf>; the
/// key is the seed and the use, the nonce the number of the resample.
pub(crate) struct Stream(ChaCha8Rng);

impl Stream {
    /// The stream of a seed for one use. Each `resample` number gives another, independent stream.
    pub(crate) fn new(seed: u64, purpose: Use, resample: usize) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8] = purpose as u8;
        let mut numbers = ChaCha8Rng::from_seed(key);
        numbers.set_stream(resample as u64);
        Stream(numbers)
    }

    /// Draws a uniform index below `len`, with a bias of at most `len` in 2^32.
    pub(crate) fn index(&mut self, len: usize) -> usize {
        word_to_index(self.0.next_u32(), len)
    }

    /// Draws `count` values of `all` without replacement, or all if there are fewer, in random order.
    ///
    /// Source: a truncated Fisher-Yates shuffle (Durstenfeld 1964, *Algorithm 235*).
    pub(crate) fn sample(&mut self, mut all: Vec<u32>, count: usize) -> Vec<u32> {
        for place in 0..count.min(all.len()) {
            let other = place + self.index(all.len() - place);
            all.swap(place, other);
        }
        all.truncate(count);
        all
    }

    /// Fills `words` with random words; [`word_to_index`] maps each to the index that [`Stream::index`] would draw.
    pub(crate) fn fill(&mut self, words: &mut [u32]) {
        self.0.fill_bytes(bytemuck::cast_slice_mut(words));
        for word in words {
            *word = u32::from_le(*word);
        }
    }
}

/// Maps a random word to an index below `len`.
pub(crate) fn word_to_index(word: u32, len: usize) -> usize {
    ((u64::from(word) * len as u64) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first words of the key stream, computed from the definition in Python: key = seed and use, nonce = resample,
    /// counter 0.
    #[test]
    fn numbers_are_fixed() {
        let first = |seed, of, resample| Stream::new(seed, of, resample).0.next_u64();
        let all =
            [first(0, Use::Bootstrap, 0), first(0, Use::Bootstrap, 1), first(1, Use::Bootstrap, 0)];
        assert_eq!(all, FIRST);
        let mut stream = Stream::new(7, Use::Bootstrap, 3);
        assert!((0..1000).all(|_| stream.index(5) < 5));
    }

    /// After any earlier draws, and for any number of words.
    #[test]
    fn words_are_those_of_indices_one_by_one() {
        let stream = || Stream::new(7, Use::Bootstrap, 3);
        let (mut single, mut several) = (stream(), stream());
        for count in [1, 0, 63, 200, 5] {
            let mut words = vec![0; count];
            several.fill(&mut words);
            let indices: Vec<usize> =
                words.into_iter().map(|word| word_to_index(word, 1000)).collect();
            let expected: Vec<usize> = (0..count).map(|_| single.index(1000)).collect();
            assert_eq!(indices, expected);
        }
    }

    const FIRST: [u64; 3] = [4606029925845525861, 5443655015760716627, 4344717217939160907];
}
