//! Finds the queries that meet a condition, with their ranks and values.

use std::collections::BTreeSet;

use super::inputs::{FilterInputs, Needs, RanksOf};
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
pub struct QuerySearch<'a> {
    /// Condition on queries.
    pub filter: &'a Expression,
    /// Sort key; without one, queries are in gallery order.
    pub key: Option<&'a Expression>,
    /// Values to compute for each query.
    pub columns: &'a [Column],
    /// Maximum number of queries to list.
    pub limit: usize,
    /// A person's marks.
    pub marks: &'a Marks,
}

/// A person's marks of a study, by gallery index.
#[derive(Debug, Clone, Default)]
pub struct Marks {
    /// Judgments, which change ranks.
    pub judgments: Judgments,
    /// Picked queries of each direction.
    pub picked: PerDirection<Vec<u32>>,
    /// Pairs with their tags.
    pub tags: BTreeSet<(Pair, String)>,
}

/// The queries that meet a condition.
#[derive(Debug, Clone, Default)]
pub struct FilterMatches {
    /// The first queries up to the limit, in the order of the search.
    pub queries: Vec<MatchedQuery>,
    /// Number of all queries that meet the condition.
    pub met: usize,
    /// Number of searched queries: those that the truth covers.
    pub searched: usize,
    /// Number of searched queries for which the condition is unknown.
    pub unknown: usize,
}

/// A query that meets the condition, with its ranks and text.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchedQuery {
    /// Gallery index.
    pub query: u32,
    /// Id of the query, without control characters.
    pub id: String,
    /// Rank of the first positive.
    pub rank: Option<u32>,
    /// R@1 of the query: whether top-1 is correct.
    pub r1: Option<f64>,
    /// AP@R of the query.
    pub map_at_r: Option<f64>,
    /// The values of the search's columns; `None` if unknown.
    pub values: Vec<Option<f64>>,
    /// Text of the caption, or of the first caption of the image.
    pub text: Option<String>,
}

/// Finds the queries that meet the condition, among those that the view's truth covers; none if cancelled. Ranks, and
/// values that name no model or truth, are those of the view.
///
/// # Errors
/// Scores that cannot be read.
pub fn find_queries(
    study: &Study,
    view: View,
    search: QuerySearch<'_>,
    token: &CancelToken,
) -> Result<FilterMatches> {
    let QuerySearch { filter, key, columns, limit, marks } = search;
    let expressions = columns.iter().map(|column| &column.value).chain(key).chain([filter]);
    let needs = expressions.fold(view.into(), |needs: Needs, one| needs.union(one.needs()));
    let inputs = FilterInputs::compute(study, view.direction, &needs, token)?;
    let inputs = inputs.with_marks(study, view.direction, marks);
    // If cancelled, inputs are missing and no query matches.
    let mut answer = filter.answer(study, &inputs, &|| false).unwrap_or_default();
    if let Some(key) = key.and_then(|key| key.bind(study, &inputs)) {
        key.sort(&mut answer.queries);
    }
    let source = Source::new(study, &inputs, view, &view.into());
    let columns: Vec<_> = columns.iter().map(|column| column.value.bind(study, &inputs)).collect();
    let matched_query = |&query: &u32| {
        let (index, source) = (query as usize, source.as_ref()?);
        let ranks = source.query_ranks(RanksOf { view: 0, as_loaded: false }, index);
        Some(MatchedQuery {
            query,
            id: study.gallery.queries(view.direction)[index].to_string(),
            rank: ranks.and_then(values::first_rank),
            r1: ranks.and_then(|ranks| Spec::new(&hit::R1).per_query(ranks)),
            map_at_r: ranks.and_then(|ranks| Spec::new(&map_at_r::MapAtR).per_query(ranks)),
            values: columns.iter().map(|column| column.as_ref()?.number(index)).collect(),
            text: source.text(index).map(str::to_owned),
        })
    };
    let relevance = study.truths[view.truth].relevance[view.direction].as_ref();
    Ok(FilterMatches {
        queries: answer.queries.iter().take(limit).filter_map(matched_query).collect(),
        met: answer.queries.len(),
        searched: relevance.map_or(0, Relevance::len),
        unknown: answer.unknown,
    })
}
