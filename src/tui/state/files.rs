//! The files of the study: changes since they were loaded, and reloads.

use std::path::Path;
use std::sync::Arc;

use super::changes::Dirty;
use super::query_list::Sought;
use super::results::ResultCache;
use super::view::Numbers;
use super::{Model, Refusal};
use crate::data::index::ModelIx;
use crate::data::mmap;
use crate::error::Error;
use crate::jobs::{DiskChange, Reloaded, Stamp};
use crate::study::{IndexRemap, Inputs, Study};

/// File changes and reloads.
#[derive(Debug, Default)]
pub struct Files {
    /// Inputs of the study; `None` if it cannot be reopened.
    pub(crate) inputs: Option<Arc<Inputs>>,
    /// Whether the files are polled for changes.
    pub(crate) is_watched: bool,
    /// Whether to reload changed files automatically.
    pub(super) auto_reloads: bool,
    /// Changes of the files since they were loaded.
    pub(crate) change: DiskChange,
    /// Error of an overwritten score file, if any: then nothing new is computed.
    pub(super) overwritten: Option<Error>,
    /// State of the files at the last reload request, as in [`DiskChange::state`].
    requested_state: Option<u64>,
    /// The pending reload request.
    pub(crate) requested: Option<Stamp>,
    /// Why the last reload failed.
    pub failure: Option<Error>,
}

impl Files {
    /// Requests a reload of the files in their present state.
    pub(super) fn request_reload(&mut self) {
        self.failure = None;
        self.requested_state = Some(self.change.state);
        self.requested = Some(Stamp::fresh());
    }

    /// Resets all but inputs and polling, after a reload.
    pub(super) fn reset_after_reload(&mut self) {
        *self = Files {
            inputs: self.inputs.take(),
            is_watched: self.is_watched,
            auto_reloads: self.auto_reloads,
            ..Files::default()
        };
    }

    /// Requests an automatic reload if it is enabled and the changed files are settled, once per state of the files.
    pub(crate) fn reload_if_settled(&mut self) {
        let is_due = self.auto_reloads && self.change.is_settled && self.requested.is_none();
        if is_due && self.requested_state != Some(self.change.state) {
            self.request_reload();
        }
    }

    /// Whether an open score file was overwritten, so that nothing new is computed.
    pub fn is_overwritten(&self) -> bool {
        self.overwritten.is_some()
    }

    /// Whether changed files are being reloaded.
    pub fn is_reloading(&self) -> bool {
        self.requested.is_some() && (self.is_overwritten() || !self.change.is_empty())
    }

