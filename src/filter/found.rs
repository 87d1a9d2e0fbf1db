//! The queries that meet a condition, with the numbers that are told of them.

use super::counts::Counts;
use super::program::Source;
use super::view::{Facts, View};
use super::{Filter, Key};
use crate::error::Result;
use crate::metric::{Spec, hit, map_at_r};
use crate::rank::pass::Watch;
use crate::study::Study;
use crate::truth::relevance::Relevance;

/// The queries that meet a condition.
#[derive(Debug, Clone)]
pub struct Found {
    /// Them, in the order of the gallery or of a key.
    pub queries: Vec<FoundQuery>,
    /// The queries that the truth judges: those that were asked.
    pub of: usize,
}

/// One of them.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundQuery {
    /// Gallery index.
    pub query: u32,
    /// Its id, safe to show.
    pub id: String,
    /// Rank of the first positive.
    pub rank: Option<u32>,
    /// Whether the first item is right.
    pub r1: Option<f64>,
    /// AP@R.
    pub map_at_r: Option<f64>,
    /// Its text: of an image its first caption.
    pub text: Option<String>,
}

/// Asks every query that the view's truth judges. What is told of them is under this view.
///
/// # Errors
/// As [`Counts::of`].
pub fn find(
    study: &Study,
    view: View,
    filter: &Filter,
    key: Option<&Key>,
    watch: &Watch,
) -> Result<Found> {
    let mut needs = vec![view];
    needs.extend(
        filter
            .needs()
            .iter()
            .chain(key.iter().flat_map(|key| key.needs())),
    );
    let mut unique: Vec<View> = Vec::new();
    for view in needs {
        if !unique.contains(&view) {
            unique.push(view);
        }
    }
    let counts = Counts::of(study, view.direction, &unique, watch)?;
    let judged = study.truths[view.truth].relevance[view.direction].as_ref();
    let of = judged.map_or(0, Relevance::len);
    let queries = listed(&counts, view, filter, key).unwrap_or_default();
    Ok(Found { queries, of })
}

/// The queries that meet the condition; `None` where counting was cancelled.
fn listed(
    counts: &Counts<'_>,
    view: View,
    filter: &Filter,
    key: Option<&Key>,
) -> Option<Vec<FoundQuery>> {
    let asked = filter.over(counts).ok()?;
    let judged = counts.truth(view.truth).relevance[view.direction].as_ref()?;
    let mut queries: Vec<u32> = judged.queries().to_vec();
    queries.retain(|&query| asked.is_met(query as usize));
    queries.sort_unstable();
    if let Some(key) = key {
        key.over(counts).ok()?.sort(&mut queries);
    }
    let source = Source::new(counts, view.direction, &[view]).ok()?;
    let told = |&query: &u32| told(counts, &source, view, query);
    Some(queries.iter().map(told).collect())
}

fn told(counts: &Counts<'_>, source: &Source<'_>, view: View, query: u32) -> FoundQuery {
    let at = query as usize;
    let ranks = source.query(0, at);
    let ids = counts.study().gallery.queries(view.direction);
    FoundQuery {
        query,
        id: ids[at].to_string(),
        rank: ranks.and_then(super::program::first),
        r1: ranks.and_then(|ranks| Spec::new(&hit::R1).per_query(ranks)),
        map_at_r: ranks.and_then(|ranks| Spec::new(&map_at_r::MapAtR).per_query(ranks)),
        text: source.text(at).map(str::to_owned),
    }
}
