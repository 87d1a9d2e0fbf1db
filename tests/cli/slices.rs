//! `itm-explore slices`: what the real binary answers.

use crate::common;

use std::fs;
use std::process::Command;

use common::{assert_error, on_demo, printed, record, run, stderr, words};
use serde_json::{Value, json};

fn slices(args: &[&str]) -> String {
    printed(&on_demo(&[&["slices"], args].concat()))
}

fn tree(args: &[&str]) -> Value {
    serde_json::from_str(&slices(&[args, &["--format", "json"]].concat())).unwrap()
}

#[test]
fn every_format() {
    let args = ["--models", "broad,careful", "--slice", "short and rich=words <= 9 and r >= 2"];
    insta::assert_snapshot!("slices", slices(&args));
    insta::assert_snapshot!("slices_of_one_model", slices(&["--models", "naive"]));
    insta::assert_snapshot!("slices_full", slices(&[&args[..], &["--full"]].concat()));
    let csv = slices(&[&args[..], &["--format", "csv"]].concat());
    assert!(csv.starts_with("list,slice,group,where,queries,clusters,r1_delta,"), "{csv}");
    assert!(csv.contains("\nslices,short and rich,condition,words <= 9 and r >= 2,"), "{csv}");
}

/// A slice has the queries that `find` finds by its condition, with their mean.
#[test]
fn slices_are_conditions() {
    let told = tree(&["--models", "broad,careful", "--slice", "short=words <= 9"]);
    assert_eq!(told["compared"], json!(["broad", "careful"]));
    for name in ["all queries", "short", "R: 2 to 4", "relation: any", "attribute: red"] {
        let slice = record(&told, "slices", &[("slice", name)]);
        let condition = slice["where"].as_str().unwrap();
        let args = ["find", "--demo", "--model", "broad", "--format", "json", "--where"];
        let found = common::json(&[&args[..], &[condition]].concat());
        assert_eq!(slice["queries"], found["matched"], "{name}");
        let ranks = found["queries"].as_array().unwrap().iter();
        let right = ranks.clone().filter(|one| one["rank"] == 1).count();
        let broad = record(&told, "values", &[("slice", name), ("model", "broad")]);
        let wanted = right as f64 / ranks.len() as f64;
        assert!((broad["r1"].as_f64().unwrap() - wanted).abs() < 1e-12, "{name}");
    }
}

/// Categories of an instances file, a column of a table and words of a file.
#[test]
fn slices_come_from_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let all = tree(&["--direction", "i2t"]);
    let images =
        common::json(&words("find --demo -q --direction i2t --format json --where covered"));
    let ids: Vec<&Value> =
        images["queries"].as_array().unwrap().iter().map(|one| &one["id"]).collect();
    assert_eq!(record(&all, "slices", &[("slice", "all queries")])["queries"], ids.len());
    let half = &ids[..ids.len() / 2];
    let annotations = half.iter().map(|id| json!({"image_id": id, "category_id": 7}));
    let others = ids[half.len()..].iter().map(|id| json!({"image_id": id, "category_id": 9}));
    let instances = json!({
        "categories": [{"id": 7, "name": "teddy bear"}],
        "annotations": annotations.chain(others).collect::<Vec<_>>(),
    });
    fs::write(path("instances.json"), instances.to_string()).unwrap();
    let rows = half.iter().map(|id| format!("{id},2014,\"a, b\"\n"));
    fs::write(path("table.csv"), "image_id,year,kind\n".to_owned() + &rows.collect::<String>())
        .unwrap();
    fs::write(path("words.toml"), "beach = [\"sand\", \"the beach\"]\n").unwrap();
    let files = [path("instances.json"), path("table.csv"), path("words.toml")];
    let args = ["--demo", &files[0], "--table", &files[1], "--words", &files[2]];
    let found = tree(&[&args[..], &["--direction", "i2t", "--truth", "rich"]].concat());
    for name in ["category: teddy bear", "year: 2014", "kind: a, b"] {
        assert_eq!(record(&found, "slices", &[("slice", name)])["queries"], half.len(), "{name}");
    }
    let rest = ids.len() - half.len();
    assert_eq!(record(&found, "slices", &[("slice", "category: 9")])["queries"], rest);
    let groups = found["slices"].as_array().unwrap().iter().map(|one| one["group"].as_str());
    let groups: Vec<&str> = groups.flatten().collect();
    assert!(groups.contains(&"beach") && !groups.contains(&"number"), "{groups:?}");
    let missing = ["find", "--demo", "--table", &files[1], "--where", "column(\"yaer\") == 2014"];
    assert_error(1, &missing, &["no column is named \"yaer\"", "a name such as year, kind"]);
}

/// Only a `=` that is no part of a condition ends a name.
#[test]
fn a_slice_without_a_name_is_called_by_its_condition() {
    for condition in ["words<=9", "r1 == 1", "not (r1 == 0 or words >= 3)", "text ~ \"=\""] {
        let told = tree(&["--models", "broad", "--slice", condition]);
        assert_eq!(record(&told, "slices", &[("slice", condition)])["where"], condition);
    }
}

#[test]
fn wrong_inputs_are_told_with_a_fix() {
    for (args, told) in [
        ("--slice short", "--slice short, column 1"),
        ("--slice 'a=r1 == 1' --slice 'a=r1 == 0'", "two slices named a"),
        ("--slice 'x=wrods <= 8'", "did you mean words?"),
        ("--slice 'x=category(\"dog\")'", "no categories of images are known"),
        ("--slice 'x=column(\"y\") == 1'", "--table FILE.csv"),
        ("--slice x=has_word", "expected: has_word(\"two\")"),
        ("--slice x=has_word(two)", "text in double quotes"),
        ("--slice x=broad.has_word(\"two\")", "has_word is the same under any model"),
        ("--table nowhere.csv", "nowhere.csv"),
    ] {
        assert_error(1, &words(&format!("slices --demo {args}")), &[told]);
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("list.toml");
    fs::write(&file, "two\nthree\n").unwrap();
    let file = file.to_str().unwrap();
    let output = run(&["slices", "--demo", "--words", file]);
    let told = stderr(&output);
    let fix = told.lines().find_map(|line| line.trim().strip_prefix("fix: ")).unwrap();
    let command = fix.strip_suffix(" makes such a file").unwrap();
    let made = Command::new("sh").args(["-c", command]).current_dir(&folder).status();
    assert!(made.unwrap().success());
    let words = folder.path().join("example.toml");
    slices(&["--demo", "--words", words.to_str().unwrap()]);
}
