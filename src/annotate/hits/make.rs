//! HITs of a pool: candidates of one query, one sure positive, one sure negative, shuffled.

use rustc_hash::FxHashSet;

use super::golden::Golden;
use super::{FORMAT, Hit, HitItem, Hits, hits_of};
use crate::annotate::pool::{Pool, PooledPair};
use crate::data::id::Id;
use crate::data::index::ItemIx;
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use crate::rank::pass::CancelToken;
use crate::rank::top_k::{TopK, top_k};
use crate::study::Study;
use crate::truth::verdict::{Pair, Verdict};

/// HITs, and what some of them lack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewHits {
    /// The HITs.
    pub hits: Hits,
    /// What was not found.
    pub lacking: Lacking,
}

/// How many HITs are without a golden pair.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lacking {
    /// Without a sure positive.
    pub positive: usize,
    /// Without a sure negative.
    pub negative: usize,
}

/// Makes HITs of a pool. The candidates of a query are spread evenly over as many HITs as they need; queries stay in the
/// order of the pool. A sure positive is an item of the original pairing, or else of the richest ground truth: one that
/// the pool does not ask about, or else one of its candidates, which is asked as golden then. A sure negative is an item
/// drawn from those that no model has in its first [`Pool`]`.head.top` and no ground truth lists. `None` when it was
/// cancelled.
///
/// # Errors
/// A pool with models, images or captions that the study lacks; as [`top_k`].
pub fn make(study: &Study, pool: &Pool, seed: u64, token: &CancelToken) -> Result<Option<NewHits>> {
    let Some(firsts) = firsts(study, pool, token)? else {
        return Ok(None);
    };
    let mut made = NewHits {
        hits: Hits { format: FORMAT.to_owned(), seed, hits: Vec::new() },
        lacking: Lacking::default(),
    };
    for (direction, query, pairs) in pool.by_query() {
        let candidates = items(study, direction, &pairs)?;
        let (index, _) = pair_of(study, pairs[0])?.asked(direction);
        let golden = Golden::new(study, (direction, index), &firsts[direction], seed);
        made.add((direction, query), &candidates, golden);
    }
    Ok(Some(made))
}

/// The first items of every model of the pool, in the directions in which it asks.
fn firsts(
    study: &Study,
    pool: &Pool,
    token: &CancelToken,
) -> Result<Option<PerDirection<Vec<TopK>>>> {
    let mut all = PerDirection::<Vec<TopK>>::default();
    for name in &pool.head.models {
        let model = study.require_model(name).map_err(|error| {
            error.mend("name the files that the pool was made of: a sure negative is outside of every model's first items")
        })?;
        for direction in Direction::BOTH {
            if pool.head.queries[direction] == 0 {
                continue;
            }
            let mask = study.mask.as_deref();
            let found = top_k(&study.gallery, model, mask, direction, pool.head.top, token)?;
            match found {
                Some(found) => all[direction].push(found),
                None => return Ok(None),
            }
        }
    }
    Ok(Some(all))
}

/// Gallery indices of the items of a query's pairs.
fn items(study: &Study, direction: Direction, pairs: &[&PooledPair]) -> Result<Vec<u32>> {
    let item = |pair: &&PooledPair| Ok(pair_of(study, pair)?.asked(direction).1.raw());
    pairs.iter().map(item).collect()
}

/// A pair of the pool in the gallery.
fn pair_of(study: &Study, pair: &PooledPair) -> Result<Pair> {
    let gallery = &study.gallery;
    Pair::find(gallery, &pair.image, &pair.caption).ok_or_else(|| {
        let (image, caption) = (&pair.image, &pair.caption);
        Error::new(
            "the pool",
            format!("image {image} and caption {caption}, which the files do not both have"),
        )
        .expected("the files that the pool was made of, or others with the same ids")
    })
}

impl NewHits {
    /// Adds the HITs of one query.
    fn add(&mut self, of: (Direction, &Id), candidates: &[u32], mut golden: Golden<'_>) {
        let count = hits_of(candidates.len());
        let asked: FxHashSet<u32> = candidates.iter().copied().collect();
        let mut positives = golden.positives(&asked);
        positives.truncate(count);
        let negatives = golden.negatives(&asked, count);
        let is_candidate = |item: &&u32| !positives.contains(item);
        let mut left: Vec<u32> = candidates.iter().filter(is_candidate).copied().collect();
        if left.is_empty() {
            // All candidates are sure positives: they are asked about.
            positives.clear();
            left = candidates.to_vec();
        }
        for nth in 0..count {
            let part = &left[nth * left.len() / count..(nth + 1) * left.len() / count];
            let positive = positives.get(nth % positives.len().max(1)).copied();
            let mut items = self.with_golden(part, positive, negatives.get(nth).copied());
            golden.shuffle(&mut items);
            self.push(of, nth, &items, &golden);
        }
    }

    /// Candidates with what is golden among them; what there is none of is counted.
    fn with_golden(
        &mut self,
        candidates: &[u32],
        positive: Option<u32>,
        negative: Option<u32>,
    ) -> Vec<(u32, Option<Verdict>)> {
        self.lacking.positive += usize::from(positive.is_none());
        self.lacking.negative += usize::from(negative.is_none());
        let candidates = candidates.iter().map(|&item| (item, None));
        let positive = positive.map(|item| (item, Some(Verdict::Yes)));
        let negative = negative.map(|item| (item, Some(Verdict::No)));
        candidates.chain(positive).chain(negative).collect()
    }

