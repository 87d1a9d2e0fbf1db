//! Disputed pairs as a new pool to judge.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{CheckedImport, Import, PairDecision};
use crate::annotate::hits::Hits;
use crate::annotate::pool::{EarlierAnswer, FORMAT, Pool, PoolHead, PooledPair, Proposal};
use crate::data::id::Id;
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use crate::truth::response::Response;

/// Name given as proposer of disputed pairs that are in no pool.
const PROPOSER: &str = "answers";

impl CheckedImport {
    /// Panel indices of the pairs whose relevance is disputed or undecided; pairs decided by the adjudicator are
    /// excluded. `decided` has the decision on each pair of the panel.
    pub fn open_pairs(&self, decided: &[PairDecision]) -> impl Iterator<Item = usize> {
        let pairs = self.panel.pairs.iter().zip(decided).enumerate();
        let open = pairs.filter(|(place, (judged, decided))| {
            let is_open = judged.is_relevance_disputed() || decided.judgment.is_none();
            is_open && !self.adjudicated.contains_key(place)
        });
        open.map(|(place, _)| place)
    }
}

/// A pool of pairs to be judged again; `places` are their indices in the panel. Pairs of `pool` keep their direction
/// and proposers. Any other pair has the direction of its HIT (t2i if it has no HIT) and the proposer `answers`.
pub fn disputed_pool(
    checked: &CheckedImport,
    places: impl Iterator<Item = usize>,
    hits: Option<&Hits>,
    pool: Option<&Pool>,
) -> Pool {
    let pooled = pool.into_iter().flat_map(|pool| &pool.pairs);
    let pooled: FxHashMap<(&Id, &Id), &PooledPair> =
        pooled.map(|pair| ((&pair.image, &pair.caption), pair)).collect();
    let mut directions: FxHashMap<(&Id, &Id), Direction> = FxHashMap::default();
    for hit in hits.into_iter().flat_map(|hits| &hits.hits) {
        for item in &hit.items {
            directions.entry((&item.image, &item.caption)).or_insert(hit.direction);
        }
    }
    // Responses by annotator.
    let mut by_pair: FxHashMap<(&Id, &Id), BTreeMap<&String, Response>> = FxHashMap::default();
    for one in checked.import.answers.iter().map(|one| &one.entry) {
        by_pair.entry((&one.image, &one.caption)).or_default().insert(&one.by, one.response());
    }
    let pairs = places.map(|place| &checked.panel.pairs[place]).map(|one| {
        let key = (&one.image, &one.caption);
        let answers = by_pair.remove(&key).unwrap_or_default().into_iter();
        let answers =
            answers.map(|(by, answer)| EarlierAnswer { by: by.clone(), answer }).collect();
        if let Some(pair) = pooled.get(&key) {
            return PooledPair { answers, ..(*pair).clone() };
        }
        let direction = directions.get(&key).copied().unwrap_or(Direction::T2i);
        PooledPair {
            query_direction: direction,
            image: one.image.clone(),
            caption: one.caption.clone(),
            proposals: vec![Proposal { model: PROPOSER.to_owned(), direction, rank: None }],
            answers,
        }
    });
    let pairs: Vec<PooledPair> = pairs.collect();
    Pool { head: pool_head(&pairs, pool), pairs }
}

/// Head of a pool of disputed pairs, with the settings of the original pool if there is one.
fn pool_head(pairs: &[PooledPair], pool: Option<&Pool>) -> PoolHead {
    let before = pool.map(|pool| pool.head.clone());
    let unknown = || PoolHead { truths: vec![PROPOSER.to_owned()], ..PoolHead::default() };
    PoolHead {
        format: FORMAT.to_owned(),
        queries: PerDirection::from_fn(|direction| {
            let own = pairs.iter().filter(|pair| pair.query_direction == direction);
            own.map(PooledPair::query).collect::<FxHashSet<&Id>>().len()
        }),
        chosen: "pairs on which people differ".to_owned(),
        order: "disagreement".to_owned(),
        overlap: 1,
        ..before.unwrap_or_else(unknown)
    }
}

/// Drops pairs that have no response and whose query is in no HIT; returns their number. Without HITs no pair is
/// dropped.
///
/// # Errors
/// No pair of the pool is in a HIT or has a response; `file` is the pool's name.
pub fn drop_foreign_pairs(
    pool: &mut Pool,
    file: &str,
    (import, hits): (&Import, Option<&Hits>),
) -> Result<usize> {
    let all_hits = hits.iter().flat_map(|hits| &hits.hits);
    let queries: FxHashSet<(Direction, &Id)> =
        all_hits.clone().map(|hit| (hit.direction, &hit.query)).collect();
    let items = all_hits.flat_map(|hit| &hit.items).map(|item| (&item.image, &item.caption));
    let answers = import.answers.iter().map(|of| (&of.entry.image, &of.entry.caption));
    let pairs: FxHashSet<(&Id, &Id)> = items.chain(answers).collect();
    let is_asked = |pair: &PooledPair| pairs.contains(&(&pair.image, &pair.caption));
    if !pool.pairs.is_empty() && !pool.pairs.iter().any(is_asked) {
        return Err(Error::new(file, "none of its pairs is in the HITs or has an answer")
            .expected("the pool that the HITs were made of"));
    }
    let before = pool.pairs.len();
    if hits.is_some() {
        let is_of_query =
            |pair: &PooledPair| queries.contains(&(pair.query_direction, pair.query()));
        pool.pairs.retain(|pair| is_asked(pair) || is_of_query(pair));
    }
    Ok(before - pool.pairs.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotate::import::{CheckOptions, DecisionRule, Import};
    use crate::data::source::Source;
    use crate::truth::judgment::Judgment;

    #[test]
    fn pairs_disputed_by_relevance_are_asked_again() {
        let file = |name: &str, lines: &str| {
            let text = format!("cid,iid,annotation\n{lines}");
            Source::in_memory(name, text.into())
        };
        let files = [
            file("a.csv", "1,9,1\n2,9,1\n3,9,2\n4,9,cant tell\n5,9,1\n"),
            file("b.csv", "1,9,4\n2,9,2\n3,9,2\n5,9,4\n"),
            file("judge.csv", "5,9,1\n"),
        ];
        let asked = CheckOptions { adjudicator: Some("judge".into()), ..CheckOptions::default() };
        let checked = CheckedImport::from_import(Import::read(&files).unwrap(), None, &asked);
        let decided = checked.decide(DecisionRule::Majority);
        assert_eq!(decided[4].judgment, Some(Judgment::Yes));
        let again = disputed_pool(&checked, checked.open_pairs(&decided), None, None);
        let captions: Vec<String> = again.pairs.iter().map(|pair| pair.caption.raw()).collect();
        assert_eq!(captions, ["1", "4"]);
        let said = |at: usize| again.pairs[at].answers.iter();
        let said = |at: usize| said(at).map(|one| format!("{} {}", one.by, one.answer));
        assert!(said(0).eq(["a yes", "b no"]));
        assert!(said(1).eq(["a can't tell"]));
        assert_eq!(again.head.queries, PerDirection { i2t: 0, t2i: 2 });
    }
}
