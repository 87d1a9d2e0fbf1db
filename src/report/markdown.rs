//! A Markdown table.

use super::{Grid, Options, Report};
use crate::evaluate::Evaluation;

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

/// Text with every character that Markdown gives a meaning made literal: no tag, no link, no code.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let is_live = match (c, rest.peek()) {
            // Elsewhere these are the bracket of an interval, and a sign between numbers.
            (']', next) => next == Some(&'('),
            ('<', Some(next)) => next.is_alphabetic() || "/!?".contains(*next),
            _ => "\\|*_`&~$".contains(c),
        };
        if is_live {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn neither_tags_nor_links_of_data_live() {
        for (text, literal) in [
            ("<script>x</script>", "\\<script>x\\</script>"),
            ("[a](javascript:x)", "[a\\](javascript:x)"),
            ("![a](b) `c` &lt; d|e", "![a\\](b) \\`c\\` \\&lt; d\\|e"),
            ("<!-- a", "\\<!-- a"),
            ("[0.1, 0.2] <0.01 a < b", "[0.1, 0.2] <0.01 a < b"),
        ] {
            assert_eq!(super::escaped(text), literal);
        }
    }
}
