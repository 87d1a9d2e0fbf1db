//! A condition as an option takes it: an expression, in which names stand for conditions that are kept.

use std::ops::Deref;
use std::str::FromStr;

use super::config::Settings;
use super::progress;
use crate::error::Result;
use crate::filter::{self, Expression, FilterMatches, Marks, Question, named};
use crate::session::StateFile;
use crate::study::{Study, View};
use crate::tui::state::kept::Memory;

/// A condition, with what its names stand for.
#[derive(Debug, Clone)]
pub(super) struct Condition {
    typed: String,
    expanded: String,
}

impl FromStr for Condition {
    type Err = String;

    fn from_str(typed: &str) -> std::result::Result<Self, String> {
        let known = if named::has_names(typed) { known() } else { Ok(Memory::default()) };
        let known = known.map_err(|error| error.to_string())?;
        let expanded = named::expanded(typed, known.filters());
        let expanded = expanded.map_err(|mistake| mistake.to_string())?;
        Ok(Condition { typed: typed.trim().to_owned(), expanded })
    }
}

impl Deref for Condition {
    type Target = str;

    fn deref(&self) -> &str {
        &self.expanded
    }
}

impl Condition {
    /// The option as errors name it, with the text typed where that refers to conditions by name.
    pub(super) fn flag(&self) -> String {
        let has_names = named::has_names(&self.typed);
        if has_names { format!("--where {}", self.typed) } else { "--where".to_owned() }
    }

    /// The queries that meet it.
    pub(super) fn find(
        &self,
        study: &Study,
        view: View,
        marks: &Marks,
    ) -> anyhow::Result<FilterMatches> {
        let filter = Expression::condition(self, study, view);
        let filter = filter.map_err(|mistake| anyhow::anyhow!("{}, {mistake}", self.flag()))?;
        let limit = usize::MAX;
        let question = Question { filter: &filter, key: None, columns: &[], limit, marks };
        Ok(progress::counting(|token| filter::find(study, view, question, token))?)
    }
}

/// The conditions that are kept.
fn known() -> Result<Memory> {
    let settings = Settings::read()?;
    let remembered = StateFile::of_user().map(|file| file.read());
    Ok(Memory::new(remembered.transpose()?.unwrap_or_default(), settings.filters))
}
