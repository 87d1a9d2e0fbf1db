//! Krippendorff's alpha: agreement of any number of annotators, each of whom judged some of the pairs. A pair is called
//! a unit, a judgment a class.

use rustc_hash::FxHashMap;

use crate::data::parallel;
use crate::data::stream::{Stream, Use, word_to_index};

/// How the distance of two classes is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// All classes are equally far from each other.
    Nominal,
    /// By the number of judgments of the classes in between.
    Ordinal,
}

/// Alpha over units with two or more judgments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Alpha {
    /// Alpha itself, at most 1; 0 is chance agreement.
    pub value: f64,
    /// 95 % bootstrap CI; `None` if a resample has no alpha.
    pub interval: Option<[f64; 2]>,
}

/// Number of bootstrap resamples.
const RESAMPLES: usize = 1_000;
/// Random seed.
const SEED: u64 = 0;

/// Maximum number of random words that are drawn at a time.
const MAX_WORDS: usize = 1_024;

/// Coincidences of a unit: weighted counts of the ordered pairs of classes that two annotators gave it. They sum up to
/// the number of its judgments.
pub(super) type Coincidences<const N: usize> = [[f64; N]; N];

impl Alpha {
    /// Several alphas of the same units, each with its interval. A unit is a list of classes below `N`; `alphas`
    /// computes `K` values from the coincidences of all units with two or more. An alpha is `None` if that value is
    /// `None`.
    ///
    /// Source: K. Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011; intervals resample units, with the
    /// same draws for all.
    pub(super) fn with_intervals<const N: usize, const K: usize>(
        units: &[Vec<usize>],
        alphas: impl Fn(&[Coincidences<N>]) -> [Option<f64>; K] + Sync,
    ) -> [Option<Self>; K] {
        let several = units.iter().filter(|unit| unit.len() > 1);
        let units: Vec<Coincidences<N>> = several.map(|unit| coincidences(unit)).collect();
        let kinds = UnitKinds::group(&units);
        let resampled_alphas = |resample| alphas(&kinds.resample(resample));
        let resamples = parallel::map_indices(RESAMPLES, resampled_alphas);
        let values = alphas(&units);
        std::array::from_fn(|at| {
            let value = values[at]?;
            let resampled: Option<Vec<f64>> = resamples.iter().map(|alphas| alphas[at]).collect();
            Some(Alpha { value, interval: resampled.map(central_interval) })
        })
    }
}

/// The interval of the central 95 % of the values of all resamples.
fn central_interval(mut values: Vec<f64>) -> [f64; 2] {
    values.sort_unstable_by(f64::total_cmp);
    let tail = RESAMPLES / 40;
    [values[tail], values[RESAMPLES - 1 - tail]]
}

/// Units grouped by their coincidences: of many thousands, few are different.
struct UnitKinds<const N: usize> {
    /// The coincidences of each kind.
    coincidences: Vec<Coincidences<N>>,
    /// Index of the kind of each unit.
    kind_of_unit: Vec<usize>,
}

impl<const N: usize> UnitKinds<N> {
    /// Groups units with equal coincidences.
    fn group(units: &[Coincidences<N>]) -> Self {
        let mut indices: FxHashMap<Vec<u64>, usize> = FxHashMap::default();
        let mut coincidences = Vec::new();
        let kind = |unit: &Coincidences<N>| {
            let bits = unit.as_flattened().iter().map(|count| count.to_bits());
            *indices.entry(bits.collect()).or_insert_with(|| {
                coincidences.push(*unit);
                coincidences.len() - 1
            })
        };
        let kind_of_unit = units.iter().map(kind).collect();
        UnitKinds { coincidences, kind_of_unit }
    }

    /// Draws as many units as there are, with replacement. Returns the coincidences of each kind, multiplied by how
    /// often the kind was drawn; `resample` seeds the draw.
    fn resample(&self, resample: usize) -> Vec<Coincidences<N>> {
        let mut stream = Stream::new(SEED, Use::Bootstrap, resample);
        let mut counts = vec![0_u32; self.coincidences.len()];
        let mut words = [0_u32; MAX_WORDS];
        for part in self.kind_of_unit.chunks(MAX_WORDS) {
            let words = &mut words[..part.len()];
            stream.fill(words);
            for &mut word in words {
                counts[self.kind_of_unit[word_to_index(word, self.kind_of_unit.len())]] += 1;
            }
        }
        let multiply = |(kind, count): (&Coincidences<N>, u32)| {
            kind.map(|row| row.map(|weight| weight * f64::from(count)))
        };
        self.coincidences.iter().zip(counts).map(multiply).collect()
    }
}

/// The coincidences of a unit: ordered pairs of its judgments, each weighted by 1 / (judgments - 1).
fn coincidences<const N: usize>(unit: &[usize]) -> Coincidences<N> {
    let mut coincidences = [[0.0; N]; N];
    let weight = 1.0 / (unit.len() - 1) as f64;
    for (at, &one) in unit.iter().enumerate() {
        for (_, &other) in unit.iter().enumerate().filter(|(index, _)| *index != at) {
            coincidences[one][other] += weight;
        }
    }
    coincidences
}

/// Alpha from the coincidences of all units; `None` if all judgments are of one class, or if there are none.
pub(super) fn alpha<const N: usize>(units: &[Coincidences<N>], scale: Scale) -> Option<f64> {
    let mut totals = [[0.0; N]; N];
    for unit in units {
        for (sums, row) in totals.iter_mut().zip(unit) {
            sums.iter_mut().zip(row).for_each(|(sum, count)| *sum += count);
        }
    }
    let counts: [f64; N] = totals.map(|row| row.iter().sum());
    let cells = || (0..N).flat_map(|one| (one + 1..N).map(move |other| (one, other)));
    let distance = |(one, other): (usize, usize)| distance(&counts, one, other, scale);
    let found: f64 = cells().map(|cell| totals[cell.0][cell.1] * distance(cell)).sum();
    let expected: f64 = cells().map(|cell| counts[cell.0] * counts[cell.1] * distance(cell)).sum();
    let total: f64 = counts.iter().sum();
    (expected > 0.0).then(|| 1.0 - (total - 1.0) * found / expected)
}

/// Squared distance of two classes, the lower one first; `counts` are the judgments of each class.
fn distance<const N: usize>(counts: &[f64; N], one: usize, other: usize, scale: Scale) -> f64 {
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
        let [found] = Alpha::with_intervals::<N, 1>(units, |met| [alpha(met, scale)]);
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
