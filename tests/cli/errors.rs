//! `itm-explore errors`: what the real binary answers.

use crate::common;

use common::{assert_error, demo_file, on_demo, printed, record, run, stderr, stdout, words};
use itm_explore::analysis::kinds;
use itm_explore::study::demo;
use serde_json::Value;

fn errors(args: &[&str]) -> String {
    printed(&on_demo(&[&["errors", "-q"], args].concat()))
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&errors(&[args, &["--format", "json"]].concat())).unwrap()
}

#[test]
fn every_format() {
    let args =
        ["--model", "naive,broad", "--truth", "rich,original", "--hubs", "3", "--words", "4"];
    for format in ["table", "markdown", "latex"] {
        let told = errors(&[&args[..], &["--format", format]].concat());
        insta::assert_snapshot!(format!("errors_{format}"), told);
    }
    insta::assert_snapshot!("errors_full", errors(&[&args[..], &["--full"]].concat()));
    let csv = errors(&[&args[..], &["--format", "csv"]].concat());
    assert!(csv.starts_with("list,model,truth,direction,kind,queries,of,"), "{csv}");
    assert!(csv.contains("\nkinds,naive,rich,t2i,judged,120,"), "{csv}");
    let lines = errors(&[&args[..], &["--format", "jsonl"]].concat());
    let rows: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let rows = serde_json::json!({ "rows": rows });
    let naive = |list, more: &[(&str, &str)]| {
        let of = [("list", list), ("model", "naive"), ("truth", "rich")];
        record(&rows, "rows", &[&of[..], more].concat())
    };
    let text = "Two bicycles rest on either side of a tree.";
    assert_eq!(naive("hubs", &[("text", text)])["n_10"], 266);
    // `2 * scipy.stats.norm.sf(sqrt(14))`, of 246 words.
    let side = naive("swapped", &[("word", "side")]);
    assert_eq!(side["added"], 14);
    assert!((side["p"].as_f64().unwrap() - 0.00018281).abs() < 1e-8, "{side}");
    assert!((side["p_holm"].as_f64().unwrap() - 0.04497).abs() < 1e-5, "{side}");
}

#[test]
fn kinds_that_are_conditions_are_what_find_finds() {
    for direction in ["i2t", "t2i"] {
        let told = json(&["--direction", direction, "--truth", "rich", "--model", "broad"]);
        let mut conditions = 0;
        for (kind, of) in told["kinds"].as_object().unwrap() {
            let Some(condition) = of["where"].as_str() else {
                continue;
            };
            conditions += 1;
            let view = ["--model", "broad", "--truth", "rich", "--direction", direction];
            let find = ["find", "--demo", "-q", "--format", "json", "--where", condition];
            let found = common::json(&[&find, &view[..]].concat());
            assert_eq!(told["models"][0]["kinds"]["rich"][kind], found["matched"], "{kind}");
        }
        assert_eq!(conditions, kinds::for_study(&demo::open().unwrap()).len());
    }
}

/// A missing label is one of the queries that both truths judge, whichever is looked at: of the demo's 300
/// captions `rich` covers 120, `pm` 290 and both 116.
#[test]
fn shares_of_two_truths_are_of_what_both_judge() {
    let told = json(&["--model", "broad", "--direction", "t2i"]);
    let kinds = &told["models"][0]["kinds"];
    for truth in ["original", "rich"] {
        let found = &kinds[truth];
        assert_eq!(
            (&found["missing-label"], &found["of"]["missing-label"]),
            (&67.into(), &120.into())
        );
        assert_eq!((&found["pm-only"], &found["of"]["pm-only"]), (&5.into(), &116.into()));
        assert_eq!(found["of"]["same-image-sibling"], 120);
        assert_eq!(found["of"]["failure"], found["judged"]);
    }
    assert_eq!(kinds["pm"]["of"]["missing-label"], 116);
    assert_eq!(kinds["original"]["judged"], 300);
    let table = errors(&["--full", "--model", "broad", "--truth", "original"]);
    let row = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(table.lines().any(|line| row(line) == "missing label 67 120 55.8"), "{table}");
    let csv = errors(&["--model", "broad", "--truth", "original", "--format", "csv"]);
    assert!(csv.contains("\nkinds,broad,original,t2i,missing-label,67,120,"), "{csv}");
}

