//! A thread for one kind of job: a newer request takes the place of one that waits, and ends the one
//! under way.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;

use super::{Event, Notify};
use crate::rank::pass::Watch;

/// Hands requests to its thread; dropping it ends the job under way, and the thread.
pub struct Worker<R> {
    shared: Arc<Shared<R>>,
    thread: Option<JoinHandle<()>>,
}

struct Shared<R> {
    state: Mutex<State<R>>,
    changed: Condvar,
}

struct State<R> {
    next: Option<R>,
    busy: bool,
    closed: bool,
    /// Of the job under way.
    watch: Arc<Watch>,
}

/// A job under way.
pub struct Job<R> {
    shared: Arc<Shared<R>>,
    /// Cancelled when its result is no longer wanted; tells how far it is.
    pub watch: Arc<Watch>,
}

impl<R> Job<R> {
    /// Whether it should end: a newer request waits, or its result is no longer wanted.
    pub fn is_over(&self) -> bool {
        self.watch.is_cancelled() || self.shared.lock().next.is_some()
    }
}

impl<R: Send + 'static> Worker<R> {
    /// Starts a thread that does `work` for each request, and gives up early when it is told to. A
    /// panic in `work` becomes an event; the thread goes on.
    pub fn start(
        name: &str,
        notify: Notify,
        mut work: impl FnMut(R, &Job<R>) + Send + 'static,
    ) -> Self {
        let state = State {
            next: None,
            busy: false,
            closed: false,
            watch: Arc::default(),
        };
        let shared = Arc::new(Shared {
            state: Mutex::new(state),
            changed: Condvar::new(),
        });
        let of_thread = shared.clone();
        let title = name.to_owned();
        let run = move || {
            while let Some((request, watch)) = of_thread.take() {
                let shared = of_thread.clone();
                let done = catch_unwind(AssertUnwindSafe(|| {
                    drill(&title);
                    work(request, &Job { shared, watch });
                }));
                if let Err(panic) = done {
                    notify(Event::Panicked(words(panic.as_ref())));
                }
            }
        };
        let thread = std::thread::Builder::new()
            .name(name.to_owned())
            .spawn(run)
            .expect("the system can start a handful of threads");
        Worker {
            shared,
            thread: Some(thread),
        }
    }

    /// Asks for a job; one that waits is forgotten, and the one under way is given up.
    pub fn request(&self, request: R) {
        let mut state = self.shared.lock();
        state.next = Some(request);
        state.watch.cancel();
        self.shared.changed.notify_all();
    }

    /// The same, but the one under way may finish the part that it is at, which may be wanted again.
    pub fn request_after_part(&self, request: R) {
        self.shared.lock().next = Some(request);
        self.shared.changed.notify_all();
    }

    /// Gives up the job under way, and one that waits.
    pub fn cancel(&self) {
        let mut state = self.shared.lock();
        state.next = None;
        state.watch.cancel();
    }

    /// Share of the job under way that is done, 0 to 1.
    pub fn progress(&self) -> f64 {
        self.shared.lock().watch.progress()
    }

    /// Ends the thread, and waits until it has dropped all that it had.
    pub fn end(mut self) {
        let thread = self.thread.take();
        drop(self);
        // Its jobs' panics were told; one outside of them leaves nothing to do.
        let _ = thread.map(JoinHandle::join);
    }

    /// Waits until nothing runs and nothing waits.
    pub fn wait_idle(&self) {
        let state = self.shared.lock();
        let waiting = |state: &mut State<R>| state.busy || state.next.is_some();
        drop(
            self.shared
                .changed
                .wait_while(state, waiting)
                .expect("no panic holds the lock"),
        );
    }
}

impl<R> Drop for Worker<R> {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.closed = true;
        state.watch.cancel();
        self.shared.changed.notify_all();
    }
}

impl<R> Shared<R> {
    fn lock(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().expect("no panic holds the lock")
    }

