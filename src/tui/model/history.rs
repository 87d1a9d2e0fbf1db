//! Every change as a step that can be undone, redone, and gone back to.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use super::sort::Sort;
use crate::metric::Summary;
use crate::session::{Note, Pick, Said};
use crate::study::{Dials, Renumbered, View};
use crate::truth::verdict::Pair;

/// One change, with the way back.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// A verdict on a pair, or that it cannot be told.
    Verdict {
        /// The pair.
        pair: Pair,
        /// What was said before, and when.
        before: Option<Said>,
        /// What is said now.
        after: Option<Said>,
    },
    /// Several at once, as one step.
    Together {
        /// What was done, in words.
        what: String,
        /// The changes, in their order.
        changes: Vec<Change>,
    },
    /// Model, truth or direction.
    View {
        /// What was looked at before.
        before: View,
        /// What is looked at now.
        after: View,
    },
    /// The dials of truths.
    Dials {
        /// Where they stood before.
        before: Dials,
        /// Where they stand now.
        after: Dials,
    },
    /// The picks: one more or less, another order, one that was edited.
    Picks {
        /// What was done, in words.
        what: String,
        /// All picks before.
        before: Vec<Pick>,
        /// All picks now.
        after: Vec<Pick>,
    },
    /// A note on a query; both are of the same query and annotator.
    Note {
        /// The note before.
        before: Option<Box<Note>>,
        /// The note now.
        after: Option<Box<Note>>,
    },
    /// The condition that listed queries meet.
    Filter {
        /// The condition before; empty for none.
        before: String,
        /// The condition now.
        after: String,
    },
    /// Model, truth or direction, and the condition that listed queries meet.
    List {
        /// What was looked at before, and the condition; empty for none.
        before: (View, String),
        /// What is looked at now, and the condition.
        after: (View, String),
    },
    /// The order of the queries.
    Sort {
        /// The order before.
        before: Sort,
        /// The order now.
        after: Sort,
    },
}

impl Change {
    /// The pairs that it judged.
    pub(in crate::tui::model) fn judged_pairs(&self) -> Vec<Pair> {
        match self {
            Change::Verdict { pair, .. } => vec![*pair],
            Change::Together { changes, .. } => {
                changes.iter().flat_map(Change::judged_pairs).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Gives models, truths and pools the indices that another study has for them.
    fn renumber(&mut self, renumbered: Renumbered<'_>) {
        match self {
            Change::View { before, after } => {
                for view in [before, after] {
                    *view = renumbered.view(*view);
                }
            }
            Change::List { before, after } => {
                for (view, _) in [before, after] {
                    *view = renumbered.view(*view);
                }
            }
            Change::Dials { before, after } => {
                for dials in [before, after] {
                    *dials = renumbered.dials(*dials);
                }
            }
            _ => {}
        }
    }

    /// Whether it is what a person said about what is listed.
    pub(in crate::tui::model) fn is_of_person(&self) -> bool {
        match self {
            Change::Verdict { .. } | Change::Picks { .. } | Change::Note { .. } => true,
            Change::Together { changes, .. } => changes.iter().all(Change::is_of_person),
            _ => false,
        }
    }

    /// Whether it leaves the numbers of the header and what they are of as they are.
    fn is_beside_numbers(&self) -> bool {
        match self {
            Change::Picks { .. } | Change::Note { .. } | Change::Sort { .. } => true,
            Change::Together { changes, .. } => changes.iter().all(Change::is_beside_numbers),
            _ => false,
        }
    }
}

/// A change that was made, and the header's numbers after it.
#[derive(Debug, Clone)]
pub struct Step {
    /// What was done, in words.
    pub name: String,
    /// The header's numbers, once they are known.
    pub numbers: Option<After>,
    pub(in crate::tui::model) change: Option<Change>,
}

/// The header's numbers after a step; `None` where undefined.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct After {
    /// What they are of.
    pub view: View,
    /// Both numbers.
    pub values: [Option<f64>; 2],
    /// The queries that meet the filter; `None` without one.
    pub met: Option<MetQueries>,
    /// How many queries entered the first of them.
    pub judged: usize,
}

/// How many queries meet a filter, and which.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MetQueries {
    /// How many.
    pub count: usize,
    /// A fingerprint of their gallery indices.
    pub fingerprint: u64,
}

impl MetQueries {
    /// Those of a filter.
    pub(in crate::tui::model) fn of(met: &[u32]) -> Self {
        MetQueries { count: met.len(), fingerprint: FxBuildHasher.hash_one(met) }
    }
}

/// The steps, and which of them is the present one.
#[derive(Debug, Clone)]
pub struct History {
    pub(in crate::tui::model) steps: Vec<Step>,
    pub(in crate::tui::model) present: usize,
    /// How often another step became the present one.
    pub(in crate::tui::model) visits: usize,
    /// Place of the step whose change of both numbers the header shows: the last one that was made or redone,
    /// but for those beside the numbers; `None` once it was taken back.
    shown_step: Option<usize>,
}

impl Default for History {
    fn default() -> Self {
        let start = Step { name: "start".into(), numbers: None, change: None };
        History { steps: vec![start], present: 0, visits: 0, shown_step: None }
    }
}

impl History {
    /// All steps, the start among them.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The pairs that the present step judged.
    pub(in crate::tui::model) fn judged_pairs(&self) -> Vec<Pair> {
        let change = self.steps[self.present].change.iter();
        change.flat_map(Change::judged_pairs).collect()
    }

