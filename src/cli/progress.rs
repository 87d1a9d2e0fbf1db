//! Progress on standard error, for work that takes a while.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::error::{Error, Result};
use crate::rank::pass::CancelToken;

/// Work that takes less time shows no progress.
const DELAY: Duration = Duration::from_millis(500);
/// Interval between two updates of the display.
const UPDATE_PERIOD: Duration = Duration::from_millis(100);

/// Runs work that counts ranks, with a bar of the progress that it reports to the token.
pub(super) fn with_rank_bar<T>(work: impl FnOnce(&CancelToken) -> T) -> T {
    let token = CancelToken::default();
    with_bar("counting ranks", || token.progress(), || work(&token))
}

/// Like [`with_rank_bar`], for work that returns `None` if cancelled, which does not happen on the command line.
pub(super) fn try_rank_bar<T>(work: impl FnOnce(&CancelToken) -> Result<Option<T>>) -> Result<T> {
    with_rank_bar(work)?.ok_or_else(|| Error::new("the work", "cancelled"))
}

/// Runs work with a labelled bar of its progress from 0 to 1, if standard error is a terminal.
pub(super) fn with_bar<T>(
    label: &'static str,
    progress: impl Fn() -> f64 + Sync,
    work: impl FnOnce() -> T,
) -> T {
    let update = |bar: &ProgressBar| bar.set_position((progress() * 100.0) as u64);
    with_display("{msg} {bar:40} {percent} %", label, &update, work)
}

/// Runs work of unknown progress with a labelled spinner, if standard error is a terminal.
pub(super) fn with_spinner<T>(label: &'static str, work: impl FnOnce() -> T) -> T {
    with_display("{spinner} {msg} ({elapsed})", label, &ProgressBar::tick, work)
}

/// Runs work while another thread shows its progress by the template of `indicatif` and calls `update` periodically.
fn with_display<T>(
    template: &'static str,
    label: &'static str,
    update: &(dyn Fn(&ProgressBar) + Sync),
    work: impl FnOnce() -> T,
) -> T {
    let (done, ended) = mpsc::channel::<()>();
    let display = move || {
        if ended.recv_timeout(DELAY) != Err(RecvTimeoutError::Timeout) {
            return;
        }
        let style = ProgressStyle::with_template(template).expect("the template is a constant");
        let bar = ProgressBar::new(100).with_style(style).with_message(label);
        while ended.recv_timeout(UPDATE_PERIOD) == Err(RecvTimeoutError::Timeout) {
            update(&bar);
        }
        bar.finish_and_clear();
    };
    std::thread::scope(|scope| {
        // Without a thread no progress is shown.
        let _ = std::thread::Builder::new().spawn_scoped(scope, display);
        let result = work();
        drop(done);
        result
    })
}
