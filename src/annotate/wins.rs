//! A table of pairwise preferences: how often one thing was preferred to another.

use crate::data::source::Source;
use crate::data::text::grouped;
use crate::error::{Error, Result};

/// How often each of some things was preferred to each other one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Wins {
    /// Names, in the order of the file.
    pub names: Vec<String>,
    /// Wins of the first index over the second; a tie is half a win for both. 0 on the diagonal.
    pub counts: Vec<Vec<f64>>,
}

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
    source.require_text(EXPECTED)?;
    let wrong = |found: String| Error::new(source.display(), found).expected(EXPECTED);
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(source.bytes());
    let head = reader.headers().map_err(|error| wrong(error.to_string()))?.clone();
    let column = |name: &str| head.iter().position(|head| head.eq_ignore_ascii_case(name));
    let pair = column("winner").zip(column("loser"));
    let mut wins = Wins::default();
    if pair.is_none() {
        head.iter().skip(1).for_each(|name| wins.add_name(name));
    }
    let mut seen = vec![false; wins.names.len()];
    for (row, line) in reader.records().zip(2..) {
        let row = row.map_err(|error| wrong(error.to_string()))?;
        let wrong = |found: String| wrong(format!("line {line}: {found}"));
        let count = |cell: &str| {
            let count = cell.parse().ok().filter(|count: &f64| *count >= 0.0 && count.is_finite());
            count.ok_or_else(|| wrong(format!("{cell} for a count of wins")))
        };
        if let Some((winner, loser)) = pair {
            if row[winner] == row[loser] {
                return Err(wrong(format!("{} compared with itself", &row[winner])));
            }
            let of = [&row[winner], &row[loser]].map(|name| wins.place(name));
            let count = column("count").map_or(Ok(1.0), |at| count(&row[at]))?;
            let is_tie = column("tie").is_some_and(|at| matches!(&row[at], "1" | "true" | "yes"));
            wins.add(of, count, is_tie);
        } else {
            let Some(of) = wins.names.iter().position(|known| *known == row[0]) else {
                return Err(wrong(format!("{}, which the first line does not name", &row[0])));
            };
            if std::mem::replace(&mut seen[of], true) {
                return Err(wrong(format!("{} for the second time", &row[0])));
            }
            for (at, cell) in row.iter().skip(1).enumerate().filter(|(_, cell)| !cell.is_empty()) {
                if at != of {
                    wins.counts[of][at] = count(cell)?;
                } else if cell.parse().is_ok_and(|wins: f64| wins != 0.0) {
                    // The columns may be in another order than the lines.
                    return Err(wrong(format!("{cell} wins of {} over itself", &row[0])));
                }
            }
        }
        if wins.names.len() > MOST {
            break;
        }
    }
    if wins.names.len() > MOST {
        return Err(wrong(format!("more than {} names", grouped(MOST)))
            .mend("compare models, not queries or items"));
    }
    Ok(wins)
}

impl Wins {
    /// The place of a name, which is new where it was not there.
    fn place(&mut self, name: &str) -> usize {
        let known = self.names.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.add_name(name);
            self.names.len() - 1
        })
    }

    fn add_name(&mut self, name: &str) {
        self.names.push(name.to_owned());
        self.counts.iter_mut().for_each(|row| row.push(0.0));
        self.counts.push(vec![0.0; self.names.len()]);
    }

    fn add(&mut self, [winner, loser]: [usize; 2], count: f64, is_tie: bool) {
        let share = if is_tie { count / 2.0 } else { 0.0 };
        self.counts[winner][loser] += count - share;
        self.counts[loser][winner] += share;
    }
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
        let many = |at: usize| format!("a{at},b{at}\n");
        let lines: Vec<String> = (0..MOST).map(many).collect();
        let lines = lines.concat();
        let found = table(&format!("winner,loser\n{lines}")).unwrap_err();
        assert_eq!(found.found(), "more than 1,000 names");
        let head: Vec<String> = (0..=MOST).map(|at| format!(",m{at}")).collect();
        let head = head.concat();
        let found = table(&format!("name{head}\n")).unwrap_err();
        assert_eq!(found.found(), "more than 1,000 names");
        assert!(table("name,a,b\na,0\n").unwrap_err().found().contains("line"));
    }
}
