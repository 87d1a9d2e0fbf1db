//! `--direction`: who asks whom.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use crate::data::Direction;

impl ValueEnum for Direction {
    fn value_variants<'a>() -> &'a [Self] {
        &Direction::BOTH
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.key()))
    }
}

/// The word for all directions.
const BOTH: &str = "both";

/// One direction or both, for subcommands whose tables have a place for each.
#[derive(Debug, Clone, Args)]
pub(super) struct DirectionArgs {
    /// Direction of retrieval: i2t, t2i, or both
    #[arg(long = "direction", hide_possible_values = true, value_name = "DIRECTION", default_value = BOTH, value_parser = OneOrBoth::parser())]
    wanted: OneOrBoth,
}

impl DirectionArgs {
    /// Those that are meant, in the order of every table.
    pub(super) fn list(&self) -> Vec<Direction> {
        self.wanted.list()
    }
}

/// One direction or both, in the order of every table.
#[derive(Debug, Clone)]
pub(super) struct OneOrBoth(Vec<Direction>);

impl OneOrBoth {
    /// Reads the word of a direction, or of both.
    pub(super) fn parser() -> impl TypedValueParser<Value = Self> {
        let words = Direction::both(Direction::key).into_iter();
        PossibleValuesParser::new(words.chain([BOTH])).map(|word| {
            let is_meant = |direction: &Direction| word == BOTH || word == direction.key();
            OneOrBoth(Direction::BOTH.into_iter().filter(is_meant).collect())
        })
    }

    /// Those that are meant.
    pub(super) fn list(&self) -> Vec<Direction> {
        self.0.clone()
    }

    /// The only one; `None` of both.
    pub(super) fn one(&self) -> Option<Direction> {
        match self.0.as_slice() {
            [one] => Some(*one),
            _ => None,
        }
    }
}
