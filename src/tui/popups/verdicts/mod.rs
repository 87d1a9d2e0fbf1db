//! The table of answers: Enter goes to one, an answer changes it.

mod view;

use std::collections::BTreeMap;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::data::Direction;
use crate::data::text::grouped;
use crate::truth::response::Response;
use crate::truth::verdict::Verdict;
use crate::tui::action::Action;
use crate::tui::keymap::{Code, Key};
use crate::tui::model::Model;
use crate::tui::model::judgments::Answered;
use crate::tui::popup::{Answer, Hint, Popup};
use crate::tui::popups::judging_hints;
use crate::tui::ui::{Context, Ui};
use crate::tui::widgets::prompt::{PromptLine, Typed};

/// How verdicts leave the program.
const WRITTEN: &str = "`itm-explore truth mine SESSION -o FOLDER/` writes verdicts";
/// What became of the answer of a row.
const DELETED: &str = "deleted";
/// Answers whose keys go to the next and the previous row while the table is filtered, or a search is on.
const TAKEN: [Action; 2] = [Action::VerdictMostlyNo, Action::VerdictNo];

/// One's own answers as they were when the table was opened, and what is typed to choose among them.
pub struct VerdictTable {
    rows: Vec<Answered>,
    /// Places of the rows that have what is typed.
    listed: Vec<usize>,
    selected: usize,
    filter: PromptLine,
    is_typed: bool,
}

impl VerdictTable {
    /// `None` where there is no answer of one's own, which is then said.
    pub fn new(model: &mut Model) -> Option<Self> {
        let rows = model.answered();
        if rows.is_empty() {
            model.message = Some(match model.left_out() {
                Some([others, ..]) => format!("no verdict of yours is in this session; {others}"),
                None => "no verdict is in this session".into(),
            });
            return None;
        }
        let listed = (0..rows.len()).collect();
        Some(VerdictTable {
            rows,
            listed,
            selected: 0,
            filter: PromptLine::default(),
            is_typed: false,
        })
    }

    /// Lists the rows that have every word that is typed. The row selected stays so where it is among them.
    fn list(&mut self, model: &Model) {
        let here = self.listed.get(self.selected).copied();
        let rows = self.rows.iter().enumerate();
        let listed = rows.filter(|(_, row)| self.has_words(row, model));
        self.listed = listed.map(|(place, _)| place).collect();
        let here = self.listed.iter().position(|&place| Some(place) == here);
        self.selected = here.unwrap_or(0);
    }

    /// Whether a row has every word that is typed.
    fn has_words(&self, row: &Answered, model: &Model) -> bool {
        let (answer, text) = (answer_of(row), text_of(row, model).to_lowercase());
        let wanted = self.filter.text().to_lowercase();
        let mut words = wanted.split_whitespace();
        words.all(|word| if is_answer(word) { answer == word } else { text.contains(word) })
    }

    /// How many rows have each answer, for who typed one that none has.
    fn answers_there(&self) -> String {
        let counts = self.rows.iter().map(answer_of).fold(
            BTreeMap::<&str, usize>::new(),
            |mut counts, answer| {
                *counts.entry(answer).or_default() += 1;
                counts
            },
        );
        let words = counts.into_iter();
        let words: Vec<String> =
            words.map(|(answer, count)| format!("{answer} {}", grouped(count))).collect();
        words.join(", ")
    }

    fn row(&self) -> Option<&Answered> {
        self.rows.get(*self.listed.get(self.selected)?)
    }

    /// Changes the answer of the selected row, or deletes it.
    fn respond(&self, response: Option<Response>, model: &mut Model) {
        let Some(row) = self.row() else { return };
        match row.pair {
            Some(pair) => model.respond_to(pair, response),
            None => model.message = Some("of ids that the gallery lacks".into()),
        }
    }

    /// Selects the row so many further on of those that are listed, counted round.
    fn turn(&mut self, by: isize) {
        let count = self.listed.len().max(1) as isize;
        self.selected = (self.selected as isize + by).rem_euclid(count) as usize;
    }

    /// Goes to the pair of the selected row.
    fn go(&self, model: &mut Model) -> Answer {
        let pair = self.row().and_then(|row| row.pair);
        match pair {
            Some(pair) => match model.attempt(|model| model.go_to_pair(pair)) {
                Some(()) => Answer::Act(Action::Browse),
                None => Answer::Stay,
            },
            None => {
                model.message = Some("of ids that the gallery lacks".into());
                Answer::Stay
            }
        }
    }

    /// Reads the answers anew: a row stays where it is, whatever becomes of its answer.
    fn reread(&mut self, model: &Model) {
        for row in &mut self.rows {
            if let Some(pair) = row.pair {
                row.response = model.judgements.response(pair);
            }
        }
    }
}

impl Popup for VerdictTable {
    fn opened_by(&self) -> Action {
        Action::Verdicts
    }

