//! Threads for long work that leave the screen's thread the precedence.

use std::sync::{Mutex, MutexGuard};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Pools that nobody uses at present: one, where no two long jobs ran at once yet. Rayon does what is
/// put into a pool one after the other, so jobs that shared one would wait for each other: a count of
/// what is looked at for a whole curve.
static IDLE: Mutex<Vec<ThreadPool>> = Mutex::new(Vec::new());

/// Does `work` on threads of low priority that no other job uses meanwhile, or on the common threads
/// where the system starts no others.
pub(super) fn run(work: &mut (dyn FnMut() + Send)) {
    let lent = Lent(idle().pop().or_else(start));
    match &lent.0 {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// A pool that goes back when its work is done, or panicked.
struct Lent(Option<ThreadPool>);

impl Drop for Lent {
    fn drop(&mut self) {
        idle().extend(self.0.take());
    }
}

fn idle() -> MutexGuard<'static, Vec<ThreadPool>> {
    IDLE.lock().expect("no panic holds the lock")
}

fn start() -> Option<ThreadPool> {
    let pool = ThreadPoolBuilder::new()
        .thread_name(|at| format!("long-{at}"))
        .start_handler(|_| lower_priority());
    pool.build().ok()
}

/// Lets the screen's thread go first: computing threads fill all cores otherwise.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the standard library cannot set a thread's priority")]
fn lower_priority() {
    // SAFETY: two system calls on the calling thread only; a failure leaves its priority as it is.
    unsafe {
        let thread = libc::syscall(libc::SYS_gettid) as libc::id_t;
        libc::setpriority(libc::PRIO_PROCESS, thread, 10);
    }
}

/// Threads have no priority of their own here.
#[cfg(not(target_os = "linux"))]
fn lower_priority() {}
