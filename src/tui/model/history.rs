//! The history: a snapshot of what a person can change for every step, with the header's numbers there, and what each
//! what-if changed. A judgment, a threshold, a mixture, a pool and a filter ask "what if", and so do files that were read
//! again. Another model, direction or truth is another question: its numbers are neither better nor worse.

use std::hash::BuildHasher;
use std::sync::Arc;

use rustc_hash::FxBuildHasher;

use super::Model;
use super::sort::Sort;
use crate::data::text::{count, grouped};
use crate::metric::Summary;
use crate::session::{Note, Pick, Said};
use crate::study::{Dials, Pool, Renumbered, View};
use crate::truth::rule::in_order;
use crate::truth::verdict::Pair;

/// What a person can change and take back. Judgments are a number of entries of the history's log.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    /// Model, truth and direction.
    pub view: View,
    /// Thresholds, mixture and pool.
    pub dials: Dials,
    /// The condition that listed queries meet; empty for none.
    pub filter: String,
    /// The order of the queries.
    pub sort: Sort,
    /// Picked queries.
    pub picks: Arc<[Pick]>,
    /// Notes on queries, of all annotators.
    pub notes: Arc<[Note]>,
    pub(super) judgments: usize,
}

impl Facts {
    /// Whether the header's numbers are the same in both, and answer the same question.
    fn has_numbers_of(&self, other: &Facts) -> bool {
        let of = |facts: &Facts| (facts.view, facts.dials, facts.judgments);
        of(self) == of(other) && self.filter == other.filter
    }
}

/// A judgment of one pair, and the one that it replaces.
#[derive(Debug, Clone, Copy)]
pub struct JudgmentChange {
    /// The pair.
    pub pair: Pair,
    /// What was said before, and when.
    pub before: Option<Said>,
    /// What is said now; `None` where the judgment was cleared.
    pub after: Option<Said>,
}

/// A change that was made, and the header's numbers after it.
#[derive(Debug, Clone)]
pub struct Step {
    /// What was done, in words.
    pub name: String,
    /// The header's numbers, once they are known.
    pub numbers: Option<After>,
    /// As they were when the step was left last.
    pub(super) facts: Facts,
    /// Whether it is files that were read again, which is not undone.
    pub(super) is_reload: bool,
}

/// The header's numbers after a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct After {
    /// What they are of.
    pub view: View,
    /// Both numbers.
    pub values: [Summary; 2],
    /// The queries that meet the filter; `None` without one.
    pub met: Option<MetQueries>,
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
    pub(super) fn of(met: &[u32]) -> Self {
        MetQueries { count: met.len(), fingerprint: FxBuildHasher.hash_one(met) }
    }
}

/// The steps, and which of them is the present one.
#[derive(Debug, Clone)]
pub struct History {
    pub(super) steps: Vec<Step>,
    pub(super) present: usize,
    /// The judgments of all steps, in their order.
    pub(super) log: Vec<JudgmentChange>,
    /// Place of the step whose change of both numbers the header shows: the last one that was made or redone and
    /// concerns the numbers; `None` once that was undone.
    shown_step: Option<usize>,
}

impl History {
    /// A history that starts at a view, with nothing else chosen.
    pub(super) fn new(view: View) -> Self {
        let facts = Facts {
            view,
            dials: Dials::default(),
            filter: String::new(),
            sort: Sort::default(),
            picks: Arc::default(),
            notes: Arc::default(),
            judgments: 0,
        };
        let start = Step { name: "start".into(), numbers: None, facts, is_reload: false };
        History { steps: vec![start], present: 0, log: Vec::new(), shown_step: None }
    }

    /// All steps, the start among them.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Place of the present step.
    pub fn present(&self) -> usize {
        self.present
    }

    /// The facts before and after a step.
    pub(super) fn facts_around(&self, from: usize, at: usize) -> [&Facts; 2] {
        [from, at].map(|at| &self.steps[at].facts)
    }

    /// The judgments of all steps after one, up to another.
    pub(super) fn judgments(&self, from: usize, to: usize) -> &[JudgmentChange] {
        let [from, to] = [from, to].map(|at| self.steps[at].facts.judgments);
        self.log.get(from..to).unwrap_or_default()
    }

