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
    let style = ProgressStyle::with_template("{msg} {bar:40} {percent} %");
    let bar = || {
        let style = style.expect("the template is a constant");
        ProgressBar::new(100).with_style(style).with_message(words)
    };
    let step = |bar: &ProgressBar| bar.set_position((progress() * 100.0) as u64);
    followed(bar, step, work)
}

/// Does work whose end nobody can tell, and says in words what it is.
pub(super) fn waiting<T>(words: &'static str, work: impl FnOnce() -> T) -> T {
    let style = ProgressStyle::with_template("{spinner} {msg} ({elapsed})");
    let bar = || {
        let style = style.expect("the template is a constant");
        ProgressBar::new_spinner()
            .with_style(style)
            .with_message(words)
    };
    followed(bar, ProgressBar::tick, work)
}

fn followed<T>(
    bar: impl FnOnce() -> ProgressBar + Send,
    step: impl Fn(&ProgressBar) + Send,
    work: impl FnOnce() -> T,
) -> T {
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
        scope.spawn(follow);
        let result = work();
        drop(done);
        result
    })
}
