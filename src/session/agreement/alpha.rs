//! Krippendorff's alpha: agreement of any number of annotators, each of whom judged some of the pairs.

use rustc_hash::FxHashMap;

use crate::data::parallel;
use crate::data::stream::{Stream, Use, below};

/// Distance between two classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// 1 for all.
    Nominal,
    /// By the number of answers in between.
    Ordinal,
}

/// Alpha over pairs with two or more judgments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Alpha {
    /// Alpha itself, at most 1: 0 is what chance gives.
    pub value: f64,
    /// 95 % bootstrap CI; `None` if a resample has no alpha.
    pub interval: Option<[f64; 2]>,
}

/// Bootstrap resamples.
const RESAMPLES: usize = 1_000;
/// Random seed.
const SEED: u64 = 0;

/// Random words per draw.
const WORDS: usize = 1_024;

/// Coincidences: how often classes met in a unit, each answer counted once.
pub(super) type Met<const N: usize> = [[f64; N]; N];

impl Alpha {
    /// Alphas of units (judged pairs), each a list of classes: `of` computes them from coincidences. `None` if no unit
    /// has two answers, or all are of one class.
    ///
    /// Source: K. Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011; intervals resample units, with the
    /// same draws for all.
    pub(super) fn each<const N: usize, const K: usize>(
        units: &[Vec<usize>],
        of: impl Fn(&[Met<N>]) -> [Option<f64>; K] + Sync,
    ) -> [Option<Self>; K] {
        let several = units.iter().filter(|unit| unit.len() > 1);
        let units: Vec<Met<N>> = several.map(|unit| met(unit)).collect();
        let kinds = Kinds::from_units(&units);
        let of_resample = |resample| of(&kinds.resampled(resample));
        let drawn = parallel::map_indices(RESAMPLES, of_resample);
        let values = of(&units);
        std::array::from_fn(|at| {
            let value = values[at]?;
            let drawn: Option<Vec<f64>> = drawn.iter().map(|drawn| drawn[at]).collect();
            Some(Alpha { value, interval: drawn.map(central) })
        })
    }
}

fn central(mut drawn: Vec<f64>) -> [f64; 2] {
    drawn.sort_unstable_by(f64::total_cmp);
    let tail = RESAMPLES / 40;
    [drawn[tail], drawn[RESAMPLES - 1 - tail]]
}

/// Units grouped by equal answers: few of many thousands.
struct Kinds<const N: usize> {
    met: Vec<Met<N>>,
    of_unit: Vec<usize>,
}

impl<const N: usize> Kinds<N> {
    fn from_units(units: &[Met<N>]) -> Self {
        let mut places: FxHashMap<Vec<u64>, usize> = FxHashMap::default();
        let mut met = Vec::new();
        let place = |unit: &Met<N>| {
            let bits = unit.as_flattened().iter().map(|count| count.to_bits());
            *places.entry(bits.collect()).or_insert_with(|| {
                met.push(*unit);
                met.len() - 1
            })
        };
        let of_unit = units.iter().map(place).collect();
        Kinds { met, of_unit }
    }

    /// A resample of the units: how often each kind was drawn.
    fn resampled(&self, resample: usize) -> Vec<Met<N>> {
        let mut stream = Stream::new(SEED, Use::Bootstrap, resample);
        let mut drawn = vec![0_u32; self.met.len()];
        let mut words = [0_u32; WORDS];
        for part in self.of_unit.chunks(WORDS) {
            let words = &mut words[..part.len()];
            stream.fill(words);
            for &mut word in words {
                drawn[self.of_unit[below(word, self.of_unit.len())]] += 1;
            }
        }
        let times =
            |(met, drawn): (&Met<N>, u32)| met.map(|row| row.map(|count| count * f64::from(drawn)));
        self.met.iter().zip(drawn).map(times).collect()
    }
}

/// Ordered pairs of answers of a unit, weighted by 1 / (answers - 1).
fn met<const N: usize>(unit: &[usize]) -> Met<N> {
    let mut met = [[0.0; N]; N];
    let share = 1.0 / (unit.len() - 1) as f64;
    for (at, &one) in unit.iter().enumerate() {
        for (_, &other) in unit.iter().enumerate().filter(|(place, _)| *place != at) {
            met[one][other] += share;
        }
    }
    met
}

