//! The order in which candidates are best judged. The pairs of a query stand together: whoever judges has to look at
//! the query once.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::candidates::{Candidate, Plan, Proposed};
use crate::analysis::draw::at_random;
use crate::data::Direction;
use crate::data::index::TruthIx;
use crate::error::Result;
use crate::metric::{Spec, map_at_r};
use crate::rank::Ranks;
use crate::rank::counter::{Counter, TruthRanks};
use crate::rank::edited::{Edit, Edited};
use crate::rank::pass::CancelToken;

/// By which rule candidates are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// By how much models disagree on the pair: the greatest difference of 1 / rank between two models, 0 where the pair
    /// is not among the first of one.
    Disagreement,
    /// By how much an answer can move mAP@R of the models together.
    Interval,
    /// By the best rank that a model gives the pair.
    Depth,
    /// At random.
    Random,
}

impl Order {
    /// All of them, by their words on the command line and in files.
    pub const ALL: [(&'static str, Order); 4] = [
        ("disagreement", Order::Disagreement),
        ("interval", Order::Interval),
        ("depth", Order::Depth),
        ("random", Order::Random),
    ];
}

/// Sorts candidates: queries by the best of their pairs, the pairs of a query by themselves. What is equal stands as in
/// the gallery. `false` when it was cancelled.
///
/// # Errors
/// As [`Counter::ranks`].
pub fn sort(
    candidates: &mut Vec<Candidate>,
    order: Order,
    plan: &Plan<'_>,
    (truth, seed): (TruthIx, u64),
    token: &CancelToken,
) -> Result<bool> {
    let all = candidates.iter();
    let values = match order {
        Order::Disagreement => all.map(|one| spread(one, plan.models.len())).collect(),
        Order::Depth => all.map(inverse).collect(),
        Order::Random => random(candidates, seed),
        Order::Interval => match effects(candidates, plan, truth, token)? {
            Some(values) => values,
            None => return Ok(false),
        },
    };
    by_value(candidates, &values);
    Ok(true)
}

/// A query, in its direction.
type OfQuery = (Direction, u32);

fn query(one: &Candidate) -> OfQuery {
    (one.direction, one.query().raw())
}

/// Sorts by values, the greatest first; the pairs of a query stay together.
fn by_value(candidates: &mut Vec<Candidate>, values: &[f64]) {
    let mut best: FxHashMap<OfQuery, f64> = FxHashMap::default();
    for (one, &value) in candidates.iter().zip(values) {
        let of_query = best.entry(query(one)).or_insert(value);
        *of_query = of_query.max(value);
    }
    let mut valued: Vec<(&f64, Candidate)> = values.iter().zip(candidates.drain(..)).collect();
    valued.sort_by(|(a, one), (b, other)| {
        let [here, there] = [one, other].map(query);
        let of_queries = best[&there].total_cmp(&best[&here]);
        of_queries.then(here.cmp(&there)).then(b.total_cmp(a))
    });
    candidates.extend(valued.into_iter().map(|(_, one)| one));
}

fn inverse(one: &Candidate) -> f64 {
    one.best_rank().map_or(0.0, |rank| 1.0 / f64::from(rank))
}

/// The greatest difference of 1 / rank between two models, in the direction in which the pair is asked.
fn spread(one: &Candidate, models: usize) -> f64 {
    let of_model = |model: usize| {
        let mut own = one.proposals.iter().filter(|of| of.by == model);
        let own = own.find(|of| of.direction == one.direction);
        own.and_then(|of| of.rank).map_or(0.0, |rank| 1.0 / f64::from(rank))
    };
    let values = (0..models).map(of_model);
    values.clone().fold(0.0, f64::max) - values.fold(1.0, f64::min)
}

/// A place for each, no two alike.
fn random(candidates: &[Candidate], seed: u64) -> Vec<f64> {
    let all: Vec<u32> = (0..candidates.len() as u32).collect();
    let mut values = vec![0.0; all.len()];
    for (place, one) in at_random(&all, all.len(), seed).into_iter().enumerate() {
        values[one as usize] = place as f64;
    }
    values
}

/// By how much mAP@R of all models together changes if the answer is not what the ground truth says; `None` when it was
/// cancelled.
fn effects(
    candidates: &[Candidate],
    plan: &Plan<'_>,
    truth: TruthIx,
    token: &CancelToken,
) -> Result<Option<Vec<f64>>> {
    let study = plan.study;
    let counter = Counter::new(
        std::slice::from_ref(&study.truths[truth]),
        &study.gallery,
        study.mask.as_ref(),
    );
    let mut ranks: Vec<TruthRanks> = Vec::new();
    for &model in &plan.models {
        match counter.ranks(&study.models[model], token)? {
            Some(of_model) => ranks.push(of_model),
            None => return Ok(None),
        }
    }
    let effect = |one: &Candidate| -> f64 {
        let proposals = one.proposals.iter();
        proposals.map(|of| change(one, *of, plan, truth, &ranks)).sum()
    };
    Ok(Some(candidates.iter().map(effect).collect()))
}

/// The same for one model in one direction: 0 where nothing is known of the query.
fn change(
    one: &Candidate,
    of: Proposed,
    plan: &Plan<'_>,
    truth: TruthIx,
    ranks: &[TruthRanks],
) -> f64 {
    let (query, item) = one.pair.asked(of.direction);
    let relevance = plan.study.truths[truth].relevance[of.direction].as_ref();
    let place = relevance.and_then(|relevance| Some((relevance, relevance.place(query.get())?)));
    let ranks = ranks.get(of.by).and_then(|known| known[0][of.direction].clone());
    let (Some((relevance, place)), Some(ranks)) = (place, ranks) else {
        return 0.0;
    };
    let mut edit = Edit::default();
    if relevance.positives(place).contains(item.raw()) {
        edit.removed.push(of.rank);
    } else {
        edit.added.push(of.rank);
    }
    moved(ranks, place, &edit) / relevance.len() as f64
}

/// By how much an edit changes AP@R of a query.
fn moved(ranks: Arc<Ranks>, place: usize, edit: &Edit) -> f64 {
    let spec = Spec::new(&map_at_r::MapAtR);
    let before = spec.per_query(ranks.query(place)).unwrap_or(0.0);
    let edited = Edited::from(ranks).with([(place, edit)]);
    let after = spec.per_query(edited.query(place)).unwrap_or(0.0);
    (after - before).abs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotate::pool::gather;
    use crate::data::PerDirection;
    use crate::data::index::ModelIx;
    use crate::study::demo;

    /// The candidates of the demo in an order, and their values for it.
    fn sorted(order: Order) -> Vec<Candidate> {
        let study = demo::open().unwrap();
        let plan = Plan {
            study: &study,
            models: ModelIx::all(&study.models).collect(),
            truths: vec![],
            queries: PerDirection { i2t: vec![], t2i: (0..30).collect() },
            top: 5,
        };
        let token = CancelToken::default();
        let mut all = gather(&plan, &token).unwrap().unwrap();
        let count = all.len();
        let by = (study.richest().unwrap(), 7);
        assert!(sort(&mut all, order, &plan, by, &token).unwrap());
        assert_eq!(all.len(), count);
        all
    }

    /// Queries in the order in which they first come up.
    fn queries(all: &[Candidate]) -> Vec<u32> {
        let mut queries: Vec<u32> = all.iter().map(|one| one.query().raw()).collect();
        queries.dedup();
        queries
    }

    #[test]
    fn the_pairs_of_a_query_stand_together_in_every_order() {
        let orders = Order::ALL.map(|(_, order)| queries(&sorted(order)));
        for order in &orders {
            let mut once = order.clone();
            once.sort_unstable();
            assert_eq!(once, (0..30).collect::<Vec<u32>>());
        }
        assert_ne!(orders[0], orders[1]);
        assert_ne!(orders[2], orders[3]);
    }

    #[test]
    fn what_models_rank_most_differently_comes_first() {
        let all = sorted(Order::Disagreement);
        let values: Vec<f64> = all.iter().map(|one| spread(one, 3)).collect();
        // Some model has it first, another not at all.
        assert!((values[0] - 1.0).abs() < 1e-12);
        let of_first = all.iter().take_while(|one| one.query() == all[0].query()).count();
        assert!(values[..of_first].is_sorted_by(|a, b| a >= b));
        assert!(values.iter().any(|value| *value < 0.5));
    }

    #[test]
    fn by_depth_what_a_model_ranks_first_comes_first() {
        let all = sorted(Order::Depth);
        assert_eq!(all[0].best_rank(), Some(1));
        let of_first: Vec<_> = all
            .iter()
            .take_while(|one| one.query() == all[0].query())
            .map(Candidate::best_rank)
            .collect();
        assert!(of_first.is_sorted());
    }

    #[test]
    fn by_interval_a_query_that_no_ground_truth_judges_comes_last() {
        let study = demo::open().unwrap();
        let truth = study.richest().unwrap();
        let relevance = study.truths[truth].relevance[Direction::T2i].clone().unwrap();
        let order = queries(&sorted(Order::Interval));
        let judged: Vec<bool> =
            order.iter().map(|&query| relevance.place(query as usize).is_some()).collect();
        assert!(judged.is_sorted_by(|a, b| a >= b), "{judged:?}");
        assert!(judged.contains(&true));
    }
}
