//! Rows equal the evaluation, on the demo.

use super::*;
use crate::data::index::ModelIx;
use crate::evaluate::{self, Value};
use crate::study::demo;

fn request(metrics: &[&str], clustering: Clustering) -> TestRequest {
    let models = demo::open().unwrap().models;
    let names = metrics.iter().map(ToString::to_string).collect();
    TestRequest {
        models: (0..3).map(|model| Runs::single(&models, ModelIx::new(model))).collect(),
        lines: plan::Request { metrics: plan::Choice::Named(names), ..plan::Request::default() },
        directions: Direction::BOTH.to_vec(),
        clustering,
    }
}

fn rows(request: &TestRequest) -> Vec<ModelDifference> {
    let study = demo::open().unwrap();
    let measured = compute_values(&study, request, &CancelToken::default()).unwrap().unwrap();
    measured.rows()
}

/// Means equal those of `eval`, for all pairs of models, truths, directions.
#[test]
fn means_are_those_of_the_evaluation() {
    let request = request(&["r1", "map_at_r", "mean_rank"], Clustering::ByQuery);
    let study = demo::open().unwrap();
    let whole = evaluate::evaluate(&study, &request.lines, &CancelToken::default()).unwrap();
    let rows = rows(&request);
    // Pairs of models, truths, metrics, directions.
    assert_eq!(rows.len(), 3 * 3 * 3 * 2);
    for row in rows {
        let at = whole.lines.iter().position(|line| line.key == row.line.key).unwrap();
        let mean = |model: usize| match whole.models[model].2[at] {
            Value::Each(summaries) => summaries[row.direction].unwrap().value.unwrap(),
            Value::Both(_) => unreachable!("no sum was asked for"),
        };
        assert_eq!(row.paired.means(), Some(row.models.map(mean)), "{}", row.line.key);
    }
}

/// Five captions of an image are less evidence than five independent ones; images are unchanged.
#[test]
fn clustering_by_image_changes_only_caption_queries() {
    let alone = rows(&request(&["map_at_r"], Clustering::ByQuery));
    let together = rows(&request(&["map_at_r"], Clustering::ByImage));
    for (alone, together) in alone.iter().zip(&together) {
        let same = alone.estimate == together.estimate;
        assert_eq!(same, alone.direction == Direction::I2t, "{}", alone.line.key);
    }
}

#[test]
fn metrics_without_per_query_values_are_refused() {
    let study = demo::open().unwrap();
    for name in ["rsum", "median_rank"] {
        let request = request(&["r1", name], Clustering::ByQuery);
        let said = compute_values(&study, &request, &CancelToken::default()).unwrap_err();
        assert!(said.to_string().contains("a value for each query"), "{said}");
    }
}

#[test]
fn captions_without_original_image_are_not_clustered() {
    let mut study = demo::open().unwrap();
    study.truths.remove(0);
    let request = request(&["r1"], Clustering::ByImage);
    let measured = compute_values(&study, &request, &CancelToken::default()).unwrap().unwrap();
    let rows = measured.rows();
    assert!(rows.iter().all(|row| row.clusters == row.paired.queries.len()));
}

/// The suggested fix works.
#[test]
fn the_fix_for_fold_metrics_names_the_compared_one() {
    let of = |name: &str| no_per_query_value(name).advice()[1].unwrap().to_owned();
    assert!(of("coco_1k_r5").starts_with("--pool folds --metrics r5 "), "{}", of("coco_1k_r5"));
    assert!(of("coco_1k_rsum").contains("eval prints"), "{}", of("coco_1k_rsum"));
}

/// Two runs against one: no test calls the difference significant, however large. Two against two are tested.
#[test]
fn a_single_run_beside_several_is_not_tested() {
    let mut study = demo::open().unwrap();
    for from in [0, 2] {
        let mut run = study.models[from].clone();
        run.name += "@2";
        study.models.push(run);
    }
    let model = |places: &[usize]| Runs {
        name: format!("{places:?}"),
        models: places.iter().map(|&at| ModelIx::new(at)).collect(),
    };
    let rows = |models: [&[usize]; 2]| {
        let request = TestRequest {
            models: models.map(model).into(),
            ..request(&["r1"], Clustering::ByImage)
        };
        let measured = compute_values(&study, &request, &CancelToken::default());
        measured.unwrap().unwrap().rows()
    };
    let last = study.models.len() - 1;
    for row in rows([&[0, last - 1], &[2]]) {
        assert_eq!(row.single_run(), Some(1));
        assert!(row.testable_estimate().is_none() && row.corrected.holm.is_none());
        assert!(!row.is_significant());
        // Its runs are equal, so its interval equals that of one run.
        assert!(row.interval().is_some());
    }
    let both = rows([&[0, last - 1], &[2, last]]);
    let alone = rows([&[0], &[2]]);
    assert!(both.iter().any(ModelDifference::is_significant));
    for (both, alone) in both.iter().zip(&alone) {
        assert_eq!((both.single_run(), alone.single_run()), (None, None));
        assert_eq!(both.interval(), alone.interval());
    }
}
