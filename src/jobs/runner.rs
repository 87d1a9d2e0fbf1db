//! Runs a job on its own thread: a newer request replaces a waiting one, and cancels the current run. Long jobs yield
//! to the screen's thread.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{Job, Run, Wanted};
use crate::rank::pass::CancelToken;

/// An answer, or the message of a panic, which is a bug.
pub type Outcome<J> = Result<<J as Job>::Output, String>;

/// A job, and its last request. The thread starts with the first request; dropping the runner ends the current run and
/// the thread.
pub struct Runner<J: Job> {
    shared: Arc<Shared<J>>,
    /// Key and parts of the last request.
    last: Option<(J::Key, Vec<J::Part>)>,
    serve: Serve,
    thread: Option<JoinHandle<()>>,
}

/// Serves the next request; `false` once the runner is gone.
type Serve = Arc<Mutex<dyn FnMut() -> bool + Send>>;

struct Shared<J: Job> {
    state: Mutex<State<J>>,
    changed: Condvar,
}

struct State<J: Job> {
    next: Option<Request<J>>,
    is_busy: bool,
    is_closed: bool,
    token: Arc<CancelToken>,
}

struct Request<J: Job> {
    key: J::Key,
    parts: Vec<J::Part>,
    input: J::Input,
}

impl<J: Job> Runner<J> {
    /// An idle runner. `send` is called with each key and answer, on the job's threads.
    pub fn new(mut job: J, send: impl Fn(J::Key, Outcome<J>) + Send + Sync + 'static) -> Self {
        let state = State { next: None, is_busy: false, is_closed: false, token: Arc::default() };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let thread_shared = shared.clone();
        Runner {
            shared,
            last: None,
            serve: Arc::new(Mutex::new(move || thread_shared.serve(&mut job, &send))),
            thread: None,
        }
    }

    /// Starts a request and cancels the current run; `None` only cancels. A current run with the same key goes on if
    /// the wanted parts are the last ones of its request, or if the input is missing.
    pub fn request(&mut self, wanted: Option<Wanted<'_, J>>) {
        let last = self.last.take();
        let is_other = |key: &J::Key| last.as_ref().is_some_and(|(last, _)| last != key);
        if wanted.as_ref().map_or(last.is_some(), |wanted| is_other(&wanted.key)) {
            let mut state = self.shared.lock();
            state.next = None;
            state.token.cancel();
        }
        let Some(Wanted { key, parts, input }) = wanted else {
            return;
        };
        let last = last.filter(|(last, _)| *last == key);
        let is_rest = last.as_ref().map_or(&[][..], |(_, parts)| parts).ends_with(&parts);
        if is_rest {
            self.last = Some((key, parts));
            return;
        }
        let Some(input) = input() else {
            self.last = last;
            return;
        };
        self.last = Some((key.clone(), parts.clone()));
        let mut state = self.shared.lock();
        state.next = Some(Request { key, parts, input });
        if !J::FINISHES_PART {
            state.token.cancel();
        }
        self.shared.changed.notify_all();
        drop(state);
        if self.thread.is_none() {
            self.thread = start_thread(job_name::<J>(), self.serve.clone());
        }
        if self.thread.is_none() {
            // No thread left: run it here, blocking.
            serve_next(&self.serve);
        }
    }

    /// Progress of the current run, 0 to 1.
    pub fn progress(&self) -> f64 {
        self.shared.lock().token.progress()
    }

    /// Ends the thread, and waits until it has dropped its state.
    pub fn shut_down(mut self) {
        let thread = self.thread.take();
        drop(self);
        // Panics of runs are reported; after any other there is nothing to do.
        let _ = thread.map(JoinHandle::join);
    }

    /// Waits until no request runs or waits.
    pub fn wait_idle(&self) {
        drop(self.shared.wait_while(|state| state.is_busy || state.next.is_some()));
    }
}

impl<J: Job> Drop for Runner<J> {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.is_closed = true;
        state.token.cancel();
        self.shared.changed.notify_all();
    }
}

