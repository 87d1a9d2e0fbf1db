//! Conventions for edge cases of metrics: queries without positives, and positives beyond the end of a ranked list.

use serde::Deserialize;

/// How edge cases are scored, for every metric and mean.
///
/// The defaults assume nothing unknown. `trec_eval` does the opposite in both cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Conventions {
    /// Covered queries without any positive.
    pub no_positives: NoPositives,
    /// Positives beyond the end of a ranked list.
    pub short_lists: ShortLists,
}

/// How to score a covered query without any positive in the candidate pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoPositives {
    /// Undefined under metrics, and excluded from means.
    #[default]
    LeftOut,
    /// Scores 0 under every metric that is a share; rank of the first positive undefined.
    Zero,
}

/// How to score a positive that is not among the ranked items of its query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShortLists {
    /// Its rank is unknown: values that depend on it, and their means, are undefined.
    #[default]
    Unknown,
    /// The list is complete for its source (approximate nearest neighbours, a search engine): the positive is not
    /// retrieved and gains nothing under any metric that is a share.
    Miss,
}

impl NoPositives {
    /// All conventions with their keys on the command line, in `study.toml` and in results.
    pub const ALL: [(&str, NoPositives); 2] =
        [("left-out", NoPositives::LeftOut), ("zero", NoPositives::Zero)];

    /// Key on the command line, in `study.toml` and in results.
    pub fn key(self) -> &'static str {
        Self::ALL[self as usize].0
    }
}

impl ShortLists {
    /// All conventions with their keys on the command line, in `study.toml` and in results.
    pub const ALL: [(&str, ShortLists); 2] =
        [("unknown", ShortLists::Unknown), ("miss", ShortLists::Miss)];

    /// Key on the command line, in `study.toml` and in results.
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
