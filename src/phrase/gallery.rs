//! The phrases of a gallery: the sentence of each caption, and the data of each image.

use rustc_hash::FxHashMap;

use super::runs::{self, Span};
use super::{Entities, ImagePhrases, Runs, Sentence};
use crate::data::gallery::Gallery;
use crate::data::id::Id;

/// The phrases of a gallery's captions and the boxes of its images, by gallery index.
#[derive(Debug, Clone, Default)]
pub struct Phrases {
    /// Captions and annotation of each image; `None` if the set lacks it.
    images: Vec<Option<ImagePhrases>>,
    /// Sentence of each caption; `None` if no sentence matches.
    captions: Vec<Option<CaptionSentence>>,
}

/// The annotated sentence of a caption.
#[derive(Debug, Clone)]
struct CaptionSentence {
    /// Gallery index of the annotated image.
    image: u32,
    /// Number of the sentence, from 0.
    sentence: u32,
    /// Ranges of the visual phrases.
    spans: Box<[Span]>,
}

/// A caption with its phrases.
#[derive(Debug, Clone, Copy)]
pub struct PhrasedCaption<'a> {
    /// Gallery index of the annotated image.
    pub image: usize,
    /// The annotated sentence.
    pub sentence: &'a Sentence,
    spans: &'a [Span],
}

impl<'a> PhrasedCaption<'a> {
    /// Splits shown lines of the caption at the bounds of its phrases. `prefix` is text shown before the caption, or
    /// empty.
    pub fn runs(&self, prefix: &str) -> Runs<'a> {
        Runs::new(self.spans, prefix)
    }
}

impl Phrases {
    /// Matches each caption of a gallery with the sentence that has the same letters and digits. `owner` maps the index
    /// of a caption to the index of its image; if it returns `None`, the caption may match a sentence of any image.
    pub fn new(
        mut entities: Entities,
        gallery: &Gallery,
        owner: impl Fn(usize) -> Option<usize>,
    ) -> Self {
        let image = |(index, id): (usize, &Id)| {
            let of_name = gallery.file_names.get(index).map(|name| Id::from_file_name(name.raw()));
            entities.remove_image(id).or_else(|| entities.remove_image(&of_name?))
        };
        let images = gallery.images.as_slice().iter().enumerate().map(image);
        let mut phrases = Phrases { images: images.collect(), captions: Vec::new() };
        let places = phrases.sentences_by_letters();
        let texts = gallery.texts.iter().enumerate();
        let place = texts.map(|(caption, text)| {
            let own = owner(caption);
            let is_own = |(image, _): &&(u32, u32)| own.is_none_or(|own| *image as usize == own);
            let &(image, sentence) = places.get(&runs::letters(text.raw()))?.iter().find(is_own)?;
            let image_phrases = phrases.image(image as usize)?;
            let spans =
                runs::spans(image_phrases.sentence(sentence as usize)?, &image_phrases.chains);
            Some(CaptionSentence { image, sentence, spans })
        });
        phrases.captions = place.collect();
        phrases
    }

    /// Gallery index of the image and number of each sentence, by the letters and digits of its text.
    fn sentences_by_letters(&self) -> FxHashMap<String, Vec<(u32, u32)>> {
        let mut places: FxHashMap<String, Vec<(u32, u32)>> = FxHashMap::default();
        for (image, known) in (0..).zip(&self.images) {
            let sentences = known.iter().flat_map(|image| &image.sentences);
            for (number, sentence) in (0..).zip(sentences) {
                if let Some(sentence) = sentence {
                    let letters = runs::letters(&sentence.text);
                    places.entry(letters).or_default().push((image, number));
                }
            }
        }
        places
    }

    /// Captions and annotation of an image; `None` if the set lacks it.
    pub fn image(&self, image: usize) -> Option<&ImagePhrases> {
        self.images.get(image)?.as_ref()
    }

    /// A caption with its phrases; `None` if no sentence matches.
    pub fn caption(&self, caption: usize) -> Option<PhrasedCaption<'_>> {
        let place = self.captions.get(caption)?.as_ref()?;
        let image = place.image as usize;
        let sentence = self.image(image)?.sentence(place.sentence as usize)?;
        Some(PhrasedCaption { image, sentence, spans: &place.spans })
    }

    /// Number of annotated images, and of annotated captions.
    pub fn counts(&self) -> [usize; 2] {
        let images = self.images.iter().flatten().count();
        [images, self.captions.iter().flatten().count()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::id::IdList;
    use crate::data::text::Text;

    fn placed() -> Phrases {
        let entities = Entities::built_in(&[
            ("Sentences/5.txt", "[/EN#1/people A man] runs .\n[/EN#2/other A kite] .\n"),
            ("Sentences/7.txt", "[/EN#3/people A man] runs .\n"),
        ]);
        let texts = ["a man runs", "A kite.", "A man runs.", "Something else"];
        let gallery = Gallery {
            images: IdList::new(["x", "7"].map(Id::parse).to_vec()).unwrap(),
            captions: IdList::for_len(4),
            file_names: ["val/5.jpg", ""].map(Text::new).to_vec(),
            texts: texts.map(Text::new).to_vec(),
            ..Gallery::default()
        };
        let owner = |caption: usize| [Some(1), Some(0), Some(0), None][caption];
        Phrases::new(entities, &gallery, owner)
    }

    #[test]
    fn captions_are_the_sentences_with_their_letters() {
        let phrases = placed();
        assert_eq!(phrases.counts(), [2, 3]);
        let image = |caption: usize| phrases.caption(caption).map(|of| of.image);
        assert_eq!([0, 1, 2, 3].map(image), [Some(1), Some(0), Some(0), None]);
    }
}
