//! Columns of a list: values asked for, and those that the condition and the order name.

use clap::Args;

use crate::filter::Column;
use crate::study::{Study, View};

#[derive(Debug, Args)]
pub(super) struct ColumnsArgs {
    /// More columns, besides those of --where and --sort
    #[arg(long, value_name = "EXPR,..", allow_hyphen_values = true)]
    columns: Option<String>,
}

impl ColumnsArgs {
    /// The columns of a list of queries, or of items: what some expressions name, then those asked for.
    ///
    /// # Errors
    /// What is no value, with its place.
    pub(super) fn read(
        &self,
        of: ([Option<&str>; 2], bool),
        study: &Study,
        view: View,
    ) -> anyhow::Result<Vec<Column>> {
        let asked = self.columns.iter().flat_map(|all| parts(all));
        let asked = asked.map(|text| {
            let column = Column::parse(text, study, view);
            column.map_err(|mistake| anyhow::anyhow!("--columns, {mistake}"))
        });
        let asked = asked.collect::<anyhow::Result<Vec<Column>>>()?;
        Ok(Column::each_once(of, asked, (study, view)))
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
        assert_eq!(parts(text), ["extra_in_top(a, 5)", "`b,c`.r1", " rank == 3"]);
        assert_eq!(parts("r1"), ["r1"]);
    }
}
