//! What ground truths say of pairs, a column each.

use super::mark;
use crate::data::Direction;
use crate::data::index::TruthIx;
use crate::study::Study;
use crate::truth::Truth;
use crate::truth::standing::Standing;
use crate::tui::widgets::text;

/// A ground truth's column.
#[derive(Debug, Clone)]
pub struct Mark<'a> {
    /// The truth.
    pub truth: &'a Truth,
    /// Its name as a heading, and a letter or two that tell it from the others.
    pub headings: [String; 2],
    /// Columns of the terminal under each heading.
    pub widths: [usize; 2],
    has_ratings: bool,
}

/// Columns of a rating, and of a truth's name at the least and at the most.
const RATING: usize = 4;
const NAME: std::ops::RangeInclusive<usize> = 3..=9;

impl<'a> Mark<'a> {
    /// The columns of the truths of a direction, and of the one looked at.
    pub fn all(study: &'a Study, direction: Direction, here: TruthIx) -> Vec<Self> {
        let is_shown =
            |(at, truth): &(TruthIx, &Truth)| *at == here || truth.relevance[direction].is_some();
        let truths = TruthIx::each(&study.truths).filter(is_shown);
        let shown: Vec<&Truth> = truths.map(|(_, truth)| truth).collect();
        let names: Vec<&str> = shown.iter().map(|truth| truth.name.as_str()).collect();
        let mark = |(truth, letters): (&'a Truth, String)| {
            let has_ratings = study.is_rated(truth);
            let headings = [text::fit(&truth.name, *NAME.end()), letters];
            let least = if has_ratings { [RATING; 2] } else { [*NAME.start(), 1] };
            let widths = [0, 1].map(|at| text::width(&headings[at]).max(least[at]));
            Mark { truth, headings, widths, has_ratings }
        };
        let letters = short_names(&names);
        shown.into_iter().zip(letters).map(mark).collect()
    }

    /// What stands in the column for a query and an item, and what the truth says of them.
    pub fn of(
        &self,
        study: &Study,
        direction: Direction,
        (query, item): (usize, usize),
    ) -> (String, Standing) {
        let standing = study.standing(self.truth, direction, query.into(), item.into());
        let rating = || study.rating(direction, query.into(), item.into());
        (mark(standing, self.has_ratings.then(rating)), standing)
    }
}

/// What stands before what was laid over a ground truth in its name: `eccv+mine`.
const OVER: char = '+';

/// Headings of a letter or two that tell names apart: as much of each name as no other begins with, else
/// its first letter and its place. One that is another with something laid over it has the first letters of both.
fn short_names(names: &[&str]) -> Vec<String> {
    let short = |(at, name): (usize, &&str)| {
        let is_over = |other: &str| is_laid(other, name);
        let others = || {
            let others = names.iter().enumerate();
            others.filter(move |(other, over)| *other != at && !is_over(over))
        };
        let starts = (1..=2).map(|letters| name.chars().take(letters).collect::<String>());
        let mut alone = starts.filter(|start| others().all(|(_, other)| !other.starts_with(start)));
        let first: String = name.chars().take(1).collect();
        let parts = || name.split(OVER).map(|part| part.chars().take(1).collect());
        if names.iter().any(|below| is_laid(name, below)) {
            return parts().collect::<Vec<String>>().join("+");
        }
        alone.next().unwrap_or_else(|| format!("{first}{}", at + 1))
    };
    names.iter().enumerate().map(short).collect()
}

/// Whether a name is that of another ground truth with something laid over it.
fn is_laid(name: &str, below: &str) -> bool {
    let rest = name.strip_prefix(below);
    rest.is_some_and(|rest| rest.starts_with(OVER))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_short_as_they_differ() {
        let names = ["original", "cxc", "eccv", "pm"];
        assert_eq!(short_names(&names), ["o", "c", "e", "p"]);
        assert_eq!(short_names(&["coco", "cxc", "cx"]), ["co", "c2", "c3"]);
        assert_eq!(short_names(&["rich"]), ["r"]);
        assert_eq!(short_names(&["original", "cxc", "eccv", "eccv+mine"]), ["o", "c", "e", "e+m"]);
    }
}