/// Expected numbers: `NumPy` in double precision over the whole matrices of the demo, with a stable sort; skewness
/// as the third moment over the cube of `numpy.std`.
#[test]
fn numbers_are_those_of_numpy() {
    let told = json(&["--model", "naive", "--truth", "rich"]);
    let near = |found: &Value, expected: f64| {
        let found = found.as_f64().unwrap();
        assert!((found - expected).abs() < 1e-12, "{found}, not {expected}");
    };
    let model = &told["models"][0];
    near(&model["hubness"][2]["skewness"], 3.3702390944854606);
    near(&model["hubness"][2]["deviation"], 52.64250500625263);
    let i2t = json(&["--model", "naive", "--direction", "i2t"]);
    near(&i2t["models"][0]["hubness"][2]["skewness"], 8.087004024890582);
}

#[test]
fn a_pool_is_counted_by_itself() {
    let told = json(&["--pool", "random20s3", "--model", "naive"]);
    let model = &told["models"][0];
    assert_eq!(model["hubness"][0]["items"], 20);
    assert!((model["hubness"][0]["mean"].as_f64().unwrap() - 5.0).abs() < 1e-12);
    assert_eq!(model["kinds"]["original"]["judged"], 100);
}

/// Lists go as far as they go: hubs are counted, what needs more is not.
#[test]
fn ranked_lists_have_hubs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("short.json");
    let original = std::fs::read_to_string(demo_file("original_image_to_caption.json")).unwrap();
    let mut lists: serde_json::Map<String, Value> = serde_json::from_str(&original).unwrap();
    let captions = lists.values().next().unwrap().clone();
    lists.values_mut().for_each(|list| list.clone_from(&captions));
    std::fs::write(&path, Value::Object(lists).to_string()).unwrap();
    let (demo, run_file) = (demo_file(""), path.to_str().unwrap());
    let args = [demo.as_str(), "--run-i2t", run_file, "--model", "short", "--truth", "original"];
    let told = json(&args);
    assert_eq!(told["direction"], "i2t", "the only one that the model ranks");
    let model = &told["models"][0];
    assert_eq!(model["hubs"][0]["n"]["1"], 60);
    assert_eq!(model["hubs"][0]["wrong_first_for"].as_array().unwrap().len(), 59);
    assert_eq!(model["kinds"]["original"]["far-miss"], 0, "unknown is not met");
    let table = errors(&args);
    assert!(!table.contains("far miss"), "{table}");
    let other = table.lines().find(|line| line.starts_with(" other")).unwrap();
    assert!(other.ends_with("63.3"), "38 of 60, 21 are uncovered: {other}");
}

#[test]
fn mistakes_are_told() {
    for (args, told) in [
        ("--model hobby", "no model is named hobby"),
        ("--truth poor", "no ground truth is named poor"),
    ] {
        assert_error(1, &words(&format!("errors -q --demo {args}")), &[told]);
    }
}

/// With annotated phrases there is one more kind.
#[test]
fn phrases_are_told_where_they_are_annotated() {
    let entities = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/entities");
    let args = words("errors -q --demo --truth original --model naive --format json");
    let told = |more: &[&str]| common::json(&[&args[..], more].concat());
    let without = told(&[]);
    assert!(without["kinds"]["unrelated-caption"].is_null());
    for direction in ["t2i", "i2t"] {
        let with = told(&["--direction", direction, "--entities", entities]);
        let of = &with["models"][0];
        let phrases = serde_json::json!({
            "unrelated": [of["kinds"]["original"]["unrelated-caption"], of["kinds"]["original"]["of"]["unrelated-caption"]],
        });
        insta::assert_snapshot!(
            format!("errors_phrases_{direction}"),
            serde_json::to_string_pretty(&phrases).unwrap()
        );
    }
}

#[test]
fn statistics_of_entities_in_two_formats() {
    let entities = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/entities");
    for format in ["table", "json"] {
        let output = run(&["phrases", "stats", entities, "--split", "test", "--format", format]);
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
        insta::assert_snapshot!(format!("entities_{format}"), stdout(&output));
    }
    let missing = ["phrases", "stats", concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/demo")];
    assert_error(
        1,
        &missing,
        &["fixtures/demo/Sentences: no such file", "with Sentences/ and Annotations/ in it"],
    );
}
