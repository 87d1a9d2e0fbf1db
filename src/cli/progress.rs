//! Progress on standard error, for work that takes a while.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::error::{Error, Result};
use crate::rank::pass::CancelToken;

/// Shorter work shows nothing.
const SHORT: Duration = Duration::from_millis(500);
const STEP: Duration = Duration::from_millis(100);

/// Runs work that reports progress to a token.
pub(super) fn counting<T>(work: impl FnOnce(&CancelToken) -> T) -> T {
    let token = CancelToken::default();
    named("counting ranks", || token.progress(), || work(&token))
}

/// [`counting`] for work that can be cancelled, which never happens here.
pub(super) fn counted<T>(work: impl FnOnce(&CancelToken) -> Result<Option<T>>) -> Result<T> {
    counting(work)?.ok_or_else(|| Error::new("the work", "cancelled"))
}

/// Runs work with known progress, 0 to 1, under its name; with a bar if standard error is a terminal.
pub(super) fn named<T>(
    words: &'static str,
    progress: impl Fn() -> f64 + Sync,
    work: impl FnOnce() -> T,
) -> T {
    let step = |bar: &ProgressBar| bar.set_position((progress() * 100.0) as u64);
    followed("{msg} {bar:40} {percent} %", words, &step, work)
}

/// Runs work without known progress, and shows its name.
pub(super) fn waiting<T>(words: &'static str, work: impl FnOnce() -> T) -> T {
    followed("{spinner} {msg} ({elapsed})", words, &ProgressBar::tick, work)
}

fn followed<T>(
    template: &'static str,
    words: &'static str,
    step: &(dyn Fn(&ProgressBar) + Sync),
    work: impl FnOnce() -> T,
) -> T {
    let (done, ended) = mpsc::channel::<()>();
    let follow = move || {
        if ended.recv_timeout(SHORT) != Err(RecvTimeoutError::Timeout) {
            return;
        }
        let style = ProgressStyle::with_template(template).expect("the template is a constant");
        let bar = ProgressBar::new(100).with_style(style).with_message(words);
        while ended.recv_timeout(STEP) == Err(RecvTimeoutError::Timeout) {
            step(&bar);
        }
        bar.finish_and_clear();
    };
    std::thread::scope(|scope| {
        // Without a thread no progress is shown.
        let _ = std::thread::Builder::new().spawn_scoped(scope, follow);
        let result = work();
        drop(done);
        result
    })
}
