//! `--format` and `--heading` of subcommands that print tables for papers.

use clap::Args;

use super::FormatArgs;
use crate::error::{Error, Result};
use crate::report::{Paper, Report};

#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct PaperArgs {
    #[command(flatten)]
    format: FormatArgs,
    /// Head a column of the LaTeX table with words of your own; repeatable
    #[arg(long, value_name = "METRIC=WORDS", value_parser = heading)]
    heading: Vec<(String, String)>,
}

/// Reads `METRIC=WORDS`.
fn heading(text: &str) -> std::result::Result<(String, String), String> {
    match text.split_once('=') {
        Some((metric, words)) if !metric.trim().is_empty() && !words.trim().is_empty() => {
            Ok((metric.trim().to_owned(), words.trim().to_owned()))
        }
        _ => Err("METRIC=WORDS is wanted, such as mAP@R=mAP".into()),
    }
}

impl PaperArgs {
    /// Whether a table for a paper is asked for.
    pub(in crate::cli) fn is_latex(&self) -> bool {
        self.format.is_latex()
    }

    /// That there will be columns to head.
    ///
    /// # Errors
    /// Another format is asked for.
    pub(in crate::cli) fn check(&self) -> Result<()> {
        match self.heading.first() {
            Some((metric, words)) if !self.is_latex() => {
                let typed = format!("{metric}={words}, and no LaTeX table");
                Err(Error::new("--heading", typed).mend("--format latex"))
            }
            _ => Ok(()),
        }
    }

    /// Writes a report to standard output, with these words over its columns.
    ///
    /// # Errors
    /// A heading of no column; what [`FormatArgs::put`] says.
    pub(in crate::cli) fn put(&self, mut report: Report<'_>) -> Result<()> {
        let heads = report.paper.as_ref().map(Paper::heads);
        let heads = heads.unwrap_or_default();
        for (metric, words) in &self.heading {
            let paper = report.paper.as_mut();
            if !paper.is_some_and(|paper| paper.head(metric, words)) {
                let found = format!("{metric} heads no column");
                let expected = match heads.as_slice() {
                    [] => "a table for papers, which a list is not".to_owned(),
                    heads => format!("one of {}", heads.join(", ")),
                };
                return Err(Error::new("--heading", found).expected(expected));
            }
        }
        self.format.put(report)
    }
}
