//! Whether the terminal answers at all, and the keys that were typed before that is known.

use std::io::{Write, stdout};
use std::time::{Duration, Instant};

use crate::tui::keymap::{Code, Key};

/// How long a terminal may take to answer. A late answer does no harm: whoever reads keys knows it.
const PATIENCE: Duration = Duration::from_millis(300);
/// Asks what kind of terminal this is (primary device attributes); nearly every terminal answers.
const QUESTION: &[u8] = b"\x1b[c";
/// How the answer begins and ends.
const ANSWER: (&[u8], u8) = (b"\x1b[?", b'c');

/// Whether the terminal answers a question, and the keys pressed before it did. A key ends the waiting.
/// Raw mode is on, and nobody else reads the terminal.
pub(super) fn answers() -> (bool, Vec<Key>) {
    let mut out = stdout().lock();
    if out.write_all(QUESTION).and_then(|()| out.flush()).is_err() {
        return (false, Vec::new());
    }
    let until = Instant::now() + PATIENCE;
    let mut bytes = Vec::new();
    loop {
        match parted(&bytes) {
            Some((before, after)) => {
                let mut keys = typed(before);
                keys.extend(typed(after));
                return (true, keys);
            }
            None if ANSWER.0.starts_with(&bytes) || bytes.starts_with(ANSWER.0) => {}
            None => return (false, typed(&bytes)),
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() || !read(left, &mut bytes) {
            return (false, typed(&bytes));
        }
    }
}

/// What stands before and after the answer, once it is there.
fn parted(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let start = bytes
        .windows(ANSWER.0.len())
        .position(|part| part == ANSWER.0)?;
    let length = bytes[start..].iter().position(|&byte| byte == ANSWER.1)?;
    Some((&bytes[..start], &bytes[start + length + 1..]))
}

/// Reads what is there within `left`; whether there was something.
#[expect(
    unsafe_code,
    reason = "the standard library cannot wait for input for a time"
)]
fn read(left: Duration, bytes: &mut Vec<u8>) -> bool {
    let mut input = libc::pollfd {
        fd: libc::STDIN_FILENO,
        events: libc::POLLIN,
        revents: 0,
    };
    let mut part = [0_u8; 256];
    // SAFETY: plain system calls, on one descriptor and on a buffer of the length given.
    let count = unsafe {
        if libc::poll(&raw mut input, 1, left.as_millis() as i32) < 1 {
            return false;
        }
        libc::read(libc::STDIN_FILENO, part.as_mut_ptr().cast(), part.len())
    };
    let count = usize::try_from(count).unwrap_or(0);
    bytes.extend(&part[..count]);
    count > 0
}

/// Keys by what terminals send for them.
const SEQUENCES: [(&str, &str); 13] = [
    ("\x1b[A", "Up"),
    ("\x1b[B", "Down"),
    ("\x1b[C", "Right"),
    ("\x1b[D", "Left"),
    ("\x1b[H", "Home"),
    ("\x1b[F", "End"),
    ("\x1b[5~", "PageUp"),
    ("\x1b[6~", "PageDown"),
    ("\x1b[Z", "BackTab"),
    ("\x1b", "Esc"),
    ("\r", "Enter"),
    ("\t", "Tab"),
    ("\x7f", "Backspace"),
];

/// The keys that were pressed; others than the common ones are lost.
fn typed(bytes: &[u8]) -> Vec<Key> {
    let text = String::from_utf8_lossy(bytes);
    let mut rest = text.as_ref();
    let mut keys = Vec::new();
    while let Some(first) = rest.chars().next() {
        let named = SEQUENCES.iter().find(|(sent, _)| rest.starts_with(sent));
        let (code, ctrl, length) = match named {
            Some((sent, name)) => (Code::Named(name), false, sent.len()),
            None if ('\x01'..='\x1a').contains(&first) => {
                let letter = (first as u8 - 1 + b'a') as char;
                (Code::Char(letter), true, 1)
            }
            None => (Code::Char(first), false, first.len_utf8()),
        };
        keys.push(Key {
            code,
            ctrl,
            alt: false,
        });
        rest = &rest[length..];
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_is_told_from_keys() {
        let answer = b"\x1b[?62;22c";
        assert_eq!(parted(answer), Some((&b""[..], &b""[..])));
        assert_eq!(parted(b"j\x1b[?6ck"), Some((&b"j"[..], &b"k"[..])));
        assert_eq!(parted(b"\x1b[?62;2"), None);
        assert_eq!(parted(b"c\x1b[A"), None);
    }

    #[test]
    fn keys_are_what_they_are_sent_as() {
        let keys = typed("jé\x1b[B\x03\r\x1b".as_bytes());
        let shown: Vec<String> = keys.iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["j", "é", "Down", "Ctrl-c", "Enter", "Esc"]);
    }
}
