//! Asks the terminal whether it answers at all, and which pictures it can show; keeps the keys that were typed before
//! that is known.

use std::io::{self, Write, stdout};
use std::ops::Range;
use std::time::{Duration, Instant};

use ratatui_image::picker::Picker;
use ratatui_image::picker::cap_parser::QueryStdioOptions;

use super::Event;
use super::sequences::Sequences;
use crate::tui::keymap::Key;
use crate::tui::pictures::{ImageBackend, ImageMode, Way};

/// How long a terminal that does answer may take, in milliseconds.
const PICTURES_PATIENCE: i32 = 1000;

/// What the terminal shows pictures with, and the keys pressed before that was known.
pub struct Probed {
    /// `None` where no pictures are wanted.
    pub backend: Option<ImageBackend>,
    /// In the order in which they were pressed.
    pub keys: Vec<Key>,
}

/// Finds out what to paint pictures with. Raw mode is on, and nobody else reads the terminal yet. A
/// terminal that does not even say what it is, as under a script, is asked nothing else: what it would
/// answer too late would be taken for keys.
pub fn probe(mode: ImageMode) -> Probed {
    let known = |backend| Probed { backend, keys: Vec::new() };
    let wanted = match mode {
        ImageMode::Off => return known(None),
        ImageMode::Way(Way::Halfblocks) => return known(Some(ImageBackend::halfblocks())),
        ImageMode::Auto if is_plain_tmux() => return known(Some(ImageBackend::halfblocks())),
        ImageMode::Auto => None,
        ImageMode::Way(way) => Some(way),
    };
    let (answers, keys) = answers();
    let backend =
        if answers || wanted.is_some() { asked(wanted) } else { ImageBackend::halfblocks() };
    Probed { backend: Some(backend), keys }
}

/// The best way that the terminal has, or the one wanted, with the pixels of its cells.
fn asked(wanted: Option<Way>) -> ImageBackend {
    let options =
        QueryStdioOptions { timeout_ms: PICTURES_PATIENCE, ..QueryStdioOptions::default() };
    let asked = Picker::from_query_stdio_with_options(options);
    let picker = asked.unwrap_or_else(|_| Picker::halfblocks());
    ImageBackend::of(picker, wanted)
}

/// Whether this is tmux, and nothing tells of a terminal around it that shows pictures: to ask through
/// tmux, its pane has to be told to let pictures through, which should not happen for nothing.
fn is_plain_tmux() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let around =
        ["KITTY_WINDOW_ID", "ITERM_SESSION_ID", "WEZTERM_EXECUTABLE", "GHOSTTY_RESOURCES_DIR"];
    is_set("TMUX") && !around.into_iter().any(is_set)
}

/// How long a terminal may take to answer. A late answer does no harm: whoever reads keys knows it.
const PATIENCE: Duration = Duration::from_millis(300);
/// Asks what kind of terminal this is (primary device attributes), and how it is (device status): whoever
/// leaves the second unanswered would leave later questions so, too, and keys typed meanwhile be lost.
const QUESTION: &[u8] = b"\x1b[c\x1b[5n";
/// How the answers begin and end.
const ANSWERS: [(&[u8], u8); 2] = [(b"\x1b[?", b'c'), (b"\x1b[0", b'n')];

/// Whether the terminal answers both questions, and the keys pressed before it did. A key ends the waiting.
/// Raw mode is on, and nobody else reads the terminal.
fn answers() -> (bool, Vec<Key>) {
    let mut out = stdout().lock();
    if out.write_all(QUESTION).and_then(|()| out.flush()).is_err() {
        return (false, Vec::new());
    }
    let until = Instant::now() + PATIENCE;
    let mut bytes = Vec::new();
    loop {
        let (missing, rest) = without_answers(&bytes);
        let is_awaited =
            |(start, _): &(&[u8], u8)| start.starts_with(&rest) || rest.starts_with(start);
        let left = until.saturating_duration_since(Instant::now());
        let goes_on = missing.iter().any(is_awaited) && !left.is_zero();
        if !goes_on || !read(left, &mut bytes).unwrap_or(false) {
            let mut sequences = Sequences::new();
            sequences.add(&rest);
            let typed = std::iter::from_fn(|| sequences.next());
            let key = |event| if let Event::Key(key) = event { Some(key) } else { None };
            return (missing.is_empty(), typed.filter_map(key).collect());
        }
    }
}

/// The answers that are not there yet, and what else was read.
fn without_answers(bytes: &[u8]) -> (Vec<(&'static [u8], u8)>, Vec<u8>) {
    let (mut missing, mut rest) = (Vec::new(), bytes.to_vec());
    for (start, end) in ANSWERS {
        match place(&rest, start, end) {
            Some(answer) => drop(rest.drain(answer)),
            None => missing.push((start, end)),
        }
    }
    (missing, rest)
}

fn place(bytes: &[u8], start: &[u8], end: u8) -> Option<Range<usize>> {
    let mut windows = bytes.windows(start.len());
    let from = windows.position(|part| part == start)?;
    let length = bytes[from..].iter().position(|&byte| byte == end)?;
    Some(from..from + length + 1)
}

/// Reads what is there within `left`; whether there was something.
///
/// # Errors
/// When the terminal is gone.
#[expect(unsafe_code, reason = "the standard library cannot wait for input for a time")]
pub(super) fn read(left: Duration, bytes: &mut Vec<u8>) -> io::Result<bool> {
    let mut input = libc::pollfd { fd: libc::STDIN_FILENO, events: libc::POLLIN, revents: 0 };
    let mut part = [0_u8; 1024];
    // SAFETY: plain system calls, on one descriptor and on a buffer of the length given.
    let count = unsafe {
        if libc::poll(&raw mut input, 1, left.as_millis() as i32) < 1 {
            return Ok(false);
        }
        libc::read(libc::STDIN_FILENO, part.as_mut_ptr().cast(), part.len())
    };
    match usize::try_from(count) {
        Ok(0) => Err(io::Error::other("it is closed")),
        Ok(count) => {
            bytes.extend(&part[..count]);
            Ok(true)
        }
        Err(_) => {
            let error = io::Error::last_os_error();
            let is_passing =
                matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock);
            if is_passing { Ok(false) } else { Err(error) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answers_are_told_from_keys() {
        let found = |bytes: &[u8]| {
            let (missing, rest) = without_answers(bytes);
            (missing.len(), String::from_utf8(rest).unwrap())
        };
        assert_eq!(found(b"\x1b[?62;22c\x1b[0n"), (0, String::new()));
        assert_eq!(found(b"j\x1b[?6ck\x1b[0nl"), (0, "jkl".into()));
        assert_eq!(found(b"\x1b[0nj\x1b[?6c"), (0, "j".into()));
        assert_eq!(found(b"\x1b[?62;2"), (2, "\x1b[?62;2".into()));
        assert_eq!(found(b"j\x1b[?62;2ck"), (1, "jk".into()));
        assert_eq!(found(b"c\x1b[A"), (2, "c\x1b[A".into()));
    }
}
