//! Undo: the history keeps what a person can change as one snapshot a step, with the header's numbers there.
//! [`Model::change`] is the one path on which any of it changes.

use std::hash::BuildHasher;
use std::sync::Arc;

use rustc_hash::FxBuildHasher;

use super::Model;
use super::dirty::Dirty;
use super::selection::Sought;
use super::sort::Sort;
use crate::data::index::ModelIx;
use crate::data::text::shown;
use crate::metric::Summary;
use crate::session::{Note, Pick, Said};
use crate::study::{Dials, Renumbered, View};
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
    judgments: usize,
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
    facts: Facts,
    /// Whether it is files that were read again, which is not undone.
    is_reload: bool,
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
    pub(in crate::tui::model) fn of(met: &[u32]) -> Self {
        MetQueries { count: met.len(), fingerprint: FxBuildHasher.hash_one(met) }
    }
}

/// The steps, and which of them is the present one.
#[derive(Debug, Clone)]
pub struct History {
    steps: Vec<Step>,
    present: usize,
    /// The judgments of all steps, in their order.
    log: Vec<JudgmentChange>,
    /// Place of the step whose change of both numbers the header shows: the last one that was made or redone and
    /// concerns the numbers; `None` once that was undone.
    shown_step: Option<usize>,
}

impl Step {
    pub(in crate::tui::model) fn is_reload(&self) -> bool {
        self.is_reload
    }
}

