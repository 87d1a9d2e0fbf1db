//! A query of the kind under the cursor: what was retrieved first beside what would have been right.

use super::{Cx, Errors};
use crate::analysis::evidence::contrast;
use crate::data::Direction;
use crate::data::text::grouped;
use crate::data::words::{Contrast, tokens};
use crate::filter::UserMarks;
use crate::rank::hubs::Hub;
use crate::study::View;
use crate::tui::model::Model;
use crate::tui::ui::Ui;

/// A query of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Example {
    /// Gallery index.
    pub query: u32,
    /// Its place among all of the kind, from 0.
    pub place: usize,
    /// How many there are.
    pub of: usize,
}

impl Example {
    /// How many of how many, in words.
    pub fn words(self) -> String {
        format!("example {} of {}", grouped(self.place + 1), grouped(self.of))
    }
}

/// A piece of a caption, and whether the other caption lacks it.
pub(super) type Piece = (String, bool);

impl<'a> Cx<'a> {
    /// The queries of the kind under the cursor, of the model and the truth under it.
    pub(super) fn list(self) -> Option<&'a [u32]> {
        let lists = self.model.lists_of(self.view())?;
        let of_kind = lists[self.kind_place()].as_ref()?;
        Some(&of_kind.queries)
    }

    /// The example that is shown; `None` where there is none, or none yet.
    pub(super) fn example(self) -> Option<Example> {
        let list = self.list()?;
        let place = self.state.example % list.len().max(1);
        Some(Example { query: *list.get(place)?, place, of: list.len() })
    }

    /// The query of the example in sight, and the view that it fails in.
    pub(in crate::tui) fn query(self) -> Option<(usize, View)> {
        let has_room = self.areas().example.area() > 0;
        let is_shown = has_room && self.state.pane == super::Pane::Kinds;
        let example = self.example().filter(|_| is_shown)?;
        Some((example.query as usize, self.view()))
    }

    /// What the first item's caption and the right one beside it lack of each other.
    pub(super) fn contrast(self, view: View, query: u32) -> Option<Contrast> {
        let first = self.first_of(view, query)?;
        let made = UserMarks::of(view.direction, None, &self.model.judgements.verdicts);
        contrast(&self.model.study, self.model.texts()?, &made, view, (query.into(), first.into()))
    }

    /// A model's first item of a query.
    pub(super) fn first_of(self, view: View, query: u32) -> Option<u32> {
        self.model.top_k_of(view.model, view.direction)?.retrieved.first(query)
    }

    /// A caption in pieces, those of these words marked that the other one lacks.
    pub(super) fn marked(self, caption: u32, lacked: &[u32]) -> Vec<Piece> {
        let shown = self.model.study.gallery.caption(caption as usize);
        let Some(texts) = self.model.texts() else {
            return vec![(shown, false)];
        };
        let mut left: Vec<&str> = lacked.iter().map(|&word| texts.word(word)).collect();
        let mut is_lacked = |piece: &str| {
            let mut any = false;
            for token in tokens(piece) {
                if let Some(at) = left.iter().position(|word| *word == token) {
                    left.remove(at);
                    any = true;
                }
            }
            any
        };
        // What both have is matched from the front: what is left over stands behind.
        let pieces = shown.split_whitespace().rev();
        let marked = pieces.map(|piece| (piece.to_owned(), is_lacked(piece)));
        let mut marked: Vec<Piece> = marked.collect();
        marked.reverse();
        marked
    }

    /// A caption of a failing query that has a word.
    pub(super) fn failure_with(self, word: u32) -> Option<u32> {
        let texts = self.model.texts()?;
        let lists = self.model.lists_of(self.model.view)?;
        let mut failures = lists[0].as_ref()?.queries.iter().copied();
        let has = |caption: &u32| texts.sorted(*caption).binary_search(&word).is_ok();
        failures.find_map(|query| match self.model.view.direction {
            Direction::T2i => Some(query).filter(has),
            Direction::I2t => self.model.study.own(Direction::I2t, query as usize).iter().find(has),
        })
    }

    /// A caption in pieces, those marked that have a word.
    pub(super) fn with_word(self, caption: u32, word: u32) -> Vec<Piece> {
        let shown = self.model.study.gallery.caption(caption as usize);
        let word = self.model.texts().map_or("", |texts| texts.word(word));
        let piece = |piece: &str| (piece.to_owned(), tokens(piece).any(|token| token == word));
        shown.split_whitespace().map(piece).collect()
    }

    /// The selected hub.
    pub(super) fn hub(self) -> Option<&'a Hub> {
        let hubs = self.hubs();
        hubs.get(self.state.place(super::Pane::Hubs).selected).or(hubs.last()).copied()
    }

    /// An item in words: the caption itself; an image's first caption, its name without any.
    pub(super) fn item_words(self, direction: Direction, item: usize) -> String {
        use crate::tui::screens::queries::image_label;
        match direction {
            Direction::I2t => {
                let gallery = &self.model.study.gallery;
                format!("[{}] {}", gallery.captions[item], gallery.caption(item))
            }
            Direction::T2i => image_label(self.model, item),
        }
    }
}

impl Errors {
    /// Shows the next example, or the one before.
    pub(super) fn step_example(&mut self, model: &mut Model, ui: &Ui, by: isize) {
        let count = self.cx(model, ui).list().map_or(0, <[u32]>::len);
        let at = self.example % count.max(1);
        let to = (at as isize + by).rem_euclid(count.max(1) as isize);
        self.example = to as usize;
    }
}
