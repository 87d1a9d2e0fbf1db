//! The ids of ranked lists, looked up in the gallery.

use rustc_hash::FxHashSet;

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
        Listing::Pairs(pairs, scores) => of_pairs(&run.file, (pairs, scores), queries, items)?,
        Listing::Table(table) => table.lists(queries, items)?,
    };
    if resolved.queries > 0 {
        return Ok(resolved);
    }
    Err(queried::not_there(&run.file, &run.listing.first_queries()?, gallery))
}

/// Looks up lists in memory, with a score for each item or none at all. Items that are not in the gallery do not compete and
/// are left out.
fn of_pairs(
    file: &str,
    (pairs, scores): (&Pairs, &[f64]),
    queries: &IdList,
    items: &IdList,
) -> Result<Resolved> {
    let item_of = items.find_all(pairs.values());
    let mut lists: Vec<(Vec<u32>, Vec<f64>)> = vec![Default::default(); queries.len()];
    let mut unknown: FxHashSet<&Id> = FxHashSet::default();
    let (mut known_queries, mut next) = (0, 0);
    for ((id, codes), query) in pairs.coded().zip(queries.find_all(pairs.keys())) {
        let first = next;
        next += codes.len();
        let Some(query) = query else { continue };
        known_queries += 1;
        let (list, list_scores) = &mut lists[query as usize];
        let mut seen = FxHashSet::default();
        for (at, code) in (first..).zip(codes) {
            let Some(item) = item_of[code] else {
                unknown.insert(&pairs.values()[code]);
                continue;
            };
            if !seen.insert(item) {
                let item = &pairs.values()[code];
                let found = format!("item {item} stands twice in the list of query {id}");
                return Err(Error::new(file, found).expected("every item once in a list"));
            }
            list.push(item);
            list_scores.extend(scores.get(at));
        }
    }
    let each = lists.iter().map(|(items, scores)| (items.as_slice(), scores.as_slice()));
    Ok(Resolved {
        lists: Lists::new(items.len(), each),
        queries: known_queries,
        unknown_queries: pairs.keys().len() - known_queries,
        unknown_items: unknown.len(),
        example: unknown.iter().min().copied().cloned(),
        has_unordered_scores: false,
    })
}
