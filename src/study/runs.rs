//! Ranked lists from files, looked up in the gallery.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use serde::Deserialize;

use super::{Note, direction, pairing};
use crate::data::gallery::Gallery;
use crate::data::id::{Id, IdList};
use crate::data::json::{self, Shape};
use crate::data::rows::{self, Rows};
use crate::data::scores::{Lists, ResolvedLists};
use crate::data::source::Source;
use crate::data::table::{self, Table};
use crate::data::text::{grouped, shell_word};
use crate::data::trec;
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use crate::truth::pairs::Pairs;

/// The ranked lists of one file, ids not yet looked up.
#[derive(Debug)]
pub(super) struct RunFile {
    /// The file, for messages.
    pub file: String,
    /// Its name without ending.
    pub stem: String,
    /// Its direction, if a flag or the file gives it.
    pub direction: Option<Direction>,
    /// Its lists.
    pub listing: Listing,
    /// Number of queries whose ranks contradict their scores.
    pub contradicting: usize,
}

/// Ranked lists as in a file.
#[derive(Debug)]
pub(super) enum Listing {
    /// Queries with their items, best first; and the scores of all items in that order, empty without scores.
    Pairs(Pairs, Vec<f64>),
    /// A table with rows still in the file.
    Table(Arc<Table>),
}

impl Listing {
    /// Query ids for messages: all of them; of a table, those in its first rows.
    ///
    /// # Errors
    /// As [`Table::ids`].
    fn sample_queries(&self) -> Result<Cow<'_, [Id]>> {
        Ok(match self {
            Listing::Pairs(pairs, _) => pairs.keys().into(),
            Listing::Table(table) => table.sample_queries()?.into(),
        })
    }

    /// The ids of all queries if `of_queries`, else of all items.
    ///
    /// # Errors
    /// As [`Table::ids`].
    pub(super) fn ids(&self, of_queries: bool) -> Result<Cow<'_, [Id]>> {
        Ok(match self {
            Listing::Pairs(pairs, _) if of_queries => pairs.keys().into(),
            Listing::Pairs(pairs, _) => pairs.values().into(),
            Listing::Table(table) => table.ids(of_queries)?.into(),
        })
    }
}

/// A file of both directions, under the keys `i2t` and `t2i`.
#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "{\"i2t\": {query id: [item ids]}, \"t2i\": {..}}; --run-i2t and --run-t2i take one direction"
)]
struct BothDirections<T> {
    i2t: Option<T>,
    t2i: Option<T>,
}

impl RunFile {
    /// Lists of items, best first, without scores.
    fn from_pairs(source: &Source, pairs: Pairs) -> Self {
        RunFile {
            file: source.display(),
            stem: source.stem(),
            direction: None,
            listing: Listing::Pairs(pairs, Vec::new()),
            contradicting: 0,
        }
    }

    /// Opens a Parquet table; `direction` if a flag gives it.
    ///
    /// # Errors
    /// As [`Table::open`].
    pub(super) fn from_table(source: &Arc<Source>, direction: Option<Direction>) -> Result<Self> {
        let stem = source.stem();
        let direction = direction.or_else(|| Some(pairing::bare_stem(&stem)?.1));
        let table = Table::open(source, direction)?;
        Ok(RunFile {
            file: source.display(),
            stem,
            direction: direction.or(table.direction()),
            listing: Listing::Table(Arc::new(table)),
            contradicting: 0,
        })
    }

    /// Sorts the rows of each query, and makes them lists.
    pub(super) fn from_rows(source: &Source, mut rows: Rows) -> Self {
        let contradicting = rows.sort();
        let has_scores = rows.has_numbers;
        let mut scores = Vec::new();
        let list = |(query, rows): (Id, Vec<rows::Row>)| {
            scores.extend(rows.iter().filter(|_| has_scores).map(|row| row.number));
            (query, rows.into_iter().map(|row| row.item))
        };
        let pairs = rows.queries.into_iter().map(list).collect();
        RunFile {
            direction: rows.direction,
            listing: Listing::Pairs(pairs, scores),
            contradicting,
            ..RunFile::from_pairs(source, Pairs::default())
        }
    }
}

