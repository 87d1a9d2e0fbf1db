//! The selected query over the steps of a training, in one line.

use ratatui::text::{Line, Span};

use super::Cx;
use crate::data::text::grouped;
use crate::tui::model::compare::{QueryAtStep, Trajectory};
use crate::tui::widgets::{text, trend};

/// Steps that are shown before their words are cut.
const LEAST: usize = 8;
/// Columns before the steps.
const BEFORE: usize = 3;

/// The rank of the first positive at each step as a bar, the best and the present step marked, and both in words; in
/// at most so many columns.
pub(super) fn line(cx: Cx<'_>, query: usize, width: usize) -> Option<Line<'static>> {
    let trajectory = cx.model.trajectory(cx.model.view.truth, query)?;
    let room = width.saturating_sub(BEFORE);
    let wanted = trajectory.steps.len().min(LEAST);
    let mut words = words(&trajectory).into_iter();
    let words = words.find(|words| text::width(words) + wanted <= room);
    let words = words.unwrap_or_default();
    let mut spans = vec![Span::raw(" ".repeat(BEFORE))];
    spans.extend(bars(cx, &trajectory, room - text::width(&words)));
    spans.push(Span::styled(words, cx.theme.dim));
    Some(Line::from(spans))
}

/// What the marks mean, in many words or in fewer.
fn words(trajectory: &Trajectory) -> Vec<String> {
    let Some((best, counted)) = trajectory.at(trajectory.best) else {
        return Vec::new();
    };
    let (rank, step) = (&counted.words, grouped(best.step.number as usize));
    let now = trajectory.at(trajectory.present);
    let now = now.map_or(String::new(), |(_, now)| format!(", here {}", now.words));
    vec![
        format!("  best rank {rank} at step {step}{now}"),
        format!("  best {rank} at step {step}{now}"),
        format!("  best {rank} at {step}{now}"),
        format!("  best {rank} at {step}"),
    ]
}

/// As many steps as there is room for, around the present one.
fn bars(cx: Cx<'_>, trajectory: &Trajectory, room: usize) -> Vec<Span<'static>> {
    let shown = trajectory.steps.len().min(room);
    let present = trajectory.present.unwrap_or(0);
    let first = present.saturating_sub(shown / 2);
    let first = first.min(trajectory.steps.len() - shown);
    let steps = trajectory.steps.iter().enumerate().skip(first).take(shown);
    let style = |at: usize| match Some(at) {
        here if here == trajectory.present => cx.theme.selected,
        best if best == trajectory.best => cx.theme.key,
        _ => cx.theme.line_r1,
    };
    steps.map(|(at, of)| Span::styled(bar(of), style(at))).collect()
}

fn bar(at: &QueryAtStep) -> &'static str {
    match &at.counted {
        None => "·",
        Some(counted) => counted.first.map_or(" ", trend::of_rank),
    }
}
