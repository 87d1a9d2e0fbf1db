//! Paired tests of two models, and the lists of queries behind wins, ties and losses.

use std::sync::Arc;

use crate::analysis::paired::Outcome;
use crate::engine::{Contest, Tested};

/// What is tested, and what the tests say once they are done.
pub struct Contested {
    /// What is tested.
    pub contest: Arc<Contest>,
    /// One entry a metric; `None` while it is tested.
    pub tested: Option<Vec<Tested>>,
    /// The chosen line among wins, ties and losses of all metrics.
    pub selected: usize,
}

impl Contested {
    /// Nothing tested yet.
    pub fn new(contest: Arc<Contest>) -> Self {
        Contested {
            contest,
            tested: None,
            selected: 0,
        }
    }

    /// Chooses another line.
    pub(super) fn step(&mut self, by: i32) {
        let lines = self.tested.as_ref().map_or(0, Vec::len) * Outcome::ALL.len();
        let to = self.selected.saturating_add_signed(by as isize);
        self.selected = to.min(lines.saturating_sub(1));
    }

    /// The metric and the outcome of the chosen line.
    pub fn chosen(&self) -> Option<(&Tested, Outcome)> {
        let (metric, outcome) = (
            self.selected / Outcome::ALL.len(),
            self.selected % Outcome::ALL.len(),
        );
        Some((self.tested.as_ref()?.get(metric)?, Outcome::ALL[outcome]))
    }
}
