//! Words that one text has and another lacks.

use std::ops::Range;

/// Byte ranges in `after` of the words that `before` lacks or has less often, ignoring case and punctuation.
pub fn added_words(before: &str, after: &str) -> Vec<Range<usize>> {
    let mut unmatched: Vec<String> = word_ranges(before).map(|(_, word)| word).collect();
    let is_added = |(_, word): &(Range<usize>, String)| {
        let found = unmatched.iter().position(|before| before == word);
        found.map(|at| unmatched.swap_remove(at)).is_none()
    };
    word_ranges(after).filter(is_added).map(|(range, _)| range).collect()
}

/// Words of a text that are compared: nobody reads a longer caption.
const MAX_WORDS: usize = 500;

/// Words with their byte ranges, lower case, without punctuation; punctuation alone is no word.
fn word_ranges(text: &str) -> impl Iterator<Item = (Range<usize>, String)> + '_ {
    let start = text.as_ptr() as usize;
    let range = move |word: &str| {
        let at = word.as_ptr() as usize - start;
        at..at + word.len()
    };
    let plain = |word: &str| {
        let letters = word.chars().filter(|letter| letter.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect::<String>()
    };
    let pieces = text.split(|c: char| c.is_whitespace() || c == '-' || c == '/');
    let words = pieces.map(move |word| (range(word), plain(word)));
    words.filter(|(_, word)| !word.is_empty()).take(MAX_WORDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new_words<'a>(before: &str, after: &'a str) -> Vec<&'a str> {
        let ranges = added_words(before, after);
        ranges.into_iter().map(|range| &after[range]).collect()
    }

    #[test]
    fn words_that_were_added_and_no_others() {
        let before = "A dog runs, on the Grass.";
        assert_eq!(new_words(before, "a brown dog runs on the green grass"), ["brown", "green"]);
        assert!(new_words(before, "a dog runs on the grass").is_empty());
        assert!(new_words(before, "the grass").is_empty(), "omitted words are not added");
        assert_eq!(new_words("", "été à deux"), ["été", "à", "deux"]);
        assert_eq!(new_words("a half-eaten pie", "a half eaten , cherry pie"), ["cherry"]);
        assert_eq!(new_words("a a b", "b a a a"), ["a"]);
    }
}
