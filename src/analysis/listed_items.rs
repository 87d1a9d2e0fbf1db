//! Top items of queries: rank, score, and badge of each pair.

use std::ops::Range;

use crate::data::Direction;
use crate::data::parallel;
use crate::data::scores::Model;
use crate::error::Result;
use crate::rank::pass::CancelToken;
use crate::rank::ranking::item_ranks;
use crate::rank::retrieval::TopItems;
use crate::study::{Study, View};
use crate::truth::Kind;
use crate::truth::judgment::{Judgments, Pair};
use crate::truth::standing::Badge;

/// Which of the top items of queries to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// Every item in the top k of a query.
    All,
    /// Positives, except those only by a rule.
    Positive,
    /// Positives that the original annotation does not list.
    NonGt,
    /// Items judged not relevant.
    NotRelevant,
    /// Unjudged items.
    Unjudged,
    /// The most similar items by phi outside the top items.
    Missed,
}

impl Which {
    /// All kinds with their keys, in the order of the variants.
    pub const ALL: [(&'static str, Which); 6] = [
        ("all", Which::All),
        ("positive", Which::Positive),
        ("non-gt", Which::NonGt),
        ("not-relevant", Which::NotRelevant),
        ("unjudged", Which::Unjudged),
        ("missed", Which::Missed),
    ];

    /// Key on the command line and in JSON.
    pub fn key(self) -> &'static str {
        Which::ALL[self as usize].0
    }

    /// The noun for one or several items, such as `items judged not relevant`. With `several_truths`, positives are
    /// `positive by any ground truth`.
    pub fn noun(self, is_one: bool, several_truths: bool) -> String {
        let (noun, rest) = match self {
            Which::All => ("item", ""),
            Which::Positive if several_truths => ("item", " positive by any ground truth"),
            Which::Positive => ("positive item", ""),
            Which::NonGt => ("non-GT positive", ""),
            Which::NotRelevant => ("item", " judged not relevant"),
            Which::Unjudged => ("unjudged item", ""),
            Which::Missed => ("most similar item", ""),
        };
        format!("{noun}{}{rest}", if is_one { "" } else { "s" })
    }

    /// Reason that a study lacks the data for this kind, so that an empty list means nothing; `None` if it has the
    /// data.
    pub fn unknown_reason(self, study: &Study) -> Option<&'static str> {
        let has = |kind: Kind| {
            study.truths.iter().any(|truth| truth.kind == kind && !truth.is_none_truth())
        };
        match self {
            Which::NonGt if !has(Kind::Rich) => Some(NO_RICHER),
            Which::NonGt if !has(Kind::Original) => Some(NO_ORIGINAL),
            _ => None,
        }
    }

    /// Whether an item of the top k with this badge is of this kind; false for [`Which::Missed`], which rank below k.
    pub fn includes(self, badge: Badge) -> bool {
        match self {
            Which::All => true,
            Which::Positive => badge.is_positive(),
            Which::NonGt => badge == Badge::NonGt,
            Which::NotRelevant => badge == Badge::NotRelevant,
            Which::Unjudged => badge == Badge::Unjudged,
            Which::Missed => false,
        }
    }
}

/// Reason that non-GT positives are unknown: no ground truth that could list them is loaded.
const NO_RICHER: &str =
    "no richer ground truth is loaded, so non-GT positives are unknown: name its files";

/// Reason that non-GT positives are unknown: no original annotation is loaded.
const NO_ORIGINAL: &str = "no original annotation is loaded, so non-GT positives are unknown: --which positive lists the positives of every \
                           ground truth";

/// One top item of a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ListedItem {
    /// Index of the query among those requested; 0 from [`ListedItem::new`].
    pub at: usize,
    /// Gallery index of the query.
    pub query: u32,
    /// Gallery index of the item.
    pub item: u32,
    /// Rank, from 1; 0 if unranked.
    pub rank: u32,
    /// The model's score; NaN if unknown.
    pub score: f64,
    /// phi of the pair for missed items; else NaN.
    pub phi: f64,
    /// Badge of the pair.
    pub badge: Badge,
}

/// Queries whose top items to list, and which of the items.
#[derive(Debug, Clone, Copy)]
pub struct ItemsRequest<'a> {
    /// Gallery indices of the queries.
    pub queries: &'a [u32],
    /// Number of top items per query.
    pub depth: usize,
    /// Which of them to list.
    pub which: Which,
    /// Judgments that are listed with the items.
    pub judgments: &'a Judgments,
}

