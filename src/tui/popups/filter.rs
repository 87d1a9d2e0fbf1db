//! The filter: a condition that is typed, or chosen among those with a name and those ready for this study.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::data::text::{grouped, shown};
use crate::filter::{Mistake, named, ready};
use crate::jobs::Quality;
use crate::session::Prompt;
use crate::truth::relevance::Relevance;
use crate::tui::action::Action;
use crate::tui::keymap::{Code, Key};
use crate::tui::model::Model;
use crate::tui::model::dirty::Asked;
use crate::tui::model::filter::Found;
use crate::tui::popup::{Answer, Hint, Popup};
use crate::tui::theme::ThemeStyle;
use crate::tui::ui::{Context, Ui};
use crate::tui::widgets::hits::Target;
use crate::tui::widgets::list::{Column, ListView, Scrolled};
use crate::tui::widgets::prompt::{PromptLine, Typed};
use crate::tui::widgets::{pane, text};

/// Rows above the list: the line, a caret, what is found, advice.
const ABOVE: u16 = 4;
/// Characters from which a typed name stands for its condition: fewer begin many things.
const MIN_NAME: usize = 3;

/// The line, and the conditions to choose from.
pub struct FilterMenu {
    line: PromptLine,
    /// The name under which the condition is to be kept, while it is typed.
    naming: Option<PromptLine>,
    choices: Vec<Choice>,
    /// Places of the choices that are listed.
    listed: Vec<usize>,
    /// Place of the chosen one among those listed; `None` while the line counts.
    chosen: Option<usize>,
    /// Whether the typed text chose it, by its name.
    is_by_name: bool,
    /// The queries that meet the condition.
    found: Result<Found, Mistake>,
    scrolled: Scrolled,
}

/// A condition to choose.
struct Choice {
    /// Its name; the user's own begin with @.
    name: String,
    meaning: String,
    expression: String,
}

/// The user's own conditions, then those that are ready for the study.
fn choices(model: &Model) -> Vec<Choice> {
    let own = model.memory.filters().map(|(name, expression)| Choice {
        name: format!("@{}", shown(name)),
        meaning: shown(expression),
        expression: expression.to_owned(),
    });
    let ready = ready(&model.study, model.view);
    let ready = ready.into_iter().map(|ready| Choice {
        name: ready.name.to_owned(),
        meaning: ready.meaning.to_owned(),
        expression: ready.expression,
    });
    own.chain(ready).collect()
}

/// Places of the choices whose name or meaning has the typed text, by the name first; all of them where none
/// has it. And whether the first has it in its name, so that the text may mean it.
fn matching(choices: &[Choice], typed: &str) -> (Vec<usize>, bool) {
    let typed = typed.trim();
    let quality = |(place, choice): (usize, &Choice)| {
        let by_name = Quality::literal(&choice.name, typed);
        let by_both = Quality::literal(&format!("{} {}", choice.name, choice.meaning), typed);
        Some((by_name.is_none(), by_name.or(by_both)?, place))
    };
    let mut found: Vec<_> = choices.iter().enumerate().filter_map(quality).collect();
    found.sort_unstable();
    match found.first() {
        Some(&(is_by_meaning, ..)) if !typed.is_empty() => {
            // A name with its sign is a part of a condition.
            let is_name = typed.chars().count() >= MIN_NAME && named::name(typed).is_none();
            (found.iter().map(|(.., place)| *place).collect(), is_name && !is_by_meaning)
        }
        _ => ((0..choices.len()).collect(), false),
    }
}

impl FilterMenu {
    /// The menu, with the filter in force on its line.
    pub fn new(model: &Model) -> Self {
        let mut menu = FilterMenu {
            line: PromptLine::new(model.filter.text.clone()),
            naming: None,
            choices: Vec::new(),
            listed: Vec::new(),
            chosen: None,
            is_by_name: false,
            found: Ok(Found::Nothing),
            scrolled: Scrolled::default(),
        };
        menu.list_all(model);
        menu.ask(model);
        menu
    }