    /// Place of the present step.
    pub fn present(&self) -> usize {
        self.present
    }

    /// Place of the step whose change of both numbers is shown.
    pub fn shown_step(&self) -> Option<usize> {
        self.shown_step
    }

    /// Makes the next step the present one, or the one before it; gives the change that is done or undone by that.
    pub(in crate::tui::model) fn step(&mut self, forward: bool) -> Option<Change> {
        let at = self.present + usize::from(forward);
        self.present = if forward { at } else { at - 1 };
        let change = self.steps[at].change.clone();
        if !change.as_ref().is_some_and(Change::is_beside_numbers) {
            self.shown_step = forward.then_some(at);
        }
        change
    }

    /// Puts another step in the place of the present one.
    pub(in crate::tui::model) fn replace(&mut self, name: String, change: Change) {
        self.steps[self.present] = Step { name, numbers: None, change: Some(change) };
        self.shown_step = Some(self.present);
    }

    /// How often another step became the present one.
    pub(in crate::tui) fn visits(&self) -> usize {
        self.visits
    }

    /// Adds a step to come after the present one; those that were undone are gone.
    pub(in crate::tui::model) fn push(&mut self, name: String, change: Change) {
        self.steps.truncate(self.present + 1);
        self.steps.push(Step { name, numbers: None, change: Some(change) });
    }

    /// Adds a step that cannot be undone, and makes it the present one; those that were undone are gone.
    pub(in crate::tui::model) fn add(&mut self, name: String) {
        self.steps.truncate(self.present + 1);
        self.steps.push(Step { name, numbers: None, change: None });
        self.present += 1;
        self.visits += 1;
        self.shown_step = Some(self.present);
    }

    /// Gives models, truths and pools the indices that another study has for them.
    pub(in crate::tui::model) fn renumber(&mut self, renumbered: Renumbered<'_>) {
        let changes = self.steps.iter_mut().filter_map(|step| step.change.as_mut());
        changes.for_each(|change| change.renumber(renumbered));
    }

    /// The step to go back to for the state of an earlier one. What cannot be undone and came after that one
    /// stays: it stands behind it from now on, before all that is undone.
    pub(in crate::tui::model) fn back_to(&mut self, to: usize) -> usize {
        let later = self.steps.get_mut(to + 1..=self.present).unwrap_or_default();
        let stays = later.iter().filter(|step| step.change.is_none()).count();
        if stays > 0 {
            later.sort_by_key(|step| step.change.is_some());
            for step in later {
                step.numbers = None;
            }
        }
        to + stays
    }

    /// The step before the last one up to the present that can be undone.
    pub(in crate::tui::model) fn last_to_undo(&self) -> Option<usize> {
        let done = &self.steps[..=self.present];
        done.iter().rposition(|step| step.change.is_some())?.checked_sub(1)
    }

    /// Whether dials are turned between the present step and another.
    pub(in crate::tui::model) fn turns_dials_to(&self, to: usize) -> bool {
        let (from, to) = (self.present.min(to), self.present.max(to));
        let mut between = self.steps[from + 1..=to].iter();
        between.any(|step| matches!(step.change, Some(Change::Dials { .. })))
    }

    /// Notes the numbers of the present step, and which queries meet the filter.
    pub(in crate::tui) fn note(
        &mut self,
        view: View,
        numbers: [Summary; 2],
        met: Option<MetQueries>,
    ) {
        self.steps[self.present].numbers = Some(After {
            view,
            values: numbers.map(|summary| summary.value),
            met,
            judged: numbers[0].judged,
        });
    }

    /// Whether the present step turned dials that stood so.
    pub(in crate::tui) fn has_turned(&self, dials: Dials) -> bool {
        let change = &self.steps[self.present].change;
        matches!(change, Some(Change::Dials { before, .. }) if *before == dials)
    }

    /// Forgets the steps that were undone.
    pub(in crate::tui) fn forget_undone(&mut self) {
        self.steps.truncate(self.present + 1);
    }

    /// Strikes out the step that turned the dials so, as if it had never been; gives where they stood
    /// before it. `None` where no step up to the present one did.
    pub(in crate::tui) fn strike(&mut self, refused: Dials) -> Option<Dials> {
        let is_it = |step: &Step| matches!(&step.change, Some(Change::Dials { after, .. }) if *after == refused);
        let at = self.steps[..=self.present].iter().rposition(is_it)?;
        let Some(Change::Dials { before: back, .. }) = self.steps.remove(at).change else {
            return None;
        };
        self.present -= 1;
        self.shown_step = None;
        for step in &mut self.steps[at..] {
            if let Some(Change::Dials { before, .. }) = &mut step.change
                && *before == refused
            {
                *before = back;
            }
        }
        Some(back)
    }
}
