//! The study is read again from its files, and takes the place of the one that was open: what a person made and
//! looks at stays.

use std::sync::Arc;

use super::Model;
use super::job::ModelJob;
use super::numbers::Numbers;
use super::selection::{Selection, Sought};
use crate::data::index::ModelIx;
use crate::data::mapped;
use crate::engine::{DiskChange, Reloaded, Reloading, Stamp, Wanted, Watching};
use crate::error::Result;
use crate::study::{Dials, Inputs, Renumbered, View};

impl ModelJob for Watching {
    fn wanted(model: &Model) -> Option<Wanted<'_, Self>> {
        let is_wanted = model.files.is_watched && !model.base.files.is_empty();
        is_wanted.then(|| Wanted::one(model.opening, || model.base.files.clone()))
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
        match reloaded {
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
            self.progress = None;
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

    /// Shows a study in the place of the one that is open, which it was opened from once more. What a person
    /// made, chose and looks at stays; what was known of the old one is forgotten.
    fn replace_study(&mut self, reloaded: Reloaded) {
        let base = self.base.clone();
        let Ok(renumbered) = Renumbered::new(&base, &reloaded.base) else {
            return;
        };
        mapped::forget_before(reloaded.mark);
        let name = format!("reloaded {}", self.files.change.names());
        // Who looks at the top of a ranking wants to see what is there now.
        let item = self.item().filter(|item| item.rank > 1);
        let item = item.map(|item| Sought::Item(item.item.into()));
        let old = std::mem::replace(self, Model::new(reloaded.base.clone()));
        self.study = reloaded.study;
        (self.dials, self.study_dials) = (reloaded.dials, reloaded.dials);
        self.numbers = (reloaded.numbers.into_iter())
            .map(|of| of.map_or_else(Numbers::Failed, Numbers::Ready))
            .collect();
        self.selection = Selection {
            sought: item,
            ..old.selection.without_list()
        };
        self.files = old.files.read_again();
        self.judgements.verdicts = old.judgements.verdicts;
        self.judgements.cant_tell = old.judgements.cant_tell;
        (self.judging, self.memory) = (old.judging, old.memory);
        self.search = old.search;
        self.search.resume();
        self.filter.text = old.filter.text;
        self.intervals.is_shown = old.intervals.is_shown;
        self.trend = old.trend;
        self.session = old.session;
        self.history = old.history;
        self.history.renumber(renumbered);
        (self.pick, self.figure) = (old.pick, old.figure);
        (self.saved_to, self.lost_figure) = (old.saved_to, old.lost_figure);
        self.similarities.arrangement = old.similarities.arrangement;
        (self.demand, self.due) = (old.demand, old.due);
        self.faults = old.faults;
        self.due.study = !renumbered.is_same();
        self.look_at_counted(renumbered.view(old.view));
        self.message.get_or_insert(format!("{name} from the disk"));
        self.history.add(name);
        self.refresh_judged();
        self.refresh_list();
        self.record_numbers();
        (self.due.page, self.due.popup) = (true, true);
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
