//! The words that a text has and another lacks.

use std::ops::Range;

/// Places (byte ranges in `after`) of the words that are not part of the longest common subsequence of words
/// with `before`. Case and punctuation make no difference.
pub fn added(before: &str, after: &str) -> Vec<Range<usize>> {
    let known: Vec<String> = words(before).map(|(_, word)| word).collect();
    let found: Vec<(Range<usize>, String)> = words(after).collect();
    let lengths = common(&known, &found);
    let (mut at, mut to) = (0, 0);
    let mut added = Vec::new();
    while to < found.len() {
        if at < known.len() && known[at] == found[to].1 {
            (at, to) = (at + 1, to + 1);
        } else if at < known.len() && lengths[at + 1][to] > lengths[at][to + 1] {
            at += 1;
        } else {
            added.push(found[to].0.clone());
            to += 1;
        }
    }
    added
}

/// Of the words from each place on: the length of their longest common subsequence.
fn common(known: &[String], found: &[(Range<usize>, String)]) -> Vec<Vec<u32>> {
    let mut lengths = vec![vec![0; found.len() + 1]; known.len() + 1];
    for at in (0..known.len()).rev() {
        for to in (0..found.len()).rev() {
            lengths[at][to] = if known[at] == found[to].1 {
                lengths[at + 1][to + 1] + 1
            } else {
                lengths[at + 1][to].max(lengths[at][to + 1])
            };
        }
    }
    lengths
}

/// The words looked at of a text: nobody reads a caption of more.
const MOST: usize = 500;

/// Words with their places, lower case, without punctuation; what is punctuation alone is none.
fn words(text: &str) -> impl Iterator<Item = (Range<usize>, String)> + '_ {
    let start = text.as_ptr() as usize;
    let place = move |word: &str| {
        let at = word.as_ptr() as usize - start;
        at..at + word.len()
    };
    let plain = |word: &str| {
        let letters = word.chars().filter(|letter| letter.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect::<String>()
    };
    let pieces = text.split(|c: char| c.is_whitespace() || c == '-' || c == '/');
    let each = pieces.map(move |word| (place(word), plain(word)));
    each.filter(|(_, word)| !word.is_empty()).take(MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of<'a>(before: &str, after: &'a str) -> Vec<&'a str> {
        let ranges = added(before, after);
        ranges.into_iter().map(|range| &after[range]).collect()
    }

    #[test]
    fn words_that_were_added_and_no_others() {
        let before = "A dog runs, on the Grass.";
        assert_eq!(of(before, "a brown dog runs on the green grass"), ["brown", "green"]);
        assert!(of(before, "a dog runs on the grass").is_empty());
        assert!(of(before, "the grass").is_empty(), "words that are left out are not added");
        assert_eq!(of("", "été à deux"), ["été", "à", "deux"]);
        assert_eq!(of("a half-eaten pie", "a half eaten , cherry pie"), ["cherry"]);
        assert_eq!(of("a a b", "b a a"), ["b"]);
    }
}
