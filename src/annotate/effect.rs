//! Effect of a ground truth: one model's metrics under two truths, paired by query.

use rustc_hash::FxHashMap;

use crate::analysis::clusters::query_clusters;
use crate::analysis::inference::Estimate;
use crate::analysis::paired_values::Paired;
use crate::analysis::per_query::Values;
use crate::data::Direction;
use crate::data::scores::Model;
use crate::error::Result;
use crate::metric::{Spec, hit, map_at_r, rprecision};
use crate::rank::Ranks;
use crate::rank::counter::{Counter, TruthRanks};
use crate::rank::pass::CancelToken;
use crate::study::Study;
use crate::truth::Truth;

/// A model's metric under two ground truths.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// Name of the model.
    pub model: String,
    /// Direction of retrieval.
    pub direction: Direction,
    /// The metric.
    pub metric: Spec,
    /// Means before and after, over queries defined under both; `None` without any.
    pub means: Option<[f64; 2]>,
    /// Number of queries for which the metric is defined under both truths.
    pub queries: usize,
    /// Number of queries defined under only one.
    pub left_out: usize,
    /// Mean difference, after minus before.
    pub estimate: Option<Estimate>,
}

/// The metrics whose effects are computed: R@1, mAP@R and R-Precision.
pub fn metrics() -> [Spec; 3] {
    [Spec::new(&hit::R1), Spec::new(&map_at_r::MapAtR), Spec::new(&rprecision::RPrecision)]
}

/// Ranks of a model under each of `truths`, which need not be in the study.
///
/// # Errors
/// As [`Counter::ranks`].
pub fn compute_ranks(study: &Study, truths: &[Truth], model: &Model) -> Result<TruthRanks> {
    let ranks = Counter::new(truths, &study.gallery, None).ranks(model, &CancelToken::default())?;
    Ok(ranks.unwrap_or_default())
}

/// Effects on a model of replacing one truth by another, both given as indices in `ranks`, in each direction that both
/// have. `images` gives the image of each caption, if captions of one image form a cluster.
pub fn effects(
    model: &str,
    [before, after]: [usize; 2],
    ranks: &TruthRanks,
    images: Option<&[u32]>,
) -> Vec<Effect> {
    let mut effects = Vec::new();
    for direction in Direction::BOTH {
        let both =
            [before, after].map(|truth| ranks.get(truth).and_then(|of| of[direction].as_ref()));
        let [Some(before), Some(after)] = both else {
            continue;
        };
        let paired = metrics().map(|spec| pair_values(spec, [before, after]));
        let clusters = query_clusters(images, direction);
        for (metric, paired) in metrics().into_iter().zip(&paired) {
            effects.push(Effect {
                model: model.to_owned(),
                direction,
                metric,
                means: paired.means().map(|[after, before]| [before, after]),
                queries: paired.len(),
                left_out: paired.left_out,
                estimate: paired.estimate(metric.metric.unit(), clusters),
            });
        }
    }
    effects
}

/// Pairs the values per query under two truths: those after first, those before second.
fn pair_values(spec: Spec, [before, after]: [&Ranks; 2]) -> Paired {
    let places: FxHashMap<u32, usize> = before.queries().iter().copied().zip(0..).collect();
    let of_after = after.iter().map(|query| spec.per_query(query));
    let of_before = after.queries().iter().map(|query| {
        let place = places.get(query)?;
        spec.per_query(before.query(*place))
    });
    let values = |values| Values::new(after.queries(), values);
    let (of_after, of_before): (Vec<_>, Vec<_>) = (of_after.collect(), of_before.collect());
    // A query that is undefined for both is not counted as excluded.
    let defined = of_after.iter().zip(&of_before).filter(|(x, y)| x.is_some() || y.is_some());
    let defined = defined.count();
    let both = Paired::from_values([&values(of_after), &values(of_before)]);
    Paired { left_out: defined - both.len(), ..both }
}
