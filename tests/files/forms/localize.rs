//! `itm-explore phrases localize`: what the real binary makes of predictions, worked out by hand.

use std::path::PathBuf;
use std::process::Output;

use crate::common::{assert_error, run, stderr, stdout};
use serde_json::{Value, json};

const SEVEN: &str = "[/EN#1/people Two men] throw [/EN#0/notvisual it] to [/EN#2/animals a dog] in [/EN#3/scene the park] .\n\
                     [/EN#1/people A man] beside [/EN#1/people another] .\n";

/// The five phrases that have a box: chain 1 has two boxes of 10 x 10 pixels, chain 2 one, chain 5 one of 100 x 50.
const BOXES: &str = r#"[
    {"image_id": 7, "sentence_id": 0, "boxes": [
        [[11, 11, 20, 20], [11, 11, 50, 20]],
        [[11, 11, 20, 20], [0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1], [11, 41, 20, 45]]]},
    {"image_id": 7, "sentence_id": 1, "boxes": [[[11, 11, 50, 15]], []]},
    {"image_id": 8, "sentence_id": 0, "boxes": [[[1, 1, 100, 25.5]]]}]"#;

struct Bench(tempfile::TempDir);

impl Bench {
    fn new() -> Self {
        let bench = Bench(tempfile::tempdir().unwrap());
        let object = |chain: u32, [x1, y1, x2, y2]: [u32; 4]| {
            format!(
                "<object><name>{chain}</name><bndbox><xmin>{x1}</xmin><ymin>{y1}</ymin><xmax>{x2}</xmax>\
                 <ymax>{y2}</ymax></bndbox></object>"
            )
        };
        let annotation = |objects: &[String]| {
            let size = "<size><width>100</width><height>80</height></size>";
            format!("<annotation>{size}{}</annotation>", objects.concat())
        };
        let seven = [
            object(1, [11, 11, 20, 20]),
            object(1, [41, 11, 50, 20]),
            object(2, [11, 41, 20, 50]),
            "<object><name>3</name><scene>1</scene><nobndbox>1</nobndbox></object>".to_owned(),
        ];
        bench.write("Sentences/7.txt", SEVEN);
        bench.write("Annotations/7.xml", &annotation(&seven));
        bench.write("Sentences/8.txt", "[/EN#5/people/vehicles A rider]\n");
        bench.write("Annotations/8.xml", &annotation(&[object(5, [1, 1, 100, 50])]));
        bench.write("test.txt", "7\n8\n");
        bench.write("boxes.json", BOXES);
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn args<'a>(&'a self, files: &'a [PathBuf], more: &[&'a str]) -> Vec<&'a str> {
        let files = files.iter().map(|file| file.to_str().unwrap());
        let folder = self.0.path().to_str().unwrap();
        let mut args = vec!["phrases", "localize", "--entities", folder, "--split", "test"];
        args.extend(files);
        args.extend(more);
        args
    }

    fn answered(&self, files: &[&str], more: &[&str]) -> Output {
        let files: Vec<PathBuf> = files.iter().map(|name| self.path(name)).collect();
        let output = run(&self.args(&files, more));
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        output
    }

    fn json(&self, files: &[&str], more: &[&str]) -> Value {
        let output = self.answered(files, &[more, &["--format", "json", "-q"]].concat());
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

fn recalls(model: &Value) -> Value {
    json!([model["r1"], model["r5"], model["r10"], model["upper_bound"]])
}

#[test]
fn the_same_boxes_under_every_protocol() {
    let bench = Bench::new();
    for (protocol, expected) in [
        ("plummer", [0.4, 0.6, 0.8, 0.8]),
        ("mdetr-any", [0.4; 4]),
        ("mdetr-merged", [0.2, 0.4, 0.4, 0.4]),
        ("ban", [0.4; 4]),
    ] {
        let whole = bench.json(&["boxes.json"], &["--protocol", protocol]);
        assert_eq!(recalls(&whole["models"][0]), json!(expected), "{protocol}");
        assert_eq!(whole["protocol"], protocol);
        assert_eq!((&whole["phrases"], &whole["sentences"]), (&json!(5), &json!(3)));
    }
    let whole = bench.json(&["boxes.json"], &[]);
    let model = &whole["models"][0];
    let people = of_type(&whole, "by_type", "people");
    assert_eq!(people[0]["phrases"], 4);
    assert_eq!(recalls(people[0]), json!([0.5, 0.75, 0.75, 0.75]));
    assert!(of_type(&whole, "by_type", "scene").is_empty());
    assert_eq!((&model["without_boxes"], &model["most_boxes"]), (&json!(1), &json!(6)));
    let first = &whole["by_iou"][0];
    assert_eq!((&first["iou"], &first["r1"]), (&json!(0.1), &json!(0.6)));
}

/// The rows of a list that are of a type of phrases.
fn of_type<'a>(whole: &'a Value, list: &str, name: &str) -> Vec<&'a Value> {
    whole[list].as_array().unwrap().iter().filter(|row| row["type"] == name).collect()
}

