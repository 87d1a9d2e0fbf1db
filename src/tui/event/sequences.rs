//! Parses what a terminal sends: keys, mouse reports, pasted text.
//!
//! Source: <https://invisible-island.net/xterm/ctlseqs/ctlseqs.html>.

use std::time::{Duration, Instant};

use super::Event;
use crate::tui::keymap::{Code, Key};

/// Bytes from the terminal that are not parsed yet.
#[derive(Debug)]
pub(super) struct Sequences {
    bytes: Vec<u8>,
    /// When the first, incomplete sequence began.
    since: Instant,
}

const ESC: u8 = 0x1b;
const PASTE_START: &[u8] = b"\x1b[200~";
const PASTE_END: &[u8] = b"\x1b[201~";
/// How long the rest of an incomplete sequence is awaited.
const SEQUENCE_TIMEOUT: Duration = Duration::from_millis(100);
/// How long the next bytes of an incomplete paste are awaited.
const PASTE_TIMEOUT: Duration = Duration::from_secs(1);
/// Lines per notch of the wheel.
const LINES_PER_NOTCH: isize = 3;

/// Length of a sequence in bytes, and its event, if it has one.
type Parsed = (usize, Option<Event>);

impl Sequences {
    pub(super) fn new() -> Self {
        Sequences { bytes: Vec::new(), since: Instant::now() }
    }

    /// Appends bytes that were read from the terminal.
    pub(super) fn push_bytes(&mut self, bytes: &[u8]) {
        if self.bytes.is_empty() || self.bytes.starts_with(PASTE_START) {
            self.since = Instant::now();
        }
        self.bytes.extend(bytes);
    }

    /// How long to wait for the rest of the first sequence; `None` if there are no bytes.
    pub(super) fn timeout(&self) -> Option<Duration> {
        let timeout = match &self.bytes[..] {
            [] => return None,
            [ESC] => Duration::ZERO,
            bytes if bytes.starts_with(PASTE_START) => PASTE_TIMEOUT,
            _ => SEQUENCE_TIMEOUT,
        };
        Some(timeout.saturating_sub(self.since.elapsed()))
    }

    /// Takes out the next event; `None` until more bytes arrive. After its timeout, an incomplete sequence is parsed as
    /// it is.
    pub(super) fn next(&mut self) -> Option<Event> {
        while !self.bytes.is_empty() {
            let is_late = || self.timeout() == Some(Duration::ZERO);
            let parsed = parse_first(&self.bytes);
            let (length, event) =
                parsed.or_else(|| is_late().then(|| parse_incomplete(&self.bytes)))?;
            self.bytes.drain(..length);
            self.since = Instant::now();
            if event.is_some() {
                return event;
            }
        }
        None
    }
}

/// Parses the first sequence; `None` if it is incomplete.
fn parse_first(bytes: &[u8]) -> Option<Parsed> {
    match bytes {
        [ESC, b'[', rest @ ..] => parse_csi(rest).map(|(length, event)| (length + 2, event)),
        [ESC, b'O', rest @ ..] => Some((3, key_of_csi(*rest.first()?, &[]).map(Event::Key))),
        // A late answer to an image query.
        [ESC, b'_', b'G', ..] => Some((find(bytes, b"\x1b\\")? + 2, None)),
        [ESC] => None,
        // One key, held down or pressed twice, unless the second begins a sequence.
        [ESC, ESC, rest @ ..] => {
            let length = if matches!(rest, [b'[' | b'O', ..]) { 1 } else { 2 };
            Some((length, Some(Event::Key(Key::named("Esc")))))
        }
        [ESC, rest @ ..] => parse_alt(rest),
        _ => parse_char(bytes).map(|(length, key)| (length, key.map(Event::Key))),
    }
}

/// Parses all bytes as a sequence that ended too early.
fn parse_incomplete(bytes: &[u8]) -> Parsed {
    let event = match bytes {
        [ESC] => Some(Event::Key(Key::named("Esc"))),
        [ESC, rest @ ..] if rest.len() == 1 => return parse_alt(rest).unwrap_or((2, None)),
        _ => bytes
            .strip_prefix(PASTE_START)
            .map(|text| Event::Paste(String::from_utf8_lossy(text).into())),
    };
    (bytes.len(), event)
}

/// Index of the first occurrence of `part`.
fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}

/// Parses the bytes after ESC as a key with Alt; the length includes ESC. `None` if the character is incomplete.
fn parse_alt(bytes: &[u8]) -> Option<Parsed> {
    let (length, key) = parse_char(bytes)?;
    Some((length + 1, key.map(|key| Event::Key(Key { alt: true, ..key }))))
}

