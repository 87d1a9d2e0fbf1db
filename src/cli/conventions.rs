//! Flags that say how queries are scored at the edges.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::truth::conventions::{NoPositives, ShortLists};

/// What counts where a metric has no value of its own, for every subcommand.
#[derive(Debug, Clone, Args)]
pub(super) struct ConventionArgs {
    /// Queries without positives: exclude, or score 0 (like `trec_eval`)
    ///
    /// [default: left-out]
    #[arg(long, value_name = "HOW", value_parser = words(&NoPositives::ALL))]
    pub(super) no_positives: Option<NoPositives>,
    /// Positives beyond the end of a ranked list: unknown rank, or a miss
    ///
    /// [default: unknown]
    #[arg(long, value_name = "HOW", value_parser = words(&ShortLists::ALL))]
    pub(super) short_lists: Option<ShortLists>,
}

/// Reads one of these words.
fn words<T: Copy + Default + Send + Sync + 'static>(
    all: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    let values = all.iter().map(|(word, _)| PossibleValue::new(*word));
    let read = |word: String| {
        let found = all.iter().find(|(known, _)| *known == word);
        found.map_or_else(T::default, |(_, value)| *value)
    };
    PossibleValuesParser::new(values).map(read)
}
