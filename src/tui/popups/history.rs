//! The history: every step with the header's numbers after it; Enter goes back to one.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::sheet::Sheet;
use crate::data::text::count;
use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::popup::{Answer, Hint, Popup};
use crate::tui::state::Model;
use crate::tui::ui::list::{Column, ListView, Scrolled};
use crate::tui::ui::{pane, trend};

/// The list of steps.
pub struct HistoryList {
    selected: usize,
    scrolled: Scrolled,
}

impl HistoryList {
    pub(in crate::tui) fn new(model: &Model) -> Self {
        HistoryList { selected: model.history.present(), scrolled: Scrolled::default() }
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
            _ => return Answer::Pass,
        }
        self.selected = model.history.present();
        Answer::Stay
    }

    /// A step that was refused is gone.
    fn refresh(&mut self, model: &Model) {
        self.selected = self.selected.min(model.history.steps().len() - 1);
    }

    fn selected(&mut self, model: &Model) -> Option<(&mut usize, usize)> {
        Some((&mut self.selected, model.history.steps().len()))
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
        let steps = cx.model.history.steps();
        let (width, highest) = Sheet::outer(screen.as_size().into());
        let height = u16::try_from(steps.len() + 3).map_or(highest, |rows| rows.min(highest));
        let is_counted = steps.iter().all(|step| step.numbers.is_some());
        let note = if is_counted { "" } else { "· not counted" };
        let inner = pane::popup("history", note, (width, height), cx.ui, screen, buf);
        let [first, second] = cx.model.header.titles();
        let view = ListView {
            id: "history",
            columns: vec![
                Column::rest("      step", move |at, _| name(cx, at)),
                Column::new(first, 7, move |at, _| number(cx, at, 0)).right(),
                Column::new("", 8, move |at, _| change(cx, at, 0)),
                Column::new(second, 7, move |at, _| number(cx, at, 1)).right(),
                Column::new("", 8, move |at, _| change(cx, at, 1)),
            ],
            len: steps.len(),
            selected: Some(self.selected),
            ..ListView::default()
        };
        view.draw(&self.scrolled, cx.ui, inner, buf);
        None
    }
}

fn name(cx: Context<'_>, at: usize) -> Span<'static> {
    let (step, present) = (&cx.model.history.steps()[at], cx.model.history.present());
    let pointer = if at == present { "▸" } else { " " };
    let met = step.numbers.and_then(|numbers| numbers.met);
    let met = met.map_or(String::new(), |met| format!(" ({})", count(met, "query")));
    let style = match at.cmp(&present) {
        std::cmp::Ordering::Less => Style::default(),
        std::cmp::Ordering::Equal => cx.theme.title.into(),
        std::cmp::Ordering::Greater => cx.theme.dim.into(),
    };
    Span::styled(format!("{pointer}{at:>4}  {}{met}", step.name), style)
}

fn number(cx: Context<'_>, at: usize, which: usize) -> String {
    let unit = cx.model.header.units()[which];
    let numbers = cx.model.history.steps()[at].numbers;
    numbers.map_or("·".into(), |numbers| unit.shown(numbers.values[which].value))
}

/// By how much a what-if changed a number. Beside a step that was not counted it would be the change of both.
fn change(cx: Context<'_>, at: usize, which: usize) -> Span<'static> {
    let unit = cx.model.header.units()[which];
    let steps = cx.model.history.steps();
    let is_alone = at.checked_sub(1).is_none_or(|before| steps[before].numbers.is_some());
    let change = cx.model.step_change(at).filter(|_| is_alone);
    match change.and_then(|of| of.values[which]) {
        None | Some(0.0) => Span::default(),
        Some(change) => {
            let style = if unit.better(change) > 0.0 { cx.theme.up } else { cx.theme.down };
            Span::styled(trend::signed(unit, change), style)
        }
    }
}
