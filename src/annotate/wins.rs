//! A table of pairwise preferences: how often one thing was preferred to another.

use csv::StringRecord;

use crate::data::binary;
use crate::data::near::nearest;
use crate::data::source::Source;
use crate::data::text::grouped;
use crate::error::{Error, Result};

/// How often each of some things was preferred to each other one.
#[derive(Debug, Clone, PartialEq)]
pub struct Wins {
    /// Names, in the order of the file.
    pub names: Vec<String>,
    /// Wins of the first index over the second; a tie is half a win for both. 0 on the diagonal.
    pub counts: Vec<Vec<f64>>,
}

/// What a table with one line for each comparison, or each sort of them, has to name.
const COLUMNS: [&str; 2] = ["winner", "loser"];
/// Whose line counts as several; 1 without it.
const COUNT: &str = "count";
/// How a line says that neither was preferred.
const TIE: &str = "tie";
const EXPECTED: &str = "a square table (name,A,B,.. and a line for each of A, B, ..: how often it was preferred to the one of the \
                        column), or lines of winner,loser[,count][,tie]";
/// The most things that are compared: memory grows with their square, work with its third power.
const MOST: usize = 1000;

/// Reads either form of table; the first line says which it is.
///
/// # Errors
/// Neither form, a broken line, a number that is no count, a name compared with itself or missing in the head, more than
/// 1,000 names.
pub fn read(source: &Source) -> Result<Wins> {
    binary::refuse(source, EXPECTED)?;
    let first = source.bytes().iter().find(|byte| !byte.is_ascii_whitespace());
    if matches!(first, Some(b'{' | b'[')) {
        return Err(wrong(source, "JSON").mend("name the table that was meant"));
    }
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(source.bytes());
    let broken = |error: csv::Error| wrong(source, error);
    let head = reader.headers().map_err(broken)?.clone();
    let rows: Vec<StringRecord> =
        reader.records().collect::<std::result::Result<_, _>>().map_err(broken)?;
    let file = File { source, head };
    if COLUMNS.iter().all(|name| file.column(name).is_some()) {
        file.lines(&rows)
    } else {
        file.square(&rows)
    }
}

struct File<'a> {
    source: &'a Source,
    head: StringRecord,
}

impl File<'_> {
    fn column(&self, name: &str) -> Option<usize> {
        self.head.iter().position(|head| head.eq_ignore_ascii_case(name))
    }

    fn lines(&self, rows: &[StringRecord]) -> Result<Wins> {
        let place = |name| self.column(name);
        let [winner, loser] = COLUMNS.map(|name| place(name).unwrap_or_default());
        let mut wins = Wins { names: Vec::new(), counts: Vec::new() };
        for (row, line) in rows.iter().zip(2..) {
            let pair = [winner, loser].map(|column| wins.place(&row[column]));
            if wins.names.len() > MOST {
                let found = format!("more than {} names by line {line}", grouped(MOST));
                return Err(self.too_many(found));
            }
            if pair[0] == pair[1] {
                return Err(wrong(
                    self.source,
                    format!("line {line}: {} compared with itself", &row[winner]),
                ));
            }
            let count = place(COUNT).map_or(Ok(1.0), |column| self.count(&row[column], line))?;
            let is_tie =
                place(TIE).is_some_and(|column| matches!(&row[column], "1" | "true" | "yes"));
            wins.add(pair, count, is_tie);
        }
        Ok(wins)
    }

    fn square(&self, rows: &[StringRecord]) -> Result<Wins> {
        let names: Vec<String> = self.head.iter().skip(1).map(str::to_owned).collect();
        if names.len() > MOST {
            return Err(self.too_many(format!("{} names in line 1", grouped(names.len()))));
        }
        let mut wins = Wins { counts: vec![vec![0.0; names.len()]; names.len()], names };
        let mut seen = vec![false; wins.names.len()];
        for (row, line) in rows.iter().zip(2..) {
            let of = self.row_of(&wins.names, &row[0], line)?;
            if std::mem::replace(&mut seen[of], true) {
                return Err(wrong(
                    self.source,
                    format!("line {line}: {} for the second time", &row[0]),
                ));
            }
            for (column, cell) in row.iter().skip(1).enumerate() {
                if column == of {
                    self.require_diagonal(cell, &row[0], line)?;
                } else if !cell.is_empty() {
                    wins.counts[of][column] = self.count(cell, line)?;
                }
            }
        }
        Ok(wins)
    }

    fn too_many(&self, found: String) -> Error {
        let error = wrong(self.source, found);
        error.mend(format!("compare at most {}: models, not queries or items", grouped(MOST)))
    }

    fn row_of(&self, names: &[String], name: &str, line: usize) -> Result<usize> {
        let place = names.iter().position(|known| known == name);
        place.ok_or_else(|| {
            let error = wrong(
                self.source,
                format!("line {line}: {name}, which the first line does not name"),
            );
            match nearest(name, names.iter().map(String::as_str)) {
                Some(near) => error.mend(format!("{near}?")),
                None => error,
            }
        })
    }

    /// Refuses a count of one thing's wins over itself: the columns may be in another order than the lines.
    fn require_diagonal(&self, cell: &str, name: &str, line: usize) -> Result<()> {
        match cell.parse::<f64>() {
            Ok(count) if count != 0.0 => {
                let found = format!("line {line}: {cell} wins of {name} over itself");
                Err(wrong(self.source, found)
                    .mend("0, - or nothing there; columns and lines go by their names"))
            }
            _ => Ok(()),
        }
    }

    fn count(&self, cell: &str, line: usize) -> Result<f64> {
        let count = cell.parse().ok().filter(|count: &f64| *count >= 0.0 && count.is_finite());
        count.ok_or_else(|| wrong(self.source, format!("line {line}: {cell} for a count of wins")))
    }
}

