//! The n-grams of captions as numbers.
//!
//! A *term* is the k-th occurrence of an n-gram in a caption: two captions share as many terms of an n-gram as the
//! lower of its counts in both.

use rustc_hash::FxHashMap;

use super::{ORDERS, Tokenisation};

/// The terms of each caption.
#[derive(Debug, Default)]
pub(super) struct Grams {
    /// Order of each n-gram, less one.
    orders: Vec<u8>,
    /// The n-gram of each further term; a first occurrence has the number of its n-gram.
    repeated: Vec<u32>,
    /// Terms of all captions, those of each ascending.
    terms: Vec<u32>,
    /// For each term of a caption, how often the caption has its n-gram.
    counts: Vec<u32>,
    /// Start of each caption in `terms`; one more at the end.
    starts: Vec<u32>,
    /// Number of bigrams of each caption.
    lengths: Vec<u32>,
}

/// Numbers assigned to words, n-grams and terms.
#[derive(Default)]
struct Numbers {
    /// By word.
    words: FxHashMap<Box<str>, u32>,
    /// By the n-gram without its last word, and its last word.
    longer: FxHashMap<(u32, u32), u32>,
    /// By n-gram and number of earlier occurrences.
    repeated: FxHashMap<(u32, u32), u32>,
}

impl Grams {
    /// Numbers the n-grams of all texts.
    pub(super) fn from_texts(texts: &[&str], tokenisation: Tokenisation) -> Self {
        let mut grams = Grams { starts: vec![0], ..Grams::default() };
        let mut numbers = Numbers::default();
        // The n-grams of all texts in one vector: thousands of small ones would fragment the memory.
        let (mut all, mut ends) = (Vec::new(), Vec::with_capacity(texts.len()));
        for text in texts {
            let words = grams.number_words(text, tokenisation, &mut numbers);
            grams.lengths.push(words.len().saturating_sub(1) as u32);
            grams.append_grams(&words, &mut all, &mut numbers);
            ends.push(all.len());
        }
        grams.terms.reserve_exact(all.len());
        grams.counts.reserve_exact(all.len());
        let mut start = 0;
        for end in ends {
            all[start..end].sort_unstable();
            grams.push(&all[start..end], &mut numbers);
            start = end;
        }
        grams
    }

    /// Drops the counts: only weights need them.
    pub(super) fn without_counts(mut self) -> Self {
        self.counts = Vec::new();
        self
    }

    /// The numbers of a text's words; new words get new numbers.
    fn number_words(
        &mut self,
        text: &str,
        tokenisation: Tokenisation,
        numbers: &mut Numbers,
    ) -> Vec<u32> {
        let mut words = Vec::new();
        tokenisation.for_each_word(text, |word| {
            let known = numbers.words.get(word).copied();
            words.push(known.unwrap_or_else(|| {
                let number = self.next_number(0);
                numbers.words.insert(word.into(), number);
                number
            }));
        });
        words
    }

    /// Assigns the next number to a new n-gram of `order` + 1 words.
    fn next_number(&mut self, order: usize) -> u32 {
        self.orders.push(order as u8);
        self.orders.len() as u32 - 1
    }

    /// Appends the n-grams of a text to `all`, of all orders and with repetitions. `words` has the numbers of its
    /// words; new n-grams get new numbers.
    fn append_grams(&mut self, words: &[u32], all: &mut Vec<u32>, numbers: &mut Numbers) {
        all.extend_from_slice(words);
        let mut shorter = words.to_vec();
        for order in 1..ORDERS {
            let longer = shorter.iter().zip(words.get(order..).unwrap_or_default());
            shorter = longer
                .map(|(&gram, &word)| {
                    let known = numbers.longer.get(&(gram, word)).copied();
                    known.unwrap_or_else(|| {
                        let number = self.next_number(order);
                        numbers.longer.insert((gram, word), number);
                        number
                    })
                })
                .collect();
            all.extend_from_slice(&shorter);
        }
    }

    /// Appends a caption with these n-grams, which are sorted; new repetitions of an n-gram get new term numbers.
    fn push(&mut self, sorted: &[u32], numbers: &mut Numbers) {
        let gram_count = self.gram_count() as u32;
        let mut further = Vec::new();
        for run in sorted.chunk_by(|one, other| one == other) {
            let count = run.len() as u32;
            self.terms.push(run[0]);
            self.counts.push(count);
            for before in 1..count {
                let next = gram_count + self.repeated.len() as u32;
                let term = *numbers.repeated.entry((run[0], before)).or_insert(next);
                if term == next {
                    self.repeated.push(run[0]);
                }
                further.push((term, count));
            }
        }
        further.sort_unstable();
        self.terms.extend(further.iter().map(|(term, _)| term));
        self.counts.extend(further.iter().map(|(_, count)| count));
        self.starts.push(self.terms.len() as u32);
    }

    /// Number of n-grams.
    pub(super) fn gram_count(&self) -> usize {
        self.orders.len()
    }

    /// Number of terms.
    pub(super) fn term_count(&self) -> usize {
        self.orders.len() + self.repeated.len()
    }

    /// The n-gram of a term.
    pub(super) fn gram(&self, term: u32) -> usize {
        let beyond = (term as usize).checked_sub(self.orders.len());
        beyond.map_or(term, |at| self.repeated[at]) as usize
    }

    /// Order of a term's n-gram, minus 1: an index into arrays by order.
    pub(super) fn order(&self, term: u32) -> usize {
        usize::from(self.orders[self.gram(term)])
    }

    /// Number of captions.
    pub(super) fn caption_count(&self) -> usize {
        self.lengths.len()
    }

    /// The terms of a caption (numbered occurrences of its n-grams), ascending.
    pub(super) fn terms(&self, caption: usize) -> &[u32] {
        &self.terms[self.starts[caption] as usize..self.starts[caption + 1] as usize]
    }

    /// For each term of a caption, how often the caption has its n-gram.
    pub(super) fn counts(&self, caption: usize) -> &[u32] {
        &self.counts[self.starts[caption] as usize..self.starts[caption + 1] as usize]
    }

    /// Number of bigrams of a caption.
    pub(super) fn length(&self, caption: usize) -> u32 {
        self.lengths[caption]
    }
}
