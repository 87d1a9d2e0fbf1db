//! The filter: a typed condition, or one of those ready for this study.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};

use crate::data::text::{grouped, shown};
use crate::filter::{Mistake, ReadyCondition, ready_conditions};
use crate::jobs::Quality;
use crate::truth::relevance::Relevance;
use crate::tui::action::Action;
use crate::tui::context::{Context, Ui};
use crate::tui::keymap::{Code, Key};
use crate::tui::popup::{Answer, Popup};
use crate::tui::state::Model;
use crate::tui::state::filter::FilterState;
use crate::tui::state::results::PopupNeeds;
use crate::tui::ui::hits::Target;
use crate::tui::ui::list::{Column, ListView, ScrollState};
use crate::tui::ui::prompt::{KeyEffect, PromptLine};
use crate::tui::ui::{pane, text};

/// Minimum length in characters of typed text that may select a condition by its name: fewer match too much.
const MIN_NAME_CHARS: usize = 3;

/// Filter popup: a text input, and ready conditions to choose from.
pub struct FilterMenu {
    line: PromptLine,
    choices: Vec<ReadyCondition>,
    /// Indices into `choices` of the conditions listed.
    listed: Vec<usize>,
    /// Index into `listed` of the condition that Enter applies; `None` for the typed one.
    chosen: Option<usize>,
    /// Whether `chosen` was selected because the typed text is its name.
    is_by_name: bool,
    /// The queries that meet the condition, or what is wrong with it.
    found: Result<FilterState, Mistake>,
    scrolled: ScrollState,
}

/// Indices of choices whose name or meaning contains the typed text, names first; all if none does. The flag is true if
/// the first one matches by name and the text is long enough to select it.
fn matching_choices(choices: &[ReadyCondition], typed: &str) -> (Vec<usize>, bool) {
    let typed = typed.trim();
    let quality = |(index, choice): (usize, &ReadyCondition)| {
        let by_name = Quality::literal(choice.name, typed);
        let by_both = Quality::literal(&format!("{} {}", choice.name, choice.meaning), typed);
        Some((by_name.is_none(), by_name.or(by_both)?, index))
    };
    let mut found: Vec<_> = choices.iter().enumerate().filter_map(quality).collect();
    found.sort_unstable();
    match found.first() {
        Some(&(is_by_meaning, ..)) if !typed.is_empty() => {
            let is_long = typed.chars().count() >= MIN_NAME_CHARS;
            (found.iter().map(|(.., index)| *index).collect(), is_long && !is_by_meaning)
        }
        _ => ((0..choices.len()).collect(), false),
    }
}

impl FilterMenu {
    /// The menu, with the current filter as text; if there is no filter, the first condition is chosen.
    pub fn new(model: &Model) -> Self {
        let mut menu = FilterMenu {
            line: PromptLine::new(model.filter.text.clone()),
            choices: ready_conditions(&model.study, model.view),
            listed: Vec::new(),
            chosen: None,
            is_by_name: false,
            found: Ok(FilterState::Nothing),
            scrolled: ScrollState::default(),
        };
        menu.list_all(model);
        if menu.line.text().is_empty() {
            menu.choose(Some(0), model);
        }
        menu
    }

    /// Text of the condition that Enter applies.
    fn text(&self) -> &str {
        self.chosen_condition().map_or(self.line.text(), |choice| &choice.expression)
    }

    /// The chosen ready condition; `None` for the typed one.
    fn chosen_condition(&self) -> Option<&ReadyCondition> {
        self.choices.get(*self.listed.get(self.chosen?)?)
    }

    /// Lists all conditions, and chooses none.
    fn list_all(&mut self, model: &Model) {
        self.listed = (0..self.choices.len()).collect();
        self.choose(None, model);
    }

