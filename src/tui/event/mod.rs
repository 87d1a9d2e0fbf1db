//! Events of the explorer: keys, mouse, resizes, signals and job results, all through one channel.

pub mod probe;
mod sequences;
pub mod terminal;
use std::panic::catch_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

use super::keymap::Key;
use crate::jobs::Answered;
use sequences::Sequences;

/// An input, signal or job result that the explorer handles.
#[derive(Debug)]
pub enum Event {
    /// A key was pressed.
    Key(Key),
    /// Text was pasted.
    Paste(String),
    /// The left button was pressed at this column and row.
    Click(u16, u16),
    /// The wheel was turned at this column and row, by this many lines, down if positive.
    Wheel(u16, u16, isize),
    /// New columns and rows of the terminal.
    Resize(u16, u16),
    /// A background job has an answer.
    Answered(Answered),
    /// The process got a signal.
    Signal(i32),
    /// Input of the terminal ended, for this reason.
    Closed(String),
}

/// State shared by the reading threads and the drawing thread.
#[derive(Debug, Clone, Default)]
pub struct Input(Arc<State>);

/// State that all clones of an [`Input`] share.
#[derive(Debug, Default)]
struct State {
    /// Whether another program owns the terminal.
    paused: AtomicBool,
    /// Terminal events read but not handled yet.
    pending: AtomicUsize,
    /// The signal that ends the program; 0 for none.
    signal: AtomicI32,
    /// Whether the terminal is restored.
    is_restored: AtomicBool,
}

impl Input {
    /// Pauses reading, while another program owns the terminal, or resumes it.
    pub fn set_paused(&self, paused: bool) {
        self.0.paused.store(paused, Ordering::Release);
    }

    /// Counts a terminal event as handled, which makes room for another pending one.
    pub fn count_handled(&self, event: &Event) {
        if event.is_input() {
            let decrement = |pending: usize| pending.checked_sub(1);
            // Keys typed before the thread started were never counted.
            let _ = self.0.pending.fetch_update(Ordering::AcqRel, Ordering::Acquire, decrement);
        }
    }

    /// The signal that ends the program, as soon as it arrives: it overtakes queued events.
    pub fn ending_signal(&self) -> Option<i32> {
        let signal = self.0.signal.load(Ordering::Acquire);
        (signal != 0).then_some(signal)
    }

    /// Records that the terminal is restored, so that a signal need not do it.
    pub fn set_restored(&self) {
        self.0.is_restored.store(true, Ordering::Release);
    }

    /// Whether reading should pause: unread input stays in the terminal's buffer.
    fn is_reading_paused(&self) -> bool {
        let State { paused, pending, .. } = &*self.0;
        paused.load(Ordering::Acquire) || pending.load(Ordering::Acquire) >= MAX_PENDING_EVENTS
    }
}

/// Number of pending events at which reading pauses.
const MAX_PENDING_EVENTS: usize = 4_000;

impl Event {
    /// Whether it comes from the terminal.
    fn is_input(&self) -> bool {
        use Event::{Click, Key, Paste, Wheel};
        matches!(self, Key(_) | Paste(_) | Click(..) | Wheel(..))
    }
}

/// Poll timeout of the input thread before it checks whether to pause.
const POLL_TIMEOUT: Duration = Duration::from_millis(100);

/// Interval at which a paused input thread checks whether to go on.
const PAUSE_INTERVAL: Duration = Duration::from_millis(10);

/// Starts the thread that reads the terminal; it is the only reader.
///
/// # Errors
/// When the system starts no further thread.
pub fn start_input_thread(events: Sender<Event>, input: Input) -> std::io::Result<()> {
    let read = move || {
        let outcome = catch_unwind(std::panic::AssertUnwindSafe(|| send_input(&events, &input)));
        let why = match outcome {
            Ok(Ok(())) => return,
            Ok(Err(error)) => error.to_string(),
            Err(_) => "the input thread ended by a panic".into(),
        };
        // Without a receiver, the program is exiting already.
        let _ = events.send(Event::Closed(why));
    };
    std::thread::Builder::new().name("input".into()).spawn(read).map(drop)
}

/// Sends the events of the terminal until the receiver is gone.
fn send_input(events: &Sender<Event>, input: &Input) -> std::io::Result<()> {
    let (mut sequences, mut bytes) = (Sequences::new(), Vec::new());
    loop {
        if input.is_reading_paused() {
            std::thread::sleep(PAUSE_INTERVAL);
            continue;
        }
        probe::read_stdin(sequences.timeout().unwrap_or(POLL_TIMEOUT), &mut bytes)?;
        sequences.push_bytes(&bytes);
        bytes.clear();
        while let Some(event) = sequences.next() {
            input.0.pending.fetch_add(1, Ordering::AcqRel);
            if events.send(event).is_err() {
                return Ok(());
            }
        }
    }
}

/// Signals on which the program ends cleanly: all that would kill the process, except faults.
fn ending_signals() -> Vec<i32> {
    use libc::{SIGALRM, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGTERM};
    use libc::{SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU};
    let mut signals = vec![SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM];
    signals.extend([SIGVTALRM, SIGPROF, SIGXCPU]);
    #[cfg(target_os = "linux")]
    {
        signals.extend([libc::SIGIO, libc::SIGPWR, libc::SIGSTKFLT]);
        signals.extend(libc::SIGRTMIN()..=libc::SIGRTMAX());
    }
    signals
}

/// Time that the event loop has to restore the terminal after a signal that ends the program: on a blocked terminal it
/// would wait for ever.
const RESTORE_TIMEOUT: Duration = Duration::from_millis(600);

/// Starts the thread that turns signals into events.
///
/// # Errors
/// When the system refuses to register them.
pub fn start_signal_thread(events: Sender<Event>, input: Input) -> std::io::Result<()> {
    let ending = ending_signals();
    let others = [libc::SIGTSTP, libc::SIGCONT, libc::SIGWINCH];
    let mut signals = signal_hook::iterator::Signals::new(ending.iter().chain(&others))?;
    let read = move || {
        for signal in signals.forever() {
            let ends_program = ending.contains(&signal);
            if ends_program {
                input.0.signal.store(signal, Ordering::Release);
            }
            let event = match (signal, crossterm::terminal::size()) {
                (libc::SIGWINCH, Ok((columns, rows))) => Event::Resize(columns, rows),
                _ => Event::Signal(signal),
            };
            if events.send(event).is_err() && !ends_program {
                return;
            }
            if ends_program {
                std::thread::sleep(RESTORE_TIMEOUT);
                if !input.0.is_restored.load(Ordering::Acquire) {
                    terminal::restore_and_exit(signal);
                }
                return;
            }
        }
    };
    std::thread::Builder::new().name("signals".into()).spawn(read).map(drop)
}
