//! By `SciPy` 1.17 and by hand.

use super::*;
use crate::analysis::paired_values::Paired;
use crate::analysis::per_query::Values;

fn near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
    }
}

fn paired(first: &[f64], second: &[f64]) -> Paired {
    let values = |values: &[f64]| {
        let queries: Vec<u32> = (0..values.len() as u32).collect();
        Values::new(&queries, values.iter().copied().map(Some).collect())
    };
    Paired::from_values([&values(first), &values(second)])
}

fn hits(right: usize, count: usize) -> Vec<f64> {
    let of = |at| f64::from(u8::from(at < right));
    (0..count).map(of).collect()
}

fn labels(sizes: &[usize]) -> Vec<u32> {
    let each = (0..).zip(sizes);
    each.flat_map(|(label, &size)| vec![label; size]).collect()
}

/// `scipy.stats.ttest_1samp(numpy.r_[x, 1, 0], 0).confidence_interval()`, x the cluster means, clamped at 1.
#[test]
fn means_get_a_best_and_a_worst_cluster_added() {
    let interval = |groups: &Groups| Estimate::of_mean(groups, [0.0, 1.0]).unwrap().interval();
    near(&interval(&Groups::single(hits(8, 10))), &[0.4626432469034784, 1.0]);
    near(&interval(&Groups::single(hits(10, 10))), &[0.73325123665903, 1.0]);
    let values = [hits(5, 5), hits(4, 5), hits(0, 5), hits(3, 5)].concat();
    let groups = Groups::labelled(&values, &labels(&[5; 4]));
    near(&interval(&groups), &[0.0804407368388318, 1.0]);
    // The formula in numpy: sums 2, 1, 0, 3, 2.5, 0 of sizes 2, 4, 1, 3, 2.5, 2.5.
    let values = [hits(2, 2), hits(1, 4), hits(0, 1), hits(3, 3)].concat();
    let groups = Groups::labelled(&values, &labels(&[2, 4, 1, 3]));
    near(&interval(&groups), &[0.016982550107716765, 1.0]);
    near(&[Estimate::of_mean(&groups, [0.0, 1.0]).unwrap().df()], &[4.294117647058823]);
    assert_eq!(Estimate::of_mean(&Groups::single(vec![1.0]), [0.0, 1.0]), None);
}