    /// The condition that Enter puts in force, as it was written.
    fn text(&self) -> &str {
        self.choice().map_or(self.line.text(), |choice| &choice.expression)
    }

    fn choice(&self) -> Option<&Choice> {
        self.choices.get(*self.listed.get(self.chosen?)?)
    }

    /// Lists the conditions as they are now, and chooses none.
    fn list_all(&mut self, model: &Model) {
        self.choices = choices(model);
        self.listed = (0..self.choices.len()).collect();
        (self.chosen, self.is_by_name) = (None, false);
    }

    /// The condition with names replaced by what they stand for.
    fn expression(&self, model: &Model) -> String {
        let expanded = named::expanded(self.text(), model.memory.filters());
        let text = expanded.as_ref().map_or(self.text(), named::Expanded::text);
        text.trim().to_owned()
    }

    fn ask(&mut self, model: &Model) {
        self.found = match self.text().trim() {
            "" => Ok(Found::Nothing),
            _ => model.queries_that(self.text()),
        };
    }

    /// Puts the condition in force.
    fn enter(&mut self, model: &mut Model) -> Answer {
        if self.found.is_err() {
            return Answer::Stay;
        }
        let expression = self.expression(model);
        let typed = if self.chosen.is_none() { self.line.text() } else { &expression };
        model.memory.typed(Prompt::Filter, typed);
        model.filter_by(expression);
        Answer::Close
    }

    /// Chooses so many conditions further down; above the first is the line.
    fn choose(&mut self, by: isize) {
        self.is_by_name = false;
        let row = self.chosen.map_or(0, |at| at + 1).saturating_add_signed(by);
        self.chosen = row.min(self.listed.len()).checked_sub(1);
    }

    /// Applies a key to the name that is typed.
    fn name_key(&mut self, mut name: PromptLine, key: Key, model: &mut Model) {
        match name.key(key, &[]) {
            Typed::Closed => return,
            Typed::Entered => match self.keep(name.text().trim(), model) {
                Ok(()) => return,
                Err(why) => model.message = Some(why),
            },
            Typed::Edited | Typed::Ignored => {}
        }
        self.naming = Some(name);
    }

    /// Keeps the condition under a name.
    fn keep(&mut self, name: &str, model: &mut Model) -> Result<(), String> {
        if !named::is_name(name) {
            return Err("a name has letters, digits, - and _".into());
        }
        model.memory.set_filter(name, Some(self.expression(model)))?;
        self.list_all(model);
        model.message = Some(format!("kept: @{name}"));
        Ok(())
    }

    /// Deletes the chosen condition, if the user named it.
    fn delete(&mut self, model: &mut Model) {
        let name = self.choice().and_then(|choice| named::name(&choice.name));
        let deleted = match name.map(str::to_owned) {
            None => Err("not a filter of yours".into()),
            Some(name) => {
                model.memory.set_filter(&name, None).map(|()| format!("deleted: @{name}"))
            }
        };
        if deleted.is_ok() {
            self.list_all(model);
        }
        let (Ok(told) | Err(told)) = deleted;
        model.message = Some(told);
    }
}

impl Popup for FilterMenu {
    fn opened_by(&self) -> Action {
        Action::Filter
    }

