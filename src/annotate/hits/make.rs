//! HITs of a pool: candidates of one query, one sure positive, one sure negative, shuffled.

use rustc_hash::FxHashSet;

use super::golden::Golden;
use super::{FORMAT, Hit, HitItem, Hits, hit_count};
use crate::analysis::draw::shuffle;
use crate::annotate::pool::{Pool, PooledPair};
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use crate::rank::pass::CancelToken;
use crate::rank::top_k::{TopK, top_k};
use crate::study::Study;
use crate::truth::judgment::{Judgment, Pair};

/// Makes HITs of a pool. A query's candidates are spread evenly over as few HITs as possible, with queries in pool
/// order. A sure positive is from the original pairing, or else the richest ground truth: preferably not in the pool,
/// else a candidate, which is then golden. A sure negative is a random item outside all ground truths and
/// every model's top `head.top` of the pool. If there is none, the HIT lacks that golden pair.
///
/// # Errors
/// A pool with models, images or captions not in the study; as [`top_k`].
pub fn make_hits(study: &Study, pool: &Pool, seed: u64) -> Result<Hits> {
    let top_items = top_items(study, pool)?;
    let mut hits = Vec::new();
    for ((direction, query), pairs) in pool.by_query() {
        let pairs: Vec<Pair> =
            pairs.iter().map(|pair| find_pair(study, pair)).collect::<Result<_>>()?;
        let candidates: Vec<u32> =
            pairs.iter().map(|one| one.query_and_item(direction).1.raw()).collect();
        let index = pairs[0].query_and_item(direction).0;
        let golden = Golden::new(study, (direction, index), &top_items[direction], seed);
        for (nth, items) in (1..).zip(split_query(golden, &candidates)) {
            let item = |(item, golden): (u32, Option<Judgment>)| {
                let pair = Pair::from_query(direction, index, item.into());
                HitItem {
                    image: study.gallery.images[pair.image.get()].clone(),
                    caption: study.gallery.captions[pair.caption.get()].clone(),
                    golden,
                }
            };
            hits.push(Hit {
                hit: format!("{direction}-{}-{nth}", query.raw()),
                direction,
                query: query.clone(),
                items: items.into_iter().map(item).collect(),
            });
        }
    }
    Ok(Hits { format: FORMAT.to_owned(), seed, hits })
}

/// Top items of every query by each model of the pool, in the directions in which the pool has queries.
fn top_items(study: &Study, pool: &Pool) -> Result<PerDirection<Vec<TopK>>> {
    let (mask, token) = (study.mask.as_deref(), CancelToken::default());
    let mut all = PerDirection::<Vec<TopK>>::default();
    for name in &pool.head.models {
        let model = study.require_model(name).map_err(|error| {
            error.fix("name the files that the pool was made of: a sure negative is outside of the top of every model")
        })?;
        for direction in Direction::BOTH {
            if pool.head.queries[direction] > 0 {
                let top = pool.head.top;
                all[direction].extend(top_k(&study.gallery, model, mask, direction, top, &token)?);
            }
        }
    }
    Ok(all)
}

/// Finds a pair of a pool in the gallery.
fn find_pair(study: &Study, pair: &PooledPair) -> Result<Pair> {
    let (image, caption) = (&pair.image, &pair.caption);
    Pair::find(&study.gallery, image, caption).ok_or_else(|| {
        Error::new(
            "the pool",
            format!("image {image} and caption {caption}, which the files do not both have"),
        )
        .expected("the files that the pool was made of, or others with the same ids")
    })
}

