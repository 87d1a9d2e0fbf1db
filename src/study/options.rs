//! Values of command-line options.

use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Parser of an option that accepts these words; each word stands for a value.
pub fn choices<T: Clone + Send + Sync + 'static>(
    all: impl IntoIterator<Item = (&'static str, T)>,
) -> impl TypedValueParser<Value = T> {
    let all: Vec<(&str, T)> = all.into_iter().collect();
    let words = PossibleValuesParser::new(all.iter().map(|(word, _)| *word));
    words.try_map(move |word| {
        let found = all.iter().find(|(known, _)| *known == word);
        found.map(|(_, value)| value.clone()).ok_or("unknown")
    })
}

/// Parses a whole number above 0, such as a depth.
///
/// # Errors
/// The expected form, as text.
pub fn above_zero(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "a whole number above 0 is expected".to_owned())
}

/// Parses `FILE=NAME` or `NAME=FILE` to its two sides, split at the first `=`.
///
/// # Errors
/// The expected form, as text.
pub fn assignment<T: From<String>>(text: &str) -> Result<(String, T), String> {
    require_both(text.split_once('='))
}

/// Parses `MODEL=NAME` to its two sides, split at the last `=`: model names may contain `=`.
///
/// # Errors
/// The expected form, as text.
pub fn model_assignment(text: &str) -> Result<(String, String), String> {
    require_both(text.rsplit_once('='))
}

/// Both sides of an assignment, trimmed; an error if `sides` is `None`, or one of them is empty.
fn require_both<T: From<String>>(sides: Option<(&str, &str)>) -> Result<(String, T), String> {
    let sides = sides.map(|(left, right)| (left.trim(), right.trim()));
    match sides.filter(|(left, right)| !left.is_empty() && !right.is_empty()) {
        Some((left, right)) => Ok((left.to_owned(), right.to_owned().into())),
        None => Err("two names with = between them are expected".to_owned()),
    }
}
