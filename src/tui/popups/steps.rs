//! The selected query over the steps of a training: the rank of its first positive, R@1 and AP@R at each.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};

use super::sheet::Sheet;
use crate::data::text::grouped;
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::model::compare::{NO_STEPS, Trajectory};
use crate::tui::popup::{Answer, Hint, Popup};
use crate::tui::signs;
use crate::tui::ui::Context;
use crate::tui::widgets::list::{Column, ListView, Scrolled};
use crate::tui::widgets::{pane, text, trend};

/// Lines above the steps: the query, and how it is learned.
const ABOVE: u16 = 2;
/// What stands behind the bar of the best step.
const BEST: &str = " best";

/// A line for each step; the one looked at moves with the keys of a list.
#[derive(Default)]
pub struct Steps {
    scrolled: Scrolled,
}

/// Opens it, where models are steps and a query is selected.
pub(in crate::tui) fn open(model: &mut Model) -> Option<Steps> {
    let lacks = match model.selection.query() {
        _ if model.study.steps.is_empty() => Some(NO_STEPS),
        _ if model.is_blind() => Some("ranks are hidden while one judges blind"),
        None => Some("no query is selected"),
        Some(_) => None,
    };
    model.message = lacks.map(str::to_owned);
    lacks.is_none().then(Steps::default)
}

impl Popup for Steps {
    fn opened_by(&self) -> Action {
        Action::Steps
    }

    fn act(&mut self, action: Action, _model: &mut Model) -> Answer {
        match action {
            Action::Down | Action::Right => Answer::Below(Action::NextModel),
            Action::Up | Action::Left => Answer::Below(Action::PreviousModel),
            Action::NextModel
            | Action::PreviousModel
            | Action::NextTruth
            | Action::PreviousTruth
            | Action::Undo
            | Action::Redo => Answer::Below(action),
            _ => Answer::Pass,
        }
    }

    fn is_done(&self, model: &Model) -> bool {
        model.study.steps.is_empty() || model.selection.query().is_none()
    }

    fn hints(&self, _model: &Model) -> Vec<Hint> {
        vec![
            (Action::Down, "next step"),
            (Action::Up, "previous"),
            (Action::NextTruth, "truth"),
            (Action::Undo, "undo"),
            (Action::Close, "close"),
        ]
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        draw(self, cx, screen, buf);
        None
    }
}

fn draw(steps: &Steps, cx: Context<'_>, screen: Rect, buf: &mut Buffer) {
    let (model, view) = (cx.model, cx.model.view);
    let Some(query) = model.selection.query() else {
        return;
    };
    let (width, height) = Sheet::outer((screen.width, screen.height));
    let truth = model.name_in_force(view.truth);
    let title = format!("over the steps, ground truth {truth} {}", view.direction);
    let rows = model.study.steps.len() + usize::from(ABOVE) + 3;
    let size = (width, height.min(u16::try_from(rows).unwrap_or(height)));
    let inner = pane::popup(&title, "Esc closes", size, cx.ui, screen, buf);
    let [above, list] =
        inner.layout(&Layout::vertical([Constraint::Length(ABOVE), Constraint::Fill(1)]));
    let room = usize::from(inner.width).saturating_sub(2);
    let label = model.label(view.direction, query, room);
    let trajectory = model.trajectory(view.truth, query);
    let learned = match trajectory.as_ref().map(Trajectory::kind) {
        None => " not judged".to_owned(),
        Some(None) => " R@1: not all steps are known".to_owned(),
        Some(Some((key, _))) => format!(" R@1: {key}"),
    };
    let words = [
        Line::from(format!(" {}", text::fit(&label, room))),
        Line::styled(learned, cx.theme.title),
    ];
    pane::lines(&words, 0, above, buf);
    if let Some(trajectory) = &trajectory {
        draw_steps(steps, cx, trajectory, list, buf);
    }
}

fn draw_steps(
    steps: &Steps,
    cx: Context<'_>,
    trajectory: &Trajectory,
    area: Rect,
    buf: &mut Buffer,
) {
    let counted = |at: usize| trajectory.steps[at].counted.as_ref();
    let number = |at: usize, _| grouped(trajectory.steps[at].step.number as usize);
    let first =
        |at: usize, _| counted(at).map_or_else(|| "…".to_owned(), |counted| counted.words.clone());
    let correct = |at: usize, _| {
        let (mark, style) = signs::top_1(counted(at).and_then(|of| of.is_correct), cx.theme);
        Span::styled(mark, style)
    };
    let ap = |at: usize, _| signs::share(counted(at).and_then(|counted| counted.ap), 2);
    let rank = |at: usize, _| {
        let rank = counted(at).and_then(|counted| counted.first);
        Span::styled(rank.map_or(" ", trend::of_rank), cx.theme.line_r1)
    };
    let share = |at: usize, room: usize| {
        let ap = counted(at).and_then(|counted| counted.ap).unwrap_or(0.0);
        let bar = (ap * room.saturating_sub(BEST.len()) as f64).round() as usize;
        let best = if trajectory.best == Some(at) { BEST } else { "" };
        Line::from(vec![
            Span::styled("━".repeat(bar), cx.theme.line_map),
            Span::styled(best, cx.theme.key),
        ])
    };
    let list = ListView {
        id: "steps",
        columns: vec![
            Column::new("step", 10, number).right(),
            Column::new("first", 7, first).right(),
            Column::new("R@1", 4, correct).right(),
            Column::new("AP@R", 7, ap).right(),
            Column::new("", 1, rank),
            Column::rest("", share),
        ],
        len: trajectory.steps.len(),
        selected: trajectory.present,
        ..ListView::default()
    };
    list.draw(&steps.scrolled, cx.ui, area, buf);
}
