//! Ranks and metrics of a model, for all screens.

use std::sync::{Arc, OnceLock};

use super::Stamp;
use crate::data::index::TruthIx;
use crate::data::parallel;
use crate::data::scores::Model;
use crate::data::{Direction, PerDirection};
use crate::error::Result;
use crate::evaluate::parts::QueryParts;
use crate::metric::{Depth, METRICS, NO_DEPTH, Spec, Summary, hit, is_defined_under, map_at_r};
use crate::rank::counter::{Counter, TruthRanks};
use crate::rank::edits::{EditedRanks, Edits};
use crate::rank::pass::CancelToken;
use crate::rank::{QueryRanks, Ranks};
use crate::study::Study;

/// Depth k of [`MetricValue`] metrics.
pub const DEPTH: u32 = 10;
/// Depths k of similarity metrics.
pub const PHI_DEPTHS: [u32; 5] = [1, 5, 10, 20, 30];

/// Ranks and metrics of one model under every truth, in both directions.
#[derive(Debug, Clone, Default)]
pub struct ModelScores {
    /// By truth; `None` where the truth lacks the direction.
    truths: Vec<PerDirection<Option<Arc<ViewMetrics>>>>,
}

/// Ranks and metrics of one model under one truth in one direction.
#[derive(Debug)]
pub struct ViewMetrics {
    stamp: Stamp,
    /// Ranks of the positives of every covered query, in the truth's order.
    pub ranks: EditedRanks,
    /// R@1 over all covered queries.
    pub r1: Summary,
    /// mAP@R over all covered queries.
    pub map_at_r: Summary,
    /// AP@R of every covered query, in the truth's order, NaN if undefined: lists are sorted by it.
    pub ap_at_r: Vec<f64>,
    /// Folds that metrics average over.
    parts: Option<Arc<QueryParts>>,
    /// Metrics defined under the truth.
    defined: Arc<[Spec]>,
    metric_values: OnceLock<Vec<MetricValue>>,
}

/// Compares identity (stamp), not numbers.
impl PartialEq for ViewMetrics {
    fn eq(&self, other: &Self) -> bool {
        self.stamp == other.stamp
    }
}

/// A metric's value, and its maximum attainable value.
#[derive(Debug, Clone)]
pub struct MetricValue {
    /// The metric, at [`DEPTH`] if it takes k.
    pub spec: Spec,
    /// Over all covered queries.
    pub summary: Summary,
    /// The best possible value.
    pub ceiling: Option<f64>,
}

impl ModelScores {
    /// Ranks and header metrics of all truths; `None` if cancelled.
    pub fn new(study: &Study, ranks: &TruthRanks, token: &CancelToken) -> Option<Self> {
        let metrics = |truth: TruthIx, direction: Direction| {
            let ranks = EditedRanks::from(ranks[truth.get()][direction].clone()?);
            let parts = QueryParts::for_truth(study, truth, direction).map(Arc::new);
            let is_defined = |spec: &Spec| is_defined_under(spec.metric, &study.truths[truth]);
            let defined = all_specs().filter(is_defined).collect();
            let queries = ranks.iter().take_while(|_| !token.is_cancelled());
            let ap_at_r = queries.map(query_ap).collect();
            Some(Arc::new(ViewMetrics::new(ranks, ap_at_r, (parts, defined), token)))
        };
        let of_truth = |at| PerDirection::from_fn(|direction| metrics(TruthIx::new(at), direction));
        let truths = parallel::map_indices(study.truths.len(), of_truth);
        (!token.is_cancelled()).then_some(ModelScores { truths })
    }

    /// Computes ranks and header metrics of a model; `None` if cancelled.
    ///
    /// # Errors
    /// Why the model cannot be ranked.
    pub(super) fn compute(
        study: &Study,
        model: &Model,
        counter: &Counter,
        token: &CancelToken,
    ) -> Result<Option<Arc<Self>>> {
        let ranks = counter.ranks(model, token)?;
        Ok(ranks.and_then(|ranks| ModelScores::new(study, &ranks, token)).map(Arc::new))
    }

    /// A copy without the metrics under stale truths.
    #[must_use]
    pub fn without_truths(&self, is_stale: impl Fn(TruthIx) -> bool) -> Self {
        let mut copy = self.clone();
        for (at, scores) in copy.truths.iter_mut().enumerate() {
            if is_stale(TruthIx::new(at)) {
                *scores = PerDirection::default();
            }
        }
        copy
    }

    /// All metrics, truth by truth.
    pub fn all(&self) -> impl Iterator<Item = &Arc<ViewMetrics>> {
        let truths = self.truths.iter();
        truths.flat_map(|truth| Direction::both(|direction| &truth[direction])).flatten()
    }

