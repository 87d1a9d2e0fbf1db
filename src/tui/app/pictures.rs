//! Pictures, boxes of phrases on them, and what of the selected line goes to other programs.

use std::sync::Arc;

use super::App;
use crate::data::Direction;
use crate::data::text::{grouped, shown};
use crate::jobs::Draft;
use crate::phrase::{Boxes, Chain, ImagePhrases};
use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::pictures::leaves_traces;
use crate::tui::screens::picks::Picks;

/// What is said where nothing is annotated.
const NO_PHRASES: &str = "no phrases are known: --entities names the folder of Flickr30k Entities";

impl App {
    /// Turns pictures on or off.
    pub(super) fn toggle_pictures(&mut self) {
        self.model.message = Some(match self.ui.pictures.toggle() {
            Some(now) => format!("pictures {now}"),
            None => self.ui.lacks_pictures(&self.model),
        });
    }

    /// The screen of picks, while it is shown.
    pub(crate) fn picks(&self) -> Option<Context<'_, Picks>> {
        (self.shown() == Action::Picks).then(|| self.on::<Picks>())
    }

    /// The figure of which cells know nothing, once it is drawn: what tells whether it is still the same.
    pub(in crate::tui) fn figure_in_cells(&self) -> Option<&Arc<Draft>> {
        let leaves = self.ui.picture_way().is_some_and(leaves_traces);
        let picks = self.picks().filter(|_| leaves && self.popup.is_none())?;
        let (draft, _) = picks.state.drawn.as_ref()?;
        draft.place.and(Some(draft))
    }

    /// Forgets all that was painted: the terminal lost it.
    pub(in crate::tui) fn forget_pictures(&mut self) {
        self.ui.pictures.forget();
        if let Some(picks) = self.on_mut::<Picks>() {
            picks.drawn = None;
        }
    }

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
            1 => "1 box".to_owned(),
            boxes => format!("{} boxes", grouped(boxes)),
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
                let words = shown(sentence.words_of(phrase));
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
