//! What a what-if changed: its numbers against those of the other side, which is named.
//!
//! A verdict, a dial, a mixture, a pool and a filter ask "what if". Another model, direction or ground truth
//! is another question: its numbers are neither better nor worse than those before. The end of any of these is the
//! way back, and no result.

use super::Model;
use super::history::Change;
use crate::study::{Dials, Pool, View};
use crate::truth::rule::in_order;

/// The changes of both numbers in a step, and against what they are.
#[derive(Debug, Clone, PartialEq)]
pub struct StepChange {
    /// The other side, in words that follow "vs".
    pub against: String,
    /// The changes of both; `None` beside an undefined number.
    pub values: [Option<f64>; 2],
}

impl Model {
    /// What the step of the history at a place changed; `None` where it is no what-if, or while numbers of
    /// it or of the step before are not there.
    pub fn step_change(&self, at: usize) -> Option<StepChange> {
        let steps = self.history.steps();
        let (step, before) = (steps.get(at)?, steps.get(at.checked_sub(1)?)?);
        let (now, then) = (step.numbers?, before.numbers?);
        let is_comparable =
            now.view.truth == then.view.truth && now.view.direction == then.view.direction;
        let change = step.change.as_ref().filter(|_| is_comparable)?;
        let difference = |now: Option<f64>, then: Option<f64>| Some(now? - then?);
        Some(StepChange {
            against: self.against(change, then.view)?,
            values: [0, 1].map(|at| difference(now.values[at], then.values[at])),
        })
    }

    /// What the header tells: the change of the last what-if, as long as what it was asked of is looked at and it was
    /// not taken back.
    pub fn shown_change(&self) -> Option<StepChange> {
        let at = self.history.shown_step()?;
        let numbers = self.history.steps().get(at)?.numbers?;
        (numbers.view == self.view).then(|| self.step_change(at))?
    }

    /// What a what-if is compared with; `None` where a change is none.
    fn against(&self, change: &Change, looked_at: View) -> Option<String> {
        match change {
            Change::Verdict { after: Some(_), .. } => Some("before the verdict".into()),
            Change::Dials { before, after } => self.against_dials(*before, *after, looked_at),
            Change::Together { changes, .. } => self.against(changes.first()?, looked_at),
            Change::Filter { before, after } if !after.is_empty() => Some(against_filter(before)),
            Change::List { before, after } if before.0 == after.0 && !after.1.is_empty() => {
                Some(against_filter(&before.1))
            }
            Change::Verdict { after: None, .. }
            | Change::View { .. }
            | Change::List { .. }
            | Change::Filter { .. }
            | Change::Picks { .. }
            | Change::Note { .. }
            | Change::Sort { .. } => None,
        }
    }

    fn against_dials(&self, before: Dials, after: Dials, looked_at: View) -> Option<String> {
        match (before.mix, after.mix) {
            (before_mix, after_mix) if before_mix == after_mix => {
                self.against_numbers(before, after)
            }
            (_, None) => None,
            (Some(one), Some(other)) if one.percent != other.percent => {
                Some(format!("alpha {:.2}", f64::from(one.percent) / 100.0))
            }
            (Some(mix), Some(_)) => Some(format!("{} scores", mix.scaling.key())),
            (None, Some(_)) => {
                let model = self.base.models.get(looked_at.model.get());
                Some(model.map_or_else(|| "the mixture".into(), |model| model.name.clone()))
            }
        }
    }

    /// The same of another pool, or of another number of a rule: back in all of the gallery, or at the number as
    /// loaded, it is none.
    fn against_numbers(&self, before: Dials, after: Dials) -> Option<String> {
        if before.pool != after.pool {
            let is_back = after.pool == Pool::default();
            return (!is_back).then(|| format!("pool {}", self.base.pool_name(before.pool)));
        }
        let is_turned = |name| before.numbers[name] != after.numbers[name];
        let mut turned = in_order().into_iter().filter(|rule| is_turned(rule.name()));
        let rule = turned.next()?;
        let loaded = self.base.rules.numbers[rule.name()];
        let number = |dials: Dials| {
            let turned = dials.numbers[rule.name()].or(loaded);
            turned.unwrap_or(rule.number().default)
        };
        let as_loaded = loaded.unwrap_or(rule.number().default);
        let is_back = number(after).total_cmp(&as_loaded).is_eq();
        (!is_back).then(|| format!("{} {}", rule.name(), rule.words(number(before))))
    }
}

fn against_filter(before: &str) -> String {
    if before.is_empty() {
        "all queries".into()
    } else {
        format!("filter {before}")
    }
}
