//! Runs a job on a thread of its own: a newer request takes the place of one that waits, and ends the
//! run under way. What is long leaves the screen's thread the precedence.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{Job, Run, Wanted};
use crate::rank::pass::CancelToken;

/// An answer, or what a panic said: a defect of the program, in its own words.
pub type Outcome<J> = Result<<J as Job>::Output, String>;

/// A job, and what was last asked of it. Its thread starts with the first request, and stays; dropping
/// this ends the run under way, and the thread.
pub struct Runner<J: Job> {
    shared: Arc<Shared<J>>,
    asked: Option<(J::Key, Vec<J::Part>)>,
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
    busy: bool,
    closed: bool,
    /// Of the run under way.
    token: Arc<CancelToken>,
}

struct Request<J: Job> {
    key: J::Key,
    parts: Vec<J::Part>,
    input: J::Input,
}

impl<J: Job> Runner<J> {
    /// Nothing is asked yet. `send` takes each answer with its key, on the job's threads.
    pub fn new(mut job: J, send: impl Fn(J::Key, Outcome<J>) + Send + Sync + 'static) -> Self {
        let state = State { next: None, busy: false, closed: false, token: Arc::default() };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let of_thread = shared.clone();
        Runner {
            shared,
            asked: None,
            serve: Arc::new(Mutex::new(move || of_thread.serve(&mut job, &send))),
            thread: None,
        }
    }

    /// Asks for what is wanted, unless that is the rest of what was asked for last: then it is under
    /// way. What was asked for under another key, or is not wanted any more, is given up.
    pub fn ask(&mut self, wanted: Option<Wanted<'_, J>>) {
        let last = self.asked.take();
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
            self.asked = Some((key, parts));
            return;
        }
        let Some(input) = input() else {
            self.asked = last;
            return;
        };
        self.asked = Some((key.clone(), parts.clone()));
        let mut state = self.shared.lock();
        state.next = Some(Request { key, parts, input });
        if !J::FINISHES_PART {
            state.token.cancel();
        }
        self.shared.changed.notify_all();
        drop(state);
        if self.thread.is_none() {
            self.thread = started(name::<J>(), self.serve.clone());
        }
        if self.thread.is_none() {
            // The system starts no further thread: better late than never.
            serve_next(&self.serve);
        }
    }

    /// Share of the run under way that is done, 0 to 1.
    pub fn progress(&self) -> f64 {
        self.shared.lock().token.progress()
    }

    /// Ends the thread, and waits until it has dropped all that it had.
    pub fn end(mut self) {
        let thread = self.thread.take();
        drop(self);
        // Panics of its runs were told; one outside of them leaves nothing to do.
        let _ = thread.map(JoinHandle::join);
    }

    /// Waits until nothing runs and nothing waits.
    pub fn wait_idle(&self) {
        drop(self.shared.wait_while(|state| state.busy || state.next.is_some()));
    }
}

impl<J: Job> Drop for Runner<J> {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.closed = true;
        state.token.cancel();
        self.shared.changed.notify_all();
    }
}

impl<J: Job> Shared<J> {
    fn lock(&self) -> MutexGuard<'_, State<J>> {
        self.state.lock().expect("no panic holds the lock")
    }

    fn wait_while(&self, condition: impl Fn(&State<J>) -> bool) -> MutexGuard<'_, State<J>> {
        let waited = self.changed.wait_while(self.lock(), |state| condition(state));
        waited.expect("no panic holds the lock")
    }

    /// Waits for the next request and runs the job for it; `false` once the handle is gone. A panic becomes an answer.
    fn serve(&self, job: &mut J, send: &(impl Fn(J::Key, Outcome<J>) + Sync)) -> bool {
        let mut state = self.wait_while(|state| state.next.is_none() && !state.closed);
        let Some(request) = state.next.take().filter(|_| !state.closed) else {
            return false;
        };
        let token = Arc::<CancelToken>::default();
        (state.busy, state.token) = (true, token.clone());
        drop(state);
        let work = AssertUnwindSafe(|| self.run(job, &request, &token, send));
        if let Err(panic) = catch_unwind(work) {
            let text = panic.downcast_ref::<&str>().map(ToString::to_string);
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            send(request.key.clone(), Err(text.unwrap_or_else(|| "panic".into())));
        }
        // What it was given is dropped before anybody hears that it ended.
        drop(request);
        self.lock().busy = false;
        self.changed.notify_all();
        true
    }

    /// Does the parts of a request, until another one takes its place.
    fn run(
        &self,
        job: &mut J,
        Request { key, parts, input }: &Request<J>,
        token: &CancelToken,
        send: &(impl Fn(J::Key, Outcome<J>) + Sync),
    ) {
        inject_panic(name::<J>());
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

/// A thread that serves all requests, unless the system starts no further one. Apart from the jobs: what starts a thread
/// is much code, compiled once.
fn started(name: &str, serve: Serve) -> Option<JoinHandle<()>> {
    let work = move || while serve_next(&serve) {};
    std::thread::Builder::new().name(name.into()).spawn(work).ok()
}

fn serve_next(serve: &Serve) -> bool {
    serve.lock().expect("panics of jobs are caught")()
}

/// The name of a job and of its thread: that of its type.
fn name<J>() -> &'static str {
    std::any::type_name::<J>().rsplit("::").next().unwrap_or_default()
}

/// Panics on the thread that the variable names, so that tests can see what becomes of it. Only
/// builds for development know it.
pub fn inject_panic(thread: &str) {
    let wanted = || std::env::var("ITM_EXPLORE_INJECT_PANIC").is_ok_and(|wanted| wanted == thread);
    assert!(!(cfg!(debug_assertions) && wanted()), "injected panic: {thread}");
}

/// Pools that nobody uses at present: one, where no two long jobs ran at once yet. Rayon does what is
/// put into a pool one after the other, so jobs that shared one would wait for each other: a count of
/// what is looked at for a whole curve.
static IDLE: Mutex<Vec<ThreadPool>> = Mutex::new(Vec::new());

/// Does `work` on threads of low priority that no other job uses meanwhile, or on the common threads
/// where the system starts no others.
fn run_long(work: &mut (dyn FnMut() + Send)) {
    let idle = || IDLE.lock().expect("no panic holds the lock");
    let pool = idle().pop();
    match pool.or_else(start) {
        Some(pool) => {
            pool.install(work);
            idle().push(pool);
        }
        None => work(),
    }
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

#[cfg(test)]
mod tests;