impl History {
    /// A history that starts at a view, with nothing else chosen.
    pub(in crate::tui::model) fn new(view: View) -> Self {
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

    pub(in crate::tui::model) fn shown_step(&self) -> Option<usize> {
        self.shown_step
    }

    /// The facts before and after a step.
    pub(in crate::tui::model) fn facts_around(&self, from: usize, at: usize) -> [&Facts; 2] {
        [from, at].map(|at| &self.steps[at].facts)
    }

    /// The judgments of all steps after one, up to another.
    pub(in crate::tui::model) fn judgments(&self, from: usize, to: usize) -> &[JudgmentChange] {
        let [from, to] = [from, to].map(|at| self.steps[at].facts.judgments);
        self.log.get(from..to).unwrap_or_default()
    }

    /// Adds a step after the present one, which is left with these facts; steps that were undone are gone.
    fn push(&mut self, left: Facts, name: String, facts: Facts, is_reload: bool) {
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
    pub(in crate::tui::model) fn push_reload(&mut self, name: String, facts: Facts) {
        self.push(facts.clone(), name, facts, true);
    }

    /// Makes another step the present one, which is left with these facts; gives the facts of that step. A reload
    /// that came after an earlier step stays: it stands right behind that step from now on.
    fn visit(&mut self, to: usize, left: Facts) -> Facts {
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
    fn replace(&mut self, name: String, facts: Facts) {
        let step = &mut self.steps[self.present];
        (step.name, step.numbers, step.facts) = (name, None, facts);
        self.shown_step = Some(self.present);
    }

    /// Gives models, truths and pools the indices that another study has for them.
    pub(in crate::tui::model) fn renumber(&mut self, renumbered: Renumbered<'_>) {
        for step in &mut self.steps {
            step.facts.view = renumbered.view(step.facts.view);
            step.facts.dials = renumbered.dials(step.facts.dials);
            if let Some(numbers) = &mut step.numbers {
                numbers.view = renumbered.view(numbers.view);
            }
        }
    }

    /// Whether the dials stood so before the present step turned them.
    pub(in crate::tui::model) fn has_turned(&self, dials: Dials) -> bool {
        let before = self.present.checked_sub(1).map(|at| self.facts_around(at, self.present));
        before.is_some_and(|[before, now]| before.dials == dials && now.dials != dials)
    }

    /// Strikes out the step that turned the dials so, as if it had never been; gives where they stood before it.
    /// `None` where no step up to the present one did.
    pub(in crate::tui::model) fn strike(&mut self, refused: Dials) -> Option<Dials> {
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

impl Model {
    /// What a person can change, as it is now.
    pub(in crate::tui::model) fn facts(&self) -> Facts {
        let last = &self.history.steps[self.history.present].facts;
        let (picks, notes) = (self.session.picks(), self.session.remarks());
        let model = self.known.awaited_model.unwrap_or(self.view.model);
        Facts {
            view: View { model, ..self.view },
            dials: self.dials,
            filter: self.filter.text.clone(),
            sort: self.selection.sort.clone(),
            // The same as in the last snapshot are not copied.
            picks: if *last.picks == *picks { last.picks.clone() } else { picks.into() },
            notes: if *last.notes == *notes { last.notes.clone() } else { notes.into() },
            judgments: last.judgments,
        }
    }

    /// Changes what undo knows, as one step with everything that follows; gives what was done, in words, unless
    /// nothing was.
    pub(in crate::tui) fn change(&mut self, edit: impl FnOnce(&mut Facts)) -> Option<String> {
        self.change_and_judge(edit, Vec::new())
    }

    /// Judges pairs, as one step.
    pub(in crate::tui::model) fn judge(&mut self, judged: Vec<JudgmentChange>) {
        self.change_and_judge(|_| (), judged);
    }

    fn change_and_judge(
        &mut self,
        edit: impl FnOnce(&mut Facts),
        judged: Vec<JudgmentChange>,
    ) -> Option<String> {
        let before = self.facts();
        let mut after = before.clone();
        edit(&mut after);
        after.judgments += judged.len();
        if before == after || before.dials != after.dials && self.lacks_files() {
            return None;
        }
        let name = self.describe(&before, &after, &judged);
        self.history.log.truncate(before.judgments);
        self.history.log.extend(judged);
        self.history.push(before.clone(), name.clone(), after.clone(), false);
        self.restore(before.judgments, after);
        Some(name)
    }

    /// Changes what undo knows within the present step.
    pub(in crate::tui::model) fn change_present_step(&mut self, edit: impl FnOnce(&mut Facts)) {
        let mut after = self.facts();
        edit(&mut after);
        let name = match self.history.present.checked_sub(1) {
            Some(before) => self.describe(&self.history.steps[before].facts, &after, &[]),
            None => self.history.steps[0].name.clone(),
        };
        self.history.replace(name, after.clone());
        self.restore(after.judgments, after);
    }

    /// Takes the last change back. While judging, a judgment that was taken back returns to its item; several to the
    /// first, and they are marked again.
    pub(in crate::tui) fn undo(&mut self) {
        let steps = &self.history.steps[..=self.history.present];
        let last = steps.iter().rposition(|step| !step.is_reload).filter(|at| *at > 0);
        let Some(at) = last else {
            self.message = Some("nothing to undo".into());
            return;
        };
        let name = steps[at].name.clone();
        let judged = self.history.judgments(at - 1, at).iter();
        let pairs: Vec<Pair> = judged.map(|change| change.pair).collect();
        if !self.revisit(at - 1) {
            return;
        }
        self.message = Some(format!("undone: {name}"));
        match pairs.first().filter(|_| self.judging.is_on) {
            Some(&pair) => self.look_at_judged(pair, Sought::Item),
            None => return,
        }
        let direction = self.view.direction;
        for pair in pairs.iter().filter(|_| pairs.len() > 1) {
            let (query, item) = pair.asked(direction);
            self.marked.item((direction, query.raw()), item.raw(), true);
        }
    }

    /// Makes the change again that was undone last. While judging, a judgment goes on from its item without the marks
    /// of its items, as it did when it was made.
    pub(in crate::tui) fn redo(&mut self) {
        let to = self.history.present + 1;
        let Some(step) = self.history.steps.get(to) else {
            self.message = Some("nothing to redo".into());
            return;
        };
        let name = step.name.clone();
        if !self.revisit(to) {
            return;
        }
        self.message = Some(format!("redone: {name}"));
        let judged = self.history.judgments(to - 1, to).last();
        let Some(pair) = judged.map(|change| change.pair).filter(|_| self.judging.is_on) else {
            return;
        };
        let (query, _) = pair.asked(self.view.direction);
        if self.marked.items((self.view.direction, query.raw())).is_some() {
            self.clear_marks();
        }
        let is_judged = self.judgements.response(pair).is_some();
        match self.queue {
            Some(_) if is_judged => self.go_on_in_queue(),
            _ if is_judged => self.look_at_judged(pair, Sought::After),
            _ => self.look_at_judged(pair, Sought::Item),
        }
    }

    /// Goes to a step of the history; whether it could.
    pub(in crate::tui) fn revisit(&mut self, to: usize) -> bool {
        if self.history.steps[to].facts.dials != self.dials && self.lacks_files() {
            return false;
        }
        let left = self.facts();
        let judgments = left.judgments;
        let facts = self.history.visit(to, left);
        self.restore(judgments, facts);
        true
    }

    /// Forgets that the present step was ever made.
    pub(in crate::tui::model) fn forget_present_step(&mut self) {
        if self.history.present > 0 && self.revisit(self.history.present - 1) {
            self.history.steps.truncate(self.history.present + 1);
        }
    }

    /// Sets what a person can change to a snapshot, from one with so many judgments of the log; all else follows.
    fn restore(&mut self, judgments: usize, facts: Facts) {
        let keeps_list = (self.view, &self.filter.text, &self.selection.sort)
            == (facts.view, &facts.filter, &facts.sort);
        let log = &self.history.log;
        let said: Vec<(Pair, Option<Said>)> = if judgments <= facts.judgments {
            log[judgments..facts.judgments].iter().map(|one| (one.pair, one.after)).collect()
        } else {
            let undone = log[facts.judgments..judgments].iter().rev();
            undone.map(|one| (one.pair, one.before)).collect()
        };
        if !said.is_empty() {
            self.dirty |= Dirty::RANKS;
        }
        for (pair, said) in said {
            self.judgements.set(pair, said.map(|said| said.response));
            self.write_said(pair, said);
        }
        if *facts.picks != *self.session.picks() {
            self.session.change().picks = facts.picks.to_vec();
        }
        if *facts.notes != *self.session.remarks() {
            self.session.change().notes = facts.notes.to_vec();
        }
        if facts.view != self.view {
            self.look_at(facts.view);
        }
        self.dials = facts.dials;
        self.filter.text = facts.filter;
        self.selection.sort = facts.sort;
        self.dirty |= Dirty::TRUTH | Dirty::SESSION;
        if !keeps_list {
            self.dirty |= Dirty::FILTER;
        }
        self.recompute();
    }

    /// Keeps what was changed beside the history with its present step, whose numbers are not known then.
    pub(in crate::tui::model) fn amend_present_step(&mut self) {
        let facts = self.facts();
        let step = &mut self.history.steps[self.history.present];
        (step.facts, step.numbers) = (facts, None);
    }

    /// Looks at something, as far as it is there.
    pub(in crate::tui) fn look_at(&mut self, view: View) {
        if view.direction != self.view.direction {
            self.search.forget_results();
        }
        if view.truth != self.view.truth {
            self.known.awaited_truth = None;
        }
        self.view = view;
        self.dirty |= Dirty::VIEW;
        // A mixture that is not made (yet): it is looked at once it is there.
        if view.model.get() >= self.study.models.len() {
            self.known.awaited_model = Some(view.model);
            self.view.model = ModelIx::default();
        }
    }

    /// Notes the numbers of what is looked at with the present step.
    pub(in crate::tui) fn record_numbers(&mut self) {
        // Numbers of the study before a dial was turned are none of this step, nor are those of queries that a
        // condition is still to choose from.
        if self.wanted_dials().is_some() || self.is_filtering() {
            return;
        }
        if let Some(scored) = self.scored() {
            let values = self.filtered_numbers(scored);
            let met = self.filtered().map(MetQueries::of);
            let after = After { view: self.view, values, met };
            self.history.steps[self.history.present].numbers = Some(after);
            self.take_intervals();
        }
    }

    /// The header's two numbers of what is looked at, once they are counted.
    pub fn numbers_now(&self) -> Option<[Summary; 2]> {
        let is_known = self.scored().is_some() && !self.is_filtering();
        let now = self.numbers_of_question().next().map(|after| after.values);
        now.filter(|_| is_known)
    }

    /// Past and present values of both numbers, where they were defined, as long as they answer the same question.
    pub fn numbers_before(&self) -> [Vec<f64>; 2] {
        let mut all: Vec<[Summary; 2]> =
            self.numbers_of_question().take(MOST_NUMBERS).map(|after| after.values).collect();
        all.reverse();
        all.dedup();
        [0, 1].map(|at| all.iter().filter_map(|values| values[at].value).collect())
    }

    /// The numbers of the steps up to the present one that are of the same model, truth, direction, pool and filter,
    /// newest first: those of others are neither better nor worse.
    fn numbers_of_question(&self) -> impl Iterator<Item = &After> {
        let done = self.history.steps[..=self.history.present].iter().rev();
        let is_same = |step: &&Step| {
            let facts = &step.facts;
            let is_of = step.numbers.is_none_or(|after| after.view == self.view);
            is_of && facts.dials.pool == self.dials.pool && facts.filter == self.filter.text
        };
        done.take_while(is_same).filter_map(|step| step.numbers.as_ref())
    }

    /// What a step changes, in words.
    fn describe(&self, before: &Facts, after: &Facts, judged: &[JudgmentChange]) -> String {
        let mut parts = Vec::new();
        if let [first, others @ ..] = judged {
            let said = first.after.map_or("cleared".into(), |said| said.response.to_string());
            parts.push(if others.is_empty() {
                let caption = self.study.gallery.caption(first.pair.caption.get());
                let image = &self.study.gallery.images[first.pair.image.get()];
                format!("{said}: image {image}, {caption}")
            } else {
                format!("{said}: {} items", judged.len())
            });
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
            parts.push(self.describe_dials(before.dials, after.dials));
        }
        if before.filter != after.filter {
            let is_none = after.filter.is_empty();
            parts.push(if is_none {
                "no filter".into()
            } else {
                format!("filter {}", after.filter)
            });
        }
        if before.sort != after.sort {
            parts.push(match &after.sort {
                Sort::Gallery => "sorted as in the gallery".into(),
                sort => format!("sorted, {}", sort.words()),
            });
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
        parts.join(", ")
    }

    fn describe_dials(&self, before: Dials, after: Dials) -> String {
        if before.mix != after.mix {
            return after.mix.map_or("no mixture".into(), |mix| {
                let names = mix.models.map(|model| &*self.base.models[model].name);
                mix.scaling.name(f64::from(mix.percent) / 100.0, names)
            });
        }
        if before.pool != after.pool {
            return format!("pool {}", self.base.pool_name(after.pool));
        }
        let is_turned = |name| before.numbers[name] != after.numbers[name];
        let mut turned = in_order().into_iter().filter(|rule| is_turned(rule.name()));
        turned.next().map_or(String::new(), |rule| {
            let number = after.numbers[rule.name()].unwrap_or(rule.number().default);
            format!("{} {}", rule.name(), rule.words(number))
        })
    }
}

/// Numbers of the past that are shown: more than any screen is wide.
const MOST_NUMBERS: usize = 512;

fn describe_picks(before: &[Pick], after: &[Pick]) -> String {
    let is_of =
        |one: &Pick, other: &Pick| (one.direction, &one.query) == (other.direction, &other.query);
    let without = |these: &[Pick], others: &[Pick]| -> Vec<Pick> {
        let is_new = |pick: &&Pick| !others.iter().any(|other| is_of(pick, other));
        these.iter().filter(is_new).cloned().collect()
    };
    let named = |picks: &[Pick]| match picks {
        [pick] => format!("{} query {}", pick.direction, pick.query),
        several => format!("{} {} queries", several.len(), several[0].direction),
    };
    let [added, removed] = [without(after, before), without(before, after)];
    if !added.is_empty() {
        return format!("picked: {}", named(&added));
    }
    if !removed.is_empty() {
        return format!("no longer picked: {}", named(&removed));
    }
    let edited = after.iter().find(|pick| !before.contains(pick));
    let Some((new, old)) =
        edited.and_then(|new| Some((new, before.iter().find(|old| is_of(old, new))?)))
    else {
        return "picks reordered".into();
    };
    let what = match new {
        _ if new.note != old.note => "note".into(),
        _ if new.group != old.group => "heading".into(),
        _ if new.depth != old.depth => format!("{} items", new.depth),
        _ => match new.models.strip_prefix(&*old.models) {
            Some(more) => format!("picked with {}, too", shown(&more.join(", "))),
            None => format!("models {}", shown(&new.models.join(", "))),
        },
    };
    format!("{what}: {}", named(std::slice::from_ref(new)))
}
