//! `itm-explore correlate`: what the real binary answers.

use crate::common;

use std::process::Output;

use common::{assert_error, record, run, stderr, stdout};
use serde_json::Value;

fn answered(args: &[&str]) -> Output {
    let output = run(args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    output
}

#[test]
fn the_published_table_in_every_format() {
    for format in ["table", "csv", "markdown", "latex"] {
        let output = answered(&["correlate", "--published", "--format", format]);
        insta::assert_snapshot!(format!("correlate_{format}"), stdout(&output));
    }
    let output = answered(&["correlate", "--published", "--format", "json"]);
    let whole: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(whole["models"].as_array().unwrap().len(), 25);
    assert_eq!(whole["pairs"].as_array().unwrap().len(), 66);
    let pair = record(&whole, "pairs", &[("metric", "coco_5k_r1"), ("other", "cxc_r1")]);
    assert_eq!((&pair["tau_b"], &pair["models"]), (&1.0.into(), &25.into()));
}

/// Output of `eval` is read, from one file or two; models with the same name are numbered.
#[test]
fn results_of_eval_are_correlated() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("demo.json");
    let eval = answered(&["eval", "--demo", "-q", "--format", "json"]);
    std::fs::write(&file, &eval.stdout).unwrap();
    let copy = folder.path().join("again.json");
    std::fs::copy(&file, &copy).unwrap();
    let file = file.to_str().unwrap();
    let both = ["correlate", file, copy.to_str().unwrap()];
    assert_error(1, &both, &["again.json: careful again, with the same numbers"]);
    // As if trained anew, and evaluated on another gallery.
    let mut other: Value = serde_json::from_slice(&eval.stdout).unwrap();
    other["study"]["images"] = 30.into();
    for model in other["models"].as_array_mut().unwrap() {
        model["metrics"]["original_r1"]["i2t"] = 0.5.into();
    }
    std::fs::write(&copy, other.to_string()).unwrap();
    let output = answered(&[
        "correlate",
        file,
        copy.to_str().unwrap(),
        "--metrics",
        "original_r1,rich_r1",
        "--format",
        "json",
    ]);
    let said = stderr(&output);
    assert!(said.contains("30 images x 300 captions") && said.contains("60 images"), "{said}");
    let whole: Value = serde_json::from_slice(&output.stdout).unwrap();
    let names = ["careful", "broad", "naive", "careful-2", "broad-2", "naive-2"];
    assert_eq!(whole["models"], serde_json::json!(names));
    assert_eq!(whole["pairs"][0]["models"], 6);
    assert_error(1, &["correlate", file, file], &["named twice"]);
    assert_error(
        1,
        &["correlate", file, "--metrics", "eccv_r1"],
        &["--metrics", "eccv_r1", "rich_r1"],
    );
}

#[test]
fn models_take_their_place_among_the_published_ones() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ours.json");
    let ours = r#"{"models": [{"name": "ours", "metrics": {
        "eccv_map_at_r": {"i2t": 0.9, "t2i": 0.9}, "coco_5k_r1": {"i2t": 0.1, "t2i": 0.1},
        "coco_1k_rsum": {"both": 418.9}}}]}"#;
    std::fs::write(&file, ours).unwrap();
    let output = answered(&["correlate", "--published", file.to_str().unwrap()]);
    let text = stdout(&output);
    let places = text.split("places among").nth(1).unwrap();
    insta::assert_snapshot!("correlate_places", places);
    let output =
        answered(&["correlate", "--published", file.to_str().unwrap(), "--format", "json"]);
    let whole: Value = serde_json::from_slice(&output.stdout).unwrap();
    for (other, models) in [("coco_5k_r1", 26), ("coco_5k_r5", 25)] {
        let pair = record(&whole, "pairs", &[("metric", "coco_1k_rsum"), ("other", other)]);
        assert_eq!(pair["models"], models);
    }
}

/// The demo is another gallery than that of the published models.
#[test]
fn models_of_another_gallery_share_no_metric_with_the_published_ones() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("demo.json");
    let eval = answered(&["eval", "--demo", "-q", "--truth", "original,rich", "--format", "json"]);
    std::fs::write(&file, &eval.stdout).unwrap();
    let file = file.to_str().unwrap();
    let told = |args: &[&str]| stdout(&answered(&[&["correlate", file], args].concat()));
    let said = "share no metric";
    assert!(told(&["--published"]).contains(said) && !told(&[]).contains(said));
    let two = folder.path().join("two.json");
    let mut whole: Value = serde_json::from_slice(&eval.stdout).unwrap();
    whole["models"].as_array_mut().unwrap().truncate(2);
    std::fs::write(&two, whole.to_string()).unwrap();
    let parts = ["2 models in all", "three models or more", "--published"];
    assert_error(1, &["correlate", two.to_str().unwrap()], &parts);
}

#[test]
fn what_cannot_be_correlated_is_told() {
    assert_error(2, &["correlate"], &["<RESULTS>"]);
    let captions = common::demo_file("captions.json");
    assert_error(1, &["correlate", &captions], &["captions.json", "eval FILES --format json"]);
    assert_error(1, &["correlate", "/nowhere.json"], &["/nowhere.json", "no such file"]);
}