/// Reads the ranked lists of a file in any format; returns a [`RunFile`] for each direction in the file. `direction` is
/// the one of the flag `--run-i2t` or `--run-t2i`, `None` for `--run`.
///
/// # Errors
/// Another kind of file; broken content.
pub(super) fn open(path: &Path, direction: Option<Direction>) -> Result<Vec<RunFile>> {
    let source = Arc::new(Source::open(path)?);
    if source.bytes().starts_with(table::MAGIC) {
        return Ok(vec![RunFile::from_table(&source, direction)?]);
    }
    if trec::is_run(&source) {
        let run = RunFile::from_rows(&source, trec::read_run(&source)?);
        return Ok(vec![RunFile { direction, ..run }]);
    }
    let is_json = source.bytes().trim_ascii_start().starts_with(b"{");
    match if is_json { json::shape(&source)? } else { Shape::Scored } {
        Shape::Scored => {
            let rows = rows::read(&source, direction)?;
            if let (Some(given), Some(actual)) = (direction, rows.direction)
                && given != actual
            {
                return Err(wrong_direction(&source.display(), actual));
            }
            let run = RunFile::from_rows(&source, rows);
            let direction = direction.or(run.direction);
            Ok(vec![RunFile { direction, ..run }])
        }
        Shape::Bundle => match direction {
            Some(direction) => Err(both_directions_error(&source, direction)),
            None => open_both(&source),
        },
        _ => {
            let run = RunFile::from_pairs(&source, json::parse(&source)?);
            Ok(vec![RunFile { direction, ..run }])
        }
    }
}

/// The runs of a file with the keys `i2t` and `t2i`.
fn open_both(source: &Source) -> Result<Vec<RunFile>> {
    let lists = json::parse::<BothDirections<Pairs>>(source)
        .map(|both| [both.i2t, both.t2i].map(|pairs| Some(RunFile::from_pairs(source, pairs?))));
    let runs = lists.or_else(|error| {
        let scored = json::parse::<BothDirections<Rows>>(source).map_err(|_| error)?;
        Ok([scored.i2t, scored.t2i].map(|rows| Some(RunFile::from_rows(source, rows?))))
    })?;
    let both = Direction::BOTH.into_iter().zip(runs);
    let found = both.filter_map(|(direction, run)| {
        let direction = Some(direction);
        Some(RunFile { direction, ..run? })
    });
    Ok(found.collect())
}

/// Error for a file of both directions, given by the flag of one direction.
fn both_directions_error(source: &Source, direction: Direction) -> Error {
    let path = source.display();
    let found = format!("an object with keys such as i2t and t2i, named by --run-{direction}");
    Error::new(&path, found)
        .expected(format!("{{query id: [item ids, best first]}} of {direction}"))
        .fix(format!("a file of both directions is named with --run {}", shell_word(&path)))
}

/// Error for lists of this direction, given by the flag of the other direction.
fn wrong_direction(file: &str, direction: Direction) -> Error {
    let other = direction.flipped();
    Error::new(file, format!("lists of {direction} queries, given as {other}"))
        .expected(format!("ids of {other} queries before the lists"))
        .fix(format!("name the file with --run-{direction}"))
}

/// Looks up the ids of a model's lists in the gallery, and adds notes.
///
/// # Errors
/// A file of unknown direction or without ids of the gallery; a duplicate item in a list; two files of one direction.
pub(super) fn resolve(
    runs: &[RunFile],
    gallery: &Gallery,
    notes: &mut Vec<Note>,
) -> Result<PerDirection<Lists>> {
    let mut found: PerDirection<Option<Lists>> = PerDirection::default();
    for run in runs {
        let direction = detect_direction(run, gallery)?;
        if found[direction].is_some() {
            return Err(Error::new(&run.file, format!("a second file of {direction} lists"))
                .expected("one file for each direction of a model"));
        }
        let resolved = resolve_file(run, direction, gallery)?;
        let has_no_item = resolved.unknown_items > 0 && resolved.lists.lengths().is_none();
        if let Some(example) = resolved.example.as_ref().filter(|_| has_no_item) {
            let items = gallery.items(direction).as_slice().first();
            let known = items.map_or("items".to_owned(), |id| format!("ids such as {id}"));
            let what = format!("none of its items is in the gallery (for instance {example})");
            return Err(Error::new(&run.file, what).expected(known));
        }
        add_notes(&resolved, run, direction, gallery, notes);
        found[direction] = Some(resolved.lists);
    }
    Ok(fill_missing(found, gallery, notes))
}

/// Looks up the ids of one file in the gallery.
///
/// # Errors
/// No query of the gallery; a duplicate item in a list; an unreadable table.
fn resolve_file(run: &RunFile, direction: Direction, gallery: &Gallery) -> Result<ResolvedLists> {
    let (queries, items) = (gallery.queries(direction), gallery.items(direction));
    let resolved = match &run.listing {
        Listing::Pairs(pairs, scores) => resolve_pairs(&run.file, (pairs, scores), queries, items)?,
        Listing::Table(table) => table.lists(queries, items)?,
    };
    if resolved.queries > 0 {
        return Ok(resolved);
    }
    Err(direction::unknown_queries(&run.file, &run.listing.sample_queries()?, gallery))
}

