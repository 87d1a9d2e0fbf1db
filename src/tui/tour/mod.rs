//! A tour of the explorer: each step says what to press and why, and ends when that was done.

mod steps;
pub(in crate::tui) mod view;

use super::action::Action;
use super::keymap::Keymap;
use super::model::Model;
use crate::filter::ready;
use crate::truth::Kind;
use steps::{STEPS, Until};

/// The condition that the tour asks for.
const MISSING: &str = "missing label";

/// The tour, at one of its steps.
pub struct Tour {
    at: usize,
    /// How the model was when the step began.
    then: Facts,
}

/// What a step can wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) struct Facts {
    verdicts: usize,
    picks: usize,
    /// Whether missing labels are listed.
    is_filtered: bool,
    is_judging: bool,
    is_original: bool,
}

impl Facts {
    fn of(model: &Model) -> Self {
        Facts {
            verdicts: model.judgements.verdicts.len(),
            picks: model.session.picks().len(),
            is_filtered: ready(&model.study, model.view)
                .iter()
                .any(|of| of.name == MISSING && of.expression == model.filter.text),
            is_judging: model.judging.is_on,
            is_original: model.truth().kind == Kind::Original,
        }
    }
}

impl Tour {
    /// At its first step.
    pub(in crate::tui) fn new(model: &Model) -> Self {
        Tour { at: 0, then: Facts::of(model) }
    }

    /// The tour at the next step; `None` after the last.
    pub(in crate::tui) fn next(self, model: &Model) -> Option<Self> {
        let at = self.at + 1;
        let then = Facts::of(model);
        (at < STEPS.len()).then_some(Tour { at, then })
    }

    /// Whether the step waits for this action.
    pub(in crate::tui) fn waits_for(&self, action: Action) -> bool {
        matches!(STEPS[self.at].until, Until::Does(wanted) if wanted.contains(&action))
    }

    /// Whether what the step waits for is the case now.
    pub(in crate::tui) fn is_done(&self, model: &Model) -> bool {
        match STEPS[self.at].until {
            Until::Is(is_done) => is_done(self.then, Facts::of(model)),
            _ => false,
        }
    }

    /// The step, from 1, and how many there are.
    pub fn place(&self) -> (usize, usize) {
        (self.at + 1, STEPS.len())
    }

    /// What the step says, with the keys as they are bound.
    fn words(&self, keymap: &Keymap) -> String {
        let mut words = STEPS[self.at].words.to_owned();
        for &action in Action::ALL {
            let name = format!("{{{}}}", action.name());
            words = words.replace(&name, &keymap.hint(action));
        }
        words
    }

    /// The keys that do what a step says, for whoever walks through all of it.
    pub fn keys() -> impl Iterator<Item = &'static str> {
        STEPS.iter().map(|step| step.keys)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::demo;

    #[test]
    fn every_key_that_a_step_names_is_one() {
        let keymap = Keymap::load(None).unwrap();
        let model = Model::new(demo::open().unwrap().into());
        let mut tour = Some(Tour::new(&model));
        while let Some(step) = tour {
            let words = step.words(&keymap);
            assert!(!words.contains(['{', '}']), "{words}");
            tour = step.next(&model);
        }
    }
}
