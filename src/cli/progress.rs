//! A sign of life on standard error, for work that takes long enough to wonder.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::error::{Error, Result};
use crate::rank::pass::CancelToken;

/// Shorter work shows nothing.
const SHORT: Duration = Duration::from_millis(500);
const STEP: Duration = Duration::from_millis(100);

/// Does work that tells its progress to a token.
pub(super) fn counting<T>(work: impl FnOnce(&CancelToken) -> T) -> T {
    let token = CancelToken::default();
    named("counting ranks", || token.progress(), || work(&token))
}

/// The same where the work has no result if it is cancelled, which nobody does here.
pub(super) fn counted<T>(work: impl FnOnce(&CancelToken) -> Result<Option<T>>) -> Result<T> {
    counting(work)?.ok_or_else(|| Error::new("the work", "cancelled"))
}

/// Does work whose progress, 0 to 1, is known, under its name; a bar shows it if standard error is a terminal.
pub(super) fn named<T>(
    words: &'static str,
    progress: impl Fn() -> f64 + Sync,
    work: impl FnOnce() -> T,
) -> T {
    let step = |bar: &ProgressBar| bar.set_position((progress() * 100.0) as u64);
    followed("{msg} {bar:40} {percent} %", words, &step, work)
}

/// Does work whose end nobody can tell, and says in words what it is.
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
        // Without a thread the work shows no progress.
        let _ = std::thread::Builder::new().spawn_scoped(scope, follow);
        let result = work();
        drop(done);
        result
    })
}
