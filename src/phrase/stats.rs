//! Statistics of Flickr30k Entities, as in tables 1 and 4 of its paper: mentions, chains and boxes by type.

use super::{Chain, ImagePhrases, PhraseType, Types};

/// Counts of phrases of one type, or of all. A chain with mentions of several types counts in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Number of phrases.
    pub mentions: usize,
    /// Number of chains; each image has its own.
    pub chains: usize,
    /// Number of chains with any box.
    pub chains_with_box: usize,
    /// Number of boxes of chains; a box that shows several chains counts for each.
    pub boxes: usize,
    /// Number of phrases whose chain has a box: the targets of localisation.
    pub with_box: usize,
}

impl Counts {
    /// The mean of a count over chains; `None` without chains.
    pub fn per_chain(self, count: usize) -> Option<f64> {
        (self.chains > 0).then(|| count as f64 / self.chains as f64)
    }
}

/// Statistics of Flickr30k Entities, or of one split.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PhraseStats {
    /// Number of images.
    pub images: usize,
    /// Number of readable captions.
    pub captions: usize,
    /// Number of captions unrelated to their image.
    pub unrelated: usize,
    /// Number of phrases of nothing visible.
    pub not_visual: usize,
    /// Number of chains that are the whole scene.
    pub scene_chains: usize,
    /// Number of boxes, each counted once.
    pub boxes: usize,
    /// Number of boxes that show several chains.
    pub shared_boxes: usize,
    /// Counts of all visual phrases.
    pub all: Counts,
    /// Counts by type, in the order of [`PhraseType::VISUAL`].
    pub by_type: [Counts; 8],
}

impl PhraseStats {
    /// Statistics of a set of images.
    pub fn from_images<'a>(images: impl IntoIterator<Item = &'a ImagePhrases>) -> Self {
        let mut stats = PhraseStats::default();
        for image in images {
            stats.add(image);
        }
        stats
    }

    /// Adds the counts of an image.
    fn add(&mut self, image: &ImagePhrases) {
        self.images += 1;
        let sentences = || image.sentences.iter().flatten();
        self.captions += sentences().count();
        self.unrelated += sentences().filter(|sentence| sentence.is_unrelated).count();
        if let Some(annotation) = &image.annotation {
            self.boxes += annotation.regions.len();
            let shared = annotation.regions.iter().filter(|region| region.chains.len() > 1);
            self.shared_boxes += shared.count();
            self.scene_chains += annotation.scene.len();
        }
        for phrase in sentences().flat_map(|sentence| &sentence.phrases) {
            if phrase.chain == Chain::NOT_VISUAL {
                self.not_visual += 1;
                continue;
            }
            let with_box = usize::from(image.boxes(phrase.chain).next().is_some());
            self.add_for_types(phrase.types, |counts| {
                counts.mentions += 1;
                counts.with_box += with_box;
            });
        }
        for (chain, types) in image.types() {
            if chain == Chain::NOT_VISUAL {
                continue;
            }
            let boxes = image.boxes(chain).count();
            self.add_for_types(types, |counts| {
                counts.chains += 1;
                counts.chains_with_box += usize::from(boxes > 0);
                counts.boxes += boxes;
            });
        }
    }

    /// Applies `add` to the counts of all phrases and to those of each of these types.
    fn add_for_types(&mut self, types: Types, add: impl Fn(&mut Counts)) {
        add(&mut self.all);
        let of_type = PhraseType::VISUAL.iter().zip(&mut self.by_type);
        for (_, counts) in of_type.filter(|(kind, _)| types.contains(**kind)) {
            add(counts);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phrase::Entities;

    #[test]
    fn a_chain_counts_in_each_of_its_types_and_once_in_all() {
        let entities = Entities::built_in(&[
            (
                "Sentences/1.txt",
                "[/EN#1/people A man] on [/EN#2/other/vehicles a sled] [/EN#0/notvisual today]\n[/EN#1/people He] in [/EN#3/scene snow]\n",
            ),
            (
                "Annotations/1.xml",
                "<annotation><size><width>9</width><height>9</height></size>\
                 <object><name>1</name><name>2</name><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>2</xmax><ymax>2</ymax></bndbox></object>\
                 <object><name>1</name><bndbox><xmin>3</xmin><ymin>3</ymin><xmax>4</xmax><ymax>4</ymax></bndbox></object>\
                 <object><name>3</name><scene>1</scene><nobndbox>1</nobndbox></object></annotation>",
            ),
            ("UNRELATED_CAPTIONS", "1 2\n"),
        ]);
        let stats = PhraseStats::from_images(entities.images().into_iter().map(|(_, image)| image));
        assert_eq!((stats.images, stats.captions, stats.unrelated, stats.not_visual), (1, 2, 1, 1));
        assert_eq!((stats.boxes, stats.shared_boxes, stats.scene_chains), (2, 1, 1));
        let counts = |mentions, chains, chains_with_box, boxes, with_box| Counts {
            mentions,
            chains,
            chains_with_box,
            boxes,
            with_box,
        };
        assert_eq!(stats.all, counts(4, 3, 2, 3, 3));
        assert_eq!(stats.by_type[PhraseType::People as usize], counts(2, 1, 1, 2, 2));
        for kind in [PhraseType::Vehicles, PhraseType::Other] {
            assert_eq!(stats.by_type[kind as usize], counts(1, 1, 1, 1, 1));
        }
        assert_eq!(stats.by_type[PhraseType::Scene as usize], counts(1, 1, 0, 0, 0));
        assert_eq!(stats.all.per_chain(stats.all.mentions), Some(4.0 / 3.0));
        assert_eq!(Counts::default().per_chain(1), None);
    }
}