#[test]
fn lines_and_lists_give_the_same_numbers() {
    let bench = Bench::new();
    bench.write(
        "lines.jsonl",
        "{\"image\": \"7.jpg\", \"sentence\": 0, \"phrase\": 0, \"boxes\": [[11, 11, 20, 20], [11, 11, 50, 20]]}\n\
         {\"image\": 7, \"sentence\": 0, \"chain\": 2, \"boxes\": [[11, 11, 20, 20], [0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1], [11, 41, 20, 45]]}\n\
         {\"image\": 7, \"sentence\": 1, \"phrase\": 0, \"boxes\": [[11, 11, 50, 15]]}\n\
         {\"image\": 7, \"sentence\": 1, \"phrase\": 1, \"boxes\": []}\n\
         {\"image\": 8, \"sentence\": 0, \"phrase\": 0, \"boxes\": [[1, 1, 100, 25.5]]}\n",
    );
    let both = bench.json(&["boxes.json", "lines.jsonl"], &[]);
    let [first, second] = [0, 1].map(|at| &both["models"][at]);
    assert_eq!(recalls(first), recalls(second));
    for name in ["people", "animals", "vehicles"] {
        let [one, other] = of_type(&both, "by_type", name).try_into().unwrap();
        let lies_on = |row: &Value| {
            let mut row = row.as_object().unwrap().clone();
            row.remove("model");
            row
        };
        assert_eq!(lies_on(one), lies_on(other));
    }
    assert_eq!((&first["model"], &second["model"]), (&json!("boxes"), &json!("lines")));
    let compared = &both["comparisons"][0];
    assert_eq!((&compared["delta"], &compared["ties"]), (&json!(0.0), &json!(5)));
    assert_eq!(both["comparisons"].as_array().unwrap().len(), 4);
}

#[test]
fn numbers_and_failures_for_people() {
    let bench = Bench::new();
    bench.write("worse.json", &BOXES.replace("[1, 1, 100, 25.5]", "[1, 1, 9, 9]"));
    let table = bench.answered(&["boxes.json", "worse.json"], &["-q"]);
    insta::assert_snapshot!("localize_table", stdout(&table));
    let failures = bench.answered(&["boxes.json"], &["-q", "--failures"]);
    insta::assert_snapshot!("localize_failures", stdout(&failures));
    let lines =
        bench.answered(&["boxes.json"], &["-q", "--failures", "--limit", "1", "--format", "json"]);
    let whole: Value = serde_json::from_slice(&lines.stdout).unwrap();
    let expected = json!([7, 0, 2, 2, "a dog", 0.0, 11.0]);
    let one = &whole["failures"][0];
    let keys = ["image", "sentence", "phrase", "chain", "words", "iou", "x1"];
    let found: Vec<&Value> = keys.iter().map(|key| &one[key]).collect();
    assert_eq!(json!(found), expected);
}

/// Every mistake is told on stderr, and the rest is measured.
#[test]
fn mistakes_are_told_and_the_rest_counts() {
    let bench = Bench::new();
    bench.write(
        "odd.json",
        r#"[{"image_id": 7, "sentence_id": 0, "boxes": [[[20, 11, 11, 20]], []], "scores": [[0.5], []]},
            {"image_id": 8, "sentence_id": 0, "boxes": [[[1, 1, 100, 50]]]},
            {"image_id": 99, "sentence_id": 0, "boxes": []}]"#,
    );
    let output = bench.answered(&["odd.json"], &["--format", "json"]);
    let said = stderr(&output);
    for told in [
        "odd.json: records of images that are not in the split: 1 (first: 99)",
        "boxes that end before they begin: 1 (first: image 7, sentence 0, phrase 0, [20",
        "phrases with an empty list: 1 (first: image 7, sentence 0, phrase 2)",
        "phrases without prediction: 2 (first: image 7, sentence 1, phrase 0)\n  fix: counted as a miss",
    ] {
        assert!(said.contains(told), "{told}\n{said}");
    }
    let whole: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(recalls(&whole["models"][0]), json!(vec![0.2; 4]));
    assert_eq!(whole["models"][0]["without_boxes"], 3);
}

#[test]
fn what_cannot_be_measured_is_an_error() {
    let bench = Bench::new();
    bench.write("none.txt", "99\n");
    bench.write("prose.json", "no boxes\n");
    let file = |name: &str| vec![bench.path(name)];
    let boxes = file("boxes.json");
    for (files, more, parts) in [
        (file("nowhere.json"), vec![], vec!["nowhere.json", "no such file"]),
        (file("prose.json"), vec![], vec!["prose.json: no JSON", "MDETR and GLIP"]),
        (boxes.clone(), vec!["--split", "none"], vec!["the sentences of none of the images"]),
    ] {
        let mut args = bench.args(&files, &more);
        if more.first() == Some(&"--split") {
            args.drain(4..6);
        }
        assert_error(1, &args, &parts);
    }
    assert_error(2, &bench.args(&boxes, &["--protocol", "coco"]), &["plummer", "mdetr-merged"]);
}
