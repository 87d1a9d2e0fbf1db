//! A sign of life on standard error, for work that takes long enough to wonder.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Shorter work shows nothing.
const SHORT: Duration = Duration::from_millis(500);
const STEP: Duration = Duration::from_millis(100);

/// Counts ranks; a bar shows how far it is, 0 to 1, where standard error is a terminal.
pub(super) fn shown<T>(progress: impl Fn() -> f64 + Sync, work: impl FnOnce() -> T) -> T {
    named("counting ranks", progress, work)
}

/// Does work whose progress is known, under its name.
pub(super) fn named<T>(
    words: &'static str,
    progress: impl Fn() -> f64 + Sync,
    work: impl FnOnce() -> T,
) -> T {
    let bar = || {
        let style = ProgressStyle::with_template("{msg} {bar:40} {percent} %");
        let style = style.expect("the template is a constant");
        ProgressBar::new(100).with_style(style).with_message(words)
    };
    let step = |bar: &ProgressBar| bar.set_position((progress() * 100.0) as u64);
    followed(&bar, &step, work)
}

/// Does work whose end nobody can tell, and says in words what it is.
pub(super) fn waiting<T>(words: &'static str, work: impl FnOnce() -> T) -> T {
    let bar = || {
        let style = ProgressStyle::with_template("{spinner} {msg} ({elapsed})");
        let style = style.expect("the template is a constant");
        ProgressBar::new_spinner().with_style(style).with_message(words)
    };
    followed(&bar, &ProgressBar::tick, work)
}

type NewBar<'a> = &'a (dyn Fn() -> ProgressBar + Sync);
type Step<'a> = &'a (dyn Fn(&ProgressBar) + Sync);

fn followed<T>(bar: NewBar<'_>, step: Step<'_>, work: impl FnOnce() -> T) -> T {
    let (mut work, mut result) = (Some(work), None);
    beside(bar, step, &mut || result = work.take().map(|work| work()));
    result.expect("the work is done")
}

fn beside(bar: NewBar<'_>, step: Step<'_>, work: &mut dyn FnMut()) {
    let (done, ended) = mpsc::channel::<()>();
    let follow = move || {
        if ended.recv_timeout(SHORT) != Err(RecvTimeoutError::Timeout) {
            return;
        }
        let bar = bar();
        while ended.recv_timeout(STEP) == Err(RecvTimeoutError::Timeout) {
            step(&bar);
        }
        bar.finish_and_clear();
    };
    std::thread::scope(|scope| {
        // Where the system starts no further thread, the work shows no progress.
        let _ = std::thread::Builder::new().spawn_scoped(scope, follow);
        work();
        drop(done);
    });
}
