//! The selected query over the steps of a training: the rank of its first positive, R@1 and AP@R at each.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};

use super::sheet::Sheet;
use crate::data::text::grouped;
use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::popup::{Answer, Hint, Popup};
use crate::tui::signs;
use crate::tui::state::Model;
use crate::tui::state::compare::{NO_STEPS, Trajectory};
use crate::tui::ui::list::{Column, ListView, Scrolled};
use crate::tui::ui::{pane, text};

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
        use Action::{Down, Left, NextModel, NextTruth, PreviousModel, PreviousTruth, Redo};
        use Action::{Right, Undo, Up};
        match action {
            Down | Right => Answer::Below(NextModel),
            Up | Left => Answer::Below(PreviousModel),
            NextModel | PreviousModel | NextTruth | PreviousTruth | Undo | Redo => {
                Answer::Below(action)
            }
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
        let (model, view) = (cx.model, cx.model.view);
        let query = model.selection.query()?;
        let (width, height) = Sheet::outer((screen.width, screen.height));
        let truth = model.name_in_force(view.truth);
        let title = format!("over the steps, ground truth {truth} {}", view.direction);
        // The frame, the query, how it is learned, and the titles of columns.
        let size = (width, height.min(model.study.steps.len() as u16 + 5));
        let inner = pane::popup(&title, "Esc closes", size, cx.ui, screen, buf);
        let rows = [Constraint::Length(2), Constraint::Fill(1)];
        let [above, list] = inner.layout(&Layout::vertical(rows));
        let trajectory = model.trajectory(view.truth, query);
        let learned = match trajectory.as_ref().map(Trajectory::kind) {
            None => "not judged".to_owned(),
            Some(None) => "R@1: not all steps are known".to_owned(),
            Some(Some((key, _))) => format!("R@1: {key}"),
        };
        let room = usize::from(inner.width).saturating_sub(2);
        let label = text::fit(&model.label(view.direction, query, room), room);
        let words = [Line::from(label), Line::styled(learned, cx.theme.title)];
        pane::wrapped(words.map(|line| (line, 0)), above, buf);
        if let Some(trajectory) = &trajectory {
            steps(cx, trajectory).draw(&self.scrolled, cx.ui, list, buf);
        }
        None
    }
}

fn steps<'a>(cx: Context<'a>, trajectory: &'a Trajectory) -> ListView<'a> {
    let counted = |at: usize| trajectory.steps[at].counted.as_ref();
    let number = |at: usize, _| grouped(trajectory.steps[at].step.number as usize);
    let first = move |at: usize, _| counted(at).map_or("…".into(), |of| of.words.clone());
    let correct = move |at: usize, _| {
        let (mark, style) = signs::top_1(counted(at).and_then(|of| of.is_correct), cx.theme);
        Span::styled(mark, style)
    };
    let ap = move |at: usize, _| signs::share(counted(at).and_then(|of| of.ap), 2);
    let share = move |at: usize, room: usize| {
        let ap = counted(at).and_then(|of| of.ap).unwrap_or(0.0);
        let bar = (ap * room.saturating_sub(BEST.len()) as f64).round() as usize;
        let best = if trajectory.best == Some(at) { BEST } else { "" };
        Line::from_iter([
            Span::styled("━".repeat(bar), cx.theme.line_map),
            Span::styled(best, cx.theme.key),
        ])
    };
    ListView {
        id: "steps",
        columns: vec![
            Column::new("step", 10, number).right(),
            Column::new("first", 7, first).right(),
            Column::new("R@1", 4, correct).right(),
            Column::new("AP@R", 7, ap).right(),
            Column::rest("", share),
        ],
        len: trajectory.steps.len(),
        selected: trajectory.present,
        ..ListView::default()
    }
}