    /// Words in place of an unknown number, which tell whether it is being computed.
    pub fn placeholder(&self) -> &'static str {
        if self.is_overwritten() { "not counted" } else { "counting …" }
    }

    /// Notice about changed files in one line, if there is any; `key` is the name of the key that reloads.
    pub fn notice(&self, key: &str) -> Option<String> {
        let names = self.change.describe();
        if self.is_reloading() {
            return Some(format!("reloading {names} …"));
        }
        let file_name = |error: &Error| {
            let name = Path::new(error.subject()).file_name().unwrap_or_default();
            name.to_string_lossy().into_owned()
        };
        if let Some(error) = &self.failure {
            return Some(format!("not reloaded: {}: {}", file_name(error), error.found()));
        }
        let next = if self.auto_reloads {
            "read once it is whole".to_owned()
        } else {
            format!("{key} reloads")
        };
        if let Some(error) = &self.overwritten {
            let file = file_name(error);
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
    /// Stores the inputs of the study, so that it can be reopened.
    pub fn set_inputs(&mut self, inputs: Inputs) {
        self.files.inputs = Some(Arc::new(inputs));
    }

    /// Polls the files of the study for changes from now on.
    pub(in crate::tui) fn watch(&mut self, auto_reloads: bool) {
        self.files.is_watched = true;
        self.files.auto_reloads = auto_reloads;
    }

    /// Requests a reload, if the study can be reopened.
    pub(in crate::tui) fn reload(&mut self) {
        if self.files.inputs.is_some() {
            self.files.request_reload();
        }
    }

    /// Stores the error of an overwritten score file, if any; returns whether a file was overwritten, now or earlier.
    /// From then on nothing new is computed.
    pub(crate) fn store_overwritten(&mut self, overwritten: Option<Error>) -> bool {
        if let Some(error) = overwritten.filter(|_| !self.files.is_overwritten()) {
            self.known.progress = None;
            if let Some(settings) = self.pending_settings() {
                self.refuse_settings(settings, &error);
            }
            self.files.overwritten = Some(error);
        }
        self.files.is_overwritten()
    }

    /// Refuses new computations once a score file was overwritten.
    pub(super) fn check_files(&self) -> Result<(), Refusal> {
        let words = "nothing new is counted before the files are read again";
        if self.files.is_overwritten() { Err(words.into()) } else { Ok(()) }
    }

    /// Replaces the open study by its reloaded version. Derived results are dropped; judgments, settings and view stay.
    /// No effect if the gallery differs.
    pub(crate) fn replace_study(&mut self, reloaded: Reloaded) {
        let (before, after) = (self.base.clone(), reloaded.base.clone());
        let Ok(remap) = IndexRemap::new(&before, &after) else {
            return;
        };
        mmap::forget_before(reloaded.mark);
        let name = format!("reloaded {}", self.files.change.describe());
        // Below the top of a ranking the item stays selected, at the top the new top-1.
        let item = self.item().filter(|item| item.rank > 1);
        self.selection.sought = item.map(|item| Sought::Item(item.item.into()));
        self.known = ResultCache::default();
        self.set_reloaded(reloaded);
        self.files.reset_after_reload();
        self.selection.queries.clear();
        (self.selection.listed, self.selection.unranked) = (None, None);
        self.items.pair = None;
        self.search.resume();
        self.history.renumber(remap);
        self.dirty |= if remap.is_same() { Dirty::STUDY } else { Dirty::INDICES };
        let last_step = |study: &Study| study.steps.last().map(|step| step.model);
        let mut view = remap.view(self.view);
        if last_step(&before) == Some(self.view.model) {
            let is_counted = |model: &ModelIx| matches!(self.numbers[*model], Numbers::Ready(_));
            view.model = last_step(&after).filter(is_counted).unwrap_or(view.model);
        }
        self.set_view(view);
        self.message = Some(format!("{name} from the disk"));
        self.history.push(self.facts(), name, self.facts(), true);
    }

    /// Refuses a reloaded study if a model that is ranked now could not be ranked again: silently showing another model
    /// would look like a change of its metrics.
    pub(crate) fn require_ranks(&self, reloaded: Reloaded) -> Result<Reloaded, Error> {
        let is_ranked_now = |name: &str| {
            let index = ModelIx::find(&self.study.models, |model| model.name == name);
            index.is_some_and(|at| matches!(self.numbers[at], Numbers::Ready(_)))
        };
        let models = reloaded.study.models.iter().zip(&reloaded.numbers);
        let mut lost = models.filter(|(model, _)| is_ranked_now(&model.name));
        let error = lost.find_map(|(_, numbers)| numbers.as_ref().err()).cloned();
        match error {
            Some(error) => {
                mmap::forget_since(reloaded.mark);
                Err(error)
            }
            None => Ok(reloaded),
        }
    }

    /// Sets the study, its settings and the ranks of its models to reloaded ones.
    fn set_reloaded(&mut self, reloaded: Reloaded) {
        (self.base, self.study) = (reloaded.base, reloaded.study);
        (self.settings, self.applied_settings) = (reloaded.settings, reloaded.settings);
        let numbers = reloaded.numbers.into_iter();
        self.numbers = numbers.map(|of| of.map_or_else(Numbers::Failed, Numbers::Ready)).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_notice_shows_the_most_important_state() {
        let mut files = Files::default();
        assert_eq!(files.notice("Ctrl-l"), None);
        assert_eq!(files.placeholder(), "counting …");
        files.change.gone = vec!["b.npy".into()];
        let notice = |files: &Files| files.notice("Ctrl-l").unwrap();
        assert!(notice(&files).starts_with("b.npy gone"));
        files.change.changed = vec!["a.npy".into()];
        assert_eq!(notice(&files), "a.npy and 1 more changed on disk: Ctrl-l reloads");
        files.auto_reloads = true;
        assert!(notice(&files).ends_with("changed on disk: read once it is whole"));
        files.overwritten = Some(Error::new("/x/a.npy", "changed"));
        assert!(notice(&files).starts_with("a.npy was written over: nothing new is counted"));
        assert_eq!(files.placeholder(), "not counted");
        files.failure = Some(Error::new("a.npy", "half"));
        assert_eq!(notice(&files), "not reloaded: a.npy: half");
        files.requested = Some(Stamp::fresh());
        assert!(notice(&files).starts_with("reloading a.npy"));
    }
}
