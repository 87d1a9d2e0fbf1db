//! A line of text that is typed: one way to edit it, one bound for all.

use tui_input::{Input, InputRequest};

use super::keymap::{Code, Key};
use crate::data::text::{is_hidden, shown};

/// Characters that a line takes. Each key costs work for all of them, however many are queued.
pub const LONGEST: usize = 2_000;

/// Applies a key to a line; whether it was one for editing. A full line takes no further character, and none
/// takes what would hide in it.
pub fn edit(input: &mut Input, key: Key) -> bool {
    let request = match (key.code, key.ctrl) {
        (Code::Char(c), false) if !key.alt && (hides(c) || room(input) == 0) => return true,
        (Code::Char(c), false) if !key.alt => InputRequest::InsertChar(c),
        (Code::Char('u'), true) => InputRequest::DeleteLine,
        (Code::Char('w'), true) => InputRequest::DeletePrevWord,
        (Code::Char('a'), true) | (Code::Named("Home"), _) => InputRequest::GoToStart,
        (Code::Char('e'), true) | (Code::Named("End"), _) => InputRequest::GoToEnd,
        (Code::Named("Backspace"), _) => InputRequest::DeletePrevChar,
        (Code::Named("Delete"), _) => InputRequest::DeleteNextChar,
        (Code::Named("Left"), _) => InputRequest::GoToPrevChar,
        (Code::Named("Right"), _) => InputRequest::GoToNextChar,
        _ => return false,
    };
    input.handle(request);
    true
}

/// Puts pasted text into a line at once, without line ends and control characters; whether there was room
/// for all of it.
pub fn insert(input: &mut Input, text: &str) -> bool {
    let room = room(input);
    let fits: String = text.chars().take(room).collect();
    let is_whole = fits.len() == text.len();
    let fits = shown(&fits);
    let (value, cursor) = (input.value(), input.cursor());
    let before: String = value.chars().take(cursor).collect();
    let after: String = value.chars().skip(cursor).collect();
    let cursor = cursor + fits.chars().count();
    *input = Input::new(before + &fits + &after).with_cursor(cursor);
    is_whole
}

/// Whether a character would hide in a line; what joins emoji is seen in them.
fn hides(c: char) -> bool {
    is_hidden(c) && c != '\u{200d}'
}

fn room(input: &Input) -> usize {
    LONGEST.saturating_sub(input.value().chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paste_is_one_insertion_at_the_cursor() {
        let mut input = Input::new("äc".into()).with_cursor(1);
        assert!(insert(&mut input, "b\nb\u{1b}"));
        assert_eq!((input.value(), input.cursor()), ("äb b\u{fffd}c", 5));
    }

    #[test]
    fn a_line_takes_so_much_and_no_more() {
        let mut input = Input::new("ab".into()).with_cursor(1);
        assert!(!insert(&mut input, &"é".repeat(1_000_000)));
        assert_eq!(input.value().chars().count(), LONGEST);
        assert!(input.value().ends_with("éb"));
        let full = input.value().to_owned();
        assert!(edit(&mut input, Key::plain(Code::Char('x'))));
        assert!(edit(&mut input, Key::plain(Code::Char('\u{202e}'))));
        assert_eq!(input.value(), full);
        assert!(edit(&mut input, Key::plain(Code::Named("Backspace"))));
        assert!(edit(&mut input, Key::plain(Code::Char('x'))));
        assert_eq!(input.value().chars().count(), LONGEST);
        assert!(!insert(&mut input, "y"));
        assert!(insert(&mut input, ""));
    }
}
