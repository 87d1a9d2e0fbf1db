//! Looks at the files of a study and of other annotators from time to time, and says what changed.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use super::{Job, Run, Stamp, Wanted};
use crate::annotate::others::OthersFiles;
use crate::annotate::pool::{PoolPairs, Queue};
use crate::data::mapped;
use crate::data::opened::{FileState, OpenedFile, is_whole};
use crate::error::Error;
use crate::rank::pass::CancelToken;
use crate::study::Study;
use crate::tui::app::App;

/// After so many looks a writer that pauses has rather ended.
const LONG: usize = 8;
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
    /// Whether they have stayed the same for long, and one is shorter than its beginning says.
    pub is_cut: bool,
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
        let (mut last, mut same) = (None, 0);
        let mut sent = (DiskChange::default(), None);
        while wait(run.token) {
            let mut now = DiskChange::now(run.input);
            same = if last == Some(now.state) { same + 1 } else { 0 };
            if same > 0 && !now.changed.is_empty() && now.gone.is_empty() {
                now.is_settled = are_whole(run.input);
                now.is_cut = same >= LONG && !now.is_settled;
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

/// Reads what others answer of a pool, as often as their files change.
pub struct FollowAnnotators;

impl Job for FollowAnnotators {
    const READS_SCORES: bool = false;
    /// The study.
    type Key = Stamp;
    type Part = ();
    /// Its files, and the pairs of the pool.
    type Input = (Arc<Study>, Arc<OthersFiles>, Arc<PoolPairs>);
    /// The queue as their answers leave it; sent when they changed.
    type Output = Queue;

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        let (study, files, pairs) = run.input;
        let (mut last, mut known) = (None, None);
        while wait(run.token) {
            let now = Some(files.state());
            if now == last {
                continue;
            }
            last = now;
            // A file that cannot be read now is read when it changes again.
            let Ok(others) = files.read(&study.gallery) else {
                continue;
            };
            // One's own session lies among them.
            if known.as_ref() != Some(&others) {
                run.send(pairs.queue(&others));
            }
            known = Some(others);
        }
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let files = model.judged_pool.files.clone()?;
        let pairs = model.judged_pool.pairs.clone();
        Some(Wanted::one(model.known.opening, || (model.study.clone(), files, pairs)))
    }

    fn take(app: &mut App, _: Stamp, queue: Queue) {
        app.model.take_queue(queue);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;
    use crate::annotate::others::session_of;
    use crate::annotate::pool::{Pool, read};
    use crate::data::source::Source;
    use crate::study::demo;

    fn pool(study: &Study) -> Pool {
        let (image, captions) = (&study.gallery.images[0], &study.gallery.captions);
        let mut text = r#"{"format":"itm-explore pool 1","top":2,"models":["a"],"truths":[],"queries":{"i2t":1,"t2i":0},"chosen":"","order":"depth","seed":1}"#.to_owned();
        for caption in &captions.as_slice()[..2] {
            let line = format!(
                "\n{{\"query_direction\":\"i2t\",\"image\":{image},\"caption\":{caption},\"proposals\":[{{\"model\":\"a\",\"direction\":\"i2t\",\"rank\":1}}]}}"
            );
            text.push_str(&line);
        }
        read(&Source::in_memory("pool.jsonl", text.into())).unwrap()
    }

    #[test]
    fn what_another_person_answers_meanwhile_is_no_longer_asked() {
        let folder = tempfile::tempdir().unwrap();
        let study = Arc::new(demo::open().unwrap());
        let pairs = PoolPairs::new(&pool(&study), &study.gallery, |_, _| true);
        let files = OthersFiles {
            pool: folder.path().join("pool.jsonl"),
            named: vec![],
            me: "mk".into(),
            overlap: 1,
        };
        let session = session_of(&files.pool, "anna");
        let input = (study.clone(), Arc::new(files), Arc::new(pairs));
        let (token, (sender, queues)) = (CancelToken::default(), channel());
        let send = move |queue: Queue| sender.send((queue.len(), queue.closed)).unwrap();
        let key = Stamp::fresh();
        let run = Run { key: &key, input: &input, token: &token, send: &send };
        let found = std::thread::scope(|scope| {
            scope.spawn(|| FollowAnnotators.run(&(), &run));
            let next = || queues.recv_timeout(Duration::from_secs(60));
            let first = next();
            let (image, caption) = (&study.gallery.images[0], &study.gallery.captions[1]);
            let line = format!(
                r#"{{"image": {image}, "caption": {caption}, "verdict": "no", "at": "2026-11-22T10:00:00Z", "by": "anna"}}"#
            );
            let text = format!(r#"{{"format": "itm-explore-session/1", "verdicts": [{line}]}}"#);
            let written = std::fs::write(&session, text);
            let found = (first, written.is_ok(), next());
            token.cancel();
            found
        });
        assert_eq!(found, (Ok((2, 0)), true, Ok((1, 1))));
    }
}
