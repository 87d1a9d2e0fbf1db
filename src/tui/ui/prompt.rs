//! A text input: its cursor, earlier texts, and drawing.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};
use rustc_hash::FxHashMap;
use tui_input::{Input, InputRequest};

use super::text;
use crate::data::text::{is_hidden, shown};
use crate::tui::action::Action;
use crate::tui::keymap::{Code, Key};
use crate::tui::theme::{Theme, ThemeStyle};

/// Maximum characters of a line: each key costs work for all of them.
pub const MAX_CHARS: usize = 2_000;

/// Minimum columns of a note; without them it is not drawn.
const MIN_NOTE_COLUMNS: usize = 8;

/// Minimum and maximum columns of the text beside a note.
const TEXT_COLUMNS: std::ops::RangeInclusive<usize> = 8..=24;

/// A text with its cursor. A proposed text is replaced by the first character typed or pasted; any other key edits it.
#[derive(Debug, Clone, Default)]
pub struct PromptLine {
    input: Input,
    is_proposed: bool,
    /// How many entries back in the history the text is; 0 for the typed text.
    back: usize,
    /// The typed text, while an earlier one is recalled.
    typed: String,
}

/// Texts entered into each prompt, latest last, by the action that opens it.
#[derive(Debug, Default)]
pub struct PromptHistory(FxHashMap<Action, Vec<String>>);

impl PromptHistory {
    /// Texts of a prompt, latest last.
    pub fn entries(&self, prompt: Action) -> &[String] {
        self.0.get(&prompt).map_or(&[], Vec::as_slice)
    }

    /// Adds a used text of a prompt, trimmed, as the latest one. A repeated text moves to the end, a blank one is
    /// ignored.
    pub fn add(&mut self, prompt: Action, text: &str) {
        let text = text.trim();
        if !text.is_empty() {
            let texts = self.0.entry(prompt).or_default();
            texts.retain(|known| known != text);
            texts.push(text.to_owned());
        }
    }
}

/// Effect of a key on a [`PromptLine`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyEffect {
    /// Closes the line.
    Closed,
    /// Enters the text.
    Entered,
    /// Changes the text or cursor.
    Edited,
    /// No effect: the line has no use for the key.
    Ignored,
}

impl PromptLine {
    /// A text with the cursor at its end.
    pub fn new(text: String) -> Self {
        PromptLine { input: Input::new(text), ..PromptLine::default() }
    }

    /// A text that the first character typed or pasted replaces.
    pub fn with_proposal(text: String) -> Self {
        PromptLine { is_proposed: true, ..PromptLine::new(text) }
    }

    /// The text.
    pub fn text(&self) -> &str {
        self.input.value()
    }

    /// Whether an earlier text is recalled.
    pub fn is_recalling(&self) -> bool {
        self.back > 0
    }

    /// Moves the cursor before the character at an index.
    pub fn move_cursor(&mut self, at: usize) {
        self.input = self.input.clone().with_cursor(at);
    }

    /// Applies a key. Up and Down, and Ctrl-p and Ctrl-n, recall texts of `history`, latest last.
    pub fn key(&mut self, key: Key, history: &[String]) -> KeyEffect {
        let request = match (key.code, key.ctrl) {
            _ if key.closes_popup() => return KeyEffect::Closed,
            (Code::Named("Enter"), _) => return KeyEffect::Entered,
            (Code::Named("Up"), _) | (Code::Char('p'), true) => return self.recall(1, history),
            (Code::Named("Down"), _) | (Code::Char('n'), true) => return self.recall(-1, history),
            (Code::Char(c), false) if !key.alt => {
                // Joiners are part of emoji.
                if !is_hidden(c) || c == '\u{200d}' {
                    self.insert(c.encode_utf8(&mut [0; 4]));
                }
                return KeyEffect::Edited;
            }
            (Code::Char('u'), true) => InputRequest::DeleteLine,
            (Code::Char('w'), true) => InputRequest::DeletePrevWord,
            (Code::Char('a'), true) | (Code::Named("Home"), _) => InputRequest::GoToStart,
            (Code::Char('e'), true) | (Code::Named("End"), _) => InputRequest::GoToEnd,
            (Code::Named("Backspace"), _) => InputRequest::DeletePrevChar,
            (Code::Named("Delete"), _) => InputRequest::DeleteNextChar,
            (Code::Named("Left"), _) => InputRequest::GoToPrevChar,
            (Code::Named("Right"), _) => InputRequest::GoToNextChar,
            _ => return KeyEffect::Ignored,
        };
        self.input.handle(request);
        (self.is_proposed, self.back) = (false, 0);
        KeyEffect::Edited
    }

