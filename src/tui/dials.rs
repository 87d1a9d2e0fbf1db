//! Dials of truths that a rule makes: the least rating of `CxC`, the distance of Plausible Match.

use std::sync::Arc;

use super::app::{App, Numbers};
use super::history::Change;
use crate::data::Direction;
use crate::data::ratings::BEST;
use crate::study::{Dial, Dials, Study};
use crate::truth::Truth;
use crate::truth::cxc::THRESHOLD;

/// One step of the threshold.
const STEP: f64 = 0.25;
/// The widest distance of Plausible Match that is in use.
const WIDEST: u32 = 2;

impl App {
    /// Turns the dial of the truth looked at, up or down.
    pub(super) fn turn_dial(&mut self, up: bool) {
        let before = self.dials;
        let mut after = before;
        match self.base.dial(self.truth()) {
            Some(Dial::Threshold(made)) => {
                let now = before.cxc_threshold.or(made).unwrap_or(THRESHOLD);
                let to = if up { now + STEP } else { now - STEP };
                after.cxc_threshold = Some(to.clamp(0.0, BEST));
            }
            Some(Dial::Zeta(made)) => {
                let now = before.pm_zeta.or(made).unwrap_or_default();
                let to = if up { now + 1 } else { now.saturating_sub(1) };
                after.pm_zeta = Some(to.min(WIDEST));
            }
            None => {
                let name = &self.truth().name;
                self.message = Some(format!(
                    "truth {name} has no dial: cxc turns with ratings (sits_*.csv), pm with COCO instances"
                ));
                return;
            }
        }
        if after == before {
            self.message = Some("the dial is at its end".into());
        } else {
            self.make(Change::Dials { before, after });
        }
    }

    /// Where the dial of a truth stands, in words; nothing without one.
    pub fn dial_words(&self, truth: &Truth) -> String {
        match self.base.dial(truth) {
            Some(Dial::Threshold(made)) => self
                .dials
                .cxc_threshold
                .or(made)
                .map_or(String::new(), |least| format!(" ≥ {least:.2}")),
            Some(Dial::Zeta(made)) => self
                .dials
                .pm_zeta
                .or(made)
                .map_or(String::new(), |zeta| format!(" zeta {zeta}")),
            None => String::new(),
        }
    }

    /// The dials, where the study is not made with them yet.
    pub fn wanted_dials(&self) -> Option<Dials> {
        (self.dials != self.study_dials).then_some(self.dials)
    }

    /// Takes a study with turned dials. Numbers under the truths that it changes are stale, all others
    /// stay until they are counted again.
    pub(super) fn take_study(&mut self, dials: Dials, study: Arc<Study>) {
        if dials != self.dials {
            return;
        }
        let is_same = |truth: usize, direction: Direction| {
            let of = |study: &Study| study.truths[truth].relevance[direction].clone();
            match (of(&self.study), of(&study)) {
                (Some(before), Some(after)) => before.is_same(&after),
                (before, after) => before.is_none() && after.is_none(),
            }
        };
        let both = Direction::BOTH;
        let stale = |truth: usize| !both.into_iter().all(|direction| is_same(truth, direction));
        for numbers in &mut self.numbers {
            if let Numbers::Ready(scores) = numbers {
                *numbers = Numbers::Stale(Arc::new(scores.without(stale)));
            }
        }
        self.study = study;
        self.study_dials = dials;
        self.generation += 1;
        self.refresh_judged();
        self.browse_refresh();
    }
}