impl Wins {
    /// The place of a name, which is new where it was not there.
    fn place(&mut self, name: &str) -> usize {
        if let Some(place) = self.names.iter().position(|known| known == name) {
            return place;
        }
        self.names.push(name.to_owned());
        self.counts.iter_mut().for_each(|row| row.push(0.0));
        self.counts.push(vec![0.0; self.names.len()]);
        self.names.len() - 1
    }

    fn add(&mut self, [winner, loser]: [usize; 2], count: f64, is_tie: bool) {
        let share = if is_tie { count / 2.0 } else { 0.0 };
        self.counts[winner][loser] += count - share;
        self.counts[loser][winner] += share;
    }
}

fn wrong(source: &Source, found: impl std::fmt::Display) -> Error {
    Error::new(source.display(), found).expected(EXPECTED)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Result<Wins> {
        read(&Source::in_memory("wins.csv", text.as_bytes().to_vec()))
    }

    #[test]
    fn both_forms_hold_the_same() {
        let square = table("model,a,b,c\na,-,3,1\nb,2,-,\nc,0,4.5,-\n").unwrap();
        let lines = "winner,loser,count,tie\na,b,3,\nb,a,2,\na,c,1,no\nc,b,4,\nc,b,1,yes\n";
        let mut expected = square.clone();
        expected.counts[1][2] = 0.5;
        assert_eq!(table(lines).unwrap(), expected);
        assert_eq!(square.counts[2], [0.0, 4.5, 0.0]);
    }

    #[test]
    fn one_line_is_one_comparison() {
        let wins = table("loser,winner\nb,a\nb,a\na,b\n").unwrap();
        assert_eq!(wins.names, ["a", "b"]);
        assert_eq!(wins.counts, [[0.0, 2.0], [1.0, 0.0]]);
    }

    #[test]
    fn what_is_no_table_of_wins_is_told_by_line() {
        for (text, found) in [
            ("name,a,b\na,0,x\n", "line 2: x for a count of wins"),
            ("name,a,b\na,0,-1\n", "line 2: -1 for a count of wins"),
            ("name,ours,b\nour,0,1\n", "line 2: our, which the first line does not name"),
            ("name,a,b\na,0,1\na,0,1\n", "line 3: a for the second time"),
            ("name,a,b\na,3,1\nb,1,0\n", "line 2: 3 wins of a over itself"),
            ("winner,loser\na,a\n", "line 2: a compared with itself"),
        ] {
            assert_eq!(table(text).unwrap_err().found(), found);
        }
        for text in ["{\"verdicts\": []}", " [1, 2]"] {
            assert_eq!(table(text).unwrap_err().found(), "JSON");
        }
        let many = |at: usize| format!("a{at},b{at}\n");
        let lines: Vec<String> = (0..MOST).map(many).collect();
        let lines = lines.concat();
        let found = table(&format!("winner,loser\n{lines}")).unwrap_err();
        assert_eq!(found.found(), "more than 1,000 names by line 502");
        let head: Vec<String> = (0..=MOST).map(|at| format!(",m{at}")).collect();
        let head = head.concat();
        let found = table(&format!("name{head}\n")).unwrap_err();
        assert_eq!(found.found(), "1,001 names in line 1");
        assert!(table("name,a,b\na,0\n").unwrap_err().found().contains("line"));
    }
}
