//! TREC runs: `qid Q0 docno rank score tag`, a line an item.
//!
//! As `trec_eval` has it, the scores order the items and the written rank does not; it decides
//! between equal scores only, where `trec_eval` takes the docno.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use super::runs::{Listing, RunFile};
use crate::data::id::Id;
use crate::data::source::Source;
use crate::data::text::brief;
use crate::error::{Error, Result};

struct Entry {
    item: Id,
    rank: i64,
    score: f64,
}

/// Bytes of a line that a message shows whole.
const LINE: usize = 160;
/// Where the first line that says something has ended at the latest.
const LONGEST_START: usize = 100_000;

/// Whether the first line that says something has the six fields of a run, or begins as one: `qid Q0 ..`.
pub(super) fn is_run(source: &Source) -> bool {
    // Other files may be one line of hundreds of megabytes.
    let start = source
        .bytes()
        .get(..LONGEST_START)
        .unwrap_or(source.bytes());
    let first = start.split(|&b| b == b'\n').map(str::from_utf8);
    let first = first.take(100).find(|line| match line {
        Ok(line) => !is_blank(line),
        Err(_) => true,
    });
    matches!(first, Some(Ok(line)) if entry(line).is_some() || begins_as_run(line))
}

fn begins_as_run(line: &str) -> bool {
    let fields: Vec<&str> = line.split_ascii_whitespace().collect();
    fields.len() >= 5 && fields[1].eq_ignore_ascii_case("Q0")
}

fn is_blank(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}

fn entry(line: &str) -> Option<(&str, Entry)> {
    let mut fields = line.split_ascii_whitespace();
    let query = fields.next()?;
    let _always_q0 = fields.next()?;
    let item = Id::parse(fields.next()?);
    let rank = fields.next()?.parse().ok()?;
    let score: f64 = fields.next()?.parse().ok()?;
    let _tag = fields.next()?;
    (fields.next().is_none() && !score.is_nan()).then_some((query, Entry { item, rank, score }))
}

/// Reads a run, queries in the order of the file.
///
/// # Errors
/// The first line that is none of a run, or an item that stands twice for a query.
pub(super) fn read(source: &Source) -> Result<RunFile> {
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    let mut queries: Vec<(&str, Vec<Entry>)> = Vec::new();
    let mut last = usize::MAX;
    for (at, line) in (1..).zip(source.bytes().split(|&b| b == b'\n')) {
        let wrong = || {
            let line = String::from_utf8_lossy(line);
            let found = format!(
                "line {at} is none of a TREC run: {}",
                brief(line.trim().to_owned(), LINE)
            );
            Error::new(source.display(), found).expected(
                "six fields without blanks in them: qid Q0 docno rank score tag; the rank a whole number, the score a number, not NaN",
            )
        };
        let line = str::from_utf8(line).map_err(|_| wrong())?;
        if is_blank(line) {
            continue;
        }
        let (query, entry) = entry(line).ok_or_else(wrong)?;
        if queries.get(last).is_none_or(|(id, _)| *id != query) {
            last = *places.entry(query).or_insert_with(|| {
                queries.push((query, Vec::new()));
                queries.len() - 1
            });
        }
        queries[last].1.push(entry);
    }
    let mut scores = Vec::new();
    let mut contradicting = 0;
    let ordered = |(query, mut entries): (&str, Vec<Entry>)| {
        entries.sort_by(better_first);
        contradicting += usize::from(!entries.is_sorted_by_key(|entry| entry.rank));
        scores.extend(entries.iter().map(|entry| entry.score));
        let items = entries.into_iter().map(|entry| entry.item);
        (Id::parse(query), items)
    };
    let pairs = queries.into_iter().map(ordered).collect();
    Ok(RunFile {
        file: source.display(),
        stem: source.stem(),
        direction: None,
        listing: Listing::Pairs(pairs, scores),
        contradicting,
    })
}

fn better_first(a: &Entry, b: &Entry) -> Ordering {
    b.score.total_cmp(&a.score).then(a.rank.cmp(&b.rank))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source {
        Source::in_memory("t.run", text.as_bytes().to_vec())
    }

    #[test]
    fn scores_order_and_written_ranks_decide_between_equal_ones() {
        let run = "# made by x\n\n9 Q0 a 3 0.5 t\n7 Q0 b 1 1e3 t\n9 Q0 b 2 0.5 t\n9 Q0 c 9 2 t\r\n";
        assert!(is_run(&source(run)));
        let run = read(&source(run)).unwrap();
        assert_eq!(
            run.contradicting, 1,
            "of 9, c has the last rank and the greatest score"
        );
        let Listing::Pairs(pairs, scores) = run.listing else {
            panic!("a run is read into memory");
        };
        let lists: Vec<(String, String)> = pairs
            .iter()
            .map(|(id, items)| (id.to_string(), items.map(Id::to_string).collect()))
            .collect();
        assert_eq!(
            lists,
            [("9".into(), "cba".into()), ("7".into(), "b".into())]
        );
        assert_eq!(scores, [2.0, 0.5, 0.5, 1e3]);
    }

    #[test]
    fn what_is_no_run_is_told_with_its_line() {
        for text in ["", "1 0 5 1", "a b c d e f", "{\"a\": [1]}"] {
            assert!(!is_run(&source(text)), "{text}");
        }
        let error = read(&source("1 Q0 x 1 0.5 t\n1 Q0 y 2 low t\n"))
            .err()
            .unwrap();
        assert!(error.to_string().contains("line 2"), "{error}");
        for line in ["1 Q0 x 1 nan t", "1 Q0 x 1 0.5 my run", "1 Q0 x 1 0.5"] {
            assert!(is_run(&source(line)), "{line}");
            let error = read(&source(line)).err().unwrap().to_string();
            assert!(error.contains("line 1") && error.contains(line), "{error}");
        }
    }
}
