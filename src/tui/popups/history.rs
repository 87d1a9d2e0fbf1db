//! The history: every step with R@1 and mAP@R after it; Enter goes back to one.

use super::{Answer, Popup, Sheet};
use crate::metric::Unit;
use crate::tui::action::Action;
use crate::tui::app::App;
use crate::tui::history::{After, Step};
use crate::tui::widgets::pane::{self, Scroll};
use crate::tui::widgets::{text, trend};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// The list of steps.
#[derive(Debug, Clone, Copy)]
pub struct HistoryList {
    /// Place of the selected step.
    pub selected: usize,
}

impl HistoryList {
    pub(super) fn new(app: &App) -> Self {
        let selected = app.history.present();
        HistoryList { selected }
    }
}

impl Popup for HistoryList {
    fn opened_by(&self) -> Action {
        Action::History
    }

    fn act(&mut self, action: Action, app: &mut App) -> Answer {
        match action {
            Action::Undo => app.undo(),
            Action::Redo => app.redo(),
            Action::Detail => app.revisit(self.selected),
            _ => return Answer::Pass,
        }
        self.selected = app.history.present();
        Answer::Stay
    }

    fn scroll(&mut self, by: i32, app: &App) {
        let last = app.history.steps().len() - 1;
        self.selected = self.selected.saturating_add_signed(by as isize).min(last);
    }

    fn draw(&self, app: &App, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        draw(*self, app, screen, buf);
        None
    }
}

/// Rows above the list: two histories and the names of the columns.
const ABOVE: u16 = 3;
/// Columns of the two numbers, each with its change.
const NUMBERS: usize = 34;

fn draw(steps: HistoryList, app: &App, screen: Rect, buf: &mut Buffer) {
    let all = app.history.steps();
    let (width, highest) = Sheet::outer((screen.width, screen.height));
    let height = u16::try_from(all.len() + 5).unwrap_or(highest).min(highest);
    let note = "Enter goes to a step, Esc closes";
    let inner = pane::popup("history", note, (width, height), &app.theme, screen, buf);
    if inner.height <= ABOVE {
        return;
    }
    above(app, inner, buf);
    let list = Rect {
        y: inner.y + ABOVE,
        height: inner.height - ABOVE,
        ..inner
    };
    let rows = usize::from(list.height);
    let offset = (steps.selected + 1).saturating_sub(rows);
    for (at, y) in (offset..all.len()).zip(list.top()..list.bottom()) {
        let line = line(app, at, usize::from(list.width));
        buf.set_line(list.x, y, &line, list.width);
        if at == steps.selected {
            pane::mark(true, &app.theme, Rect::new(list.x, y, list.width, 1), buf);
        }
    }
    let scroll = Scroll {
        offset,
        shown: rows,
        total: all.len(),
    };
    pane::scrollbar(scroll, true, &app.theme, list, buf);
}

/// Both numbers over the steps up to the present one.
fn above(app: &App, inner: Rect, buf: &mut Buffer) {
    let done = &app.history.steps()[..=app.history.present()];
    let columns = usize::from(inner.width).saturating_sub(10);
    let values = |of: fn(After) -> Option<f64>| -> Vec<f64> {
        done.iter().filter_map(|step| of(step.numbers?)).collect()
    };
    let rows = [
        ("   R@1  ", values(|after| after.r1), app.theme.line_r1),
        (
            " mAP@R  ",
            values(|after| after.map_at_r),
            app.theme.line_map,
        ),
    ];
    for ((name, values, style), y) in rows.into_iter().zip(inner.y..) {
        let line = Line::from(vec![
            Span::styled(name, app.theme.dim),
            Span::styled(trend::line(&values, columns), style),
        ]);
        buf.set_line(inner.x, y, &line, inner.width);
    }
    let width = usize::from(inner.width).saturating_sub(NUMBERS + 1);
    let head = text::pad("      step", width) + "      R@1                 mAP@R";
    let room = usize::from(inner.width);
    buf.set_stringn(inner.x, inner.y + 2, head, room, app.theme.dim);
}

fn line(app: &App, at: usize, width: usize) -> Line<'static> {
    let steps = app.history.steps();
    let step = &steps[at];
    let present = app.history.present();
    let (pointer, style): (&str, Style) = match at {
        at if at == present => ("▸", app.theme.title.into()),
        at if at > present => (" ", app.theme.dim.into()),
        _ => (" ", Style::default()),
    };
    let name = format!(
        "{pointer}{}  {}",
        text::pad_left(&at.to_string(), 4),
        step.name
    );
    let mut spans = vec![Span::styled(
        text::pad(&name, width.saturating_sub(NUMBERS + 1)),
        style,
    )];
    let before = at.checked_sub(1).map(|before| &steps[before]);
    spans.extend(number(app, step, before, |after| after.r1));
    spans.extend(number(app, step, before, |after| after.map_at_r));
    Line::from(spans)
}

/// A number of a step, and its change.
fn number(
    app: &App,
    step: &Step,
    before: Option<&Step>,
    of: impl Fn(After) -> Option<f64>,
) -> [Span<'static>; 2] {
    let value = |step: &Step| step.numbers.and_then(&of);
    let shown = match step.numbers {
        Some(_) => Unit::Share.shown(value(step)),
        None => "·".into(),
    };
    let change = value(step)
        .zip(before.and_then(value))
        .map(|(value, before)| 100.0 * (value - before))
        .filter(|change| *change != 0.0);
    let (words, style) = match change {
        Some(change) if change > 0.0 => (format!(" +{change:.3}"), app.theme.up),
        Some(change) => (format!(" {change:.3}"), app.theme.down),
        None => (String::new(), app.theme.dim),
    };
    [
        Span::raw(text::pad_left(&shown, 8)),
        Span::styled(text::pad(&words, 9), style),
    ]
}
