//! The condition in force, and what is known of the queries that meet it.

use std::sync::Arc;

use crate::filter::{FilterAnswer, Mistake, Needs};
use crate::jobs::{FilterRequest, Stamp};

/// The condition in force, and what it finds.
#[derive(Debug, Default)]
pub struct ActiveFilter {
    /// The condition as it was written; empty for none.
    pub text: String,
    pub(crate) found: Found,
    /// Why it does not apply to what is looked at.
    pub mistake: Option<Mistake>,
}

/// What is known of the queries that meet a condition.
#[derive(Debug, Clone, Default)]
pub enum Found {
    /// Nothing: there is no condition.
    #[default]
    Nothing,
    /// Not yet: this must be known first.
    Lacking(Needs),
    /// Not yet: a job asks so many queries.
    Asked(Arc<FilterRequest>),
    /// Which meet it.
    Met(FilterAnswer),
}

impl Found {
    /// Takes what the job found, if it is this that was asked; whether it is.
    pub(crate) fn take(&mut self, request: Stamp, met: &FilterAnswer) -> bool {
        let is_it = self.asked().is_some_and(|asked| asked.stamp == request);
        if is_it {
            *self = Found::Met(met.clone());
        }
        is_it
    }

    /// What a job is to ask.
    pub(in crate::tui) fn asked(&self) -> Option<&Arc<FilterRequest>> {
        match self {
            Found::Asked(request) => Some(request),
            _ => None,
        }
    }
}
