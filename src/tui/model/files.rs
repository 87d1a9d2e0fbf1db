//! The files of the study: what became of them since they were read.

use std::path::Path;
use std::sync::Arc;

use crate::error::Error;
use crate::jobs::{DiskChange, Stamp};
use crate::study::Inputs;

/// What became of the files, and what is done about it.
#[derive(Debug, Default)]
pub struct Files {
    /// What the study is opened from; `None` where it cannot be opened once more.
    pub(crate) inputs: Option<Arc<Inputs>>,
    /// Whether they are looked at from time to time.
    pub(crate) is_watched: bool,
    /// Whether files that changed are read again unasked.
    pub(in crate::tui::model) follows: bool,
    /// What changed since they were read.
    pub(crate) change: DiskChange,
    /// Why nothing new is computed: a file that is read from was written over.
    pub(in crate::tui::model) overwritten: Option<Error>,
    /// How they were when they were last to be read again.
    state: Option<u64>,
    /// The request to read them again, while that is under way.
    pub(crate) requested: Option<Stamp>,
    /// Why they could not be read again.
    pub(crate) failure: Option<Error>,
}

impl Files {
    /// Has them read again.
    pub(in crate::tui::model) fn request(&mut self) {
        self.failure = None;
        self.state = Some(self.change.state);
        self.requested = Some(Stamp::fresh());
    }

    /// The same once they are read again.
    pub(in crate::tui::model) fn read_again(&mut self) {
        *self = Files {
            inputs: self.inputs.take(),
            is_watched: self.is_watched,
            follows: self.follows,
            ..Files::default()
        };
    }

    /// Has them read again where that is done unasked, once for each state of them.
    pub(crate) fn follow(&mut self) {
        let is_due = self.follows && self.change.is_settled && self.requested.is_none();
        if is_due && self.state != Some(self.change.state) {
            self.request();
        }
    }

    /// Whether nothing new is computed: a file was written over, and what is left of it is no study.
    pub fn is_overwritten(&self) -> bool {
        self.overwritten.is_some()
    }

    /// What stands where a number is not there yet.
    pub fn waiting(&self) -> &'static str {
        if self.is_overwritten() { "not counted" } else { "counting …" }
    }

    /// Why the files could not be read again.
    pub fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }

    /// What is to say of them, in one line; a key reads them again.
    pub fn notice(&self, key: &str) -> Option<String> {
        let names = self.change.names();
        if self.requested.is_some() {
            return Some(format!("reloading {names} …"));
        }
        if let Some(error) = &self.failure {
            let file = Path::new(error.subject()).file_name().unwrap_or_default();
            let file = file.to_string_lossy();
            // The fault may show in another file than the one that changed.
            let changed = &self.change.changed;
            let changed = if changed.is_empty() || changed.iter().any(|name| *name == file) {
                String::new()
            } else {
                format!("{names} changed; ")
            };
            return Some(format!("not reloaded (I): {changed}{file}: {}", error.found()));
        }
        if let Some(error) = &self.overwritten {
            let file = Path::new(error.subject()).file_name().unwrap_or_default();
            let file = file.to_string_lossy();
            let is_gone = self.change.gone.iter().any(|gone| *gone == file);
            let is_cut = self.follows && self.change.is_cut;
            let (what, until) = match () {
                () if is_gone => ("is gone from the disk", String::new()),
                () if is_cut => ("is cut off", " until it is whole".into()),
                () if self.follows => ("was written over", " until it no longer changes".into()),
                () => ("was written over", format!("; {key} reloads")),
            };
            return Some(format!("{file} {what}: nothing new is counted{until}"));
        }
        match (&*self.change.changed, &*self.change.gone) {
            ([], []) => None,
            ([], _) => Some(format!("{names} gone from the disk: what was read stays")),
            _ if self.follows && self.change.is_cut => {
                Some(format!("{names} is cut off: read once it is whole; {key} says where"))
            }
            _ if self.follows => {
                Some(format!("{names} changed on disk: read when it no longer changes"))
            }
            _ => Some(format!("{names} changed on disk: {key} reloads")),
        }
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
        let said = |files: &Files| files.notice("Ctrl-l").unwrap();
        assert!(said(&files).starts_with("b.npy gone"));
        files.change.changed = vec!["a.npy".into()];
        assert_eq!(said(&files), "a.npy and 1 other file changed on disk: Ctrl-l reloads");
        files.change.is_cut = true;
        assert!(said(&files).ends_with("Ctrl-l reloads"), "nobody else does");
        files.follows = true;
        assert!(said(&files).ends_with("is cut off: read once it is whole; Ctrl-l says where"));
        files.overwritten = Some(Error::new("/x/a.npy", "changed"));
        assert!(
            said(&files).ends_with("a.npy is cut off: nothing new is counted until it is whole")
        );
        files.change.is_cut = false;
        assert!(said(&files).contains("a.npy was written over: nothing new"));
        assert_eq!(files.waiting(), "not counted");
        files.failure = Some(Error::new("a.npy", "half"));
        assert_eq!(said(&files), "not reloaded (I): a.npy: half");
        files.requested = Some(Stamp::fresh());
        assert!(said(&files).starts_with("reloading a.npy"));
    }
}