    /// Metrics under one truth; `None` if it lacks the direction, or if they were removed as stale.
    pub fn get(&self, truth: TruthIx, direction: Direction) -> Option<&ViewMetrics> {
        self.truths.get(truth.get())?[direction].as_deref()
    }
}

impl ViewMetrics {
    /// Computes R@1 and mAP@R. `ap_at_r` has a value per query, `parts` the folds to average over, and `defined` the
    /// metrics defined under the truth. If cancelled, both metrics cover the first queries only.
    fn new(
        ranks: EditedRanks,
        ap_at_r: Vec<f64>,
        (parts, defined): (Option<Arc<QueryParts>>, Arc<[Spec]>),
        token: &CancelToken,
    ) -> Self {
        let summary = |spec: Spec| {
            let queries = ranks.iter().take_while(|_| !token.is_cancelled());
            spec.summary_in(parts.as_deref(), queries.enumerate())
        };
        ViewMetrics {
            stamp: Stamp::fresh(),
            r1: summary(Spec::new(&hit::R1)),
            map_at_r: summary(Spec::new(&map_at_r::MapAtR)),
            ap_at_r,
            ranks,
            parts,
            defined,
            metric_values: OnceLock::new(),
        }
    }

    /// A copy with a person's edits: ranks of the edited queries, and both metrics over all queries. Means are
    /// recomputed in the same order, so that they equal an evaluation of the edited truth to the last bit.
    #[must_use]
    pub fn with_edits(&self, edits: &Edits) -> ViewMetrics {
        let ranks = self.ranks.with_edits(edits);
        let mut ap_at_r = self.ap_at_r.clone();
        for place in ranks.edited_places() {
            ap_at_r[place] = query_ap(ranks.query(place));
        }
        let shared = (self.parts.clone(), self.defined.clone());
        ViewMetrics::new(ranks, ap_at_r, shared, &CancelToken::default())
    }

    /// Folds that metrics average over; `None` without folds.
    pub fn parts(&self) -> Option<&QueryParts> {
        self.parts.as_deref()
    }

    /// A metric over the queries at `places`, in this order; `None`: all queries.
    pub fn summary(&self, spec: Spec, places: Option<&[usize]>) -> Summary {
        let parts = self.parts.as_deref();
        if let Some(places) = places {
            let at = |&place: &usize| (place, self.ranks.query(place));
            return spec.summary_in(parts, places.iter().map(at));
        }
        match spec {
            _ if spec == Spec::new(&hit::R1) => self.r1,
            _ if spec == Spec::new(&map_at_r::MapAtR) => self.map_at_r,
            _ => spec.summary_in(parts, self.ranks.iter().enumerate()),
        }
    }

    /// Computes every metric; `false` if cancelled.
    pub fn compute_values(&self, token: &CancelToken) -> bool {
        if self.metric_values.get().is_some() {
            return true;
        }
        let ranks = self.ranks.to_ranks();
        let ideal = ranks.ideal();
        let summary = |spec: Spec, ranks: &Ranks| {
            let queries = ranks.iter().take_while(|_| !token.is_cancelled());
            spec.summary_in(self.parts(), queries.enumerate())
        };
        let values = self.defined.iter().map(|&spec| {
            let ceiling = summary(spec, &ideal).value;
            MetricValue { spec, summary: summary(spec, &ranks), ceiling }
        });
        let values: Vec<MetricValue> = values.collect();
        if token.is_cancelled() {
            return false;
        }
        self.metric_values.get_or_init(|| values);
        true
    }

    /// Values of every metric; `None` until [`ViewMetrics::compute_values`] is done.
    pub fn metric_values(&self) -> Option<&[MetricValue]> {
        self.metric_values.get().map(Vec::as_slice)
    }
}

/// AP@R of a query, NaN if undefined.
fn query_ap(query: QueryRanks<'_>) -> f64 {
    Spec::new(&map_at_r::MapAtR).per_query(query).unwrap_or(f64::NAN)
}

/// Every metric to compute: at [`DEPTH`] if it takes k, at `PHI_DEPTHS` if it takes a similarity.
pub fn all_specs() -> impl Iterator<Item = Spec> {
    METRICS.iter().flat_map(|&metric| {
        let depths = match metric.depth() {
            Depth::AtK if metric.needs_phi() => &PHI_DEPTHS[..],
            Depth::AtK => &[DEPTH],
            Depth::None | Depth::Cap => &[NO_DEPTH],
        };
        depths.iter().map(move |&k| Spec { metric, k })
    })
}
