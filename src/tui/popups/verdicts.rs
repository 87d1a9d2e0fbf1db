//! The table of answers: Enter goes to one, an answer changes it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use tui_input::Input;

use crate::data::Direction;
use crate::data::text::grouped;
use crate::truth::response::{Response, counted};
use crate::tui::action::Action;
use crate::tui::keymap::{Code, Key};
use crate::tui::line::{edit, insert};
use crate::tui::model::Model;
use crate::tui::model::answers::Answered;
use crate::tui::popup::{Answer, Hint, Pasted, Popup};
use crate::tui::popups::judging_hints;
use crate::tui::signs;
use crate::tui::ui::{Context, Ui};
use crate::tui::widgets::pane::{self, Scroll};
use crate::tui::widgets::text;

/// One's own answers as they were when the table was opened, and what is typed to choose among them.
pub struct VerdictTable {
    rows: Vec<Answered>,
    /// Places of the rows that have what is typed.
    listed: Vec<usize>,
    selected: usize,
    filter: Input,
    is_typed: bool,
}

impl VerdictTable {
    /// `None` where there is no answer of one's own, which is then said.
    pub fn new(model: &mut Model) -> Option<Self> {
        let rows = model.answered();
        if rows.is_empty() {
            model.message = Some(match model.left_out() {
                Some(others) => format!("no verdict of yours is in this session; {others}"),
                None => "no verdict is in this session".into(),
            });
            return None;
        }
        let listed = (0..rows.len()).collect();
        Some(VerdictTable {
            rows,
            listed,
            selected: 0,
            filter: Input::default(),
            is_typed: false,
        })
    }