    /// Inserts pasted text, with blanks for line ends; returns whether all of it fitted.
    pub fn paste(&mut self, text: &str) -> bool {
        let start: String = text.chars().take(MAX_CHARS).collect();
        self.insert(&shown(&start)) && start.len() == text.len()
    }

    /// Inserts as much of a text as fits at the cursor, or in place of proposed text; returns whether all of it fitted.
    fn insert(&mut self, text: &str) -> bool {
        if self.is_proposed {
            self.input = Input::default();
        }
        (self.is_proposed, self.back) = (false, 0);
        let mut chars: Vec<char> = self.text().chars().collect();
        let fits: Vec<char> = text.chars().take(MAX_CHARS.saturating_sub(chars.len())).collect();
        let (cursor, count) = (self.input.cursor(), fits.len());
        chars.splice(cursor..cursor, fits);
        self.input = Input::new(chars.into_iter().collect()).with_cursor(cursor + count);
        count == text.chars().count()
    }

    /// Recalls the text `by` entries further back in `history`, or forward if negative. The typed text follows the
    /// latest entry. No effect past either end.
    fn recall(&mut self, by: isize, history: &[String]) -> KeyEffect {
        let to = self.back.checked_add_signed(by).filter(|to| *to <= history.len());
        if let Some(back) = to {
            let typed = if self.back == 0 { self.text() } else { &self.typed }.to_owned();
            let text = if back == 0 { &typed } else { &history[history.len() - back] }.clone();
            *self = PromptLine { back, typed, ..PromptLine::new(text) };
        }
        KeyEffect::Edited
    }

    /// Number of columns hidden at the left of the text, so that the cursor is within `room` columns.
    pub fn hidden_columns(&self, room: usize) -> usize {
        (self.columns_before_cursor() + 1).saturating_sub(room)
    }

    /// Width of the text before the cursor.
    fn columns_before_cursor(&self) -> usize {
        let before: String = self.text().chars().take(self.input.cursor()).collect();
        text::width(&shown(&before))
    }

    /// Draws the line in a row, after `label` and with a note at the right. Returns column and row of the cursor;
    /// `None` if there is no room.
    pub fn draw(
        &self,
        label: &str,
        (note, style): (&str, ThemeStyle),
        row: Rect,
        theme: &Theme,
        buf: &mut Buffer,
    ) -> Option<(u16, u16)> {
        if row.is_empty() {
            return None;
        }
        let (line, label_columns) = (shown(self.text()), text::width(label));
        let right_of_label = usize::from(row.width).checked_sub(label_columns + 1)?;
        let text_columns =
            (text::width(&line) + 2).clamp(*TEXT_COLUMNS.start(), *TEXT_COLUMNS.end());
        let left = right_of_label.saturating_sub(text_columns);
        let note = if left < MIN_NOTE_COLUMNS { String::new() } else { text::fit(note, left) };
        let room = match text::width(&note) {
            0 => right_of_label + 1,
            columns => right_of_label - columns,
        };
        let hidden = self.hidden_columns(room);
        let visible = text::fit(text::skip_columns(&line, hidden), room);
        let blanks = room - text::width(&visible);
        let look = if self.is_proposed { theme.selected.into() } else { Style::default() };
        let spans = [
            Span::styled(label, theme.key),
            Span::styled(visible, look),
            Span::raw(" ".repeat(blanks)),
            Span::styled(note, style),
        ];
        buf.set_line(row.x, row.y, &Line::from_iter(spans), row.width);
        if hidden > 0 && label_columns > 0 {
            buf.set_string(row.x + label_columns as u16 - 1, row.y, "…", theme.dim);
        }
        let column = label_columns + self.columns_before_cursor() - hidden;
        Some((row.x + column as u16, row.y))
    }

