//! Picks: bookmarked queries in groups, and their edits; and notes on queries.

use serde_json::Map;

use super::export::{Scope, one_line};
use super::judging_mode::covers;
use super::results::RankingsOf;
use super::{Model, Refusal};
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::data::text::shown;
use crate::error::Error;
use crate::figure::FigureQuery;
use crate::figure::scene::{DEPTH, MAX_DEPTH};
use crate::session::{Note, Pick, Timestamp, groups};
use crate::study::View;

/// Message if no query is on screen to be picked.
const NO_QUERY: &str = "no query is selected";

/// A visible query that can be picked, with its context.
pub struct PickTarget {
    /// Gallery index.
    pub query: usize,
    /// View of the query.
    pub view: View,
    /// The models whose rankings are shown.
    pub models: Vec<ModelIx>,
    /// Lowest rank shown.
    pub depth: u32,
}

impl Model {
    /// The selected query as something to pick, if its rankings are on screen.
    pub(in crate::tui) fn pick_target(&self) -> Option<PickTarget> {
        let is_visible = self.demand.rankings != RankingsOf::Nothing;
        Some(PickTarget {
            query: self.selection.query().filter(|_| is_visible)?,
            view: self.view,
            models: self.shown_models(),
            depth: DEPTH,
        })
    }

    /// Picks a visible query, or removes its pick; returns a description of the change, or `None` if refused.
    pub(in crate::tui) fn toggle_pick(&mut self, target: Option<PickTarget>) -> Option<String> {
        let target = self.attempt(|model| {
            model.check_writable()?;
            target.ok_or(NO_QUERY.into())
        })?;
        let direction = target.view.direction;
        let mut after = self.session.picks().to_vec();
        match self.pick_index(direction, target.query) {
            None => after.push(self.new_pick(&target)),
            Some(index) => drop(after.remove(index)),
        }
        self.change_picks(after)
    }

    /// A pick of the target, by the current annotator.
    fn new_pick(&self, target: &PickTarget) -> Pick {
        let View { truth, direction, .. } = target.view;
        let names = target.models.iter();
        let names = names.map(|&model| self.study.models[model].name.clone());
        Pick {
            query: self.study.gallery.queries(direction)[target.query].clone(),
            direction,
            models: names.collect(),
            truth: self.study.truths[truth].name.clone(),
            depth: target.depth,
            note: String::new(),
            pool: self.study.own_pool_name(),
            at: Timestamp::now(),
            by: self.session.annotator().to_owned(),
            sampled: None,
            group: None,
            other: Map::new(),
        }
    }

    /// Replaces the picks as one undoable step; returns its description, if anything changed.
    pub(in crate::tui) fn change_picks(&mut self, picks: Vec<Pick>) -> Option<String> {
        self.change(|facts| facts.picks = picks.into())
    }

    /// Index of the pick of a query, in the order of the session.
    fn pick_index(&self, direction: Direction, query: usize) -> Option<usize> {
        let queries = self.study.gallery.queries(direction);
        let mut picks = self.session.picks().iter();
        picks.position(|pick| {
            pick.direction == direction && queries.find(&pick.query) == Some(query as u32)
        })
    }

    /// Whether a query is picked.
    pub fn is_picked(&self, direction: Direction, query: usize) -> bool {
        self.pick_index(direction, query).is_some()
    }

    /// The picks group by group, in list order.
    pub fn listed_picks(&self) -> impl Iterator<Item = &Pick> {
        let picks = self.session.picks();
        groups(picks).into_iter().flatten().map(|at| &picks[at])
    }

    /// The selected pick.
    pub fn selected_pick(&self) -> Option<&Pick> {
        self.listed_picks().nth(self.selected_pick_index())
    }

    /// Index of the selected pick among [`Model::listed_picks`].
    pub(in crate::tui) fn selected_pick_index(&self) -> usize {
        let last = self.session.picks().len().saturating_sub(1);
        self.pick.min(last)
    }

    /// The picks of a scope, in list order.
    pub fn scoped_picks(&self, scope: Scope) -> Vec<&Pick> {
        let Some(selected) = self.selected_pick() else {
            return Vec::new();
        };
        let is_in_scope = |pick: &&Pick| match scope {
            Scope::Pick => std::ptr::eq(*pick, selected),
            Scope::Group => pick.is_in_group_of(selected),
            Scope::All => true,
        };
        self.listed_picks().filter(is_in_scope).collect()
    }

