//! Values of options that several commands take.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Args, ValueEnum};

use crate::data::Direction;
pub(super) use crate::study::options::{above_zero, choices, of_model};

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
