//! Captions as words, and the differences of two captions.
//!
//! One simple normalisation is used everywhere: lower case, no punctuation (an apostrophe joins), no articles. No
//! stemming: shown words are words of the texts.

use rustc_hash::FxHashMap;

use crate::data::gallery::Gallery;

/// Words that are skipped.
const ARTICLES: [&str; 3] = ["a", "an", "the"];

/// The normalised words of a text.
pub fn tokens(text: &str) -> impl Iterator<Item = String> {
    let text = text.to_lowercase().replace(['\'', '\u{2019}'], "");
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty() && !ARTICLES.contains(word));
    words.map(str::to_owned).collect::<Vec<_>>().into_iter()
}

/// Whether a text contains these words, consecutive and whole; the case of ASCII letters is ignored.
pub fn has_words(text: &str, words: &str) -> bool {
    let (bytes, wanted) = (text.as_bytes(), words.as_bytes());
    let Some((&first, last)) = wanted.first().zip(bytes.len().checked_sub(wanted.len())) else {
        return false;
    };
    let is_there = |at: usize| {
        let end = at + wanted.len();
        bytes[at].eq_ignore_ascii_case(&first)
            && bytes[at..end].eq_ignore_ascii_case(wanted)
            && !text[..at].ends_with(char::is_alphanumeric)
            && !text[end..].starts_with(char::is_alphanumeric)
    };
    (0..=last).any(is_there)
}

/// All captions of a gallery as word numbers.
#[derive(Debug, Clone, Default)]
pub struct Texts {
    /// The word of each number.
    words: Vec<String>,
    /// The words of each caption, in text order.
    written: Vec<Box<[u32]>>,
    /// The words of each caption, ascending by number.
    sorted: Vec<Box<[u32]>>,
    /// For each caption, the first one with the same words in the same order: itself if it is the first.
    same: Vec<u32>,
}

/// A retrieved caption and the nearest correct one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contrast {
    /// Gallery index of the retrieved caption, or of one of the retrieved image.
    pub retrieved: u32,
    /// Gallery index of the nearest positive caption, or of the query.
    pub wanted: u32,
    /// Words of the retrieved one that the wanted one lacks, with multiplicity, in order.
    pub extra: Vec<u32>,
    /// Words of the wanted one that the retrieved one lacks.
    pub missing: Vec<u32>,
}

impl Texts {
    /// Reads the captions of a gallery; empty if it has no texts.
    pub fn from_gallery(gallery: &Gallery) -> Self {
        let mut texts = Texts::default();
        let (mut numbers, mut first) = (FxHashMap::default(), FxHashMap::default());
        for (caption, text) in (0..).zip(&gallery.texts) {
            let written: Box<[u32]> = tokens(text.raw())
                .map(|word| {
                    *numbers.entry(word).or_insert_with_key(|word: &String| {
                        texts.words.push(word.clone());
                        texts.words.len() as u32 - 1
                    })
                })
                .collect();
            let mut sorted = written.clone();
            sorted.sort_unstable();
            texts.same.push(*first.entry(written.clone()).or_insert(caption));
            texts.written.push(written);
            texts.sorted.push(sorted);
        }
        texts
    }

    /// Whether there are no texts.
    pub fn is_empty(&self) -> bool {
        self.written.is_empty()
    }

    /// Number of different words over all captions.
    pub fn word_count(&self) -> usize {
        self.words.len()
    }

    /// The word of this number, in lower case.
    pub fn word(&self, number: u32) -> &str {
        &self.words[number as usize]
    }

    /// The words of a caption, ascending by number, with repetitions.
    pub fn sorted_words(&self, caption: u32) -> &[u32] {
        self.sorted.get(caption as usize).map_or(&[], |words| words)
    }

    /// Number of captions with each word.
    pub fn occurrences(&self) -> Vec<u32> {
        let mut counts = vec![0; self.words.len()];
        for sorted in &self.sorted {
            for of_word in sorted.chunk_by(|one, other| one == other) {
                counts[of_word[0] as usize] += 1;
            }
        }
        counts
    }