/// Parses a UTF-8 character into its length and key. An invalid byte has no key; `None` if the character is incomplete.
fn parse_char(bytes: &[u8]) -> Option<(usize, Option<Key>)> {
    let length = match bytes.first()? {
        0..0x80 => 1,
        0xc2..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0..0xf5 => 4,
        _ => return Some((1, None)),
    };
    let Ok(text) = str::from_utf8(bytes.get(..length)?) else { return Some((1, None)) };
    Some((length, text.chars().next().map(key_of_char)))
}

/// The key that sends a character, which may be a control character.
fn key_of_char(c: char) -> Key {
    let ctrl = |c: u8| Key { ctrl: true, ..Key::plain(Code::Char(c as char)) };
    match c {
        '\r' => Key::named("Enter"),
        '\t' => Key::named("Tab"),
        '\x1b' => Key::named("Esc"),
        '\x7f' => Key::named("Backspace"),
        '\0' => ctrl(b' '),
        '\x01'..='\x1a' => ctrl(b'a' - 1 + c as u8),
        '\x1c'..='\x1f' => ctrl(b'4' - 0x1c + c as u8),
        c => Key::plain(Code::Char(c)),
    }
}

/// Parses a control sequence from the bytes after `ESC [`, which the length excludes; `None` if it is incomplete.
fn parse_csi(bytes: &[u8]) -> Option<Parsed> {
    if let [b'2', b'0', b'0', b'~', text @ ..] = bytes {
        let end = find(text, PASTE_END)?;
        let pasted = String::from_utf8_lossy(&text[..end]).into_owned();
        return Some((4 + end + PASTE_END.len(), Some(Event::Paste(pasted))));
    }
    let is_mouse = bytes.first() == Some(&b'<');
    let is_parameter = |byte: &u8| {
        let is_report = matches!(byte, b'<' | b'0'..=b'9' | b';');
        if is_mouse { is_report } else { (0x20..0x40).contains(byte) }
    };
    let end = bytes.iter().position(|byte| !is_parameter(byte))?;
    let last = bytes[end];
    if !(0x40..0x7f).contains(&last) || is_mouse && !matches!(last, b'M' | b'm') {
        // Cut off: another sequence follows.
        return Some((end, None));
    }
    let numbers = String::from_utf8_lossy(&bytes[usize::from(is_mouse)..end]);
    let number = |text: &str| text.split(':').next().and_then(|n| n.parse().ok()).unwrap_or(0);
    let numbers: Vec<u16> = numbers.split(';').map(number).collect();
    let event = match (last, &numbers[..]) {
        (b'M' | b'm', &[button, x, y]) if is_mouse => mouse_event(button, [x, y], last == b'm'),
        (b'M', &[button, x, y]) => {
            let button = button.saturating_sub(32);
            mouse_event(button, [x, y], button & 3 == 3)
        }
        _ if matches!(bytes[0], b'?' | b'>' | b'=') => None,
        _ => key_of_csi(last, &numbers).map(Event::Key),
    };
    Some((end + 1, event))
}

/// Key of a control sequence by its last byte and its numbers; the second number encodes modifiers. `None` if unknown.
fn key_of_csi(last: u8, numbers: &[u16]) -> Option<Key> {
    let modifiers = numbers.get(1).map_or(0, |number| number.saturating_sub(1));
    let first = numbers.first().copied().unwrap_or(0);
    let name = match (last, first) {
        (b'A', _) if modifiers & 1 > 0 => "Shift-Up",
        (b'B', _) if modifiers & 1 > 0 => "Shift-Down",
        (b'A', _) => "Up",
        (b'B', _) => "Down",
        (b'C', _) => "Right",
        (b'D', _) => "Left",
        (b'H', _) | (b'~', 1 | 7) => "Home",
        (b'F', _) | (b'~', 4 | 8) => "End",
        (b'Z', _) => "BackTab",
        (b'~', 2) => "Insert",
        (b'~', 3) => "Delete",
        (b'~', 5) => "PageUp",
        (b'~', 6) => "PageDown",
        (b'P'..=b'S', _) => return Some(with_modifiers(Code::F(last - b'P' + 1), modifiers)),
        (b'~', 11..=24) => {
            let numbers = [0, 11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24];
            let function = numbers.iter().position(|number| *number == first)?;
            return Some(with_modifiers(Code::F(function as u8), modifiers));
        }
        (b'u', code) => {
            let key = key_of_char(char::from_u32(code.into())?);
            let modified = with_modifiers(key.code, modifiers);
            return Some(Key { ctrl: key.ctrl || modified.ctrl, ..modified });
        }
        _ => return None,
    };
    Some(with_modifiers(Code::Named(name), modifiers))
}

