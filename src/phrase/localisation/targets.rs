//! Targets of localisation: the phrases of captions with a box.

use rustc_hash::FxHashMap;

use crate::data::id::Id;
use crate::phrase::rect::Rect;
use crate::phrase::{Chain, Entities, ImagePhrases, Types};

/// A phrase that has a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// Index of its image in [`Targets::images`].
    pub image: usize,
    /// Number of its caption, from 0.
    pub sentence: usize,
    /// Index among all phrases of the caption, from 0.
    pub phrase: usize,
    /// Index of its chain in [`TargetImage::chains`].
    pub chain: usize,
    /// Types of the phrase.
    pub types: Types,
}

/// An image with the chains that have a box.
#[derive(Debug, Clone, PartialEq)]
pub struct TargetImage {
    /// Id of the image.
    pub id: Id,
    /// File name of the image, or else its id.
    pub file_name: String,
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// Chains in its captions with a box, sorted by number.
    pub chains: Vec<BoxedChain>,
}

/// A chain with its boxes.
#[derive(Debug, Clone, PartialEq)]
pub struct BoxedChain {
    /// Number of the chain.
    pub chain: Chain,
    /// The types of all its phrases in the image.
    pub types: Types,
    /// Annotated boxes, in file order; at least one.
    pub boxes: Vec<Rect>,
}

/// The phrases of a split with a box, sentence by sentence.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Targets {
    /// The images, in the order of the split.
    pub images: Vec<TargetImage>,
    /// The phrases, in the order of images, captions and words.
    pub phrases: Vec<Target>,
    /// Images of the split that the folder lacks.
    pub missing_images: Vec<Id>,
    /// Index of each image in [`Targets::images`].
    index_of: FxHashMap<Id, usize>,
    /// Range of the phrases of each image's captions in [`Targets::phrases`].
    sentences: Vec<Vec<std::ops::Range<usize>>>,
}

impl Targets {
    /// The phrases of these images; repeated images count once.
    pub fn for_images(entities: &Entities, split: &[Id]) -> Self {
        let mut targets = Targets::default();
        for id in split {
            match entities.image(id) {
                _ if targets.index_of.contains_key(id) => {}
                Some(image) => targets.add_image(id, image),
                None => targets.missing_images.push(id.clone()),
            }
        }
        targets
    }

    /// Adds an image and its phrases that have a box.
    fn add_image(&mut self, id: &Id, image: &ImagePhrases) {
        let index = self.images.len();
        let chains = boxed_chains(image);
        let mut sentences = Vec::new();
        for sentence in 0..image.sentences.len() {
            let start = self.phrases.len();
            let phrases = image.sentence(sentence).into_iter();
            let phrases = phrases.flat_map(|sentence| sentence.phrases.iter().enumerate());
            self.phrases.extend(phrases.filter_map(|(phrase, of)| {
                let chain = chains.binary_search_by_key(&of.chain, |known| known.chain);
                Some(Target { image: index, sentence, phrase, chain: chain.ok()?, types: of.types })
            }));
            sentences.push(start..self.phrases.len());
        }
        let annotation = image.annotation.as_ref();
        let file_name = annotation.map(|of| of.file_name.clone());
        self.images.push(TargetImage {
            id: id.clone(),
            file_name: file_name.filter(|name| !name.is_empty()).unwrap_or_else(|| id.raw()),
            size: annotation.map_or((0, 0), |of| (of.width, of.height)),
            chains,
        });
        self.index_of.insert(id.clone(), index);
        self.sentences.push(sentences);
    }

    /// Index of an image in [`Targets::images`]; `None` if the folder or the split lacks it.
    pub fn image(&self, id: &Id) -> Option<usize> {
        self.index_of.get(id).copied()
    }

    /// Range in [`Targets::phrases`] of the phrases of a caption, given by the index of its image in
    /// [`Targets::images`] and its number from 0; `None` if the image has fewer captions.
    pub fn phrase_range(&self, image: usize, sentence: usize) -> Option<std::ops::Range<usize>> {
        self.sentences[image].get(sentence).cloned()
    }

    /// The chain of a phrase.
    pub fn chain(&self, target: &Target) -> &BoxedChain {
        &self.images[target.image].chains[target.chain]
    }

    /// Number of captions that have a phrase with a box.
    pub fn sentence_count(&self) -> usize {
        self.sentences.iter().flatten().filter(|range| !range.is_empty()).count()
    }

    /// Index of the image of each phrase: phrases of one image are no independent evidence.
    pub fn clusters(&self) -> Vec<u32> {
        self.phrases.iter().map(|target| target.image as u32).collect()
    }

    /// A phrase in words, for messages.
    pub fn describe(&self, target: &Target) -> String {
        let id = &self.images[target.image].id;
        let Target { sentence, phrase, .. } = target;
        format!("image {id}, sentence {sentence}, phrase {phrase}")
    }
}

/// The chains with a box in captions of an image, sorted by number.
fn boxed_chains(image: &ImagePhrases) -> Vec<BoxedChain> {
    let with_boxes = image.types().into_iter().filter_map(|(chain, types)| {
        let boxes: Vec<Rect> = image.boxes(chain).collect();
        (!boxes.is_empty()).then_some(BoxedChain { chain, types, boxes })
    });
    let mut chains: Vec<BoxedChain> = with_boxes.collect();
    chains.sort_unstable_by_key(|of| of.chain);
    chains
}

#[cfg(test)]
mod tests {
    use super::super::test_entities;
    use super::*;

    #[test]
    fn phrases_without_a_box_are_no_targets() {
        let targets = test_entities::targets();
        let found: Vec<(usize, usize, usize, u32)> = targets
            .phrases
            .iter()
            .map(|of| (of.image, of.sentence, of.phrase, targets.chain(of).chain.0))
            .collect();
        // "it" is not visual, "the park" the scene without a box.
        assert_eq!(found, [(0, 0, 0, 1), (0, 0, 2, 2), (0, 1, 0, 1), (0, 1, 1, 1), (1, 0, 0, 5)]);
        assert_eq!((targets.sentence_count(), targets.clusters()), (3, vec![0, 0, 0, 0, 1]));
        assert_eq!(targets.phrase_range(0, 1), Some(2..4));
        assert_eq!(targets.phrase_range(1, 1), None);
        assert_eq!(targets.images[0].size, (100, 80));
        assert_eq!(targets.images[0].file_name, "7");
        assert_eq!(targets.describe(&targets.phrases[1]), "image 7, sentence 0, phrase 2");
    }

    #[test]
    fn an_image_counts_once_and_one_without_files_is_told() {
        let split = [7, 9, 7].map(Id::Number);
        let targets = Targets::for_images(&test_entities::entities(), &split);
        assert_eq!(targets.images.len(), 1);
        assert_eq!(targets.missing_images, [Id::Number(9)]);
        assert_eq!((targets.image(&Id::Number(7)), targets.image(&Id::Number(9))), (Some(0), None));
    }

    #[test]
    fn a_chain_has_the_types_of_all_its_phrases() {
        let targets = test_entities::targets();
        assert_eq!(targets.images[0].chains[0].types.names(), "people");
        assert_eq!(targets.images[1].chains[0].types.names(), "people/vehicles");
    }
}
