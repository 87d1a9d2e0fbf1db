//! Picks: queries that a person bookmarks, and the one path on which they change.

use serde_json::Map;

use super::Model;
use super::dirty::Dirty;
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::figure::scene::DEPTH;
use crate::session::{Pick, Timestamp};
use crate::study::View;

/// A query in sight that can be picked, and what is shown of it.
pub struct Sighted {
    /// Gallery index.
    pub query: usize,
    /// What it is seen in.
    pub view: View,
    /// The models whose rankings are shown.
    pub models: Vec<ModelIx>,
}

impl Model {
    /// The selected query as one that can be picked.
    pub(in crate::tui) fn sighted(&self) -> Option<Sighted> {
        Some(Sighted {
            query: self.selection.query()?,
            view: self.view,
            models: self.shown_models(),
        })
    }

    /// Picks all marked queries as the one in sight would be; where they are picked, removes them.
    fn toggle_marked(&mut self, sighted: &Sighted, marked: &[u32]) -> Option<String> {
        let direction = sighted.view.direction;
        let is_picked = |query: &&u32| self.pick_place(direction, **query as usize).is_some();
        let new: Vec<u32> = marked.iter().filter(|query| !is_picked(query)).copied().collect();
        let mut after = self.session.picks().to_vec();
        if new.is_empty() {
            let places =
                marked.iter().filter_map(|&query| self.pick_place(direction, query as usize));
            let mut places: Vec<usize> = places.collect();
            places.sort_unstable_by(|a, b| b.cmp(a));
            for place in places {
                after.remove(place);
            }
        }
        after.extend(new.iter().map(|&query| {
            let (query, models) = (query as usize, sighted.models.clone());
            self.new_pick(&Sighted { query, models, ..*sighted })
        }));
        self.change_picks(after)
    }

    /// The marked queries in the order of the list, then those that are not listed.
    fn marked_in_order(&self) -> Vec<u32> {
        let Some(marks) = self.marked.queries(self.view.direction) else {
            return Vec::new();
        };
        let listed = self.selection.queries.iter().copied();
        let listed: Vec<u32> = listed.filter(|query| marks.contains(query)).collect();
        let others = marks.iter().copied().filter(|query| !listed.contains(query));
        listed.iter().copied().chain(others).collect()
    }

    /// Picks a query in sight, or lets go of it, or all that are marked; gives what was done, in words.
    pub(in crate::tui) fn toggle_pick(&mut self, sighted: Option<Sighted>) -> Option<String> {
        let marked = self.marked_in_order();
        match sighted {
            Some(sighted)
                if !marked.is_empty()
                    && sighted.view.direction == self.view.direction
                    && !self.is_read_only() =>
            {
                let what = self.toggle_marked(&sighted, &marked);
                self.clear_marks();
                what
            }
            sighted => self.toggle_pick_alone(sighted),
        }
    }

    /// The same, whatever is marked.
    pub(in crate::tui) fn toggle_pick_alone(&mut self, sighted: Option<Sighted>) -> Option<String> {
        if self.is_read_only() {
            return None;
        }
        let Some(sighted) = sighted else {
            self.message = Some("no query is selected".into());
            return None;
        };
        let direction = sighted.view.direction;
        let mut after = self.session.picks().to_vec();
        match self.pick_place(direction, sighted.query) {
            None => after.push(self.new_pick(&sighted)),
            Some(place) => {
                let lacking = self.lacking_models(&after[place], &sighted);
                if lacking.is_empty() {
                    after.remove(place);
                } else {
                    after[place].models.extend(lacking);
                }
            }
        }
        self.change_picks(after)
    }

    /// The models that are compared and that a pick, made where one was looked at, does not show.
    fn lacking_models(&self, pick: &Pick, sighted: &Sighted) -> Vec<String> {
        if sighted.models.len() < 2 {
            return Vec::new();
        }
        let names = sighted.models.iter();
        let names = names.map(|&model| &self.study.models[model].name);
        names.filter(|name| !pick.models.contains(name)).cloned().collect()
    }

    fn new_pick(&self, sighted: &Sighted) -> Pick {
        let View { truth, direction, .. } = sighted.view;
        let names = sighted.models.iter();
        let names = names.map(|&model| self.study.models[model].name.clone());
        Pick {
            query: self.study.gallery.queries(direction)[sighted.query].clone(),
            direction,
            models: names.collect(),
            truth: self.study.truths[truth].name.clone(),
            depth: DEPTH,
            note: String::new(),
            pool: self.study.own_pool(),
            at: Timestamp::now(),
            by: self.session.by().to_owned(),
            sampled: None,
            group: None,
            other: Map::new(),
        }
    }

    /// Makes these the picks, as one step; gives what was done, in words.
    pub(in crate::tui) fn change_picks(&mut self, picks: Vec<Pick>) -> Option<String> {
        self.dirty |= Dirty::SCROLL;
        self.change(|facts| facts.picks = picks.into())
    }

    pub(in crate::tui::model) fn pick_place(
        &self,
        direction: Direction,
        query: usize,
    ) -> Option<usize> {
        let queries = self.study.gallery.queries(direction);
        let mut picks = self.session.picks().iter();
        picks.position(|pick| {
            pick.direction == direction && queries.find(&pick.query) == Some(query as u32)
        })
    }

    /// Whether a query is picked.
    pub fn is_picked(&self, direction: Direction, query: usize) -> bool {
        self.pick_place(direction, query).is_some()
    }
}