/// Alpha of coincidences.
pub(super) fn alpha<const N: usize>(units: &[Met<N>], scale: Scale) -> Option<f64> {
    let mut met = [[0.0; N]; N];
    for unit in units {
        for (sums, row) in met.iter_mut().zip(unit) {
            sums.iter_mut().zip(row).for_each(|(sum, count)| *sum += count);
        }
    }
    let counts: [f64; N] = met.map(|row| row.iter().sum());
    let cells = || (0..N).flat_map(|one| (one + 1..N).map(move |other| (one, other)));
    let apart = |(one, other): (usize, usize)| apart(&counts, one, other, scale);
    let found: f64 = cells().map(|cell| met[cell.0][cell.1] * apart(cell)).sum();
    let expected: f64 = cells().map(|cell| counts[cell.0] * counts[cell.1] * apart(cell)).sum();
    let total: f64 = counts.iter().sum();
    (expected > 0.0).then(|| 1.0 - (total - 1.0) * found / expected)
}

/// Squared distance of two classes, the lower one first.
fn apart<const N: usize>(counts: &[f64; N], one: usize, other: usize, scale: Scale) -> f64 {
    match scale {
        Scale::Nominal => 1.0,
        Scale::Ordinal => {
            let between: f64 = counts[one..=other].iter().sum();
            (between - f64::midpoint(counts[one], counts[other])).powi(2)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alpha_of<const N: usize>(units: &[Vec<usize>], scale: Scale) -> Option<Alpha> {
        let [found] = Alpha::each::<N, 1>(units, |met| [alpha(met, scale)]);
        found
    }

    /// Answers of each annotator, one letter per unit, `.` if none.
    fn units(annotators: &[&str], least: u32) -> Vec<Vec<usize>> {
        let answer = |annotator: &&str, unit: usize| {
            Some(annotator.chars().nth(unit)?.to_digit(10)? - least)
        };
        let of = |unit| {
            annotators
                .iter()
                .filter_map(|annotator| Some(answer(annotator, unit)? as usize))
                .collect()
        };
        (0..annotators[0].len()).map(of).collect()
    }

    /// Reference values: the Python package `krippendorff`.
    #[test]
    fn values_are_those_of_the_reference() {
        let close =
            |found: Option<Alpha>, expected: f64| (found.unwrap().value - expected).abs() < 1e-12;
        let five = units(&["123321412...", "1233224125.3", ".3332342251.", "12332441251."], 1);
        let four = units(&["3320103.", "32200031", "33101.20"], 0);
        assert!(close(alpha_of::<5>(&five, Scale::Nominal), 0.743421052631579));
        assert!(close(alpha_of::<5>(&five, Scale::Ordinal), 0.8153875037548814));
        assert!(close(alpha_of::<4>(&four, Scale::Nominal), 0.40677966101694907));
        assert!(close(alpha_of::<4>(&four, Scale::Ordinal), 0.8404237617172334));
    }

    #[test]
    fn what_nobody_judged_twice_or_all_judge_alike_has_none() {
        assert_eq!(alpha_of::<2>(&[vec![0], vec![1]], Scale::Nominal), None);
        assert_eq!(alpha_of::<2>(&[vec![1, 1], vec![1, 1, 1]], Scale::Nominal), None);
    }

    #[test]
    fn all_who_agree_have_one_and_chance_has_about_none() {
        let agreed: Vec<Vec<usize>> = (0..50).map(|unit| vec![unit % 2; 3]).collect();
        let found = alpha_of::<2>(&agreed, Scale::Nominal).unwrap();
        assert_eq!((found.value, found.interval), (1.0, Some([1.0, 1.0])));
        let mut stream = Stream::new(1, Use::Draw, 0);
        let mixed: Vec<Vec<usize>> =
            (0..400).map(|_| (0..3).map(|_| stream.index(2)).collect()).collect();
        let found = alpha_of::<2>(&mixed, Scale::Ordinal).unwrap();
        let [low, high] = found.interval.unwrap();
        assert!(low < 0.0 && 0.0 < high && low < found.value && found.value < high, "{found:?}");
    }
}
