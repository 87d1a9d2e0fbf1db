//! Against the published table, and invalid inputs.

use super::*;

const DRAWS: Draws = Draws { resamples: 1_000, seed: 0 };

fn published() -> Correlation {
    correlate(&crate::analysis::published_models::published().averages(), &[], DRAWS).unwrap()
}

/// The row 1K R@1 of the paper's table 5, without PMRP, which depends on a rounding tie.
const PRINTED: [f64; 10] = [0.87, 0.86, 0.94, 0.89, 0.97, 0.92, 0.89, 0.72, 0.39, 0.47];

#[test]
fn a_row_of_the_papers_table_is_reproduced() {
    let found = published();
    let row = &found.cells[0];
    let without_pmrp = (1..12).filter(|&at| found.metrics[at] != "pmrp");
    let taus: Vec<f64> = without_pmrp.map(|at| row[at].tau.unwrap()).collect();
    assert_eq!(taus.len(), PRINTED.len());
    for (found, printed) in taus.iter().zip(PRINTED) {
        assert!((found - printed).abs() < 0.005, "{found} is not {printed}");
    }
}

/// Two models tie at the rounded PMRP of 57.65, where the paper has 0.45, 0.43, 0.43 and 0.29.
#[test]
fn four_entries_differ_because_of_a_printed_tie() {
    let found = published();
    let pmrp = found.metrics.iter().position(|key| key == "pmrp").unwrap();
    let tau = |key: &str| {
        let at = found.metrics.iter().position(|known| known == key).unwrap();
        found.cells[pmrp][at].tau.unwrap()
    };
    let keys = ["coco_1k_r1", "coco_1k_r10", "coco_1k_rsum", "eccv_r1"];
    for (key, expected) in keys.into_iter().zip([0.444, 0.424, 0.424, 0.284]) {
        assert!((tau(key) - expected).abs() < 0.0005, "{key}: {}", tau(key));
    }
}

/// Every entry above the diagonal, from `scipy.stats.kendalltau` of `SciPy` 1.17 on the same averages.
#[test]
fn every_entry_equals_the_reference() {
    let found = published();
    let mut expected = REFERENCE.iter();
    for row in 0..12 {
        let own = found.cells[row][row];
        assert_eq!((own.tau, own.models), (Some(1.0), 25));
        assert_eq!((own.interval, own.by_family), (None, None));
        for column in row + 1..12 {
            let tau = found.cells[row][column].tau.unwrap();
            assert!((tau - expected.next().unwrap()).abs() < 1e-12, "{row} {column}: {tau}");
            assert_eq!(found.cells[row][column], found.cells[column][row]);
        }
    }
    assert_eq!(expected.next(), None);
}

fn model(name: &str, averages: &[(&str, f64)]) -> ModelValues {
    let owned = averages.iter().map(|(key, value)| ((*key).to_owned(), *value));
    ModelValues { name: name.into(), family: None, averages: owned.collect() }
}

#[test]
fn a_pair_of_metrics_uses_the_models_that_have_both() {
    let models = [
        model("a", &[("x_r1", 0.1), ("x_mean_rank", 9.0), ("y_r1", 0.3)]),
        model("b", &[("x_r1", 0.2), ("x_mean_rank", 7.0), ("z_r1", 0.3)]),
        model("c", &[("x_r1", 0.3), ("x_mean_rank", 5.0), ("y_r1", 0.2)]),
    ];
    let found = correlate(&models, &[], DRAWS).unwrap();
    assert_eq!(found.metrics, ["x_r1", "x_mean_rank"]);
    assert_eq!(found.left_out, ["y_r1", "z_r1"]);
    let wanted = ["x_r1", "x_mean_rank", "y_r1"].map(str::to_owned);
    let found = correlate(&models, &wanted, DRAWS).unwrap();
    // Lower ranks are better: both metrics put c first.
    assert_eq!(numbers(found.cells[0][1]), (Some(1.0), 3));
    // For two models it would say only which is better.
    assert_eq!(numbers(found.cells[0][2]), (None, 2));
    assert_eq!(numbers(found.cells[1][2]), (None, 2));
}

/// Few models: no interval.
fn numbers(cell: MetricAgreement) -> (Option<f64>, usize) {
    assert_eq!((cell.interval, cell.by_family), (None, None));
    (cell.tau, cell.models)
}

/// Percentiles of 200,000 resamples by numpy and `scipy.stats.kendalltau` of `SciPy` 1.17, by model and by family.
#[test]
fn intervals_come_near_the_reference() {
    let draws = Draws { resamples: 20_000, seed: 1 };
    let keys = ["coco_1k_r1", "eccv_r1", "eccv_map_at_r"].map(str::to_owned);
    let found = correlate(&crate::analysis::published_models::published().averages(), &keys, draws)
        .unwrap();
    for ([row, column], over_models, by_family) in INTERVALS {
        let cell = found.cells[row][column];
        for (interval, expected) in [(cell.interval, over_models), (cell.by_family, by_family)] {
            for (end, expected) in interval.unwrap().into_iter().zip(expected) {
                assert!((end - expected).abs() < 0.02, "{row} {column}: {end}, not {expected}");
            }
        }
    }
}

