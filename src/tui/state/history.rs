//! The history: a snapshot of what a person can change for every step, with the header's numbers there, and what each
//! what-if changed. A judgment, a threshold, a mixture, a pool and a filter ask "what if", and so do files that were read
//! again. Another model, direction or truth is another question: its numbers are neither better nor worse.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::Model;
use crate::data::text::{count, shown};
use crate::metric::Summary;
use crate::session::{Note, Pick, Said, Tag};
use crate::study::{Dials, Mix, Renumbered, View};
use crate::truth::rule::{Rule, in_order};
use crate::truth::standing::Standing;
use crate::truth::verdict::Pair;
use crate::tui::sort::Sort;

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
    /// Tags of pairs, of all annotators.
    pub tags: Arc<[Tag]>,
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
            tags: Arc::default(),
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

    /// Makes another step the present one, which is left with these facts; gives the facts of that step.
    pub(super) fn visit(&mut self, to: usize, left: Facts) -> Facts {
        self.steps[self.present].facts = left;
        let crossed = self.present.min(to)..self.present.max(to);
        let concerns = |at: &usize| {
            let [before, after] = self.facts_around(*at, *at + 1);
            !self.steps[*at + 1].is_reload && !after.has_numbers_of(before)
        };
        if let Some(last) = crossed.rev().find(concerns) {
            self.shown_step = (to > self.present).then_some(last + 1);
        }
        self.present = to;
        self.steps[to].facts.clone()
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
    /// The other side, such as "vs all queries".
    pub against: String,
    /// By how much judgments made the lists of positives longer.
    pub growth: i64,
    /// The changes of both; `None` beside an undefined number.
    pub values: [Option<f64>; 2],
}

impl Model {
    /// What the step of the history at a place changed; `None` where it is no what-if, or while numbers of
    /// it or of the step before are not there.
    pub fn step_change(&self, at: usize) -> Option<StepChange> {
        let all = self.change_between(self.baseline(at)?, at);
        all.or_else(|| self.change_between(at - 1, at))
    }

    fn change_between(&self, from: usize, at: usize) -> Option<StepChange> {
        let steps = self.history.steps();
        let (now, then) = (steps[at].numbers?, steps[from].numbers?);
        if now.view.truth != then.view.truth || now.view.direction != then.view.direction {
            return None;
        }
        let against = self.baseline_words(from, at, then.view)?;
        let difference = |at: usize| Some(now.values[at].value? - then.values[at].value?);
        let values = [0, 1].map(difference);
        // Against numbers that are not defined there is no change.
        values.iter().any(Option::is_some).then(|| {
            let growth = self.growth(from, at);
            StepChange { against, growth, values }
        })
    }

    /// How many positives judgments between two steps add to the queries of the ground truth looked at.
    fn growth(&self, from: usize, to: usize) -> i64 {
        let direction = self.view.direction;
        let grown = self.history.judgments(from, to).iter().map(|judged| {
            let (query, item) = judged.pair.asked(direction);
            let standing = self.study.standing(self.truth(), direction, query, item);
            let is_positive = |said: Option<Said>| {
                let verdict = said.and_then(|said| said.response.verdict());
                i64::from(standing.with(verdict) == Standing::Positive)
            };
            is_positive(judged.after) - is_positive(judged.before)
        });
        grown.sum()
    }

    /// The step that one is compared with: the last before it, or before all judgments in a row. Dials that were turned
    /// further before their numbers were there are passed over.
    fn baseline(&self, at: usize) -> Option<usize> {
        let judges = |at: usize| !self.history.judgments(at - 1, at).is_empty();
        let turns = |at: usize| {
            let [before, after] = self.history.facts_around(at - 1, at);
            before.dials != after.dials
        };
        let is_passed = |from: usize| {
            let is_missing = self.history.steps[from].numbers.is_none();
            judges(at) && judges(from) || is_missing && turns(at) && turns(from)
        };
        (0..at).rev().find(|from| *from == 0 || !is_passed(*from))
    }

    /// Change of both metrics by the last what-if, or by all judgments in a row; `None` in another view, and once undone.
    pub fn shown_change(&self) -> Option<StepChange> {
        let at = self.history.shown_step?;
        let numbers = self.history.steps().get(at)?.numbers?;
        if numbers.view == self.view { self.step_change(at) } else { None }
    }

