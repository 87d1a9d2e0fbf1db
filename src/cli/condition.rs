//! A condition as a flag takes it: an expression, or the name of one that is kept.

use std::ops::Deref;
use std::str::FromStr;

use super::config::Settings;
use crate::error::Result;
use crate::filter::{Mistake, named};
use crate::session::StateFile;
use crate::tui::model::memory::Memory;

/// A condition.
#[derive(Debug, Clone)]
pub(super) struct Condition {
    /// As it was typed.
    typed: String,
    expression: String,
}

impl FromStr for Condition {
    type Err = String;

    fn from_str(typed: &str) -> std::result::Result<Self, String> {
        let known = if named::has_names(typed) {
            known().map_err(|error| error.to_string())?
        } else {
            Memory::default()
        };
        let expanded = named::expanded(typed, known.filters());
        let expanded = expanded.map_err(|mistake| in_one_line(&mistake))?;
        Ok(Condition {
            typed: typed.to_owned(),
            expression: expanded.text().to_owned(),
        })
    }
}

/// The expression.
impl Deref for Condition {
    type Target = str;

    fn deref(&self) -> &str {
        &self.expression
    }
}

impl Condition {
    /// Its flag, with what was typed where names stand in it.
    pub(super) fn flag(&self) -> String {
        if named::has_names(&self.typed) {
            format!("--where {}", self.typed.trim())
        } else {
            "--where".to_owned()
        }
    }
}

/// The conditions that are kept.
fn known() -> Result<Memory> {
    let settings = Settings::read()?;
    let remembered = StateFile::of_user().map(|file| file.read());
    Ok(Memory::new(
        remembered.transpose()?.unwrap_or_default(),
        settings.filters,
    ))
}

/// A mistake in one line.
fn in_one_line(mistake: &Mistake) -> String {
    let advice = mistake.advice().into_iter().flatten();
    let parts = std::iter::once(mistake.found()).chain(advice);
    parts.collect::<Vec<_>>().join("; ")
}
