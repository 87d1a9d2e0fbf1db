//! The figure of picks: what it is of, and how it looks; and writing it, a chart or rows to a file.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};

use super::Model;
use super::dirty::Dirty;
use super::figure::{Scope, Shape};
use crate::data::text::{grouped, shown};
use crate::error::Error;
use crate::figure::{self, Layout};
use crate::jobs::{Export, Exported, ListedRows, Picked, Shows};

impl Model {
    /// What the picks of a scope show, and why others show nothing in this study.
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

    /// Has a file written.
    pub(in crate::tui) fn export(&mut self, export: Export) {
        if self.lacks_files() {
            return;
        }
        let path = shown(&export.path.display().to_string());
        self.message = Some(format!("writing {path} …"));
        self.lost_export = None;
        self.exporting = Some(Arc::new(export));
    }

    /// Takes the outcome of writing a file.
    pub(crate) fn take_export(&mut self, export: &Export, outcome: Result<Exported, Error>) {
        self.exporting = None;
        self.dirty |= Dirty::POPUP;
        self.lost_export = outcome.as_ref().err().cloned();
        self.message = Some(match outcome {
            Err(error) => one_line(&error),
            Ok(Exported { pages, warnings }) => {
                let what = match &export.shows {
                    Shows::Queries(picked) => told_of(picked),
                    Shows::Chart(of) => of.title.clone(),
                    Shows::Rows(listed) => self.written(listed, &export.path),
                    Shows::Boxes(figure) => figure.counted(),
                };
                let path = shown(&export.path.display().to_string());
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

    /// The rows that were written, and the command that lists the same, which is copied.
    fn written(&mut self, listed: &ListedRows, path: &Path) -> String {
        let rows = rows(listed.count());
        let Some(command) = listed.command_for(path) else {
            return rows;
        };
        let order = if listed.is_in_order_of_command() { "" } else { ", in gallery order" };
        let told = format!("{rows}; copied{order}: {command}");
        self.to_copy = Some(command);
        told
    }

    /// How the figure looks, as a session keeps it.
    pub(in crate::tui) fn figure_words(&self) -> Value {
        let shape = self.figure;
        json!({
            "scope": shape.scope.words(),
            "layout": shape.layout.map(Layout::key),
            "columns": shape.columns,
            "picture": shape.as_picture,
        })
    }

    /// Takes it from a session, as far as it is known.
    pub(in crate::tui) fn restore_figure(&mut self, words: &Value) {
        let mut scopes = Scope::ALL.into_iter();
        let scope = scopes.find(|(name, _)| words["scope"].as_str() == Some(name));
        self.figure = Shape {
            scope: scope.map(|(_, scope)| scope).unwrap_or_default(),
            layout: words["layout"].as_str().and_then(Layout::named),
            columns: if words["columns"] == 2 { 2 } else { 1 },
            as_picture: words["picture"].as_bool(),
        };
    }
}

/// The queries that were written, and which were not.
fn told_of(picked: &Picked) -> String {
    let written = queries(picked.wanted.len());
    match &*picked.left_out {
        [] => written,
        [first, ..] => {
            let left = grouped(picked.left_out.len());
            format!("{written}, {left} left out: {}", first.found())
        }
    }
}

/// So many queries.
pub(in crate::tui) fn queries(count: usize) -> String {
    let noun = if count == 1 { "query" } else { "queries" };
    format!("{} {noun}", grouped(count))
}

/// So many rows.
pub(in crate::tui) fn rows(count: usize) -> String {
    let noun = if count == 1 { "row" } else { "rows" };
    format!("{} {noun}", grouped(count))
}

/// An error in one line.
pub(crate) fn one_line(error: &Error) -> String {
    error.to_string().replace("\n ", ";")
}
