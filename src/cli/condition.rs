//! A condition as a flag takes it: an expression, or the name of one that is kept.

use std::convert::Infallible;
use std::ops::Deref;
use std::str::FromStr;

use super::config::Settings;
use crate::error::{Error, Result};
use crate::filter::named;
use crate::session::StateFile;
use crate::tui::state::kept::Memory;

/// A condition.
#[derive(Debug, Clone)]
pub(super) struct Condition {
    /// As it was typed.
    typed: String,
    /// The same, with the conditions that its names stand for.
    expanded: Result<String>,
}

impl FromStr for Condition {
    type Err = Infallible;

    /// What is wrong with its names, or with the file that has these, [`Condition::check`] says: neither is a wrong
    /// option.
    fn from_str(typed: &str) -> std::result::Result<Self, Infallible> {
        Ok(Condition { typed: typed.to_owned(), expanded: expanded(typed) })
    }
}

/// The expression.
impl Deref for Condition {
    type Target = str;

    fn deref(&self) -> &str {
        self.expanded.as_ref().unwrap_or(&self.typed)
    }
}

fn expanded(typed: &str) -> Result<String> {
    let known = if named::has_names(typed) { known()? } else { Memory::default() };
    let expanded = named::expanded(typed, known.filters());
    expanded.map(|of| of.text().to_owned()).map_err(|mistake| {
        let error = Error::new(flag(typed), mistake.found());
        let [expected, mend] = mistake.advice();
        let error = expected.map_or(error.clone(), |expected| error.expected(expected));
        mend.map_or(error.clone(), |mend| error.mend(mend))
    })
}

/// The flag, with what was typed where names stand in it.
fn flag(typed: &str) -> String {
    if named::has_names(typed) { format!("--where {}", typed.trim()) } else { "--where".to_owned() }
}

impl Condition {
    /// Its flag, with what was typed where names stand in it.
    pub(super) fn flag(&self) -> String {
        flag(&self.typed)
    }

    /// That its names are known.
    ///
    /// # Errors
    /// A name that nothing is kept under; settings that cannot be read.
    pub(super) fn check(&self) -> Result<()> {
        self.expanded.as_ref().map(|_| ()).map_err(Error::clone)
    }
}

/// The conditions that are kept.
fn known() -> Result<Memory> {
    let settings = Settings::read()?;
    let remembered = StateFile::of_user().map(|file| file.read());
    Ok(Memory::new(remembered.transpose()?.unwrap_or_default(), settings.filters))
}
