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
use crate::study::{IndexRemap, Mix, StudySettings, View};
use crate::truth::judgment::Pair;
use crate::truth::rule::{Rule, rules_by_kind};
use crate::truth::standing::Standing;
use crate::tui::sort::Sort;

/// A snapshot of the undoable state.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    /// Model, truth and direction.
    pub view: View,
    /// Thresholds, mixture and pool.
    pub settings: StudySettings,
    /// The filter condition; empty for none.
    pub filter: String,
    /// The order of the queries.
    pub sort: Sort,
    /// Picked queries.
    pub picks: Arc<[Pick]>,
    /// Notes of all annotators on queries.
    pub notes: Arc<[Note]>,
    /// Tags of pairs, of all annotators.
    pub tags: Arc<[Tag]>,
    /// Number of entries of [`History::log`] that are in force.
    pub(super) judgments: usize,
}

impl Facts {
    /// Whether the header shows the same metrics in both states.
    fn has_same_numbers(&self, other: &Facts) -> bool {
        let key = |facts: &Facts| (facts.view, facts.settings, facts.judgments);
        key(self) == key(other) && self.filter == other.filter
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

/// One undoable change, or a reload, with the state and metrics after it.
#[derive(Debug, Clone)]
pub struct Step {
    /// Description of the change.
    pub name: String,
    /// The header's metrics after the change, once known.
    pub numbers: Option<StepNumbers>,
    /// The state after the change; updated when another step becomes the present one.
    pub(super) facts: Facts,
    /// Whether it is a reload, which is not undone.
    pub(super) is_reload: bool,
}

/// The header's metrics after a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepNumbers {
    /// View that the metrics are of.
    pub view: View,
    /// R@1 and mAP@R.
    pub values: [Summary; 2],
}

/// The steps of the person's changes, and which one is present.
#[derive(Debug, Clone)]
pub struct History {
    pub(super) steps: Vec<Step>,
    /// Index of the step whose state is shown.
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
            settings: StudySettings::default(),
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

    /// All steps; the first is the start.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Index of the present step.
    pub fn present(&self) -> usize {
        self.present
    }

    /// The states after the steps with indices `from` and `to`.
    fn facts_at(&self, from: usize, to: usize) -> [&Facts; 2] {
        [from, to].map(|at| &self.steps[at].facts)
    }

    /// Judgment changes of the steps after `from`, up to `to`.
    pub(super) fn judgments(&self, from: usize, to: usize) -> &[JudgmentChange] {
        let [from, to] = [from, to].map(|at| self.steps[at].facts.judgments);
        self.log.get(from..to).unwrap_or_default()
    }

    /// Stores `before` as the state of the present step, drops the undone steps after it, and adds a step with state
    /// `facts`.
    pub(super) fn push(&mut self, before: Facts, name: String, facts: Facts, is_reload: bool) {
        let changes_numbers = is_reload || !facts.has_same_numbers(&before);
        self.steps.truncate(self.present + 1);
        self.steps[self.present].facts = before;
        self.steps.push(Step { name, numbers: None, facts, is_reload });
        self.present += 1;
        if changes_numbers {
            self.shown_step = Some(self.present);
        }
    }

    /// Makes step `to` the present one, and returns its state. Stores `before` as the state of the step that was
    /// present until then. Updates which step's metric changes the header shows.
    pub(super) fn visit(&mut self, to: usize, before: Facts) -> Facts {
        self.steps[self.present].facts = before;
        let crossed = self.present.min(to)..self.present.max(to);
        let changes_numbers = |at: &usize| {
            let [before, after] = self.facts_at(*at, *at + 1);
            !self.steps[*at + 1].is_reload && !after.has_same_numbers(before)
        };
        if let Some(last) = crossed.rev().find(changes_numbers) {
            self.shown_step = (to > self.present).then_some(last + 1);
        }
        self.present = to;
        self.steps[to].facts.clone()
    }

