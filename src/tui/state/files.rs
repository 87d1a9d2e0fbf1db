//! The files of the study: changes since they were loaded, and reloads.

use std::path::Path;
use std::sync::Arc;

use super::changes::Dirty;
use super::query_list::Sought;
use super::results::Known;
use super::view::Numbers;
use super::{Model, Refusal};
use crate::data::index::ModelIx;
use crate::data::mmap;
use crate::error::Error;
use crate::jobs::{DiskChange, Reloaded, Stamp};
use crate::study::{Inputs, Renumbered, Study};

/// File changes and reloads.
#[derive(Debug, Default)]
pub struct Files {
    /// Inputs of the study; `None` if it cannot be reopened.
    pub(crate) inputs: Option<Arc<Inputs>>,
    /// Whether they are polled.
    pub(crate) is_watched: bool,
    /// Whether to reload changed files automatically.
    pub(super) follows: bool,
    /// Changes since they were loaded.
    pub(crate) change: DiskChange,
    /// Why nothing new is computed: an open file was overwritten.
    pub(super) overwritten: Option<Error>,
    /// Their state at the last reload request.
    state: Option<u64>,
    /// The pending reload request.
    pub(crate) requested: Option<Stamp>,
    /// Why the reload failed.
    pub failure: Option<Error>,
}

impl Files {
    /// Requests a reload.
    pub(super) fn request(&mut self) {
        self.failure = None;
        self.state = Some(self.change.state);
        self.requested = Some(Stamp::fresh());
    }

    /// Resets after a reload.
    pub(super) fn read_again(&mut self) {
        *self = Files {
            inputs: self.inputs.take(),
            is_watched: self.is_watched,
            follows: self.follows,
            ..Files::default()
        };
    }

    /// Requests an automatic reload, once per state of the files.
    pub(crate) fn follow(&mut self) {
        let is_due = self.follows && self.change.is_settled && self.requested.is_none();
        if is_due && self.state != Some(self.change.state) {
            self.request();
        }
    }

    /// Whether nothing new is computed: a file was overwritten, and the study is broken.
    pub fn is_overwritten(&self) -> bool {
        self.overwritten.is_some()
    }

    /// Whether changed files are being reloaded.
    pub fn is_reloading(&self) -> bool {
        self.requested.is_some() && (self.is_overwritten() || !self.change.is_empty())
    }

    /// Placeholder of an unknown number.
    pub fn waiting(&self) -> &'static str {
        if self.is_overwritten() { "not counted" } else { "counting …" }
    }

    /// Notice about the files, in one line; `key` reloads.
    pub fn notice(&self, key: &str) -> Option<String> {
        let names = self.change.names();
        if self.is_reloading() {
            return Some(format!("reloading {names} …"));
        }
        let file = |error: &Error| {
            let name = Path::new(error.subject()).file_name().unwrap_or_default();
            name.to_string_lossy().into_owned()
        };
        if let Some(error) = &self.failure {
            return Some(format!("not reloaded: {}: {}", file(error), error.found()));
        }
        let next = if self.follows {
            "read once it is whole".to_owned()
        } else {
            format!("{key} reloads")
        };
        if let Some(error) = &self.overwritten {
            let file = file(error);
            return Some(format!("{file} was written over: nothing new is counted; {next}"));
        }
        match (&*self.change.changed, &*self.change.gone) {
            ([], []) => None,
            ([], _) => Some(format!("{names} gone from the disk")),
            _ => Some(format!("{names} changed on disk: {next}")),
        }
    }
}

impl Model {
    /// Keeps the inputs of the study, to reopen it.
    pub fn keep_inputs(&mut self, inputs: Inputs) {
        // Outputs of the first opening are not written again.
        self.files.inputs = Some(Arc::new(inputs));
    }

    /// Polls the files of the study from now on, with or without automatic reload.
    pub(in crate::tui) fn watch(&mut self, follows: bool) {
        self.files.is_watched = true;
        self.files.follows = follows;
    }

    /// Reloads changed files.
    pub(in crate::tui) fn reload(&mut self) {
        if self.files.inputs.is_some() {
            self.files.request();
        }
    }

    /// Records that an open score file was overwritten; returns whether one was. From then on nothing new is computed.
    pub(crate) fn take_overwritten(&mut self, overwritten: Option<Error>) -> bool {
        if let Some(error) = overwritten.filter(|_| !self.files.is_overwritten()) {
            self.known.progress = None;
            if let Some(dials) = self.wanted_dials() {
                self.refuse_dials(dials, &error);
            }
            self.files.overwritten = Some(error);
        }
        self.files.is_overwritten()
    }

