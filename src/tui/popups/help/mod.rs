//! Keys, files, metrics and signs, made from the tables that the program itself uses: first the keys of the screen,
//! and what is typed is searched for.

mod files;
mod found;
mod metrics;
mod settings;
mod signs;
mod view;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::entries::Entry;
use super::sheet::{Piece, Sheet, Tone};
use crate::tui::action::{Action, Group};
use crate::tui::keymap::{Code, Key};
use crate::tui::model::Model;
use crate::tui::popup::{Answer, Hint, Popup};
use crate::tui::ui::{Context, Ui};
use crate::tui::widgets::prompt::{PromptLine, Typed};
use crate::tui::widgets::text;

/// Columns of keys and signs.
const SIGN: usize = 24;

/// The help.
pub struct Help {
    /// What is searched for.
    line: PromptLine,
    rows: Vec<Row>,
    /// The first line that is shown.
    offset: usize,
    /// Keys that close it while nothing is typed, letters left out.
    closes: Vec<Key>,
    /// What it was opened over.
    below: Option<Box<dyn Popup>>,
}

/// A row of the help.
#[derive(Clone)]
pub(super) enum Row {
    /// A heading.
    Heading(String),
    /// A key or a sign, and what it stands for.
    Entry(Entry),
}

impl Row {
    fn entry(&self) -> Option<&Entry> {
        match self {
            Row::Entry(entry) => Some(entry),
            Row::Heading(_) => None,
        }
    }
}

impl Help {
    pub(in crate::tui) fn new(ui: &Ui) -> Self {
        let mut rows = Vec::new();
        here(ui, &mut rows);
        for group in Group::ALL {
            rows.push(Row::Heading(group.title().to_owned()));
            let of_group = Action::ALL.iter().filter(|action| action.group() == group);
            rows.extend(of_group.map(|&action| entry(ui, action, action.doc().to_owned())));
        }
        rows.extend(files::rows(ui));
        rows.push(Row::Heading("settings".into()));
        rows.extend(settings::entries(ui).into_iter().map(Row::Entry));
        rows.extend(metrics::rows(ui));
        rows.extend(signs::rows());
        Help {
            line: PromptLine::default(),
            rows,
            offset: 0,
            closes: [Action::Help, Action::Quit].map(|action| ui.keymap.keys(action)).concat(),
            below: None,
        }
    }

    /// The same over what is open, which is there again once it closes.
    pub(in crate::tui) fn over(self, below: Option<Box<dyn Popup>>) -> Self {
        Help { below, ..self }
    }

    /// Whether a key closes it: none that begins a word.
    fn is_closed_by(&self, key: Key) -> bool {
        let begins_word =
            matches!(key.code, Code::Char(c) if c.is_alphanumeric() && !key.ctrl && !key.alt);
        self.line.text().is_empty() && !begins_word && self.closes.contains(&key)
    }

    /// The lines in so many columns: all of them, or what matches what is typed, best first.
    fn lines(&self, columns: usize) -> Vec<Vec<Piece>> {
        match self.line.text().trim() {
            "" => self.all_lines(columns),
            wanted => found::lines(&self.rows, wanted, columns),
        }
    }

    fn all_lines(&self, columns: usize) -> Vec<Vec<Piece>> {
        let mut lines = Vec::new();
        for row in &self.rows {
            match row {
                Row::Heading(heading) => {
                    if !lines.is_empty() {
                        lines.push(Vec::new());
                    }
                    lines.push(vec![(Tone::Title, heading.clone())]);
                }
                Row::Entry(entry) => lines.extend(entry.lines(&entry.words, columns)),
            }
        }
        lines
    }
}

impl Entry {
    /// The row of a sign with its meaning.
    fn sign(tone: Tone, sign: impl Into<String>, words: impl Into<String>) -> Row {
        Row::Entry(Entry::new(tone, sign, words))
    }

    /// Its sign, and words beside it.
    fn lines(&self, words: &str, columns: usize) -> Vec<Vec<Piece>> {
        let words = text::wrap(words, columns.saturating_sub(SIGN + 3));
        let line = |(at, words): (usize, String)| {
            let sign = if at == 0 { self.sign.as_str() } else { "" };
            let sign = format!("  {} ", text::pad(sign, SIGN));
            vec![(self.tone, sign), (Tone::Base, words)]
        };
        words.into_iter().enumerate().map(line).collect()
    }
}

/// The keys that matter where it was opened.
fn here(ui: &Ui, rows: &mut Vec<Row>) {
    for (heading, hints) in &ui.here {
        rows.push(Row::Heading(heading.clone()));
        let of_hints = hints.iter();
        rows.extend(of_hints.map(|&(action, words)| entry(ui, action, described(action, words))));
    }
}

/// What a key does, in the words of its hint where its description has not these.
fn described(action: Action, words: &str) -> String {
    let doc = action.doc();
    if doc.contains(words) { doc.to_owned() } else { format!("{words}: {doc}") }
}

fn entry(ui: &Ui, action: Action, words: String) -> Row {
    Row::Entry(Entry::action(ui, action, words))
}

impl Popup for Help {
    fn opened_by(&self) -> Action {
        Action::Help
    }

    fn key(&mut self, key: Key, _model: &mut Model) -> Answer {
        let is_empty = self.line.text().is_empty();
        if self.is_closed_by(key) {
            return Answer::Close;
        }
        match (key.code, key.ctrl) {
            (Code::Named("Esc"), _) if !is_empty => self.line = PromptLine::default(),
            (Code::Char('u'), true) if is_empty => return Answer::Pass,
            // These scroll the text below.
            (Code::Named("Home" | "End" | "Up" | "Down"), _) | (Code::Char('n' | 'p'), true) => {
                return Answer::Pass;
            }
            _ => match self.line.key(key, &[]) {
                Typed::Closed => return Answer::Close,
                Typed::Entered | Typed::Ignored => return Answer::Pass,
                Typed::Edited => {}
            },
        }
        self.offset = 0;
        Answer::Stay
    }

    fn prompt(&mut self) -> Option<&mut PromptLine> {
        Some(&mut self.line)
    }

    fn edited(&mut self, _model: &Model) {
        self.offset = 0;
    }

    fn hints(&self, _model: &Model) -> Vec<Hint> {
        let closes = if self.line.text().is_empty() { "close" } else { "clear the search" };
        vec![(Action::Close, closes)]
    }

    fn scroll(&mut self, by: i32, _model: &Model, ui: &Ui) {
        let (columns, rows) = view::room(ui.size);
        let last = self.lines(columns).len().saturating_sub(rows);
        self.offset = self.offset.saturating_add_signed(by as isize).min(last);
    }

    fn below(&mut self) -> Option<Box<dyn Popup>> {
        self.below.take()
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        if let Some(below) = &self.below {
            below.draw(cx, screen, buf);
        }
        view::draw(self, cx, screen, buf)
    }
}