/// Four seeds of each of two methods: eight models, but two families, too few for an interval.
#[test]
fn seeds_of_one_method_are_one_family() {
    let one = |at: u32| {
        let name = format!("{}@{}", ["ours", "base"][(at / 4) as usize], at % 4);
        let value = f64::from(at * 3 % 8) / 8.0;
        model(&name, &[("x_r1", f64::from(at) / 8.0), ("y_r1", value)])
    };
    let models: Vec<ModelValues> = (0..8).map(one).collect();
    let found = correlate(&models, &[], DRAWS).unwrap();
    assert_eq!(found.families[..5], ["ours", "ours", "ours", "ours", "base"]);
    let cell = found.cells[0][1];
    let [low, high] = cell.interval.unwrap();
    assert!(low < cell.tau.unwrap() && cell.tau.unwrap() < high && high <= 1.0);
    assert_eq!(cell.by_family, None);
    // A published family and a model of that name are two.
    let mut five = models[..4].to_vec();
    for (at, model) in five.iter_mut().enumerate() {
        model.name = ["CLIP", "a", "b", "c"][at].into();
    }
    let published = ModelValues { family: Some("CLIP".into()), ..models[4].clone() };
    five.extend([published.clone(), published]);
    let without: Vec<ModelValues> = five[1..].to_vec();
    let is_told = |models: &[ModelValues]| {
        let found = correlate(models, &[], DRAWS).unwrap();
        found.cells[0][1].by_family.is_some()
    };
    assert!(is_told(&five) && is_told(&without) && !is_told(&without[1..]));
}

#[test]
fn errors_say_what_cannot_be_correlated() {
    let error_text = |models: &[ModelValues], wanted: &[&str]| {
        let wanted: Vec<String> = wanted.iter().map(ToString::to_string).collect();
        correlate(models, &wanted, DRAWS).unwrap_err().to_string()
    };
    let (a, b) = (model("a", &[("x_r1", 0.1)]), model("b", &[("y_r1", 0.1)]));
    let c = model("c", &[("z_r10", 0.1)]);
    assert!(error_text(std::slice::from_ref(&a), &[]).contains("--published"));
    let two = error_text(&[a.clone(), a.clone()], &[]);
    assert!(two.contains("2 models in all") && two.contains("three models"));
    let three = [a, b, c];
    assert!(error_text(&three, &[]).contains("no metric that three models have"));
    assert!(error_text(&three, &["z_r1"]).contains("of: x_r1, y_r1"));
}

#[test]
fn groups_are_resampled_together() {
    let drawn = resample(&[0, 0, 1, 2, 3, 3], Use::Families, DRAWS);
    assert_eq!(drawn.len(), 1_000);
    for times in &drawn {
        assert_eq!((times[0], times[4]), (times[1], times[5]));
        assert_eq!(times[0] + times[2] + times[3] + times[4], 4);
    }
    assert!(drawn.iter().any(|times| times[2] == 2));
}

#[test]
fn few_groups_or_only_ties_have_no_interval() {
    let drawn = |labels: &[usize]| resample(labels, Use::Models, DRAWS);
    assert!(drawn(&[]).is_empty() && drawn(&[0, 1, 2, 2]).is_empty());
    let four = drawn(&[0, 1, 2, 3]);
    let rising = [1.0, 2.0, 3.0, 4.0];
    assert_eq!(interval(&Series::new(&rising, &[1.0; 4]), &four), None);
    // If sorted equally or oppositely, so is each resample.
    for same in [rising, rising.map(|value| -value)] {
        assert_eq!(interval(&Series::new(&rising, &same), &four), None);
    }
    let other = interval(&Series::new(&rising, &[2.0, 1.0, 3.0, 4.0]), &four);
    assert!(other.is_some_and(|[low, high]| low < high));
}

const REFERENCE: [f64; 66] = [
    0.8666666666666665,
    0.8599999999999999,
    0.94,
    0.8866666666666665,
    0.973333333333333,
    0.9199999999999998,
    0.8866666666666665,
    0.4440740745906282,
    0.7199999999999999,
    0.3866666666666666,
    0.4733333333333333,
    0.9666666666666665,
    0.9266666666666664,
    0.7933333333333331,
    0.8799999999999999,
    0.9333333333333331,
    0.7933333333333331,
    0.390651629527094,
    0.8133333333333331,
    0.4933333333333333,
    0.5799999999999998,
    0.9199999999999998,
    0.7733333333333332,
    0.8599999999999999,
    0.9133333333333332,
    0.7733333333333332,
    0.4240406576918029,
    0.7933333333333331,
    0.4866666666666665,
    0.5733333333333333,
    0.8399999999999999,
    0.94,
    0.9533333333333331,
    0.8399999999999999,
    0.4240406576918029,
    0.7666666666666665,
    0.43333333333333324,
    0.5199999999999999,
    0.8866666666666665,
    0.8333333333333331,
    0.9999999999999998,
    0.45075188022357,
    0.6466666666666666,
    0.29999999999999993,
    0.3866666666666666,
    0.9466666666666665,
    0.8866666666666665,
    0.43071846332474467,
    0.7466666666666665,
    0.4133333333333333,
    0.4999999999999999,
    0.8333333333333331,
    0.3772960182612104,
    0.7999999999999998,
    0.46666666666666656,
    0.5533333333333332,
    0.45075188022357,
    0.6466666666666666,
    0.29999999999999993,
    0.3866666666666666,
    0.28380673940002554,
    0.17028404364001534,
    0.19699526617178242,
    0.6533333333333332,
    0.7399999999999999,
    0.8999999999999998,
];

const INTERVALS: [([usize; 2], [f64; 2], [f64; 2]); 3] = [
    ([0, 1], [0.4914, 0.8893], [0.4095, 0.9325]),
    ([0, 2], [0.2249, 0.6842], [0.0889, 0.7268]),
    ([1, 2], [0.5764, 0.8737], [0.4536, 0.8657]),
];
