//! The tab of slices: where the current model differs most from another one.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{Cx, Tab};
use crate::analysis::inference::Estimate;
use crate::analysis::slices::{MIN_QUERIES, SliceRow, Slices, specs};
use crate::data::text::{grouped, p_value, wrapped};
use crate::tui::signs;
use crate::tui::ui::list::{Column, Group, ListView};
use crate::tui::ui::{pane, text};

/// The orders of slices.
pub(super) const ORDERS: [&str; 4] =
    ["significant, then mAP@R difference", "R@1 difference", "most queries", "by name"];

/// Columns of the terminal for a number.
const NUMBER: usize = 6;
/// Maximum columns of a model's name.
const NAME: usize = 10;

impl<'a> Cx<'a> {
    pub(super) fn slices(self) -> Option<&'a Arc<Slices>> {
        self.model.slices()
    }

    /// The slices in their order.
    pub fn slice_rows(self) -> Vec<&'a SliceRow> {
        let rows = self.slices().map_or(&[][..], |of| &of.rows);
        let mut rows: Vec<&SliceRow> = rows.iter().collect();
        match self.state.order {
            0 => {}
            1 => rows.sort_by(|one, other| {
                let key = |row: &SliceRow| {
                    let of = &row.metrics[0];
                    let lowest = of.means[0].0.map(|mean| -mean);
                    let by = of.difference().map(f64::abs).or(lowest);
                    by.filter(|_| row.is_tested()).unwrap_or(f64::NEG_INFINITY)
                };
                key(other).total_cmp(&key(one))
            }),
            2 => rows.sort_by_key(|row| std::cmp::Reverse(row.queries.len())),
            _ => rows.sort_by(|one, other| one.slice.name.cmp(&other.slice.name)),
        }
        rows
    }

    pub(super) fn slice_list(self) -> (String, ListView<'a>) {
        let tab = Tab::Slices;
        let rows = self.slice_rows();
        let number = |value: Option<f64>| signs::share(value, 1);
        let models = self.slices().map_or(&[][..], |of| &of.models);
        let of_names = rows.clone();
        let of_counts = rows.clone();
        let mut columns = vec![
            Column::rest("slice", move |at: usize, _| format!(" {}", of_names[at].slice.name)),
            Column::new("n", NUMBER, move |at: usize, _| grouped(of_counts[at].queries.len()))
                .right(),
        ];
        let mut groups: Vec<Group<'a>> = Vec::new();
        for metric in [0, 1] {
            let first = columns.len();
            for (place, &model) in models.iter().enumerate() {
                let rows = rows.clone();
                let name = signs::model(&self.model.study, model, NAME);
                let width = text::width(&name).max(NUMBER);
                let cell = move |at: usize, _| number(rows[at].metrics[metric].means[place].0);
                columns.push(Column::new(name, width, cell).right().keep(2));
            }
            if models.len() > 1 {
                let of_rows = rows.clone();
                let cell = move |at: usize, _| {
                    let of = &of_rows[at].metrics[metric];
                    let look = if of.is_significant() { self.theme.title } else { self.theme.dim };
                    Span::styled(number(of.difference()), look)
                };
                columns.push(Column::new("diff", NUMBER, cell).right());
            }
            if metric == 1 && models.len() > 1 {
                let of_rows = rows.clone();
                let ends = move |at: usize, _| {
                    let ends = of_rows[at].metrics[1].estimate.map(Estimate::interval);
                    let ends = ends.map(|ends| ends.map(|end| number(Some(end))));
                    let words =
                        ends.map_or(String::new(), |[low, high]| format!("{low} to {high}"));
                    Span::styled(words, self.theme.dim)
                };
                columns.push(Column::new("95 % CI", 14, ends).right().keep(1));
                let of_rows = rows.clone();
                let p = move |at: usize, _| {
                    let few = format!("n < {MIN_QUERIES}");
                    let p = of_rows[at].metrics[1].corrected.holm;
                    Span::styled(p.map_or(few, p_value), self.theme.dim)
                };
                columns.push(Column::new("p (Holm)", 8, p).right().keep(3));
            }
            let (title, look) = (specs()[metric].title(), self.theme.title);
            let title = move |room| Line::styled(text::fit(&title, room), look);
            groups.push((columns.len() - first, Box::new(title)));
        }
        groups.insert(0, (1, Box::new(|_| Line::default())));
        let list = ListView {
            id: tab.list(),
            columns,
            groups,
            len: rows.len(),
            selected: Some(self.selected(tab)),
            least: 16,
            empty: if self.slices().is_some() { "none".into() } else { "…".into() },
            ..ListView::default()
        };
        let names = models.iter().map(|&of| self.model.study.models[of].name.as_str());
        let names: Vec<&str> = names.collect();
        let title = format!("slices of {}: {}", self.model.view.direction, names.join(" - "));
        (title.trim_end_matches(": ").to_owned(), list)
    }
}

/// Draws where the models differ most; returns the area below.
pub(super) fn draw_answer(cx: Cx<'_>, area: Rect, buf: &mut Buffer) -> Rect {
    let Some(slices) = cx.slices() else {
        return area;
    };
    let answer = slices.sentence(&cx.model.study, &cx.model.name_in_force(slices.view.truth));
    let room = usize::from(area.width).saturating_sub(2);
    let lines = wrapped(&answer, |line| text::width(line) <= room);
    let lines: Vec<Line<'_>> = lines.into_iter().map(|line| format!(" {line}").into()).collect();
    let height = (lines.len() as u16).min(area.height / 2);
    pane::lines(&lines, 0, Rect { height, ..area }, buf);
    Rect { y: area.y + height, height: area.height - height, ..area }
}
