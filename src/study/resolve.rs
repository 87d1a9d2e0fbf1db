//! The ids of ranked lists, looked up in the gallery.

use rustc_hash::{FxHashMap, FxHashSet};

use super::queried;
use super::runs::{Listing, RunFile};
use crate::data::Direction;
use crate::data::gallery::Gallery;
use crate::data::id::{Id, IdList};
use crate::data::scores::{Lists, Resolved};
use crate::error::{Error, Result};
use crate::truth::pairs::Pairs;

/// Looks up one file's ids.
///
/// # Errors
/// No query of the gallery; an item that stands twice in a list; a table that cannot be read.
pub(super) fn resolved(run: &RunFile, direction: Direction, gallery: &Gallery) -> Result<Resolved> {
    let (queries, items) = (gallery.queries(direction), gallery.items(direction));
    let resolved = match &run.listing {
        Listing::Pairs(pairs, scores) => Resolver {
            file: &run.file,
            pairs,
            scores,
            queries,
            items,
            found: items.find_all(pairs.values()),
            unknown: FxHashSet::default(),
        }
        .resolved()?,
        Listing::Table(table) => table.lists(queries, items)?,
    };
    if resolved.queries > 0 {
        return Ok(resolved);
    }
    Err(queried::not_there(&run.file, &run.listing.first_queries()?, gallery))
}

/// Looks up the ids of one file that is in memory.
struct Resolver<'a> {
    file: &'a str,
    pairs: &'a Pairs,
    scores: &'a [f64],
    queries: &'a IdList,
    items: &'a IdList,
    /// Place of each of the items' ids.
    found: Vec<Option<u32>>,
    unknown: FxHashSet<&'a Id>,
}

impl<'a> Resolver<'a> {
    fn resolved(mut self) -> Result<Resolved> {
        let queries = self.queries;
        let found = queries.find_all(self.pairs.keys());
        let found = (0..).zip(found);
        let places: FxHashMap<u32, usize> =
            found.filter_map(|(place, query)| Some((query?, place))).collect();
        let lists: Vec<_> = self.pairs.coded().collect();
        let mut starts = Vec::with_capacity(lists.len());
        let mut start = 0;
        for (_, items) in &lists {
            starts.push(start);
            start += items.len();
        }
        let mut found: Vec<(Vec<u32>, Vec<f64>)> = Vec::new();
        for query in 0..queries.len() as u32 {
            found.push(match places.get(&query) {
                Some(&place) => self.list(lists[place].clone(), starts[place])?,
                None => Default::default(),
            });
        }
        let each = found.iter().map(|(items, scores)| (items.as_slice(), scores.as_slice()));
        Ok(Resolved {
            lists: Lists::new(self.items.len(), each),
            queries: places.len(),
            unknown_queries: lists.len() - places.len(),
            unknown_items: self.unknown.len(),
            example: self.unknown.iter().min().copied().cloned(),
            has_unordered_scores: false,
        })
    }

    /// One query's list: items that are not in the gallery do not compete and are left out.
    fn list(
        &mut self,
        (id, codes): (&'a Id, impl ExactSizeIterator<Item = usize>),
        start: usize,
    ) -> Result<(Vec<u32>, Vec<f64>)> {
        let mut seen = FxHashSet::default();
        let ids = self.pairs.values();
        let mut items = Vec::with_capacity(codes.len());
        let mut scores = Vec::new();
        for (at, code) in codes.enumerate() {
            let item_id = &ids[code];
            let Some(item) = self.found[code] else {
                self.unknown.insert(item_id);
                continue;
            };
            if !seen.insert(item) {
                return Err(Error::new(
                    self.file,
                    format!("item {item_id} stands twice in the list of query {id}"),
                )
                .expected("every item once in a list"));
            }
            items.push(item);
            scores.extend(self.scores.get(start + at));
        }
        Ok((items, scores))
    }
}
