//! A thread for one kind of job: a newer request takes the place of one that waits.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use super::{Event, Notify};

/// Hands requests to its thread; dropping it ends the thread after the job under way.
pub struct Worker<R> {
    shared: Arc<Shared<R>>,
}

struct Shared<R> {
    state: Mutex<State<R>>,
    changed: Condvar,
}

struct State<R> {
    next: Option<R>,
    busy: bool,
    closed: bool,
}

impl<R: Send + 'static> Worker<R> {
    /// Starts a thread that does `work` for each request. `work` can ask whether a newer request
    /// waits, and give up early. A panic in `work` becomes an event; the thread goes on.
    pub fn start(
        name: &str,
        notify: Notify,
        mut work: impl FnMut(R, &dyn Fn() -> bool) + Send + 'static,
    ) -> Self {
        let state = State {
            next: None,
            busy: false,
            closed: false,
        };
        let shared = Arc::new(Shared {
            state: Mutex::new(state),
            changed: Condvar::new(),
        });
        let of_thread = shared.clone();
        let title = name.to_owned();
        let run = move || {
            while let Some(request) = of_thread.take() {
                let newer = || of_thread.lock().next.is_some();
                let done = catch_unwind(AssertUnwindSafe(|| {
                    drill(&title);
                    work(request, &newer);
                }));
                if let Err(panic) = done {
                    notify(Event::Panicked(words(panic.as_ref())));
                }
            }
        };
        std::thread::Builder::new()
            .name(name.to_owned())
            .spawn(run)
            .expect("the system can start a handful of threads");
        Worker { shared }
    }

    /// Asks for a job; one that waits is forgotten.
    pub fn request(&self, request: R) {
        self.shared.lock().next = Some(request);
        self.shared.changed.notify_all();
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
        self.shared.lock().closed = true;
        self.shared.changed.notify_all();
    }
}

impl<R> Shared<R> {
    fn lock(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().expect("no panic holds the lock")
    }

    /// The next request; `None` once the handle is gone.
    fn take(&self) -> Option<R> {
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
        state.busy = true;
        state.next.take()
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
        let worker = Worker::start(
            "test",
            notify,
            move |request: i32, newer: &dyn Fn() -> bool| {
                begun.send(()).unwrap();
                gate.recv().unwrap();
                assert!(request != 3, "three");
                done.send((request, newer())).unwrap();
            },
        );
        worker.request(1);
        begins.recv().unwrap();
        worker.request(2);
        worker.request(3);
        go.send(()).unwrap();
        go.send(()).unwrap();
        worker.wait_idle();
        assert_eq!(results.try_iter().collect::<Vec<_>>(), [(1, true)]);
        assert!(matches!(told.try_recv(), Ok(Event::Panicked(text)) if text == "three"));
        worker.request(4);
        go.send(()).unwrap();
        worker.wait_idle();
        assert_eq!(results.try_iter().collect::<Vec<_>>(), [(4, false)]);
    }
}
