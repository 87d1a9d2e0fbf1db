//! Undo: [`Model::change`] is the one path on which anything changes that a person can take back.

use super::Model;
use super::dirty::Dirty;
use super::history::{Facts, JudgmentChange};
use super::query_list::Sought;
use super::sort::Sort;
use crate::data::text::shown;
use crate::session::{Pick, Said};
use crate::study::{Dials, View};
use crate::truth::rule::in_order;
use crate::truth::verdict::Pair;

impl Model {
    /// What a person can change, as it is now.
    pub(super) fn facts(&self) -> Facts {
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
    pub(super) fn judge(&mut self, judged: Vec<JudgmentChange>) {
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
        if before == after {
            return None;
        }
        if before.dials != after.dials {
            self.attempt(|model| model.check_files())?;
        }
        let name = self.describe(&before, &after, &judged);
        self.history.log.truncate(before.judgments);
        self.history.log.extend(judged);
        self.history.push(before.clone(), name.clone(), after.clone(), false);
        self.restore(before.judgments, after);
        Some(name)
    }

    /// Changes what undo knows within the present step.
    pub(super) fn change_present_step(&mut self, edit: impl FnOnce(&mut Facts)) {
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
        let is_turned = self.history.steps[to].facts.dials != self.dials;
        if is_turned && self.attempt(|model| model.check_files()).is_none() {
            return false;
        }
        let left = self.facts();
        let judgments = left.judgments;
        let facts = self.history.visit(to, left);
        self.restore(judgments, facts);
        true
    }

    /// Forgets that the present step was ever made.
    pub(super) fn forget_present_step(&mut self) {
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
            self.pick = self.selected_place();
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
    pub(super) fn amend_present_step(&mut self) {
        let facts = self.facts();
        let step = &mut self.history.steps[self.history.present];
        (step.facts, step.numbers) = (facts, None);
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