    fn key(&mut self, key: Key, model: &mut Model) -> Answer {
        if let Some(name) = self.naming.take() {
            self.name_key(name, key, model);
            self.ask(model);
            return Answer::Stay;
        }
        let by = match (key.code, key.ctrl) {
            (Code::Named("Up"), _) | (Code::Char('p'), true) => -1,
            (Code::Named("Down"), _) | (Code::Char('n'), true) => 1,
            _ => 0,
        };
        // Up from the line, earlier conditions come back.
        let recalls = self.chosen.is_none() && (by < 0 || self.line.is_recalling());
        match (key.code, key.ctrl) {
            (Code::Char('s'), true) if self.text().trim().is_empty() || self.found.is_err() => {
                model.message = Some("no condition to keep".into());
            }
            (Code::Char('s'), true) => self.naming = Some(PromptLine::default()),
            (Code::Named("Delete"), _) if self.chosen.is_some() && !self.is_by_name => {
                self.delete(model);
            }
            (Code::Named("Tab"), _) => {
                self.line = PromptLine::new(self.text().to_owned());
                self.list_all(model);
            }
            _ if by != 0 && !recalls => self.choose(by),
            _ => match self.line.key(key, model.memory.past(Prompt::Filter)) {
                Typed::Closed => return Answer::Close,
                Typed::Entered => return self.enter(model),
                Typed::Edited if by == 0 => {
                    self.edited(model);
                    return Answer::Stay;
                }
                Typed::Edited | Typed::Ignored => {}
            },
        }
        self.ask(model);
        Answer::Stay
    }

    fn prompt(&mut self) -> Option<&mut PromptLine> {
        Some(self.naming.as_mut().unwrap_or(&mut self.line))
    }

    /// Lists what has the typed text. Where that is no condition, it means the first one with that name.
    fn edited(&mut self, model: &Model) {
        if self.naming.is_some() {
            return;
        }
        let (listed, is_name) = matching(&self.choices, self.line.text());
        (self.listed, self.chosen, self.is_by_name) = (listed, None, false);
        self.ask(model);
        if self.found.is_err() && is_name {
            (self.chosen, self.is_by_name) = (Some(0), true);
            self.ask(model);
        }
    }

    fn scroll(&mut self, by: i32, model: &Model, _ui: &Ui) {
        self.choose(by as isize);
        self.ask(model);
    }

    fn point(&mut self, target: Target, model: &mut Model, _ui: &Ui) {
        if let (Target::Row(_, at), None) = (target, &self.naming) {
            (self.chosen, self.is_by_name) = (Some(at), false);
            self.ask(model);
        }
    }

    fn refresh(&mut self, model: &Model) {
        if let (Some((stamp, met)), Ok(found)) = (&model.known.typed_met, &mut self.found) {
            found.take(*stamp, met);
        }
        if matches!(self.found, Ok(Found::Lacking(_))) {
            self.ask(model);
        }
    }

    fn hints(&self, _model: &Model) -> Vec<Hint> {
        vec![(Action::Close, if self.naming.is_some() { "back" } else { "close" })]
    }

    fn asks(&self) -> Asked {
        match &self.found {
            Ok(Found::Lacking(needs)) => Asked::Filter(None, Some(needs.clone())),
            Ok(found) => Asked::Filter(found.asked().cloned(), None),
            Err(_) => Asked::Filter(None, None),
        }
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        let rows = u16::try_from(self.choices.len()).unwrap_or(u16::MAX);
        // The last line is left to the hints.
        let height = rows.saturating_add(ABOVE + 2).min(screen.height.saturating_sub(1));
        let size = (screen.width.saturating_sub(4).min(100), height);
        let keys = "Enter filters, Tab edits, Ctrl-u empties, Ctrl-s names";
        let inner = pane::popup("filter", keys, size, cx.ui, screen, buf);
        let height = inner.height.checked_sub(ABOVE)?;
        let row = |at: u16| Rect { y: inner.y + at, height: 1, ..inner };
        let none = ("", cx.theme.dim);
        let cursor = self.line.draw(" ", none, row(0), cx.theme, buf);
        let columns = usize::from(inner.width);
        if let (Err(mistake), None) = (&self.found, self.chosen) {
            let hidden = self.line.scroll(columns.saturating_sub(1));
            if let Some(indent) = mistake.indent().checked_sub(hidden) {
                let caret = format!(" {}^", " ".repeat(indent));
                buf.set_stringn(inner.x, inner.y + 1, caret, columns, cx.theme.error);
            }
        }
        for ((words, style), at) in self.state(cx).into_iter().zip(2..) {
            let words = text::fit(&format!(" {words}"), columns);
            buf.set_string(inner.x, inner.y + at, words, style);
        }
        self.draw_list(cx, Rect { y: inner.y + ABOVE, height, ..inner }, buf);
        match &self.naming {
            Some(name) => name.draw(" name @", none, row(1), cx.theme, buf),
            None => cursor,
        }
    }
}

