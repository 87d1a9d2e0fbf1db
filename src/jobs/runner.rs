//! Runs a job on a thread of its own: a newer request takes the place of one that waits, and ends the
//! run under way.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;

use super::{Job, Run, Wanted, pool};
use crate::rank::pass::CancelToken;

/// An answer, or what a panic said: a defect of the program, in its own words.
pub type Outcome<J> = Result<<J as Job>::Output, String>;

/// A job, and what was last asked of it. Its thread starts with the first request, and stays; dropping
/// this ends the run under way, and the thread.
pub struct Runner<J: Job> {
    shared: Arc<Shared<J>>,
    asked: Option<Arc<Asked<J>>>,
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
    asked: Arc<Asked<J>>,
    input: J::Input,
}

struct Asked<J: Job> {
    key: J::Key,
    parts: Vec<J::Part>,
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
        let Some(Wanted { key, parts, input }) = wanted else {
            return self.give_up();
        };
        if self.asked.as_ref().is_none_or(|asked| asked.key != key) {
            self.give_up();
        }
        let last = self.asked.as_ref().map_or(&[][..], |asked| &asked.parts);
        let is_rest = last.ends_with(&parts);
        let asked = Arc::new(Asked { key, parts });
        if !is_rest {
            let Some(input) = input() else {
                return;
            };
            let asked = asked.clone();
            self.request(Request { asked, input });
        }
        self.asked = Some(asked);
    }

    fn request(&mut self, request: Request<J>) {
        let mut state = self.shared.lock();
        state.next = Some(request);
        if !J::FINISHES_PART {
            state.token.cancel();
        }
        self.shared.changed.notify_all();
        drop(state);
        if self.thread.is_none() {
            self.thread = started(J::NAME, self.serve.clone());
        }
        if self.thread.is_none() {
            // The system starts no further thread: better late than never.
            serve_next(&self.serve);
        }
    }

    /// Gives up the run under way, and one that waits.
    fn give_up(&mut self) {
        if self.asked.take().is_some() {
            let mut state = self.shared.lock();
            state.next = None;
            state.token.cancel();
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
        let waits = |state: &mut State<J>| state.busy || state.next.is_some();
        drop(self.shared.wait_while(self.shared.lock(), waits));
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

    fn wait_while<'a>(
        &self,
        state: MutexGuard<'a, State<J>>,
        condition: impl FnMut(&mut State<J>) -> bool,
    ) -> MutexGuard<'a, State<J>> {
        let waited = self.changed.wait_while(state, condition);
        waited.expect("no panic holds the lock")
    }

    /// Waits for the next request and runs the job for it; `false` once the handle is gone. A panic becomes an answer.
    fn serve(&self, job: &mut J, send: &(impl Fn(J::Key, Outcome<J>) + Sync)) -> bool {
        let Some((request, token)) = self.take() else {
            return false;
        };
        let work = AssertUnwindSafe(|| self.run(job, &request, &token, send));
        if let Err(panic) = catch_unwind(work) {
            send(request.asked.key.clone(), Err(words(panic.as_ref())));
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
        Request { asked, input }: &Request<J>,
        token: &CancelToken,
        send: &(impl Fn(J::Key, Outcome<J>) + Sync),
    ) {
        inject_panic(J::NAME);
        let run = Run {
            key: &asked.key,
            input,
            token,
            send: &|output| send(asked.key.clone(), Ok(output)),
        };
        for part in &asked.parts {
            if token.is_cancelled() || self.lock().next.is_some() {
                break;
            }
            if J::IS_LONG {
                pool::run(&mut || job.run(part, &run));
            } else {
                job.run(part, &run);
            }
        }
    }

    /// The next request, and what tokens over it; `None` once the handle is gone.
    fn take(&self) -> Option<(Request<J>, Arc<CancelToken>)> {
        let mut state = self.wait_while(self.lock(), |state| state.next.is_none() && !state.closed);
        if state.closed {
            return None;
        }
        let request = state.next.take()?;
        state.busy = true;
        state.token = Arc::default();
        Some((request, state.token.clone()))
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

/// Panics on the thread that the variable names, so that tests can see what becomes of it. Only
/// builds for development know it.
pub fn inject_panic(thread: &str) {
    let wanted = || std::env::var("ITM_EXPLORE_INJECT_PANIC").is_ok_and(|wanted| wanted == thread);
    assert!(!(cfg!(debug_assertions) && wanted()), "injected panic: {thread}");
}

/// What a panic said.
fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic".into())
}

#[cfg(test)]
mod tests;
