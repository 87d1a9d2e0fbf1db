//! What of the selected query or item goes elsewhere: to the clipboard, or to the system's viewer.

use std::path::PathBuf;

use super::Model;
use super::exports::one_line;
use crate::analysis::pair_row::{RankedPair, pair_row};
use crate::data::Direction;
use crate::data::text::shown;
use crate::error::Error;
use crate::jobs::{PassTo, Passing};

impl Model {
    /// The selected item, or else the selected query: the direction whose query it would be, and its gallery
    /// index.
    fn pointed(&self, is_item: bool) -> Option<(Direction, usize)> {
        let direction = self.view.direction;
        if is_item {
            Some((direction.flipped(), self.linked()?))
        } else {
            Some((direction, self.selection.query()?))
        }
    }

    /// The id of the selected item, or else of the selected query.
    pub(in crate::tui) fn id_pointed(&self, is_item: bool) -> Option<String> {
        let (direction, index) = self.pointed(is_item)?;
        Some(self.study.gallery.queries(direction)[index].to_string())
    }

    /// Its caption; an image's captions, one a line.
    pub(in crate::tui) fn captions_pointed(&self, is_item: bool) -> Option<String> {
        let (direction, index) = self.pointed(is_item)?;
        let gallery = &self.study.gallery;
        let captions: Vec<String> = match direction {
            Direction::T2i => vec![gallery.caption(index)],
            Direction::I2t => {
                let own = self.study.own(direction, index).iter();
                own.map(|caption| gallery.caption(caption as usize)).collect()
            }
        };
        (!captions.is_empty()).then(|| captions.join("\n"))
    }

    /// The selected query and item as a row of JSON, as `find --items` writes it.
    pub(in crate::tui) fn pair_in_json(&self) -> Option<String> {
        let (query, item) = (self.selection.query()?, self.item()?);
        let pair = RankedPair {
            direction: self.view.direction,
            query,
            item: item.item,
            rank: item.rank,
            score: item.score,
        };
        Some(pair_row(&self.study, &self.judgements.verdicts, pair).to_string())
    }

    /// Has the picture of the selected pair opened, or its path told.
    pub(in crate::tui) fn pass_picture(&mut self, to: PassTo) {
        match self.selected_image() {
            Some(image) => self.passing = Some(Passing { image, to }),
            None => self.message = Some("no item is selected".into()),
        }
    }

    /// Copies the name of the file in the place of a path that is not known.
    fn copy_name(&mut self, error: &Error) {
        let image = self.selected_image();
        let name = image.and_then(|image| self.study.gallery.file_names.get(image));
        self.to_copy = name.map(|name| name.shown().to_owned());
        self.message = Some(match &self.to_copy {
            Some(name) => format!("copied: {}, the name; {}", shown(name), one_line(error)),
            None => one_line(error),
        });
    }

    pub(crate) fn take_passed(&mut self, to: PassTo, passed: Result<PathBuf, Error>) {
        self.passing = None;
        match (passed, to) {
            (Err(error), PassTo::Path) => self.copy_name(&error),
            (Err(error), PassTo::Viewer) => self.message = Some(one_line(&error)),
            (Ok(path), PassTo::Viewer) => {
                let path = shown(&path.display().to_string());
                self.message = Some(format!("opened: {path}"));
            }
            (Ok(path), PassTo::Path) => {
                let path = shown(&path.display().to_string());
                self.message = Some(format!("copied: {path}"));
                self.to_copy = Some(path);
            }
        }
    }
}