    /// Draws the line as [`PromptLine::draw`] does, over the footer.
    pub fn draw_over(
        &self,
        label: &str,
        note: (&str, ThemeStyle),
        footer: Rect,
        theme: &Theme,
        buf: &mut Buffer,
    ) -> Option<(u16, u16)> {
        Clear.render(footer, buf);
        buf.set_style(footer, theme.base);
        buf.set_style(footer, theme.header);
        self.draw(label, note, footer, theme, buf)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(mut line: PromptLine, keys: &str) -> PromptLine {
        for key in Key::sequence(keys).unwrap() {
            line.key(key, &[]);
        }
        line
    }

    #[test]
    fn a_paste_is_one_insertion_at_the_cursor() {
        let mut line = typed(PromptLine::new("äc".into()), "<Left>");
        assert!(line.paste("b\nb\u{1b}"));
        assert_eq!(typed(line, "x").text(), "äb b\u{fffd}xc");
    }

    #[test]
    fn typed_text_replaces_a_proposed_text() {
        let proposed = || PromptLine::with_proposal("a-picks.pdf".into());
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
            let line = typed(proposed(), keys);
            assert!(!line.is_proposed, "{keys}");
            assert_eq!(line.text(), wanted, "{keys}");
        }
        let mut line = typed(proposed(), "<F5>");
        assert!(line.is_proposed);
        assert!(line.paste("b.pdf"));
        assert_eq!(line.text(), "b.pdf");
        assert_eq!(typed(PromptLine::new("a".into()), "b").text(), "ab");
    }

    #[test]
    fn a_full_line_accepts_no_more_text() {
        let mut line = typed(PromptLine::new("ab".into()), "<Left>");
        assert!(!line.paste(&"é".repeat(1_000_000)));
        assert_eq!(line.text().chars().count(), MAX_CHARS);
        assert!(line.text().ends_with("éb"));
        let full = line.text().to_owned();
        let mut line = typed(line, "x\u{202e}");
        assert_eq!(line.text(), full);
        assert!(!line.paste("y"));
        assert!(line.paste(""));
        let shorter = typed(line, "<Backspace>x");
        assert_eq!(shorter.text().chars().count(), MAX_CHARS);
        assert!(shorter.text().ends_with("xb"));
    }

    #[test]
    fn up_and_down_recall_earlier_texts_and_the_typed_one() {
        let past = ["a", "b"].map(String::from);
        let mut line = PromptLine::new("x".into());
        let mut text_after = |key| {
            line.key(Key::named(key), &past);
            line.text().to_owned()
        };
        let texts = ["Down", "Up", "Up", "Up", "Down", "Down", "Down"].map(&mut text_after);
        assert_eq!(texts, ["x", "b", "a", "a", "b", "x", "x"]);
        assert!(!line.is_recalling());
    }

    #[test]
    fn the_cursor_is_visible_and_the_note_at_the_right() {
        let (_, theme) = Theme::bundled(0);
        let row = Rect::new(0, 0, 30, 1);
        let drawn = |text: &str, note: &str| {
            let mut buf = Buffer::empty(row);
            let line = PromptLine::new(text.into());
            let cursor = line.draw(" to ", (note, theme.dim), row, &theme, &mut buf);
            let cells = buf.content().iter().map(ratatui::buffer::Cell::symbol);
            (cells.collect::<String>(), cursor.unwrap().0)
        };
        assert_eq!(drawn("ab", "a note"), (" to ab                 a note ".into(), 6));
        assert_eq!(drawn("ab", ""), (format!(" to ab{}", " ".repeat(24)), 6));
        let (long, cursor) = drawn(&"0123456789".repeat(4), "a note that is long");
        assert_eq!((long.trim_end(), cursor), (" to…5678901234567890123456789", 29));
    }
}
