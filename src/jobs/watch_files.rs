//! Looks at the files of a study from time to time, and says what changed.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use super::{Job, Run, Stamp, Wanted};
use crate::data::mapped;
use crate::data::opened::{FileState, OpenedFile, is_whole};
use crate::error::Error;
use crate::rank::pass::CancelToken;
use crate::tui::app::App;

/// How soon a run ends that is cancelled meanwhile, and how often that passes between two looks.
const GLANCE: Duration = Duration::from_millis(150);
const GLANCES: usize = 5;

/// Looks at the files of a study.
pub struct WatchFiles;

/// The files that are not what was read of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DiskChange {
    /// Names of those that are others now.
    pub changed: Vec<String>,
    /// Names of those that are gone.
    pub gone: Vec<String>,
    /// A hash of how all files are: another one where any changed once more.
    pub state: u64,
    /// Whether they stayed the same between two looks, and are whole: then they are worth reading.
    pub is_settled: bool,
}

impl Job for WatchFiles {
    const READS_SCORES: bool = false;
    /// The study.
    type Key = Stamp;
    type Part = ();
    /// Its files, as they were read.
    type Input = Arc<[OpenedFile]>;
    /// What changed since, and whether a file that scores are read from was written over; sent when that is something
    /// else than before.
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
            let now = (now, mapped::changed());
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
            // What was said before would hide this.
            app.model.message = None;
        }
        files.change = change;
        files.follow();
    }
}

impl DiskChange {
    /// What is not as it was when it was read, by a look at the files now.
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

    /// The files in words, at most one by name.
    pub fn names(&self) -> String {
        let mut names = self.changed.iter().chain(&self.gone);
        let first = names.next().cloned().unwrap_or_default();
        match names.count() {
            0 => first,
            others => format!("{first} and {others} more"),
        }
    }
}

/// Whether the files that changed have all that their beginnings tell of.
fn are_whole(files: &[OpenedFile]) -> bool {
    let is_other = |file: &&OpenedFile| file.now().is_some_and(|now| file.state != Some(now));
    files.iter().filter(is_other).all(|file| is_whole(&file.path))
}

/// Lets the period pass; whether nobody cancelled meanwhile.
fn wait(token: &CancelToken) -> bool {
    for _ in (0..GLANCES).take_while(|_| !token.is_cancelled()) {
        std::thread::sleep(GLANCE);
    }
    !token.is_cancelled()
}
