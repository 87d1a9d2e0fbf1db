//! The study is read again from its files, and takes the place of the one that was open: what a person made and
//! looks at stays.

use std::sync::Arc;

use super::Model;
use super::job::ModelJob;
use super::known::Known;
use super::numbers::Numbers;
use super::selection::{Left, Sought};
use super::trend::Trend;
use crate::data::index::ModelIx;
use crate::data::mapped;
use crate::engine::{DiskChange, Reloaded, Reloading, Stamp, Wanted, Watching};
use crate::error::Result;
use crate::study::{Dials, Inputs, Renumbered, Study, View};

impl ModelJob for Watching {
    fn wanted(model: &Model) -> Option<Wanted<'_, Self>> {
        let is_wanted = model.files.is_watched && !model.base.files.is_empty();
        is_wanted.then(|| Wanted::one(model.known.opening, || model.base.files.clone()))
    }

    fn take(model: &mut Model, _: Stamp, change: DiskChange) {
        let files = &mut model.files;
        if files.change.state != change.state {
            files.failure = None;
            // What was said before would hide this.
            model.message = None;
        }
        files.change = change;
        files.follow();
    }
}

impl ModelJob for Reloading {
    fn wanted(model: &Model) -> Option<Wanted<'_, Self>> {
        let files = &model.files;
        let (stamp, inputs) = (files.requested?, files.inputs.as_ref()?);
        // A figure that is being written is still of the study that is open.
        let is_free = model.exporting.is_none();
        let input = || (inputs.clone(), model.base.clone());
        is_free.then(|| Wanted::one((stamp, model.dials), input))
    }

    fn take(model: &mut Model, _: (Stamp, Dials), reloaded: Result<Reloaded>) {
        model.files.requested = None;
        match reloaded.and_then(|reloaded| model.with_all_numbers(reloaded)) {
            Ok(reloaded) => model.replace_study(reloaded),
            Err(error) => {
                model.files.failure = Some(error);
                // It may have changed once more meanwhile.
                model.files.follow();
            }
        }
    }

    fn fail(model: &mut Model) {
        model.files.requested = None;
    }
}

impl Model {
    /// Keeps what the study was opened from, to open it once more.
    pub fn keep_inputs(&mut self, mut inputs: Inputs) {
        // What was written when the study was opened is not written again.
        inputs.scores.save_scores = None;
        self.files.inputs = Some(Arc::new(inputs));
    }

    /// Looks at the files of the study from now on, and reads them again unasked or not.
    pub(in crate::tui) fn watch(&mut self, follows: bool) {
        self.files.is_watched = true;
        self.files.follows = follows;
    }

    /// Reads files again that changed.
    pub(in crate::tui) fn reload(&mut self) {
        if self.files.inputs.is_none() {
            return;
        }
        let change = DiskChange::now(&self.base.files);
        if !change.is_empty() || self.files.is_overwritten() {
            self.files.change = change;
            self.files.request();
        }
    }

    /// Looks whether a file that scores are read from was written over; whether one was. From then on
    /// nothing new is computed.
    pub(in crate::tui) fn look_for_overwritten(&mut self) -> bool {
        let now = mapped::changed();
        if let Some(error) = now.as_ref().filter(|_| !self.files.is_overwritten()) {
            self.known.progress = None;
            if let Some(dials) = self.wanted_dials() {
                self.refuse_dials(dials, error);
            }
        }
        self.files.overwritten = now;
        self.files.is_overwritten()
    }

    /// Whether something that asks for new numbers cannot be done, which is then said.
    pub(in crate::tui) fn lacks_files(&mut self) -> bool {
        let lacks = self.files.is_overwritten();
        if lacks {
            let words = "nothing new is counted before the files are read again";
            self.message = Some(words.into());
        }
        lacks
    }