    /// The next request, and what watches over it; `None` once the handle is gone.
    fn take(&self) -> Option<(R, Arc<Watch>)> {
        let mut state = self.lock();
        state.busy = false;
        self.changed.notify_all();
        let mut state = self
            .changed
            .wait_while(state, |state| state.next.is_none() && !state.closed)
            .expect("no panic holds the lock");
        if state.closed {
            return None;
        }
        let request = state.next.take()?;
        state.busy = true;
        state.watch = Arc::default();
        Some((request, state.watch.clone()))
    }
}

/// Panics on the thread that the variable names, so that tests can see what becomes of it. Only
/// builds for development know it.
pub fn drill(thread: &str) {
    let wanted = || std::env::var("ITM_EXPLORE_DRILL").is_ok_and(|wanted| wanted == thread);
    assert!(
        !(cfg!(debug_assertions) && wanted()),
        "a drill on the {thread} thread"
    );
}

/// What a panic said.
fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "panic".into())
}

/// Lets the screen's thread go first: computing threads fill all cores otherwise.
#[cfg(target_os = "linux")]
#[expect(
    unsafe_code,
    reason = "the standard library cannot set a thread's priority"
)]
pub fn lower_priority() {
    // SAFETY: two system calls on the calling thread only; a failure leaves its priority as it is.
    unsafe {
        let thread = libc::syscall(libc::SYS_gettid) as libc::id_t;
        libc::setpriority(libc::PRIO_PROCESS, thread, 10);
    }
}

/// Threads have no priority of their own here.
#[cfg(not(target_os = "linux"))]
pub fn lower_priority() {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn the_newest_request_wins_and_a_panic_is_told() {
        let (events, told) = mpsc::channel();
        let notify: Notify = Arc::new(move |event| events.send(event).unwrap());
        let (begun, begins) = mpsc::channel();
        let (go, gate) = mpsc::channel::<()>();
        let (done, results) = mpsc::channel();
        let worker = Worker::start("test", notify, move |request: i32, job: &Job<i32>| {
            begun.send(()).unwrap();
            gate.recv().unwrap();
            assert!(request != 3, "three");
            done.send((request, job.is_over(), job.watch.is_cancelled()))
                .unwrap();
        });
        worker.request(1);
        begins.recv().unwrap();
        worker.request(2);
        worker.request(3);
        go.send(()).unwrap();
        go.send(()).unwrap();
        worker.wait_idle();
        assert_eq!(results.try_iter().collect::<Vec<_>>(), [(1, true, true)]);
        assert!(matches!(told.try_recv(), Ok(Event::Panicked(text)) if text == "three"));
        worker.request(4);
        go.send(()).unwrap();
        worker.wait_idle();
        assert_eq!(results.try_iter().collect::<Vec<_>>(), [(4, false, false)]);
    }

    /// A worker that hands the watch of each job out and waits for the way to be free.
    fn watched() -> (Worker<i32>, mpsc::Receiver<Arc<Watch>>, mpsc::Sender<()>) {
        let (begun, begins) = mpsc::channel();
        let (go, gate) = mpsc::channel::<()>();
        let worker = Worker::start("test", Arc::new(|_| {}), move |_, job: &Job<i32>| {
            begun.send(job.watch.clone()).unwrap();
            gate.recv().unwrap();
        });
        (worker, begins, go)
    }

    #[test]
    fn a_job_whose_worker_is_gone_is_cancelled() {
        let (worker, begins, go) = watched();
        worker.request(1);
        let watch = begins.recv().unwrap();
        assert!(!watch.is_cancelled());
        drop(worker);
        assert!(watch.is_cancelled());
        go.send(()).unwrap();
        assert!(begins.recv().is_err());
    }

    #[test]
    fn a_part_may_be_finished_before_a_newer_request() {
        let (worker, begins, go) = watched();
        worker.request(1);
        let first = begins.recv().unwrap();
        worker.request_after_part(2);
        assert!(!first.is_cancelled());
        worker.cancel();
        assert!(first.is_cancelled());
        go.send(()).unwrap();
        worker.wait_idle();
        assert!(begins.try_recv().is_err());
    }
}
