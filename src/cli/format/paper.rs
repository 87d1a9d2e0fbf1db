//! `--format` and `--heading` of subcommands that print tables for papers.

use clap::Args;

use super::FormatArgs;
use crate::error::{Error, Result};
use crate::metric::spelling;
use crate::report::{Paper, Report};

#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct PaperArgs {
    #[command(flatten)]
    format: FormatArgs,
    /// Rename a column of the LaTeX table; repeatable
    ///
    /// Also the columns of a direction, and the table of a ground truth: --heading "eccv=ECCV Caption".
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

    /// That there will be columns to head.
    ///
    /// # Errors
    /// Another format is asked for.
    pub(in crate::cli) fn check(&self) -> Result<()> {
        match self.heading.first() {
            Some((metric, words)) if !self.is_latex() && !self.format.is_for_program() => {
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
    /// Something heads nothing or is named twice; two headings would have the same words.
    fn renamed(&self, heads: &[String]) -> Result<Vec<(String, String)>> {
        let wrong = |found: String| Error::new("--heading", found);
        let key = |written: &str| spelling::key(written).unwrap_or(written.to_owned());
        let mut renamed: Vec<(String, String)> = Vec::new();
        for (metric, words) in &self.heading {
            let Some(head) = heads.iter().find(|head| key(head) == key(metric)) else {
                let expected = format!("one of {}", heads.join(", "));
                return Err(wrong(format!("{metric} heads nothing")).expected(expected));
            };
            if renamed.iter().any(|(of, _)| of == head) {
                return Err(wrong(format!("{head} is named twice")).expected("one heading each"));
            }
            renamed.push((head.clone(), words.clone()));
        }
        let is_kept = |head: &&String| renamed.iter().all(|(of, _)| of != *head);
        let kept = heads.iter().filter(is_kept);
        let mut all: Vec<&String> = kept.chain(renamed.iter().map(|(_, words)| words)).collect();
        all.sort_unstable();
        match all.windows(2).find(|both| both[0] == both[1]) {
            Some(both) => Err(wrong(format!("two headings would be {}", both[0]))
                .expected("a heading of its own for each")),
            None => Ok(renamed),
        }
    }
}
