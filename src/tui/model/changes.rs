//! The one path on which anything changes that can be undone: made, undone, redone, gone back to. A drag is
//! one step, and what was refused is none.

use super::Model;
use super::history::Change;
use crate::data::index::ModelIx;
use crate::study::View;

impl Model {
    /// The one path on which anything changes that can be undone.
    pub(in crate::tui) fn make(&mut self, change: Change) {
        if matches!(change, Change::Dials { .. }) && self.lacks_files() {
            return;
        }
        let name = self.name_of(&change);
        self.history.push(name, change);
        self.revisit(self.history.present + 1);
    }

    pub(in crate::tui) fn undo(&mut self) {
        match self.history.last_to_undo() {
            Some(to) => {
                let name = self.history.steps[to + 1].name.clone();
                if self.revisit(to) {
                    self.message = Some(format!("undone: {name}"));
                }
            }
            None => self.message = Some("nothing to undo".into()),
        }
    }

    pub(in crate::tui) fn redo(&mut self) {
        let to = self.history.present + 1;
        match self.history.steps.get(to) {
            Some(step) => {
                let name = step.name.clone();
                if self.revisit(to) {
                    self.message = Some(format!("redone: {name}"));
                }
            }
            None => self.message = Some("nothing to redo".into()),
        }
    }

    /// Goes to a step, through all those between; whether it could.
    pub(in crate::tui) fn revisit(&mut self, to: usize) -> bool {
        if self.history.turns_dials_to(to) && self.lacks_files() {
            return false;
        }
        let to = self.history.back_to(to);
        self.history.visits += 1;
        while self.history.present != to {
            let forward = self.history.present < to;
            if let Some(change) = self.history.step(forward) {
                self.apply(&change, forward);
            }
        }
        true
    }

    fn apply(&mut self, change: &Change, forward: bool) {
        self.set(change, forward);
        // A list that is ordered by what a verdict changes stays as it is: what was judged stays in
        // sight. So does one until its numbers can be counted under dials that are turned.
        self.follow_view(change.is_of_person() || matches!(change, Change::Dials { .. }));
    }

    /// Has all follow what is looked at; the list of queries may stay as it is.
    pub(in crate::tui::model) fn follow_view(&mut self, keeps_list: bool) {
        self.follow_texts();
        self.refresh_judged();
        if keeps_list {
            self.refresh_sort_values();
        } else {
            self.refresh_list();
        }
        self.record_numbers();
        self.due.page = true;
    }

    /// Sets what a change is of; nothing follows yet.
    fn set(&mut self, change: &Change, forward: bool) {
        match change {
            Change::Together { changes, .. } if forward => {
                for change in changes {
                    self.set(change, true);
                }
            }
            Change::Together { changes, .. } => {
                for change in changes.iter().rev() {
                    self.set(change, false);
                }
            }
            Change::Verdict { pair, before, after } => {
                let said = if forward { *after } else { *before };
                self.judgements.set(*pair, said.map(|said| said.response));
                self.forget_error_analysis();
                self.write_said(*pair, said);
            }
            Change::View { before, after } => {
                let (from, to) = if forward { (before, after) } else { (after, before) };
                self.look_away(*from, *to);
            }
            Change::List { before, after } => {
                let (from, to) = if forward { (before, after) } else { (after, before) };
                self.look_away(from.0, to.0);
                self.filter.text.clone_from(&to.1);
            }
            Change::Dials { before, after } => {
                self.dials = if forward { *after } else { *before };
            }
            Change::Picks { before, after, .. } => {
                self.write_picks(if forward { after } else { before });
            }
            Change::Note { before, after } if forward => self.write_note(before, after),
            Change::Note { before, after } => self.write_note(after, before),
            Change::Filter { before, after } => {
                self.filter.text.clone_from(if forward { after } else { before });
            }
            Change::Sort { before, after } => {
                self.selection.sort.clone_from(if forward { after } else { before });
            }
        }
    }

    /// Looks at something else.
    pub(in crate::tui) fn look_away(&mut self, from: View, to: View) {
        if from.direction != to.direction {
            self.search.forget_results();
        }
        self.look_at(to);
    }

    /// Looks at something, as far as it is there.
    pub(in crate::tui) fn look_at(&mut self, view: View) {
        if view.truth != self.view.truth {
            self.known.awaited_truth = None;
        }
        self.view = view;
        // A mixture that is not made (yet): it is looked at once it is there.
        if view.model.get() >= self.study.models.len() {
            self.known.awaited_model = Some(view.model);
            self.view.model = ModelIx::default();
        }
    }

    /// Makes a change in the place of the present step's, which began where it begins.
    pub(in crate::tui) fn make_instead(&mut self, change: &Change) {
        let name = self.name_of(change);
        self.history.replace(name, change.clone());
        self.apply(change, true);
    }
}
