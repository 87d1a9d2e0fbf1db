//! Reads what others answer of a pool, as often as their files change.

use std::sync::Arc;

use super::watch_files::wait;
use super::{Asks, Job, Run, Stamp, Wanted};
use crate::annotate::others::OthersFiles;
use crate::annotate::pool::{PoolPairs, Queue};
use crate::study::Study;
use crate::tui::app::App;

/// Looks at the files of other annotators.
#[derive(Default)]
pub struct FollowAnnotators;

impl Job for FollowAnnotators {
    const NAME: &'static str = "others";
    const IS_LONG: bool = false;
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
}

impl Asks for FollowAnnotators {
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
    use crate::rank::pass::CancelToken;
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
        let session = session_of(&files.pool, "anna").path;
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
