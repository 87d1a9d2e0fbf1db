//! A plain table for the terminal.

use comfy_table::{CellAlignment, ContentArrangement, presets};

use super::{Grid, Options, Report};
use crate::metric::evaluation::Evaluation;

/// Aligned columns, shares in percent; `*` marks the best of several models.
pub struct Table;

impl Report for Table {
    fn key(&self) -> &'static str {
        "table"
    }

    fn doc(&self) -> &'static str {
        "aligned columns, shares in percent"
    }

    fn write(&self, evaluation: &Evaluation, options: &Options) -> String {
        let grid = Grid::new(evaluation, options);
        let mut table = comfy_table::Table::new();
        table
            .load_style(presets::NOTHING)
            .set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(&grid.head);
        for row in &grid.rows {
            let mark = |best| if best { "*" } else { "" };
            table.add_row(
                row.iter()
                    .map(|cell| format!("{}{}", mark(cell.best), cell.text)),
            );
        }
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        let lines: Vec<String> = table
            .lines()
            .map(|line| line.trim_end().to_owned())
            .collect();
        let best = if evaluation.models.len() > 1 {
            "; * best model"
        } else {
            ""
        };
        format!("{}\n\nshares in percent{best}\n", lines.join("\n"))
    }
}