    /// The query of a pick in this study, with the models, truth and depth to show.
    ///
    /// # Errors
    /// The study lacks the query, a model or the truth.
    pub fn resolve_pick(&self, pick: &Pick) -> Result<FigureQuery, Error> {
        FigureQuery::from_pick(&self.study, pick, (None, None))
    }

    /// Refuses edits of the selected pick if there is none, or if the session is read-only.
    pub(in crate::tui) fn check_pick(&self) -> Result<(), Refusal> {
        if self.session.picks().is_empty() {
            return Err("no query is picked".into());
        }
        self.check_writable()
    }

    /// Removes the selected pick; returns a description of the change, or `None` if refused.
    pub(in crate::tui) fn remove_pick(&mut self) -> Option<String> {
        self.attempt(|model| model.check_pick())?;
        let mut after = self.listed_picks().cloned().collect::<Vec<Pick>>();
        after.remove(self.selected_pick_index());
        self.change_picks(after)
    }

    /// Moves the selected pick by one place within its group (`by` is 1 or -1); at the edge, moves the whole group.
    pub(in crate::tui) fn move_pick(&mut self, by: isize) {
        if self.attempt(|model| model.check_pick()).is_none() {
            return;
        }
        let picks = self.listed_picks().cloned().collect::<Vec<Pick>>();
        let mut groups = groups(&picks);
        let here = self.selected_pick_index();
        let Some(group) = groups.iter().position(|group| group.contains(&here)) else {
            return;
        };
        let at = here - groups[group][0];
        let to = at.checked_add_signed(by);
        let neighbour = group.checked_add_signed(by);
        if let Some(to) = to.filter(|to| *to < groups[group].len()) {
            groups[group].swap(at, to);
        } else if let Some(neighbour) = neighbour.filter(|at| *at < groups.len()) {
            groups.swap(group, neighbour);
        }
        let order = groups.concat();
        let selected = order.iter().position(|place| *place == here);
        self.pick = selected.unwrap_or(here);
        self.change_picks(order.into_iter().map(|place| picks[place].clone()).collect());
    }

    /// Applies `edit` to the selected pick as one undoable step; the pick stays selected.
    fn edit_pick(&mut self, edit: impl FnOnce(&mut Pick)) {
        if self.attempt(|model| model.check_pick()).is_none() {
            return;
        }
        let mut after = self.listed_picks().cloned().collect::<Vec<Pick>>();
        let pick = &mut after[self.selected_pick_index()];
        edit(pick);
        let pick = pick.clone();
        let order = groups(&after).concat();
        let after: Vec<Pick> = order.iter().map(|&index| after[index].clone()).collect();
        let selected = after.iter().position(|one| *one == pick);
        self.pick = selected.unwrap_or(self.pick);
        self.change_picks(after);
    }

    /// Changes the number of items that the selected pick shows by `by`, within its limits.
    pub(in crate::tui) fn step_pick_depth(&mut self, by: i32) {
        let Some(depth) = self.selected_pick().map(|pick| pick.depth) else {
            return;
        };
        let to = depth.saturating_add_signed(by).clamp(1, MAX_DEPTH);
        if to == depth {
            self.message = Some(format!("a pick shows 1 to {MAX_DEPTH} items"));
        } else {
            self.edit_pick(|pick| pick.depth = to);
        }
    }

    /// Switches the models of the selected pick: the current one, the compared ones, or all.
    pub(in crate::tui) fn next_pick_models(&mut self) {
        let Some(pick) = self.selected_pick() else {
            return;
        };
        let names = |models: &[ModelIx]| -> Vec<String> {
            let names = models.iter();
            names.map(|&at| self.study.models[at].name.clone()).collect()
        };
        let all: Vec<ModelIx> = self.usable_models().collect();
        let mut choices =
            vec![names(&[self.view.model]), names(&self.compared_models()), names(&all)];
        choices.dedup_by(|one, other| {
            one.len() == other.len() && one.iter().all(|name| other.contains(name))
        });
        let shown_now = pick.models.clone();
        let here = choices.iter().position(|choice| *choice == shown_now);
        let next = here.map_or(0, |at| (at + 1) % choices.len());
        let models = choices.swap_remove(next);
        if models == shown_now {
            self.message = Some("no other model is loaded".into());
            return;
        }
        self.edit_pick(|pick| pick.models = models);
    }

    pub(in crate::tui) fn set_pick_note(&mut self, text: &str) {
        self.edit_pick(|pick| text.clone_into(&mut pick.note));
    }

