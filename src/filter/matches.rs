//! The queries that meet a condition, with their numbers.

use std::collections::BTreeSet;

use super::counts::{Counts, Needs, RanksOf};
use super::source::Source;
use super::{Column, Expression, values};
use crate::data::PerDirection;
use crate::error::Result;
use crate::metric::{Spec, hit, map_at_r};
use crate::rank::pass::CancelToken;
use crate::study::{Study, View};
use crate::truth::judgment::{Judgments, Pair};
use crate::truth::relevance::Relevance;

/// A search among the queries of a study: a condition, an order and a limit.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// Condition on queries.
    pub filter: &'a Expression,
    /// Sort key; without, they stay in gallery order.
    pub key: Option<&'a Expression>,
    /// Further columns.
    pub columns: &'a [Column],
    /// Maximum queries listed.
    pub limit: usize,
    /// A person's marks.
    pub marks: &'a Marks,
}

/// A person's marks of a study, by gallery index.
#[derive(Debug, Clone, Default)]
pub struct Marks {
    /// Judgments: they change ranks.
    pub judgments: Judgments,
    /// The queries that are picked.
    pub picked: PerDirection<Vec<u32>>,
    /// The tags of pairs.
    pub tags: BTreeSet<(Pair, String)>,
}

/// The queries that meet a condition.
#[derive(Debug, Clone, Default)]
pub struct FilterMatches {
    /// The first of them, in the order of the gallery or of a key.
    pub queries: Vec<MatchedQuery>,
    /// Number of matches.
    pub met: usize,
    /// Number of searched queries: those that the truth covers.
    pub of: usize,
    /// Number of those with an undefined value in the condition.
    pub unknown: usize,
}

/// A query that meets the condition, with its ranks and text.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchedQuery {
    /// Gallery index.
    pub query: u32,
    /// Its id, safe to show.
    pub id: String,
    /// Rank of the first positive.
    pub rank: Option<u32>,
    /// Whether top-1 is correct.
    pub r1: Option<f64>,
    /// AP@R.
    pub map_at_r: Option<f64>,
    /// The values of the columns; `None` if unknown.
    pub values: Vec<Option<f64>>,
    /// Its text: an image's first caption.
    pub text: Option<String>,
}

/// Finds the queries that meet the condition, among those that the view's truth covers. Ranks, and values that name no
/// model or truth, are those of the view.
///
/// # Errors
/// Scores that cannot be read.
pub fn find(
    study: &Study,
    view: View,
    question: Question<'_>,
    token: &CancelToken,
) -> Result<FilterMatches> {
    let Question { filter, key, columns, limit, marks } = question;
    let expressions = columns.iter().map(|column| &column.value).chain(key).chain([filter]);
    let needs = expressions.fold(view.into(), |needs: Needs, of| needs.and(of.needs()));
    let counts = Counts::compute(study, view.direction, &needs, token)?;
    let counts = counts.with_marks(study, view.direction, marks);
    // Nothing is found if cancelled.
    let mut answer = filter.answer(study, &counts, &|| false).unwrap_or_default();
    if let Some(key) = key.and_then(|key| key.over(study, &counts)) {
        key.sort(&mut answer.queries);
    }
    let source = Source::new(study, &counts, view, &view.into());
    let columns: Vec<_> = columns.iter().map(|of| of.value.over(study, &counts)).collect();
    let of_query = |&query: &u32| {
        let (at, source) = (query as usize, source.as_ref()?);
        let ranks = source.query(RanksOf { view: 0, as_loaded: false }, at);
        Some(MatchedQuery {
            query,
            id: study.gallery.queries(view.direction)[at].to_string(),
            rank: ranks.and_then(values::first),
            r1: ranks.and_then(|ranks| Spec::new(&hit::R1).per_query(ranks)),
            map_at_r: ranks.and_then(|ranks| Spec::new(&map_at_r::MapAtR).per_query(ranks)),
            values: columns.iter().map(|column| column.as_ref()?.number(at)).collect(),
            text: source.text(at).map(str::to_owned),
        })
    };
    let judged = study.truths[view.truth].relevance[view.direction].as_ref();
    Ok(FilterMatches {
        queries: answer.queries.iter().take(limit).filter_map(of_query).collect(),
        met: answer.queries.len(),
        of: judged.map_or(0, Relevance::len),
        unknown: answer.unknown,
    })
}
