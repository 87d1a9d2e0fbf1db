//! Ranked lists: the first items of each query, without the rest of the gallery.

use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

use super::Items;
use crate::data::id::Id;
use crate::data::{Direction, PerDirection};
use crate::error::Error;

/// The lists of one direction's queries. A query without a list has an empty one.
#[derive(Debug, Clone)]
pub struct Lists {
    store: Store,
    /// Number of items in the gallery.
    item_count: usize,
    /// Length of the shortest and of the longest list that is not empty.
    lengths: Option<(usize, usize)>,
}

#[derive(Debug, Clone)]
enum Store {
    Owned {
        /// Range of each query's list in `items`.
        spans: Vec<Range<usize>>,
        /// Gallery indices, best first.
        items: Items,
        scores: ListScores,
    },
    Part(Arc<PartLists>),
}

/// The lists of a part of the gallery: views of the whole lists, without items outside the part.
#[derive(Debug)]
struct PartLists {
    whole: Arc<PerDirection<Lists>>,
    direction: Direction,
    /// The queries of the part.
    queries: Arc<[u32]>,
    /// The index in the part of each item of the whole; `None` outside the part.
    positions: Vec<Option<u32>>,
}

/// The scores of lists, in the order of their items.
#[derive(Debug, Clone)]
pub enum ListScores {
    /// The lists have no scores.
    None,
    /// One score per item.
    InMemory(Vec<f64>),
    /// Read when needed.
    InFile(Arc<dyn ReadScores>),
}

/// Scores that are read when needed.
pub trait ReadScores: Debug + Send + Sync {
    /// The scores of the list at positions `span` of all lists, higher is better; `None` if they cannot be read.
    fn read(&self, span: Range<usize>) -> Option<Vec<f64>>;
}

/// Lists whose ids were looked up in a gallery, and statistics of the ids that it lacks.
#[derive(Debug)]
pub struct ResolvedLists {
    /// The lists.
    pub lists: Lists,
    /// Number of queries of the gallery that have a list.
    pub queries: usize,
    /// Number of queries of the file that are not in the gallery.
    pub unknown_queries: usize,
    /// Number of items that are not in the gallery.
    pub unknown_items: usize,
    /// One of the unknown items; `None` if there are none.
    pub example: Option<Id>,
    /// Whether the scores contradict the ranks, and are dropped.
    pub has_unordered_scores: bool,
}

impl Lists {
    /// Error for an item that stands twice in the list of a query.
    pub(crate) fn duplicate_error(file: &str, item: &Id, query: &Id) -> Error {
        Error::new(file, format!("item {item} stands twice in the list of query {query}"))
            .expected("every item once in a list")
            .fix("leave out all but its first place")
    }

    /// From items and scores of each query of the gallery: items below `item_count`, best first, each at most once,
    /// with a score each or without any.
    pub fn new<'a>(item_count: usize, lists: impl Iterator<Item = (&'a [u32], &'a [f64])>) -> Self {
        let (mut spans, mut items, mut scores) = (Vec::new(), Vec::new(), Vec::new());
        for (query_items, query_scores) in lists {
            let start = items.len();
            items.extend_from_slice(query_items);
            scores.extend_from_slice(query_scores);
            spans.push(start..items.len());
        }
        let scores =
            if scores.is_empty() { ListScores::None } else { ListScores::InMemory(scores) };
        Lists::from_spans(item_count, spans, items, scores)
    }

    /// From lists anywhere in `items`: `spans` has the range of each query's list, and of its scores.
    pub fn from_spans(
        item_count: usize,
        spans: Vec<Range<usize>>,
        items: impl Into<Items>,
        scores: ListScores,
    ) -> Self {
        let lens = spans.iter().map(Range::len).filter(|&len| len > 0);
        let lengths = lens.clone().min().zip(lens.max());
        let store = Store::Owned { spans, items: items.into(), scores };
        Lists { store, item_count, lengths }
    }

    /// Empty lists for all queries of a direction.
    pub fn empty(queries: usize, item_count: usize) -> Self {
        let empty = (&[][..], &[][..]);
        Lists::new(item_count, std::iter::repeat_n(empty, queries))
    }

    /// The lists of a part of the gallery with these queries and `item_count` items. `positions` maps each item of the
    /// whole gallery to its index in the part, `None` outside.
    pub(super) fn for_part(
        whole: Arc<PerDirection<Lists>>,
        direction: Direction,
        queries: Arc<[u32]>,
        positions: Vec<Option<u32>>,
        item_count: usize,
    ) -> Self {
        let part = PartLists { whole, direction, queries, positions };
        Lists { store: Store::Part(Arc::new(part)), item_count, lengths: None }
    }

    /// Number of items in the gallery.
    pub fn item_count(&self) -> usize {
        self.item_count
    }

    /// The items of a query, best first; in `buffer` if they have to be decoded or selected.
    pub fn items<'a>(&'a self, query: usize, buffer: &'a mut Vec<u32>) -> &'a [u32] {
        match &self.store {
            Store::Owned { spans, items, .. } => items.read(spans[query].clone(), buffer),
            Store::Part(part) => {
                let whole = part.whole_items(query);
                buffer.clear();
                buffer.extend(whole.iter().filter_map(|&item| part.positions[item as usize]));
                buffer
            }
        }
    }

    /// Whether a query has any item.
    pub fn has_items(&self, query: usize) -> bool {
        match &self.store {
            Store::Owned { spans, .. } => !spans[query].is_empty(),
            Store::Part(_) => !self.items(query, &mut Vec::new()).is_empty(),
        }
    }

    /// The scores of [`Lists::items`], highest first; `None` if the file has none.
    pub fn scores(&self, query: usize) -> Option<Vec<f64>> {
        match &self.store {
            Store::Owned { spans, scores, .. } => {
                let span = spans[query].clone();
                match scores {
                    ListScores::None => None,
                    ListScores::InMemory(scores) => Some(scores[span].to_vec()),
                    ListScores::InFile(file) => file.read(span),
                }
            }
            Store::Part(part) => {
                let scores = part.whole[part.direction].scores(part.queries[query] as usize)?;
                let items = part.whole_items(query).into_iter().zip(scores);
                let inside = items.filter(|(item, _)| part.positions[*item as usize].is_some());
                Some(inside.map(|(_, score)| score).collect())
            }
        }
    }

    /// Length of the shortest and of the longest list, without empty ones; `None` if all are empty, and for a part.
    pub fn lengths(&self) -> Option<(usize, usize)> {
        self.lengths
    }

    /// Whether no query of the whole gallery has a list.
    pub fn is_empty(&self) -> bool {
        match &self.store {
            Store::Part(part) => part.whole[part.direction].is_empty(),
            Store::Owned { .. } => self.lengths.is_none(),
        }
    }
}

impl PartLists {
    /// The items of a query of the part, as gallery indices of the whole, also those outside the part.
    fn whole_items(&self, query: usize) -> Vec<u32> {
        let mut buffer = Vec::new();
        let query = self.queries[query] as usize;
        self.whole[self.direction].items(query, &mut buffer).to_vec()
    }
}
