//! TREC runs: `qid Q0 docno rank score tag`, a line an item.
//!
//! As `trec_eval` has it, the scores order the items and the written rank does not; it decides
//! between equal scores only, where `trec_eval` takes the docno.

use crate::data::id::Id;
use crate::data::rows::{Number, Rows};
use crate::data::source::Source;
use crate::data::text::brief;
use crate::error::{Error, Result};

/// Bytes of a line that a message shows whole.
const LINE: usize = 160;
/// Where the first line that says something has ended at the latest.
const LONGEST_START: usize = 100_000;

/// Whether the first line that says something has the six fields of a run, or begins as one: `qid Q0 ..`.
pub(super) fn is_run(source: &Source) -> bool {
    // Other files may be one line of hundreds of megabytes.
    let start = source.bytes().get(..LONGEST_START).unwrap_or(source.bytes());
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

/// Query, item, rank and score of a line.
fn entry(line: &str) -> Option<(&str, &str, i64, Number)> {
    let mut fields = line.split_ascii_whitespace();
    let query = fields.next()?;
    let _always_q0 = fields.next()?;
    let item = fields.next()?;
    let rank = fields.next()?.parse().ok()?;
    let score = Number::parse(fields.next()?)?;
    let _tag = fields.next()?;
    fields.next().is_none().then_some((query, item, rank, score))
}

/// Reads a run, queries in the order of the file.
///
/// # Errors
/// The first line that is none of a run.
pub(super) fn read(source: &Source) -> Result<Rows> {
    let mut rows = Rows::default();
    for (at, line) in (1..).zip(source.bytes().split(|&b| b == b'\n')) {
        let wrong = || {
            let line = String::from_utf8_lossy(line);
            let found =
                format!("line {at} is none of a TREC run: {}", brief(line.trim().to_owned(), LINE));
            Error::new(source.display(), found).expected(
                "six fields without blanks in them: qid Q0 docno rank score tag; the rank a whole number, the score a number, not NaN",
            )
        };
        let line = str::from_utf8(line).map_err(|_| wrong())?;
        if is_blank(line) {
            continue;
        }
        let (query, item, rank, score) = entry(line).ok_or_else(wrong)?;
        rows.push(Id::parse(query), Id::parse(item), Some(rank), Some(score));
    }
    Ok(rows)
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
        let mut rows = read(&source(run)).unwrap();
        assert_eq!(rows.sort(), 1, "of 9, c has the last rank and the greatest score");
        let items = |at: usize| {
            let (query, rows) = &rows.queries[at];
            let items: String = rows.iter().map(|row| row.item.to_string()).collect();
            (query.to_string(), items)
        };
        assert_eq!(items(0), ("9".into(), "cba".into()));
        assert_eq!(items(1), ("7".into(), "b".into()));
    }

    #[test]
    fn what_is_no_run_is_told_with_its_line() {
        for text in ["", "1 0 5 1", "a b c d e f", "{\"a\": [1]}"] {
            assert!(!is_run(&source(text)), "{text}");
        }
        let error = read(&source("1 Q0 x 1 0.5 t\n1 Q0 y 2 low t\n")).err().unwrap();
        assert!(error.to_string().contains("line 2"), "{error}");
        for line in ["1 Q0 x 1 nan t", "1 Q0 x 1 0.5 my run", "1 Q0 x 1 0.5"] {
            assert!(is_run(&source(line)), "{line}");
            let error = read(&source(line)).err().unwrap().to_string();
            assert!(error.contains("line 1") && error.contains(line), "{error}");
        }
    }
}
