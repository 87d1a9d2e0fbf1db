//! Bradley-Terry scores from paired comparisons.
//!
//! One is preferred to another with probability `s_i / (s_i + s_j)`. Scores are maximum-likelihood estimates, as shares
//! of their sum, by Newton's method on their logarithms (the log-likelihood is concave). Source: R. Bradley & M. Terry,
//! "Rank Analysis of Incomplete Block Designs", Biometrika 39(3/4), 1952; existence and uniqueness, if no group is
//! always preferred to the rest:
//! L. Ford, "Solution of a Ranking Problem from Binary Comparisons", American Mathematical Monthly 64(8), 1957.

use super::wins::Wins;
use crate::error::{Error, Result};

/// The 97.5 % point of the normal distribution, for two-sided 95 % CIs.
const NORMAL_97_5: f64 = 1.959_963_984_540_054;
/// Newton's method ends at a step of the logarithms below this, which does not change printed digits.
const STEP_TOLERANCE: f64 = 1e-13;
/// Maximum steps of Newton's method: far more than finite scores need.
const MAX_STEPS: usize = 200;

/// Bradley-Terry score of one compared name.
#[derive(Debug, Clone, PartialEq)]
pub struct PreferenceScore {
    /// The compared name.
    pub name: String,
    /// Share of the sum of all scores, 0 to 1.
    pub share: f64,
    /// 95 % CI of the share, computed on its logit by the observed information.
    pub interval: [f64; 2],
    /// Number of wins, ties counting half.
    pub wins: f64,
    /// Number of comparisons.
    pub comparisons: f64,
}

/// Scores of all compared names, highest first. `subject` is the file, for errors.
///
/// # Errors
/// Fewer than two items; a group never, or always, preferred to the rest: its scores are infinite.
pub fn preferences(wins: &Wins, subject: &str) -> Result<Vec<PreferenceScore>> {
    check_connected(wins, subject)?;
    let mut logs = vec![0.0; wins.names.len()];
    for _ in 0..MAX_STEPS {
        let step = solve(&factor(information(wins, &logs)), &gradient(wins, &logs));
        // Damped where a full step leaves the quadratic region.
        let longest = step.iter().fold(0.0, |most: f64, by| most.max(by.abs()));
        let scale = if longest > 1.0 { 1.0 / longest } else { 1.0 };
        logs.iter_mut().zip(&step).for_each(|(log, by)| *log += scale * by);
        if longest < STEP_TOLERANCE {
            break;
        }
    }
    Ok(scores_from_logs(wins, &logs))
}

/// Checks that every item is connected to every other by wins, directly or not: unbeaten groups have infinite scores.
fn check_connected(wins: &Wins, subject: &str) -> Result<()> {
    let size = wins.names.len();
    if size < 2 {
        return Err(
            Error::new(subject, "fewer than two things").expected("comparisons of two or more")
        );
    }
    let mut leads: Vec<Vec<bool>> =
        wins.counts.iter().map(|row| row.iter().map(|count| *count > 0.0).collect()).collect();
    for via in 0..size {
        let beyond = leads[via].clone();
        for from in leads.iter_mut().filter(|from| from[via]) {
            from.iter_mut().zip(&beyond).for_each(|(known, more)| *known |= more);
        }
    }
    let pairs = (0..size).flat_map(|one| (0..size).map(move |other| (one, other)));
    let mut apart = pairs.filter(|(one, other)| one != other && !leads[*one][*other]);
    let Some((one, other)) = apart.next() else {
        return Ok(());
    };
    let [one, other] = [one, other].map(|at| wins.names[at].as_str());
    let found = format!("{one} was never preferred to {other}, not even by way of others");
    Err(Error::new(subject, found)
        .expected("wins and losses that connect all of them: scores are relative, and without end for what never lost")
        .fix("compare more pairs, leave some out, or add half a win in each direction as a prior"))
}

/// Probability that the first is preferred to the second; `logs` has the logarithm of each score.
fn probability(logs: &[f64], first: usize, second: usize) -> f64 {
    1.0 / (1.0 + (logs[second] - logs[first]).exp())
}

/// Gradient of the log-likelihood: wins minus expected wins.
fn gradient(wins: &Wins, logs: &[f64]) -> Vec<f64> {
    let slope = |one: usize| {
        let excess_wins = |other: usize| {
            let total = wins.counts[one][other] + wins.counts[other][one];
            wins.counts[one][other] - total * probability(logs, one, other)
        };
        (0..logs.len()).filter(|&other| other != one).map(excess_wins).sum()
    };
    (0..logs.len()).map(slope).collect()
}

/// Observed information of the logarithms of the scores. Only differences of logarithms are identified: 1 / n in every
/// cell fixes their sum.
fn information(wins: &Wins, logs: &[f64]) -> Vec<Vec<f64>> {
    let size = logs.len();
    let mut matrix = vec![vec![1.0 / size as f64; size]; size];
    for (one, row) in matrix.iter_mut().enumerate() {
        for other in (0..size).filter(|&other| other != one) {
            let total = wins.counts[one][other] + wins.counts[other][one];
            let weight = total * probability(logs, one, other) * probability(logs, other, one);
            row[one] += weight;
            row[other] -= weight;
        }
    }
    matrix
}

/// Cholesky decomposition of a positive definite matrix, in the lower triangle.
fn factor(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    for column in 0..size {
        for row in column..size {
            let done: f64 = (0..column).map(|at| matrix[row][at] * matrix[column][at]).sum();
            let rest = matrix[row][column] - done;
            matrix[row][column] =
                if row == column { rest.sqrt() } else { rest / matrix[column][column] };
        }
    }
    matrix
}

