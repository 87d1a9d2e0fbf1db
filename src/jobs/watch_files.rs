//! Polls the files of a study, and reports changes.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use super::{Job, Run, Stamp, Wanted};
use crate::data::file_states::{FileState, OpenedFile, is_whole};
use crate::data::mmap;
use crate::error::Error;
use crate::rank::pass::CancelToken;
use crate::tui::app::App;

/// Time between two checks for cancellation.
const CANCEL_CHECK_INTERVAL: Duration = Duration::from_millis(150);
/// Number of checks for cancellation between two polls of the files.
const CHECKS_PER_POLL: usize = 5;

/// Polls the files of a study.
pub struct WatchFiles;

/// Files that differ from the loaded ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DiskChange {
    /// Names of changed files.
    pub changed: Vec<String>,
    /// Names of missing files.
    pub gone: Vec<String>,
    /// Hash of the states of all files; differs if any changed again.
    pub state: u64,
    /// Whether the files stayed the same between two polls and are complete, so that they can be reloaded.
    pub is_settled: bool,
}

impl Job for WatchFiles {
    const READS_SCORES: bool = false;
    /// The study.
    type Key = Stamp;
    type Part = ();
    /// Its files, as loaded.
    type Input = Arc<[OpenedFile]>;
    /// Changes since then, and the error if a score file was overwritten; sent when they differ from the last ones.
    type Output = (DiskChange, Option<Error>);

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        let mut last = None;
        let mut sent = (DiskChange::default(), None);
        while wait_for_poll(run.token) {
            let mut now = DiskChange::since_loaded(run.input);
            if last == Some(now.state) && !now.changed.is_empty() && now.gone.is_empty() {
                now.is_settled = are_changed_files_whole(run.input);
            }
            last = Some(now.state);
            let is_news = !now.is_empty() || !sent.0.is_empty();
            let now = (now, mmap::change_error());
            if is_news && now != sent {
                run.send(now.clone());
                sent = now;
            }
        }
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let is_wanted = model.files.is_watched && !model.base.files.is_empty();
        is_wanted.then(|| Wanted::new(model.known.opening, || model.base.files.clone()))
    }

    fn apply(app: &mut App, _: Stamp, (change, overwritten): Self::Output) {
        app.model.store_overwritten(overwritten);
        let files = &mut app.model.files;
        if files.change.state != change.state {
            files.failure = None;
            // An older message would hide this.
            app.model.message = None;
        }
        files.change = change;
        files.reload_if_settled();
    }
}

impl DiskChange {
    /// Changes of the files since they were loaded.
    pub fn since_loaded(files: &[OpenedFile]) -> Self {
        let states: Vec<Option<FileState>> = files.iter().map(OpenedFile::current_state).collect();
        let differing = files.iter().zip(&states);
        let differing = differing.filter(|(file, now)| file.state != **now);
        let (changed, mut gone): (Vec<_>, Vec<_>) = differing.partition(|(_, now)| now.is_some());
        // A training run may remove its older steps. Then their folder is listed as changed.
        gone.retain(|(file, _)| !changed.iter().any(|(folder, _)| folder.is_folder_of(file)));
        let names = |of: &[(&OpenedFile, _)]| of.iter().map(|(file, _)| file.name()).collect();
        let mut hasher = DefaultHasher::new();
        states.hash(&mut hasher);
        DiskChange {
            changed: names(&changed),
            gone: names(&gone),
            state: hasher.finish(),
            ..DiskChange::default()
        }
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.gone.is_empty()
    }

    /// The changed and missing files in words, with the name of the first: `a.npy and 2 more`.
    pub fn describe(&self) -> String {
        let mut names = self.changed.iter().chain(&self.gone);
        let first = names.next().cloned().unwrap_or_default();
        match names.count() {
            0 => first,
            more => format!("{first} and {more} more"),
        }
    }
}

/// Whether all changed files are as long as their headers declare.
fn are_changed_files_whole(files: &[OpenedFile]) -> bool {
    let has_changed =
        |file: &&OpenedFile| file.current_state().is_some_and(|now| file.state != Some(now));
    files.iter().filter(has_changed).all(|file| is_whole(&file.path))
}

/// Waits until the next poll is due; `false` if cancelled.
fn wait_for_poll(token: &CancelToken) -> bool {
    for _ in (0..CHECKS_PER_POLL).take_while(|_| !token.is_cancelled()) {
        std::thread::sleep(CANCEL_CHECK_INTERVAL);
    }
    !token.is_cancelled()
}
