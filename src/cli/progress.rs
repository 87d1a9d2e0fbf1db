//! A progress bar on standard error, for work that takes long enough to wonder.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::rank::pass::Watch;

/// Shorter work shows nothing.
const SHORT: Duration = Duration::from_millis(500);
const STEP: Duration = Duration::from_millis(100);

/// Does `work`, which tells `watch` how far it is; a bar follows it where standard error is a
/// terminal.
pub(super) fn shown<T>(watch: &Watch, work: impl FnOnce() -> T) -> T {
    let (done, ended) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || follow(watch, &ended));
        let result = work();
        drop(done);
        result
    })
}

fn follow(watch: &Watch, ended: &mpsc::Receiver<()>) {
    if ended.recv_timeout(SHORT) != Err(RecvTimeoutError::Timeout) {
        return;
    }
    let style = ProgressStyle::with_template("counting ranks {bar:40} {percent} %");
    let bar = ProgressBar::new(100).with_style(style.expect("the template is a constant"));
    while ended.recv_timeout(STEP) == Err(RecvTimeoutError::Timeout) {
        bar.set_position((watch.progress() * 100.0) as u64);
    }
    bar.finish_and_clear();
}
