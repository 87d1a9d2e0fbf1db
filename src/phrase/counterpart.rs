//! Which phrases of a caption have no counterpart in an image.
//!
//! A phrase has one if some phrase of the image's own captions has a type and the head word in common with it.
//! The head word is the last one, in lower case, the `s` of a plural left out: nothing is known of synonyms,
//! so that "a man" has no counterpart in "a person".

use super::{ImagePhrases, Sentence, Types};

/// A phrase of a caption that an image has no counterpart of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lacking {
    /// Its place in [`Sentence::phrases`].
    pub phrase: usize,
    /// Whether no phrase of the image is of one of its types.
    pub of_no_type: bool,
}

/// The word that a phrase is about: its last, as it is compared.
fn head_word(words: &str) -> String {
    let word = words.split_whitespace().next_back().unwrap_or_default();
    let letters = word.trim_matches(|c: char| !c.is_alphanumeric());
    let word = letters.to_lowercase();
    match word.strip_suffix('s') {
        Some(one) if one.chars().count() > 2 && !one.ends_with('s') => one.to_owned(),
        _ => word,
    }
}

/// What phrases are compared by.
pub(super) type Heads = Box<[(String, Types)]>;

/// Types and head words of all that the captions of an image name, each once; captions that say nothing of it
/// left out.
pub(super) fn heads(image: &ImagePhrases) -> Heads {
    let sentences = image.sentences.iter().flatten();
    let related = sentences.filter(|sentence| !sentence.is_unrelated);
    let mut heads: Vec<(String, Types)> = Vec::new();
    for sentence in related {
        for phrase in &sentence.phrases {
            let head = (head_word(sentence.words_of(phrase)), phrase.types);
            if phrase.types.visual().next().is_some() && !heads.contains(&head) {
                heads.push(head);
            }
        }
    }
    heads.into()
}

/// The phrases of a caption of which an image with these heads has no counterpart; those of nothing visual are
/// not looked for.
pub(super) fn lacking(sentence: &Sentence, heads: &[(String, Types)]) -> Vec<Lacking> {
    let visual = sentence.phrases.iter().enumerate();
    let visual = visual.filter(|(_, phrase)| phrase.types.visual().next().is_some());
    let lacks = |(place, phrase): (usize, &super::Phrase)| {
        let head = head_word(sentence.words_of(phrase));
        let of_type = heads.iter().filter(|(_, types)| types.meets(phrase.types));
        let of_no_type = of_type.clone().next().is_none();
        let has = of_type.clone().any(|(other, _)| *other == head);
        (!has).then_some(Lacking { phrase: place, of_no_type })
    };
    visual.filter_map(lacks).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phrase::sentence::parse;

    #[test]
    fn the_head_is_the_last_word_without_the_s_of_a_plural() {
        for (words, head) in [
            ("A red Kite", "kite"),
            ("two kites", "kite"),
            ("the grass", "grass"),
            ("a gas", "gas"),
            ("a set of stairs", "stair"),
            ("\" dog\"", "dog"),
        ] {
            assert_eq!(head_word(words), head, "{words}");
        }
    }

    #[test]
    fn a_counterpart_has_type_and_head_in_common() {
        let sentence = |line| parse(line, "1.txt, line 1").unwrap();
        let mut unrelated = sentence("[/EN#9/vehicles a bus]");
        unrelated.is_unrelated = true;
        let image = ImagePhrases {
            sentences: vec![
                Some(sentence(
                    "[/EN#1/people A man] flies [/EN#2/other two kites] [/EN#0/notvisual today]",
                )),
                None,
                Some(unrelated),
            ],
            ..ImagePhrases::default()
        };
        let caption = sentence(
            "[/EN#3/people Men] and [/EN#4/people a man] with [/EN#5/other/vehicles the kite] by [/EN#6/vehicles a bus] [/EN#0/notvisual outside]",
        );
        let found = lacking(&caption, &heads(&image));
        let told: Vec<(&str, bool)> = found
            .iter()
            .map(|lacking| (caption.words_of(&caption.phrases[lacking.phrase]), lacking.of_no_type))
            .collect();
        assert_eq!(told, [("Men", false), ("a bus", true)]);
    }
}
