//! A LaTeX table for `booktabs`.

use super::{Grid, Options, Report, notes};
use crate::evaluate::Evaluation;

/// What stands before a table.
pub(super) const NEEDS: &str = "% needs \\usepackage{booktabs}";

/// A `tabular` with `booktabs` rules; the best of several models in bold.
pub struct Latex;

impl Report for Latex {
    fn key(&self) -> &'static str {
        "latex"
    }

    fn doc(&self) -> &'static str {
        "a booktabs table, best model in bold"
    }

    fn write(&self, evaluation: &Evaluation, options: &Options) -> String {
        let grid = Grid::new(evaluation, options);
        let numbers = "r".repeat(grid.head.len() - 1);
        let notes = notes(evaluation, options).join("\n% ");
        let mut out = format!("{NEEDS}; {notes}\n\\begin{{tabular}}{{l{numbers}}}\n\\toprule\n");
        out += &line(grid.head.iter().map(|cell| escaped(cell)));
        out += "\\midrule\n";
        for row in &grid.rows {
            out += &line(row.iter().map(|cell| {
                if cell.best {
                    format!("\\textbf{{{}}}", escaped(&cell.text))
                } else {
                    escaped(&cell.text)
                }
            }));
        }
        out + "\\bottomrule\n\\end{tabular}\n"
    }
}

/// A row of a table.
pub(super) fn line(cells: impl Iterator<Item = String>) -> String {
    format!("{} \\\\\n", cells.collect::<Vec<_>>().join(" & "))
}

/// Text with every character that LaTeX gives a meaning made literal.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out += "\\textbackslash{}",
            '~' => out += "\\textasciitilde{}",
            '^' => out += "\\textasciicircum{}",
            '<' => out += "\\textless{}",
            '>' => out += "\\textgreater{}",
            '±' => out += "$\\pm$",
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn special_characters_are_literal() {
        assert_eq!(
            super::escaped("a_b&50% {x}\\<>"),
            "a\\_b\\&50\\% \\{x\\}\\textbackslash{}\\textless{}\\textgreater{}"
        );
    }
}
