//! Which of the two models is better: the conclusion in a sentence, and the difference under each ground truth.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{Cx, FOREST};
use crate::analysis::conclusion::{self, Difference};
use crate::tui::signs;
use crate::tui::state::Model;
use crate::tui::ui::list::{Column, ListView, Scrolled};
use crate::tui::ui::{pane, text};

/// Maximum rows of the conclusion.
const MAX_ROWS: usize = 3;
/// Columns of a ground truth's name.
const TRUTH: usize = 16;
/// Columns of a difference with its interval, such as `+45.7 [42.6, 48.8]`.
const NUMBERS: usize = 21;

/// The two models, the better one by mAP@R under the current ground truth first.
pub(super) fn better_first(model: &Model) -> [usize; 2] {
    conclusion::better_first(&model.differences(model.view.truth))
}

/// Which model is better and by how much, under the current ground truth: the answer, and its evidence.
fn answer(model: &Model) -> [String; 2] {
    let Some(two) = model.two() else {
        let is_ranked = model.ranked_count().is_some();
        let words =
            if is_ranked { "" } else { "One model alone: give two score files to compare them." };
        return [words.into(), String::new()];
    };
    let differences = model.differences(model.view.truth);
    let names = two.map(|of| model.study.models[of].name.as_str());
    if differences.is_empty() && !two.iter().all(|&of| model.is_counted(of)) {
        return [format!("{} and {}: counting …", names[0], names[1]), String::new()];
    }
    conclusion::conclusion(names, &model.name_in_force(model.view.truth), &differences)
}

impl Cx<'_> {
    /// The conclusion, wrapped to `columns`.
    pub(super) fn conclusion_lines(self, columns: u16) -> Vec<Line<'static>> {
        let [answer, rest] = answer(self.model);
        let told = self.model.unapplied_filter().filter(|_| self.model.two().is_some());
        let mut told = told.map_or(String::new(), |told| format!("All queries: {told}."));
        if self.model.is_changed(self.model.view.truth) {
            told = format!("{told} Note: {}.", conclusion::PARTIAL);
        }
        let line = Line::from_iter([
            Span::styled(answer + " ", self.theme.title),
            Span::styled(rest + " ", self.theme.base),
            Span::styled(told, self.theme.warning),
        ]);
        let columns = usize::from(columns).saturating_sub(2);
        let mut lines = pane::fitting(text::wrap_line(&line, columns, 0), MAX_ROWS);
        if self.model.ranked_count().is_some() {
            let all = text::fit(&self.model.leaderboard(1).conclusion(), columns);
            lines.insert(0, Line::styled(all, self.theme.title));
        }
        lines
    }

    /// The differences of the forest plot, from top to bottom.
    pub(super) fn forest(self) -> Vec<Difference> {
        let truths = self.model.judging_truths();
        truths.flat_map(|truth| self.model.differences(truth)).collect()
    }
}

pub(super) fn draw_conclusion(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    pane::lines(&cx.conclusion_lines(area.width), 0, area.inner(Margin::new(1, 0)), buf);
}

/// A common axis, from low to high, with zero at least a quarter of it from both.
#[derive(Debug, Clone, Copy)]
struct ForestAxis([f64; 2]);

impl ForestAxis {
    fn over(values: impl Iterator<Item = f64>) -> Self {
        let [low, high] =
            values.fold([0.0_f64, 0.0_f64], |[low, high], value| [low.min(value), high.max(value)]);
        ForestAxis([low.min(-high / 3.0), high.max(-low / 3.0)])
    }

    /// Column of a value among `columns`.
    fn column(self, value: f64, columns: usize) -> usize {
        let [low, high] = self.0;
        let share = if high > low { (value - low) / (high - low) } else { 0.5 };
        (share * columns.saturating_sub(1) as f64).round() as usize
    }

    /// An interval around its mean, and the zero line.
    fn interval(
        self,
        [low, mean, high]: [f64; 3],
        look: Style,
        zero: Style,
        columns: usize,
    ) -> Line<'static> {
        let at = |value| self.column(value, columns);
        let cell = |column: usize| {
            let is_inside = (at(low)..=at(high)).contains(&column);
            match column {
                _ if column == at(mean) => ('●', look),
                _ if is_inside && column == at(low) => ('├', look),
                _ if is_inside && column == at(high) => ('┤', look),
                _ if is_inside => ('─', look),
                _ if column == at(0.0) => ('│', zero),
                _ => (' ', zero),
            }
        };
        let cells = (0..columns).map(cell);
        cells.map(|(sign, look)| Span::styled(sign.to_string(), look)).collect()
    }
}

