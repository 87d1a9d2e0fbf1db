//! What counts where a metric has no value of its own: queries without positives, and positives that a
//! ranking ends before.

use serde::Deserialize;

/// How queries are scored at the edges, alike under every metric and in every mean.
///
/// The defaults say nothing that is not known. `trec_eval` takes the other way on both counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Conventions {
    /// Queries that are judged but have no positive.
    pub no_positives: NoPositives,
    /// Positives that a ranked list or a re-ranker ends before.
    pub short_lists: ShortLists,
}

/// A query that a ground truth judges, and for which it lists no positive (in this pool).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoPositives {
    /// It has no value under any metric and enters no mean.
    #[default]
    LeftOut,
    /// It scores 0 under every metric that is a share; it has no rank of a first positive.
    Zero,
}

/// A positive that stands nowhere among the ranked items of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShortLists {
    /// Its rank is unknown: a value that depends on it is undefined, and so is the mean.
    #[default]
    Unknown,
    /// The list is complete for its source (approximate nearest neighbours, a search engine): the
    /// positive is not retrieved, and gains nothing under any metric that is a share.
    Miss,
}

impl NoPositives {
    /// Each with its word on the command line, in `study.toml` and in results; the default first.
    pub const ALL: [(&str, NoPositives); 2] =
        [("left-out", NoPositives::LeftOut), ("zero", NoPositives::Zero)];

    /// The convention's word on the command line, in `study.toml` and in results.
    pub fn key(self) -> &'static str {
        Self::ALL[self as usize].0
    }
}

impl ShortLists {
    /// Each with its word on the command line, in `study.toml` and in results; the default first.
    pub const ALL: [(&str, ShortLists); 2] =
        [("unknown", ShortLists::Unknown), ("miss", ShortLists::Miss)];

    /// The convention's word on the command line, in `study.toml` and in results.
    pub fn key(self) -> &'static str {
        Self::ALL[self as usize].0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_files() {
        for (word, known) in NoPositives::ALL {
            assert_eq!(serde_json::from_value::<NoPositives>(word.into()).unwrap(), known);
            assert_eq!(known.key(), word);
        }
        for (word, known) in ShortLists::ALL {
            assert_eq!(serde_json::from_value::<ShortLists>(word.into()).unwrap(), known);
            assert_eq!(known.key(), word);
        }
    }
}