    /// Lists the rows that have every word that is typed.
    fn list(&mut self, model: &Model) {
        let wanted = self.filter.value().to_lowercase();
        let has = |row: &Answered| {
            let text = text_of(row, model).to_lowercase();
            wanted.split_whitespace().all(|word| text.contains(word))
        };
        let rows = self.rows.iter().enumerate();
        let listed = rows.filter(|(_, row)| has(row));
        self.listed = listed.map(|(place, _)| place).collect();
        self.selected = self.selected.min(self.listed.len().saturating_sub(1));
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
            Some(pair) if model.go_to_pair(pair) => Answer::Act(Action::Browse),
            Some(_) => Answer::Stay,
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

    fn is_searched(&self, _model: &Model) -> bool {
        !self.filter.value().is_empty()
    }

    fn hints(&self, model: &Model) -> Vec<Hint> {
        let mut hints = vec![(Action::Detail, "go to it"), (Action::Search, "filter")];
        if model.judging.is_on {
            let answers = judging_hints::answers(model).into_iter();
            hints.extend(answers.filter(|(action, _)| action.response().is_some()));
            hints.push((Action::VerdictClear, "delete"));
        } else {
            hints.push((Action::Judge, "judge: answers change it"));
        }
        if self.is_searched(model) {
            hints.extend([
                (Action::NextMatch, "next"),
                (Action::PreviousMatch, "previous"),
            ]);
        }
        hints.extend([(Action::Undo, "undo"), (Action::Close, "close")]);
        hints
    }

    fn key(&mut self, key: Key, model: &mut Model) -> Answer {
        if !self.is_typed {
            return Answer::Pass;
        }
        match (key.code, key.ctrl) {
            (Code::Named("Enter"), _) => self.is_typed = false,
            _ if key.closes() => {
                self.is_typed = false;
                self.filter = Input::default();
            }
            (Code::Named("Down" | "Up"), _) => return Answer::Pass,
            _ => drop(edit(&mut self.filter, key)),
        }
        self.list(model);
        Answer::Stay
    }

    fn act(&mut self, action: Action, model: &mut Model) -> Answer {
        match action {
            Action::Search | Action::Filter => self.is_typed = true,
            Action::Close if !self.filter.value().is_empty() => {
                self.filter = Input::default();
                self.list(model);
            }
            Action::Detail => return self.go(model),
            Action::NextMatch => self.turn(1),
            Action::PreviousMatch => self.turn(-1),
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

    fn paste(&mut self, text: &str, model: &Model) -> Pasted {
        if !self.is_typed {
            return Pasted::Nowhere;
        }
        let is_whole = insert(&mut self.filter, text);
        self.list(model);
        is_whole.into()
    }

    fn refresh(&mut self, model: &Model) {
        self.reread(model);
    }

    fn around(&self) -> [u16; 2] {
        [ABOVE, 1]
    }

    fn scroll(&mut self, by: i32, _model: &Model, _ui: &Ui) {
        let last = self.listed.len().saturating_sub(1);
        self.selected = self.selected.saturating_add_signed(by as isize).min(last);
    }

    fn is_typed(&self) -> bool {
        self.is_typed
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        draw(self, cx, screen, buf)
    }
}

/// Columns of the answer with its sign, and of the time.
const RESPONSE: usize = 15;
const WHEN: usize = 18;
/// Columns of the year with its hyphen, and of a time to the minute; narrower tables leave the year out.
const YEAR: usize = 5;
const MINUTES: usize = 16;
const WITH_YEAR: usize = 90;
/// Rows above the list: names of the columns.
const ABOVE: u16 = 1;

fn draw(
    table: &VerdictTable,
    cx: Context<'_>,
    screen: Rect,
    buf: &mut Buffer,
) -> Option<(u16, u16)> {
    let lines = u16::try_from(table.rows.len()).unwrap_or(u16::MAX);
    let size = (
        screen.width.saturating_sub(4),
        lines.saturating_add(4).min(screen.height.saturating_sub(2)),
    );
    let (listed, all) = (table.listed.len(), table.rows.len());
    let answers = &table.rows;
    let told = answers.iter().filter_map(|row| row.response?.verdict());
    let verdicts = told.count();
    let unsure = Some(Response::CantTell);
    let cant_tell = answers.iter().filter(|row| row.response == unsure).count();
    let counted = counted(verdicts, cant_tell);
    let title = if listed == all {
        counted
    } else {
        format!("{} of {} answers: {counted}", grouped(listed), grouped(all))
    };
    let note = cx.model.message.as_deref().unwrap_or_default();
    let inner = pane::popup(&title, note, size, cx.theme, screen, buf);
    if inner.height <= ABOVE + 1 {
        return None;
    }
    let list = Rect {
        y: inner.y + ABOVE,
        height: inner.height - ABOVE - 1,
        ..inner
    };
    let width = usize::from(inner.width);
    let columns = Columns::of(width);
    let head = head(cx, columns);
    buf.set_stringn(inner.x, inner.y, head, width, cx.theme.dim);
    rows(table, cx, columns, list, buf);
    typed(
        table,
        cx,
        Rect::new(inner.x, list.bottom(), inner.width, 1),
        buf,
    )
}

fn rows(table: &VerdictTable, cx: Context<'_>, columns: Columns, list: Rect, buf: &mut Buffer) {
    let shown = usize::from(list.height);
    let offset = (table.selected + 1).saturating_sub(shown);
    let places = table.listed.iter().enumerate().skip(offset);
    for ((at, &place), y) in places.zip(list.top()..list.bottom()) {
        let line = line(cx, &table.rows[place], columns);
        buf.set_line(list.x, y, &line, list.width);
        if at == table.selected {
            pane::mark(true, cx.theme, Rect::new(list.x, y, list.width, 1), buf);
        }
    }
    let scroll = Scroll {
        offset,
        shown,
        total: table.listed.len(),
    };
    pane::scrollbar(scroll, true, cx.theme, list, buf);
}

/// The line that chooses among the answers, while there is something on it; else whose answers are left out.
fn typed(
    table: &VerdictTable,
    cx: Context<'_>,
    area: Rect,
    buf: &mut Buffer,
) -> Option<(u16, u16)> {
    if !table.is_typed && table.filter.value().is_empty() {
        if let Some(others) = cx.model.left_out() {
            let others = text::fit(&format!(" {others}"), usize::from(area.width));
            buf.set_string(area.x, area.y, others, cx.theme.dim);
        }
        return None;
    }
    let line = Line::from(vec![
        Span::styled(" / ", cx.theme.key),
        Span::raw(table.filter.value().to_owned()),
    ]);
    buf.set_line(area.x, area.y, &line, area.width);
    let x = area.x + 3 + table.filter.visual_cursor() as u16;
    table.is_typed.then_some((x.min(area.right() - 1), area.y))
}

/// Columns of what a row has room for.
#[derive(Clone, Copy)]
struct Columns {
    when: usize,
    query: usize,
    item: usize,
}

impl Columns {
    /// The year is told where there is room.
    fn of(width: usize) -> Self {
        let when = if width < WITH_YEAR { WHEN - YEAR } else { WHEN };
        let room = width.saturating_sub(RESPONSE + when + 1);
        Columns {
            when,
            query: room / 2,
            item: room - room / 2,
        }
    }
}

fn head(cx: Context<'_>, columns: Columns) -> String {
    let [query, item] = match cx.model.view.direction {
        Direction::I2t => ["image", "caption"],
        Direction::T2i => ["caption", "image"],
    };
    let names = [
        ("   answer", RESPONSE),
        ("when, UTC", columns.when),
        (query, columns.query),
        (item, columns.item),
    ];
    let names = names.map(|(name, columns)| text::pad(name, columns));
    names.concat()
}

fn line(cx: Context<'_>, row: &Answered, columns: Columns) -> Line<'static> {
    let [query, item] = texts(row, cx.model);
    let (response, style) = match row.response {
        Some(response) => (
            format!(" {} {response}", signs::response(response)),
            cx.theme.response(response),
        ),
        None => ("   deleted".into(), cx.theme.dim.into()),
    };
    // To the minute.
    let when = row.at.to_string().replace('T', " ");
    let from = if columns.when < WHEN { YEAR } else { 0 };
    let when = when.get(from..MINUTES).unwrap_or(&when);
    let cell = |words: &str, columns: usize| {
        text::pad(&text::fit(words, columns.saturating_sub(2)), columns)
    };
    Line::from(vec![
        Span::styled(text::pad(&response, RESPONSE), style),
        Span::styled(text::pad(when, columns.when), cx.theme.dim),
        Span::raw(cell(&query, columns.query)),
        Span::raw(text::fit(&item, columns.item)),
    ])
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
    let answer = row.response.map_or("deleted", Response::key);
    let [query, item] = texts(row, model);
    format!("{query} {item} {answer}")
}