/// A key with modifiers as terminals encode them: bit 1 is Alt, bit 2 Control.
fn with_modifiers(code: Code, modifiers: u16) -> Key {
    Key { code, alt: modifiers & 2 > 0, ctrl: modifiers & 4 > 0 }
}

/// Event of a mouse report: button code, and column and row, both from 1. `None` except for a press of the left button
/// or a turn of the wheel.
fn mouse_event(button: u16, [x, y]: [u16; 2], is_release: bool) -> Option<Event> {
    let (x, y) = (x.saturating_sub(1), y.saturating_sub(1));
    // Without Shift, Alt and Ctrl.
    match button & !0b1_1100 {
        0 if !is_release => Some(Event::Click(x, y)),
        64 => Some(Event::Wheel(x, y, -LINES_PER_NOTCH)),
        65 => Some(Event::Wheel(x, y, LINES_PER_NOTCH)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn events(sequences: &mut Sequences) -> Vec<String> {
        let shown = |event| match event {
            Event::Key(key) => key.to_string(),
            other => format!("{other:?}"),
        };
        std::iter::from_fn(|| sequences.next()).map(shown).collect()
    }

    /// Events of bytes that arrive at once, before a pause.
    fn all(bytes: &[u8]) -> String {
        let mut sequences = Sequences::new();
        sequences.push_bytes(bytes);
        let mut found = events(&mut sequences);
        if let Some(long_ago) = Instant::now().checked_sub(PASTE_TIMEOUT) {
            sequences.since = long_ago;
        }
        found.extend(events(&mut sequences));
        found.join(" ")
    }

    #[test]
    fn keys_are_parsed() {
        assert_eq!(
            all("jé\x1b[B\x03\r\x7f\t\x1b".as_bytes()),
            "j é Down Ctrl-c Enter Backspace Tab Esc"
        );
        assert_eq!(all(b"\x1bOA\x1bOP\x1b[15~\x1b[24~"), "Up F1 F5 F12");
        assert_eq!(
            all(b"\x1b[1;2A\x1b[1;5C\x1b[3;3~\x1b[Z"),
            "Shift-Up Ctrl-Right Alt-Delete BackTab"
        );
        assert_eq!(all(b"\x1bo\x1b\x1bO"), "Alt-o Esc Alt-O");
        assert_eq!(all(b"\x1b["), "Alt-[");
        assert_eq!(all(b"\x1b[99;5u\x1b[13;3u"), "Ctrl-c Alt-Enter");
        assert_eq!(all(b"\xff\xc3\x28j\x00"), "( j Ctrl-Space");
    }

    #[test]
    fn answers_of_the_terminal_are_not_parsed_as_keys() {
        assert_eq!(all(b"j\x1b[?62;22ck\x1b[0nl\x1b_Gi=31;OK\x1b\\m\x1b[I"), "j k l m");
    }

    #[test]
    fn both_forms_of_mouse_reports_are_parsed() {
        assert_eq!(all(b"\x1b[<0;5;7M\x1b[32;5;7M\x1b[35;5;7M"), "Click(4, 6) Click(4, 6)");
        assert_eq!(all(b"\x1b[<0;5;7m\x1b[<32;9;7M\x1b[<64;5;7M"), "Wheel(4, 6, -3)");
        assert_eq!(all(b"\x1b[<35;5;7M\x1b[<2;5;7M"), "");
    }

    #[test]
    fn the_key_after_a_cut_sequence_is_parsed() {
        assert_eq!(all(b"\x1b[<j\x1b[<?"), "j ?");
        assert_eq!(all(b"\x1b[<0;5\x1b[<0;5;7Mj"), "Click(4, 6) j");
        let mut sequences = Sequences::new();
        sequences.push_bytes(b"\x1b[<0;5");
        assert!(sequences.next().is_none() && sequences.timeout() <= Some(SEQUENCE_TIMEOUT));
        std::thread::sleep(SEQUENCE_TIMEOUT);
        assert!(sequences.next().is_none() && sequences.timeout().is_none());
        sequences.push_bytes(b"7");
        assert_eq!(events(&mut sequences), ["7"]);
    }

    #[test]
    fn a_paste_is_one_event_even_if_its_end_is_missing() {
        assert_eq!(all(b"\x1b[200~a\x1b[A\nb\x1b[201~j"), "Paste(\"a\\u{1b}[A\\nb\") j");
        assert_eq!(all(b"\x1b[200~a"), "Paste(\"a\")");
    }

    proptest! {
        #[test]
        fn all_bytes_are_consumed(parts in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..9), 0..9)) {
            let mut sequences = Sequences::new();
            for part in &parts {
                sequences.push_bytes(part);
                events(&mut sequences);
            }
            sequences.since -= PASTE_TIMEOUT;
            events(&mut sequences);
            prop_assert!(sequences.bytes.is_empty());
        }
    }
}
