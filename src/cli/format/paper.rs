//! `--format` and `--heading` of subcommands that print tables for papers.

use clap::Args;

use super::FormatArgs;
use crate::error::{Error, Result};
use crate::metric::spelling;
use crate::report::{Paper, Report, truth_title};

#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct PaperArgs {
    #[command(flatten)]
    format: FormatArgs,
    /// Rename a heading of the LaTeX table: "R@1=Recall@1"; repeatable
    ///
    /// Headings are metrics, ground truths ("eccv=ECCV") and directions ("I2T=Image-to-text"). Signs of LaTeX in them are
    /// text.
    #[arg(hide_short_help = true, long, value_name = "METRIC=WORDS", value_parser = heading)]
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

    /// Whether a program waits for the report in every text format.
    pub(in crate::cli) fn is_for_program(&self) -> bool {
        self.format.is_for_program()
    }

    /// That there will be columns to head.
    ///
    /// # Errors
    /// Another format is asked for.
    pub(in crate::cli) fn check(&self) -> Result<()> {
        match self.heading.first() {
            Some((metric, words)) if !self.is_latex() && !self.is_for_program() => {
                let typed = format!("{metric}={words}, and no LaTeX table");
                Err(Error::new("--heading", typed).mend("--format latex"))
            }
            _ => Ok(()),
        }
    }

    /// Writes a report to standard output, with these words over its columns.
    ///
    /// # Errors
    /// What [`PaperArgs::renamed`] and [`FormatArgs::put`] say.
    pub(in crate::cli) fn put(&self, mut report: Report<'_>) -> Result<()> {
        let heads = report.paper.as_ref().map(Paper::heads);
        let renamed = self.renamed(&heads.unwrap_or_default())?;
        if let Some(paper) = &mut report.paper {
            paper.head(|head| {
                let other = renamed.iter().find(|(of, _)| of == head);
                other.map(|(_, words)| words.clone())
            });
        }
        self.format.put(report)
    }

    /// The headings that are to have other words, with these.
    ///
    /// # Errors
    /// Something heads nothing.
    fn renamed(&self, heads: &[String]) -> Result<Vec<(String, String)>> {
        let key = |written: &str| spelling::key(written).unwrap_or_else(|| truth_title(written));
        let renamed = self.heading.iter().map(|(metric, words)| {
            let head = heads.iter().find(|head| key(head) == key(metric)).ok_or_else(|| {
                let expected = format!("one of {}", heads.join(", "));
                Error::new("--heading", format!("{metric} heads nothing")).expected(expected)
            })?;
            Ok((head.clone(), words.clone()))
        });
        renamed.collect()
    }
}
