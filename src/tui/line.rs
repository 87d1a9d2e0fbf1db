//! A line of text that is typed: one way to edit it, one bound for all.

use tui_input::{Input, InputRequest};

use super::keymap::{Code, Key};
use super::model::search::Recall;
use super::model::view_state::Memory;
use crate::data::text::{is_hidden, shown};
use crate::session::Prompt;

/// Characters that a line takes. Each key costs work for all of them, however many are queued.
pub const LONGEST: usize = 2_000;

/// A text with its cursor. One that the program proposes is selected as a whole at first: what is typed or pasted
/// takes its place, any other key that edits does so to what was proposed.
#[derive(Debug, Clone, Default)]
pub struct TextLine {
    input: Input,
    is_proposed: bool,
}

impl TextLine {
    /// A text that is edited at its end.
    pub fn new(text: String) -> Self {
        TextLine { input: Input::new(text), is_proposed: false }
    }

    /// A text that the program proposes.
    pub fn proposing(text: String) -> Self {
        TextLine { is_proposed: true, ..TextLine::new(text) }
    }

    /// The text and the cursor.
    pub fn input(&self) -> &Input {
        &self.input
    }

    /// What stands on it.
    pub fn text(&self) -> &str {
        self.input.value()
    }

    /// Whether it stands there as it was proposed.
    pub fn is_proposed(&self) -> bool {
        self.is_proposed
    }

    /// Puts the cursor before the character at a place.
    pub fn move_to(&mut self, place: usize) {
        self.input = self.input.clone().with_cursor(place);
    }

    /// Applies a key; whether it was one for editing.
    pub fn edit(&mut self, key: Key) -> bool {
        let types = matches!(key.code, Code::Char(c) if !key.ctrl && !key.alt && !hides(c));
        self.begin(types);
        let is_edited = edit(&mut self.input, key);
        self.is_proposed &= !is_edited;
        is_edited
    }

    /// Puts pasted text into it; whether there was room for all of it.
    pub fn insert(&mut self, text: &str) -> bool {
        self.begin(true);
        insert(&mut self.input, text)
    }

    /// What was proposed gives way to what is typed.
    fn begin(&mut self, types: bool) {
        if types && self.is_proposed {
            *self = TextLine::default();
        }
    }
}

/// A line of a prompt, which remembers what was typed into it.
pub struct PromptLine {
    /// The text and the cursor.
    pub line: TextLine,
    prompt: Prompt,
    recall: Recall,
}

/// What a key was to a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Typed {
    /// It closes the line.
    Closed,
    /// What stands on it is to be used.
    Entered,
    /// It edited the line.
    Edited,
    /// Nothing.
    Ignored,
}

impl PromptLine {
    /// Takes any key while the line is open.
    pub fn take(&mut self, key: Key, memory: &Memory) -> Typed {
        match key.code {
            _ if key.closes() => Typed::Closed,
            Code::Named("Enter") => Typed::Entered,
            _ if self.key(key, memory) => Typed::Edited,
            _ => Typed::Ignored,
        }
    }

    /// The line with a text on it.
    pub fn new(prompt: Prompt, text: String) -> Self {
        PromptLine::with(prompt, TextLine::new(text))
    }

    /// The line with a text on it that the program proposes.
    pub fn proposing(prompt: Prompt, text: String) -> Self {
        PromptLine::with(prompt, TextLine::proposing(text))
    }

    fn with(prompt: Prompt, line: TextLine) -> Self {
        PromptLine { line, prompt, recall: Recall::default() }
    }

    /// What stands on it.
    pub fn text(&self) -> &str {
        self.line.text()
    }

    /// Puts another text on it.
    pub fn set(&mut self, text: String) {
        self.line = TextLine::new(text);
        self.recall = Recall::default();
    }

    /// Whether a text of earlier stands on it.
    pub fn is_recalling(&self) -> bool {
        self.recall.is_under_way()
    }

    /// Applies a key: it edits the line, or goes through what was typed before; whether it was one for that.
    pub fn key(&mut self, key: Key, memory: &Memory) -> bool {
        if let Some(older) = recalls(key, true) {
            let past = memory.past(self.prompt);
            if let Some(text) = self.recall.step(self.line.text(), past, older) {
                self.line = TextLine::new(text);
            }
            return true;
        }
        let is_edited = self.line.edit(key);
        if is_edited {
            self.recall = Recall::default();
        }
        is_edited
    }

    /// Puts pasted text into it; whether there was room for all of it.
    pub fn insert(&mut self, text: &str) -> bool {
        self.recall = Recall::default();
        self.line.insert(text)
    }

    /// Remembers what stands on it.
    pub fn keep(&self, memory: &mut Memory) {
        memory.typed(self.prompt, self.text());
    }
}

/// Whether a key asks for an older text (`true`) or a younger one that was typed before; the arrows do where
/// they have nothing else to do.
pub fn recalls(key: Key, with_arrows: bool) -> Option<bool> {
    match (key.code, key.ctrl) {
        (Code::Char('p'), true) => Some(true),
        (Code::Char('n'), true) => Some(false),
        (Code::Named("Up"), _) if with_arrows => Some(true),
        (Code::Named("Down"), _) if with_arrows => Some(false),
        _ => None,
    }
}

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
    fn what_is_typed_takes_the_place_of_what_was_proposed() {
        let text = |keys: &str| {
            let mut line = TextLine::proposing("a-picks.pdf".into());
            for key in Key::sequence(keys).unwrap() {
                line.edit(key);
            }
            assert!(!line.is_proposed(), "{keys}");
            line.text().to_owned()
        };
        for (keys, wanted) in [
            ("b", "b"),
            ("fig.svg", "fig.svg"),
            ("<End>x", "a-picks.pdfx"),
            ("<Left>x", "a-picks.pdxf"),
            ("<Backspace>x", "a-picks.pdx"),
            ("<Home>x", "xa-picks.pdf"),
            ("<Ctrl-w>x", "a-x"),
            ("<Ctrl-u>", ""),
        ] {
            assert_eq!(text(keys), wanted, "{keys}");
        }
        let mut line = TextLine::proposing("a".into());
        assert!(!line.edit(Key::plain(Code::Named("F5"))));
        assert!(line.is_proposed());
        assert!(line.insert("b.pdf"));
        assert_eq!(line.text(), "b.pdf");
        // What one wrote oneself is gone on with.
        let mut own = TextLine::new("a".into());
        own.edit(Key::plain(Code::Char('b')));
        assert_eq!(own.text(), "ab");
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