    /// Moves the selected pick to the group with this heading; an empty heading removes it from its group.
    pub(in crate::tui) fn set_pick_heading(&mut self, text: &str) {
        self.edit_pick(|pick| pick.group = (!text.is_empty()).then(|| text.to_owned()));
    }

    /// Shows the query of the selected pick, in the pick's view.
    pub(in crate::tui) fn show_pick(&mut self) -> Result<(), Refusal> {
        let pick = self.selected_pick().ok_or(NO_QUERY)?;
        let wanted = self.resolve_pick(pick).map_err(|error| one_line(&error))?;
        let view = View {
            model: wanted.models.first().copied().unwrap_or(self.view.model),
            truth: wanted.truth,
            direction: wanted.direction,
        };
        let truth = &self.study.truths[view.truth];
        if !covers(truth, view.direction, wanted.query) {
            return Err(format!("ground truth {} does not cover this query", truth.name));
        }
        self.show_query(view, wanted.query);
        // The figure shows the top items, so scroll the ranking there.
        self.selection.item = 0;
        Ok(())
    }

    /// Direction and gallery index of a visible query, and the annotator's note on it, empty if there is none. Refused
    /// if `target` is `None`, or in a read-only session.
    pub(in crate::tui) fn note_to_edit(
        &self,
        target: Option<&PickTarget>,
    ) -> Result<((Direction, usize), String), Refusal> {
        self.check_writable()?;
        let PickTarget { query, view, .. } = *target.ok_or(NO_QUERY)?;
        let direction = view.direction;
        let mine = self.my_note(direction, query);
        let text = mine.map_or(String::new(), |note| shown(&note.text));
        Ok(((direction, query), text))
    }

    /// Sets the annotator's note on a query, as one undoable step; a blank note is removed.
    pub(in crate::tui) fn set_note(&mut self, (direction, query): (Direction, usize), text: &str) {
        let text = text.trim();
        let before = self.my_note(direction, query).cloned();
        if text == before.as_ref().map_or(String::new(), |note| shown(&note.text)).trim() {
            return;
        }
        let after = match (&before, text) {
            (_, "") => None,
            (Some(there), text) => {
                Some(Note { text: text.to_owned(), at: Timestamp::now(), ..there.clone() })
            }
            (None, text) => Some(Note {
                query: self.study.gallery.queries(direction)[query].clone(),
                direction,
                text: text.to_owned(),
                at: Timestamp::now(),
                by: self.session.annotator().to_owned(),
                other: Map::new(),
            }),
        };
        let mut notes = self.session.query_notes().to_vec();
        match (notes.iter().position(|note| Some(note) == before.as_ref()), after) {
            (Some(place), Some(note)) => notes[place] = note,
            (Some(place), None) => drop(notes.remove(place)),
            (None, note) => notes.extend(note),
        }
        self.change(|facts| facts.notes = notes.into());
    }

    /// The note on a query: the annotator's own, or else the first of another annotator.
    pub fn note(&self, direction: Direction, query: usize) -> Option<&Note> {
        let mine = self.my_note(direction, query);
        mine.or_else(|| self.notes_on(direction, query).next())
    }

    /// The note on a query as one line that is safe to show, with its author if that is somebody else.
    pub fn format_note(&self, direction: Direction, query: usize) -> Option<String> {
        let note = self.note(direction, query)?;
        let text = shown(&note.text);
        let is_mine = note.by == self.session.annotator();
        Some(if is_mine { text } else { format!("{}: {text}", shown(&note.by)) })
    }

    /// [`Model::format_note`] of the query of a pick, not the pick's own note, which the figure shows. `None` if there
    /// is no note, or if the study lacks the query.
    pub(in crate::tui) fn pick_query_note(&self, pick: &Pick) -> Option<String> {
        let query = self.study.gallery.queries(pick.direction).find(&pick.query)?;
        self.format_note(pick.direction, query as usize)
    }

    fn my_note(&self, direction: Direction, query: usize) -> Option<&Note> {
        let mut notes = self.notes_on(direction, query);
        notes.find(|note| note.by == self.session.annotator())
    }

    fn notes_on(&self, direction: Direction, query: usize) -> impl Iterator<Item = &Note> {
        let queries = self.study.gallery.queries(direction);
        let is_on = move |note: &&Note| {
            note.direction == direction && queries.find(&note.query) == Some(query as u32)
        };
        self.session.query_notes().iter().filter(is_on)
    }
}
