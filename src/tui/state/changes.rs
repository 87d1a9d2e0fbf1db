//! The one path of every change: `Model::change` edits a snapshot of what a person can change, `Model::restore` sets
//! the model to it and marks changes in [`Dirty`], `Model::recompute` updates the rest, once and in one order.

use std::ops::{BitOr, BitOrAssign};

use super::Model;
use super::history::{Facts, JudgmentChange};
use crate::session::TimedResponse;
use crate::study::View;
use crate::truth::judgment::Pair;
use crate::tui::sort::Sort;

impl Model {
    /// Snapshot of the undoable state.
    pub(super) fn facts(&self) -> Facts {
        let last = &self.history.steps[self.history.present].facts;
        let (picks, notes) = (self.session.picks(), self.session.query_notes());
        let tags = &self.session.content().tags;
        let model = self.known.awaited_model.unwrap_or(self.view.model);
        Facts {
            view: View { model, ..self.view },
            settings: self.settings,
            filter: self.filter.text.clone(),
            sort: self.selection.sort.clone(),
            // Values of the last snapshot are not copied.
            picks: if *last.picks == *picks { last.picks.clone() } else { picks.into() },
            notes: if *last.notes == *notes { last.notes.clone() } else { notes.into() },
            tags: if *last.tags == **tags { last.tags.clone() } else { tags[..].into() },
            judgments: last.judgments,
        }
    }

    /// Applies `edit` to the undoable state as one step, and recomputes the rest. Returns a description of the step;
    /// `None` if nothing changed, or if it is refused with a message.
    pub(in crate::tui) fn change(&mut self, edit: impl FnOnce(&mut Facts)) -> Option<String> {
        self.change_and_judge(edit, None)
    }

    /// Like [`Model::change`], with a judgment of a pair in the same step.
    pub(super) fn change_and_judge(
        &mut self,
        edit: impl FnOnce(&mut Facts),
        judged: Option<JudgmentChange>,
    ) -> Option<String> {
        let before = self.facts();
        let mut after = before.clone();
        edit(&mut after);
        after.judgments += usize::from(judged.is_some());
        if before == after {
            return None;
        }
        if before.settings != after.settings {
            self.attempt(|model| model.check_files())?;
        }
        let name = self.describe_change(&before, &after, judged);
        self.history.log.truncate(before.judgments);
        self.history.log.extend(judged);
        self.history.push(before.clone(), name.clone(), after.clone(), false);
        self.restore(before.judgments, after);
        Some(name)
    }

    /// Sorts the queries, and describes the order in the status line: the title of the list may have no room for it.
    pub(in crate::tui) fn sort_by(&mut self, sort: Sort) {
        if self.selection.sort != sort {
            self.select_from_top();
            self.change(|facts| facts.sort = sort);
        }
        self.message = Some(format!("sorted, {}", self.order().description()));
    }

    /// Undoes the last change.
    pub(in crate::tui) fn undo(&mut self) {
        let mut done = self.history.steps[..=self.history.present].iter();
        match done.rposition(|step| !step.is_reload).filter(|at| *at > 0) {
            Some(at) => self.revisit(at, at - 1, "undone"),
            None => self.message = Some("nothing to undo".into()),
        }
    }

    /// Redoes the last undone change.
    pub(in crate::tui) fn redo(&mut self) {
        let mut undone = self.history.present + 1..self.history.steps.len();
        match undone.find(|at| !self.history.steps[*at].is_reload) {
            Some(at) => self.revisit(at, at, "redone"),
            None => self.message = Some("nothing to redo".into()),
        }
    }

    /// Goes to step `to` of the history, which undoes or redoes step `at`; `verb` says which. While judging, selects
    /// the pair that step `at` judged.
    fn revisit(&mut self, at: usize, to: usize, verb: &str) {
        let needs_files = self.history.steps[to].facts.settings != self.settings;
        if needs_files && self.attempt(|model| model.check_files()).is_none() {
            return;
        }
        let judged = self.history.judgments(at - 1, at).last().map(|change| change.pair);
        let before = self.facts();
        let judgments = before.judgments;
        let facts = self.history.visit(to, before);
        self.restore(judgments, facts);
        self.message = Some(format!("{verb}: {}", self.history.steps[at].name));
        if let Some(pair) = judged.filter(|_| self.judging.is_on) {
            self.select_judged_pair(pair);
        }
    }

    /// Sets the state to a snapshot, and recomputes the rest. `judgments` is the number of log entries in force before.
    fn restore(&mut self, judgments: usize, facts: Facts) {
        let keeps_list = (self.view, &self.filter.text, &self.selection.sort)
            == (facts.view, &facts.filter, &facts.sort);
        let log = &self.history.log;
        let responses: Vec<(Pair, Option<TimedResponse>)> = if judgments <= facts.judgments {
            log[judgments..facts.judgments].iter().map(|one| (one.pair, one.after)).collect()
        } else {
            let undone = log[facts.judgments..judgments].iter().rev();
            undone.map(|one| (one.pair, one.before)).collect()
        };
        if !responses.is_empty() {
            self.dirty |= Dirty::RANKS;
        }
        for (pair, timed) in responses {
            self.judgments.set(pair, timed.map(|timed| timed.response));
            self.write_response(pair, timed);
        }
        if *facts.picks != *self.session.picks() {
            self.session.change().picks = facts.picks.to_vec();
            self.pick = self.selected_pick_index();
        }
        if *facts.notes != *self.session.query_notes() {
            self.session.change().notes = facts.notes.to_vec();
        }
        if *facts.tags != *self.session.content().tags {
            self.session.change().tags = facts.tags.to_vec();
        }
        if facts.view != self.view {
            self.set_view(facts.view);
        }
        self.settings = facts.settings;
        self.filter.text = facts.filter;
        self.filter.is_restored = false;
        self.selection.sort = facts.sort;
        self.dirty |= Dirty::TRUTH | Dirty::SESSION;
        if !keeps_list {
            self.dirty |= Dirty::FILTER;
        }
        self.recompute();
    }

