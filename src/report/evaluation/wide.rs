//! The table of an evaluation with models as rows, as in papers.

use indexmap::IndexMap;

use super::{Column, EvalReport};
use crate::data::Direction;
use crate::data::text::grouped;
use crate::evaluate::plan::Line;
use crate::report::Table;
use crate::report::cell::Cell;

/// The key of the COCO 1K protocol, whose values are means over folds of the gallery.
const FOLDS: &str = "coco_1k";

/// Ground truths as named in papers, by the part of a key before the metric.
const TITLES: [(&str, &str); 6] = [
    ("coco_5k", "COCO 5K"),
    (FOLDS, "COCO 1K"),
    ("cxc", "CxC"),
    ("eccv", "ECCV Caption"),
    ("original", "Original"),
    ("pm", "Plausible Match"),
];

/// Titles of the metrics that papers report for a ground truth, by its key without pool and judgments.
fn paper_metrics(truth: &str) -> &'static [&'static str] {
    match truth {
        FOLDS => &[],
        "coco_5k" | "original" => &["R@1", "R@5", "R@10", "RSUM"],
        "cxc" => &["R@1"],
        "pm" => &["PMRP"],
        _ => &["mAP@R", "R-P", "R@1"],
    }
}

impl<'a> EvalReport<'a> {
    /// All lines; the COCO 1K protocol comes last.
    pub(super) fn ordered_lines(&self) -> Vec<&'a Line> {
        let mut ordered: Vec<&Line> = self.evaluation.lines.iter().collect();
        ordered.sort_by_key(|line| line.prefix() == FOLDS);
        ordered
    }

    /// The lines of the table: all that were requested, or those that papers report. The most important come first: R@1
    /// under the original ground truth, mAP@R and R@1 under the richest one.
    pub(super) fn table_lines(&self) -> Vec<&'a Line> {
        let has_value = |column: &Column<'_>| {
            column.numbers.iter().flatten().any(|number| number.value.is_some())
        };
        let mut table_lines = self.ordered_lines();
        table_lines.retain(|line| self.line_columns(line).any(has_value));
        if self.is_default {
            let is_in_papers =
                |line: &Line| paper_metrics(base_truth(line)).contains(&line.title().as_str());
            let lines = &self.evaluation.lines;
            let has_paper_metrics =
                |truth: &str| lines.iter().any(|line| line.prefix() == truth && is_in_papers(line));
            table_lines.retain(|line| {
                is_in_papers(line) || line.prefix() != FOLDS && !has_paper_metrics(line.prefix())
            });
        }
        table_lines.sort_by_key(|line| {
            let is_richest = Some(line.truth) == self.evaluation.richest;
            let is_original = matches!(base_truth(line), "coco_5k" | "original");
            match line.title().as_str() {
                "R@1" if is_original => 0,
                "mAP@R" if is_richest => 0,
                "R@1" if is_richest => 1,
                _ if is_richest => 2,
                _ if is_original => 4,
                _ => 3,
            }
        });
        table_lines
    }

    /// The table of these lines; `None` if they have no columns. Columns are grouped by ground truth, then by
    /// direction, with sums over both directions last. A narrow terminal drops the last lines.
    pub(super) fn table(&self, lines: &[&'a Line]) -> Option<Table<'_>> {
        let ordered = self.ordered_lines();
        let group = |of: &Line| ordered.iter().position(|line| line.prefix() == of.prefix());
        let place = |of: &Line| ordered.iter().position(|line| line.key == of.key);
        let mut columns: Vec<&Column<'_>> =
            lines.iter().flat_map(|line| self.line_columns(line)).collect();
        columns.sort_by_key(|column| {
            let direction = column.direction.map_or(2, |one| one as usize);
            (group(column.line), direction, place(column.line))
        });
        columns.first()?;
        let row_of = |first: Cell, cell: &dyn Fn(&Column<'_>) -> Cell| -> Vec<Cell> {
            std::iter::once(first).chain(columns.iter().map(|column| cell(column))).collect()
        };
        let mut rows = Vec::new();
        for (at, row) in self.rows.iter().enumerate() {
            rows.push(row_of(Cell::from(&row.title), &|column| column.decimal_cell(at)));
            let below = row_of(Cell::Empty, &|column| column.small_cell(at));
            rows.extend(below.iter().any(|cell| *cell != Cell::Empty).then_some(below));
        }
        let models = self.evaluation.models.len();
        let foot = vec![row_of("n".into(), &|column| column.query_count(models))];
        let groups = |head: fn(&Column<'_>) -> String| {
            let is_same = |one: &&Column<'_>, other: &&Column<'_>| {
                one.line.prefix() == other.line.prefix() && head(one) == head(other)
            };
            let groups = columns.chunk_by(is_same).map(|group| (head(group[0]), group.len()));
            std::iter::once((String::new(), 1)).chain(groups).collect::<Vec<_>>()
        };
        let group_heads = vec![
            groups(|column| truth_title(column.line.prefix())),
            groups(|column| column.direction.map_or("", Direction::key).to_uppercase()),
        ];
        let head = columns.iter().map(|column| column.line.title());
        let head = std::iter::once("Model".to_owned()).chain(head);
        let columns_of = |line: &&Line| {
            let of_line = (1..).zip(&columns).filter(|(_, column)| column.line.key == line.key);
            of_line.map(|(at, _)| at).collect::<Vec<usize>>()
        };
        let optional = lines[1..].iter().rev().map(columns_of).collect();
        let lines = lines.to_vec();
        let note = move |dropped: usize| self.other_metrics(&lines[..lines.len() - dropped]);
        let terminal_note = Some(Box::new(note) as Box<dyn Fn(usize) -> String + '_>);
        Some(Table { group_heads, foot, optional, terminal_note, ..Table::new("", head, 1, rows) })
    }

    /// A note on the metrics that are not in `shown`, by ground truth; empty if all are shown. If no metric of a ground
    /// truth is shown, the note has only the name of the ground truth.
    fn other_metrics(&self, shown: &[&Line]) -> String {
        let mut rest: IndexMap<&str, Vec<String>> = IndexMap::new();
        for line in self.evaluation.lines.iter().filter(|line| !shown.contains(line)) {
            rest.entry(line.prefix()).or_default().push(line.title());
        }
        let names = rest.into_iter().map(|(prefix, titles)| {
            let is_shown = shown.iter().any(|line| line.prefix() == prefix);
            let titles = if is_shown { titles } else { Vec::new() };
            std::iter::once(truth_title(prefix)).chain(titles).collect::<Vec<_>>().join(" ")
        });
        let names = names.collect::<Vec<_>>().join(", ");
        if names.is_empty() { names } else { format!("\n--long also prints {names}\n") }
    }
}

impl Column<'_> {
    /// The cell of a row, with one decimal.
    fn decimal_cell(&self, row: usize) -> Cell {
        let number = self.number(row);
        let value = number.value.map(|value| Cell::Decimal(value, self.line.unit()));
        Cell::from(value).mark_best(number.is_best)
    }

    /// The cell below [`Column::decimal_cell`], small: the interval, else the deviation between runs, else empty.
    fn small_cell(&self, row: usize) -> Cell {
        let number = self.number(row);
        let decimal = |value| Cell::Decimal(value, self.line.unit()).text();
        match (number.interval, number.deviation()) {
            (Some([low, high]), _) => Cell::Small(format!("{}–{}", decimal(low), decimal(high))),
            (_, Some(deviation)) => Cell::Small(format!("± {}", decimal(deviation))),
            _ => Cell::Empty,
        }
    }

    /// Number of queries in the means of the first `models` rows: one count, or the lowest and highest.
    fn query_count(&self, models: usize) -> Cell {
        let of_models = self.numbers.iter().take(models).flatten();
        let queries = of_models.filter_map(|number| number.queries);
        match (queries.clone().min(), queries.max()) {
            (Some(min), Some(max)) if min < max => {
                format!("{} to {}", grouped(min), grouped(max)).into()
            }
            (Some(count), _) => count.into(),
            _ => Cell::Empty,
        }
    }
}

/// The name of a ground truth in the keys of a line, without pool and judgments.
fn base_truth(line: &Line) -> &str {
    line.prefix().split(['@', '+']).next().unwrap_or_default()
}

/// The title of a ground truth, with its pool in parentheses: `eccv@folds` is `ECCV Caption (folds)`.
fn truth_title(prefix: &str) -> String {
    let (truth, pool) = prefix.split_once('@').unwrap_or((prefix, ""));
    let name = truth.split('+').next().unwrap_or(truth);
    let known = TITLES.iter().find(|(key, _)| *key == name);
    let title = known.map_or(name, |(_, title)| title).to_owned() + &truth[name.len()..];
    if pool.is_empty() { title } else { format!("{title} ({pool})") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ground_truths_have_the_titles_of_papers() {
        for (of, title) in [
            ("coco_5k", "COCO 5K"),
            ("eccv@folds", "ECCV Caption (folds)"),
            ("eccv+mine", "ECCV Caption+mine"),
            ("rich", "rich"),
        ] {
            assert_eq!(truth_title(of), title);
        }
    }
}
