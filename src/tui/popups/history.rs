//! The history: every step with the header's numbers after it; Enter goes back to one.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::sheet::Sheet;
use crate::data::text::count;
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::model::history::Step;
use crate::tui::popup::{Answer, Hint, Popup};
use crate::tui::ui::{Context, Ui};
use crate::tui::widgets::change::signed;
use crate::tui::widgets::pane::{self, Scroll};
use crate::tui::widgets::{text, trend};

/// The list of steps.
#[derive(Debug, Clone, Copy)]
pub struct HistoryList {
    /// Place of the selected step.
    pub selected: usize,
    /// Place of the present step when it was last looked for.
    present: usize,
}

impl HistoryList {
    pub(in crate::tui) fn new(model: &Model) -> Self {
        let present = model.history.present();
        HistoryList { selected: present, present }
    }
}

impl Popup for HistoryList {
    fn opened_by(&self) -> Action {
        Action::History
    }

    fn act(&mut self, action: Action, model: &mut Model) -> Answer {
        match action {
            Action::Undo => model.undo(),
            Action::Redo => model.redo(),
            Action::Detail => {
                model.revisit(self.selected);
            }
            // Changes of what lies below, which is not seen, would be steps of this list.
            Action::Pick | Action::Note => {
                model.message = Some("Esc closes the history, then pick or note".into());
            }
            _ => return Answer::Pass,
        }
        self.present = model.history.present();
        self.selected = self.present;
        Answer::Stay
    }

    /// A step that was refused is gone.
    fn refresh(&mut self, model: &Model) {
        let present = model.history.present();
        if self.present != present {
            (self.present, self.selected) = (present, present);
        }
    }

    fn scroll(&mut self, by: i32, model: &Model, _ui: &Ui) {
        let last = model.history.steps().len() - 1;
        self.selected = self.selected.saturating_add_signed(by as isize).min(last);
    }

    fn hints(&self, _model: &Model) -> Vec<Hint> {
        vec![
            (Action::Down, "move"),
            (Action::Detail, "go to the step"),
            (Action::Undo, "undo"),
            (Action::Redo, "redo"),
            (Action::Close, "close"),
        ]
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        draw(*self, cx, screen, buf);
        None
    }
}

/// Rows above the list: two histories and the names of the columns.
const ABOVE: u16 = 3;
/// Columns of the two numbers, each with its change.
const NUMBERS: usize = 34;

fn draw(steps: HistoryList, cx: Context<'_>, screen: Rect, buf: &mut Buffer) {
    let all = cx.model.history.steps();
    let (width, highest) = Sheet::outer((screen.width, screen.height));
    let height = u16::try_from(all.len() + 5).unwrap_or(highest).min(highest);
    let is_counted = all.iter().all(|step| step.numbers.is_some());
    let note = if is_counted {
        "Enter goes to a step, Esc closes"
    } else {
        "· not counted; Enter goes to a step, Esc closes"
    };
    let inner = pane::popup("history", note, (width, height), cx.ui, screen, buf);
    if inner.height <= ABOVE {
        return;
    }
    above(cx, inner, buf);
    let list = Rect { y: inner.y + ABOVE, height: inner.height - ABOVE, ..inner };
    let rows = usize::from(list.height);
    let offset = (steps.selected + 1).saturating_sub(rows);
    for (at, y) in (offset..all.len()).zip(list.top()..list.bottom()) {
        let line = line(cx, at, usize::from(list.width));
        buf.set_line(list.x, y, &line, list.width);
        if at == steps.selected {
            pane::mark(true, cx.theme, Rect::new(list.x, y, list.width, 1), buf);
        }
    }
    let scroll = Scroll { offset, shown: rows, total: all.len() };
    pane::scrollbar(scroll, true, cx.theme, list, buf);
}

/// Both numbers over the steps up to the present one.
fn above(cx: Context<'_>, inner: Rect, buf: &mut Buffer) {
    let done = &cx.model.history.steps()[..=cx.model.history.present()];
    let columns = usize::from(inner.width).saturating_sub(10);
    let titles = cx.model.header.titles();
    let name = titles.iter().map(|title| text::width(title)).max().unwrap_or_default() + 1;
    for (at, style) in [cx.theme.line_r1, cx.theme.line_map].into_iter().enumerate() {
        let values = done.iter().filter_map(|step| step.numbers?.values[at].value);
        let values: Vec<f64> = values.collect();
        let line = Line::from(vec![
            Span::styled(format!("{}  ", text::pad_left(&titles[at], name)), cx.theme.dim),
            Span::styled(trend::line(&values, columns), style),
        ]);
        buf.set_line(inner.x, inner.y + at as u16, &line, inner.width);
    }
    let width = usize::from(inner.width).saturating_sub(NUMBERS + 1);
    let [first, second] =
        [(9, &titles[0]), (22, &titles[1])].map(|(columns, title)| text::pad_left(title, columns));
    let head = format!("{}{first}{second}", text::pad("      step", width));
    let room = usize::from(inner.width);
    buf.set_stringn(inner.x, inner.y + 2, head, room, cx.theme.dim);
}

fn line(cx: Context<'_>, at: usize, width: usize) -> Line<'static> {
    let steps = cx.model.history.steps();
    let step = &steps[at];
    let present = cx.model.history.present();
    let (pointer, style): (&str, Style) = match at {
        at if at == present => ("▸", cx.theme.title.into()),
        at if at > present => (" ", cx.theme.dim.into()),
        _ => (" ", Style::default()),
    };
    let met = step.numbers.and_then(|numbers| Some(numbers.met?.count));
    let of = met.map_or(String::new(), |met| format!(" ({})", count(met, "query")));
    let name = format!("{pointer}{}  {}{of}", text::pad_left(&at.to_string(), 4), step.name);
    let mut spans = vec![Span::styled(text::pad(&name, width.saturating_sub(NUMBERS + 1)), style)];
    // Beside a step that was not counted, the change is of both together.
    let steps = cx.model.history.steps();
    let is_alone = at.checked_sub(1).is_none_or(|before| steps[before].numbers.is_some());
    let changes = cx.model.step_change(at).filter(|_| is_alone);
    let changes = changes.map_or([None; 2], |of| of.values);
    spans.extend([0, 1].into_iter().flat_map(|at| number(cx, step, changes[at], at)));
    Line::from(spans)
}

/// A number of a step, and its change where the step is a what-if.
fn number(cx: Context<'_>, step: &Step, change: Option<f64>, at: usize) -> [Span<'static>; 2] {
    let unit = cx.model.header.units()[at];
    let shown = match step.numbers {
        Some(after) => unit.shown(after.values[at].value),
        None => "·".into(),
    };
    let change = change.filter(|change| *change != 0.0);
    let words = change.map_or(String::new(), |change| format!(" {}", signed(unit, change)));
    let style = match change {
        Some(change) if unit.better(change) > 0.0 => cx.theme.up,
        Some(_) => cx.theme.down,
        None => cx.theme.dim,
    };
    [Span::raw(text::pad_left(&shown, 8)), Span::styled(text::pad(&words, 9), style)]
}