/// Retrieves the top `depth` items of all queries, for any [`list_items`] request at this depth; `None` if cancelled.
///
/// # Errors
/// Scores that cannot be read.
pub fn retrieve(
    study: &Study,
    view: View,
    depth: usize,
    token: &CancelToken,
) -> Result<Option<TopItems>> {
    let field = (&study.gallery, study.mask.as_deref());
    let model = &study.models[view.model];
    TopItems::find(field, model, view.direction, depth, token)
}

/// The requested kind of top items, by query in the order requested, then by rank; missed items by phi. `retrieved` has
/// the top items at the depth of the request.
pub fn list_items(
    study: &Study,
    view: View,
    request: ItemsRequest<'_>,
    retrieved: &TopItems,
) -> Vec<ListedItem> {
    let mut items = match request.which {
        Which::Missed => missed_items(study, view, request, retrieved),
        _ => top_items(study, view, request, retrieved),
    };
    fill_scores(&study.models[view.model], view.direction, &mut items);
    items
}

impl ItemsRequest<'_> {
    /// An item, by gallery index, of the requested query at index `at`; without rank, score and phi.
    fn item(&self, study: &Study, direction: Direction, at: usize, item: u32) -> ListedItem {
        ListedItem {
            at,
            ..ListedItem::new(study, self.judgments, direction, [self.queries[at], item])
        }
    }
}

impl ListedItem {
    /// An item of a query, without rank, score and phi.
    pub fn new(
        study: &Study,
        judgments: &Judgments,
        direction: Direction,
        [query, item]: [u32; 2],
    ) -> Self {
        let judgment = judgments.get(Pair::from_query(direction, query.into(), item.into()));
        let badge = study.badge(judgment, direction, query.into(), item.into());
        ListedItem { at: 0, query, item, rank: 0, score: f64::NAN, phi: f64::NAN, badge }
    }
}

/// The requested kind of items among the top items of each query, by rank; without scores.
fn top_items(
    study: &Study,
    view: View,
    request: ItemsRequest<'_>,
    retrieved: &TopItems,
) -> Vec<ListedItem> {
    let items_of = |at: usize| {
        let items = (1..).zip(retrieved.head(request.queries[at]));
        items.filter_map(move |(rank, &item)| {
            let one = request.item(study, view.direction, at, item);
            request.which.includes(one.badge).then_some(ListedItem { rank, ..one })
        })
    };
    let len = request.queries.len();
    parallel::flat_map_ranges(len, parallel::step(len), |range| range.flat_map(items_of).collect())
}

/// Maximum number of missed pairs.
pub const MAX_MISSED: usize = 1_000;

/// The most similar items of each query (highest phi) outside its top k: at most [`MAX_MISSED`], by descending phi.
/// Empty without a similarity and in a pool.
fn missed_items(
    study: &Study,
    view: View,
    request: ItemsRequest<'_>,
    retrieved: &TopItems,
) -> Vec<ListedItem> {
    let direction = view.direction;
    let mut all = std::iter::once(&study.truths[view.truth]).chain(study.truths.iter());
    let Some(similar) = all.find_map(|truth| truth.relevance[direction].as_ref()?.similar()) else {
        return Vec::new();
    };
    let missed_of = |at: usize| {
        let query = request.queries[at];
        let first = retrieved.head(query);
        let nearest = similar.nearest(query as usize, study.phi_rule.m);
        let missed = nearest.filter(|(item, _)| !first.contains(item));
        missed.map(move |(item, phi)| (at, item, phi))
    };
    let len = request.queries.len();
    let missed_in = |range: Range<usize>| range.flat_map(missed_of).collect();
    let mut missed: Vec<(usize, u32, f64)> =
        parallel::flat_map_ranges(len, parallel::step(len), missed_in);
    missed.sort_by(|one, other| other.2.total_cmp(&one.2));
    missed.truncate(MAX_MISSED);
    let (model, mask) = (&study.models[view.model], study.mask.as_deref());
    parallel::map(&missed, |&(at, item, phi)| {
        let one = request.item(study, direction, at, item);
        let ranks = item_ranks(model, mask, direction, one.query as usize, &[item]);
        ListedItem { rank: ranks.first().copied().flatten().unwrap_or(0), phi, ..one }
    })
}

/// Sets the model's scores of the items.
fn fill_scores(model: &Model, direction: Direction, items: &mut [ListedItem]) {
    let read = model.scores.by_query(direction);
    let mut parts: Vec<_> = items.chunk_by_mut(|one, other| one.query == other.query).collect();
    parallel::for_each_mut(&mut parts, |part| {
        let listed: Vec<u32> = part.iter().map(|one| one.item).collect();
        let scores = read.item_scores(part[0].query as usize, &listed);
        part.iter_mut().zip(scores).for_each(|(one, score)| one.score = score);
    });
}