    /// What a what-if is compared with, in words; `None` where a step is none.
    fn baseline_words(&self, from: usize, at: usize, view: View) -> Option<String> {
        let [before, after] = self.history.facts_around(from, at);
        if self.history.steps[at].is_reload {
            return Some("since the reload".into());
        }
        let judged = self.history.judgments(from, at);
        if !judged.is_empty() {
            let said: BTreeMap<Pair, bool> =
                judged.iter().map(|of| (of.pair, of.after.is_some())).collect();
            let kept = said.values().filter(|is_said| **is_said).count();
            return (kept > 0).then(|| format!("by {}", count(kept, "judgment")));
        }
        if before.dials != after.dials {
            let words = match (before.dials.mix, after.dials.mix) {
                (Some(_), None) => return None,
                (None, Some(_)) => self.base.models.get(view.model.get())?.name.clone(),
                _ => self.dial_words_of(before.dials, after.dials),
            };
            return Some(format!("vs {words}"));
        }
        let is_filtered = before.filter != after.filter && !after.filter.is_empty();
        (is_filtered && before.view == after.view).then(|| match &*before.filter {
            "" => "vs all queries".into(),
            filter => format!("vs filter {filter}"),
        })
    }

    /// What a step changes, in words.
    pub(super) fn describe(
        &self,
        before: &Facts,
        after: &Facts,
        judged: Option<JudgmentChange>,
    ) -> String {
        let mut parts = Vec::new();
        if let Some(JudgmentChange { pair, after, .. }) = judged {
            let said = after.map_or("cleared".into(), |said| said.response.to_string());
            let caption = self.study.gallery.caption(pair.caption.get());
            let image = &self.study.gallery.images[pair.image.get()];
            parts.push(format!("{said}: image {image}, {caption}"));
        }
        if before.view.model != after.view.model {
            let model = self.study.models.get(after.view.model.get());
            parts.push(format!("model {}", model.map_or("mixture", |model| &*model.name)));
        }
        if before.view.truth != after.view.truth {
            parts.push(format!("ground truth {}", self.study.truths[after.view.truth].name));
        }
        if before.view.direction != after.view.direction {
            parts.push(format!("direction {}", after.view.direction));
        }
        if before.dials != after.dials {
            parts.push(self.dial_words_of(after.dials, before.dials));
        }
        if before.filter != after.filter {
            parts.push(match &*after.filter {
                "" => "no filter".into(),
                filter => format!("filter {filter}"),
            });
        }
        if before.sort != after.sort {
            parts.push(format!("sorted, {}", after.sort.description()));
        }
        if before.picks != after.picks {
            parts.push(describe_picks(&before.picks, &after.picks));
        }
        if before.notes != after.notes {
            let new = after.notes.iter().find(|note| !before.notes.contains(note));
            parts.push(
                new.map_or("note removed".into(), |new| format!("note: {}", shown(&new.text))),
            );
        }
        if before.tags != after.tags {
            let new = after.tags.iter().find(|tag| !before.tags.contains(tag));
            parts.push(new.map_or("tag removed".into(), |new| format!("tag {}", shown(&new.tag))));
        }
        parts.join(", ")
    }

    /// The dial that stands otherwise in `other`, as it stands in `dials`, in words.
    fn dial_words_of(&self, dials: Dials, other: Dials) -> String {
        if dials.mix != other.mix {
            let alpha = |mix: Mix| f64::from(mix.percent) / 100.0;
            return match (dials.mix, other.mix) {
                (None, _) => "no mixture".into(),
                (Some(mix), Some(before)) if mix.percent != before.percent => {
                    format!("alpha {:.2}", alpha(mix))
                }
                (Some(mix), Some(_)) => format!("{} scores", mix.scaling.key()),
                (Some(mix), None) => {
                    let names = mix.models.map(|model| &*self.base.models[model].name);
                    mix.scaling.name(alpha(mix), names)
                }
            };
        }
        if dials.pool != other.pool {
            return format!("pool {}", self.base.pool_name(dials.pool));
        }
        turned_rule(dials, other).map_or(String::new(), |rule| {
            let loaded = self.base.rules.numbers[rule.name];
            let number = dials.numbers[rule.name].or(loaded).unwrap_or(rule.number.default);
            format!("{} {}", rule.name, (rule.words)(number))
        })
    }
}

/// The rule whose number differs.
fn turned_rule(before: Dials, after: Dials) -> Option<&'static Rule> {
    let is_turned = |rule: &&Rule| before.numbers[rule.name] != after.numbers[rule.name];
    in_order().into_iter().find(is_turned)
}

fn describe_picks(before: &[Pick], after: &[Pick]) -> String {
    let only_in =
        |these: &[Pick], others: &[Pick]| these.iter().find(|pick| !others.contains(pick)).cloned();
    let (what, pick) = match after.len().cmp(&before.len()) {
        Ordering::Greater => ("picked", only_in(after, before)),
        Ordering::Less => ("no longer picked", only_in(before, after)),
        Ordering::Equal => ("pick edited", only_in(after, before)),
    };
    pick.map_or("picks reordered".into(), |pick| {
        format!("{what}: {} query {}", pick.direction, pick.query)
    })
}
