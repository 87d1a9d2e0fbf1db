//! The keys of `config.toml`, and where its text has them.

use crate::data::near::nearest;
use crate::error::Error;
use crate::jobs::specs;

/// Every key with a value that it takes, in the order of the documentation.
const KEYS: [(&str, &str); 11] = [
    ("annotator", "\"NAME\""),
    ("theme", "\"nord\""),
    ("keys", "\"keys.toml\""),
    ("truth", "\"eccv\""),
    ("direction", "\"i2t\" or \"t2i\""),
    ("pictures", "\"auto\""),
    ("mouse", "true or false"),
    ("header", "[\"r1\", \"nDCG@10\"]"),
    ("filters", "conditions, each NAME = \"r10 == 0\""),
    ("reload", "true or false"),
    ("judge", "\"unlisted\" or \"all\""),
];

/// The names of all keys.
pub(super) fn names() -> impl Iterator<Item = &'static str> + Clone {
    KEYS.into_iter().map(|(name, _)| name)
}

/// A value that a key takes.
pub(super) fn value_of(key: &str) -> &'static str {
    let mut known = KEYS.into_iter().filter(|(name, _)| *name == key);
    known.next().map_or("", |(_, value)| value)
}

/// What the setting whose line has a place takes; any setting, where that line begins with none.
pub(super) fn setting_at(text: &str, at: usize) -> String {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    let named = line.split_once('=').map(|(name, _)| name.trim());
    match named.map(|name| (name, value_of(name))) {
        Some((name, value)) if !value.is_empty() => format!("{name} = {value}"),
        _ => format!("settings such as annotator = {}", value_of("annotator")),
    }
}

/// Where the line of a setting begins, in words; nothing where it is written otherwise.
pub(super) fn line_of(text: &str, setting: &str) -> String {
    let is_it = |line: &str| {
        let rest = line.trim_start().trim_start_matches('"').strip_prefix(setting);
        let rest = rest.map(|rest| rest.trim_start_matches('"').trim_start());
        rest.is_some_and(|rest| rest.starts_with('='))
    };
    let place = text.lines().position(is_it);
    place.map_or(String::new(), |at| format!("line {}: ", at + 1))
}

/// A key that there is not, with its line.
pub(super) fn unknown(file: &impl std::fmt::Display, text: &str, key: &str, at: usize) -> Error {
    let line = text.get(..at).unwrap_or_default().matches('\n').count() + 1;
    let error = Error::new(file, format!("line {line}: no setting is named {key}"));
    let error = error.expected(format!("one of {}", names().collect::<Vec<_>>().join(", ")));
    error.meaning(nearest(key, names()))
}

/// A name in the header that no metric has.
pub(super) fn no_metric(
    file: &impl std::fmt::Display,
    text: &str,
    [name, key]: [&str; 2],
) -> Error {
    let known: Vec<String> = specs().map(|spec| spec.to_string()).collect();
    let titles: Vec<String> = specs().map(|spec| spec.title()).collect();
    let near = nearest(key, known.iter().chain(&titles).map(String::as_str));
    let line = line_of(text, "header");
    Error::new(file, format!("{line}header: no metric is named {name:?}"))
        .expected(format!("one of {}", known.join(", ")))
        .meaning(near)
}