impl<J: Job> Shared<J> {
    fn lock(&self) -> MutexGuard<'_, State<J>> {
        self.state.lock().expect("no panic holds the lock")
    }

    /// Waits while the state meets a condition; returns the locked state.
    fn wait_while(&self, condition: impl Fn(&State<J>) -> bool) -> MutexGuard<'_, State<J>> {
        let waited = self.changed.wait_while(self.lock(), |state| condition(state));
        waited.expect("no panic holds the lock")
    }

    /// Waits for the next request and runs the job for it; panics are sent as answers. `false` once the runner is gone.
    fn serve(&self, job: &mut J, send: &(impl Fn(J::Key, Outcome<J>) + Sync)) -> bool {
        let mut state = self.wait_while(|state| state.next.is_none() && !state.is_closed);
        let Some(request) = state.next.take().filter(|_| !state.is_closed) else {
            return false;
        };
        let token = Arc::<CancelToken>::default();
        (state.is_busy, state.token) = (true, token.clone());
        drop(state);
        let work = AssertUnwindSafe(|| self.run(job, &request, &token, send));
        if let Err(panic) = catch_unwind(work) {
            let text = panic.downcast_ref::<&str>().map(ToString::to_string);
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            send(request.key.clone(), Err(text.unwrap_or_else(|| "panic".into())));
        }
        // Drops the input before reporting the end.
        drop(request);
        self.lock().is_busy = false;
        self.changed.notify_all();
        true
    }

    /// Runs the parts of a request until another one replaces it.
    fn run(
        &self,
        job: &mut J,
        Request { key, parts, input }: &Request<J>,
        token: &CancelToken,
        send: &(impl Fn(J::Key, Outcome<J>) + Sync),
    ) {
        inject_panic(job_name::<J>());
        let run = Run { key, input, token, send: &|output| send(key.clone(), Ok(output)) };
        for part in parts {
            if token.is_cancelled() || self.lock().next.is_some() {
                break;
            }
            if J::IS_LONG {
                run_long(&mut || job.run(part, &run));
            } else {
                job.run(part, &run);
            }
        }
    }
}

/// Starts a thread that serves all requests; `None` if the system has none left. Not generic, so that its code is
/// compiled once.
fn start_thread(name: &str, serve: Serve) -> Option<JoinHandle<()>> {
    let work = move || while serve_next(&serve) {};
    std::thread::Builder::new().name(name.into()).spawn(work).ok()
}

/// Serves the next request; `false` once the runner is gone.
fn serve_next(serve: &Serve) -> bool {
    serve.lock().expect("panics of jobs are caught")()
}

/// Name of a job and its thread: the type name.
fn job_name<J>() -> &'static str {
    std::any::type_name::<J>().rsplit("::").next().unwrap_or_default()
}

/// Panics if `ITM_EXPLORE_INJECT_PANIC` names this thread, so that tests can check the handling. Debug builds only.
pub fn inject_panic(thread: &str) {
    let is_named = || std::env::var("ITM_EXPLORE_INJECT_PANIC").is_ok_and(|name| name == thread);
    assert!(!(cfg!(debug_assertions) && is_named()), "injected panic: {thread}");
}

/// Idle thread pools, one per long job that ran at once. Rayon runs the work of a pool in order, so jobs that share one
/// would wait for each other: ranks on screen for a whole curve.
static IDLE: Mutex<Vec<ThreadPool>> = Mutex::new(Vec::new());

/// Runs `work` on low-priority threads that no other job uses, or on the global pool if the system starts no more.
fn run_long(work: &mut (dyn FnMut() + Send)) {
    let idle = || IDLE.lock().expect("no panic holds the lock");
    let pool = idle().pop();
    match pool.or_else(start_pool) {
        Some(pool) => {
            pool.install(work);
            idle().push(pool);
        }
        None => work(),
    }
}

/// Starts low-priority threads; `None` if the system starts no more.
fn start_pool() -> Option<ThreadPool> {
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

/// No per-thread priority on this system.
#[cfg(not(target_os = "linux"))]
fn lower_priority() {}

#[cfg(test)]
mod tests;
