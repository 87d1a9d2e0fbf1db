//! Models as rows, as papers print them.

use unicode_width::UnicodeWidthStr;

use super::{Column, Evaluated, Number};
use crate::evaluate::plan::Line;
use crate::metric::Unit;
use crate::report::cell::Cell;
use crate::report::formats::table::aligned;
use crate::report::paper::{self, counted};
use crate::report::{Screen, Table, truth_title};

/// The part of keys of the COCO 1K protocol: means over folds of the gallery.
const FOLDS: &str = "coco_1k";

/// What papers print under a ground truth, whose key it is without pool and judgments.
fn of_papers(truth: &str) -> &'static [&'static str] {
    match truth {
        FOLDS => &[],
        "coco_5k" | "original" => &["R@1", "R@5", "R@10", "RSUM"],
        "cxc" => &["R@1"],
        "pm" => &["PMRP"],
        _ => &["mAP@R", "R-P"],
    }
}

impl Evaluated<'_> {
    /// All lines; the COCO 1K protocol comes last.
    pub(super) fn ordered(&self) -> Vec<usize> {
        let lines = &self.evaluation.lines;
        let mut ordered: Vec<usize> = (0..lines.len()).collect();
        ordered.sort_by_key(|&line| lines[line].of() == FOLDS);
        ordered
    }

    /// The lines with a column of their own: all that are asked for, or those that papers print.
    pub(super) fn wide(&self) -> Vec<usize> {
        let is_defined = |number: &Number| number.value.is_some();
        let has_column = |line: &usize| {
            let mut columns = self.columns.iter().filter(|column| column.line == *line);
            columns.any(|column| column.numbers.iter().flatten().any(is_defined))
        };
        let lines = &self.evaluation.lines;
        let mut wide: Vec<usize> = self.ordered().into_iter().filter(has_column).collect();
        if self.is_usual {
            let is_chosen = |line: &Line| {
                let truth = line.of().split(['@', '+']).next().unwrap_or_default();
                of_papers(truth).contains(&line.title().as_str())
            };
            let has_chosen = |of: &str| lines.iter().any(|line| line.of() == of && is_chosen(line));
            let chosen = wide.iter().copied().filter(|&at| {
                let line = &lines[at];
                is_chosen(line) || line.of() != FOLDS && !has_chosen(line.of())
            });
            wide = chosen.collect();
        }
        wide
    }

    /// The table of these lines.
    pub(super) fn table(&self, lines: &[usize]) -> Vec<Table<'_>> {
        let names: Vec<String> = self.rows.iter().map(|row| row.title.clone()).collect();
        let of_line = |&line: &usize| self.columns.iter().filter(move |column| column.line == line);
        let columns = lines.iter().flat_map(of_line).map(|column| self.paper_column(column));
        paper::tables(&names, columns.collect())
    }

    fn paper_column(&self, column: &Column) -> paper::Column {
        let line = &self.evaluation.lines[column.line];
        let each = || column.numbers.iter().map(|number| number.unwrap_or_default());
        let cell = |number: Number| match number.value {
            None => Cell::Undefined,
            Some(value) => Cell::Decimal(value, line.unit()).marked(number.is_best),
        };
        let below = each().map(|number| below(number, line.unit())).collect();
        let models = each().take(self.evaluation.models.len());
        let queries = counted(models.filter_map(|number| number.queries));
        paper::Column::new(line, column.direction, each().map(cell).collect())
            .over(below)
            .counted(vec![("n", queries.unwrap_or(Cell::Empty))])
    }

    /// The table as far as it fits, and below it what else there is.
    pub(super) fn drawn(&self, lines: &[usize], screen: Screen) -> String {
        let text = |tables: Vec<Table<'_>>| -> String {
            tables.into_iter().map(|table| aligned(table, screen.is_bold)).collect()
        };
        let mut lines = lines.to_vec();
        let mut shown = text(self.table(&lines));
        let letters = |line: &str| line.replace("\x1b[1m", "").replace("\x1b[0m", "").width();
        while shown.lines().any(|line| letters(line) > screen.width) && lines.len() > 1 {
            if self.rows.len() == 1 {
                return text(vec![self.long()]);
            }
            lines.pop();
            shown = text(self.table(&lines));
        }
        match self.rest(&lines) {
            rest if rest.is_empty() => shown,
            rest => format!("{shown}\n--long also prints {rest}\n"),
        }
    }

    /// The lines that are not among these, by ground truth.
    fn rest(&self, shown: &[usize]) -> String {
        let mut rest: Vec<(&str, String)> = Vec::new();
        for (at, line) in self.evaluation.lines.iter().enumerate() {
            if shown.contains(&at) {
                continue;
            }
            match rest.iter_mut().find(|(of, _)| *of == line.of()) {
                Some((_, titles)) => titles.extend([" ", line.title().as_str()]),
                None => rest.push((line.of(), line.title())),
            }
        }
        let is_shown = |of: &str| shown.iter().any(|&at| self.evaluation.lines[at].of() == of);
        let words = rest.iter().map(|(of, titles)| {
            let title = truth_title(of);
            if is_shown(of) { format!("{title} {titles}") } else { title }
        });
        words.collect::<Vec<_>>().join(", ")
    }
}

/// An interval, or the deviation between runs, in small letters.
fn below(number: Number, unit: Unit) -> Cell {
    let decimal = |value| Cell::Decimal(value, unit).shown();
    let deviation = number.spread.and_then(|spread| spread.deviation);
    match (number.interval, deviation) {
        (Some([low, high]), _) => Cell::Small(format!("{}–{}", decimal(low), decimal(high))),
        (_, Some(deviation)) => Cell::Small(format!("± {}", decimal(deviation))),
        _ => Cell::Empty,
    }
}
