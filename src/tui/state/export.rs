//! Exported files: the figure of picks, charts and rows.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::changes::Dirty;
use super::{Model, Refusal};
use crate::data::text::{count, grouped, shown};
use crate::error::Error;
use crate::figure::{self, Layout, Options, page_height};
use crate::jobs::{Export, ExportContent, Exported, Picked};

/// Picks of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Scope {
    /// The selected pick.
    #[serde(rename = "this pick")]
    Pick,
    /// Its group.
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

    /// Label.
    pub fn label(self) -> &'static str {
        Scope::ALL[self as usize].0
    }

    /// The next or previous one, cyclically.
    #[must_use]
    pub fn stepped(self, by: isize) -> Scope {
        let count = Scope::ALL.len() as isize;
        Scope::ALL[(self as isize + by).rem_euclid(count) as usize].1
    }
}

/// Figure options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Shape {
    /// Its picks.
    pub scope: Scope,
    /// Layout; `None`: chosen by direction.
    pub layout: Option<Layout>,
    /// Columns of the paper: 1 or 2.
    pub columns: u32,
}

impl Default for Shape {
    fn default() -> Self {
        Shape { scope: Scope::default(), layout: None, columns: 1 }
    }
}

impl Shape {
    /// Drawing options.
    pub fn options(self) -> Options {
        Options { layout: self.layout, ..Options::for_columns(self.columns) }
    }
}

impl Model {
    /// Content of a scope's picks, and errors of those not in this study.
    pub(in crate::tui) fn drawable(&self, scope: Scope) -> (Vec<figure::Wanted>, Vec<Error>) {
        let mut wanted = Vec::new();
        let mut lacking = Vec::new();
        for pick in self.picks_of(scope) {
            match self.shown_by(pick) {
                Ok(one) => wanted.push(one),
                Err(error) => lacking.push(error),
            }
        }
        (wanted, lacking)
    }

    /// Figure of the picks in its scope.
    ///
    /// # Errors
    /// Why there is none.
    pub(in crate::tui) fn picked_figure(&self) -> Result<Picked, Refusal> {
        let (wanted, left_out) = self.drawable(self.figure.scope);
        if wanted.is_empty() {
            let why = left_out.first().map_or("no query is picked", Error::found);
            return Err(why.to_owned());
        }
        Ok(Picked {
            study: self.study.clone(),
            queries: wanted,
            left_out,
            judgments: self.judgments.decided.clone(),
            options: self.figure.options(),
            page_height: page_height(self.figure.columns),
        })
    }

    /// Starts an export.
    pub(in crate::tui) fn export(&mut self, export: Export) {
        if self.attempt(|model| model.check_files()).is_none() {
            return;
        }
        let path = shown(&export.path.display().to_string());
        self.message = Some(format!("writing {path} …"));
        self.lost_export = None;
        self.exporting = Some(Arc::new(export));
    }

    /// Handles the outcome of an export.
    pub(crate) fn take_export(&mut self, export: &Export, outcome: Result<Exported, Error>) {
        self.exporting = None;
        self.dirty |= Dirty::POPUP;
        self.lost_export = outcome.as_ref().err().cloned();
        self.message = Some(match outcome {
            Err(error) => one_line(&error),
            Ok(Exported { path, pages, warnings }) => {
                let what = match &*export.content {
                    ExportContent::Queries(picked) => told_of(picked),
                    ExportContent::Chart(of) => of.title.clone(),
                    ExportContent::Rows(listed) => count(listed.count(), "row"),
                };
                let path = shown(&path.display().to_string());
                let told = warnings.iter().map(|warning| format!("; {warning}"));
                let told: String = told.collect();
                let pages = match pages {
                    1 => String::new(),
                    count => format!(", {} pages", grouped(count)),
                };
                format!("wrote {path}: {what}{pages}{told}")
            }
        });
    }
}

/// Which queries were exported, and which not.
fn told_of(picked: &Picked) -> String {
    let written = count(picked.queries.len(), "query");
    match &*picked.left_out {
        [] => written,
        [first, ..] => {
            let left = grouped(picked.left_out.len());
            format!("{written}, {left} excluded: {}", first.found())
        }
    }
}

/// An error in one line.
pub(crate) fn one_line(error: &Error) -> String {
    error.to_string().replace("\n ", ";")
}
