//! Which of the two models is better: the conclusion in a sentence, and a forest plot of the differences under each
//! ground truth.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{Cx, FOREST};
use crate::analysis::conclusion::{self, Difference};
use crate::tui::signs;
use crate::tui::state::Model;
use crate::tui::ui::list::{Column, ListView, ScrollState};
use crate::tui::ui::{pane, text};

/// Maximum rows of the conclusion about the two models.
const MAX_ROWS: usize = 3;
/// Maximum columns of the name of a ground truth.
const MAX_TRUTH_COLUMNS: usize = 16;
/// Columns of a difference with its interval, such as `+45.7 [42.6, 48.8]`.
const DIFFERENCE_COLUMNS: usize = 21;

/// Which of the two models is better under the current ground truth, and by how much: a sentence, and its evidence.
fn conclusion_parts(model: &Model) -> [String; 2] {
    let Some(two) = model.model_pair() else {
        let is_ranked = model.leaderboard_len().is_some();
        let words =
            if is_ranked { "" } else { "One model alone: give two score files to compare them." };
        return [words.into(), String::new()];
    };
    let differences = model.differences(model.view.truth);
    let names = two.map(|at| model.study.models[at].name.as_str());
    if differences.is_empty() && !two.iter().all(|&at| model.has_ranks(at)) {
        return [format!("{} and {}: counting …", names[0], names[1]), String::new()];
    }
    conclusion::conclusion(names, &model.truth_label(model.view.truth), &differences)
}

impl Cx<'_> {
    /// The conclusion about all ranked models, then the one about the two models, wrapped to `columns`.
    pub(super) fn conclusion_lines(self, columns: u16) -> Vec<Line<'static>> {
        let [answer, evidence] = conclusion_parts(self.model);
        let is_edited = self.model.is_truth_edited(self.model.view.truth);
        let caution = format!("Note: {}.", conclusion::BIAS_CAUTION);
        let has_pair = self.model.model_pair().is_some();
        let prefix = if has_pair { self.model.all_queries_prefix() } else { "" };
        let line = Line::from_iter([
            Span::styled(prefix, self.theme.warning),
            Span::styled(answer + " ", self.theme.title),
            Span::styled(evidence + " ", self.theme.base),
            Span::styled(if is_edited { caution } else { String::new() }, self.theme.warning),
        ]);
        let columns = usize::from(columns).saturating_sub(2);
        let mut lines = pane::clip(text::wrap_line(&line, columns, 0), MAX_ROWS);
        if self.model.leaderboard_len().is_some() {
            let all = prefix.to_owned() + &self.model.leaderboard(1).conclusion();
            let all = text::fit(&all, columns);
            lines.insert(0, Line::styled(all, self.theme.title));
        }
        lines
    }

    /// The differences in the forest plot, from top to bottom.
    pub(super) fn forest_rows(self) -> Vec<Difference> {
        let truths = self.model.covering_truths();
        truths.flat_map(|truth| self.model.differences(truth)).collect()
    }
}

/// Draws the conclusions about all models and about the two models.
pub(super) fn draw_conclusion(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    pane::draw_lines(&cx.conclusion_lines(area.width), 0, area.inner(Margin::new(1, 0)), buf);
}

/// The ends of the common axis of a forest plot. Zero is at least a quarter of the axis away from both.
#[derive(Debug, Clone, Copy)]
struct ForestAxis([f64; 2]);

impl ForestAxis {
    /// An axis that contains `values`.
    fn containing(values: impl Iterator<Item = f64>) -> Self {
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

    /// A line of `columns` with an interval around its mean, and the zero line.
    fn interval_line(
        self,
        [low, mean, high]: [f64; 3],
        look: Style,
        zero: Style,
        columns: usize,
    ) -> Line<'static> {
        let to_column = |value| self.column(value, columns);
        let cell = |column: usize| {
            let is_inside = (to_column(low)..=to_column(high)).contains(&column);
            match column {
                _ if column == to_column(mean) => ('●', look),
                _ if is_inside && column == to_column(low) => ('├', look),
                _ if is_inside && column == to_column(high) => ('┤', look),
                _ if is_inside => ('─', look),
                _ if column == to_column(0.0) => ('│', zero),
                _ => (' ', zero),
            }
        };
        let cells = (0..columns).map(cell);
        cells.map(|(sign, look)| Span::styled(sign.to_string(), look)).collect()
    }
}