    /// Shows a study in the place of the one that is open, which it was opened from once more. What is known of the
    /// old one is forgotten; all else, what a person made, chose and looks at, stays as it is.
    fn replace_study(&mut self, reloaded: Reloaded) {
        let (before, after) = (self.base.clone(), reloaded.base.clone());
        let Ok(renumbered) = Renumbered::new(&before, &after) else {
            return;
        };
        mapped::forget_before(reloaded.mark);
        let name = format!("reloaded {}", self.files.change.names());
        self.leave_item();
        self.known = Known::default();
        self.take_reloaded(reloaded);
        self.files.read_again();
        self.selection.forget_list();
        self.items.last = None;
        self.search.resume();
        self.history.renumber(renumbered);
        self.due.study = !renumbered.is_same();
        self.message = None;
        let newest = |study: &Study| study.steps.last().map(|step| step.model);
        let mut view = renumbered.view(self.view);
        if newest(&before) == Some(self.view.model) {
            view.model = newest(&after).unwrap_or(view.model);
            self.trend = Trend::default();
        }
        self.look_at_counted(view);
        self.message.get_or_insert(format!("{name} from the disk"));
        self.history.add(name);
        self.follow_texts();
        self.refresh_judged();
        self.refresh_list();
        self.record_numbers();
        (self.due.page, self.due.popup) = (true, true);
    }

    /// A study in which every model has numbers that has them now: another one in its place would look like a change of
    /// the model.
    fn with_all_numbers(&self, reloaded: Reloaded) -> Result<Reloaded> {
        let has_now = |name: &str| {
            let place = ModelIx::find(&self.study.models, |model| model.name == name);
            place.is_some_and(|at| matches!(self.numbers[at], Numbers::Ready(_)))
        };
        let models = reloaded.study.models.iter().zip(&reloaded.numbers);
        let mut lost = models.filter(|(model, _)| has_now(&model.name));
        let error = lost.find_map(|(_, numbers)| numbers.as_ref().err()).cloned();
        match error {
            Some(error) => {
                mapped::forget_since(reloaded.mark);
                Err(error)
            }
            None => Ok(reloaded),
        }
    }

    /// Takes the study itself and its numbers.
    fn take_reloaded(&mut self, reloaded: Reloaded) {
        (self.base, self.study) = (reloaded.base, reloaded.study);
        (self.dials, self.study_dials) = (reloaded.dials, reloaded.dials);
        let numbers = reloaded.numbers.into_iter();
        self.numbers = numbers.map(|of| of.map_or_else(Numbers::Failed, Numbers::Ready)).collect();
    }

    /// Keeps which item is selected, and its rank: below the top it is selected again, and in any case it is told
    /// where it is then. Who looks at the top of a ranking wants to see what is there now.
    fn leave_item(&mut self) {
        let left = self.item().zip(self.selection.query());
        let Some((item, query)) = left else {
            return;
        };
        self.selection.left =
            Some(Left { direction: self.view.direction, query, item: item.item, rank: item.rank });
        let is_followed = item.rank > 1;
        self.selection.sought = is_followed.then(|| Sought::Item(item.item.into()));
    }

    /// Says where the item is now that was selected before the files were read again, if it moved.
    pub(in crate::tui::model) fn tell_moved(&mut self) {
        let here = (self.view.direction, self.selection.query());
        let is_here = |left: &Left| (left.direction, Some(left.query)) == here;
        let Some(left) = self.selection.left.take().filter(is_here) else {
            return;
        };
        let ranked = self.ranked_by(self.view.model);
        let now = ranked.and_then(|ranked| ranked.rank(left.item));
        if now == Some(left.rank) || self.is_blind() {
            return;
        }
        let items = self.study.gallery.items(left.direction);
        let (item, before) = (&items[left.item], left.rank);
        let words = match now {
            Some(now) => format!("item {item} is now at rank {now}, was {before}"),
            None => format!("item {item}, at rank {before} before, is no longer ranked"),
        };
        let said = self.message.take();
        self.message = Some(said.map_or(words.clone(), |said| format!("{said}; {words}")));
    }

    /// Looks at something, or at another model where that one has no numbers any more.
    fn look_at_counted(&mut self, view: View) {
        self.look_at(view);
        if let Numbers::Failed(error) = &self.numbers[self.view.model] {
            self.message = Some(error.to_string().replace("\n ", ";"));
            let counted = |numbers: &Numbers| matches!(numbers, Numbers::Ready(_));
            self.view.model = ModelIx::find(&self.numbers, counted).unwrap_or_default();
        }
    }
}
