//! Keys, files, metrics and signs, made from the tables that the program itself uses: first the keys of the screen,
//! and what is typed is searched for.

mod sections;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::entries::{Entry, found};
use super::sheet::Sheet;
use crate::tui::action::{Action, Group};
use crate::tui::keymap::{Code, Key};
use crate::tui::model::Model;
use crate::tui::popup::{Answer, Hint, Popup};
use crate::tui::theme::Theme;
use crate::tui::ui::{Context, Ui};
use crate::tui::widgets::list::Scrolled;
use crate::tui::widgets::prompt::{PromptLine, Typed};
use crate::tui::widgets::{pane, text};

/// Columns of keys and signs.
const SIGN: usize = 24;

/// The help.
pub struct Help {
    /// What is searched for.
    line: PromptLine,
    sections: Vec<Section>,
    scrolled: Scrolled,
    /// Keys that close it while nothing is typed, letters left out.
    closes: Vec<Key>,
    /// What it was opened over.
    below: Option<Box<dyn Popup>>,
}

/// Entries under a heading.
type Section = (String, Vec<Entry>);

impl Help {
    pub(in crate::tui) fn new(ui: &Ui) -> Self {
        // What a key does, in the words of its hint where its description has not these.
        let here = |&(action, words): &Hint| {
            let doc = action.doc();
            let has_words = doc.contains(words);
            let words = if has_words { doc.to_owned() } else { format!("{words}: {doc}") };
            Entry::action(ui, action, words)
        };
        let heres = ui.here.iter();
        let heres = heres.map(|(heading, of)| (heading.clone(), of.iter().map(here).collect()));
        let groups = Group::ALL.into_iter().map(|(group, heading)| {
            let actions = Action::ALL.iter().filter(|action| action.group() == group);
            let entry = |&action: &Action| Entry::action(ui, action, action.doc().to_owned());
            (heading.to_owned(), actions.map(entry).collect())
        });
        Help {
            line: PromptLine::default(),
            sections: heres.chain(groups).chain(sections::sections(ui)).collect(),
            scrolled: Scrolled::default(),
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

    /// All entries under their headings, or those that have what is typed.
    fn lines(&self, columns: usize, theme: &Theme) -> Vec<Line<'static>> {
        let wanted = self.line.text().trim();
        if !wanted.is_empty() {
            let entries = self.sections.iter().flat_map(|(_, entries)| entries);
            return found_lines(entries, wanted, columns, theme);
        }
        let mut lines = Vec::new();
        for (heading, entries) in &self.sections {
            if !lines.is_empty() {
                lines.push(Line::default());
            }
            lines.push(Line::styled(heading.clone(), theme.title));
            lines.extend(entries.iter().flat_map(|of| of.lines(&of.words, columns, theme)));
        }
        lines
    }
}

/// The entries that have what is typed, best first: a line stands between those that match in different ways.
fn found_lines<'a>(
    entries: impl Iterator<Item = &'a Entry> + Clone,
    wanted: &str,
    columns: usize,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let mut last = None;
    for (group, entry) in found(entries, wanted) {
        if last.is_some_and(|last| last != group) {
            lines.push(Line::styled("─".repeat(columns), theme.dim));
        }
        last = Some(group);
        let words = entry.words_for(wanted);
        let of_entry = entry.lines(&words, columns, theme).into_iter();
        lines.extend(of_entry.map(|line| text::mark_words(&line, wanted, theme.found.into())));
    }
    if lines.is_empty() {
        lines.push(Line::styled("  nothing matches", theme.dim));
    }
    lines
}

impl Entry {
    /// Its sign, and words beside it.
    fn lines(&self, words: &str, columns: usize, theme: &Theme) -> Vec<Line<'static>> {
        let look: Style = self.badge.map_or(theme.key.into(), |badge| theme.badge(badge));
        let words = text::wrap(words, columns.saturating_sub(SIGN + 3)).into_iter();
        let line = |(at, words): (usize, String)| {
            let sign = if at == 0 { self.sign.as_str() } else { "" };
            let sign = format!("  {} ", text::pad(sign, SIGN));
            Line::from_iter([Span::styled(sign, look), Span::raw(words)])
        };
        words.enumerate().map(line).collect()
    }
}

impl Popup for Help {
    fn opened_by(&self) -> Action {
        Action::Help
    }

    fn key(&mut self, key: Key, model: &mut Model) -> Answer {
        let is_empty = self.line.text().is_empty();
        if self.is_closed_by(key) {
            return Answer::Close;
        }
        match (key.code, key.ctrl) {
            (Code::Named("Esc"), _) if !is_empty => self.line = PromptLine::default(),
            // These scroll the text below.
            (Code::Named("Home" | "End" | "Up" | "Down"), _) | (Code::Char('n' | 'p'), true) => {
                return Answer::Pass;
            }
            (Code::Char('u'), true) if is_empty => return Answer::Pass,
            _ => match self.line.key(key, &[]) {
                Typed::Closed => return Answer::Close,
                Typed::Entered | Typed::Ignored => return Answer::Pass,
                Typed::Edited => {}
            },
        }
        self.edited(model);
        Answer::Stay
    }

    fn prompt(&mut self) -> Option<&mut PromptLine> {
        Some(&mut self.line)
    }

    fn edited(&mut self, _model: &Model) {
        self.scrolled = Scrolled::default();
    }

    fn hints(&self, _model: &Model) -> Vec<Hint> {
        let closes = if self.line.text().is_empty() { "close" } else { "clear the search" };
        vec![(Action::Close, closes)]
    }

    fn scroll(&mut self, by: i32, _model: &Model, _ui: &Ui) {
        self.scrolled.scroll(by as isize);
    }

    fn below(&mut self) -> Option<Box<dyn Popup>> {
        self.below.take()
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        if let Some(below) = &self.below {
            below.draw(cx, screen, buf);
        }
        let size = Sheet::outer(screen.as_size().into());
        let inner = pane::popup("help", "type to search", size, cx.ui, screen, buf);
        let rows = [Constraint::Length(1), Constraint::Length(1), Constraint::Fill(1)];
        let [search, _, list] = inner.layout(&Layout::vertical(rows));
        let lines = self.lines(usize::from(inner.width).saturating_sub(1), cx.theme);
        self.scrolled.draw_text(&lines, cx.theme, list, buf);
        self.line.draw(" search: ", ("", cx.theme.dim), search, cx.theme, buf)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_stands_between_those_that_match_in_different_ways() {
        let entries = [
            Entry::new("x", "searching", ""),
            Entry::new("search", "a key of this name", ""),
            Entry::new("/", "search captions", ""),
        ];
        let (_, theme) = Theme::bundled(0);
        let lines = found_lines(entries.iter(), "search", 20, &theme);
        let is_rule = |line: &&Line<'_>| line.to_string().starts_with('─');
        assert_eq!(lines.iter().filter(is_rule).count(), 2);
    }
}
