//! Ranked lists from files, looked up in the gallery.

use std::path::Path;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

use super::{Note, trec};
use crate::data::gallery::Gallery;
use crate::data::id::Id;
use crate::data::json;
use crate::data::scores::Lists;
use crate::data::source::Source;
use crate::data::text::grouped;
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use crate::truth::pairs::Pairs;

/// The lists of one file, ids not yet looked up.
#[derive(Debug)]
pub(super) struct RunFile {
    /// The file, for messages.
    pub file: String,
    /// Its name without ending.
    pub stem: String,
    /// Its direction, where a flag or the file says so.
    pub direction: Option<Direction>,
    /// Queries with their items, best first.
    pub pairs: Pairs,
    /// A score for each item, or none at all.
    pub scores: Vec<f64>,
}

/// A file of both directions, under the keys `i2t` and `t2i`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BothDirections {
    i2t: Option<Pairs>,
    t2i: Option<Pairs>,
}

/// Reads a file that a flag names: a TREC run or JSON; `direction` is what the flag says.
///
/// # Errors
/// Another kind of file; broken JSON or lines.
pub(super) fn open(path: &Path, direction: Option<Direction>) -> Result<Vec<RunFile>> {
    let source = Arc::new(Source::open(path)?);
    if trec::is_run(&source) {
        let run = trec::read(&source)?;
        return Ok(vec![RunFile { direction, ..run }]);
    }
    let run = |direction, pairs| RunFile {
        file: source.display(),
        stem: source.stem(),
        direction: Some(direction),
        pairs,
        scores: Vec::new(),
    };
    if let Some(direction) = direction {
        return Ok(vec![run(direction, json::parse(&source)?)]);
    }
    let both: BothDirections = json::parse(&source)?;
    let given = [(Direction::I2t, both.i2t), (Direction::T2i, both.t2i)];
    let runs = given.into_iter();
    Ok(runs
        .filter_map(|(direction, pairs)| Some(run(direction, pairs?)))
        .collect())
}

/// Looks up the lists of a model and says what was found.
///
/// # Errors
/// A file whose direction cannot be told or that has none of the gallery's ids; an item that stands
/// twice in a list; two files of one direction.
pub(super) fn resolve(
    runs: &[RunFile],
    gallery: &Gallery,
    notes: &mut Vec<Note>,
) -> Result<PerDirection<Lists>> {
    let mut found: PerDirection<Option<Lists>> = PerDirection::default();
    for run in runs {
        let direction = direction_of(run, gallery)?;
        if found[direction].is_some() {
            return Err(
                Error::new(&run.file, format!("a second file of {direction} lists"))
                    .expected("one file for each direction of a model"),
            );
        }
        found[direction] = Some(Resolver::new(run, direction, gallery)?.lists(notes)?);
    }
    Ok(completed(found, gallery, notes))
}

/// Empty lists where a direction has none, and a word about it.
pub(super) fn completed(
    mut found: PerDirection<Option<Lists>>,
    gallery: &Gallery,
    notes: &mut Vec<Note>,
) -> PerDirection<Lists> {
    PerDirection::from_fn(|direction| {
        found[direction].take().unwrap_or_else(|| {
            let items = gallery.items(direction).len();
            notes.push(Note::warning(format!("no {direction} lists")));
            Lists::none(gallery.queries(direction).len(), items)
        })
    })
}

/// The direction a flag says, if the keys do not belong to the other; else the one whose queries
/// they are.
fn direction_of(run: &RunFile, gallery: &Gallery) -> Result<Direction> {
    let known = |direction: Direction| {
        let queries = gallery.queries(direction);
        let keys = run.pairs.keys().iter().take(200);
        keys.filter(|id| queries.find(id).is_some()).count()
    };
    if let Some(direction) = run.direction {
        let other = direction.flipped();
        if known(other) > known(direction) {
            return Err(Error::new(
                &run.file,
                format!("lists of {other} queries, given as {direction}"),
            )
            .expected(format!("ids of {direction} queries before the lists"))
            .mend(format!("name the file with --run-{other}")));
        }
        return Ok(direction);
    }
    match (known(Direction::I2t), known(Direction::T2i)) {
        (images, captions) if images > captions => Ok(Direction::I2t),
        (images, captions) if captions > images => Ok(Direction::T2i),
        _ => Err(Error::new(
            &run.file,
            "ranked lists whose direction cannot be told from their ids",
        )
        .expected("query ids that are image ids or caption ids of the gallery")
        .mend("name the file with --run-i2t or --run-t2i")),
    }
}

