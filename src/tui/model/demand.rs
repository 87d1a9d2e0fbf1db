//! What is on show asks of the model.

use std::sync::Arc;

use crate::filter::Needs;
use crate::jobs::{FilterRequest, ItemsKey, PairedTest};

/// What the screen and the popup on top of it ask of the model.
#[derive(Default)]
pub struct Demand {
    /// Whose rankings of the selected query are shown.
    pub rankings: RankingsOf,
    /// Whether numbers of every model and direction are shown.
    pub all_views: bool,
    /// Whether it is shown why models fail.
    pub causes: bool,
    /// The chart of a study that is shown, by its place among them.
    pub chart: Option<usize>,
    /// What the popup asks.
    pub popup: Asked,
}

/// Models whose rankings of the selected query are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RankingsOf {
    /// No query is in sight.
    #[default]
    Nothing,
    /// The one looked at.
    LookedAt,
    /// All that are compared.
    Compared,
}

/// What a popup asks.
#[derive(Default)]
pub enum Asked {
    /// Nothing.
    #[default]
    Nothing,
    /// Every metric of what is looked at.
    EveryMetric,
    /// The curve over alpha.
    Curve,
    /// The queries that meet a condition, or what must be known before they can be asked.
    Filter(Option<Arc<FilterRequest>>, Option<Needs>),
    /// The first items of queries.
    Items(ItemsKey),
    /// Paired tests.
    Tests(Arc<PairedTest>),
}