    /// Replaces indices of models, truths and pools by those of another study.
    pub(super) fn renumber(&mut self, remap: IndexRemap<'_>) {
        for step in &mut self.steps {
            step.facts.view = remap.view(step.facts.view);
            step.facts.settings = remap.settings(step.facts.settings);
            if let Some(numbers) = &mut step.numbers {
                numbers.view = remap.view(numbers.view);
            }
        }
    }

    /// Removes the step that set `refused` settings, as if it had never been; returns the settings before it. `None` if
    /// no step up to the present one did.
    pub(super) fn remove_refused(&mut self, refused: StudySettings) -> Option<StudySettings> {
        let settings = |at: usize| self.steps[at].facts.settings;
        let sets_refused = |at: &usize| settings(*at) == refused && settings(*at - 1) != refused;
        let at = (1..=self.present).rev().find(sets_refused)?;
        let back = settings(at - 1);
        self.steps.remove(at);
        self.present -= 1;
        self.shown_step = None;
        for step in self.steps[at..].iter_mut().filter(|step| step.facts.settings == refused) {
            step.facts.settings = back;
        }
        Some(back)
    }
}

/// Differences of the header's metrics between a what-if and its baseline.
#[derive(Debug, Clone, PartialEq)]
pub struct WhatIfDelta {
    /// The baseline in words, such as "vs all queries".
    pub baseline_label: String,
    /// Number of positives that judgments added.
    pub growth: i64,
    /// Differences of R@1 and mAP@R; `None` if a metric is undefined.
    pub values: [Option<f64>; 2],
}

impl Model {
    /// Effect of the step at an index against its baseline, or against the step before if these cannot be compared.
    /// `None` if it is no what-if, or while metrics are unknown.
    pub fn what_if_delta(&self, at: usize) -> Option<WhatIfDelta> {
        let delta = self.delta_between(self.baseline(at)?, at);
        delta.or_else(|| self.delta_between(at - 1, at))
    }

    /// Differences of the metrics after step `at` from those after step `from`, if they can be compared.
    fn delta_between(&self, from: usize, at: usize) -> Option<WhatIfDelta> {
        let steps = self.history.steps();
        let (now, then) = (steps[at].numbers?, steps[from].numbers?);
        if now.view.truth != then.view.truth || now.view.direction != then.view.direction {
            return None;
        }
        let baseline_label = self.baseline_label(from, at, then.view)?;
        let difference = |at: usize| Some(now.values[at].value? - then.values[at].value?);
        let values = [0, 1].map(difference);
        // There is no change against undefined metrics.
        values.iter().any(Option::is_some).then(|| {
            let growth = self.added_positives(from, at);
            WhatIfDelta { baseline_label, growth, values }
        })
    }

    /// Number of positives that judgments add under the current ground truth after step `from`, up to step `to`.
    fn added_positives(&self, from: usize, to: usize) -> i64 {
        let direction = self.view.direction;
        let added = self.history.judgments(from, to).iter().map(|judged| {
            let (query, item) = judged.pair.query_and_item(direction);
            let standing = self.study.standing(self.truth(), direction, query, item);
            let is_positive = |timed: Option<TimedResponse>| {
                let judgment = timed.and_then(|timed| timed.response.judgment());
                i64::from(standing.with_judgment(judgment) == Standing::Positive)
            };
            is_positive(judged.after) - is_positive(judged.before)
        });
        added.sum()
    }

    /// Index of the baseline of a step: the step before it, or before a series of judgments. Steps whose settings were
    /// replaced before their metrics were known are skipped. `None` for the first step.
    fn baseline(&self, at: usize) -> Option<usize> {
        let judges = |at: usize| !self.history.judgments(at - 1, at).is_empty();
        let adjusts = |at: usize| {
            let [before, after] = self.history.facts_at(at - 1, at);
            before.settings != after.settings
        };
        let is_skipped = |from: usize| {
            let is_missing = self.history.steps[from].numbers.is_none();
            judges(at) && judges(from) || is_missing && adjusts(at) && adjusts(from)
        };
        (0..at).rev().find(|from| *from == 0 || !is_skipped(*from))
    }