    /// Whether two captions are equal up to case, punctuation and articles; captions without any word are not.
    pub fn is_same(&self, one: u32, other: u32) -> bool {
        let same = |caption: u32| self.same.get(caption as usize);
        !self.sorted_words(one).is_empty() && same(one) == same(other)
    }

    /// The most similar pair of a retrieved and a wanted caption, with their differences; the first of equal pairs,
    /// `None` if a list is empty. Similarity is the share of common words (Dice: twice the common ones over all).
    pub fn contrast(
        &self,
        retrieved: impl Iterator<Item = u32>,
        wanted: &[u32],
    ) -> Option<Contrast> {
        let mut best: Option<(f64, u32, u32)> = None;
        for one in retrieved {
            for &other in wanted {
                let near = self.similarity(one, other);
                if best.is_none_or(|(most, ..)| near > most) {
                    best = Some((near, one, other));
                }
            }
        }
        let (_, retrieved, wanted) = best?;
        Some(Contrast {
            retrieved,
            wanted,
            extra: self.words_without(retrieved, wanted),
            missing: self.words_without(wanted, retrieved),
        })
    }

    /// Share of common words (Dice) of two captions, 0 to 1; 0 if neither has a word.
    fn similarity(&self, one: u32, other: u32) -> f64 {
        let (one, other) = (self.sorted_words(one), self.sorted_words(other));
        let all = one.len() + other.len();
        if all == 0 {
            return 0.0;
        }
        let (mut at, mut common) = (0, 0);
        for word in one {
            while other.get(at).is_some_and(|there| there < word) {
                at += 1;
            }
            if other.get(at) == Some(word) {
                at += 1;
                common += 1;
            }
        }
        f64::from(2 * common) / all as f64
    }

    /// The words of `one` that `other` lacks, in text order.
    fn words_without(&self, one: u32, other: u32) -> Vec<u32> {
        let mut left = self.sorted_words(other).to_vec();
        let written = self.written.get(one as usize).into_iter().flatten();
        let lacks = |word: &&u32| match left.iter().position(|there| there == *word) {
            Some(at) => {
                left.swap_remove(at);
                false
            }
            None => true,
        };
        written.filter(lacks).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::text::Text;

    fn texts(captions: &[&str]) -> Texts {
        let gallery = Gallery {
            texts: captions.iter().map(|text| Text::new(text)).collect(),
            ..Gallery::default()
        };
        Texts::from_gallery(&gallery)
    }

    #[test]
    fn words_stand_whole_and_in_a_row() {
        let text = "Two dogs sit next to a café, no one is near.";
        for there in ["two", "DOGS", "next to", "café", "no", "near", "no one"] {
            assert!(has_words(text, there), "{there}");
        }
        for missing in ["dog", "next  to", "caf", "on", "to next", "", "one is near. no"] {
            assert!(!has_words(text, missing), "{missing}");
        }
    }

    #[test]
    fn case_punctuation_and_articles_are_no_difference() {
        let texts = texts(&[
            "A man's dog, running!",
            "the mans DOG running",
            "dog running mans",
            "...",
            "The",
        ]);
        assert!(texts.is_same(0, 1));
        assert!(!texts.is_same(0, 2), "another order");
        assert!(!texts.is_same(3, 4), "no words at all");
        assert_eq!(texts.word_count(), 3);
    }

    #[test]
    fn a_contrast_is_between_the_nearest_and_counts_words() {
        let texts = texts(&["two dogs and two cats", "a red bus", "two dogs and a cat in the sun"]);
        let found = texts.contrast([0].into_iter(), &[1, 2]).unwrap();
        assert_eq!((found.retrieved, found.wanted), (0, 2));
        let words = |numbers: &[u32]| numbers.iter().map(|&n| texts.word(n).to_owned()).collect();
        let [extra, missing]: [Vec<String>; 2] = [words(&found.extra), words(&found.missing)];
        assert_eq!(extra, ["two", "cats"]);
        assert_eq!(missing, ["cat", "in", "sun"]);
        assert_eq!(texts.contrast([].into_iter(), &[1]), None);
    }
}