/// `ttest_1samp(numpy.r_[d, c, -c], 0)`, c the mean nonzero |d|: p-value and interval.
#[test]
fn differences_of_few_clusters_get_a_win_and_a_loss_added() {
    let of = |differences: &[f64]| {
        let paired = paired(differences, &vec![0.0; differences.len()]);
        let found = paired.estimate(Unit::Share, None).unwrap();
        [&[found.p()], &found.interval()[..]].concat()
    };
    near(
        &of(&[0.3, -0.1, 0.25, 0.4, -0.2]),
        &[0.39268445916567546, -0.15390597750441593, 0.3396202632187016],
    );
    near(
        &of(&[1.0, 1.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
        &[0.6742372381662263, -0.3414481054334204, 0.508114772100087],
    );
    near(&of(&[0.0; 10]), &[1.0, -0.27092254497906515, 0.27092254497906515]);
    // Ten equal differences have no standard error.
    near(&of(&[1.0; 10])[1..], &[0.4665024733180603, 1.0]);
}

const FIRST: [f64; 12] = [0.5, 0.25, 0.125, 0.5, 0.75, 0.1, 0.2, 0.3, 0.9, 0.05, 1.0, 0.6];
const SECOND: [f64; 12] = [0.25, 0.5, 0.125, 1.0, 0.5, 0.2, 0.25, 0.6, 0.8, 0.1, 0.5, 0.7];

/// `scipy.stats.ttest_rel(first, second)`: statistic, degrees of freedom, p-value and `confidence_interval()`.
#[test]
fn differences_of_ten_clusters_or_more_equal_ttest_rel() {
    let all = |found: Estimate| {
        let [low, high] = found.interval();
        [found.t(), found.df(), found.p(), low, high]
    };
    let found = paired(&FIRST, &SECOND).estimate(Unit::Share, None).unwrap();
    near(
        &all(found),
        &[-0.26639771383306554, 11.0, 0.7948604511751448, -0.19295890018651898, 0.1512922335198523],
    );
    // Means of clusters of five.
    let first: [[u8; 5]; 12] = [
        [1, 0, 1, 1, 0],
        [1, 1, 0, 1, 1],
        [0, 0, 0, 1, 0],
        [1, 1, 1, 1, 1],
        [0, 1, 0, 1, 0],
        [1, 1, 1, 0, 1],
        [1, 0, 0, 1, 1],
        [0, 0, 1, 0, 0],
        [1, 1, 0, 0, 1],
        [1, 0, 1, 1, 1],
        [0, 1, 1, 1, 0],
        [1, 1, 1, 1, 0],
    ];
    let second: [[u8; 5]; 12] = [
        [0, 0, 1, 1, 0],
        [1, 0, 0, 1, 0],
        [0, 1, 0, 1, 1],
        [1, 1, 0, 1, 0],
        [0, 0, 0, 1, 0],
        [1, 1, 0, 0, 1],
        [0, 0, 0, 1, 1],
        [0, 1, 1, 0, 1],
        [1, 0, 0, 0, 1],
        [0, 0, 1, 1, 1],
        [1, 1, 1, 1, 0],
        [0, 1, 0, 1, 0],
    ];
    let [first, second] =
        [first, second].map(|of| of.concat().into_iter().map(f64::from).collect::<Vec<f64>>());
    let found = paired(&first, &second).estimate(Unit::Share, Some(&labels(&[5; 12])));
    near(
        &all(found.unwrap()),
        &[1.4, 11.0, 0.1890805351596201, -0.0667487633409699, 0.3000820966743032],
    );
}

/// Rules 9 to 11 in numpy: runs 40, 50, 60 % against 35, 45 %.
#[test]
fn runs_add_their_variance() {
    let plain = paired(&FIRST, &SECOND).estimate(Unit::Share, None).unwrap();
    let between = BetweenRuns::from_means([&[0.4, 0.5, 0.6], &[0.35, 0.45]]).unwrap();
    let found = plain.with_runs(between);
    let [low, high] = found.interval();
    near(
        &[found.df(), found.p(), low, high],
        &[8.758276790104919, 0.8594982371589116, -0.2804480743449916, 0.23878140767832493],
    );
    let equal = BetweenRuns::from_means([&[0.4, 0.4], &[0.3]]).unwrap();
    near(&plain.with_runs(equal).interval(), &plain.interval());
}

/// `max(t.sf((m + 0.2) / se, 11), t.sf((0.2 - m) / se, 11))` of `scipy.stats`.
#[test]
fn margins_equal_the_reference() {
    let found = paired(&FIRST, &SECOND).estimate(Unit::Share, None).unwrap();
    let [equivalent, not_worse] = found.margin_p_values(0.2, Unit::Share);
    near(&[equivalent, not_worse], &[0.021350504166329914; 2]);
    assert!(found.margin_p_values(0.2, Unit::Rank)[1] < not_worse);
}

#[test]
fn ranks_have_no_worst_value() {
    let ranks = Groups::single(vec![1.0, 3.0, 2.0, 6.0]);
    let found = Estimate::of_mean(&ranks, Unit::Rank.range()).unwrap();
    // `ttest_1samp([1, 3, 2, 6], 0).confidence_interval()`, cut at 1.
    near(&found.interval(), &[1.0, 6.437434881858309]);
    assert_eq!(Estimate::of_mean(&Groups::single(vec![1.0; 9]), Unit::Rank.range()), None);
    assert_eq!(paired(&[4.0; 9], &[4.0; 9]).estimate(Unit::Rank, None), None);
    assert!(paired(&[4.0; 9], &[3.0; 9]).estimate(Unit::Rank, None).is_some());
}

/// For any values: the mean is in the interval, and p is below 5 % if and only if zero is outside.
#[test]
fn intervals_contain_the_mean_and_agree_with_p() {
    for count in [2, 3, 9, 10, 11, 40] {
        for right in 0..=count {
            for losses in [0, 1, right / 2] {
                let (first, mut second) = (hits(right, count), vec![0.0; count]);
                second[count - losses.min(count)..].fill(1.0);
                let mean = Estimate::of_mean(&Groups::single(first.clone()), [0.0, 1.0]).unwrap();
                let [low, high] = mean.interval();
                let share = right as f64 / count as f64;
                assert!(low <= share && share <= high, "{right} of {count}");
                let paired = paired(&first, &second);
                let found = paired.estimate(Unit::Share, None).unwrap();
                let [low, high] = found.interval();
                let [one, other] = paired.means().unwrap();
                assert!(low <= one - other && one - other <= high);
                assert_eq!(
                    low > 0.0 || high < 0.0,
                    found.p() < LEVEL,
                    "{right} {losses} of {count}"
                );
            }
        }
    }
}
