//! Picks: queries that a person bookmarks, and the one path on which they change.

use serde_json::Map;

use super::app::App;
use super::history::Change;
use super::screens::Screen;
use super::selection::View;
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::figure::scene::DEPTH;
use crate::session::{Pick, Timestamp};

/// A query in sight that can be picked, and what is shown of it.
struct Sighted {
    query: usize,
    view: View,
    models: Vec<ModelIx>,
}

impl App {
    /// The query that a pick would be of; `None` where none is in sight.
    fn sighted(&self) -> Option<Sighted> {
        let (query, view) = match self.screen {
            Screen::Browse | Screen::Compare => (self.browse.query()?, self.view),
            Screen::Errors => self.errors_query()?,
            Screen::Metrics | Screen::Picks => return None,
        };
        let models = match self.screen {
            Screen::Errors => vec![view.model],
            _ => self.shown_models(),
        };
        Some(Sighted {
            query,
            view,
            models,
        })
    }

    /// Picks the query in sight, or lets go of it.
    pub(super) fn toggle_pick(&mut self) {
        if self.is_read_only() {
            return;
        }
        let Some(sighted) = self.sighted() else {
            self.message = Some("no query is selected".into());
            return;
        };
        let direction = sighted.view.direction;
        let mut after = self.session.picks().to_vec();
        let id = self.study.gallery.queries(direction)[sighted.query].clone();
        let what = if let Some(place) = self.pick_place(direction, sighted.query) {
            after.remove(place);
            "no longer picked"
        } else {
            after.push(self.new_pick(&sighted));
            "picked"
        };
        let what = format!("{what}: {direction} query {id}");
        if self.screen == Screen::Errors {
            self.message = Some(what.clone());
        }
        self.change_picks(what, after);
    }

    fn new_pick(&self, sighted: &Sighted) -> Pick {
        let View {
            truth, direction, ..
        } = sighted.view;
        let names = sighted.models.iter();
        let names = names.map(|&model| self.study.models[model].name.clone());
        Pick {
            query: self.study.gallery.queries(direction)[sighted.query].clone(),
            direction,
            models: names.collect(),
            truth: self.study.truths[truth].name.clone(),
            depth: DEPTH,
            note: String::new(),
            at: Timestamp::now(),
            by: self.session.by().to_owned(),
            sampled: None,
            group: None,
            other: Map::new(),
        }
    }

    /// Makes these the picks, as one step.
    pub(super) fn change_picks(&mut self, what: String, after: Vec<Pick>) {
        let before = self.session.picks().to_vec();
        if before != after {
            self.make(Change::Picks {
                what,
                before,
                after,
            });
            self.screen_follow();
        }
    }

    fn pick_place(&self, direction: Direction, query: usize) -> Option<usize> {
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
