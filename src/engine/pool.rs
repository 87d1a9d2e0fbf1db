//! Threads for long work that leave the screen's thread the precedence.

use std::sync::OnceLock;

use super::worker::lower_priority;

/// The threads of one kind of work, started when it is first done. Each kind has its own, so that a long
/// job of one never keeps another waiting; they stay, so that many short jobs start none.
pub(super) struct Pool(OnceLock<Option<rayon::ThreadPool>>);

impl Pool {
    /// Without threads yet.
    pub(super) const fn new() -> Self {
        Pool(OnceLock::new())
    }

    /// Does `work` there, or on the common threads where the system starts no others.
    pub(super) fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match self.0.get_or_init(start) {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}

fn start() -> Option<rayon::ThreadPool> {
    let pool = rayon::ThreadPoolBuilder::new()
        .thread_name(|at| format!("count-{at}"))
        .start_handler(|_| lower_priority());
    pool.build().ok()
}
