//! Error types and their queries.
//!
//! Error types overlap: a far miss may also be a hub's or failed by all models, and some failures have no type. Only
//! *near miss* and *far miss* are disjoint, and both are failures. *Missing label*, *PM only* and *same-image sibling*
//! compare two truths, and so may be equal under several truths.
//!
//! The share of a type is relative to queries with all required data: for types with two truths those that both cover,
//! for types with all models those that all rank.
//!
//! Each is a named condition ([`crate::filter::ready_condition`]).

use crate::data::text::UNDEFINED;
use crate::filter::ready_condition;
use crate::study::{Study, View};

/// An error type: a condition over the queries of a view.
#[derive(Debug)]
pub struct Kind {
    /// Key on the command line and in JSON.
    pub key: &'static str,
    /// Name on screens and in reports.
    pub name: &'static str,
    /// One-line definition.
    pub meaning: &'static str,
}

const fn kind([key, name, meaning]: [&'static str; 3]) -> Kind {
    Kind { key, name, meaning }
}

/// All error types, in table order; the first is every failure.
pub const KINDS: &[Kind] = &[
    kind(["failure", "failure", "top-1 is no positive"]),
    kind([
        "missing-label",
        "missing label",
        "top-1 is a positive that the original annotation does not list",
    ]),
    kind(["near-miss", "near miss", "top-1 is no positive, a positive in the top 5"]),
    kind(["far-miss", "far miss", "no positive in the top 100"]),
    kind([
        "pm-only",
        "PM only",
        "top-1 is a positive under Plausible Match only: the same object categories",
    ]),
    kind([
        "coarse-query",
        "all models fail at 1",
        "top-1 of every model is no positive: the query may be too coarse",
    ]),
    kind([
        "same-image-sibling",
        "same-image sibling",
        "top-1 is a positive in the original annotation, but not in a richer ground truth",
    ]),
    kind([
        "near-duplicate",
        "near-duplicate caption",
        "top-1 is no positive, but its caption equals a positive one except for case, punctuation and articles",
    ]),
    kind([
        "hub",
        "hub",
        "top-1 is no positive, and top-1 for many queries: at least three, and two standard deviations \
         more than the mean item",
    ]),
    kind([
        "close-miss",
        "semantically close miss",
        "top-1 is no positive, but its phi is at least half of the query's highest (--phi-close)",
    ]),
    kind([
        "unrelated-caption",
        "unrelated caption",
        "top-1 is no positive, and UNRELATED_CAPTIONS lists the query or one of its captions",
    ]),
];

/// Number of types at the end of [`KINDS`] that need a phi, before [`PHRASE_KINDS`].
const PHI_KINDS: usize = 1;
/// Number of types at the end of [`KINDS`] that need annotated phrases.
const PHRASE_KINDS: usize = 1;

/// The error types to list for a study, a prefix of [`KINDS`]: without annotated phrases it ends before the
/// phrase type; without phrases and phi, before the phi type.
pub fn for_study(study: &Study) -> &'static [Kind] {
    let dropped = match (&study.phrases, study.phis.is_empty()) {
        (Some(_), _) => 0,
        (None, false) => PHRASE_KINDS,
        (None, true) => PHRASE_KINDS + PHI_KINDS,
    };
    &KINDS[..KINDS.len() - dropped]
}

/// Queries of an error type, for one model and truth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KindQueries {
    /// Gallery indices of the queries, ascending.
    pub queries: Vec<u32>,
    /// Number of queries that could be of the type: covered, and with all data that it compares.
    pub of: usize,
    /// Count under the truths as loaded, without judgments.
    pub loaded: Count,
}

impl KindQueries {
    /// Number of its queries, and of queries that the type applies to.
    pub fn count(&self) -> Count {
        Count { met: self.queries.len(), of: self.of }
    }
}

/// Number of queries of an error type, and of queries that it applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// Number of queries of the type.
    pub met: usize,
    /// Number of queries that could be of the type.
    pub of: usize,
}

impl Count {
    /// Share of queries of the type; `None` if it applies to none.
    pub fn share(self) -> Option<f64> {
        (self.of > 0).then(|| self.met as f64 / self.of as f64)
    }

    /// The share in percent with one digit, or [`UNDEFINED`].
    pub fn percent(self) -> String {
        let percent = |share: f64| format!("{:.1}", 100.0 * share);
        self.share().map_or_else(|| UNDEFINED.to_owned(), percent)
    }
}

impl Kind {
    /// Filter condition of the type in a view; `None` if the study lacks the data.
    pub fn expression(&self, study: &Study, view: View) -> Option<String> {
        ready_condition(self.name, study, view).map(|ready| ready.expression)
    }
}
