//! Sorts by the name of a column that was clicked.

use super::Model;
use super::sort::{SIGNS, Sort, negated};
use crate::data::index::ModelIx;
use crate::filter::value_of_model;

impl Model {
    /// Sorts by the column whose name is at a place among the words of the list's first line; where queries
    /// are sorted by it already, the other way round. Whether it is the name of a column.
    pub(in crate::tui) fn sort_by_heading(&mut self, words: &[&str], at: usize) -> bool {
        let Some([first, second]) = self.orders(words, at) else {
            return false;
        };
        let is_so = self.selection.sort == first;
        self.sort_by(if is_so { second } else { first });
        true
    }

    fn orders(&self, words: &[&str], at: usize) -> Option<[Sort; 2]> {
        // The difference of two models has the name A - B.
        let around = [at.checked_sub(1), Some(at), Some(at + 1)];
        let is_minus = |place: &Option<usize>| place.and_then(|at| words.get(at)) == Some(&"-");
        let [least, greatest] = SIGNS;
        let word = words[at].trim_end_matches(least);
        match word.trim_end_matches(greatest) {
            "AP@R" if words.get(at + 2) == Some(&"-") => Some([Sort::Difference, Sort::Gallery]),
            "of" | "AP@R" if words[..at].contains(&"-") => Some([Sort::Difference, Sort::Gallery]),
            "A" | "-" | "B" if around.iter().any(is_minus) => {
                Some([Sort::Difference, Sort::Gallery])
            }
            "rank" => Some([Sort::Earliest, Sort::Latest]),
            "AP@R" => Some([Sort::Worst, Sort::Best]),
            word => self.model_orders(word).or_else(|| self.number_orders(word)),
        }
    }

    /// By AP@R of one of the two models that are compared, A and B, whose names may stand with these.
    fn model_orders(&self, word: &str) -> Option<[Sort; 2]> {
        // A letter with the name of its model.
        let word = word.split_once(':').map_or(word, |(letter, _)| letter);
        let is_it = |(letter, model): &(&str, ModelIx)| {
            *letter == word || self.study.models[*model].name == word
        };
        let mut both = ["A", "B"].into_iter().zip(self.two()?);
        let (_, model) = both.find(is_it)?;
        let value = value_of_model(&self.study, model, "map_at_r");
        Some([value.clone(), format!("-{value}")].map(|value| Sort::By(value.into())))
    }

    /// By the number that queries are sorted by now.
    fn number_orders(&self, word: &str) -> Option<[Sort; 2]> {
        let number = self.selection.sort.number()?;
        // A long one is cut.
        let is_it = number.contains(word.trim_end_matches('…'));
        is_it.then(|| [number.into(), reversed(number).into()].map(Sort::By))
    }
}

/// The same number the other way round.
fn reversed(number: &str) -> String {
    let is_term = |number: &str| negated(&format!("-{number}")) == Some(number);
    match negated(number) {
        Some(rest) => rest.to_owned(),
        None if is_term(number) => format!("-{number}"),
        None => format!("-({number})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_turned_round_and_back() {
        for (number, other) in [
            ("rank", "-rank"),
            ("-broad.rank", "broad.rank"),
            ("a - b", "-(a - b)"),
            ("-(a - b)", "a - b"),
            ("-a + b", "-(-a + b)"),
            ("extra_in_top(5)", "-extra_in_top(5)"),
            ("(a) - (b)", "-((a) - (b))"),
            ("f(a) - g(b)", "-(f(a) - g(b))"),
        ] {
            assert_eq!(reversed(number), other);
        }
    }
}