impl FilterMenu {
    /// How many queries meet the condition, or what is wrong with it; and below this the chosen condition, or
    /// advice.
    fn state(&self, cx: Context<'_>) -> [(String, ThemeStyle); 2] {
        let theme = cx.theme;
        let found = match &self.found {
            Err(mistake) if self.chosen.is_none() => {
                (format!("column {}: {}", mistake.column(), mistake.found()), theme.error)
            }
            Err(mistake) => (mistake.found().to_owned(), theme.error),
            Ok(Found::Met(met)) => {
                let judged = cx.model.truth().relevance[cx.model.view.direction].as_ref();
                let [met_by, of] = [met.queries.len(), judged.map_or(0, Relevance::len)];
                let unknown = match met.unknown {
                    0 => String::new(),
                    count => format!("; {} without a value", grouped(count)),
                };
                (format!("{} of {} queries{unknown}", grouped(met_by), grouped(of)), theme.title)
            }
            Ok(_) if self.text().trim().is_empty() => {
                ("a condition such as r1 == 0 and words <= 12, or a name:".into(), theme.dim)
            }
            Ok(_) => (cx.model.files.waiting().to_owned(), theme.dim),
        };
        let [expected, fix] = self.found.as_ref().err().map_or([None, None], Mistake::advice);
        let expected = expected.map(|expected| format!("expected: {expected}"));
        let advice: Vec<String> = fix.map(str::to_owned).into_iter().chain(expected).collect();
        let below = match self.choice() {
            Some(choice) => (shown(&choice.expression), theme.key),
            None => (advice.join("  "), theme.dim),
        };
        [found, below]
    }

    fn draw_list(&self, cx: Context<'_>, area: Rect, buf: &mut Buffer) {
        let choice = |at: usize| &self.choices[self.listed[at]];
        let meaning =
            |at: usize, room| Span::styled(text::fit(&choice(at).meaning, room), cx.theme.dim);
        let name = |at: usize, _| Span::styled(format!(" {}", choice(at).name), cx.theme.title);
        let list = ListView {
            id: "filter",
            columns: vec![Column::new("", 24, name), Column::rest("", meaning)],
            len: self.listed.len(),
            selected: self.chosen,
            ..ListView::default()
        };
        list.draw(&self.scrolled, cx.ui, area, buf);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_before_meanings_and_a_condition_lists_all() {
        let choice = |(name, meaning): (&str, &str)| Choice {
            name: name.into(),
            meaning: meaning.into(),
            expression: String::new(),
        };
        let choices = [
            ("hub", "first for many, a label is missing"),
            ("missing label", "top-1 is correct"),
            ("top-1 correct", "top-1 is correct"),
        ]
        .map(choice);
        let of = |typed: &str| matching(&choices, typed);
        assert_eq!(of("Missing"), (vec![1, 0], true));
        assert_eq!(of("label miss"), (vec![1, 0], true));
        assert_eq!(of("correct"), (vec![2, 1], true));
        assert_eq!(of("@missing"), (vec![0, 1, 2], false));
        assert_eq!(of("many"), (vec![0], false));
        assert_eq!(of("hu"), (vec![0], false));
        assert_eq!(of("  "), (vec![0, 1, 2], false));
        assert_eq!(of("rank <= 5"), (vec![0, 1, 2], false));
    }
}