/// Looks up the ids of lists in memory, with the scores of all items or none. Items outside the gallery are excluded.
fn resolve_pairs(
    file: &str,
    (pairs, scores): (&Pairs, &[f64]),
    queries: &IdList,
    items: &IdList,
) -> Result<ResolvedLists> {
    let item_of = items.find_all(pairs.values());
    let mut lists: Vec<(Vec<u32>, Vec<f64>)> = vec![Default::default(); queries.len()];
    let mut unknown: FxHashSet<&Id> = FxHashSet::default();
    let (mut known_queries, mut next) = (0, 0);
    for ((id, codes), query) in pairs.iter_coded().zip(queries.find_all(pairs.keys())) {
        let first = next;
        next += codes.len();
        let Some(query) = query else { continue };
        known_queries += 1;
        let (list, list_scores) = &mut lists[query as usize];
        let mut seen = FxHashSet::default();
        for (at, (code, _)) in (first..).zip(codes) {
            let Some(item) = item_of[code] else {
                unknown.insert(&pairs.values()[code]);
                continue;
            };
            if !seen.insert(item) {
                return Err(Lists::duplicate_error(file, &pairs.values()[code], id));
            }
            list.push(item);
            list_scores.extend(scores.get(at));
        }
    }
    let slices = lists.iter().map(|(items, scores)| (items.as_slice(), scores.as_slice()));
    Ok(ResolvedLists {
        lists: Lists::new(items.len(), slices),
        queries: known_queries,
        unknown_queries: pairs.keys().len() - known_queries,
        unknown_items: unknown.len(),
        example: unknown.iter().min().copied().cloned(),
        has_unordered_scores: false,
    })
}

/// Adds empty lists for a missing direction, with a warning.
pub(super) fn fill_missing(
    mut found: PerDirection<Option<Lists>>,
    gallery: &Gallery,
    notes: &mut Vec<Note>,
) -> PerDirection<Lists> {
    PerDirection::from_fn(|direction| {
        found[direction].take().unwrap_or_else(|| {
            let items = gallery.items(direction).len();
            notes.push(Note::warning(format!("no {direction} lists")));
            Lists::empty(gallery.queries(direction).len(), items)
        })
    })
}

/// The direction of the file's flag, or else of its first query ids. An error if these contradict the flag, or do not
/// decide.
fn detect_direction(run: &RunFile, gallery: &Gallery) -> Result<Direction> {
    let first = run.listing.sample_queries()?;
    let sample = &first[..first.len().min(direction::MAX_CHECKED)];
    let counts = direction::count_by_side(sample, gallery);
    let [images, captions] = counts;
    match run.direction {
        Some(direction) if counts[1 - direction as usize] > counts[direction as usize] => {
            Err(wrong_direction(&run.file, direction.flipped()))
        }
        Some(direction) => Ok(direction),
        None if images != captions => Ok(direction::larger_side(counts)),
        None if images == 0 && !gallery.images.is_empty() => {
            Err(direction::unknown_queries(&run.file, &first, gallery))
        }
        None => {
            let found = "ranked lists whose direction does not follow from their ids";
            Err(Error::new(&run.file, found)
                .expected("query ids that are image ids or caption ids of the gallery")
                .fix(format!(
                    "name the file with --run-i2t {0} or --run-t2i {0}",
                    shell_word(&run.file)
                )))
        }
    }
}

/// Adds a note and warnings on the lists of one file.
fn add_notes(
    resolved: &ResolvedLists,
    run: &RunFile,
    direction: Direction,
    gallery: &Gallery,
    notes: &mut Vec<Note>,
) {
    let ordered = match &run.listing {
        Listing::Pairs(..) => String::new(),
        Listing::Table(table) => format!(", ordered {}", table.describe_order()),
    };
    notes.push(Note::fact(format!(
        "{direction} lists of {} of {} queries, {} items each{ordered}",
        grouped(resolved.queries),
        grouped(gallery.queries(direction).len()),
        length_range(&resolved.lists),
    )));
    let mut warn = |what: String| notes.push(Note::warning(format!("{direction}: {what}")));
    if resolved.unknown_queries > 0 {
        warn(format!(
            "{} queries are not in the gallery and excluded",
            grouped(resolved.unknown_queries)
        ));
    }
    if let Some(example) = &resolved.example {
        warn(format!(
            "{} items are not in the gallery and excluded from the lists (for instance {example})",
            grouped(resolved.unknown_items)
        ));
    }
    if run.contradicting > 0 {
        warn(format!(
            "ranks and scores of {} queries disagree: the scores order the items, as in `trec_eval`",
            grouped(run.contradicting)
        ));
    }
    if resolved.has_unordered_scores {
        warn(
            "scores that rise and fall along the ranks are excluded: the ranks order the items"
                .into(),
        );
    }
}

/// Lowest and highest length of ranked lists, as text.
pub(super) fn length_range(lists: &Lists) -> String {
    match lists.lengths() {
        Some((least, most)) if least == most => least.to_string(),
        Some((least, most)) => format!("{least} to {most}"),
        None => "0".into(),
    }
}
