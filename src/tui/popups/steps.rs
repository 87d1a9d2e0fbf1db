//! The selected query over the steps of a training: the rank of its first positive, R@1 and AP@R at each.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::sheet::Sheet;
use crate::data::text::grouped;
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::model::compare::{Counted, NO_STEPS, Trajectory};
use crate::tui::popup::{Answer, Hint, Popup};
use crate::tui::signs;
use crate::tui::ui::Context;
use crate::tui::widgets::{pane, text, trend};

/// Columns of a step's number, of a rank, of R@1 and of AP@R.
const COLUMNS: [usize; 4] = [10, 8, 5, 8];
/// Lines above the steps: the query, how it is learned, the names of the columns.
const ABOVE: usize = 3;
/// Columns of the rank's bar, and of what stands behind the bar of AP@R.
const RANK_BAR: usize = 3;
const BEHIND: usize = 6;

/// A line for each step; the one looked at moves with the keys of a list.
pub struct Steps;

/// Opens it, where models are steps and a query is selected.
pub(in crate::tui) fn open(model: &mut Model) -> Option<Steps> {
    let lacks = match model.selection.query() {
        _ if model.study.steps.is_empty() => Some(NO_STEPS),
        _ if model.is_blind() => Some("ranks are hidden while one judges blind"),
        None => Some("no query is selected"),
        Some(_) => None,
    };
    model.message = lacks.map(str::to_owned);
    lacks.is_none().then_some(Steps)
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
        draw(cx, screen, buf);
        None
    }
}

fn draw(cx: Context<'_>, screen: Rect, buf: &mut Buffer) {
    let (model, view) = (cx.model, cx.model.view);
    let Some(query) = model.selection.query() else {
        return;
    };
    let (width, height) = Sheet::outer((screen.width, screen.height));
    let truth = model.name_in_force(view.truth);
    let title = format!("over the steps, ground truth {truth} {}", view.direction);
    let rows = model.study.steps.len() + ABOVE + 2;
    let size = (width, height.min(rows as u16));
    let inner = pane::popup(&title, "Esc closes", size, cx.ui, screen, buf);
    let room = usize::from(inner.width).saturating_sub(2);
    let label = model.label(view.direction, query, room);
    let mut lines = vec![Line::from(format!(" {}", text::fit(&label, room)))];
    let Some(trajectory) = model.trajectory(view.truth, query) else {
        lines.push(Line::styled(" not judged", cx.theme.dim));
        return pane::lines(&lines, 0, inner, buf);
    };
    lines.push(learned(cx, &trajectory));
    lines.push(names(cx));
    let shown = usize::from(inner.height).saturating_sub(ABOVE);
    let first = cx.ui.follow(0, trajectory.present.unwrap_or(0), shown);
    let steps = (0..trajectory.steps.len()).skip(first).take(shown);
    lines.extend(steps.map(|at| row(cx, &trajectory, at, room)));
    pane::lines(&lines, 0, inner, buf);
    if let Some(present) = trajectory.present {
        let y = inner.y + (ABOVE + present - first) as u16;
        let row = Rect::new(inner.x, y, inner.width, 1);
        pane::mark(true, cx.theme, row.intersection(inner), buf);
    }
}

/// How the query is learned.
fn learned(cx: Context<'_>, trajectory: &Trajectory) -> Line<'static> {
    let words = match trajectory.kind() {
        Some((key, _)) => format!(" R@1: {key}"),
        None => " R@1: not all steps are known".to_owned(),
    };
    Line::styled(words, cx.theme.title)
}

fn names(cx: Context<'_>) -> Line<'static> {
    let names = ["step", "first", "R@1", "AP@R"].into_iter().zip(COLUMNS);
    let names: String = names.map(|(name, width)| text::pad_left(name, width)).collect();
    Line::styled(names, cx.theme.dim)
}

/// A step, the best one by name.
fn row(cx: Context<'_>, trajectory: &Trajectory, at: usize, room: usize) -> Line<'static> {
    let step = &trajectory.steps[at];
    let [wide, ..] = COLUMNS;
    let number = grouped(step.step.number as usize);
    let mut spans = vec![Span::raw(text::pad_left(&number, wide))];
    match &step.counted {
        Some(counted) => spans.extend(numbers(cx, counted, room)),
        None => spans.push(Span::styled(format!("   {}", cx.model.files.waiting()), cx.theme.dim)),
    }
    if trajectory.best == Some(at) {
        spans.push(Span::styled(" best", cx.theme.key));
    }
    Line::from(spans)
}

fn numbers(cx: Context<'_>, counted: &Counted, room: usize) -> Vec<Span<'static>> {
    let [number, first, right, ap] = COLUMNS;
    let (mark, style) = signs::top_1(counted.is_correct, cx.theme);
    let bar = counted.first.map_or(" ", trend::of_rank);
    let taken = number + first + right + ap + RANK_BAR + BEHIND;
    let share = counted.ap.unwrap_or(0.0) * room.saturating_sub(taken) as f64;
    vec![
        Span::raw(text::pad_left(&counted.words, first)),
        Span::styled(text::pad_left(mark, right), style),
        Span::raw(text::pad_left(&signs::share(counted.ap, 2), ap)),
        Span::styled(text::pad_left(bar, RANK_BAR - 1), cx.theme.line_r1),
        Span::raw(" "),
        Span::styled("━".repeat(share.round() as usize), cx.theme.line_map),
    ]
}
