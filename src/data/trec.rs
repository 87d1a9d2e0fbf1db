//! TREC runs, `qid Q0 docno rank score tag`, and qrels, `qid 0 docno rel`, line by line.
//!
//! As in `trec_eval`, a run is sorted by score, not by its rank; the rank only decides between equal scores, where
//! `trec_eval` uses the docno.

use super::id::Id;
use super::rows::{Rows, parse_number};
use super::source::Source;
use super::text::brief;
use crate::error::{Error, Result};

/// Maximum bytes of a line in a message.
const MAX_SHOWN_BYTES: usize = 160;
/// Maximum bytes searched for the first line that is not skipped.
const MAX_START_BYTES: usize = 100_000;

/// Query, item, rank (`None` in qrels) and score or relevance of a line.
type Entry<'a> = (&'a str, &'a str, Option<i64>, f64);

/// Format of the lines of a file.
struct LineFormat {
    /// What a file of such lines is called.
    name: &'static str,
    /// Description of a line, for errors.
    expected: &'static str,
    /// Prefix of comments.
    comment: Option<char>,
    /// Parses a line; `None` if it has another format.
    parse: fn(&str) -> Option<Entry<'_>>,
}

const RUN: LineFormat = LineFormat {
    name: "a TREC run",
    expected: "six fields without blanks in them: qid Q0 docno rank score tag; the rank a whole number, the score a number, not NaN",
    comment: Some('#'),
    parse: |line| match fields(line)[..] {
        [query, _, item, rank, score, _] => {
            Some((query, item, Some(rank.parse().ok()?), parse_number(score)?))
        }
        _ => None,
    },
};

const QRELS: LineFormat = LineFormat {
    name: "qrels",
    expected: "four fields: qid 0 docno rel",
    comment: None,
    parse: |line| match fields(line)[..] {
        [query, round, item, relevance] if round == "Q0" || round.parse::<i64>().is_ok() => {
            Some((query, item, None, parse_number(relevance)?))
        }
        _ => None,
    },
};

/// The fields of a line; of a longer line only the first seven, one more than either format has.
fn fields(line: &str) -> Vec<&str> {
    line.split_ascii_whitespace().take(7).collect()
}

/// Whether the first line with data has the six fields of a run, or begins as one: `qid Q0 ..`.
pub fn is_run(source: &Source) -> bool {
    let is_start = |line: &str| {
        let fields = fields(line);
        fields.len() >= 5 && fields[1].eq_ignore_ascii_case("Q0")
    };
    RUN.first_line(source).is_some_and(|line| (RUN.parse)(line).is_some() || is_start(line))
}

/// Reads a run, queries in the order of the file.
///
/// # Errors
/// A line of another format, except comments and blank lines; the error shows the first.
pub fn read_run(source: &Source) -> Result<Rows> {
    RUN.read(source)
}

/// Whether the first line with data is one of qrels.
pub fn are_qrels(source: &Source) -> bool {
    QRELS.first_line(source).is_some_and(|line| (QRELS.parse)(line).is_some())
}

/// Reads qrels, queries in the order of the file.
///
/// # Errors
/// A line of another format, except blank lines; the error shows the first.
pub fn read_qrels(source: &Source) -> Result<Rows> {
    QRELS.read(source)
}

impl LineFormat {
    fn is_skipped(&self, line: &str) -> bool {
        let line = line.trim();
        line.is_empty() || self.comment.is_some_and(|sign| line.starts_with(sign))
    }

    /// The first line that is not skipped; `None` if it is not UTF-8, or not near the start of the file.
    fn first_line<'a>(&self, source: &'a Source) -> Option<&'a str> {
        // Other files may be one line of hundreds of megabytes.
        let start = source.bytes().get(..MAX_START_BYTES).unwrap_or(source.bytes());
        let mut lines = start.split(|&byte| byte == b'\n').take(100).map(str::from_utf8);
        lines.find(|line| line.is_err() || line.is_ok_and(|line| !self.is_skipped(line)))?.ok()
    }

    /// Reads all lines of a file.
    fn read(&self, source: &Source) -> Result<Rows> {
        let mut rows = Rows::default();
        for (at, line) in (1..).zip(source.bytes().split(|&byte| byte == b'\n')) {
            let error = || {
                let line = brief(String::from_utf8_lossy(line).trim().to_owned(), MAX_SHOWN_BYTES);
                let found = format!("line {at} is none of {}: {line}", self.name);
                Error::new(source.display(), found).expected(self.expected)
            };
            let line = str::from_utf8(line).map_err(|_| error())?;
            if !self.is_skipped(line) {
                let (query, item, rank, number) = (self.parse)(line).ok_or_else(error)?;
                rows.push(Id::parse(query), Id::parse(item), rank, Some(number));
            }
        }
        Ok(rows)
    }
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
        let mut rows = read_run(&source(run)).unwrap();
        assert_eq!(rows.sort(), 1, "of 9, c has the last rank and the greatest score");
        let items = |at: usize| {
            let (query, rows) = rows.queries.get_index(at).unwrap();
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
        let error = read_run(&source("1 Q0 x 1 0.5 t\n1 Q0 y 2 low t\n")).err().unwrap();
        assert!(error.to_string().contains("line 2"), "{error}");
        for line in ["1 Q0 x 1 nan t", "1 Q0 x 1 0.5 my run", "1 Q0 x 1 0.5"] {
            assert!(is_run(&source(line)), "{line}");
            let error = read_run(&source(line)).err().unwrap().to_string();
            assert!(error.contains("line 1") && error.contains(line), "{error}");
        }
    }
}
