//! What a what-if changed: its numbers against those of the other side, which is named.
//!
//! A verdict, a dial, a mixture, a pool and a filter ask "what if". Another model, direction or ground truth
//! is another question: its numbers are neither better nor worse than those before. The end of a filter is the way
//! back, and no result.

use super::Model;
use super::history::Change;
use crate::study::{Dials, View};
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

    /// What a what-if is compared with; `None` where a change is none.
    fn against(&self, change: &Change, looked_at: View) -> Option<String> {
        match change {
            Change::Verdict { after: Some(_), .. } => Some("before the verdict".into()),
            Change::Verdict { after: None, .. } => Some("with the verdict".into()),
            Change::Dials { before, after } => Some(self.against_dials(*before, *after, looked_at)),
            Change::Together { changes, .. } => self.against(changes.first()?, looked_at),
            Change::Filter { before, after } if !after.is_empty() => Some(against_filter(before)),
            Change::List { before, after } if before.0 == after.0 && !after.1.is_empty() => {
                Some(against_filter(&before.1))
            }
            Change::View { .. }
            | Change::List { .. }
            | Change::Filter { .. }
            | Change::Picks { .. }
            | Change::Note { .. }
            | Change::Sort { .. } => None,
        }
    }

    fn against_dials(&self, before: Dials, after: Dials, looked_at: View) -> String {
        match (before.mix, after.mix) {
            (before_mix, after_mix) if before_mix == after_mix => {
                self.against_numbers(before, after)
            }
            (Some(_), None) => "the mixture".into(),
            (Some(one), Some(other)) if one.percent != other.percent => {
                format!("alpha {:.2}", f64::from(one.percent) / 100.0)
            }
            (Some(mix), Some(_)) => format!("{} scores", mix.scaling.key()),
            (None, _) => {
                let model = self.base.models.get(looked_at.model.get());
                model.map_or_else(|| "the mixture".into(), |model| model.name.clone())
            }
        }
    }

    fn against_numbers(&self, before: Dials, after: Dials) -> String {
        if before.pool != after.pool {
            return format!("pool {}", self.base.pool_name(before.pool));
        }
        let is_turned = |name| before.numbers[name] != after.numbers[name];
        let mut turned = in_order().into_iter().filter(|rule| is_turned(rule.name()));
        turned.next().map_or_else(String::new, |rule| {
            let loaded = self.base.rules.numbers[rule.name()];
            let number = before.numbers[rule.name()].or(loaded);
            let number = number.unwrap_or(rule.number().default);
            format!("{} {}", rule.name(), rule.words(number))
        })
    }
}

fn against_filter(before: &str) -> String {
    if before.is_empty() {
        "all queries".into()
    } else {
        format!("filter {before}")
    }
}
