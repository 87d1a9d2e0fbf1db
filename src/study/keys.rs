//! Where in a description a value stands: `models[0].scores`.

use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::data::text::shown;
use crate::error::{Error, in_plain_words};

/// A file and the key that names it.
#[derive(Debug, Clone)]
pub struct NamedFile {
    /// The file, as it is opened.
    pub path: PathBuf,
    /// The key, and the description that it stands in.
    pub key: String,
}

/// What cannot be read in a description: the key that it is about where there is one, line and
/// column. `also` ends the message.
pub fn wrong(path: &Path, text: &str, error: &toml::de::Error, also: &str) -> Error {
    let at = error.span().map_or(0, |span| span.start);
    let before = text.get(..at).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    let key = key_at(text, at).map_or_else(String::new, |key| format!("{key}: "));
    let message = in_plain_words(error.message());
    let found = format!("{key}{message}{also} (line {line}, column {column})");
    Error::new(path.display(), found)
}

/// Says of an error about a file which key names the file.
pub(super) fn located(error: Error, named: &[NamedFile]) -> Error {
    let is_it = |one: &&NamedFile| {
        let path = shown(&one.path.display().to_string());
        let rest = error.subject().strip_prefix(&path);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    match named.iter().find(is_it) {
        Some(one) => error.named_by(&one.key),
        None => error,
    }
}

/// The path of the innermost key that a place in a description belongs to.
fn key_at(text: &str, at: usize) -> Option<String> {
    let table = DeTable::parse(text).ok()?;
    let mut best = None;
    of_table(table.get_ref(), "", at, &mut best);
    best.map(|(_, key)| key)
}

/// The least span that holds a place, and its key.
type Best = Option<(usize, String)>;

fn of_table(table: &DeTable<'_>, path: &str, at: usize, best: &mut Best) {
    for (key, value) in table {
        let name = match path {
            "" => key.get_ref().to_string(),
            path => format!("{path}.{}", key.get_ref()),
        };
        keep(key.span(), &name, at, best);
        of_value(value, &name, at, best);
    }
}

fn of_value(value: &Spanned<DeValue<'_>>, name: &str, at: usize, best: &mut Best) {
    keep(value.span(), name, at, best);
    match value.get_ref() {
        DeValue::Table(table) => of_table(table, name, at, best),
        DeValue::Array(values) => {
            for (place, value) in values.iter().enumerate() {
                of_value(value, &format!("{name}[{place}]"), at, best);
            }
        }
        _ => {}
    }
}

/// Of spans of one length the last, which is the innermost.
fn keep(span: std::ops::Range<usize>, name: &str, at: usize, best: &mut Best) {
    let length = span.len();
    if span.contains(&at) && best.as_ref().is_none_or(|(least, _)| length <= *least) {
        *best = Some((length, name.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_belong_to_the_innermost_key() {
        let text = "files = [\"a\", 3]\n[[models]]\nname = 1\n[[models]]\nseeds = [\"a\", 2]\n[truths]\neccv = 5\n";
        for (found, key) in [
            ("3]", "files[1]"),
            ("1\n", "models[0].name"),
            ("2]", "models[1].seeds[1]"),
            ("seeds", "models[1].seeds"),
            ("5\n", "truths.eccv"),
        ] {
            let at = text.find(found).unwrap();
            assert_eq!(key_at(text, at).as_deref(), Some(key));
        }
        assert_eq!(key_at(text, text.rfind("[[models]]").unwrap()).as_deref(), Some("models[1]"));
        assert_eq!(key_at("files = [", 3), None);
    }
}
