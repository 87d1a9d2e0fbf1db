//! What a file is of: picks, or a chart.

use super::{Field, chosen};
use crate::data::text::grouped;
use crate::engine::{Picked, Shows};
use crate::figure::chart::Chart;
use crate::figure::{Format, page_height};
use crate::tui::model::Model;
use crate::tui::model::exports::queries;
use crate::tui::model::figure::Scope;
use crate::tui::ui::Context;

/// What the file is of.
pub(super) enum Of {
    /// The picks of a scope.
    Picks(Scope),
    /// A chart, and its word in the name of the file.
    Chart(Box<Chart>, &'static str),
}

impl Of {
    /// The lines of the form that keys go to.
    pub fn fields(&self) -> &'static [Field] {
        match self {
            Of::Picks(_) => &Field::ALL,
            Of::Chart(..) => &Field::ALL[1..],
        }
    }

    /// Whether a format writes it.
    pub fn takes(&self, format: &Format) -> bool {
        matches!(self, Of::Picks(_)) || format.draws()
    }

    /// Its word in the name of a file.
    pub fn word(&self) -> &'static str {
        match self {
            Of::Picks(_) => "picks",
            Of::Chart(_, word) => word,
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

    /// It in words.
    pub fn words(&self, cx: Context<'_>) -> String {
        match self {
            Of::Picks(scope) => chosen(&queries_of(*scope, cx)),
            Of::Chart(chart, _) => chart.title.clone(),
        }
    }
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
