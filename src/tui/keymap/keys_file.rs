//! A file of keys: which action each line is of, and which keys it names.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::super::action::Action;
use super::{Bound, Key, Mode, NAMED};
use crate::data::near::nearest;
use crate::error::{Error, Result};

/// The section of keys that are of the judging mode alone.
const JUDGING: &str = "judging";

/// What a file binds.
///
/// # Errors
/// What is no TOML, no action or no key, with its line.
pub(super) fn parse(file: &str, text: &str) -> Result<Bound> {
    let read = Reading { file, text };
    let table = DeTable::parse(text).map_err(|e| read.no_keys(e.span(), e.message()))?;
    let mut keys = Bound::new();
    read.rows(Mode::Everywhere, table.get_ref(), &mut keys)?;
    Ok(keys)
}

/// The file that is read.
struct Reading<'a> {
    file: &'a str,
    text: &'a str,
}

impl Reading<'_> {
    fn rows(&self, mode: Mode, rows: &DeTable<'_>, keys: &mut Bound) -> Result<()> {
        for (name, value) in rows {
            match value.get_ref() {
                DeValue::Table(rows) if mode == Mode::Everywhere && name.get_ref() == JUDGING => {
                    self.rows(Mode::Judging, rows, keys)?;
                }
                DeValue::Table(_) => {
                    let found = format!("no section is named {:?}", name.get_ref());
                    let error = self.wrong(Some(name.span()), &found);
                    let error = error.expected(format!("[{JUDGING}]"));
                    return Err(error.meaning(nearest(name.get_ref(), [JUDGING])));
                }
                _ => {
                    let action = self.action(name.get_ref(), name.span())?;
                    keys.insert((mode, action), self.keys(name.get_ref(), value)?);
                }
            }
        }
        Ok(())
    }

    fn action(&self, name: &str, at: Range<usize>) -> Result<Action> {
        let names = || Action::ALL.iter().map(|action| action.name());
        name.parse().map_err(|()| {
            let error = self.wrong(Some(at), &format!("no action is named {name:?}"));
            let error =
                error.expected(format!("one of {}", names().collect::<Vec<_>>().join(", ")));
            error.meaning(nearest(name, names()))
        })
    }

    fn keys(&self, name: &str, value: &Spanned<DeValue<'_>>) -> Result<Vec<Key>> {
        let no_list = |at| self.no_keys(Some(at), &format!("{name}: no list of keys"));
        let DeValue::Array(keys) = value.get_ref() else {
            return Err(no_list(value.span()));
        };
        let key = |key: &Spanned<DeValue<'_>>| {
            let DeValue::String(written) = key.get_ref() else {
                return Err(no_list(key.span()));
            };
            written.parse().map_err(|bad| {
                let error =
                    self.wrong(Some(key.span()), &format!("{name}: no key is named {bad:?}"));
                error.expected(format!(
                    "a character, Space, F1 to F24, these with Ctrl- or Alt- before them, or: {}",
                    NAMED.join(", ")
                ))
            })
        };
        keys.iter().map(key).collect()
    }

    fn no_keys(&self, at: Option<Range<usize>>, found: &str) -> Error {
        let error = self.wrong(at, found);
        error.expected("lines such as: down = [\"j\", \"Down\"]")
    }

    fn wrong(&self, at: Option<Range<usize>>, found: &str) -> Error {
        let before = at.and_then(|at| self.text.get(..at.start));
        let line = before.unwrap_or_default().matches('\n').count() + 1;
        Error::new(self.file, format!("line {line}: {found}"))
    }
}
