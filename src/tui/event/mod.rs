//! What comes in: keys, mouse, size, signals, results; all through one channel.

mod ahead;
pub mod probe;
pub mod terminal;
use std::panic::catch_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

use crossterm::event::{
    Event as Read, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};

use super::backend::Answered;
use super::keymap::{Code, Key};

/// One thing that happened.
#[derive(Debug)]
pub enum Event {
    /// A key was pressed.
    Key(Key),
    /// Text was pasted.
    Paste(String),
    /// The left button was pressed at a column and row.
    Click(u16, u16),
    /// The pointer is at this column while the left button is down.
    Drag(u16),
    /// The left button was let go.
    Release,
    /// The wheel was turned at a column and row, by so many lines.
    Wheel(u16, u16, isize),
    /// The terminal has so many columns and rows now.
    Resize(u16, u16),
    /// A job of the background has an answer.
    Answered(Answered),
    /// Something that is no job of the explorer has an answer.
    Woken,
    /// The process got a signal.
    Signal(i32),
    /// No more input will come, and why.
    Closed(String),
}

/// What the threads that read and the one that draws know of each other.
#[derive(Debug, Clone, Default)]
pub struct Input(Arc<State>);

#[derive(Debug, Default)]
struct State {
    paused: AtomicBool,
    /// Events of the terminal that were read and not taken yet.
    pending: AtomicUsize,
    /// The signal that ends the program; 0 for none.
    signal: AtomicI32,
}

impl Input {
    /// Stops or resumes reading: the terminal is somebody else's.
    pub fn pause(&self, paused: bool) {
        self.0.paused.store(paused, Ordering::Release);
    }

    /// Counts an event as taken.
    pub fn took(&self, event: &Event) {
        if event.is_input() {
            let less = |pending: usize| pending.checked_sub(1);
            // The keys that were typed before anybody read were never counted.
            let _ = self.0.pending.fetch_update(Ordering::AcqRel, Ordering::Acquire, less);
        }
    }

    /// The signal that ends the program, as soon as it is there: whatever is queued before it.
    pub fn signal(&self) -> Option<i32> {
        let signal = self.0.signal.load(Ordering::Acquire);
        (signal != 0).then_some(signal)
    }

    /// Whether reading should wait: what is not read stays in the terminal, which takes no more.
    fn is_resting(&self) -> bool {
        let pending = self.0.pending.load(Ordering::Acquire);
        self.0.paused.load(Ordering::Acquire) || pending >= MOST_PENDING
    }
}

/// Events that may wait to be taken.
const MOST_PENDING: usize = 4_000;

impl Event {
    /// Whether it comes from the terminal.
    fn is_input(&self) -> bool {
        matches!(
            self,
            Event::Key(_)
                | Event::Paste(_)
                | Event::Click(..)
                | Event::Drag(_)
                | Event::Release
                | Event::Wheel(..)
                | Event::Resize(..)
        )
    }
}

/// How long the input thread looks for input before it looks whether it should rest.
const GLANCE: Duration = Duration::from_millis(100);

/// How long it rests before it looks again.
const REST: Duration = Duration::from_millis(10);

/// Starts the thread that reads the terminal; it is the only reader.
///
/// # Errors
/// When the system starts no further thread.
pub fn read_input(events: Sender<Event>, input: Input) -> std::io::Result<()> {
    let read = move || {
        let ended = catch_unwind(std::panic::AssertUnwindSafe(|| read_all(&events, &input)));
        let why = match ended {
            Ok(Ok(())) => return,
            Ok(Err(error)) => error.to_string(),
            Err(_) => "the input thread ended by a panic".into(),
        };
        // When nobody listens any more, the program is leaving already.
        let _ = events.send(Event::Closed(why));
    };
    std::thread::Builder::new().name("input".into()).spawn(read).map(drop)
}

fn read_all(events: &Sender<Event>, input: &Input) -> std::io::Result<()> {
    loop {
        if input.is_resting() {
            std::thread::sleep(REST);
        } else if crossterm::event::poll(GLANCE)?
            && let Some(event) = translated(crossterm::event::read()?)
        {
            input.0.pending.fetch_add(1, Ordering::AcqRel);
            if events.send(event).is_err() {
                return Ok(());
            }
        }
    }
}

/// Lines that one notch of the wheel moves.
const NOTCH: isize = 3;

fn translated(read: Read) -> Option<Event> {
    match read {
        Read::Key(key) if key.kind != KeyEventKind::Release => self::key(key).map(Event::Key),
        Read::Paste(text) => Some(Event::Paste(text)),
        Read::Resize(columns, rows) => Some(Event::Resize(columns, rows)),
        Read::Mouse(mouse) => match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => Some(Event::Click(mouse.column, mouse.row)),
            MouseEventKind::Drag(MouseButton::Left) => Some(Event::Drag(mouse.column)),
            MouseEventKind::Up(MouseButton::Left) => Some(Event::Release),
            MouseEventKind::ScrollDown => Some(Event::Wheel(mouse.column, mouse.row, NOTCH)),
            MouseEventKind::ScrollUp => Some(Event::Wheel(mouse.column, mouse.row, -NOTCH)),
            _ => None,
        },
        _ => None,
    }
}

fn key(event: KeyEvent) -> Option<Key> {
    let is_shifted = event.modifiers.contains(KeyModifiers::SHIFT);
    let code = match event.code {
        KeyCode::Up if is_shifted => Code::Named("Shift-Up"),
        KeyCode::Down if is_shifted => Code::Named("Shift-Down"),
        KeyCode::Char(c) => Code::Char(c),
        KeyCode::F(n) => Code::F(n),
        KeyCode::Enter => Code::Named("Enter"),
        KeyCode::Esc => Code::Named("Esc"),
        KeyCode::Tab => Code::Named("Tab"),
        KeyCode::BackTab => Code::Named("BackTab"),
        KeyCode::Backspace => Code::Named("Backspace"),
        KeyCode::Delete => Code::Named("Delete"),
        KeyCode::Insert => Code::Named("Insert"),
        KeyCode::Left => Code::Named("Left"),
        KeyCode::Right => Code::Named("Right"),
        KeyCode::Up => Code::Named("Up"),
        KeyCode::Down => Code::Named("Down"),
        KeyCode::Home => Code::Named("Home"),
        KeyCode::End => Code::Named("End"),
        KeyCode::PageUp => Code::Named("PageUp"),
        KeyCode::PageDown => Code::Named("PageDown"),
        _ => return None,
    };
    let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
    let alt = event.modifiers.contains(KeyModifiers::ALT);
    Some(Key { code, ctrl, alt })
}

/// Signals that end the program in order.
const ENDING: [i32; 4] = [libc::SIGTERM, libc::SIGHUP, libc::SIGINT, libc::SIGQUIT];

/// Starts the thread that turns signals into events.
///
/// # Errors
/// When the system refuses to register them.
pub fn read_signals(events: Sender<Event>, input: Input) -> std::io::Result<()> {
    let others = [libc::SIGTSTP, libc::SIGCONT];
    let wanted = ENDING.iter().chain(&others);
    let mut signals = signal_hook::iterator::Signals::new(wanted)?;
    let read = move || {
        for signal in signals.forever() {
            if ENDING.contains(&signal) {
                input.0.signal.store(signal, Ordering::Release);
            }
            if events.send(Event::Signal(signal)).is_err() {
                return;
            }
        }
    };
    std::thread::Builder::new().name("signals".into()).spawn(read).map(drop)
}
