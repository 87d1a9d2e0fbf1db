//! Prompts over the last line: label, proposed text and action of Enter.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::data::text::shown;
use crate::filter::{Expression, Mistake};
use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::keymap::{Code, Key};
use crate::tui::popup::{Answer, Popup};
use crate::tui::sort::Sort;
use crate::tui::state::Model;
use crate::tui::state::picks::PickTarget;
use crate::tui::state::results::RankingsOf;
use crate::tui::ui::prompt::{KeyEffect, PromptLine};

/// Text input over the last line of the screen.
pub struct PromptPopup {
    opened_by: Action,
    /// Text before the input.
    label: String,
    /// Advice on what to type, shown after the input.
    hint: &'static str,
    line: PromptLine,
    /// Earlier texts that match, the best first, for completion by Tab; `None` without completion.
    choices: Option<Vec<String>>,
    on_enter: Box<OnEnter>,
}

/// Applies the entered text, trimmed.
type OnEnter = dyn Fn(&str, &mut Model) -> Result<Answer, Rejection>;

/// Why a text is refused, and the index of the wrong character if known.
struct Rejection(String, Option<usize>);

impl From<Mistake> for Rejection {
    fn from(mistake: Mistake) -> Self {
        let column = mistake.column();
        Rejection(format!("column {column}: {}", mistake.in_one_line()), Some(column - 1))
    }
}