    /// Stores the present state in the present step, after a change that is no step of its own. The metrics of the step
    /// are then unknown.
    pub(super) fn amend_present_step(&mut self) {
        let facts = self.facts();
        let step = &mut self.history.steps[self.history.present];
        (step.facts, step.numbers) = (facts, None);
    }
}

/// Parts of the state that changed or must be recomputed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Dirty(u16);

impl Dirty {
    /// Indices of models, truths or pools, changed by a reload: screens drop the indices that they stored.
    pub const INDICES: Dirty = Dirty(1);
    /// The study: its models, truths, pool or texts.
    pub const STUDY: Dirty = Dirty(1 << 1);
    /// Current model, ground truth or direction.
    pub const VIEW: Dirty = Dirty(1 << 2);
    /// Ranks, with or without judgments.
    pub const RANKS: Dirty = Dirty(1 << 3);
    /// Metrics with judgments applied.
    pub const TRUTH: Dirty = Dirty(1 << 4);
    /// Which queries meet the filter.
    pub const FILTER: Dirty = Dirty(1 << 5);
    /// Which queries are listed, and in which order. A judgment alone changes neither, so that its query stays visible.
    pub const ROWS: Dirty = Dirty(1 << 6);
    /// Sort keys of listed queries.
    pub const CELLS: Dirty = Dirty(1 << 7);
    /// The header's metrics.
    pub const NUMBERS: Dirty = Dirty(1 << 8);
    /// Content of the open popup.
    pub const POPUP: Dirty = Dirty(1 << 9);
    /// The view that is stored in the session.
    pub const SESSION: Dirty = Dirty(1 << 10);
    /// Changes that `Model::recompute` leaves to the drawing code.
    const ON_SCREEN: Dirty = Dirty(Dirty::INDICES.0 | Dirty::POPUP.0 | Dirty::SESSION.0);
    /// Everything except the indices.
    pub const ALL: Dirty = Dirty((1 << 11) - 2);

    /// Each change with those that it implies; causes come before their effects.
    const IMPLIED: [(Dirty, Dirty); 7] = [
        (Dirty::INDICES, Dirty::STUDY),
        (Dirty::STUDY, Dirty(Dirty::VIEW.0 | Dirty::RANKS.0 | Dirty::POPUP.0)),
        (Dirty::VIEW, Dirty(Dirty::TRUTH.0 | Dirty::FILTER.0 | Dirty::SESSION.0)),
        (Dirty::RANKS, Dirty::TRUTH),
        (Dirty::TRUTH, Dirty(Dirty::CELLS.0 | Dirty::NUMBERS.0)),
        (Dirty::FILTER, Dirty(Dirty::ROWS.0 | Dirty::NUMBERS.0)),
        (Dirty::ROWS, Dirty::CELLS),
    ];

    /// Whether any part of `any` is dirty.
    pub fn has(self, any: Dirty) -> bool {
        self.0 & any.0 != 0
    }

    /// These changes, and all that they imply.
    #[must_use]
    pub fn with_effects(self) -> Dirty {
        Dirty::IMPLIED.iter().fold(
            self,
            |dirty, (cause, effects)| {
                if dirty.has(*cause) { dirty | *effects } else { dirty }
            },
        )
    }
}

impl BitOr for Dirty {
    type Output = Dirty;

    fn bitor(self, other: Dirty) -> Dirty {
        Dirty(self.0 | other.0)
    }
}

impl BitOrAssign for Dirty {
    fn bitor_assign(&mut self, other: Dirty) {
        *self = *self | other;
    }
}

impl Model {
    /// Updates everything that depends on the changes in [`Dirty`]: texts, metrics with judgments, the query list, the
    /// header's metrics, the selection. Called after every event, and in methods that use results of their own change.
    pub(in crate::tui) fn recompute(&mut self) {
        let mut dirty = std::mem::take(&mut self.dirty).with_effects();
        if dirty.has(Dirty::VIEW) && self.show_texts_of_model() {
            dirty = (dirty | Dirty::RANKS).with_effects();
        }
        if dirty.has(Dirty::RANKS) {
            self.known.error_analysis.forget_ranks();
        }
        if dirty.has(Dirty::TRUTH) {
            self.refresh_judged();
        }
        if dirty.has(Dirty::FILTER) {
            self.apply_filter();
        }
        self.drop_unmet_session_filter();
        // While a filter is pending, the list stays as it was.
        let is_flipped = self.selection.listed != Some(self.view.direction);
        if dirty.has(Dirty::ROWS) && (is_flipped || !self.is_filtering()) {
            self.list_queries();
        }
        if dirty.has(Dirty::CELLS) {
            self.recompute_sort_values();
        }
        if dirty.has(Dirty::NUMBERS) {
            self.record_numbers();
        }
        self.dirty |= Dirty(dirty.0 & Dirty::ON_SCREEN.0);
        self.seek_in_new_ranking();
        self.refresh_queued_items();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judgment_changes_numbers_and_no_row() {
        let judged = Dirty::RANKS.with_effects();
        assert!(judged.has(Dirty::NUMBERS) && judged.has(Dirty::CELLS));
        assert!(!judged.has(Dirty::ROWS) && !judged.has(Dirty::SESSION));
        assert_eq!(Dirty::INDICES.with_effects(), Dirty::INDICES | Dirty::ALL);
    }
}
