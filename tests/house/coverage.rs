//! Queries and pairs that a truth does not judge, and messages about them.

use crate::common;

use std::fs;
use std::process::Output;

use common::{npy, run, stderr, stdout};
use serde_json::{Value, json};

fn done(args: &[&str]) -> Output {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    output
}

/// A study of two images with two captions each, and categories.
struct Small(tempfile::TempDir);

impl Small {
    fn new() -> Self {
        let small = Small(tempfile::tempdir().unwrap());
        let captions = json!({
            "images": [{"id": 1, "file_name": "a.jpg"}, {"id": 2, "file_name": "b.jpg"}],
            "annotations": [
                {"id": 11, "image_id": 1, "caption": "a dog"}, {"id": 12, "image_id": 1, "caption": "one dog"},
                {"id": 21, "image_id": 2, "caption": "a cat"}, {"id": 22, "image_id": 2, "caption": "my cat"}]});
        small.write("captions.json", captions.to_string());
        let instances = json!({"annotations": [
            {"image_id": 1, "category_id": 5}, {"image_id": 2, "category_id": 5}, {"image_id": 2, "category_id": 6}]});
        small.write("instances_small.json", instances.to_string());
        let scores: Vec<u8> = [9f32, 8.0, 1.0, 2.0, 3.0, 4.0, 7.0, 6.0]
            .iter()
            .flat_map(|score| score.to_le_bytes())
            .collect();
        small.write("m.npy", npy("'<f4'", false, "(2, 4)", &scores));
        small
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.0.path().join(name), content).unwrap();
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }
}

/// An image without categories has no Plausible Match: it is not judged, and how many is said.
#[test]
fn what_plausible_match_leaves_out_is_counted() {
    let small = Small::new();
    let [captions, instances, matrix] =
        ["captions.json", "instances_small.json", "m.npy"].map(|name| small.path(name));
    let told = |categories: &str| stdout(&run(&["doctor", &matrix, &captions, categories]));
    assert!(!told(&instances).contains("not judged"));
    let one = json!({"annotations": [{"image_id": 1, "category_id": 5}]});
    small.write("instances_one.json", one.to_string());
    let left_out = "ground truth pm: 1 image and 2 captions are not judged: PM does not judge images without categories";
    let one = small.path("instances_one.json");
    let said = told(&one);
    assert!(said.contains(left_out), "{said}");
    let out = small.path("pm");
    done(&["truth", "pm", &captions, &one, "-o", &out]);
    let said = told(&format!("{out}/pm_image_to_caption.json"));
    assert!(said.contains(left_out), "{said}");
}

#[test]
fn an_empty_direction_is_not_judged() {
    let small = Small::new();
    small.write("mine.json", json!({"i2t": {"1": [11, 21]}, "t2i": {}}).to_string());
    let [captions, mine, matrix, packed] =
        ["captions.json", "mine.json", "m.npy", "packed.json"].map(|name| small.path(name));
    done(&["convert", &captions, &mine, "-o", &packed]);
    for truth in [&mine, &packed] {
        let output =
            done(&["eval", &matrix, &captions, truth, "--truth", "mine", "--format", "json"]);
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        let r1 = &found["models"][0]["metrics"]["mine_r1"];
        assert_eq!((&r1["i2t"], r1.get("t2i")), (&json!(1.0), None), "{found:#}");
    }
    small.write("none.json", json!({"i2t": {}, "t2i": {}}).to_string());
    let output = run(&["eval", &matrix, &captions, &small.path("none.json")]);
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    assert!(said.contains("none.json") && said.contains("judges no query"), "{said}");
}