    /// Refuses new computations while files are overwritten.
    pub(super) fn check_files(&self) -> Result<(), Refusal> {
        let words = "nothing new is counted before the files are read again";
        if self.files.is_overwritten() { Err(words.into()) } else { Ok(()) }
    }

    /// Replaces the open study by its reloaded version. Derived results are dropped; judgments, choices and view stay.
    pub(crate) fn replace_study(&mut self, reloaded: Reloaded) {
        let (before, after) = (self.base.clone(), reloaded.base.clone());
        let Ok(renumbered) = Renumbered::new(&before, &after) else {
            return;
        };
        mmap::forget_before(reloaded.mark);
        let name = format!("reloaded {}", self.files.change.names());
        // Below the top of a ranking the item stays selected, at the top the new top-1.
        let item = self.item().filter(|item| item.rank > 1);
        self.selection.sought = item.map(|item| Sought::Item(item.item.into()));
        self.known = Known::default();
        self.take_reloaded(reloaded);
        self.files.read_again();
        self.selection.queries.clear();
        (self.selection.listed, self.selection.apart) = (None, None);
        self.items.pair = None;
        self.search.resume();
        self.history.renumber(renumbered);
        self.dirty |= if renumbered.is_same() { Dirty::STUDY } else { Dirty::INDICES };
        let newest = |study: &Study| study.steps.last().map(|step| step.model);
        let mut view = renumbered.view(self.view);
        if newest(&before) == Some(self.view.model) {
            let is_counted = |model: &ModelIx| matches!(self.numbers[*model], Numbers::Ready(_));
            view.model = newest(&after).filter(is_counted).unwrap_or(view.model);
        }
        self.look_at(view);
        self.message = Some(format!("{name} from the disk"));
        self.history.push(self.facts(), name, self.facts(), true);
    }

    /// Requires scores of every model that has them now: silently switching models would look like a change of the
    /// model.
    pub(crate) fn with_all_numbers(&self, reloaded: Reloaded) -> Result<Reloaded, Error> {
        let has_now = |name: &str| {
            let place = ModelIx::find(&self.study.models, |model| model.name == name);
            place.is_some_and(|at| matches!(self.numbers[at], Numbers::Ready(_)))
        };
        let models = reloaded.study.models.iter().zip(&reloaded.numbers);
        let mut lost = models.filter(|(model, _)| has_now(&model.name));
        let error = lost.find_map(|(_, numbers)| numbers.as_ref().err()).cloned();
        match error {
            Some(error) => {
                mmap::forget_since(reloaded.mark);
                Err(error)
            }
            None => Ok(reloaded),
        }
    }

    /// Replaces study and scores.
    fn take_reloaded(&mut self, reloaded: Reloaded) {
        (self.base, self.study) = (reloaded.base, reloaded.study);
        (self.dials, self.study_dials) = (reloaded.dials, reloaded.dials);
        let numbers = reloaded.numbers.into_iter();
        self.numbers = numbers.map(|of| of.map_or_else(Numbers::Failed, Numbers::Ready)).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_says_what_matters_most() {
        let mut files = Files::default();
        assert_eq!(files.notice("Ctrl-l"), None);
        assert_eq!(files.waiting(), "counting …");
        files.change.gone = vec!["b.npy".into()];
        let notice = |files: &Files| files.notice("Ctrl-l").unwrap();
        assert!(notice(&files).starts_with("b.npy gone"));
        files.change.changed = vec!["a.npy".into()];
        assert_eq!(notice(&files), "a.npy and 1 more changed on disk: Ctrl-l reloads");
        files.follows = true;
        assert!(notice(&files).ends_with("changed on disk: read once it is whole"));
        files.overwritten = Some(Error::new("/x/a.npy", "changed"));
        assert!(notice(&files).starts_with("a.npy was written over: nothing new is counted"));
        assert_eq!(files.waiting(), "not counted");
        files.failure = Some(Error::new("a.npy", "half"));
        assert_eq!(notice(&files), "not reloaded: a.npy: half");
        files.requested = Some(Stamp::fresh());
        assert!(notice(&files).starts_with("reloading a.npy"));
    }
}
