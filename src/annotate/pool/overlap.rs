//! Who proposed how much of a pool, and how much of it others proposed too: what can be told before anything is judged.

use rustc_hash::FxHashMap;

use super::Pool;
use crate::data::PerDirection;

/// What each model and ground truth proposed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overlap<'a> {
    /// The models, then the ground truths.
    pub proposers: Vec<Proposer<'a>>,
    /// Pairs of the pool.
    pub pairs: usize,
}

/// What one of them proposed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposer<'a> {
    /// Its name.
    pub name: &'a str,
    /// Pairs that it proposed.
    pub pairs: usize,
    /// Of these, how many for a query of each direction; a pair may count in both.
    pub by_direction: PerDirection<usize>,
    /// Of these, how many nobody else proposed.
    pub alone: usize,
    /// Of these, how many each of all proposers proposed, itself included.
    pub shared: Vec<usize>,
}

/// Counts who proposed what.
pub fn overlap(pool: &Pool) -> Overlap<'_> {
    let names: Vec<&str> =
        (pool.head.models.iter().chain(&pool.head.truths)).map(String::as_str).collect();
    let places: FxHashMap<&str, usize> = names.iter().copied().zip(0..).collect();
    let new = |name| Proposer {
        name,
        pairs: 0,
        by_direction: PerDirection::default(),
        alone: 0,
        shared: vec![0; names.len()],
    };
    let mut proposers: Vec<Proposer<'_>> = names.iter().copied().map(new).collect();
    for pair in &pool.pairs {
        for of in &pair.proposals {
            if let Some(&place) = places.get(of.model.as_str()) {
                proposers[place].by_direction[of.direction] += 1;
            }
        }
        let own = pair.proposers();
        let own: Vec<usize> = own.iter().filter_map(|name| places.get(name).copied()).collect();
        for &place in &own {
            proposers[place].pairs += 1;
            proposers[place].alone += usize::from(own.len() == 1);
            for &other in &own {
                proposers[place].shared[other] += 1;
            }
        }
    }
    Overlap { proposers, pairs: pool.pairs.len() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotate::pool::read;
    use crate::data::source::Source;

    #[test]
    fn what_only_one_proposed_is_counted() {
        let text = r#"{"format":"itm-explore pool 1","top":2,"models":["a","b"],"truths":["cxc"],"queries":{"i2t":1,"t2i":1},"chosen":"","order":"depth","seed":1}
{"query_direction":"i2t","image":9,"caption":1,"proposals":[{"model":"a","direction":"i2t","rank":1},{"model":"a","direction":"t2i","rank":2},{"model":"cxc","direction":"i2t"}]}
{"query_direction":"i2t","image":9,"caption":2,"proposals":[{"model":"b","direction":"i2t","rank":1}]}
{"query_direction":"t2i","image":8,"caption":1,"proposals":[{"model":"a","direction":"t2i","rank":1},{"model":"b","direction":"t2i","rank":1}]}
"#;
        let pool = read(&Source::in_memory("p", text.into())).unwrap();
        let found = overlap(&pool);
        let of = |at: usize| {
            let one = &found.proposers[at];
            (one.pairs, one.alone, one.shared.clone())
        };
        assert_eq!(of(0), (2, 0, vec![2, 1, 1]));
        assert_eq!(of(1), (2, 1, vec![1, 2, 0]));
        assert_eq!(of(2), (1, 0, vec![1, 0, 1]));
        assert_eq!(found.proposers[0].by_direction, PerDirection { i2t: 1, t2i: 2 });
        let queries: Vec<usize> = pool.by_query().iter().map(|(_, _, pairs)| pairs.len()).collect();
        assert_eq!(queries, [2, 1]);
    }
}