    fn answers(&self, _model: &Model) -> bool {
        true
    }

    /// Keys that go to the next match elsewhere write no answer here either.
    fn is_searched(&self, model: &Model) -> bool {
        !self.filter.text().is_empty() || model.is_searched()
    }

    fn hints(&self, model: &Model) -> Vec<Hint> {
        if self.is_typed {
            return vec![(Action::Detail, "end typing"), (Action::Close, "all rows")];
        }
        let mut hints = vec![(Action::Detail, "go to it"), (Action::Search, "filter")];
        if model.judging.is_on {
            let answers = judging_hints::answers(model).into_iter();
            let is_searched = self.is_searched(model);
            let is_free = |action: Action| !(is_searched && TAKEN.contains(&action));
            let is_answer = |action: Action| action.response().is_some() && is_free(action);
            hints.extend(answers.filter(|(action, _)| is_answer(*action)));
            hints.push((Action::VerdictClear, "delete"));
        } else {
            hints.push((Action::Judge, "judge: answers change it"));
        }
        if self.is_searched(model) {
            hints.extend([(Action::NextMatch, "next"), (Action::PreviousMatch, "previous")]);
        }
        hints.extend([(Action::Undo, "undo"), (Action::Close, "close")]);
        hints
    }

    fn key(&mut self, key: Key, model: &mut Model) -> Answer {
        if !self.is_typed {
            return Answer::Pass;
        }
        if matches!(key.code, Code::Named("Down" | "Up")) {
            return Answer::Pass;
        }
        match self.filter.key(key, &[]) {
            Typed::Entered => self.is_typed = false,
            Typed::Closed => (self.is_typed, self.filter) = (false, PromptLine::default()),
            Typed::Edited | Typed::Ignored => {}
        }
        self.list(model);
        Answer::Stay
    }

    fn act(&mut self, action: Action, model: &mut Model) -> Answer {
        match action {
            Action::Search | Action::Filter => self.is_typed = true,
            Action::Close if !self.filter.text().is_empty() => {
                self.filter = PromptLine::default();
                self.list(model);
            }
            Action::Detail => return self.go(model),
            Action::NextMatch | Action::PreviousMatch => {
                self.turn(if action == Action::NextMatch { 1 } else { -1 });
                let until = match self.filter.text() {
                    "" => {
                        "a search is on: these keys go to the next and the previous row; once it is ended they answer"
                    }
                    _ => {
                        "filtered, these keys go to the next and the previous row; Esc ends the filter, then they answer"
                    }
                };
                model.message = model.judging.is_on.then(|| until.into());
            }
            Action::Export => model.message = Some(WRITTEN.into()),
            Action::Judge => return Answer::Below(action),
            of_mode if of_mode.is_of_judging() && !model.judging.is_on => {
                return Answer::Below(of_mode);
            }
            Action::VerdictClear => self.respond(None, model),
            Action::Undo => model.undo(),
            Action::Redo => model.redo(),
            other => match other.response() {
                Some(response) => self.respond(Some(response), model),
                None => return Answer::Pass,
            },
        }
        self.reread(model);
        Answer::Stay
    }

    fn prompt(&mut self) -> Option<&mut PromptLine> {
        self.is_typed.then_some(&mut self.filter)
    }

    fn edited(&mut self, model: &Model) {
        self.list(model);
    }

    fn refresh(&mut self, model: &Model) {
        self.reread(model);
    }

    fn scroll(&mut self, by: i32, _model: &Model, _ui: &Ui) {
        let last = self.listed.len().saturating_sub(1);
        self.selected = self.selected.saturating_add_signed(by as isize).min(last);
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        view::draw(self, cx, screen, buf)
    }
}

/// Query and item in words, in the direction looked at.
fn texts(row: &Answered, model: &Model) -> [String; 2] {
    let Some(pair) = row.pair else {
        let [image, caption] = [&row.image, &row.caption].map(ToString::to_string);
        return match model.view.direction {
            Direction::I2t => [image, caption],
            Direction::T2i => [caption, image],
        };
    };
    let gallery = &model.study.gallery;
    let caption = gallery.caption(pair.caption.get());
    let image = model.image_label(pair.image.get(), usize::MAX);
    match model.view.direction {
        Direction::I2t => [image, caption],
        Direction::T2i => [caption, image],
    }
}

/// What the filter looks through: both texts and the answer.
fn text_of(row: &Answered, model: &Model) -> String {
    let [query, item] = texts(row, model);
    format!("{query} {item} {}", answer_of(row))
}

/// The answer of a row, in the word by which it is chosen.
fn answer_of(row: &Answered) -> &'static str {
    row.response.map_or(DELETED, Response::key)
}

/// Whether a word is that of an answer, by which alone it chooses: many texts have the letters of "no".
fn is_answer(word: &str) -> bool {
    word == DELETED || word.parse::<Verdict>().is_ok()
}
