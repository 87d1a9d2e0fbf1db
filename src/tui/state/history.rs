//! The history: a snapshot of what a person can change for every step, with the header's metrics, and the effect of
//! each what-if. Judgments, thresholds, mixtures, pools, filters and reloads are what-ifs. Another model, direction or
//! truth is another question: its metrics are neither better nor worse.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::Model;
use crate::data::text::{count, shown};
use crate::metric::Summary;
use crate::session::{Note, Pick, Tag, TimedResponse};
use crate::study::{Dials, Mix, Renumbered, View};
use crate::truth::judgment::Pair;
use crate::truth::rule::{Rule, in_order};
use crate::truth::standing::Standing;
use crate::tui::sort::Sort;

/// Undoable state. Judgments are a number of entries of the history's log.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    /// Model, truth and direction.
    pub view: View,
    /// Thresholds, mixture and pool.
    pub dials: Dials,
    /// The filter condition; empty for none.
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
    /// Whether the header's metrics are the same in both, and answer the same question.
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
    /// The previous judgment.
    pub before: Option<TimedResponse>,
    /// The new judgment; `None` if it was cleared.
    pub after: Option<TimedResponse>,
}

/// A change, and the header's metrics after it.
#[derive(Debug, Clone)]
pub struct Step {
    /// Description.
    pub name: String,
    /// The header's metrics, once known.
    pub numbers: Option<After>,
    /// Snapshot when the step was last left.
    pub(super) facts: Facts,
    /// Whether it is a reload, which is not undone.
    pub(super) is_reload: bool,
}

/// The header's metrics after a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct After {
    /// View of them.
    pub view: View,
    /// Both metrics.
    pub values: [Summary; 2],
}

/// The steps, and the present one.
#[derive(Debug, Clone)]
pub struct History {
    pub(super) steps: Vec<Step>,
    pub(super) present: usize,
    /// Judgments of all steps, in order.
    pub(super) log: Vec<JudgmentChange>,
    /// Index of the step whose metric changes the header shows: the last one made or redone that affects the metrics;
    /// `None` once it was undone.
    shown_step: Option<usize>,
}

impl History {
    /// A history that starts at a view.
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

    /// All steps, with the start.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Index of the present step.
    pub fn present(&self) -> usize {
        self.present
    }

    /// The facts before and after a step.
    pub(super) fn facts_around(&self, from: usize, at: usize) -> [&Facts; 2] {
        [from, at].map(|at| &self.steps[at].facts)
    }

    /// Judgments of all steps after one, up to another.
    pub(super) fn judgments(&self, from: usize, to: usize) -> &[JudgmentChange] {
        let [from, to] = [from, to].map(|at| self.steps[at].facts.judgments);
        self.log.get(from..to).unwrap_or_default()
    }

    /// Adds a step after the present one, which is left with these facts; undone steps are dropped.
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

    /// Makes another step the present one, after storing `left`; returns the facts of that step.
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

    /// Renumbers models, truths and pools for another study.
    pub(super) fn renumber(&mut self, renumbered: Renumbered<'_>) {
        for step in &mut self.steps {
            step.facts.view = renumbered.view(step.facts.view);
            step.facts.dials = renumbered.dials(step.facts.dials);
            if let Some(numbers) = &mut step.numbers {
                numbers.view = renumbered.view(numbers.view);
            }
        }
    }

    /// Removes the step that set `refused` dials, as if it had never been; returns the dials before it. `None` if no
    /// step up to the present one did.
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

/// Changes of both metrics in a step, and their baseline.
#[derive(Debug, Clone, PartialEq)]
pub struct StepChange {
    /// The baseline, such as "vs all queries".
    pub against: String,
    /// Positives added by judgments.
    pub growth: i64,
    /// Changes of both; `None` if a metric is undefined.
    pub values: [Option<f64>; 2],
}

impl Model {
    /// Effect of the step at an index; `None` if it is no what-if, or while metrics of it or of the step before are
    /// unknown.
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
        // There is no change against undefined metrics.
        values.iter().any(Option::is_some).then(|| {
            let growth = self.growth(from, at);
            StepChange { against, growth, values }
        })
    }

    /// Number of positives that judgments between two steps add under the current ground truth.
    fn growth(&self, from: usize, to: usize) -> i64 {
        let direction = self.view.direction;
        let grown = self.history.judgments(from, to).iter().map(|judged| {
            let (query, item) = judged.pair.query_and_item(direction);
            let standing = self.study.standing(self.truth(), direction, query, item);
            let is_positive = |said: Option<TimedResponse>| {
                let judgment = said.and_then(|said| said.response.judgment());
                i64::from(standing.with(judgment) == Standing::Positive)
            };
            is_positive(judged.after) - is_positive(judged.before)
        });
        grown.sum()
    }

    /// The step to compare with: the last before it, or before all judgments in a row. Threshold steps without metrics
    /// are skipped.
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

    /// Baseline of a what-if in words; `None` if a step is none.
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
                _ => self.describe_setting(before.dials, after.dials),
            };
            return Some(format!("vs {words}"));
        }
        let is_filtered = before.filter != after.filter && !after.filter.is_empty();
        (is_filtered && before.view == after.view).then(|| match &*before.filter {
            "" => "vs all queries".into(),
            filter => format!("vs filter {filter}"),
        })
    }

    /// Describes a step.
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
            parts.push(self.describe_setting(after.dials, before.dials));
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

    /// Describes the setting that differs from `other`, with its value in `dials`.
    fn describe_setting(&self, dials: Dials, other: Dials) -> String {
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

/// The rule that differs.
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
