//! The queries that meet a condition, with the numbers that are told of them.

use super::counts::Counts;
use super::facts::{Facts, Needs, RanksOf};
use super::source::Source;
use super::{Column, Filter, FilterAnswer, Key};
use crate::data::PerDirection;
use crate::error::Result;
use crate::metric::{Spec, hit, map_at_r};
use crate::rank::pass::CancelToken;
use crate::study::{Study, View};
use crate::truth::relevance::Relevance;
use crate::truth::verdict::Verdicts;

/// A search among the queries of a study: a condition, an order and a limit.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// What queries must meet.
    pub filter: &'a Filter,
    /// What they are sorted by; otherwise they stand as in the gallery.
    pub key: Option<&'a Key>,
    /// What is told of each besides.
    pub columns: &'a [Column],
    /// The most that are told one by one.
    pub limit: usize,
    /// What a person made.
    pub marks: &'a Marks,
}

/// What a person made of a study, by gallery index.
#[derive(Debug, Clone, Default)]
pub struct Marks {
    /// The verdicts: they change ranks.
    pub verdicts: Verdicts,
    /// The queries that are picked.
    pub picked: PerDirection<Vec<u32>>,
}

/// The queries that meet a condition.
#[derive(Debug, Clone)]
pub struct FilterMatches {
    /// The first of them, in the order of the gallery or of a key.
    pub queries: Vec<MatchedQuery>,
    /// How many there are.
    pub met: usize,
    /// The queries that the truth judges: those that were asked.
    pub of: usize,
    /// Those of them of which it is not known whether they meet it: a value that it compares is undefined.
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
    /// The numbers of the columns asked for; `None` where one is unknown.
    pub values: Vec<Option<f64>>,
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
    question: Question<'_>,
    token: &CancelToken,
) -> Result<FilterMatches> {
    let needs = Needs::from(view).and(question.filter.needs());
    let more = question.columns.iter().map(Column::needs);
    let more = more.chain(question.key.map(Key::needs));
    let needs = more.fold(needs, Needs::and);
    let counts = Counts::of(study, view.direction, &needs, token)?;
    let Marks { picked, verdicts } = question.marks;
    let picked = picked[view.direction].iter().copied();
    let counts = counts.with(view.direction, picked, verdicts);
    let judged = study.truths[view.truth].relevance[view.direction].as_ref();
    let FilterAnswer { queries, unknown } = listed(&counts, view, question).unwrap_or_default();
    let source = Source::new(&counts, view, &view.into()).ok();
    let first = queries.iter().take(question.limit);
    let columns: Vec<_> = (question.columns.iter()).map(|column| column.over(&counts)).collect();
    let of_query = |&query: &u32| {
        let values = columns.iter().map(|column| column.as_ref()?.of(query as usize));
        Some(MatchedQuery {
            values: values.collect(),
            ..matched(&counts, source.as_ref()?, view, query)
        })
    };
    Ok(FilterMatches {
        queries: first.filter_map(of_query).collect(),
        met: queries.len(),
        of: judged.map_or(0, Relevance::len),
        unknown,
    })
}

/// What the condition finds, in order; `None` where counting was cancelled.
fn listed(counts: &Counts<&Study>, view: View, question: Question<'_>) -> Option<FilterAnswer> {
    let mut answer = question.filter.answer(counts, view.truth, &|| false)?;
    if let Some(key) = question.key {
        key.over(counts).ok()?.sort(&mut answer.queries);
    }
    Some(answer)
}

fn matched(counts: &Counts<&Study>, source: &Source<'_>, view: View, query: u32) -> MatchedQuery {
    let at = query as usize;
    let ranks = source.query(RanksOf::view(0), at);
    let ids = counts.study().gallery.queries(view.direction);
    MatchedQuery {
        query,
        id: ids[at].to_string(),
        rank: ranks.and_then(super::program::first),
        r1: ranks.and_then(|ranks| Spec::new(&hit::R1).per_query(ranks)),
        map_at_r: ranks.and_then(|ranks| Spec::new(&map_at_r::MapAtR).per_query(ranks)),
        values: Vec::new(),
        text: source.text(at).map(str::to_owned),
    }
}
