//! What a ground truth changes: one model's metrics under two of them, query by query.

use rustc_hash::FxHashMap;

use crate::analysis::clusters::cluster_of;
use crate::analysis::inference::Estimate;
use crate::analysis::paired::Paired;
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
    /// The model's name.
    pub model: String,
    /// The direction.
    pub direction: Direction,
    /// The metric.
    pub metric: Spec,
    /// Its means before and after, over the queries that have a value under both; `None` where there is none.
    pub means: Option<[f64; 2]>,
    /// How many queries those are.
    pub queries: usize,
    /// How many have a value under one of the two alone.
    pub left_out: usize,
    /// After less before.
    pub estimate: Option<Estimate>,
}

/// R@1, mAP@R and R-Precision.
pub fn metrics() -> [Spec; 3] {
    [Spec::new(&hit::R1), Spec::new(&map_at_r::MapAtR), Spec::new(&rprecision::RPrecision)]
}

/// Counts a model's ranks under truths that no study holds.
///
/// # Errors
/// As [`Counter::ranks`].
pub fn ranks(study: &Study, truths: &[Truth], model: &Model) -> Result<TruthRanks> {
    let counter = Counter::new(truths, &study.gallery, None);
    let ranks = counter.ranks(model, &CancelToken::default())?;
    Ok(ranks.unwrap_or_default())
}

/// A model under two truths whose ranks were counted, in each direction that both have: before and after. `images`
/// gives the image of each caption, if captions of one image form a cluster.
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
        let paired = metrics().map(|spec| paired(spec, [before, after]));
        let clusters = cluster_of(images, direction);
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

/// The values after and before, of the queries that either truth covers.
fn paired(spec: Spec, [before, after]: [&Ranks; 2]) -> Paired {
    let places: FxHashMap<u32, usize> = before.queries().iter().copied().zip(0..).collect();
    let of_after = after.iter().map(|query| spec.per_query(query));
    let of_before = after.queries().iter().map(|query| {
        let place = places.get(query)?;
        spec.per_query(before.query(*place))
    });
    let values = |values| Values::new(after.queries(), values);
    let (of_after, of_before): (Vec<_>, Vec<_>) = (of_after.collect(), of_before.collect());
    // What neither has is no loss.
    let either = of_after.iter().zip(&of_before).filter(|(x, y)| x.is_some() || y.is_some());
    let either = either.count();
    let both = Paired::of([&values(of_after), &values(of_before)]);
    Paired { left_out: either - both.len(), ..both }
}