impl PromptPopup {
    /// A prompt with the label before the input and the hint after it.
    fn new(
        opened_by: Action,
        [label, hint]: [&'static str; 2],
        line: PromptLine,
        on_enter: impl Fn(&str, &mut Model) -> Result<Answer, Rejection> + 'static,
    ) -> Self {
        let label = label.to_owned();
        PromptPopup { opened_by, label, hint, line, choices: None, on_enter: Box::new(on_enter) }
    }

    /// Prompt for an id or a file name to go to.
    pub fn for_jump() -> Self {
        let (action, words) = (Action::Jump, [" go to # ", "id or file name"]);
        PromptPopup::new(action, words, PromptLine::default(), |id, model| {
            if id.is_empty() {
                return Ok(Answer::Close);
            }
            model.jump_to(id).map_err(|why| Rejection(why, None))?;
            // Browse shows it if no queries are listed.
            let has_rankings = model.demand.rankings != RankingsOf::Nothing;
            Ok(if has_rankings { Answer::Close } else { Answer::Act(Action::Browse) })
        })
    }

    /// Prompt for the sort key of queries.
    pub fn for_sort(model: &Model) -> Self {
        let words = [" sort by ", "least first; -rank: greatest first"];
        let current = model.selection.sort.expression().unwrap_or_default();
        let line = PromptLine::new(current.to_owned());
        PromptPopup::new(Action::SortBy, words, line, |text, model| {
            if text.is_empty() {
                model.sort_by(Sort::Gallery);
            } else {
                Expression::number(text, &model.study, model.view)?;
                model.sort_by(Sort::By(text.into()));
            }
            Ok(Answer::Close)
        })
    }

    /// Prompt for the judging depth per query; `None`, with a message, while an annotation pool chooses the pairs.
    pub fn for_depth(model: &mut Model) -> Option<Self> {
        let (action, words) = (Action::JudgeDepth, [" judge the top ", "of each query"]);
        model.attempt(|model| model.check_no_pool())?;
        let line = PromptLine::with_proposal(model.judging.depth.to_string());
        Some(PromptPopup::new(action, words, line, |depth, model| {
            let depth = depth.parse();
            model.set_judging_depth(depth.map_err(|_| Rejection("a whole number".into(), None))?);
            Ok(Answer::Close)
        }))
    }

    /// Prompt for a query's note; `None`, with a message, if none can be written.
    pub fn for_note(model: &mut Model, target: Option<&PickTarget>) -> Option<Self> {
        let (action, words) = (Action::Note, [" note ", "empty: none"]);
        let (query, text) = model.attempt(|model| model.note_to_edit(target))?;
        Some(PromptPopup::new(action, words, PromptLine::new(text), move |text, model| {
            model.set_note(query, text);
            Ok(Answer::Close)
        }))
    }

    /// Prompt for a tag of the selected pair; `None`, with a message, if there is no pair to tag.
    pub fn for_tag(model: &mut Model) -> Option<Self> {
        let (action, words) = (Action::Tag, [" tag ", "again: removes it"]);
        let pair = model.attempt(|model| model.pair_to_tag())?;
        let tags = model.format_tags(pair);
        let choices = model.matching_tags("");
        let line = PromptLine::default();
        let mut prompt = PromptPopup::new(action, words, line, move |text, model| {
            model.toggle_tags(pair, text);
            Ok(Answer::Close)
        });
        prompt.label = tags.map_or(prompt.label, |tags| format!(" tag [{tags}] "));
        Some(PromptPopup { choices: Some(choices), ..prompt })
    }

    /// Replaces the part after the last comma by the best choice; no effect if there is no choice.
    fn complete(&mut self) {
        let Some(best) = self.choices.iter().flatten().next() else { return };
        let before = self.line.text().rfind(',').map_or("", |at| &self.line.text()[..=at]);
        let blank = if before.is_empty() { "" } else { " " };
        self.line = PromptLine::new(format!("{before}{blank}{best}"));
    }

    /// Prompt for the note of the selected pick; `None`, with a message, if it cannot be changed.
    pub fn for_pick_note(model: &mut Model) -> Option<Self> {
        let (action, words) = (Action::Note, [" note in the figure ", "empty: none"]);
        model.attempt(|model| model.check_pick())?;
        let line = PromptLine::new(shown(&model.selected_pick()?.note));
        Some(PromptPopup::new(action, words, line, |text, model| {
            model.set_pick_note(text);
            Ok(Answer::Close)
        }))
    }

    /// Prompt for the heading of the selected pick's group; `None`, with a message, if it cannot be changed.
    pub fn for_pick_heading(model: &mut Model) -> Option<Self> {
        let (action, words) = (Action::Heading, [" heading ", "of a group of picks; empty: none"]);
        model.attempt(|model| model.check_pick())?;
        let heading = model.selected_pick()?.group.as_deref().unwrap_or_default();
        Some(PromptPopup::new(action, words, PromptLine::new(shown(heading)), |text, model| {
            model.set_pick_heading(text);
            Ok(Answer::Close)
        }))
    }

    /// Applies the entered text; if it is refused, shows why and stays open.
    fn enter(&mut self, model: &mut Model) -> Answer {
        let text = self.line.text().trim().to_owned();
        match (self.on_enter)(&text, model) {
            Ok(answer) => {
                model.prompts.add(self.opened_by, &text);
                answer
            }
            Err(Rejection(why, position)) => {
                if let Some(position) = position {
                    self.line = PromptLine::new(text);
                    self.line.move_cursor(position);
                }
                model.message = Some(why);
                Answer::Stay
            }
        }
    }
}

impl Popup for PromptPopup {
    fn opened_by(&self) -> Action {
        self.opened_by
    }

    fn key(&mut self, key: Key, model: &mut Model) -> Answer {
        if (key.code, key.ctrl) == (Code::Named("Tab"), false) {
            self.complete();
        }
        match self.line.key(key, model.prompts.entries(self.opened_by)) {
            KeyEffect::Closed => return Answer::Close,
            KeyEffect::Entered => return self.enter(model),
            KeyEffect::Edited if self.choices.is_some() => {
                self.choices = Some(model.matching_tags(self.line.text()));
            }
            KeyEffect::Edited | KeyEffect::Ignored => {}
        }
        Answer::Stay
    }

    fn prompt(&mut self) -> Option<&mut PromptLine> {
        Some(&mut self.line)
    }

    fn draw(&self, cx: Context<'_>, _screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        let choices = self.choices.iter().flatten().cloned().collect::<Vec<_>>().join(", ");
        let hint =
            if choices.is_empty() { self.hint.to_owned() } else { format!("Tab: {choices}") };
        let (note, footer) = ((&*hint, cx.theme.dim), cx.ui.frame().footer);
        self.line.draw_over(&self.label, note, footer, cx.theme, buf)
    }
}