    /// Chooses the condition at an index in `listed`, or for `None` the typed one; looks up the queries that meet it.
    fn choose(&mut self, chosen: Option<usize>, model: &Model) {
        (self.chosen, self.is_by_name) = (chosen, false);
        self.found = match self.text().trim() {
            "" => Ok(FilterState::Nothing),
            _ => model.find_queries(self.text()),
        };
    }

    /// Filters by the condition; stays open if there is a mistake in it.
    fn apply(&mut self, model: &mut Model) -> Answer {
        if self.found.is_err() {
            return Answer::Stay;
        }
        let expression = self.text().trim().to_owned();
        model.prompts.add(Action::Filter, &expression);
        model.filter_by(expression);
        Answer::Close
    }
}

impl Popup for FilterMenu {
    fn opened_by(&self) -> Action {
        Action::Filter
    }

    fn key(&mut self, key: Key, model: &mut Model) -> Answer {
        let by = match (key.code, key.ctrl) {
            (Code::Named("Up"), _) | (Code::Char('p'), true) => -1,
            (Code::Named("Down"), _) | (Code::Char('n'), true) => 1,
            _ => 0,
        };
        // Up on the line recalls earlier conditions.
        let recalls = self.chosen.is_none() && (by < 0 || self.line.is_recalling());
        match key.code {
            Code::Named("Tab") => {
                self.line = PromptLine::new(self.text().to_owned());
                self.list_all(model);
            }
            _ if by != 0 && !recalls => self.scroll(by, model),
            _ => match self.line.key(key, model.prompts.entries(Action::Filter)) {
                KeyEffect::Closed => return Answer::Close,
                KeyEffect::Entered => return self.apply(model),
                KeyEffect::Edited if by == 0 => self.on_edit(model),
                KeyEffect::Edited => self.choose(None, model),
                KeyEffect::Ignored => {}
            },
        }
        Answer::Stay
    }

    fn prompt(&mut self) -> Option<&mut PromptLine> {
        Some(&mut self.line)
    }

    /// Lists the matching conditions. Text that is no condition selects the first with that name.
    fn on_edit(&mut self, model: &Model) {
        let (listed, is_by_name) = matching_choices(&self.choices, self.line.text());
        self.listed = listed;
        self.choose(None, model);
        if self.found.is_err() && is_by_name {
            self.choose(Some(0), model);
            self.is_by_name = true;
        }
    }

    /// Moves the choice by lines; the text input counts as the line above the first condition.
    fn scroll(&mut self, by: isize, model: &Model) {
        let row = self.chosen.map_or(0, |index| index + 1).saturating_add_signed(by);
        self.choose(row.min(self.listed.len()).checked_sub(1), model);
    }

    fn click(&mut self, target: Target, model: &mut Model, _ui: &Ui) {
        if let Target::Row(_, index) = target {
            self.choose(Some(index), model);
        }
    }

    fn refresh(&mut self, model: &Model) {
        if let (Some((stamp, met)), Ok(found)) = (&model.known.typed_met, &mut self.found) {
            found.set_answer(*stamp, met);
        }
        if matches!(self.found, Ok(FilterState::Lacking(_))) {
            let is_by_name = self.is_by_name;
            self.choose(self.chosen, model);
            self.is_by_name = is_by_name;
        }
    }

