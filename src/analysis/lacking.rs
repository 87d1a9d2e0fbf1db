//! Phrases without counterpart, over many pairs.

use rustc_hash::FxHashMap;

use crate::phrase::{Phrases, Types, head_word};

/// A head word that images lack, of phrases of the same types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LackingHead {
    /// The word, as phrases are compared by.
    pub head: String,
    /// The types of its phrases.
    pub types: Types,
    /// Pairs whose caption has such a phrase and whose image has no counterpart.
    pub failures: u32,
    /// Those of them whose image has nothing of any of these types.
    pub of_no_type: u32,
}

/// Counts the head words of phrases without counterpart over pairs of a caption and an image, each once a pair;
/// the most frequent first, equal ones by letter.
pub fn lacking(phrases: &Phrases, pairs: impl Iterator<Item = (usize, usize)>) -> Vec<LackingHead> {
    let mut counts: FxHashMap<(String, Types), [u32; 2]> = FxHashMap::default();
    for (caption, image) in pairs {
        for (key, of_no_type) in of_pair(phrases, caption, image) {
            let [failures, without] = counts.entry(key).or_default();
            *failures += 1;
            *without += u32::from(of_no_type);
        }
    }
    let found = counts.into_iter().map(|((head, types), [failures, of_no_type])| LackingHead {
        head,
        types,
        failures,
        of_no_type,
    });
    let mut found: Vec<LackingHead> = found.collect();
    found.sort_by(|one, other| {
        let by_letter = || (&one.head, one.types.names()).cmp(&(&other.head, other.types.names()));
        other.failures.cmp(&one.failures).then_with(by_letter)
    });
    found
}

/// The head words of one pair, each once.
fn of_pair(phrases: &Phrases, caption: usize, image: usize) -> FxHashMap<(String, Types), bool> {
    let known = phrases.caption(caption).zip(phrases.lacking(caption, image));
    let Some((caption, lacking)) = known else {
        return FxHashMap::default();
    };
    let head = |of: crate::phrase::Lacking| {
        let phrase = &caption.sentence.phrases[of.phrase];
        let head = head_word(caption.sentence.words_of(phrase));
        ((head, phrase.types), of.of_no_type)
    };
    lacking.into_iter().map(head).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::gallery::Gallery;
    use crate::data::id::IdList;
    use crate::data::text::Text;
    use crate::phrase::Entities;

    #[test]
    fn heads_are_counted_once_a_pair() {
        let entities = Entities::built_in(&[
            (
                "Sentences/0.txt",
                "[/EN#1/other A kite] and [/EN#2/other two kites] by [/EN#3/animals a dog]\n",
            ),
            ("Sentences/1.txt", "[/EN#4/other A ball]\n"),
            ("Sentences/2.txt", "[/EN#5/animals Dogs]\n"),
        ]);
        let texts = ["A kite and two kites by a dog", "A ball", "Dogs"];
        let gallery = Gallery {
            images: IdList::counted(3),
            captions: IdList::counted(3),
            texts: texts.map(Text::new).to_vec(),
            ..Gallery::default()
        };
        let phrases = Phrases::new(entities, &gallery, |_| None);
        let pairs = [(0, 1), (0, 2), (2, 1), (0, 0)];
        let found = lacking(&phrases, pairs.into_iter());
        let told = found.iter().map(|of| (of.head.as_str(), of.failures, of.of_no_type));
        assert_eq!(told.collect::<Vec<_>>(), [("dog", 2, 2), ("kite", 2, 1)]);
    }
}