    /// Adds a step after the present one, which is left with these facts; steps that were undone are gone.
    pub(super) fn push(&mut self, left: Facts, name: String, facts: Facts, is_reload: bool) {
        let concerns_numbers = is_reload || !facts.has_numbers_of(&left);
        self.steps.truncate(self.present + 1);
        self.steps[self.present].facts = left;
        self.steps.push(Step { name, numbers: None, facts, is_reload });
        self.present += 1;
        if concerns_numbers {
            self.shown_step = Some(self.present);
        }
    }

    /// Adds files that were read again as a step.
    pub(super) fn push_reload(&mut self, name: String, facts: Facts) {
        self.push(facts.clone(), name, facts, true);
    }

    /// Makes another step the present one, which is left with these facts; gives the facts of that step. A reload
    /// that came after an earlier step stays: it stands right behind that step from now on.
    pub(super) fn visit(&mut self, to: usize, left: Facts) -> Facts {
        self.steps[self.present].facts = left;
        let crossed = self.present.min(to)..self.present.max(to);
        let concerns = |at: &usize| {
            let [before, after] = self.facts_around(*at, *at + 1);
            !self.steps[*at + 1].is_reload && !after.has_numbers_of(before)
        };
        let last = crossed.rev().find(concerns);
        if let Some(last) = last {
            self.shown_step = (to > self.present).then_some(last + 1);
        }
        let facts = self.steps[to].facts.clone();
        let later = self.steps.get_mut(to + 1..=self.present).unwrap_or_default();
        let reloads = later.iter().filter(|step| step.is_reload).count();
        if reloads > 0 {
            later.sort_by_key(|step| !step.is_reload);
            later.iter_mut().for_each(|step| step.numbers = None);
            later[..reloads].iter_mut().for_each(|step| step.facts = facts.clone());
        }
        self.present = to + reloads;
        facts
    }

    /// Puts other facts in the place of the present step's, whose numbers are not known then.
    pub(super) fn replace(&mut self, name: String, facts: Facts) {
        let step = &mut self.steps[self.present];
        (step.name, step.numbers, step.facts) = (name, None, facts);
        self.shown_step = Some(self.present);
    }

    /// Gives models, truths and pools the indices that another study has for them.
    pub(super) fn renumber(&mut self, renumbered: Renumbered<'_>) {
        for step in &mut self.steps {
            step.facts.view = renumbered.view(step.facts.view);
            step.facts.dials = renumbered.dials(step.facts.dials);
            if let Some(numbers) = &mut step.numbers {
                numbers.view = renumbered.view(numbers.view);
            }
        }
    }

    /// Whether the dials stood so before the present step turned them.
    pub(super) fn has_turned(&self, dials: Dials) -> bool {
        let before = self.present.checked_sub(1).map(|at| self.facts_around(at, self.present));
        before.is_some_and(|[before, now]| before.dials == dials && now.dials != dials)
    }

    /// Strikes out the step that turned the dials so, as if it had never been; gives where they stood before it.
    /// `None` where no step up to the present one did.
    pub(super) fn strike(&mut self, refused: Dials) -> Option<Dials> {
        let dials = |at: usize| self.steps[at].facts.dials;
        let is_it = |at: &usize| dials(*at) == refused && dials(*at - 1) != refused;
        let at = (1..=self.present).rev().find(is_it)?;
        let back = dials(at - 1);
        self.steps.remove(at);
        self.present -= 1;
        self.shown_step = None;
        for step in self.steps[at..].iter_mut().filter(|step| step.facts.dials == refused) {
            step.facts.dials = back;
        }
        Some(back)
    }
}

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
    /// The other side after "vs", in words, in few, and in the fewest that tell it.
    pub fn sides(&self) -> [String; 3] {
        [&*self.against, &*self.short, BEFORE].map(|side| format!(" vs {side}"))
    }
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
        let [against, short] = if steps[at].is_reload {
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
        let at = self.history.shown_step?;
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
