//! Order of candidates. Pairs of a query are adjacent, so that annotators have to look at it once.

use rustc_hash::FxHashMap;

use super::candidates::Candidate;
use crate::analysis::draw::sample_at_random;
use crate::data::Direction;

/// Rule for ordering candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Disagreement of models on the pair: the highest difference of 1 / rank between two models, 0 for a rank outside
    /// the top items.
    Disagreement,
    /// Best rank by a model.
    Depth,
    /// At random.
    Random,
}

impl Order {
    /// All rules, by key on the command line and in files.
    pub const ALL: [(&'static str, Order); 3] =
        [("disagreement", Order::Disagreement), ("depth", Order::Depth), ("random", Order::Random)];
}

/// Sorts queries by their best candidate, then candidates within a query. `models` is the number of proposing models.
/// Ties are in gallery order.
pub fn sort(candidates: &mut Vec<Candidate>, order: Order, models: usize, seed: u64) {
    let all = candidates.iter();
    let values: Vec<f64> = match order {
        Order::Disagreement => all.map(|one| disagreement(one, models)).collect(),
        // 0 if only ground truths propose the pair.
        Order::Depth => {
            all.map(|one| one.best_rank().map_or(0.0, |rank| 1.0 / f64::from(rank))).collect()
        }
        Order::Random => random_values(candidates, seed),
    };
    sort_by_value(candidates, &values);
}

/// Direction and gallery index of a query.
type QueryKey = (Direction, u32);

/// Key of the query of a candidate.
fn query_key(candidate: &Candidate) -> QueryKey {
    (candidate.direction, candidate.query().raw())
}

/// Sorts by value, highest first; the pairs of a query stay adjacent.
fn sort_by_value(candidates: &mut Vec<Candidate>, values: &[f64]) {
    let mut best: FxHashMap<QueryKey, f64> = FxHashMap::default();
    for (one, &value) in candidates.iter().zip(values) {
        let query_best = best.entry(query_key(one)).or_insert(value);
        *query_best = query_best.max(value);
    }
    let mut valued: Vec<(&f64, Candidate)> = values.iter().zip(candidates.drain(..)).collect();
    valued.sort_by(|(a, one), (b, other)| {
        let [query, next] = [one, other].map(query_key);
        best[&next].total_cmp(&best[&query]).then(query.cmp(&next)).then(b.total_cmp(a))
    });
    candidates.extend(valued.into_iter().map(|(_, one)| one));
}

/// Highest difference of 1 / rank between two of the first `models` proposers, in the direction of the pair.
fn disagreement(candidate: &Candidate, models: usize) -> f64 {
    let model_value = |model: usize| {
        let mut own = candidate.proposals.iter().filter(|of| of.by == model);
        let own = own.find(|of| of.direction == candidate.direction);
        own.and_then(|of| of.rank).map_or(0.0, |rank| 1.0 / f64::from(rank))
    };
    let values = (0..models).map(model_value);
    values.clone().fold(0.0, f64::max) - values.fold(1.0, f64::min)
}

/// Distinct random values, one for each candidate.
fn random_values(candidates: &[Candidate], seed: u64) -> Vec<f64> {
    let all: Vec<u32> = (0..candidates.len() as u32).collect();
    let mut values = vec![0.0; all.len()];
    for (place, one) in sample_at_random(&all, all.len(), seed).into_iter().enumerate() {
        values[one as usize] = place as f64;
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotate::pool::{Plan, gather_candidates};
    use crate::data::PerDirection;
    use crate::data::index::ModelIx;
    use crate::study::demo;

    /// Candidates of the demo, sorted.
    fn sorted(order: Order) -> Vec<Candidate> {
        let study = demo::open().unwrap();
        let plan = Plan {
            study: &study,
            models: ModelIx::all(&study.models).collect(),
            truths: vec![],
            queries: PerDirection { i2t: vec![], t2i: (0..30).collect() },
            top: 5,
        };
        let mut all = gather_candidates(&plan).unwrap();
        let count = all.len();
        sort(&mut all, order, plan.models.len(), 7);
        assert_eq!(all.len(), count);
        all
    }

    /// Queries in order of first occurrence.
    fn queries(all: &[Candidate]) -> Vec<u32> {
        let mut queries: Vec<u32> = all.iter().map(|one| one.query().raw()).collect();
        queries.dedup();
        queries
    }

    #[test]
    fn the_pairs_of_a_query_are_adjacent_in_every_order() {
        let orders = Order::ALL.map(|(_, order)| queries(&sorted(order)));
        for order in &orders {
            let mut once = order.clone();
            once.sort_unstable();
            assert_eq!(once, (0..30).collect::<Vec<u32>>());
        }
        assert_ne!(orders[0], orders[1]);
        assert_ne!(orders[1], orders[2]);
    }

    #[test]
    fn pairs_that_models_rank_most_differently_come_first() {
        let all = sorted(Order::Disagreement);
        let values: Vec<f64> = all.iter().map(|one| disagreement(one, 3)).collect();
        // Top-1 of one model, unranked by another.
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
}