/// Draws a row per ground truth and metric, with its interval on a common axis: better minus worse.
pub(super) fn draw_forest(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let Some(two) = cx.model.two().filter(|_| area.area() > 0) else {
        return;
    };
    let model = cx.model;
    let sides = better_first(model);
    let name = |at: usize, room: usize| signs::model(&model.study, two[sides[at]], room);
    let [better, worse] = [0, 1].map(|at| name(at, 24));
    let title = format!("Difference, {better} - {worse} ({})", model.view.direction);
    let note = "95 % CI; dim: not significant";
    let inner = pane::frame(title, note, cx.is_on_models(), cx.theme, area, buf);
    let rows = cx.forest();
    let rows = rows.as_slice();
    let sign = if sides[0] == 0 { 1.0 } else { -1.0 };
    let ends = |of: &Difference| {
        let [one, other] = of.interval.unwrap_or([of.mean; 2]).map(|end| end * sign);
        [one.min(other), of.mean * sign, one.max(other)]
    };
    let axis = ForestAxis::over(rows.iter().flat_map(ends));
    let look = move |of: &Difference| -> Style {
        match of.is_significant {
            Some(true) if of.mean * sign > 0.0 => cx.theme.up.into(),
            Some(true) => cx.theme.down.into(),
            _ => cx.theme.dim.into(),
        }
    };
    let plot = move |at: usize, columns: usize| {
        let Some(of) = at.checked_sub(1).map(|at| &rows[at]) else {
            let zero = axis.column(0.0, columns);
            let [left, right] = [zero.saturating_sub(1), columns.saturating_sub(zero + 2)];
            let whole = [0, 1].map(|at| format!("{} better", name(at, 24)));
            let has_room = text::width(&whole[1]) <= left && text::width(&whole[0]) <= right;
            let [right_side, left_side] =
                if has_room { whole } else { [name(0, right), name(1, left)] };
            let line = text::pad(&left_side, zero) + "0 " + &text::pad_left(&right_side, right);
            return Line::styled(line, cx.theme.dim);
        };
        axis.interval(ends(of), look(of), cx.theme.border.into(), columns)
    };
    let row = move |at: usize| at.checked_sub(1).map(|at| &rows[at]);
    let styled =
        move |at: usize, words: String| Span::styled(words, row(at).map_or(Style::default(), look));
    let truth = move |at: usize, room: usize| {
        let name = row(at).map(|of| text::fit(&model.name_in_force(of.truth), room));
        let is_here = row(at).is_some_and(|of| of.truth == model.view.truth);
        Span::styled(name.unwrap_or_default(), if is_here { cx.theme.title } else { cx.theme.base })
    };
    let metric = move |at: usize, _| row(at).map_or(String::new(), |of| of.spec.title());
    let numbers =
        move |at: usize, _| styled(at, row(at).map_or(String::new(), |of| of.seen_from(sides[0])));
    let widest = rows.iter().map(|of| text::width(&model.name_in_force(of.truth))).max();
    let list = ListView {
        id: FOREST,
        columns: vec![
            Column::new("", widest.unwrap_or(0).min(TRUTH), truth),
            Column::new("", 5, metric),
            Column::rest("", plot),
            Column::new("", NUMBERS, numbers).right(),
        ],
        len: if rows.is_empty() { 0 } else { rows.len() + 1 },
        focus: false,
        empty: "counting …".into(),
        ..ListView::default()
    };
    list.draw(&Scrolled::default(), cx.ui, inner, buf);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_share_an_axis_on_which_zero_is_never_at_an_end() {
        let axis = ForestAxis::over([0.1, 0.3].into_iter());
        assert_eq!([-0.1, 0.0, 0.3].map(|value| axis.column(value, 41)), [0, 10, 40]);
        let line = axis.interval([0.1, 0.2, 0.3], Style::new(), Style::new(), 41);
        let expected =
            format!("{}│{}├{}●{}┤", " ".repeat(10), " ".repeat(9), "─".repeat(9), "─".repeat(9));
        assert_eq!(line.to_string(), expected);
        assert_eq!(ForestAxis::over(std::iter::empty()).column(0.0, 11), 5);
    }
}