    fn push(
        &mut self,
        (direction, query): (Direction, &Id),
        nth: usize,
        items: &[(u32, Option<Verdict>)],
        of: &Golden<'_>,
    ) {
        let gallery = &of.study.gallery;
        let item = |&(item, golden): &(u32, Option<Verdict>)| {
            let pair = Pair::of(direction, of.query, ItemIx::from(item));
            HitItem {
                image: gallery.images[pair.image.get()].clone(),
                caption: gallery.captions[pair.caption.get()].clone(),
                golden,
            }
        };
        self.hits.hits.push(Hit {
            hit: format!("{direction}-{}-{}", query.raw(), nth + 1),
            direction,
            query: query.clone(),
            items: items.iter().map(item).collect(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotate::hits::MOST;
    use crate::annotate::pool::{PoolHead, Proposal};
    use crate::study::demo;

    /// A pool of the demo: so many items of the first ones of a model, for some captions.
    fn pool(study: &Study, top: usize, queries: &[u32]) -> Pool {
        let model = &study.models[0];
        let token = CancelToken::default();
        let firsts = top_k(&study.gallery, model, None, Direction::T2i, top, &token);
        let firsts = firsts.unwrap().unwrap();
        let mut pairs = Vec::new();
        for &query in queries {
            for (rank, &item) in (1..).zip(firsts.of(query as usize)) {
                pairs.push(PooledPair {
                    query_direction: Direction::T2i,
                    image: study.gallery.images[item as usize].clone(),
                    caption: study.gallery.captions[query as usize].clone(),
                    proposals: vec![Proposal {
                        model: model.name.clone(),
                        direction: Direction::T2i,
                        rank: Some(rank),
                    }],
                    answers: vec![],
                });
            }
        }
        let head = PoolHead {
            format: crate::annotate::pool::FORMAT.into(),
            top,
            models: vec![model.name.clone()],
            truths: vec![],
            queries: PerDirection { i2t: 0, t2i: queries.len() },
            chosen: "listed".into(),
            order: "depth".into(),
            seed: 0,
            overlap: 1,
        };
        Pool { head, pairs }
    }

    fn new_hits(top: usize, queries: &[u32], seed: u64) -> NewHits {
        let study = demo::open().unwrap();
        let pool = pool(&study, top, queries);
        make(&study, &pool, seed, &CancelToken::default()).unwrap().unwrap()
    }

    #[test]
    fn every_candidate_is_asked_once_with_two_golden_pairs() {
        let (study, queries) = (demo::open().unwrap(), [0, 7, 33]);
        let made = new_hits(25, &queries, 3);
        assert_eq!((made.hits.hits.len(), made.lacking), (6, Lacking::default()));
        let mut asked: Vec<Pair> = Vec::new();
        for hit in &made.hits.hits {
            let golden = |of| hit.items.iter().filter(|item| item.golden == of).count();
            assert_eq!([Some(Verdict::Yes), Some(Verdict::No)].map(golden), [1, 1]);
            assert!(golden(None) <= MOST && golden(None) >= 12);
            for item in &hit.items {
                let pair = Pair::find(&study.gallery, &item.image, &item.caption).unwrap();
                assert_eq!(item.caption, hit.query);
                let (query, image) = pair.asked(Direction::T2i);
                let is_own = study.own(Direction::T2i, query.get()).contains(image.raw());
                assert!(is_own || item.golden != Some(Verdict::Yes));
                asked.extend((item.golden != Some(Verdict::No)).then_some(pair));
            }
        }
        asked.sort_unstable();
        asked.dedup();
        let pool = pool(&study, 25, &queries);
        let found = |pair: &PooledPair| pair_of(&study, pair).unwrap();
        let missing = pool.pairs.iter().map(found).filter(|pair| !asked.contains(pair));
        assert_eq!(missing.count(), 0);
    }

    #[test]
    fn the_seed_decides_which_and_in_which_order() {
        let hits = |seed| new_hits(10, &[0, 1], seed).hits.hits;
        assert_eq!(hits(3), hits(3));
        assert_ne!(hits(3), hits(4));
        assert_eq!(hits(3)[0].hit, format!("t2i-{}-1", hits(3)[0].query));
    }

    #[test]
    fn a_candidate_that_is_surely_positive_is_still_asked_about() {
        let study = demo::open().unwrap();
        let mut pool = pool(&study, 25, &[0]);
        let is_own = |pair: &PooledPair| {
            let (query, item) = pair_of(&study, pair).unwrap().asked(Direction::T2i);
            study.own(Direction::T2i, query.get()).contains(item.raw())
        };
        pool.pairs.retain(is_own);
        let made = make(&study, &pool, 0, &CancelToken::default()).unwrap().unwrap();
        let golden: Vec<_> = made.hits.hits[0].items.iter().map(|item| item.golden).collect();
        assert!(golden.contains(&None) && !golden.contains(&Some(Verdict::Yes)), "{golden:?}");
        assert_eq!(made.lacking.positive, 1);
    }

    #[test]
    fn where_every_item_is_among_the_first_there_is_no_sure_negative() {
        let study = demo::open().unwrap();
        let made = new_hits(study.gallery.images.len(), &[0], 0);
        assert_eq!(made.lacking.negative, made.hits.hits.len());
    }

    #[test]
    fn what_the_files_lack_is_named() {
        let study = demo::open().unwrap();
        let error = |edit: &dyn Fn(&mut Pool)| {
            let mut pool = pool(&study, 3, &[0]);
            edit(&mut pool);
            make(&study, &pool, 0, &CancelToken::default()).unwrap_err().to_string()
        };
        let said = error(&|pool| pool.head.models = vec!["absent".into()]);
        assert!(said.contains("no model is named absent"), "{said}");
        let said = error(&|pool| pool.pairs[0].image = Id::Number(-5));
        assert!(said.contains("image -5"), "{said}");
    }
}
