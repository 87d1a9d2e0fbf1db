//! Ranks in a mask compared with sorting everything and dropping what is outside.

use std::sync::Arc;

use super::counter::Counter;
use super::many_oracle::relevance;
use super::pass::CancelToken;
use super::ranking::{Ranking, item_ranks};
use super::targets::Targets;
use crate::data::candidate_mask::{CandidateMask, Part};
use crate::data::gallery::Gallery;
use crate::data::id::IdList;
use crate::data::scores::{Model, Scores};
use crate::data::{Direction, PerDirection};
use crate::truth::Truth;

/// Three parts by an arbitrary rule; every fourth image and caption is in none.
fn mask(sizes: PerDirection<usize>) -> CandidateMask {
    let side = |len: usize, step: usize, part: usize| {
        let of = |&at: &u32| (at as usize * step + at as usize / 3) % 4 == part;
        (0..len as u32).filter(of).collect()
    };
    let part = |at| Part { images: side(sizes.i2t, 3, at), captions: side(sizes.t2i, 5, at) };
    CandidateMask::new((0..3).map(part).collect(), sizes)
}

/// Ranks the targets as those of two truths, one in each direction's reverse order.
pub(super) fn check(model: &Model, sets: &Targets) {
    let sizes = PerDirection::from_fn(|direction| sets[direction].query_count());
    let gallery = Gallery {
        images: IdList::for_len(sizes.i2t),
        captions: IdList::for_len(sizes.t2i),
        ..Gallery::default()
    };
    let mask = Arc::new(mask(sizes));
    let mut truth = Truth::new("targets");
    truth.relevance = PerDirection::from_fn(|direction| Some(relevance(&sets[direction])));
    let inside = truth.among_candidates(&mask);
    let counter = Counter::new(std::slice::from_ref(&inside), &gallery, Some(&mask));
    let ranks = counter.ranks(model, &CancelToken::default()).unwrap().unwrap();
    for direction in Direction::BOTH {
        let ranks = ranks[0][direction].as_ref().unwrap();
        let of_truth = inside.relevance[direction].as_ref().unwrap();
        assert_eq!(ranks.queries(), of_truth.queries());
        assert_eq!(of_truth.len(), mask.query_count(direction));
        for (place, &query) in ranks.queries().iter().enumerate() {
            check_query(
                model,
                (&mask, direction, query as usize),
                &sets[direction],
                ranks.query(place),
            );
        }
    }
}

fn check_query(
    model: &Model,
    (mask, direction, query): (&CandidateMask, Direction, usize),
    set: &super::targets::PairSet,
    counted: super::QueryRanks<'_>,
) {
    let mut order = Ranking::for_query(model, direction, query).order;
    order.retain(|&item| mask.competes(direction, query.into(), item.into()));
    let competing = set.items(query).iter().copied();
    let competing: Vec<u32> =
        competing.filter(|&item| mask.competes(direction, query.into(), item.into())).collect();
    let rank = |item: &u32| order.iter().position(|other| other == item).map(|at| at as u32 + 1);
    let each: Vec<Option<u32>> = competing.iter().map(rank).collect();
    let mut known: Vec<u32> = each.iter().copied().flatten().collect();
    known.sort_unstable();
    assert_eq!(counted.ranks.iter().collect::<Vec<_>>(), known, "{direction} {query}");
    assert_eq!(counted.listed as usize, competing.len());
    assert_eq!(counted.unranked as usize, competing.len() - known.len());
    if let Scores::Lists(_) = model.scores {
        assert_eq!(counted.depth, Some(order.len() as u32));
    }
    assert_eq!(item_ranks(model, Some(mask), direction, query, &competing), each);
}
