//! What a file is of: picks, a chart, or the rows of a list.

use std::sync::Arc;

use super::Field;
use crate::data::text::grouped;
use crate::figure::chart::Chart;
use crate::figure::{self, page_height};
use crate::jobs::{ListedRows, Picked, Shows};
use crate::tui::model::Model;
use crate::tui::model::export::Scope;
use crate::tui::model::export::queries;
use crate::tui::ui::Context;
use crate::tui::widgets::text;

/// What the file is of.
pub(super) enum Of {
    /// The picks of a scope.
    Picks(Scope),
    /// A chart, and its word in the name of the file.
    Chart(Box<Chart>, &'static str),
    /// The rows of a list, and what they are in ever fewer words.
    Rows(Arc<ListedRows>, [String; 7]),
}

/// A format that it can be written in.
pub(super) struct Format {
    /// The ending of the file.
    pub key: &'static str,
    /// What it is, in a line.
    pub doc: &'static str,
}

impl Of {
    /// The lines of the form that keys go to.
    pub fn fields(&self) -> &'static [Field] {
        match self {
            Of::Picks(_) => &Field::ALL,
            Of::Chart(..) | Of::Rows(..) => &Field::ALL[1..],
        }
    }

    /// The formats that hold it.
    pub fn formats(&self) -> Vec<Format> {
        let drawn = |draws: fn(&figure::Format) -> bool| {
            let formats = figure::FORMATS.iter().filter(move |one| draws(one));
            formats.map(|one| (one.key, one.doc)).collect()
        };
        let formats: Vec<(&str, &str)> = match self {
            Of::Picks(_) => drawn(|_| true),
            Of::Chart(..) => drawn(figure::Format::draws),
            Of::Rows(..) => ListedRows::formats().collect(),
        };
        let format = |(key, doc)| Format { key, doc };
        formats.into_iter().map(format).collect()
    }

    /// Its word in the name of a file.
    pub fn word(&self) -> &'static str {
        match self {
            Of::Picks(_) => "picks",
            Of::Chart(_, word) => word,
            Of::Rows(..) => "items",
        }
    }

    /// What a file of another format lacks.
    pub fn noun(&self) -> &'static str {
        match self {
            Of::Picks(_) => "picks",
            Of::Chart(..) => "chart",
            Of::Rows(..) => "rows",
        }
    }

    /// What is written of it.
    ///
    /// # Errors
    /// Why there is nothing to write.
    pub fn shows(&self, model: &Model) -> Result<Shows, String> {
        let scope = match self {
            Of::Picks(scope) => *scope,
            Of::Chart(chart, _) => return Ok(Shows::Chart(chart.clone())),
            Of::Rows(rows, _) => return Ok(Shows::Rows(rows.clone())),
        };
        let (wanted, lacking) = model.drawable(scope);
        if let Some(error) = lacking.first().filter(|_| wanted.is_empty()) {
            return Err(error.found().to_owned());
        }
        Ok(Shows::Queries(Picked {
            study: model.study.clone(),
            wanted,
            left_out: lacking,
            verdicts: model.judgements.verdicts.clone(),
            options: model.figure.options(),
            page_height: page_height(model.figure.columns),
        }))
    }

    /// It in words, in so many columns where it can be said in these.
    pub fn words(&self, cx: Context<'_>, room: usize) -> String {
        match self {
            Of::Picks(scope) => chosen(&queries_of(*scope, cx)),
            Of::Chart(chart, _) => chart.title.clone(),
            Of::Rows(_, titles) => text::first_fitting(titles.clone(), room),
        }
    }
}

/// What can be chosen otherwise.
pub(super) fn chosen(words: &str) -> String {
    format!("‹ {words} ›")
}

fn queries_of(scope: Scope, cx: Context<'_>) -> String {
    let (wanted, lacking) = cx.model.drawable(scope);
    let words = match (scope, cx.model.session.picks().len()) {
        (Scope::All, 1) => Scope::Pick.words(),
        _ => scope.words(),
    };
    let left = match lacking.len() {
        0 => String::new(),
        count => format!(", {} that this study lacks left out", grouped(count)),
    };
    format!("{words}: {}{left}", queries(wanted.len()))
}
