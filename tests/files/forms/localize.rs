//! `itm-explore phrases localize`: what the real binary makes of predictions, worked out by hand.

use crate::common::{Folder, assert_error, stderr};
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

fn bench() -> Folder {
    let bench = Folder::new();
    for folder in ["Sentences", "Annotations"] {
        std::fs::create_dir(bench.path(folder)).unwrap();
    }
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
    bench.write("Annotations/7.xml", annotation(&seven));
    bench.write("Sentences/8.txt", "[/EN#5/people/vehicles A rider]\n");
    bench.write("Annotations/8.xml", annotation(&[object(5, [1, 1, 100, 50])]));
    bench.write("test.txt", "7\n8\n");
    bench.write("boxes.json", BOXES);
    bench
}

/// A command on predictions for the phrases of the folder.
fn line(more: &str) -> String {
    format!("phrases localize --entities . --split test -q {more}")
}

fn recalls(model: &Value) -> Value {
    json!([model["r1"], model["r5"], model["r10"], model["upper_bound"]])
}

#[test]
fn the_same_boxes_under_every_protocol() {
    let bench = bench();
    for (protocol, expected) in [
        ("plummer", [0.4, 0.6, 0.8, 0.8]),
        ("mdetr-any", [0.4; 4]),
        ("mdetr-merged", [0.2, 0.4, 0.4, 0.4]),
        ("ban", [0.4; 4]),
    ] {
        let whole = bench.json(&line(&format!("boxes.json --protocol {protocol}")));
        assert_eq!(recalls(&whole["models"][0]), json!(expected), "{protocol}");
        assert_eq!(whole["protocol"], protocol);
        assert_eq!((&whole["phrases"], &whole["sentences"]), (&json!(5), &json!(3)));
    }
    let whole = bench.json(&line("boxes.json"));
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
    let bench = bench();
    bench.write(
        "lines.jsonl",
        "{\"image\": \"7.jpg\", \"sentence\": 0, \"phrase\": 0, \"boxes\": [[11, 11, 20, 20], [11, 11, 50, 20]]}\n\
         {\"image\": 7, \"sentence\": 0, \"chain\": 2, \"boxes\": [[11, 11, 20, 20], [0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1], [11, 41, 20, 45]]}\n\
         {\"image\": 7, \"sentence\": 1, \"phrase\": 0, \"boxes\": [[11, 11, 50, 15]]}\n\
         {\"image\": 7, \"sentence\": 1, \"phrase\": 1, \"boxes\": []}\n\
         {\"image\": 8, \"sentence\": 0, \"phrase\": 0, \"boxes\": [[1, 1, 100, 25.5]]}\n",
    );
    let both = bench.json(&line("boxes.json lines.jsonl"));
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
    let bench = bench();
    bench.write("worse.json", BOXES.replace("[1, 1, 100, 25.5]", "[1, 1, 9, 9]"));
    insta::assert_snapshot!("localize_table", bench.printed(&line("boxes.json worse.json")));
    insta::assert_snapshot!("localize_failures", bench.printed(&line("boxes.json --failures")));
    let whole = bench.json(&line("boxes.json --failures --limit 1"));
    let expected = json!([7, 0, 2, 2, "a dog", 0.0, 11.0]);
    let one = &whole["failures"][0];
    let keys = ["image", "sentence", "phrase", "chain", "words", "iou", "x1"];
    let found: Vec<&Value> = keys.iter().map(|key| &one[key]).collect();
    assert_eq!(json!(found), expected);
}

/// Every mistake is told on stderr, and the rest is measured.
#[test]
fn mistakes_are_told_and_the_rest_counts() {
    let bench = bench();
    bench.write(
        "odd.json",
        r#"[{"image_id": 7, "sentence_id": 0, "boxes": [[[20, 11, 11, 20]], []], "scores": [[0.5], []]},
            {"image_id": 8, "sentence_id": 0, "boxes": [[[1, 1, 100, 50]]]},
            {"image_id": 99, "sentence_id": 0, "boxes": []}]"#,
    );
    let output = bench.done("phrases localize --entities . --split test odd.json --format json");
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
    let bench = bench();
    bench.write("none.txt", "99\n");
    bench.write("prose.json", "no boxes\n");
    for (more, parts) in [
        ("--split test nowhere.json", &["nowhere.json", "no such file"][..]),
        ("--split test prose.json", &["prose.json: no JSON", "MDETR and GLIP"]),
        ("--split none boxes.json", &["the sentences of none of the images"]),
    ] {
        bench.refused(&format!("phrases localize --entities . {more}"), parts);
    }
    let args = ["phrases", "localize", "--entities", ".", "boxes.json", "--protocol", "coco"];
    assert_error(2, &args, &["plummer", "mdetr-merged"]);
}
