//! Parsers of option values that several commands share.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Args, ValueEnum};

use crate::data::Direction;
pub(super) use crate::study::options::{above_zero, choices, model_assignment};

/// Parses a number above 0.
pub(super) fn positive_number(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_normal() && *number > 0.0);
    number.ok_or_else(|| "a number above 0 is expected".to_owned())
}

/// Maximum number of resamples: a larger number is probably a typo.
const MAX_RESAMPLES: usize = 10_000_000;

/// Parses a number of resamples, from 1 to [`MAX_RESAMPLES`].
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

/// One direction or both, in the order of tables: i2t, t2i.
pub(super) type Directions = &'static [Direction];

/// Parser of `i2t`, `t2i` and `both`.
pub(super) fn direction_parser() -> impl TypedValueParser<Value = Directions> {
    let [i2t, t2i] = Direction::BOTH.map(Direction::key);
    let both: Directions = &Direction::BOTH;
    choices([(i2t, &both[..1]), (t2i, &both[1..]), ("both", both)])
}

/// The option `--direction` of subcommands whose tables show both directions by default.
#[derive(Debug, Clone, Args)]
pub(super) struct DirectionArgs {
    /// Direction of retrieval: i2t, t2i, or both
    #[arg(long = "direction", hide_possible_values = true, value_name = "DIRECTION", default_value = "both", value_parser = direction_parser())]
    directions: Directions,
}

impl DirectionArgs {
    /// The requested directions, in the order of tables.
    pub(super) fn list(&self) -> Vec<Direction> {
        self.directions.to_vec()
    }
}
