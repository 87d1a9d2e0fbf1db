//! Two models on the same queries, under one metric and truth.

use super::bootstrap::{self, Draws};
use super::groups::Groups;
use super::mcnemar;
use super::randomisation::{self, Randomised};
use super::ttest::{self, Student};
use crate::metric::{Unit, mean};

/// The values of two models, of the queries for which both are defined.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Paired {
    /// Gallery indices, in the truth's order.
    pub queries: Vec<u32>,
    /// The values of each model, in this order.
    pub values: [Vec<f64>; 2],
    /// Queries that the truth judges, but for which a value is undefined.
    pub left_out: usize,
}

/// What the first model is against the second on a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Better.
    Win,
    /// Equal.
    Tie,
    /// Worse.
    Loss,
}

impl Outcome {
    /// Each of them.
    pub const ALL: [Outcome; 3] = [Outcome::Win, Outcome::Tie, Outcome::Loss];

    /// The other model's.
    #[must_use]
    pub fn turned(self) -> Self {
        match self {
            Outcome::Win => Outcome::Loss,
            Outcome::Tie => Outcome::Tie,
            Outcome::Loss => Outcome::Win,
        }
    }

    /// Of a difference, first less second.
    pub(super) fn of(difference: f64, unit: Unit) -> Self {
        let better = match unit {
            Unit::Share | Unit::Sum => difference,
            Unit::Rank => -difference,
        };
        if better > 0.0 {
            Outcome::Win
        } else if better < 0.0 {
            Outcome::Loss
        } else {
            Outcome::Tie
        }
    }
}

/// What all tests say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tests {
    /// 95 % interval of the mean difference.
    pub interval: Option<[f64; 2]>,
    /// Paired randomisation.
    pub randomised: Option<Randomised>,
    /// Student's t.
    pub student: Option<Student>,
    /// `McNemar`'s exact test, where every value is 0 or 1 and queries count by themselves.
    pub mcnemar: Option<f64>,
}

impl Tests {
    /// The p-value that decides: `McNemar`'s where there is one, else that of the randomisation.
    pub fn p(&self) -> Option<f64> {
        self.mcnemar.or(Some(self.randomised?.p))
    }
}

impl Paired {
    /// Brings the values of two models together, in the order of `queries`.
    pub fn of(queries: &[u32], values: [&[Option<f64>]; 2]) -> Self {
        let mut paired = Paired::default();
        let [first, second] = values;
        for (&query, of_both) in queries.iter().zip(first.iter().zip(second)) {
            let (Some(one), Some(other)) = of_both else {
                paired.left_out += 1;
                continue;
            };
            paired.queries.push(query);
            paired.values[0].push(*one);
            paired.values[1].push(*other);
        }
        paired
    }

    /// Number of queries that stay.
    pub fn len(&self) -> usize {
        self.queries.len()
    }

    /// Whether none stays.
    pub fn is_empty(&self) -> bool {
        self.queries.is_empty()
    }

    /// The mean of each model; `None` where no query stays.
    pub fn means(&self) -> Option<[f64; 2]> {
        (!self.is_empty()).then(|| [0, 1].map(|model| mean::pairwise(&self.values[model])))
    }

    /// First less second, query by query.
    pub fn differences(&self) -> Vec<f64> {
        let [first, second] = &self.values;
        first.iter().zip(second).map(|(a, b)| a - b).collect()
    }

    /// What the first model is on each query.
    pub fn outcomes(&self, unit: Unit) -> impl Iterator<Item = (u32, Outcome)> {
        let outcomes = self
            .differences()
            .into_iter()
            .map(move |d| Outcome::of(d, unit));
        self.queries.iter().copied().zip(outcomes)
    }

    /// Wins, ties and losses of the first model.
    pub fn counts(&self, unit: Unit) -> [usize; 3] {
        let all: Vec<Outcome> = self.outcomes(unit).map(|(_, outcome)| outcome).collect();
        Outcome::ALL.map(|wanted| all.iter().filter(|&&found| found == wanted).count())
    }

    /// Whether every value is 0 or 1.
    pub fn is_binary(&self) -> bool {
        let mut all = self.values.iter().flatten();
        all.all(|&value| {
            value.to_bits() == 0.0_f64.to_bits() || value.to_bits() == 1.0_f64.to_bits()
        })
    }

    /// Tests the mean difference. `image` gives the group of a query, where queries of one image are
    /// drawn and change sign together.
    pub fn tests(&self, draws: Draws, image: Option<&dyn Fn(u32) -> u32>) -> Tests {
        let differences = self.differences();
        let [wins, _, losses] = self.counts(Unit::Share);
        let mcnemar = || mcnemar::exact(wins, losses);
        let mcnemar = (image.is_none() && !self.is_empty() && self.is_binary()).then(mcnemar);
        let groups = match image {
            None => Groups::single(differences),
            Some(image) => {
                let labels: Vec<u32> = self.queries.iter().map(|&query| image(query)).collect();
                Groups::labelled(&differences, &labels)
            }
        };
        Tests {
            interval: bootstrap::interval(&groups, draws),
            randomised: randomisation::test(&groups, draws),
            student: ttest::test(&groups),
            mcnemar,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paired() -> Paired {
        let first = [Some(1.0), Some(0.0), None, Some(1.0), Some(1.0)];
        let second = [Some(0.0), Some(0.0), Some(1.0), None, Some(1.0)];
        Paired::of(&[9, 4, 7, 1, 2], [&first, &second])
    }

    #[test]
    fn what_either_lacks_is_left_out_and_told() {
        let paired = paired();
        assert_eq!(
            (paired.queries.as_slice(), paired.left_out),
            (&[9, 4, 2][..], 2)
        );
        assert_eq!(paired.means(), Some([2.0 / 3.0, 1.0 / 3.0]));
        assert_eq!(paired.counts(Unit::Share), [1, 2, 0]);
        let outcomes: Vec<(u32, Outcome)> = paired.outcomes(Unit::Rank).collect();
        assert_eq!(outcomes[0], (9, Outcome::Loss));
        assert_eq!(Outcome::Loss.turned(), Outcome::Win);
    }

    #[test]
    fn mcnemar_decides_zeros_and_ones_unless_images_are_drawn() {
        let paired = paired();
        let alone = paired.tests(Draws::default(), None);
        assert_eq!((alone.mcnemar, alone.p()), (Some(1.0), Some(1.0)));
        let together = paired.tests(Draws::default(), Some(&|_| 0));
        assert_eq!((together.mcnemar, together.interval), (None, None));
        assert_eq!(together.p(), Some(1.0));
        let mut graded = paired.clone();
        graded.values[0][0] = 0.5;
        assert_eq!(graded.tests(Draws::default(), None).mcnemar, None);
    }

    #[test]
    fn nothing_to_test() {
        let none = Paired::of(&[3], [&[None], &[Some(1.0)]]);
        assert_eq!((none.means(), none.left_out), (None, 1));
        let tests = none.tests(Draws::default(), None);
        assert_eq!(
            (tests.p(), tests.interval, tests.mcnemar),
            (None, None, None)
        );
    }
}
