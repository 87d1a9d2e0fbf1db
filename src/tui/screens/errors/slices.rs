//! The tab of slices: groups of queries, and how the models differ on each.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{Cx, Tab};
use crate::analysis::inference::Estimate;
use crate::analysis::slices::{MIN_QUERIES, SliceRow, Slices, specs};
use crate::data::text::{grouped, p_value, wrap_text};
use crate::tui::signs;
use crate::tui::ui::list::{Column, ColumnGroup, ListView};
use crate::tui::ui::{pane, text};

/// Names of the orders of slices; the index of the current one is in the state of the screen.
pub(super) const ORDERS: [&str; 4] =
    ["significant, then mAP@R difference", "R@1 difference", "most queries", "by name"];

/// Terminal columns of a number.
const NUMBER_COLUMNS: usize = 6;
/// Maximum terminal columns of the name of a model.
const MAX_NAME_COLUMNS: usize = 10;

impl<'a> Cx<'a> {
    /// The slices of the view; `None` until they are computed.
    pub(super) fn slices(self) -> Option<&'a Arc<Slices>> {
        self.model.slices()
    }

    /// The slices in the selected order.
    pub fn slice_rows(self) -> Vec<&'a SliceRow> {
        let rows = self.slices().map_or(&[][..], |slices| &slices.rows);
        let mut rows: Vec<&SliceRow> = rows.iter().collect();
        match self.state.order {
            0 => {}
            1 => rows.sort_by(|one, other| {
                let key = |row: &SliceRow| {
                    let r1 = &row.metrics[0];
                    // With one model there is no difference: the lowest mean comes first.
                    let negative_mean = r1.means[0].0.map(|mean| -mean);
                    let key = r1.difference().map(f64::abs).or(negative_mean);
                    key.filter(|_| row.is_tested()).unwrap_or(f64::NEG_INFINITY)
                };
                key(other).total_cmp(&key(one))
            }),
            2 => rows.sort_by_key(|row| std::cmp::Reverse(row.queries.len())),
            _ => rows.sort_by(|one, other| one.slice.name.cmp(&other.slice.name)),
        }
        rows
    }

    /// Title of the tab, and the list of slices with the means and the difference of the models.
    pub(super) fn slice_list(self) -> (String, ListView<'a>) {
        let tab = Tab::Slices;
        let rows = self.slice_rows();
        let number = |value: Option<f64>| signs::share(value, 1);
        let models = self.slices().map_or(&[][..], |slices| &slices.models);
        let (name_rows, count_rows) = (rows.clone(), rows.clone());
        let name = move |at: usize, _| format!(" {}", name_rows[at].slice.name);
        let count = move |at: usize, _| grouped(count_rows[at].queries.len());
        let count = Column::new("n", NUMBER_COLUMNS, count).right();
        let mut columns = vec![Column::rest("slice", name), count];
        let mut groups: Vec<ColumnGroup<'a>> = Vec::new();
        for metric in [0, 1] {
            let first = columns.len();
            for (index, &model) in models.iter().enumerate() {
                let rows = rows.clone();
                let name = signs::model_name(&self.model.study, model, MAX_NAME_COLUMNS);
                let width = text::width(&name).max(NUMBER_COLUMNS);
                let cell = move |at: usize, _| number(rows[at].metrics[metric].means[index].0);
                columns.push(Column::new(name, width, cell).right().keep(2));
            }
            if models.len() > 1 {
                let rows = rows.clone();
                let cell = move |at: usize, _| {
                    let test = &rows[at].metrics[metric];
                    let look =
                        if test.is_significant() { self.theme.title } else { self.theme.dim };
                    Span::styled(number(test.difference()), look)
                };
                columns.push(Column::new("diff", NUMBER_COLUMNS, cell).right());
            }
            if metric == 1 && models.len() > 1 {
                let (interval_rows, p_rows) = (rows.clone(), rows.clone());
                let interval = move |at: usize, _| {
                    let ends = interval_rows[at].metrics[1].estimate.map(Estimate::interval);
                    let ends = ends.map(|ends| ends.map(|end| number(Some(end))));
                    let words =
                        ends.map_or(String::new(), |[low, high]| format!("{low} to {high}"));
                    Span::styled(words, self.theme.dim)
                };
                columns.push(Column::new("95 % CI", 14, interval).right().keep(1));
                let p = move |at: usize, _| {
                    let not_tested = format!("n < {MIN_QUERIES}");
                    let p = p_rows[at].metrics[1].corrected.holm;
                    Span::styled(p.map_or(not_tested, p_value), self.theme.dim)
                };
                columns.push(Column::new("p (Holm)", 8, p).right().keep(3));
            }
            let (title, look) = (specs()[metric].title(), self.theme.title);
            let title = move |room| Line::styled(text::fit(&title, room), look);
            groups.push((columns.len() - first, Box::new(title)));
        }
        groups.insert(0, (1, Box::new(|_| Line::default())));
        let list = ListView {
            id: tab.list_id(),
            columns,
            groups,
            len: rows.len(),
            selected: Some(self.selected(tab)),
            min_rest: 16,
            empty: if self.slices().is_some() { "none".into() } else { "…".into() },
            ..ListView::default()
        };
        let names = models.iter().map(|&model| self.model.study.models[model].name.as_str());
        let names: Vec<&str> = names.collect();
        let title = format!("slices of {}: {}", self.model.view.direction, names.join(" - "));
        (title.trim_end_matches(": ").to_owned(), list)
    }
}

/// Draws a sentence on where the models differ most. Returns the area below it.
pub(super) fn draw_answer(cx: Cx<'_>, area: Rect, buf: &mut Buffer) -> Rect {
    let Some(slices) = cx.slices() else {
        return area;
    };
    let answer = slices.sentence(&cx.model.study, &cx.model.truth_label(slices.view.truth));
    let room = usize::from(area.width).saturating_sub(2);
    let lines = wrap_text(&answer, |line| text::width(line) <= room);
    let lines: Vec<Line<'_>> = lines.into_iter().map(|line| format!(" {line}").into()).collect();
    let height = (lines.len() as u16).min(area.height / 2);
    pane::draw_lines(&lines, 0, Rect { height, ..area }, buf);
    Rect { y: area.y + height, height: area.height - height, ..area }
}