/// Splits the candidates of one query into HITs, and adds golden items. Returns the gallery index of each item by HIT,
/// with the known judgment of golden items (`None` for candidates).
fn split_query(mut golden: Golden<'_>, candidates: &[u32]) -> Vec<Vec<(u32, Option<Judgment>)>> {
    let count = hit_count(candidates.len());
    let pooled: FxHashSet<u32> = candidates.iter().copied().collect();
    let mut positives = golden.positives(&pooled);
    positives.truncate(count);
    let negatives = golden.negatives(&pooled, count);
    let is_candidate = |item: &&u32| !positives.contains(item);
    let mut remaining: Vec<u32> = candidates.iter().filter(is_candidate).copied().collect();
    if remaining.is_empty() {
        // All candidates are sure positives: ask about them.
        positives.clear();
        remaining = candidates.to_vec();
    }
    let hit = |nth: usize| {
        let part = &remaining[nth * remaining.len() / count..(nth + 1) * remaining.len() / count];
        let positive = positives.get(nth % positives.len().max(1));
        let mut items: Vec<(u32, Option<Judgment>)> =
            part.iter().map(|&item| (item, None)).collect();
        items.extend(positive.map(|&item| (item, Some(Judgment::Yes))));
        items.extend(negatives.get(nth).map(|&item| (item, Some(Judgment::No))));
        shuffle(&mut items, &mut golden.numbers);
        items
    };
    (0..count).map(hit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotate::hits::MAX_CANDIDATES;
    use crate::annotate::pool::{PoolHead, Proposal};
    use crate::data::id::Id;
    use crate::study::demo;

    /// A pool of the demo: the top items of a model for some captions.
    fn pool(study: &Study, top: usize, queries: &[u32]) -> Pool {
        let model = &study.models[0];
        let token = CancelToken::default();
        let top_items = top_k(&study.gallery, model, None, Direction::T2i, top, &token);
        let top_items = top_items.unwrap().unwrap();
        let mut pairs = Vec::new();
        for &query in queries {
            for (rank, &item) in (1..).zip(&top_items[query as usize]) {
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

    fn new_hits(top: usize, queries: &[u32], seed: u64) -> Hits {
        let study = demo::open().unwrap();
        let pool = pool(&study, top, queries);
        make_hits(&study, &pool, seed).unwrap()
    }

    #[test]
    fn every_candidate_is_asked_once_with_two_golden_pairs() {
        let (study, queries) = (demo::open().unwrap(), [0, 7, 33]);
        let made = new_hits(25, &queries, 3);
        assert_eq!(
            (made.hits.len(), made.count_without(Judgment::Yes), made.count_without(Judgment::No)),
            (6, 0, 0)
        );
        let mut pooled: Vec<Pair> = Vec::new();
        for hit in &made.hits {
            let golden = |of| hit.items.iter().filter(|item| item.golden == of).count();
            assert_eq!([Some(Judgment::Yes), Some(Judgment::No)].map(golden), [1, 1]);
            assert!(golden(None) <= MAX_CANDIDATES && golden(None) >= 12);
            for item in &hit.items {
                let pair = Pair::find(&study.gallery, &item.image, &item.caption).unwrap();
                assert_eq!(item.caption, hit.query);
                let (query, image) = pair.query_and_item(Direction::T2i);
                let is_own =
                    study.original_items(Direction::T2i, query.get()).contains(image.raw());
                assert!(is_own || item.golden != Some(Judgment::Yes));
                pooled.extend((item.golden != Some(Judgment::No)).then_some(pair));
            }
        }
        pooled.sort_unstable();
        pooled.dedup();
        let pool = pool(&study, 25, &queries);
        let found = |pair: &PooledPair| find_pair(&study, pair).unwrap();
        let missing = pool.pairs.iter().map(found).filter(|pair| !pooled.contains(pair));
        assert_eq!(missing.count(), 0);
    }

    #[test]
    fn the_seed_decides_golden_items_and_order() {
        let hits = |seed| new_hits(10, &[0, 1], seed).hits;
        assert_eq!(hits(3), hits(3));
        assert_ne!(hits(3), hits(4));
        assert_eq!(hits(3)[0].hit, format!("t2i-{}-1", hits(3)[0].query));
    }

    #[test]
    fn a_candidate_that_is_surely_positive_is_still_asked_about() {
        let study = demo::open().unwrap();
        let mut pool = pool(&study, 25, &[0]);
        let is_own = |pair: &PooledPair| {
            let (query, item) = find_pair(&study, pair).unwrap().query_and_item(Direction::T2i);
            study.original_items(Direction::T2i, query.get()).contains(item.raw())
        };
        pool.pairs.retain(is_own);
        let made = make_hits(&study, &pool, 0).unwrap();
        let golden: Vec<_> = made.hits[0].items.iter().map(|item| item.golden).collect();
        assert!(golden.contains(&None) && !golden.contains(&Some(Judgment::Yes)), "{golden:?}");
        assert_eq!(made.count_without(Judgment::Yes), 1);
    }

    #[test]
    fn without_items_outside_the_top_there_is_no_sure_negative() {
        let study = demo::open().unwrap();
        let made = new_hits(study.gallery.images.len(), &[0], 0);
        assert_eq!(made.count_without(Judgment::No), made.hits.len());
    }

    #[test]
    fn errors_name_missing_models_and_pairs() {
        let study = demo::open().unwrap();
        let error = |edit: &dyn Fn(&mut Pool)| {
            let mut pool = pool(&study, 3, &[0]);
            edit(&mut pool);
            make_hits(&study, &pool, 0).unwrap_err().to_string()
        };
        let said = error(&|pool| pool.head.models = vec!["absent".into()]);
        assert!(said.contains("no model is named absent"), "{said}");
        let said = error(&|pool| pool.pairs[0].image = Id::Number(-5));
        assert!(said.contains("image -5"), "{said}");
    }
}
