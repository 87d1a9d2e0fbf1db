//! A table of pairwise preferences.

use crate::data::source::Source;
use crate::data::text::grouped;
use crate::error::{Error, Result};

/// Numbers of wins of compared models (or other things) over each other.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Wins {
    /// Names of the compared things, in order of appearance.
    pub names: Vec<String>,
    /// Wins of the first index over the second; a tie is half a win for each. Zero diagonal.
    pub counts: Vec<Vec<f64>>,
}

/// Expected file, for errors.
const EXPECTED: &str = "lines of winner,loser[,count][,tie]";
/// Maximum number of compared names: memory is quadratic, work cubic.
const MAX_NAMES: usize = 1000;

/// Reads a table of comparisons from CSV; the first line is a header.
///
/// # Errors
/// Missing columns, a broken line, an invalid count, a name compared with itself, more than 1,000 names.
pub fn read(source: &Source) -> Result<Wins> {
    source.require_text(EXPECTED)?;
    let wrong = |found: String| Error::new(source.display(), found).expected(EXPECTED);
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(source.bytes());
    let head = reader.headers().map_err(|error| wrong(error.to_string()))?.clone();
    let column = |name: &str| head.iter().position(|head| head.eq_ignore_ascii_case(name));
    let pair = column("winner").zip(column("loser"));
    let (winner, loser) = pair.ok_or_else(|| wrong("no columns winner and loser".into()))?;
    let mut wins = Wins::default();
    for (row, line) in reader.records().zip(2..) {
        let row = row.map_err(|error| wrong(error.to_string()))?;
        let wrong = |found: String| wrong(format!("line {line}: {found}"));
        let count = |cell: &str| {
            let count = cell.parse().ok().filter(|count: &f64| *count >= 0.0 && count.is_finite());
            count.ok_or_else(|| wrong(format!("{cell} for a count of wins")))
        };
        if row[winner] == row[loser] {
            return Err(wrong(format!("{} compared with itself", &row[winner])));
        }
        let models = [&row[winner], &row[loser]].map(|name| wins.find_or_add(name));
        let count = column("count").map_or(Ok(1.0), |at| count(&row[at]))?;
        let is_tie = column("tie").is_some_and(|at| matches!(&row[at], "1" | "true" | "yes"));
        wins.add_comparisons(models, count, is_tie);
        if wins.names.len() > MAX_NAMES {
            let found = format!("more than {} names", grouped(MAX_NAMES));
            return Err(Error::new(source.display(), found)
                .expected(EXPECTED)
                .fix("compare models, not queries or items"));
        }
    }
    Ok(wins)
}

impl Wins {
    /// Index of a name; adds it if new.
    fn find_or_add(&mut self, name: &str) -> usize {
        let known = self.names.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.counts.iter_mut().for_each(|row| row.push(0.0));
            self.counts.push(vec![0.0; self.names.len()]);
            self.names.len() - 1
        })
    }

    /// Adds `count` comparisons of two names: wins of the first, or ties.
    fn add_comparisons(&mut self, [winner, loser]: [usize; 2], count: f64, is_tie: bool) {
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
    fn counts_add_up_and_a_tie_is_half_a_win_for_both() {
        let lines = "winner,loser,count,tie\na,b,3,\nb,a,2,\na,c,1,no\nc,b,4,\nc,b,1,yes\n";
        let wins = table(lines).unwrap();
        assert_eq!(wins.names, ["a", "b", "c"]);
        assert_eq!(wins.counts, [[0.0, 3.0, 1.0], [2.0, 0.0, 0.5], [0.0, 4.5, 0.0]]);
    }

    #[test]
    fn one_line_is_one_comparison() {
        let wins = table("loser,winner\nb,a\nb,a\na,b\n").unwrap();
        assert_eq!(wins.names, ["a", "b"]);
        assert_eq!(wins.counts, [[0.0, 2.0], [1.0, 0.0]]);
    }

    #[test]
    fn broken_tables_are_refused() {
        for (text, found) in [
            ("winner,loser,count\na,b,x\n", "line 2: x for a count of wins"),
            ("winner,loser,count\na,b,-1\n", "line 2: -1 for a count of wins"),
            ("name,a,b\na,0,1\n", "no columns winner and loser"),
            ("winner,loser\na,a\n", "line 2: a compared with itself"),
        ] {
            assert_eq!(table(text).unwrap_err().found(), found);
        }
        let many = |at: usize| format!("a{at},b{at}\n");
        let lines: Vec<String> = (0..MAX_NAMES).map(many).collect();
        let lines = lines.concat();
        let found = table(&format!("winner,loser\n{lines}")).unwrap_err();
        assert_eq!(found.found(), "more than 1,000 names");
        assert!(table("winner,loser\na\n").unwrap_err().found().contains("line"));
    }
}
