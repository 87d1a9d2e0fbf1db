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

/// Interval of checks for cancellation, and their number between two polls.
const CANCEL_CHECK_INTERVAL: Duration = Duration::from_millis(150);
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
    /// Whether they stayed the same between two polls, and are complete: then they are reloaded.
    pub is_settled: bool,
}

impl Job for WatchFiles {
    const READS_SCORES: bool = false;
    /// The study.
    type Key = Stamp;
    type Part = ();
    /// Its files, as loaded.
    type Input = Arc<[OpenedFile]>;
    /// Changes since then, and the error of an overwritten score file; sent when they differ from the last.
    type Output = (DiskChange, Option<Error>);

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        let mut last = None;
        let mut sent = (DiskChange::default(), None);
        while wait(run.token) {
            let mut now = DiskChange::now(run.input);
            if last == Some(now.state) && !now.changed.is_empty() && now.gone.is_empty() {
                now.is_settled = are_whole(run.input);
            }
            last = Some(now.state);
            let is_news = !now.is_empty() || !sent.0.is_empty();
            let now = (now, mmap::changed());
            if is_news && now != sent {
                run.send(now.clone());
                sent = now;
            }
        }
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let is_wanted = model.files.is_watched && !model.base.files.is_empty();
        is_wanted.then(|| Wanted::one(model.known.opening, || model.base.files.clone()))
    }

    fn take(app: &mut App, _: Stamp, (change, overwritten): Self::Output) {
        app.model.take_overwritten(overwritten);
        let files = &mut app.model.files;
        if files.change.state != change.state {
            files.failure = None;
            // An older message would hide this.
            app.model.message = None;
        }
        files.change = change;
        files.follow();
    }
}

impl DiskChange {
    /// Changes of the files since they were loaded.
    pub fn now(files: &[OpenedFile]) -> Self {
        let states: Vec<Option<FileState>> = files.iter().map(OpenedFile::now).collect();
        let others = files.iter().zip(&states);
        let others = others.filter(|(file, now)| file.state != **now);
        let (changed, mut gone): (Vec<_>, Vec<_>) = others.partition(|(_, now)| now.is_some());
        // A training may remove its older steps: then their folder has changed.
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

    /// The files in words, naming at most one.
    pub fn names(&self) -> String {
        let mut names = self.changed.iter().chain(&self.gone);
        let first = names.next().cloned().unwrap_or_default();
        match names.count() {
            0 => first,
            others => format!("{first} and {others} more"),
        }
    }
}

/// Whether the changed files are as long as their headers declare.
fn are_whole(files: &[OpenedFile]) -> bool {
    let is_other = |file: &&OpenedFile| file.now().is_some_and(|now| file.state != Some(now));
    files.iter().filter(is_other).all(|file| is_whole(&file.path))
}

/// Waits one period; `false` if cancelled.
fn wait(token: &CancelToken) -> bool {
    for _ in (0..CHECKS_PER_POLL).take_while(|_| !token.is_cancelled()) {
        std::thread::sleep(CANCEL_CHECK_INTERVAL);
    }
    !token.is_cancelled()
}
