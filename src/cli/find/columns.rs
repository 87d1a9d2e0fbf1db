//! Columns of a list: values asked for, and those that the condition and the order name.

use clap::Args;

use crate::filter::Column;
use crate::study::{Study, View};

#[derive(Debug, Args)]
pub(super) struct ColumnsArgs {
    /// Print these numbers and conditions too; those in --where and --sort are printed anyhow
    #[arg(long, value_name = "EXPR,..", allow_hyphen_values = true)]
    columns: Option<String>,
}

impl ColumnsArgs {
    /// The columns, each once: those of `named` expressions, then those asked for. A list of queries has some of them
    /// anyhow, a list of items has not.
    ///
    /// # Errors
    /// What is no value, with its place.
    pub(super) fn read(
        &self,
        (named, of_items): ([Option<&str>; 2], bool),
        study: &Study,
        view: View,
    ) -> anyhow::Result<Vec<Column>> {
        let named = named.into_iter().flatten();
        let mut columns: Vec<Column> = Vec::new();
        let mut add = |column: Column| {
            let is_wanted = of_items || !column.is_there();
            let column = if of_items {
                column.beside_items()
            } else {
                column
            };
            let is_there = columns
                .iter()
                .any(|known: &Column| known.text == column.text);
            if !is_there && is_wanted {
                columns.push(column);
            }
        };
        for text in named {
            Column::named_in(text, study, view)
                .into_iter()
                .for_each(&mut add);
        }
        for text in self.columns.iter().flat_map(|all| parts(all)) {
            let column = Column::parse(text, study, view);
            add(column.map_err(|mistake| anyhow::anyhow!("--columns, {mistake}"))?);
        }
        Ok(columns)
    }
}

/// The expressions between commas that stand neither in brackets nor in quotes.
fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut start) = (Vec::new(), 0);
    let (mut depth, mut quote) = (0_usize, None);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(end), _) if c == end => quote = None,
            (None, '"' | '`') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn commas_in_brackets_and_quotes_part_nothing() {
        let text = "extra_in_top(a, 5),`b,c`.r1, rank == 3";
        assert_eq!(
            parts(text),
            ["extra_in_top(a, 5)", "`b,c`.r1", " rank == 3"]
        );
        assert_eq!(parts("r1"), ["r1"]);
    }
}
