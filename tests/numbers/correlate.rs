//! `itm-explore correlate`: what the real binary answers.

use crate::common;

use common::{Folder, assert_error, record, stderr};
use serde_json::Value;

#[test]
fn the_published_table_in_every_format() {
    let folder = Folder::new();
    for format in ["table", "csv", "markdown", "latex"] {
        let table = folder.printed(&format!("correlate --published --format {format}"));
        insta::assert_snapshot!(format!("correlate_{format}"), table);
    }
    let whole = folder.json("correlate --published");
    assert_eq!(whole["models"].as_array().unwrap().len(), 25);
    assert_eq!(whole["pairs"].as_array().unwrap().len(), 66);
    let pair = record(&whole, "pairs", &[("metric", "coco_5k_r1"), ("other", "cxc_r1")]);
    assert_eq!((&pair["tau_b"], &pair["models"]), (&1.0.into(), &25.into()));
}

/// Output of `eval` is read, from one file or two; models with the same name are numbered.
#[test]
fn results_of_eval_are_correlated() {
    let folder = Folder::new();
    let mut other = folder.json("eval --demo -q");
    folder.write("demo.json", other.to_string());
    folder.write("again.json", other.to_string());
    let again = ["again.json: careful again, with the same numbers"];
    folder.refused("correlate demo.json again.json", &again);
    // As if trained anew, and evaluated on another gallery.
    other["study"]["images"] = 30.into();
    for model in other["models"].as_array_mut().unwrap() {
        model["metrics"]["original_r1"]["i2t"] = 0.5.into();
    }
    folder.write("again.json", other.to_string());
    let both = "correlate demo.json again.json --metrics original_r1,rich_r1 --format json";
    let output = folder.done(both);
    let said = stderr(&output);
    assert!(said.contains("30 images x 300 captions") && said.contains("60 images"), "{said}");
    let whole: Value = serde_json::from_slice(&output.stdout).unwrap();
    let names = ["careful", "broad", "naive", "careful-2", "broad-2", "naive-2"];
    assert_eq!(whole["models"], serde_json::json!(names));
    assert_eq!(whole["pairs"][0]["models"], 6);
    for (line, parts) in [
        ("demo.json demo.json", &["named twice"][..]),
        ("demo.json --metrics eccv_r1", &["--metrics", "eccv_r1", "rich_r1"]),
        ("demo/captions.json", &["captions.json", "eval FILES --format json"]),
        ("/nowhere.json", &["/nowhere.json", "no such file"]),
    ] {
        folder.refused(&format!("correlate {line}"), parts);
    }
    assert_error(2, &["correlate"], &["<RESULTS>"]);
}

#[test]
fn models_take_their_place_among_the_published_ones() {
    let folder = Folder::new();
    let ours = r#"{"models": [{"name": "ours", "metrics": {
        "eccv_map_at_r": {"i2t": 0.9, "t2i": 0.9}, "coco_5k_r1": {"i2t": 0.1, "t2i": 0.1},
        "coco_1k_rsum": {"both": 418.9}}}]}"#;
    folder.write("ours.json", ours);
    let text = folder.printed("correlate --published ours.json");
    insta::assert_snapshot!("correlate_places", text.split("places with").nth(1).unwrap());
    let whole = folder.json("correlate --published ours.json");
    for (other, models) in [("coco_5k_r1", 26), ("coco_5k_r5", 25)] {
        let pair = record(&whole, "pairs", &[("metric", "coco_1k_rsum"), ("other", other)]);
        assert_eq!(pair["models"], models);
    }
}

/// The demo is another gallery than that of the published models.
#[test]
fn models_of_another_gallery_share_no_metric_with_the_published_ones() {
    let folder = Folder::new();
    let mut whole = folder.json("eval --demo -q --truth original,rich");
    folder.write("demo.json", whole.to_string());
    let said = "share no metric";
    assert!(folder.printed("correlate demo.json --published").contains(said));
    assert!(!folder.printed("correlate demo.json").contains(said));
    whole["models"].as_array_mut().unwrap().truncate(2);
    folder.write("two.json", whole.to_string());
    let parts = ["2 models in all", "three models or more", "--published"];
    folder.refused("correlate two.json", &parts);
}
