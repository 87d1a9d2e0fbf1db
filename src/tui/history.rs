//! Every change as a step that can be undone, redone, and gone back to.

mod mended;
mod named;

use super::app::App;
use super::screens::browse::Sort;
use super::selection::View;
use crate::metric::Summary;
use crate::session::{Note, Pick};
use crate::study::Dials;
use crate::truth::verdict::{Pair, Verdict};

/// One change, with the way back.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// A verdict on a pair.
    Verdict {
        /// The pair.
        pair: Pair,
        /// What was said before.
        before: Option<Verdict>,
        /// What is said now.
        after: Option<Verdict>,
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
    /// Whether it is what a person said about what is listed.
    fn is_of_person(&self) -> bool {
        matches!(
            self,
            Change::Verdict { .. } | Change::Picks { .. } | Change::Note { .. }
        )
    }
}

/// A change that was made, and R@1 and mAP@R after it.
#[derive(Debug, Clone)]
pub struct Step {
    /// What was done, in words.
    pub name: String,
    /// R@1 and mAP@R, once they are known.
    pub numbers: Option<After>,
    change: Option<Change>,
}

/// R@1 and mAP@R after a step; `None` where undefined.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct After {
    /// R@1.
    pub r1: Option<f64>,
    /// mAP@R.
    pub map_at_r: Option<f64>,
}

/// The steps, and which of them is the present one.
#[derive(Debug, Clone)]
pub struct History {
    steps: Vec<Step>,
    present: usize,
    /// How often another step became the present one.
    visits: usize,
}

impl Default for History {
    fn default() -> Self {
        let start = Step {
            name: "start".into(),
            numbers: None,
            change: None,
        };
        History {
            steps: vec![start],
            present: 0,
            visits: 0,
        }
    }
}

impl History {
    /// All steps, the start among them.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Place of the present step.
    pub fn present(&self) -> usize {
        self.present
    }

    /// How often another step became the present one.
    pub(super) fn visits(&self) -> usize {
        self.visits
    }

    /// Adds a step to come after the present one; those that were undone are gone.
    fn push(&mut self, name: String, change: Change) {
        self.steps.truncate(self.present + 1);
        self.steps.push(Step {
            name,
            numbers: None,
            change: Some(change),
        });
    }

    /// Notes the numbers of the present step.
    pub(super) fn note(&mut self, r1: Summary, map_at_r: Summary) {
        self.steps[self.present].numbers = Some(After {
            r1: r1.value,
            map_at_r: map_at_r.value,
        });
    }
}

impl App {
    /// The one path on which anything changes that can be undone.
    pub(super) fn make(&mut self, change: Change) {
        let name = self.name_of(&change);
        self.history.push(name, change);
        self.revisit(self.history.present + 1);
    }

    pub(super) fn undo(&mut self) {
        match self.history.present.checked_sub(1) {
            Some(to) => {
                let name = self.history.steps[to + 1].name.clone();
                self.revisit(to);
                self.message = Some(format!("undone: {name}"));
            }
            None => self.message = Some("nothing to undo".into()),
        }
    }

    pub(super) fn redo(&mut self) {
        let to = self.history.present + 1;
        match self.history.steps.get(to) {
            Some(step) => {
                self.message = Some(format!("redone: {}", step.name));
                self.revisit(to);
            }
            None => self.message = Some("nothing to redo".into()),
        }
    }

    /// Goes to a step, through all those between.
    pub(super) fn revisit(&mut self, to: usize) {
        self.history.visits += 1;
        while self.history.present != to {
            let forward = self.history.present < to;
            let at = self.history.present + usize::from(forward);
            let change = self.history.steps[at].change.clone();
            self.history.present = if forward { at } else { at - 1 };
            if let Some(change) = change {
                self.apply(&change, forward);
            }
        }
    }

    fn apply(&mut self, change: &Change, forward: bool) {
        match change {
            Change::Verdict {
                pair,
                before,
                after,
            } => {
                let verdict = if forward { *after } else { *before };
                self.judgements.verdicts.set(*pair, verdict);
                self.forget_error_analysis();
                self.write_verdict(*pair, verdict);
            }
            Change::View { before, after } => {
                let (from, to) = if forward {
                    (before, after)
                } else {
                    (after, before)
                };
                self.look_away(*from, *to);
            }
            Change::List { before, after } => {
                let (from, to) = if forward {
                    (before, after)
                } else {
                    (after, before)
                };
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
                self.filter
                    .text
                    .clone_from(if forward { after } else { before });
            }
            Change::Sort { before, after } => {
                self.browse
                    .sort
                    .clone_from(if forward { after } else { before });
            }
        }
        self.refresh_judged();
        // A list that is ordered by what a verdict changes stays as it is: what was judged stays in
        // sight.
        if !change.is_of_person() {
            self.browse_refresh();
        }
        self.record_numbers();
        self.turn_page();
    }
}