    fn prompt_keys(&self) -> &'static [(&'static str, &'static str)] {
        &[("Enter", "filter"), ("Tab", "edit"), ("Ctrl-u", "empty")]
    }

    fn needs(&self) -> PopupNeeds {
        match &self.found {
            // Known results need nothing more.
            Ok(FilterState::Met(_)) | Err(_) => PopupNeeds::Filter(FilterState::Nothing),
            Ok(found) => PopupNeeds::Filter(found.clone()),
        }
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        let height = (self.choices.len() as u16 + 6).min(screen.height);
        let size = (screen.width.saturating_sub(4).min(100), height);
        let inner = pane::draw_popup("filter", "", size, cx.ui, screen, buf);
        let rows = [1, 1, 2].map(Constraint::Length).into_iter().chain([Constraint::Fill(1)]);
        let [line, caret, status, list] = inner.layout(&Layout::vertical(rows));
        let none = ("", cx.theme.dim);
        let cursor = self.line.draw(" ", none, line, cx.theme, buf);
        if let (Err(mistake), None) = (&self.found, self.chosen) {
            let hidden = self.line.hidden_columns(usize::from(line.width).saturating_sub(1));
            if let Some(indent) = mistake.indent().checked_sub(hidden) {
                let mark = format!(" {}^", " ".repeat(indent));
                pane::draw_lines(&[Line::styled(mark, cx.theme.error)], 0, caret, buf);
            }
        }
        pane::draw_lines(&self.status_lines(cx, status.width.into()), 0, status, buf);
        let choice = |row: usize| &self.choices[self.listed[row]];
        let meaning =
            |row: usize, width| Span::styled(text::fit(choice(row).meaning, width), cx.theme.dim);
        let name = |row: usize, _| Span::styled(format!(" {}", choice(row).name), cx.theme.title);
        let view = ListView {
            id: "filter",
            columns: vec![Column::new("", 24, name), Column::rest("", meaning)],
            len: self.listed.len(),
            selected: self.chosen,
            ..ListView::default()
        };
        view.draw(&self.scrolled, cx.ui, list, buf);
        cursor
    }
}

impl FilterMenu {
    /// Number of queries that meet the condition, or its mistake; below that the chosen condition, or advice on the
    /// mistake. Both are cut to `width` columns.
    fn status_lines(&self, cx: Context<'_>, width: usize) -> [Line<'static>; 2] {
        let theme = cx.theme;
        let line = |words: String, look| Line::styled(text::fit(&format!(" {words}"), width), look);
        let found = match &self.found {
            Err(mistake) if self.chosen.is_some() => line(mistake.found().into(), theme.error),
            Err(mistake) => {
                line(format!("column {}: {}", mistake.column(), mistake.found()), theme.error)
            }
            Ok(FilterState::Met(met)) => {
                let judged = cx.model.truth().relevance[cx.model.view.direction].as_ref();
                let judged = judged.map_or(0, Relevance::len);
                let unknown = match met.unknown {
                    0 => String::new(),
                    count => format!("; {} without a value", grouped(count)),
                };
                let [met, total] = [met.queries.len(), judged].map(grouped);
                line(format!("{met} of {total} queries{unknown}"), theme.title)
            }
            Ok(_) if self.text().trim().is_empty() => {
                line("a condition such as r1 == 0 and words <= 12, or a name:".into(), theme.dim)
            }
            Ok(_) => line(cx.model.files.placeholder().into(), theme.dim),
        };
        if let Some(choice) = self.chosen_condition() {
            return [found, line(shown(&choice.expression), theme.key)];
        }
        let advice = self.found.as_ref().err().map_or_else(String::new, Mistake::advice);
        [found, line(advice, theme.dim)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_before_meanings_and_a_condition_lists_all() {
        let choice = |(name, meaning)| ReadyCondition { name, meaning, expression: String::new() };
        let choices = [
            ("hub", "first for many, a label is missing"),
            ("missing label", "top-1 is correct"),
            ("top-1 correct", "top-1 is correct"),
        ]
        .map(choice);
        let of = |typed: &str| matching_choices(&choices, typed);
        assert_eq!(of("Missing"), (vec![1, 0], true));
        assert_eq!(of("label miss"), (vec![1, 0], true));
        assert_eq!(of("correct"), (vec![2, 1], true));
        assert_eq!(of("many"), (vec![0], false));
        assert_eq!(of("hu"), (vec![0], false));
        assert_eq!(of("  "), (vec![0, 1, 2], false));
        assert_eq!(of("rank <= 5"), (vec![0, 1, 2], false));
    }
}
