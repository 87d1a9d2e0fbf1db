//! What a what-if changed: its numbers against those of the other side, which is named.
//!
//! A verdict, a dial, a mixture, a pool and a filter ask "what if"; files that were read again are beside what they were
//! before. Another model, direction or ground truth
//! is another question: its numbers are neither better nor worse than those before. The end of any of these is the
//! way back, and no result.

use unicode_width::UnicodeWidthStr;

use super::Model;
use super::undo::After;
use crate::data::text::{count, grouped};
use crate::study::{Dials, Pool, View};
use crate::truth::rule::in_order;

/// The changes of both numbers in a step, and against what they are.
#[derive(Debug, Clone, PartialEq)]
pub struct StepChange {
    /// The other side, in words that follow "vs".
    pub against: String,
    /// The same in the fewest words that tell it.
    pub short: String,
    /// The changes of both; `None` beside an undefined number.
    pub values: [Option<f64>; 2],
}

impl StepChange {
    /// The other side after "vs", in words for so many columns: some stand beside every change that has room for any.
    pub fn words_in(&self, columns: usize) -> Option<String> {
        let ways = [vs(&self.against), self.few(), self.least()];
        ways.into_iter().find(|words| words.width() <= columns)
    }

    /// The other side after "vs", in few words.
    pub fn few(&self) -> String {
        vs(&self.short)
    }

    /// The other side after "vs", in the fewest words.
    pub fn least(&self) -> String {
        vs(BEFORE)
    }
}

fn vs(side: &str) -> String {
    format!(" vs {side}")
}

impl Model {
    /// What the step of the history at a place changed; `None` where it is no what-if, or while numbers of
    /// it or of the step before are not there.
    pub fn step_change(&self, at: usize) -> Option<StepChange> {
        let from = self.baseline(at)?;
        let steps = self.history.steps();
        let (now, then) = (steps[at].numbers?, steps[from].numbers?);
        if now.view.truth != then.view.truth || now.view.direction != then.view.direction {
            return None;
        }
        let [against, short] = if steps[at].is_reload() {
            against_reload(then, now)
        } else {
            self.against(from, at, then, now)?
        };
        let difference = |at: usize| Some(now.values[at].value? - then.values[at].value?);
        let values = [0, 1].map(difference);
        // Against numbers that are not defined there is no change.
        values.iter().any(Option::is_some).then_some(StepChange { against, short, values })
    }

    /// The last step before one whose numbers are known: dials that were turned further before their numbers were
    /// there are passed over.
    fn baseline(&self, at: usize) -> Option<usize> {
        let turns = |at: usize| {
            let [before, after] = self.history.facts_around(at.checked_sub(1)?, at);
            (before.dials != after.dials).then_some(())
        };
        let mut from = at.checked_sub(1)?;
        while self.history.steps()[from].numbers.is_none() {
            turns(at).and(turns(from))?;
            from -= 1;
        }
        Some(from)
    }

    /// What the header tells: the change of the last what-if, as long as what it was asked of is looked at and it was
    /// not taken back.
    pub fn shown_change(&self) -> Option<StepChange> {
        let at = self.history.shown_step()?;
        let numbers = self.history.steps().get(at)?.numbers?;
        (numbers.view == self.view).then(|| self.step_change(at))?
    }

    /// What a what-if is compared with, and in fewer words; `None` where a change is none.
    fn against(&self, from: usize, at: usize, then: After, now: After) -> Option<[String; 2]> {
        let [before, after] = self.history.facts_around(from, at);
        if let Some(judged) = self.history.judgments(from, at).first() {
            judged.after?;
            return Some(of_others(["before the verdict", BEFORE].map(String::from), then, now));
        }
        if before.dials != after.dials {
            let against = self.against_dials(before.dials, after.dials, then.view)?;
            return Some(of_others(against, then, now));
        }
        let is_filtered = before.filter != after.filter && !after.filter.is_empty();
        (is_filtered && before.view == after.view).then(|| against_filter(&before.filter))
    }

    fn against_dials(&self, before: Dials, after: Dials, looked_at: View) -> Option<[String; 2]> {
        match (before.mix, after.mix) {
            (before_mix, after_mix) if before_mix == after_mix => {
                self.against_numbers(before, after)
            }
            (_, None) => None,
            _ if before.pool != after.pool || before.numbers != after.numbers => {
                Some(["before these steps", BEFORE].map(String::from))
            }
            (Some(one), Some(other)) if one.percent != other.percent => {
                let alpha = format!("{:.2}", f64::from(one.percent) / 100.0);
                Some([format!("alpha {alpha}"), alpha])
            }
            (Some(mix), Some(_)) => {
                let scaling = mix.scaling.key();
                Some([format!("{scaling} scores"), scaling.to_owned()])
            }
            (None, Some(_)) => Some(match self.base.models.get(looked_at.model.get()) {
                Some(model) => [model.name.clone(), short(&model.name)],
                None => ["the mixture", "mixture"].map(String::from),
            }),
        }
    }

    /// The same of another pool, or of another number of a rule: back in all of the gallery, or at the number as
    /// loaded, it is none.
    fn against_numbers(&self, before: Dials, after: Dials) -> Option<[String; 2]> {
        if before.pool != after.pool && before.numbers != after.numbers {
            return Some(["before these steps", BEFORE].map(String::from));
        }
        if before.pool != after.pool {
            let is_back = after.pool == Pool::default();
            let pool = self.base.pool_name(before.pool);
            return (!is_back).then(|| [format!("pool {pool}"), BEFORE.into()]);
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
        let number = rule.words(number(before));
        let truth = self.study.truths.iter().find(|of| of.name == rule.name());
        let name = match truth {
            Some(truth) => self.study.name_under(truth, &self.judgements.verdicts),
            None => rule.name().to_owned(),
        };
        (!is_back).then(|| [format!("{name} {number}"), number])
    }
}

/// What was before the last change, in the fewest words.
const BEFORE: &str = "before";

/// Characters of a name where there is little room.
const NAME: usize = 8;

fn short(name: &str) -> String {
    if name.chars().count() <= NAME {
        return name.to_owned();
    }
    name.chars().take(NAME - 1).chain(['…']).collect()
}

/// The other side of a change, where a condition in force is met by other queries since: of how many it is.
fn of_others([against, short]: [String; 2], then: After, now: After) -> [String; 2] {
    match then.met.filter(|_| then.met != now.met) {
        Some(met) => [
            format!("{against} on the {} before", count(met.count, "query")),
            format!("{} before", grouped(met.count)),
        ],
        None => [against, short],
    }
}

/// What was before files were read again; where other queries are counted now, because a condition is met by others or a
/// ground truth judges others, of how many that is.
fn against_reload(then: After, now: After) -> [String; 2] {
    let met = then.met.filter(|_| then.met != now.met).map(|met| met.count);
    let [before, judged] = [then, now].map(|of| of.values[0].judged);
    let judged = Some(before).filter(|before| *before != judged);
    match met.or(judged) {
        Some(queries) => [
            format!("{} before the reload", count(queries, "query")),
            format!("{} before", grouped(queries)),
        ],
        None => ["before the reload", BEFORE].map(String::from),
    }
}

fn against_filter(before: &str) -> [String; 2] {
    if before.is_empty() {
        ["all queries", "all"].map(String::from)
    } else {
        [format!("filter {before}"), "the last filter".into()]
    }
}
