//! The table of answers: Enter goes to one, an answer changes it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::data::Direction;
use crate::truth::response::{Response, counted};
use crate::truth::verdict::Pair;
use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::popup::{ANSWERS, Answer, Hint, Popup};
use crate::tui::signs;
use crate::tui::state::Model;
use crate::tui::state::judgments::Answered;
use crate::tui::ui::list::{Column, ListView, Scrolled};
use crate::tui::ui::pane;

/// What became of the answer of a row.
const DELETED: &str = "deleted";

/// Columns of a time to the minute.
const WHEN: usize = 16;

/// One's own answers as they were when the table was opened.
pub struct VerdictTable {
    rows: Vec<Answered>,
    selected: usize,
    scrolled: Scrolled,
}

impl VerdictTable {
    /// `None` where there is no answer of one's own, which is then said.
    pub fn new(model: &mut Model) -> Option<Self> {
        let rows = model.answered();
        if rows.is_empty() {
            model.message = Some("no judgment of yours is in this session".into());
            return None;
        }
        Some(VerdictTable { rows, selected: 0, scrolled: Scrolled::default() })
    }

    /// How many answers there are.
    fn title(&self) -> String {
        let responses = self.rows.iter().filter_map(|row| row.response);
        let all = responses.clone().count();
        let verdicts = responses.filter_map(Response::verdict).count();
        counted(verdicts, all - verdicts)
    }

    /// The pair of the selected row; where the gallery lacks it, that is said.
    fn pair(&self, model: &mut Model) -> Option<Pair> {
        let row = self.rows.get(self.selected)?;
        if row.pair.is_none() {
            model.message = Some("of ids that the gallery lacks".into());
        }
        row.pair
    }

    /// Changes the answer of the selected row, or deletes it.
    fn respond(&self, response: Option<Response>, model: &mut Model) {
        if let Some(pair) = self.pair(model) {
            model.attempt(|model| model.respond_to(pair, response));
        }
    }
}

impl Popup for VerdictTable {
    fn opened_by(&self) -> Action {
        Action::Verdicts
    }

    fn hints(&self, model: &Model) -> Vec<Hint> {
        let mut hints = vec![(Action::Detail, "go to it")];
        if model.judging.is_on {
            hints.extend(ANSWERS);
            hints.push((Action::VerdictClear, "delete"));
        } else {
            hints.push((Action::Judge, "judge: answers change it"));
        }
        hints.extend([(Action::Undo, "undo"), (Action::Close, "close")]);
        hints
    }

    fn act(&mut self, action: Action, model: &mut Model) -> Answer {
        match action {
            Action::Detail => {
                let pair = self.pair(model);
                let goes = pair.and_then(|pair| model.attempt(|model| model.go_to_pair(pair)));
                return if goes.is_some() { Answer::Act(Action::Browse) } else { Answer::Stay };
            }
            Action::Export => {
                model.message = Some("`itm-explore truth mine SESSION` writes judgments".into());
            }
            Action::Judge => return Answer::Below(action),
            _ if action.is_of_judging() && !model.judging.is_on => return Answer::Below(action),
            Action::VerdictClear => self.respond(None, model),
            Action::Undo => model.undo(),
            Action::Redo => model.redo(),
            _ => match action.response() {
                Some(response) => self.respond(Some(response), model),
                None => return Answer::Pass,
            },
        }
        self.refresh(model);
        Answer::Stay
    }

    /// A row stays where it is, whatever becomes of its answer.
    fn refresh(&mut self, model: &Model) {
        for row in &mut self.rows {
            if let Some(pair) = row.pair {
                row.response = model.judgements.response(pair);
            }
        }
    }

    fn selected(&mut self, _model: &Model) -> Option<(&mut usize, usize)> {
        Some((&mut self.selected, self.rows.len()))
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        let rows = self.rows.len().min(screen.height.into()) as u16 + 3;
        let size = (screen.width.saturating_sub(4), rows.min(screen.height.saturating_sub(2)));
        let others = cx.model.left_out().unwrap_or_default();
        let inner = pane::popup(&self.title(), &others, size, cx.ui, screen, buf);
        let row = |at: usize| &self.rows[at];
        let words = |at: usize, side: usize| texts(row(at), cx.model)[side].clone();
        let [query, item] = match cx.model.view.direction {
            Direction::I2t => ["image", "caption"],
            Direction::T2i => ["caption", "image"],
        };
        let answer = |at: usize, _| match row(at).response {
            None => Span::styled(format!("   {DELETED}"), cx.theme.dim),
            Some(response) => Span::styled(
                format!(" {} {response}", signs::response(response)),
                cx.theme.response(response),
            ),
        };
        let when = |at: usize, _| {
            let when: String = row(at).at.to_string().chars().take(WHEN).collect();
            Span::styled(when.replace('T', " "), cx.theme.dim)
        };
        let view = ListView {
            id: "verdicts",
            columns: vec![
                Column::new("   answer", 14, answer),
                Column::new("when, UTC", WHEN, when).keep(0),
                Column::rest(query, |at, _| words(at, 0)),
                Column::rest(item, |at, _| words(at, 1)),
            ],
            len: self.rows.len(),
            selected: Some(self.selected),
            least: usize::from(inner.width) / 2,
            ..ListView::default()
        };
        view.draw(&self.scrolled, cx.ui, inner, buf);
        None
    }
}

/// Query and item in words, in the direction looked at.
fn texts(row: &Answered, model: &Model) -> [String; 2] {
    let [image, caption] = match row.pair {
        None => [row.image.to_string(), row.caption.to_string()],
        Some(pair) => [
            model.label(Direction::I2t, pair.image.get(), usize::MAX),
            model.study.gallery.caption(pair.caption.get()),
        ],
    };
    match model.view.direction {
        Direction::I2t => [image, caption],
        Direction::T2i => [caption, image],
    }
}