/// Draws the forest plot: the better model minus the worse, with an interval, per ground truth and metric.
pub(super) fn draw_forest(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let Some(two) = cx.model.model_pair().filter(|_| area.area() > 0) else {
        return;
    };
    let model = cx.model;
    let order = model.better_first();
    let name = |at: usize, room: usize| signs::model_name(&model.study, two[order[at]], room);
    let [better, worse] = [0, 1].map(|at| name(at, 24));
    let title = format!("Difference, {better} - {worse} ({})", model.view.direction);
    let note = "95 % CI; dim: not significant";
    let inner = pane::draw_frame(title, note, cx.focuses_models(), cx.theme, area, buf);
    let rows = cx.forest_rows();
    let rows = rows.as_slice();
    let sign = if order[0] == 0 { 1.0 } else { -1.0 };
    let low_mean_high = |row: &Difference| {
        let [one, other] = row.interval.unwrap_or([row.mean; 2]).map(|end| end * sign);
        [one.min(other), row.mean * sign, one.max(other)]
    };
    let axis = ForestAxis::containing(rows.iter().flat_map(low_mean_high));
    let look = move |row: &Difference| -> Style {
        match row.is_significant {
            Some(true) if row.mean * sign > 0.0 => cx.theme.up.into(),
            Some(true) => cx.theme.down.into(),
            _ => cx.theme.dim.into(),
        }
    };
    // The first row has the names of the models.
    let row = move |at: usize| at.checked_sub(1).map(|at| &rows[at]);
    let plot = move |at: usize, columns: usize| {
        let Some(row) = row(at) else {
            let zero = axis.column(0.0, columns);
            let [left, right] = [zero.saturating_sub(1), columns.saturating_sub(zero + 2)];
            let labels = [0, 1].map(|at| format!("{} better", name(at, 24)));
            let has_room = text::width(&labels[1]) <= left && text::width(&labels[0]) <= right;
            let [right_label, left_label] =
                if has_room { labels } else { [name(0, right), name(1, left)] };
            let line = text::pad(&left_label, zero) + "0 " + &text::pad_left(&right_label, right);
            return Line::styled(line, cx.theme.dim);
        };
        axis.interval_line(low_mean_high(row), look(row), cx.theme.border.into(), columns)
    };
    let truth = move |at: usize, room: usize| {
        let name = row(at).map(|row| text::fit(&model.truth_label(row.truth), room));
        let is_current = row(at).is_some_and(|row| row.truth == model.view.truth);
        let style = if is_current { cx.theme.title } else { cx.theme.base };
        Span::styled(name.unwrap_or_default(), style)
    };
    let metric = move |at: usize, _| row(at).map_or(String::new(), |row| row.spec.title());
    let numbers = move |at: usize, _| {
        row(at).map_or(Span::default(), |row| Span::styled(row.describe_for(order[0]), look(row)))
    };
    let widest = rows.iter().map(|row| text::width(&model.truth_label(row.truth))).max();
    let list = ListView {
        id: FOREST,
        columns: vec![
            Column::new("", widest.unwrap_or(0).min(MAX_TRUTH_COLUMNS), truth),
            Column::new("", 5, metric),
            Column::rest("", plot),
            Column::new("", DIFFERENCE_COLUMNS, numbers).right(),
        ],
        len: if rows.is_empty() { 0 } else { rows.len() + 1 },
        focus: false,
        empty: "counting …".into(),
        ..ListView::default()
    };
    list.draw(&ScrollState::default(), cx.ui, inner, buf);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_share_an_axis_on_which_zero_is_never_at_an_end() {
        let axis = ForestAxis::containing([0.1, 0.3].into_iter());
        assert_eq!([-0.1, 0.0, 0.3].map(|value| axis.column(value, 41)), [0, 10, 40]);
        let line = axis.interval_line([0.1, 0.2, 0.3], Style::new(), Style::new(), 41);
        let expected =
            format!("{}│{}├{}●{}┤", " ".repeat(10), " ".repeat(9), "─".repeat(9), "─".repeat(9));
        assert_eq!(line.to_string(), expected);
        assert_eq!(ForestAxis::containing(std::iter::empty()).column(0.0, 11), 5);
    }
}
