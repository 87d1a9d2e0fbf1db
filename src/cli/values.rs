//! Values of options that several commands take.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use crate::data::Direction;

/// One of these words, and what it means.
pub(super) fn choices<T: Clone + Send + Sync + 'static>(
    all: impl IntoIterator<Item = (&'static str, T)>,
) -> impl TypedValueParser<Value = T> {
    let all: Vec<(&str, T)> = all.into_iter().collect();
    let words = PossibleValuesParser::new(all.iter().map(|(word, _)| *word));
    words.try_map(move |word| {
        let found = all.iter().find(|(known, _)| *known == word);
        found.map(|(_, value)| value.clone()).ok_or("unknown")
    })
}

/// A whole number above 0, such as a depth.
pub(super) fn above_zero(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "a whole number above 0 is expected".to_owned())
}

/// A number above 0.
pub(super) fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_normal() && *number > 0.0);
    number.ok_or_else(|| "a number above 0 is expected".to_owned())
}

/// The most resamples; more are a slip of the pen.
const MAX_RESAMPLES: usize = 10_000_000;

/// A number of resamples.
pub(super) fn resamples(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| (1..=MAX_RESAMPLES).contains(count));
    count.ok_or_else(|| format!("a number from 1 to {MAX_RESAMPLES} is expected"))
}

/// Both sides of `FILE=NAME` or `NAME=FILE`.
pub(super) fn assignment(text: &str) -> Result<(String, String), String> {
    sides(text.split_once('='))
}

/// `MODEL=NAME`, where a model's name may have a `=`.
pub(super) fn of_model(text: &str) -> Result<(String, String), String> {
    sides(text.rsplit_once('='))
}

fn sides(sides: Option<(&str, &str)>) -> Result<(String, String), String> {
    let sides = sides.map(|(left, right)| (left.trim(), right.trim()));
    match sides.filter(|(left, right)| !left.is_empty() && !right.is_empty()) {
        Some((left, right)) => Ok((left.to_owned(), right.to_owned())),
        None => Err("two names with = between them are expected".to_owned()),
    }
}

impl ValueEnum for Direction {
    fn value_variants<'a>() -> &'a [Self] {
        &Direction::BOTH
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.key()))
    }
}

/// One direction, or both: `None`.
#[derive(Debug, Clone, Copy)]
pub(super) struct OneOrBoth(pub(super) Option<Direction>);

impl OneOrBoth {
    pub(super) fn parser() -> impl TypedValueParser<Value = Self> {
        let one = Direction::BOTH.map(|one| (one.key(), OneOrBoth(Some(one))));
        choices(one.into_iter().chain([("both", OneOrBoth(None))]))
    }

    /// The directions, in the order of every table.
    pub(super) fn list(self) -> Vec<Direction> {
        self.0.map_or_else(|| Direction::BOTH.to_vec(), |one| vec![one])
    }
}

/// For subcommands whose tables have a place for each direction.
#[derive(Debug, Clone, Args)]
pub(super) struct DirectionArgs {
    /// Direction of retrieval: i2t, t2i, or both
    #[arg(long = "direction", hide_possible_values = true, value_name = "DIRECTION", default_value = "both", value_parser = OneOrBoth::parser())]
    wanted: OneOrBoth,
}

impl DirectionArgs {
    pub(super) fn list(&self) -> Vec<Direction> {
        self.wanted.list()
    }
}
