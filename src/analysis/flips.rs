//! Queries on which the winner changes with the metric or the truth.

use rustc_hash::FxHashMap;

use super::paired::{Outcome, Paired};
use crate::metric::Unit;

/// A query on which the first model wins by the one count and loses by the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flip {
    /// Gallery index.
    pub query: u32,
    /// What the first model is by the first count; by the second it is the opposite.
    pub first: Outcome,
}

/// The flips between two counts of the same two models in one direction: two metrics, or two truths.
/// Queries stand in the order of the first; one that either leaves out, or ties, is none.
pub fn flips(one: (&Paired, Unit), other: (&Paired, Unit)) -> Vec<Flip> {
    let others: FxHashMap<u32, Outcome> = other.0.outcomes(other.1).collect();
    let flip = |(query, first): (u32, Outcome)| {
        let is_flip = first != Outcome::Tie && others.get(&query) == Some(&first.turned());
        is_flip.then_some(Flip { query, first })
    };
    one.0.outcomes(one.1).filter_map(flip).collect()
}

/// What the first model is by the means; `None` where there are none.
pub fn leader(paired: &Paired, unit: Unit) -> Option<Outcome> {
    let [first, second] = paired.means()?;
    Some(Outcome::of(first - second, unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paired(queries: &[u32], values: [&[f64]; 2]) -> Paired {
        let some = values.map(|values| values.iter().copied().map(Some).collect::<Vec<_>>());
        Paired::of(queries, [&some[0], &some[1]])
    }

    #[test]
    fn a_flip_needs_a_winner_on_both_sides() {
        let one = paired(
            &[4, 1, 3, 9],
            [&[1.0, 0.0, 1.0, 1.0], &[0.0, 1.0, 1.0, 0.0]],
        );
        let other = paired(
            &[1, 3, 4, 7],
            [&[0.9, 0.9, 0.2, 0.0], &[0.5, 0.1, 0.4, 0.3]],
        );
        let found = flips((&one, Unit::Share), (&other, Unit::Share));
        let expected = [
            Flip {
                query: 4,
                first: Outcome::Win,
            },
            Flip {
                query: 1,
                first: Outcome::Loss,
            },
        ];
        assert_eq!(found, expected);
        // As ranks, lower is better: the second count is turned round and agrees with the first.
        assert_eq!(flips((&one, Unit::Share), (&other, Unit::Rank)), []);
        assert_eq!(leader(&one, Unit::Share), Some(Outcome::Win));
        assert_eq!(leader(&one, Unit::Rank), Some(Outcome::Loss));
        assert_eq!(leader(&Paired::default(), Unit::Rank), None);
    }
}
