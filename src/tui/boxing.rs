//! Which boxes of phrases are drawn on pictures, and the phrase that is chosen.

use super::app::App;
use crate::data::Direction;
use crate::data::text::grouped;
use crate::phrase::{Boxes, Chain, ImagePhrases};

/// What is said where nothing is annotated.
const NO_PHRASES: &str = "no phrases are known: --entities names the folder of Flickr30k Entities";

impl App {
    /// Draws all boxes, or none.
    pub(super) fn toggle_boxes(&mut self) {
        if self.model.study.phrases.is_none() {
            self.model.message = Some(NO_PHRASES.into());
            return;
        }
        let (boxes, words) = match self.ui.pictures.boxes() {
            Boxes::Off => (Boxes::All, "boxes of all phrases"),
            _ => (Boxes::Off, "no boxes"),
        };
        self.ui.pictures.boxes = boxes;
        self.model.message = Some(words.into());
    }

    /// Chooses the next or the previous phrase of the image whose picture is looked at, after the last one all.
    pub(super) fn step_phrase(&mut self, by: isize) {
        let image = self.model.selected_image();
        let phrases = self.model.study.phrases.clone();
        let known = phrases.as_ref().zip(image);
        let known = known.and_then(|(phrases, image)| phrases.image(image));
        self.model.message = Some(match known {
            None if phrases.is_none() => NO_PHRASES.into(),
            None => "no phrases are known of this image".into(),
            Some(image) => {
                let boxes = stepped(image, self.ui.pictures.chain(), by);
                self.ui.pictures.boxes = boxes;
                self.label(image, boxes)
            }
        });
    }

    /// Boxes that were painted have the colours of another theme.
    pub(super) fn recolour_boxes(&mut self) {
        if self.model.study.phrases.is_some() {
            self.ui.pictures.palette += 1;
        }
    }

    /// What is chosen, in words.
    fn label(&self, image: &ImagePhrases, boxes: Boxes) -> String {
        let Boxes::Of(chain) = boxes else {
            return "boxes of all phrases".into();
        };
        let place = image.chains.iter().position(|other| *other == chain);
        let (place, all) = (place.unwrap_or_default() + 1, image.chains.len());
        let boxes = match image.boxes(chain).count() {
            0 if image.annotation.as_ref().is_some_and(|of| of.scene.contains(&chain)) => {
                "the scene".to_owned()
            }
            0 => "no box".to_owned(),
            1 => "1 box".to_owned(),
            count => format!("{} boxes", grouped(count)),
        };
        let (words, types) = self.mentioned(image, chain);
        format!("phrase {place} of {all}: {words} ({types}), {boxes}")
    }

    /// How a chain is mentioned: by the query where it is of this image, else first.
    fn mentioned(&self, image: &ImagePhrases, chain: Chain) -> (String, String) {
        let query = self.model.selection.query();
        let query = query.filter(|_| self.model.view.direction == Direction::T2i);
        let phrases = self.model.study.phrases.as_ref();
        let asked = phrases.zip(query).and_then(|(phrases, query)| phrases.caption(query));
        let sentences = asked.map(|caption| caption.sentence).into_iter();
        for sentence in sentences.chain(image.sentences.iter().flatten()) {
            let mut phrases = sentence.phrases.iter();
            if let Some(phrase) = phrases.find(|phrase| phrase.chain == chain) {
                let words = crate::data::text::shown(sentence.words_of(phrase));
                return (words, phrase.types.names());
            }
        }
        (format!("chain {}", chain.0), String::new())
    }
}

/// The chain that is so many after the one chosen, all chains between the last and the first.
fn stepped(image: &ImagePhrases, chosen: Option<Chain>, by: isize) -> Boxes {
    let count = image.chains.len() as isize + 1;
    let at = chosen.and_then(|chosen| image.chains.iter().position(|chain| *chain == chosen));
    let at = at.map_or(0, |at| at as isize + 1);
    match (at + by).rem_euclid(count) {
        0 => Boxes::All,
        at => Boxes::Of(image.chains[at as usize - 1]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_go_through_all_chains_and_none() {
        let image = ImagePhrases { chains: vec![Chain(7), Chain(3)], ..ImagePhrases::default() };
        let step = |chosen: Option<u32>, by| stepped(&image, chosen.map(Chain), by);
        assert_eq!(step(None, 1), Boxes::Of(Chain(7)));
        assert_eq!(step(Some(7), 1), Boxes::Of(Chain(3)));
        assert_eq!(step(Some(3), 1), Boxes::All);
        assert_eq!(step(None, -1), Boxes::Of(Chain(3)));
        // One of another image is none of these.
        assert_eq!(step(Some(9), 1), Boxes::Of(Chain(7)));
    }
}
