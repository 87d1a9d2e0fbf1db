//! Asks the terminal whether it answers queries at all, then for its image protocols; keeps keys typed meanwhile.

use std::io::{self, Write, stdout};
use std::ops::Range;
use std::time::{Duration, Instant};

use ratatui_image::picker::Picker;
use ratatui_image::picker::cap_parser::QueryStdioOptions;

use super::Event;
use super::sequences::Sequences;
use crate::tui::keymap::Key;
use crate::tui::thumbnails::{ImageBackend, ImageMode, ProtocolType};

/// Timeout of the query for image protocols, in milliseconds.
const IMAGE_PROBE_TIMEOUT_MS: i32 = 1000;

/// Result of [`probe`].
pub struct ProbeResult {
    /// `None` if images are off.
    pub backend: Option<ImageBackend>,
    /// Keys pressed during the probe, in order.
    pub keys: Vec<Key>,
}

/// Chooses the image backend. Raw mode must be on, with no other reader of the terminal. A terminal that does not even
/// identify itself, as under a script, is asked nothing else: late answers would be read as keys.
pub fn probe(mode: ImageMode) -> ProbeResult {
    let halfblocks = || ProbeResult { backend: Some(ImageBackend::halfblocks()), keys: Vec::new() };
    let wanted = match mode {
        ImageMode::Off => return ProbeResult { backend: None, keys: Vec::new() },
        ImageMode::Only(ProtocolType::Halfblocks) => return halfblocks(),
        ImageMode::Auto if is_plain_tmux() => return halfblocks(),
        ImageMode::Auto => None,
        ImageMode::Only(protocol) => Some(protocol),
    };
    let (is_answered, keys) = query_status();
    let backend = if is_answered || wanted.is_some() {
        query_terminal(wanted)
    } else {
        ImageBackend::halfblocks()
    };
    ProbeResult { backend: Some(backend), keys }
}

/// Backend with the best protocol that the terminal reports, or the wanted one, and the cell size in pixels.
fn query_terminal(wanted: Option<ProtocolType>) -> ImageBackend {
    let options =
        QueryStdioOptions { timeout_ms: IMAGE_PROBE_TIMEOUT_MS, ..QueryStdioOptions::default() };
    let reported = Picker::from_query_stdio_with_options(options);
    ImageBackend::new(reported.unwrap_or_else(|_| Picker::halfblocks()), wanted)
}

/// Whether this is tmux without a sign of an outer terminal that shows images: a query through tmux needs passthrough
/// enabled on its pane, which should not happen for nothing.
fn is_plain_tmux() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let outer_terminals =
        ["KITTY_WINDOW_ID", "ITERM_SESSION_ID", "WEZTERM_EXECUTABLE", "GHOSTTY_RESOURCES_DIR"];
    is_set("TMUX") && !outer_terminals.into_iter().any(is_set)
}

/// Timeout of the answers to [`STATUS_QUERIES`]. A late one does no harm: the key reader recognizes it.
const STATUS_TIMEOUT: Duration = Duration::from_millis(300);
/// Queries the kind of terminal (primary device attributes) and its status (device status): a terminal that ignores the
/// second would ignore later queries too, and keys typed meanwhile would be lost.
const STATUS_QUERIES: &[u8] = b"\x1b[c\x1b[5n";
/// First bytes and last byte of the answer to each query.
const ANSWERS: [(&[u8], u8); 2] = [(b"\x1b[?", b'c'), (b"\x1b[0", b'n')];

/// Sends [`STATUS_QUERIES`]. Returns whether the terminal answers both, and the keys pressed meanwhile; a key ends the
/// wait. Raw mode must be on, with no other reader.
fn query_status() -> (bool, Vec<Key>) {
    let mut out = stdout().lock();
    if out.write_all(STATUS_QUERIES).and_then(|()| out.flush()).is_err() {
        return (false, Vec::new());
    }
    let deadline = Instant::now() + STATUS_TIMEOUT;
    let mut bytes = Vec::new();
    loop {
        let (missing, rest) = take_answers(&bytes);
        let is_awaited =
            |(start, _): &(&[u8], u8)| start.starts_with(&rest) || rest.starts_with(start);
        let time_left = deadline.saturating_duration_since(Instant::now());
        let goes_on = missing.iter().any(is_awaited) && !time_left.is_zero();
        if !goes_on || !read_stdin(time_left, &mut bytes).unwrap_or(false) {
            let mut sequences = Sequences::new();
            sequences.push_bytes(&rest);
            let events = std::iter::from_fn(|| sequences.next());
            let key = |event| if let Event::Key(key) = event { Some(key) } else { None };
            return (missing.is_empty(), events.filter_map(key).collect());
        }
    }
}

/// The answers of [`ANSWERS`] that `bytes` lacks, and the bytes that belong to no answer.
fn take_answers(bytes: &[u8]) -> (Vec<(&'static [u8], u8)>, Vec<u8>) {
    let (mut missing, mut rest) = (Vec::new(), bytes.to_vec());
    for (start, end) in ANSWERS {
        match find_answer(&rest, start, end) {
            Some(answer) => drop(rest.drain(answer)),
            None => missing.push((start, end)),
        }
    }
    (missing, rest)
}

/// Range of an answer with these first bytes and this last byte.
fn find_answer(bytes: &[u8], start: &[u8], end: u8) -> Option<Range<usize>> {
    let mut windows = bytes.windows(start.len());
    let from = windows.position(|window| window == start)?;
    let length = bytes[from..].iter().position(|&byte| byte == end)?;
    Some(from..from + length + 1)
}

/// Appends input of the terminal to `bytes`; `false` if none arrives within `timeout`.
///
/// # Errors
/// When the terminal is gone.
#[expect(unsafe_code, reason = "the standard library cannot wait for input for a time")]
pub(super) fn read_stdin(timeout: Duration, bytes: &mut Vec<u8>) -> io::Result<bool> {
    let mut input = libc::pollfd { fd: libc::STDIN_FILENO, events: libc::POLLIN, revents: 0 };
    let mut buffer = [0_u8; 1024];
    // SAFETY: plain system calls, on one descriptor and on a buffer of the length given.
    let count = unsafe {
        if libc::poll(&raw mut input, 1, timeout.as_millis() as i32) < 1 {
            return Ok(false);
        }
        libc::read(libc::STDIN_FILENO, buffer.as_mut_ptr().cast(), buffer.len())
    };
    match usize::try_from(count) {
        Ok(0) => Err(io::Error::other("it is closed")),
        Ok(count) => {
            bytes.extend(&buffer[..count]);
            Ok(true)
        }
        Err(_) => {
            let error = io::Error::last_os_error();
            let is_temporary =
                matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock);
            if is_temporary { Ok(false) } else { Err(error) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_separated_from_keys() {
        let found = |bytes: &[u8]| {
            let (missing, rest) = take_answers(bytes);
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