/// Solves a linear system for `right`, given the [`factor`] of its matrix.
fn solve(matrix: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let size = right.len();
    let mut solution = right.to_vec();
    for row in 0..size {
        let done: f64 = (0..row).map(|at| matrix[row][at] * solution[at]).sum();
        solution[row] = (solution[row] - done) / matrix[row][row];
    }
    for row in (0..size).rev() {
        let done: f64 = (row + 1..size).map(|at| matrix[at][row] * solution[at]).sum();
        solution[row] = (solution[row] - done) / matrix[row][row];
    }
    solution
}

/// Scores from their logarithms, highest first.
fn scores_from_logs(wins: &Wins, logs: &[f64]) -> Vec<PreferenceScore> {
    let highest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let strengths: Vec<f64> = logs.iter().map(|log| (log - highest).exp()).collect();
    let sum: f64 = strengths.iter().sum();
    let shares: Vec<f64> = strengths.iter().map(|strength| strength / sum).collect();
    let factored = factor(information(wins, logs));
    let score = |one: usize| {
        let others = (0..logs.len()).filter(|&other| other != one);
        PreferenceScore {
            name: wins.names[one].clone(),
            share: shares[one],
            interval: interval(&factored, &shares, one),
            wins: wins.counts[one].iter().sum(),
            comparisons: others
                .map(|other| wins.counts[one][other] + wins.counts[other][one])
                .sum(),
        }
    };
    let mut all: Vec<PreferenceScore> = (0..logs.len()).map(score).collect();
    all.sort_by(|one, other| other.share.total_cmp(&one.share));
    all
}

/// 95 % CI of the share at index `one`, by the delta method on its logit. The gradient of the logit has, for each
/// share, 1 at `one` or else 0, minus that share, all divided by the sum of the others. `information` is factored.
fn interval(information: &[Vec<f64>], shares: &[f64], one: usize) -> [f64; 2] {
    let rest = 1.0 - shares[one];
    let gradient: Vec<f64> =
        (0..shares.len()).map(|at| (f64::from(u8::from(at == one)) - shares[at]) / rest).collect();
    let spread = solve(information, &gradient);
    let variance: f64 = gradient.iter().zip(spread).map(|(one, other)| one * other).sum();
    let logit = (shares[one] / rest).ln();
    [-NORMAL_97_5, NORMAL_97_5].map(|z| 1.0 / (1.0 + (-(logit + z * variance.sqrt())).exp()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wins(counts: &[&[f64]]) -> Wins {
        Wins {
            names: (0..counts.len()).map(|at| format!("m{at}")).collect(),
            counts: counts.iter().map(|row| row.to_vec()).collect(),
        }
    }

    /// Two items: the share is that of wins, with logit variance 1 / (n p (1 - p)).
    #[test]
    fn two_models_have_the_shares_of_their_wins() {
        let scores = preferences(&wins(&[&[0.0, 30.0], &[10.0, 0.0]]), "t").unwrap();
        let half = NORMAL_97_5 / (40.0_f64 * 0.75 * 0.25).sqrt();
        let ends = [-half, half].map(|by| 1.0 / (1.0 + (-(3.0_f64.ln() + by)).exp()));
        assert!((scores[0].share - 0.75).abs() < 1e-12);
        for (found, expected) in scores[0].interval.iter().zip(ends) {
            assert!((found - expected).abs() < 1e-12);
        }
        assert_eq!((scores[0].wins, scores[0].comparisons), (30.0, 40.0));
    }

    /// Expected counts reproduce the model's scores: those of table D.1 of the ECCV Caption paper.
    #[test]
    fn expected_counts_give_the_scores_back() {
        let scores = [70.85, 13.15, 10.66, 4.89, 0.44];
        let row = |i: usize| {
            (0..5).map(
                move |j| {
                    if i == j { 0.0 } else { 1e4 * scores[i] / (scores[i] + scores[j]) }
                },
            )
        };
        let counts: Vec<Vec<f64>> = (0..5).map(|i| row(i).collect()).collect();
        let counts: Vec<&[f64]> = counts.iter().map(Vec::as_slice).collect();
        let found = preferences(&wins(&counts), "t").unwrap();
        let sum: f64 = scores.iter().sum();
        for (one, score) in found.iter().zip(scores) {
            assert!((one.share - score / sum).abs() < 1e-12, "{one:?}");
            assert!(one.interval[0] < one.share && one.share < one.interval[1]);
        }
    }

    /// At the maximum, expected wins equal observed ones; one pair was never compared.
    #[test]
    fn scores_maximise_the_likelihood() {
        let table = wins(&[
            &[0.0, 9.0, 0.0, 1.0],
            &[3.0, 0.0, 70.0, 0.0],
            &[0.0, 2.0, 0.0, 5.5],
            &[1.0, 1.0, 4.0, 0.0],
        ]);
        let found = preferences(&table, "t").unwrap();
        let log =
            |at: usize| found.iter().find(|one| one.name == format!("m{at}")).unwrap().share.ln();
        let logs: Vec<f64> = (0..4).map(log).collect();
        assert!(gradient(&table, &logs).iter().all(|slope| slope.abs() < 1e-9));
    }

    #[test]
    fn unbeaten_models_are_refused() {
        let table = wins(&[&[0.0, 2.0, 1.0], &[0.0, 0.0, 3.0], &[0.0, 1.0, 0.0]]);
        let error = preferences(&table, "wins.csv").unwrap_err();
        assert!(error.found().starts_with("m1 was never preferred to m0"), "{error}");
        assert!(preferences(&wins(&[&[0.0]]), "t").is_err());
    }
}
