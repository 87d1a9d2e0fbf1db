//! Exported files: the figure of picks, charts and rows.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::changes::Dirty;
use super::{Model, Refusal};
use crate::data::text::{count, grouped, shown};
use crate::error::Error;
use crate::figure::{FigureQuery, Layout, Options, page_height};
use crate::jobs::{Export, ExportContent, Exported, PickedQueries};

/// Which picks a figure shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Scope {
    /// The selected pick.
    #[serde(rename = "this pick")]
    Pick,
    /// The picks of the selected pick's group.
    #[serde(rename = "its group")]
    Group,
    /// All picks.
    #[default]
    #[serde(rename = "all picks")]
    All,
}

impl Scope {
    /// Every scope with its label.
    pub const ALL: [(&'static str, Scope); 3] =
        [("this pick", Scope::Pick), ("its group", Scope::Group), ("all picks", Scope::All)];

    /// Label on screen.
    pub fn label(self) -> &'static str {
        Scope::ALL[self as usize].0
    }

    /// The scope that is `by` steps further, cyclically.
    #[must_use]
    pub fn step(self, by: isize) -> Scope {
        let count = Scope::ALL.len() as isize;
        Scope::ALL[(self as isize + by).rem_euclid(count) as usize].1
    }
}

/// Choices of the person for the figure of picks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FigureChoices {
    /// Picks that it shows.
    pub scope: Scope,
    /// Layout; `None`: chosen by direction.
    pub layout: Option<Layout>,
    /// Columns of the paper: 1 or 2.
    pub columns: u32,
}

impl Default for FigureChoices {
    fn default() -> Self {
        FigureChoices { scope: Scope::default(), layout: None, columns: 1 }
    }
}

impl FigureChoices {
    /// Options to draw the figure with these choices.
    pub fn options(self) -> Options {
        Options { layout: self.layout, ..Options::for_columns(self.columns) }
    }
}

impl Model {
    /// Queries of the picks in a scope, and the errors of picks that the study lacks.
    pub(in crate::tui) fn resolve_picks(&self, scope: Scope) -> (Vec<FigureQuery>, Vec<Error>) {
        let mut queries = Vec::new();
        let mut errors = Vec::new();
        for pick in self.scoped_picks(scope) {
            match self.resolve_pick(pick) {
                Ok(query) => queries.push(query),
                Err(error) => errors.push(error),
            }
        }
        (queries, errors)
    }

    /// The picked queries to draw, in the scope of the figure.
    ///
    /// # Errors
    /// Why there is none.
    pub(in crate::tui) fn picked_figure(&self) -> Result<PickedQueries, Refusal> {
        let (queries, excluded) = self.resolve_picks(self.figure.scope);
        if queries.is_empty() {
            let why = excluded.first().map_or("no query is picked", Error::found);
            return Err(why.to_owned());
        }
        Ok(PickedQueries {
            study: self.study.clone(),
            queries,
            excluded,
            judgments: self.judgments.decided.clone(),
            options: self.figure.options(),
            page_height: page_height(self.figure.columns),
        })
    }

    /// Requests an export to a file, which a job writes; refused once a score file was overwritten.
    pub(in crate::tui) fn export(&mut self, export: Export) {
        if self.attempt(|model| model.check_files()).is_none() {
            return;
        }
        let path = shown(&export.path.display().to_string());
        self.message = Some(format!("writing {path} …"));
        self.lost_export = None;
        self.exporting = Some(Arc::new(export));
    }

    /// Stores and reports the outcome of an export.
    pub(crate) fn finish_export(&mut self, export: &Export, outcome: Result<Exported, Error>) {
        self.exporting = None;
        self.dirty |= Dirty::POPUP;
        self.lost_export = outcome.as_ref().err().cloned();
        self.message = Some(match outcome {
            Err(error) => one_line(&error),
            Ok(Exported { path, pages, warnings }) => {
                let what = match &*export.content {
                    ExportContent::Queries(picked) => describe_export(picked),
                    ExportContent::Chart(chart) => chart.title.clone(),
                    ExportContent::Rows(listed) => count(listed.count(), "row"),
                };
                let path = shown(&path.display().to_string());
                let notes = warnings.iter().map(|warning| format!("; {warning}"));
                let pages = match pages {
                    1 => String::new(),
                    count => format!(", {} pages", grouped(count)),
                };
                format!("wrote {path}: {what}{pages}{}", notes.collect::<String>())
            }
        });
    }
}

/// Number of exported queries; if picks were excluded, their number and the first error.
fn describe_export(picked: &PickedQueries) -> String {
    let exported = count(picked.queries.len(), "query");
    match &*picked.excluded {
        [] => exported,
        [first, ..] => {
            let excluded = grouped(picked.excluded.len());
            format!("{exported}, {excluded} excluded: {}", first.found())
        }
    }
}

/// The text of an error in one line, for the status line.
pub(crate) fn one_line(error: &Error) -> String {
    error.to_string().replace("\n ", ";")
}