    /// Effect of the last what-if or series of judgments, for the header; `None` in another view, and once undone.
    pub fn shown_change(&self) -> Option<WhatIfDelta> {
        let at = self.history.shown_step?;
        let numbers = self.history.steps().get(at)?.numbers?;
        if numbers.view == self.view { self.what_if_delta(at) } else { None }
    }

    /// Label of the baseline of step `at`: "vs all queries". `from`: index of the baseline step; `view`: view of its
    /// metrics. `None` if step `at` is no what-if, or ends one.
    fn baseline_label(&self, from: usize, at: usize, view: View) -> Option<String> {
        let [before, after] = self.history.facts_at(from, at);
        if self.history.steps[at].is_reload {
            return Some("since the reload".into());
        }
        let judged = self.history.judgments(from, at);
        if !judged.is_empty() {
            let is_judged: BTreeMap<Pair, bool> =
                judged.iter().map(|of| (of.pair, of.after.is_some())).collect();
            let judgments = is_judged.values().filter(|is_judged| **is_judged).count();
            return (judgments > 0).then(|| format!("by {}", count(judgments, "judgment")));
        }
        if before.settings != after.settings {
            let words = match (before.settings.mix, after.settings.mix) {
                (Some(_), None) => return None,
                (None, Some(_)) => self.base.models.get(view.model.get())?.name.clone(),
                _ => self.describe_setting(before.settings, after.settings),
            };
            return Some(format!("vs {words}"));
        }
        let is_filtered = before.filter != after.filter && !after.filter.is_empty();
        (is_filtered && before.view == after.view).then(|| match &*before.filter {
            "" => "vs all queries".into(),
            filter => format!("vs filter {filter}"),
        })
    }

    /// Describes the change from one state to another, with a judgment if one was made.
    pub(super) fn describe_change(
        &self,
        before: &Facts,
        after: &Facts,
        judged: Option<JudgmentChange>,
    ) -> String {
        let mut parts = Vec::new();
        if let Some(JudgmentChange { pair, after, .. }) = judged {
            let response = after.map_or("cleared".into(), |after| after.response.to_string());
            let caption = self.study.gallery.caption(pair.caption.get());
            let image = &self.study.gallery.images[pair.image.get()];
            parts.push(format!("{response}: image {image}, {caption}"));
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
        if before.settings != after.settings {
            parts.push(self.describe_setting(after.settings, before.settings));
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

    /// Describes the setting that differs from `other`, with its value in `settings`.
    fn describe_setting(&self, settings: StudySettings, other: StudySettings) -> String {
        if settings.mix != other.mix {
            let alpha = |mix: Mix| f64::from(mix.percent) / 100.0;
            return match (settings.mix, other.mix) {
                (None, _) => "no mixture".into(),
                (Some(mix), Some(before)) if mix.percent != before.percent => {
                    format!("alpha {:.2}", alpha(mix))
                }
                (Some(mix), Some(_)) => format!("{} scores", mix.scaling.key()),
                (Some(mix), None) => {
                    let names = mix.models.map(|model| &*self.base.models[model].name);
                    mix.scaling.mixture_name(alpha(mix), names)
                }
            };
        }
        if settings.pool != other.pool {
            return format!("pool {}", self.base.pool_name(settings.pool));
        }
        changed_rule(settings, other).map_or(String::new(), |rule| {
            let loaded = self.base.rules.numbers[rule.name];
            let number = settings.numbers[rule.name].or(loaded).unwrap_or(rule.number.default);
            format!("{} {}", rule.name, (rule.suffix)(number))
        })
    }
}

/// The first rule whose threshold differs.
fn changed_rule(before: StudySettings, after: StudySettings) -> Option<&'static Rule> {
    let is_changed = |rule: &&Rule| before.numbers[rule.name] != after.numbers[rule.name];
    rules_by_kind().into_iter().find(is_changed)
}

/// Describes the change of a list of picks.
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
