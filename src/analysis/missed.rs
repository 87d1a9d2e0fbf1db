//! The most similar items that a model misses: what its first items lack though a similarity phi puts it in front.

use std::ops::Range;

use super::first_items::{Asked, FirstItem};
use crate::data::Direction;
use crate::data::parallel;
use crate::rank::ranking::places;
use crate::rank::retrieved::Retrieved;
use crate::study::{Study, View};
use crate::truth::Truth;
use crate::truth::similar::Similar;
use crate::truth::verdict::Pair;

/// The most pairs that are told.
pub const MOST: usize = 1_000;

/// An item that is similar to a query.
struct Candidate {
    at: usize,
    query: u32,
    item: u32,
    phi: f64,
}

/// Of the most similar items of each query those that are not among the first ones: at most [`MOST`], the greatest
/// phi first, by the truth looked at if that is of a similarity, else by the first of these. Nothing without a
/// similarity, and in a pool.
pub fn missed(
    study: &Study,
    view: View,
    asked: Asked<'_>,
    retrieved: &Retrieved,
) -> Vec<FirstItem> {
    let Some(similar) = similar(study, view) else {
        return Vec::new();
    };
    let of_query = |at: usize| {
        let query = asked.queries[at];
        let first = retrieved.head(query);
        let nearest = similar.nearest(query as usize, study.phi_rule.m);
        let missed = nearest.filter(|(item, _)| !first.contains(item));
        missed.map(move |(item, phi)| Candidate { at, query, item, phi })
    };
    let len = asked.queries.len();
    let of_range = |range: Range<usize>| range.flat_map(of_query).collect();
    let mut missed: Vec<Candidate> = parallel::flat_map_ranges(len, parallel::step(len), of_range);
    missed.sort_by(|one, other| other.phi.total_cmp(&one.phi));
    missed.truncate(MOST);
    parallel::map(&missed, |one| listed_item(study, view, asked, one))
}

/// The similarities of the truth looked at, else of the first that has any.
fn similar(study: &Study, view: View) -> Option<&Similar> {
    let looked_at = of_truth(&study.truths[view.truth], view.direction);
    let mut truths = study.truths.iter();
    looked_at.or_else(|| truths.find_map(|truth| of_truth(truth, view.direction)))
}

fn of_truth(truth: &Truth, direction: Direction) -> Option<&Similar> {
    truth.relevance[direction].as_ref()?.similar()
}

/// A pair with its rank, 0 where the model does not rank it, and its score.
fn listed_item(study: &Study, view: View, asked: Asked<'_>, one: &Candidate) -> FirstItem {
    let (direction, query) = (view.direction, one.query as usize);
    let (model, mask) = (&study.models[view.model], study.mask.as_deref());
    let ranks = places(model, mask, direction, query, &[one.item]);
    let verdict = asked.verdicts.get(Pair::of(direction, one.query.into(), one.item.into()));
    FirstItem {
        at: one.at,
        query: one.query,
        item: one.item,
        rank: ranks.first().copied().flatten().unwrap_or(0),
        score: f64::NAN,
        phi: one.phi,
        badge: study.badge(verdict, direction, one.query.into(), one.item.into()),
    }
}
