//! What comes in: keys, mouse, size, signals, results; all through one channel.

mod ahead;
pub mod probe;
pub mod terminal;

use std::panic::catch_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

use crossterm::event::{
    Event as Input, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};

use super::keymap::{Code, Key};
use super::pictures::Painted;
use crate::engine::{self, Draft, Drafted, PictureKey};
use crate::error::Error;
use crate::picture::Why;

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
    /// Background work on the study of this generation has something to tell.
    Engine(u64, engine::Event),
    /// A study was made.
    Made(engine::Event),
    /// A picture was made, or why it was not.
    Picture(PictureKey, Result<Painted, Why>),
    /// A figure was drawn for the screen, or why it was not.
    Drafted(Arc<Draft>, Result<Drafted<Painted>, Error>),
    /// The process got a signal.
    Signal(i32),
    /// No more input will come, and why.
    Closed(String),
}

/// Lets the input thread rest while the terminal is somebody else's.
#[derive(Debug, Clone, Default)]
pub struct Pause(Arc<AtomicBool>);

impl Pause {
    /// Stops or resumes reading.
    pub fn set(&self, paused: bool) {
        self.0.store(paused, Ordering::Release);
    }
}

/// How long the input thread looks for input before it looks whether it should rest.
const GLANCE: Duration = Duration::from_millis(100);

/// Starts the thread that reads the terminal; it is the only reader.
///
/// # Errors
/// When the system starts no further thread.
pub fn read_input(events: Sender<Event>, pause: Pause) -> std::io::Result<()> {
    let read = move || {
        let ended = catch_unwind(std::panic::AssertUnwindSafe(|| read_all(&events, &pause)));
        let why = match ended {
            Ok(Ok(())) => return,
            Ok(Err(error)) => error.to_string(),
            Err(_) => "the input thread ended by a panic".into(),
        };
        // When nobody listens any more, the program is leaving already.
        let _ = events.send(Event::Closed(why));
    };
    std::thread::Builder::new()
        .name("input".into())
        .spawn(read)
        .map(drop)
}

fn read_all(events: &Sender<Event>, pause: &Pause) -> std::io::Result<()> {
    loop {
        if pause.0.load(Ordering::Acquire) {
            std::thread::sleep(Duration::from_millis(10));
        } else if crossterm::event::poll(GLANCE)?
            && let Some(event) = translated(crossterm::event::read()?)
            && events.send(event).is_err()
        {
            return Ok(());
        }
    }
}

/// Lines that one notch of the wheel moves.
const NOTCH: isize = 3;

fn translated(input: Input) -> Option<Event> {
    match input {
        Input::Key(key) if key.kind != KeyEventKind::Release => self::key(key).map(Event::Key),
        Input::Paste(text) => Some(Event::Paste(text)),
        Input::Resize(columns, rows) => Some(Event::Resize(columns, rows)),
        Input::Mouse(mouse) => match mouse.kind {
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
    let code = match event.code {
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

/// Starts the thread that turns signals into events.
///
/// # Errors
/// When the system refuses to register them.
pub fn read_signals(events: Sender<Event>) -> std::io::Result<()> {
    let wanted = [
        libc::SIGTERM,
        libc::SIGHUP,
        libc::SIGINT,
        libc::SIGTSTP,
        libc::SIGCONT,
    ];
    let mut signals = signal_hook::iterator::Signals::new(wanted)?;
    let read = move || {
        for signal in signals.forever() {
            if events.send(Event::Signal(signal)).is_err() {
                return;
            }
        }
    };
    std::thread::Builder::new()
        .name("signals".into())
        .spawn(read)
        .map(drop)
}
