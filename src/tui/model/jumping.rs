//! Jumps to an id: of an item of the ranking at hand, or of a query of either direction.

use super::Model;
use super::demand::RankingsOf;
use super::dirty::Dirty;
use super::selection::Pane;
use crate::data::Direction;
use crate::data::id::{Id, IdList};
use crate::data::near::nearest;
use crate::data::text::{Text, grouped, shown};
use crate::study::View;
use crate::truth::Truth;

impl Model {
    /// Goes to an image or a caption by its id or file name: to an item of the ranking at hand or to a query of the
    /// list, first to what keys go to; else to the query of the other direction.
    ///
    /// # Errors
    /// Why there is nothing to go to, in one line.
    pub(in crate::tui) fn jump_to(&mut self, name: &str) -> Result<(), String> {
        let here = self.view.direction;
        let [query, item] = [here, here.flipped()].map(|side| self.named_place(side, name));
        let has_ranking = self.demand.rankings != RankingsOf::Nothing;
        let is_on_ranking = has_ranking && self.selection.pane == Pane::Ranking;
        match (query, item) {
            (_, Some(item)) if is_on_ranking => self.jump_to_item(item),
            (Some(query), _) => self.jump_to_query(here, query),
            (None, Some(item)) if has_ranking && self.ranks(item) => self.jump_to_item(item),
            (None, Some(query)) => self.jump_to_query(here.flipped(), query),
            (None, None) => Err(self.unknown_id(name)),
        }
    }

    /// Whether the ranking of the selected query is there and has an item.
    fn ranks(&self, item: usize) -> bool {
        let ranked = self.ranked_by(self.view.model);
        ranked.is_some_and(|ranked| ranked.rank(item).is_some())
    }

    /// The place of a query of a direction by its id, or by its file name where it is an image.
    fn named_place(&self, direction: Direction, name: &str) -> Option<usize> {
        let gallery = &self.study.gallery;
        let by_id = gallery.queries(direction).find(&Id::parse(name));
        let by_name = || {
            let is_it = |file: &str| file == name || file.rsplit('/').next() == Some(name);
            let mut names = gallery.file_names.iter().filter(|_| direction == Direction::I2t);
            names.position(|file| is_it(file.shown()))
        };
        by_id.map(|at| at as usize).or_else(by_name)
    }

    /// Selects an item of the ranking of the selected query.
    fn jump_to_item(&mut self, item: usize) -> Result<(), String> {
        let what = self.what(self.view.direction.flipped(), item);
        let ranked = self.ranked_by(self.view.model).ok_or("there is no ranking yet")?;
        let rank = ranked.rank(item).ok_or(format!("{what} is not ranked for this query"))?;
        self.selection.pane = Pane::Ranking;
        self.link(item as u32);
        self.dirty |= Dirty::SCROLL;
        self.message =
            Some(if self.is_blind() { what } else { format!("{what}: rank {}", grouped(rank)) });
        Ok(())
    }

    /// Selects a query; a search or a filter that hides it is ended.
    fn jump_to_query(&mut self, direction: Direction, query: usize) -> Result<(), String> {
        let what = self.what(direction, query);
        let judges = |truth: &Truth| {
            let relevance = truth.relevance[direction].as_ref();
            relevance.is_some_and(|of| of.place(query).is_some())
        };
        if !judges(self.truth()) {
            let others = self.study.truths.iter().filter(|truth| judges(truth));
            let names: Vec<&str> = others.map(|truth| truth.name.as_str()).collect();
            let others =
                if names.is_empty() { "no other does".into() } else { names.join(", ") + " do" };
            return Err(format!("{} does not judge {what}; {others}", self.truth().name));
        }
        let view = View { direction, ..self.view };
        let changes = self.look_for_told(view, query);
        let told = std::iter::once(what).chain(changes);
        self.message = Some(told.collect::<Vec<_>>().join(", "));
        Ok(())
    }

    /// Looks at a query, and gives in words what else changed by that.
    pub(in crate::tui) fn look_for_told(&mut self, view: View, query: usize) -> Vec<String> {
        let direction = self.view.direction;
        let [had_filter, had_search] = self.has_filter_and_search();
        self.look_for(view, query);
        let [has_filter, has_search] = self.has_filter_and_search();
        let changes = [
            (direction != view.direction).then(|| format!("direction {}", view.direction)),
            (had_filter && !has_filter).then(|| "the filter is lifted".into()),
            (had_search && !has_search).then(|| "the search is ended".into()),
        ];
        changes.into_iter().flatten().collect()
    }

    fn has_filter_and_search(&self) -> [bool; 2] {
        [self.has_filter(), !self.search.text().is_empty()]
    }

    /// An image or a caption with its id.
    fn what(&self, direction: Direction, at: usize) -> String {
        let id = &self.study.gallery.queries(direction)[at];
        match direction {
            Direction::I2t => format!("image {id}"),
            Direction::T2i => format!("caption {id}"),
        }
    }

    /// That no image and no caption has an id, and which ids are near it.
    fn unknown_id(&self, name: &str) -> String {
        let gallery = &self.study.gallery;
        let near = |ids: &IdList| {
            let ids: Vec<String> = ids.as_slice().iter().map(ToString::to_string).collect();
            nearest(name, ids.iter().map(String::as_str)).map(str::to_owned)
        };
        let files = gallery.file_names.iter().map(Text::shown);
        let near = [
            near(&gallery.images).map(|id| format!("image {id}")),
            near(&gallery.captions).map(|id| format!("caption {id}")),
            nearest(name, files).map(str::to_owned),
        ];
        let near: Vec<String> = near.into_iter().flatten().collect();
        if !near.is_empty() {
            return format!("no id {:?}; near: {}", shown(name), near.join(", "));
        }
        let [images, captions] = [&gallery.images, &gallery.captions].map(|ids| grouped(ids.len()));
        let files = if gallery.file_names.is_empty() { "" } else { ", and no file name" };
        format!("no id of {images} images, {captions} captions{files}")
    }
}
