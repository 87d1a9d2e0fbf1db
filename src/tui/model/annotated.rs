//! What the annotation of phrases says of the selected pair.

use super::Model;
use crate::data::Direction;
use crate::data::text::shown;
use crate::phrase::{Phrase, Phrases, Sentence};

/// A phrase of the selected pair's caption that its image has no counterpart of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LackedPhrase {
    /// Its words.
    pub words: String,
    /// Its types, as files write them.
    pub types: String,
    /// Whether the image has nothing of these types at all.
    pub of_no_type: bool,
}

impl Model {
    /// The selected pair: gallery indices of its caption and its image.
    fn selected_pair(&self) -> Option<(usize, usize)> {
        let (query, item) = (self.selection.query()?, self.item()?.item);
        Some(match self.view.direction {
            Direction::I2t => (item, query),
            Direction::T2i => (query, item),
        })
    }

    /// The phrases of the selected pair's caption that its image has no counterpart of; `None` where the pair is
    /// a positive, or one of both is not annotated.
    pub(in crate::tui) fn lacked_phrases(&self) -> Option<Vec<LackedPhrase>> {
        let (query, item) = (self.selection.query()?, self.item()?.item);
        let (caption, image) = self.selected_pair()?;
        let phrases = self.study.phrases.as_ref()?;
        if self.badge(query, item).is_positive() {
            return None;
        }
        let sentence = phrases.caption(caption)?.sentence;
        let lacked = phrases.lacking(caption, image)?.into_iter();
        let named = lacked.map(|of| LackedPhrase {
            of_no_type: of.of_no_type,
            ..named(sentence, &sentence.phrases[of.phrase])
        });
        Some(named.collect())
    }

    /// Whether the caption of the selected pair is listed as one that says nothing of its image.
    pub(in crate::tui) fn is_unrelated(&self) -> bool {
        let phrases: Option<&Phrases> = self.study.phrases.as_deref();
        let caption = self.selected_pair().and_then(|(caption, _)| phrases?.caption(caption));
        caption.is_some_and(|caption| caption.sentence.is_unrelated)
    }

    /// Both in a line; `None` where there is nothing to say.
    pub(in crate::tui) fn annotated(&self) -> Option<String> {
        let lacked = self.lacked_phrases().unwrap_or_default();
        let words: Vec<&str> = lacked.iter().map(|of| of.words.as_str()).collect();
        let mut said = Vec::new();
        if !words.is_empty() {
            said.push(format!("without counterpart in the image: {}", words.join(", ")));
        }
        if self.is_unrelated() {
            said.push(UNRELATED.to_owned());
        }
        (!said.is_empty()).then(|| said.join("; "))
    }
}

/// What is said of a caption that is listed so.
pub const UNRELATED: &str = "UNRELATED_CAPTIONS: the caption says nothing of its original image";

fn named(sentence: &Sentence, phrase: &Phrase) -> LackedPhrase {
    LackedPhrase {
        words: shown(sentence.words_of(phrase)),
        types: phrase.types.names(),
        of_no_type: false,
    }
}
