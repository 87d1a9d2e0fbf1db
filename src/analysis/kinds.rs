//! Error types, with the queries of each.
//!
//! Kinds are not exclusive: a far miss may be a hub's and one that all models fail too, and of the queries whose
//! first item a truth calls wrong some are of no kind. Only *near miss* and *far miss* have nothing in
//! common, and both are failures. *Missing label*, *PM only* and *same-image sibling* are about one truth
//! beside another, and so may say the same under several truths.
//!
//! A share of a kind is one of the queries of which all is known that the kind compares: of a kind about
//! two truths those that both judge, of one about all models those that all rank.
//!
//! Each is the ready condition of its name ([`crate::filter::ready_named`]).

use crate::data::text::UNDEFINED;
use crate::filter::ready_named;
use crate::study::{Study, View};

/// An error type: a condition over the queries of a view.
#[derive(Debug)]
pub struct Kind {
    /// The word on the command line and in JSON.
    pub key: &'static str,
    /// What it is called.
    pub name: &'static str,
    /// What it is, in one line.
    pub meaning: &'static str,
}

const fn kind([key, name, meaning]: [&'static str; 3]) -> Kind {
    Kind { key, name, meaning }
}

/// Every kind, in the order of every table; the first is every failure.
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
        "top-1 is a positive by a rule only: the same objects, not a match",
    ]),
    kind([
        "coarse-query",
        "all models fail at 1",
        "the top-1 of every model is no positive: the query may be too coarse",
    ]),
    kind([
        "same-image-sibling",
        "same-image sibling",
        "top-1 is a positive of the original annotation, yet a richer ground truth does not list it",
    ]),
    kind([
        "near-duplicate",
        "near-duplicate caption",
        "top-1 is no positive, yet its caption and any positive one are the same but for case, \
         punctuation and articles",
    ]),
    kind([
        "hub",
        "hub",
        "top-1 is no positive, and top-1 for many queries: three or more, and more than the mean \
         item by two standard deviations",
    ]),
    kind([
        "close-miss",
        "semantically close miss",
        "top-1 is no positive, yet its phi is half of the query's greatest or more (--phi-close)",
    ]),
    kind([
        "unrelated-caption",
        "unrelated caption",
        "top-1 is no positive, and UNRELATED_CAPTIONS lists the query, or a caption of it",
    ]),
];

/// Kinds at the end of [`KINDS`]: about phi, and behind it about annotated phrases.
const OF_PHI: usize = 1;
const OF_PHRASES: usize = 1;

/// The kinds of a study, the first of [`KINDS`]: those of phrases only where phrases are annotated, and that of phi
/// only where a phi is given or a kind behind it is shown.
pub fn of(study: &Study) -> &'static [Kind] {
    let left_out = match (&study.phrases, study.phis.is_empty()) {
        (Some(_), _) => 0,
        (None, false) => OF_PHRASES,
        (None, true) => OF_PHRASES + OF_PHI,
    };
    &KINDS[..KINDS.len() - left_out]
}

/// The queries of a kind, of one model under one truth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfKind {
    /// Gallery indices, ascending.
    pub queries: Vec<u32>,
    /// The queries that could be of the kind: those that the truth judges and of which all is known that
    /// the kind compares.
    pub of: usize,
    /// The same under the truths as they were loaded, without any verdict.
    pub loaded: Count,
}

impl OfKind {
    /// The number of its queries, and of those that could be of the type.
    pub fn count(&self) -> Count {
        Count { met: self.queries.len(), of: self.of }
    }
}

/// How many queries are of a kind, and of how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// The queries of the kind.
    pub met: usize,
    /// Those that could be: [`OfKind::of`].
    pub of: usize,
}

impl Count {
    /// The share; `None` where no query could be of the kind.
    pub fn share(self) -> Option<f64> {
        (self.of > 0).then(|| self.met as f64 / self.of as f64)
    }

    /// The share in percent with one digit, [`UNDEFINED`] where there is none.
    pub fn percent(self) -> String {
        let shown = |share: f64| format!("{:.1}", 100.0 * share);
        self.share().map_or_else(|| UNDEFINED.to_owned(), shown)
    }
}

impl Kind {
    /// The kind of this key.
    pub fn named(key: &str) -> Option<&'static Kind> {
        KINDS.iter().find(|kind| kind.key == key)
    }

    /// The condition that it is, in a view; `None` where the study lacks what it is about.
    pub fn expression(&self, study: &Study, view: View) -> Option<String> {
        ready_named(self.name, study, view).map(|ready| ready.expression)
    }
}
