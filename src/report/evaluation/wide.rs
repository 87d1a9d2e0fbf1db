//! Models as rows, as in papers.

use indexmap::IndexMap;
use unicode_width::UnicodeWidthStr;

use super::{Column, Evaluated};
use crate::data::Direction;
use crate::data::text::grouped;
use crate::evaluate::plan::Line;
use crate::report::cell::Cell;
use crate::report::formats::table::aligned;
use crate::report::{Screen, Table};

/// The part of keys of the COCO 1K protocol: means over folds of the gallery.
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

/// Metrics usual in papers for a ground truth, by its key without pool and judgments.
fn of_papers(truth: &str) -> &'static [&'static str] {
    match truth {
        FOLDS => &[],
        "coco_5k" | "original" => &["R@1", "R@5", "R@10", "RSUM"],
        "cxc" => &["R@1"],
        "pm" => &["PMRP"],
        _ => &["mAP@R", "R-P"],
    }
}

impl<'a> Evaluated<'a> {
    /// All lines; the COCO 1K protocol comes last.
    pub(super) fn ordered(&self) -> Vec<&'a Line> {
        let mut ordered: Vec<&Line> = self.evaluation.lines.iter().collect();
        ordered.sort_by_key(|line| line.prefix() == FOLDS);
        ordered
    }

    /// The lines with a column: all requested ones, or those usual in papers.
    pub(super) fn wide(&self) -> Vec<&'a Line> {
        let has_value = |column: &Column<'_>| {
            column.numbers.iter().flatten().any(|number| number.value.is_some())
        };
        let mut wide = self.ordered();
        wide.retain(|line| self.of_line(line).any(has_value));
        if self.is_usual {
            let is_chosen = |line: &Line| {
                let truth = line.prefix().split(['@', '+']).next().unwrap_or_default();
                of_papers(truth).contains(&line.title().as_str())
            };
            let lines = &self.evaluation.lines;
            let has_chosen =
                |of: &str| lines.iter().any(|line| line.prefix() == of && is_chosen(line));
            wide.retain(|line| {
                is_chosen(line) || line.prefix() != FOLDS && !has_chosen(line.prefix())
            });
        }
        wide
    }

    /// The table of these lines: ground truths side by side in the order of their first lines, in each the columns of a
    /// direction together, those of both at the end. `None` without any.
    pub(super) fn table(&self, lines: &[&Line]) -> Option<Table<'a>> {
        let place = |of: &str| lines.iter().position(|line| line.prefix() == of);
        let mut columns: Vec<&Column<'_>> =
            lines.iter().flat_map(|line| self.of_line(line)).collect();
        columns.sort_by_key(|column| {
            (place(column.line.prefix()), column.direction.map_or(2, |one| one as usize))
        });
        columns.first()?;
        let after = |first: Cell, cell: &dyn Fn(&Column<'_>) -> Cell| -> Vec<Cell> {
            std::iter::once(first).chain(columns.iter().map(|column| cell(column))).collect()
        };
        let mut rows = Vec::new();
        for (at, row) in self.rows.iter().enumerate() {
            rows.push(after(Cell::from(&row.title), &|column| column.decimal(at)));
            let below = after(Cell::Empty, &|column| column.below(at));
            rows.extend(below.iter().any(|cell| *cell != Cell::Empty).then_some(below));
        }
        let models = self.evaluation.models.len();
        let foot = vec![after("n".into(), &|column| column.queries(models))];
        let over = |words: fn(&Column<'_>) -> String| {
            let is_same = |one: &&Column<'_>, other: &&Column<'_>| {
                one.line.prefix() == other.line.prefix() && words(one) == words(other)
            };
            let groups = columns.chunk_by(is_same).map(|group| (words(group[0]), group.len()));
            std::iter::once((String::new(), 1)).chain(groups).collect::<Vec<_>>()
        };
        let over = vec![
            over(|column| truth_title(column.line.prefix())),
            over(|column| column.direction.map_or("", Direction::key).to_uppercase()),
        ];
        let head = columns.iter().map(|column| column.line.title());
        let head = std::iter::once("Model".to_owned()).chain(head);
        Some(Table { over, foot, ..Table::new("", head, 1, rows) })
    }

    /// The table as far as it fits, and the other metrics below it.
    pub(super) fn drawn(&self, mut lines: Vec<&Line>, screen: Screen) -> String {
        let text = |table: Table<'_>| aligned(table, screen.is_bold);
        let table = |lines: &[&Line]| self.table(lines).map_or_else(String::new, text);
        let letters = |line: &str| line.replace("\x1b[1m", "").replace("\x1b[0m", "").width();
        let mut shown = table(&lines);
        while shown.lines().any(|line| letters(line) > screen.width) && lines.len() > 1 {
            if self.rows.len() == 1 {
                return text(self.long());
            }
            lines.pop();
            shown = table(&lines);
        }
        match self.rest(&lines) {
            rest if rest.is_empty() => shown,
            rest => format!("{shown}\n--long also prints {rest}\n"),
        }
    }

    /// The remaining lines, by ground truth.
    fn rest(&self, shown: &[&Line]) -> String {
        let mut rest: IndexMap<&str, Vec<String>> = IndexMap::new();
        for line in self.evaluation.lines.iter().filter(|line| !shown.contains(line)) {
            rest.entry(line.prefix()).or_default().push(line.title());
        }
        let words = rest.into_iter().map(|(of, titles)| {
            let is_shown = shown.iter().any(|line| line.prefix() == of);
            let titles = if is_shown { titles } else { Vec::new() };
            std::iter::once(truth_title(of)).chain(titles).collect::<Vec<_>>().join(" ")
        });
        words.collect::<Vec<_>>().join(", ")
    }
}

impl Column<'_> {
    fn decimal(&self, row: usize) -> Cell {
        let number = self.number(row);
        let value = number.value.map(|value| Cell::Decimal(value, self.line.unit()));
        Cell::from(value).marked(number.is_best)
    }

    /// An interval, or the deviation between runs, in small text.
    fn below(&self, row: usize) -> Cell {
        let number = self.number(row);
        let decimal = |value| Cell::Decimal(value, self.line.unit()).text();
        match (number.interval, number.deviation()) {
            (Some([low, high]), _) => Cell::Small(format!("{}–{}", decimal(low), decimal(high))),
            (_, Some(deviation)) => Cell::Small(format!("± {}", decimal(deviation))),
            _ => Cell::Empty,
        }
    }

    /// Queries in the means of these models: one count, or the lowest and highest.
    fn queries(&self, models: usize) -> Cell {
        let of_models = self.numbers.iter().take(models).flatten();
        let queries = of_models.filter_map(|number| number.queries);
        match (queries.clone().min(), queries.max()) {
            (Some(least), Some(most)) if least < most => {
                format!("{} to {}", grouped(least), grouped(most)).into()
            }
            (Some(count), _) => count.into(),
            _ => Cell::Empty,
        }
    }
}

/// The title of a ground truth, with its pool in parentheses: `eccv@folds` is `ECCV Caption (folds)`.
fn truth_title(of: &str) -> String {
    let (truth, pool) = of.split_once('@').unwrap_or((of, ""));
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
