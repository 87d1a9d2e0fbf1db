//! A Markdown table.

use super::{Grid, Options, Report};
use crate::metric::evaluation::Evaluation;

/// A table for a README or an issue; the best of several models in bold.
pub struct Markdown;

impl Report for Markdown {
    fn key(&self) -> &'static str {
        "markdown"
    }

    fn doc(&self) -> &'static str {
        "a table for a README, best model in bold"
    }

    fn write(&self, evaluation: &Evaluation, options: &Options) -> String {
        let grid = Grid::new(evaluation, options);
        let mut lines = vec![line(grid.head.iter().map(|cell| escaped(cell)))];
        lines.push(line(
            (0..grid.head.len()).map(|at| if at == 0 { "---" } else { "---:" }.to_owned()),
        ));
        for row in &grid.rows {
            lines.push(line(row.iter().map(|cell| {
                if cell.best {
                    format!("**{}**", escaped(&cell.text))
                } else {
                    escaped(&cell.text)
                }
            })));
        }
        lines.join("\n") + "\n"
    }
}

/// A row of a table.
pub(super) fn line(cells: impl Iterator<Item = String>) -> String {
    format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
}

/// Text with every character that Markdown gives a meaning made literal.
pub(super) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('|', "\\|")
        .replace('*', "\\*")
        .replace('_', "\\_")
}
