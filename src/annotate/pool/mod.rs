//! Pools of candidates: top items of several models, without duplicates.

mod candidates;
mod file;
mod order;
mod queue;
pub use candidates::{Candidate, CandidateProposal, Plan, gather_candidates};
pub use file::{EarlierAnswer, FORMAT, Pool, PoolHead, PooledPair, Proposal, read, write};
pub use order::{Order, sort};
pub use queue::{OtherAnnotators, PoolPairs, Queue};

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use crate::data::gallery::Gallery;
use crate::data::id::Id;
use crate::data::{Direction, PerDirection};

impl Pool {
    /// A pool of candidates in their order; proposers are named by `head`.
    pub fn from_candidates(head: PoolHead, candidates: &[Candidate], gallery: &Gallery) -> Self {
        let names: Vec<&String> = head.models.iter().chain(&head.truths).collect();
        let proposal = |of: &CandidateProposal| Proposal {
            model: names[of.by].clone(),
            direction: of.direction,
            rank: of.rank,
        };
        let pair = |one: &Candidate| PooledPair {
            query_direction: one.direction,
            image: gallery.images[one.pair.image.get()].clone(),
            caption: gallery.captions[one.pair.caption.get()].clone(),
            proposals: one.proposals.iter().map(proposal).collect(),
            answers: Vec::new(),
        };
        let pairs = candidates.iter().map(pair).collect();
        Pool { head, pairs }
    }

    /// Groups the pairs by query, in pool order; queries are in the order of their first pairs.
    pub fn by_query(&self) -> IndexMap<(Direction, &Id), Vec<&PooledPair>> {
        let mut all: IndexMap<_, Vec<&PooledPair>> = IndexMap::new();
        for pair in &self.pairs {
            all.entry((pair.query_direction, pair.query())).or_default().push(pair);
        }
        all
    }
}

/// Statistics of one proposer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposer<'a> {
    /// Name of the model or ground truth.
    pub name: &'a str,
    /// Number of pairs that it proposed.
    pub pairs: usize,
    /// Of these, the number per direction of the query; a pair may count in both.
    pub by_direction: PerDirection<usize>,
    /// Of these, the number with no other proposer.
    pub alone: usize,
    /// Of these, the number that each proposer also proposed, including itself.
    pub shared: Vec<usize>,
}

/// Counts the pairs of each proposer, and those that two share; models first, then ground truths.
pub fn proposer_overlap(pool: &Pool) -> Vec<Proposer<'_>> {
    let names: Vec<&str> =
        (pool.head.models.iter().chain(&pool.head.truths)).map(String::as_str).collect();
    let indices: FxHashMap<&str, usize> = names.iter().copied().zip(0..).collect();
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
            if let Some(&index) = indices.get(of.model.as_str()) {
                proposers[index].by_direction[of.direction] += 1;
            }
        }
        let own = pair.proposers();
        let own: Vec<usize> = own.iter().filter_map(|name| indices.get(name).copied()).collect();
        for &index in &own {
            proposers[index].pairs += 1;
            proposers[index].alone += usize::from(own.len() == 1);
            for &other in &own {
                proposers[index].shared[other] += 1;
            }
        }
    }
    proposers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotate::pool::read;
    use crate::data::source::Source;

    #[test]
    fn pairs_with_one_proposer_are_counted() {
        let text = r#"{"format":"itm-explore pool 1","top":2,"models":["a","b"],"truths":["cxc"],"queries":{"i2t":1,"t2i":1},"chosen":"","order":"depth","seed":1}
{"query_direction":"i2t","image":9,"caption":1,"proposals":[{"model":"a","direction":"i2t","rank":1},{"model":"a","direction":"t2i","rank":2},{"model":"cxc","direction":"i2t"}]}
{"query_direction":"i2t","image":9,"caption":2,"proposals":[{"model":"b","direction":"i2t","rank":1}]}
{"query_direction":"t2i","image":8,"caption":1,"proposals":[{"model":"a","direction":"t2i","rank":1},{"model":"b","direction":"t2i","rank":1}]}
"#;
        let pool = read(&Source::in_memory("p", text.into())).unwrap();
        let found = proposer_overlap(&pool);
        let of = |at: usize| {
            let one = &found[at];
            (one.pairs, one.alone, one.shared.clone())
        };
        assert_eq!(of(0), (2, 0, vec![2, 1, 1]));
        assert_eq!(of(1), (2, 1, vec![1, 2, 0]));
        assert_eq!(of(2), (1, 0, vec![1, 0, 1]));
        assert_eq!(found[0].by_direction, PerDirection { i2t: 1, t2i: 2 });
        let queries: Vec<usize> = pool.by_query().values().map(Vec::len).collect();
        assert_eq!(queries, [2, 1]);
    }
}