/// Looks up one file's ids.
struct Resolver<'a> {
    run: &'a RunFile,
    direction: Direction,
    gallery: &'a Gallery,
    /// Place in the file of each query of the gallery.
    places: FxHashMap<u32, usize>,
    unknown_queries: usize,
    unknown_items: FxHashSet<&'a Id>,
}

impl<'a> Resolver<'a> {
    fn new(run: &'a RunFile, direction: Direction, gallery: &'a Gallery) -> Result<Self> {
        let queries = gallery.queries(direction);
        let found = run.pairs.keys().iter().enumerate();
        let places: FxHashMap<u32, usize> = found
            .filter_map(|(place, id)| Some((queries.find(id)?, place)))
            .collect();
        if places.is_empty() {
            let example = |ids: &[Id]| ids.first().map_or("none".to_owned(), Id::to_string);
            return Err(Error::new(
                &run.file,
                format!(
                    "none of its queries is in the gallery (for instance {})",
                    example(run.pairs.keys())
                ),
            )
            .expected(format!("{direction} queries such as {}", example(queries.as_slice())))
            .mend("name the ids of this gallery with --image-ids and --caption-ids, or a captions file"));
        }
        Ok(Resolver {
            unknown_queries: run.pairs.keys().len() - places.len(),
            run,
            direction,
            gallery,
            places,
            unknown_items: FxHashSet::default(),
        })
    }

    fn lists(mut self, notes: &mut Vec<Note>) -> Result<Lists> {
        let lists: Vec<_> = self.run.pairs.coded().collect();
        let mut starts = Vec::with_capacity(lists.len());
        let mut start = 0;
        for (_, items) in &lists {
            starts.push(start);
            start += items.len();
        }
        let mut found: Vec<(Vec<u32>, Vec<f64>)> = Vec::new();
        for query in 0..self.gallery.queries(self.direction).len() as u32 {
            found.push(match self.places.get(&query) {
                Some(&place) => self.list(lists[place].clone(), starts[place])?,
                None => Default::default(),
            });
        }
        let item_count = self.gallery.items(self.direction).len();
        let each = found
            .iter()
            .map(|(items, scores)| (items.as_slice(), scores.as_slice()));
        let lists = Lists::new(item_count, each);
        self.note(&lists, notes);
        Ok(lists)
    }

    /// One query's list: items that are not in the gallery do not compete and are left out.
    fn list(
        &mut self,
        (id, codes): (&'a Id, impl ExactSizeIterator<Item = usize>),
        start: usize,
    ) -> Result<(Vec<u32>, Vec<f64>)> {
        let known = self.gallery.items(self.direction);
        let mut seen = FxHashSet::default();
        let ids = self.run.pairs.values();
        let mut items = Vec::with_capacity(codes.len());
        let mut scores = Vec::new();
        for (at, code) in codes.enumerate() {
            let item_id = &ids[code];
            let Some(item) = known.find(item_id) else {
                self.unknown_items.insert(item_id);
                continue;
            };
            if !seen.insert(item) {
                return Err(Error::new(
                    &self.run.file,
                    format!("item {item_id} stands twice in the list of query {id}"),
                )
                .expected("every item once in a list"));
            }
            items.push(item);
            scores.extend(self.run.scores.get(start + at));
        }
        Ok((items, scores))
    }

    fn note(&self, lists: &Lists, notes: &mut Vec<Note>) {
        let direction = self.direction;
        let lengths = lengths(lists);
        let queries = self.gallery.queries(direction).len();
        notes.push(Note::fine(format!(
            "{direction} lists of {} of {} queries, {lengths} items each",
            grouped(self.places.len()),
            grouped(queries),
        )));
        if self.unknown_queries > 0 {
            notes.push(Note::warning(format!(
                "{direction}: {} queries are not in the gallery and left out",
                grouped(self.unknown_queries)
            )));
        }
        if let Some(example) = self.unknown_items.iter().min() {
            notes.push(Note::warning(format!(
                "{direction}: {} items are not in the gallery and left out of the lists (for instance {example})",
                grouped(self.unknown_items.len())
            )));
        }
    }
}

/// How long lists are.
pub(super) fn lengths(lists: &Lists) -> String {
    match lists.lengths() {
        Some((least, most)) if least == most => least.to_string(),
        Some((least, most)) => format!("{least} to {most}"),
        None => "0".into(),
    }
}
