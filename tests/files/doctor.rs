//! `itm-explore doctor` on files with one fault each, and the explorer's badge and sheet.

use crate::common;

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use common::{Harness, demo_file, npy};
use itm_explore::data::scores::Scores;
use itm_explore::doctor::CHECKS;
use itm_explore::study::{self, Inputs};
use serde_json::Value;

const IMAGES: usize = 30;
const CAPTIONS: usize = 90;

/// A score from 0 to 1 that follows no order.
fn noise(image: usize, caption: usize) -> f64 {
    let mixed = |n: u64| (n ^ (n >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let seed = (image * 1000 + caption + 1) as u64;
    (mixed(mixed(mixed(seed))) >> 11) as f64 / (1u64 << 53) as f64
}

/// High where the caption was written for the image.
fn good(image: usize, caption: usize) -> f64 {
    noise(image, caption) + if caption / 3 == image { 1.0 } else { 0.0 }
}

/// A folder with the original pairing, ids of both sides and texts.
struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Self {
        let files = Files(tempfile::tempdir().unwrap());
        let list = |entries: Vec<String>| entries.join(", ");
        let images =
            (0..IMAGES).map(|i| format!("{{\"id\": {}, \"file_name\": \"{i}.jpg\"}}", i + 500));
        let captions = (0..CAPTIONS).map(|c| {
            let image = c / 3 + 500;
            format!("{{\"id\": {}, \"image_id\": {image}, \"caption\": \"Text {c}.\"}}", c + 7000)
        });
        let (images, captions) = (list(images.collect()), list(captions.collect()));
        files.write(
            "captions.json",
            format!("{{\"images\": [{images}], \"annotations\": [{captions}]}}"),
        );
        files
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.0.path().join(name);
        fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn captions(&self) -> String {
        self.0.path().join("captions.json").to_str().unwrap().to_owned()
    }

    fn matrix(&self, name: &str, score: impl Fn(usize, usize) -> f64) -> String {
        let cells = (0..IMAGES * CAPTIONS).map(|at| score(at / CAPTIONS, at % CAPTIONS) as f32);
        let cells: Vec<u8> = cells.flat_map(f32::to_le_bytes).collect();
        self.write(name, npy("'<f4'", false, &format!("({IMAGES}, {CAPTIONS})"), &cells))
    }
}

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_itm-explore"))
        .arg("doctor")
        .args(common::on_demo(args))
        .output()
        .unwrap()
}

fn text(args: &[&str]) -> (i32, String) {
    let output = run(args);
    let code = output.status.code().unwrap();
    (code, String::from_utf8(output.stdout).unwrap())
}

/// Exit code and the checks that found something, with how bad it is.
fn found(args: &[&str]) -> (i32, Vec<String>) {
    let output = run(&[args, &["-q", "--format", "json"]].concat());
    assert!(output.stderr.is_empty(), "{output:?}");
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    let checks: Vec<&str> = CHECKS.iter().map(|check| check.name).collect();
    assert_eq!(json["checked"], serde_json::json!(checks));
    let findings = json["findings"].as_array().unwrap().iter();
    let short = |f: &Value| {
        assert!(f["subject"].is_string() && f["found"].is_string(), "{f}");
        format!("{} {}", f["check"].as_str().unwrap(), f["severity"].as_str().unwrap())
    };
    (output.status.code().unwrap(), findings.map(short).collect())
}

fn assert_found(args: &[&str], code: i32, checks: &[&str]) {
    let (found_code, found) = found(args);
    assert_eq!(
        (found_code, found),
        (code, checks.iter().map(ToString::to_string).collect()),
        "{args:?}"
    );
}

#[test]
fn files_that_are_in_order() {
    let files = Files::new();
    let model = files.matrix("good.npy", good);
    assert_found(&[&model, &files.captions()], 0, &[]);
    let (code, said) = text(&[&model, &files.captions()]);
    assert_eq!(code, 0);
    assert!(said.starts_with("nothing wrong\n"), "{said}");
    insta::assert_snapshot!("doctor_demo", text(&[]).1);
    assert_eq!(run(&[]).status.code(), Some(0));
}

#[test]
fn each_fault_is_found_and_nothing_else() {
    let files = Files::new();
    let captions = files.captions();
    let at = |place, value: f64| move |i, c| if (i, c) == place { value } else { good(i, c) };
    for (name, model, code, expected) in [
        ("shuffled", files.matrix("s.npy", |i, c| good(i * 7 % IMAGES, c)), 1, "order problem"),
        ("negated", files.matrix("n.npy", |i, c| -good(i, c)), 1, "distance problem"),
        ("NaN", files.matrix("x.npy", at((3, 41), f64::NAN)), 1, "values problem"),
    ] {
        println!("{name}");
        assert_found(&[&model, &captions], code, &[expected]);
    }
    let twice = files.matrix("t.npy", |i, c| good(i / 2 * 2, c));
    let (code, checks) = found(&[&twice, &captions]);
    assert!(code == 1 && checks.contains(&"repeats problem".into()), "{checks:?}");
}

/// Faulty matrices, each with words of the warning that belongs beside its numbers.
fn faults(files: &Files) -> Vec<(String, &'static str)> {
    vec![
        (files.matrix("negated.npy", |i, c| -good(i, c)), "score lowest"),
        (files.matrix("shuffled.npy", |i, c| good(i * 7 % IMAGES, c)), "like random pairs"),
        (files.matrix("moved.npy", |i, c| good((i + 1) % IMAGES, c)), "like random pairs"),
        (files.matrix("columns.npy", |i, c| good(i, (c + 1) % CAPTIONS)), "by their place"),
        (
            files.matrix("interleaved.npy", |i, c| good(i, c % IMAGES * 3 + c / IMAGES)),
            "like random pairs",
        ),
        (
            files.matrix("zero.npy", |i, c| if i < 4 { 0.0 } else { good(i, c) }),
            "4 of 30 images have one score",
        ),
        (files.matrix("constant.npy", |_, _| 0.5), "30 of 30 images have one score"),
        (files.matrix("padded.npy", |i, c| good(i % 27, c)), "score the last 3 again"),
    ]
}

/// Commands that print numbers, with the options that they need here.
const NUMBERS: [&[&str]; 6] = [
    &["eval"],
    &["errors"],
    &["find", "--where", "r1 == 0"],
    &["compare"],
    &["mix"],
    &["plot", "models"],
];

fn numbers(command: &[&str], files: &[&str], out: &Path) -> Output {
    let mut run = Command::new(env!("CARGO_BIN_EXE_itm-explore"));
    run.args(command).args(files).arg("-q");
    if command[0] == "plot" {
        run.arg("-o").arg(out).arg("--force");
    }
    run.output().unwrap()
}

#[test]
fn meaningless_numbers_are_said_so_beside_them() {
    let files = Files::new();
    let (captions, other) =
        (files.captions(), files.matrix("other.npy", |i, c| good(i, c) + noise(c, i)));
    let out = files.0.path().join("chart.svg");
    let right = files.matrix("right.npy", good);
    for command in NUMBERS {
        let output = numbers(command, &[&right, &other, &captions], &out);
        let said = common::stderr(&output);
        assert!(output.status.success() && !said.contains("warning"), "{command:?}: {said}");
    }
    let eval = NUMBERS[0];
    for (model, words) in faults(&files) {
        let output = numbers(eval, &[&model, &captions], &out);
        let said = common::stderr(&output);
        assert!(output.status.success() && said.starts_with("warning: "), "{model}: {said}");
        assert!(said.contains(words), "{model}: {said}");
    }
    let (negated, words) = &faults(&files)[0];
    for command in NUMBERS {
        let output = numbers(command, &[negated, &other, &captions], &out);
        let said = common::stderr(&output);
        assert_eq!(output.status.code(), Some(0), "{command:?}: {said}");
        assert_eq!(said.matches("warning: ").count(), 1, "{command:?}: {said}");
        assert!(said.contains(words), "{command:?}: {said}");
    }
}

#[test]
fn a_report_begins_with_what_makes_its_numbers_meaningless() {
    let files = Files::new();
    let (negated, words) = faults(&files).remove(0);
    let page = files.0.path().join("page.html");
    let output = Command::new(env!("CARGO_BIN_EXE_itm-explore"))
        .args(["report", &negated, &files.captions(), "-q", "-o"])
        .arg(&page)
        .output()
        .unwrap();
    let said = common::stderr(&output);
    assert!(output.status.success(), "{said}");
    assert_eq!(said.matches("warning: ").count(), 1, "{said}");
    let page = fs::read_to_string(page).unwrap();
    assert!(page.find(words).unwrap() < page.find("<table").unwrap());
}

#[test]
fn positives_of_another_split_are_said_so_beside_the_numbers() {
    let files = Files::new();
    let model = files.matrix("good.npy", good);
    let list = |of: &dyn Fn(usize) -> usize| {
        let lists = (0..IMAGES).map(|i| format!("\"{}\": [{}]", i + 500, of(i)));
        format!("{{{}}}", lists.collect::<Vec<_>>().join(", "))
    };
    let split = |i: usize| if i % 5 < 2 { i + 9000 } else { i * 3 + 7000 };
    let truth = files.write("rich_image_to_caption.json", list(&split));
    let output = numbers(&["eval"], &[&model, &files.captions(), &truth], files.0.path());
    assert!(
        common::stderr(&output).contains("12 of 30 positives not in the gallery"),
        "{output:?}"
    );
}

#[test]
fn a_ground_truth_without_a_positive_is_a_problem() {
    let files = Files::new();
    let captions = files.captions();
    let empty = files.write("empty_image_to_caption.json", "{\"500\": []}");
    let (code, said) = text(&[&captions, &empty]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("no positive at all"), "{said}");
    assert!(said.contains("is undefined"), "{said}");
}

#[test]
fn a_file_that_cannot_be_opened_is_a_problem() {
    let (code, said) = text(&["no-such-file.npy"]);
    assert_eq!(code, 1);
    assert!(said.starts_with("1 problem\n"), "{said}");
}

#[test]
fn what_is_found_is_told_with_its_effect_and_mend() {
    let files = Files::new();
    let captions = files.captions();
    let negated = files.matrix("n.npy", |i, c| -good(i, c));
    let (code, said) = text(&[&negated, &captions]);
    assert_eq!(code, 1);
    for part in [
        "problem: model n (",
        "lowest",
        "  effect: ",
        "  fix: python3 -c",
        "n.npy n-negated.npy",
        "1 problem\n",
    ] {
        assert!(said.contains(part), "no {part:?} in {said}");
    }
    let nan = files.matrix("x.npy", |i, c| if (i, c) == (3, 41) { f64::NAN } else { good(i, c) });
    let (_, said) = text(&[&nan, &captions]);
    assert!(said.contains("NaN, first at image 3, caption 41"), "{said}");
    assert!(said.contains("x.npy: model x, scores of 30 images"), "{said}");
}

/// Twelve images with a caption each, ids shifted by one: read the other way, other pairs are right.
#[test]
fn a_square_matrix_is_looked_at_both_ways() {
    let files = Files::new();
    let n = 12;
    let list = |of: &dyn Fn(usize) -> usize| {
        let pairs: Vec<String> = (0..n).map(|at| format!("\"{at}\": [{}]", of(at))).collect();
        format!("{{{}}}", pairs.join(", "))
    };
    let truth = files.write("original_image_to_caption.json", list(&|image| (image + n - 1) % n));
    files.write("original_caption_to_image.json", list(&|caption| (caption + 1) % n));
    let model = |name, captions_first: bool| {
        let score = |row: usize, column: usize| {
            let (image, caption) = if captions_first { (column, row) } else { (row, column) };
            noise(image, caption) + if image == (caption + 1) % n { 1.0 } else { 0.0 }
        };
        let cells = (0..n * n).flat_map(|at| score(at / n, at % n).to_le_bytes());
        let cells: Vec<u8> = cells.collect();
        files.write(name, npy("'<f8'", false, &format!("({n}, {n})"), &cells))
    };
    let (images, captions) = (model("images.npy", false), model("captions.npy", true));
    assert_found(&[&images, &truth], 0, &[]);
    assert_found(&[&captions, &truth], 0, &["files note"]);
    assert_found(&[&captions, &truth, "--captions-first"], 0, &[]);
    assert_found(&[&images, &truth, "--captions-first"], 1, &["order problem"]);
    let said = text(&[&images, &truth, "--captions-first"]).1;
    assert!(said.contains("stand first, leave it out"), "{said}");
}

#[test]
fn coarse_scores_tie() {
    let files = Files::new();
    let cells = (0..IMAGES * CAPTIONS).map(|at| good(at / CAPTIONS, at % CAPTIONS) / 100.0 + 10.0);
    let cells: Vec<u8> = cells.flat_map(|s| half::f16::from_f64(s).to_le_bytes()).collect();
    let model =
        files.write("f2.npy", npy("'<f2'", false, &format!("({IMAGES}, {CAPTIONS})"), &cells));
    let (code, checks) = found(&[&model, &files.captions()]);
    assert!(code == 1 && checks.contains(&"ties problem".into()), "{checks:?}");
}

#[test]
fn fill_is_told() {
    let files = Files::new();
    let captions = files.captions();
    let scored = |i: usize, c: usize| c / 3 == i || (c + i) % 30 < 12;
    let model = files.matrix("r.npy", |i, c| if scored(i, c) { good(i, c) } else { -400.0 });
    assert_found(&[&model, &captions], 0, &[]);
    let (_, said) = text(&[&model, &captions]);
    assert!(said.contains("cells of -400 are not scored"), "{said}");
}

#[test]
fn missing_ids_are_notes() {
    let files = Files::new();
    // The captions of the next three images are positives of the richer truth.
    let near = |image, caption| {
        let is_near = (caption + CAPTIONS - image * 3) % CAPTIONS < 12;
        good(image, caption) + if is_near { 0.5 } else { 0.0 }
    };
    let model = files.matrix("good.npy", near);
    let edited = fs::read_to_string(files.captions()).unwrap().replace("Text 7.", "TEXT 80. ");
    let captions = files.write("captions.json", edited);
    assert_found(&[&model, &captions], 0, &["captions note"]);
    let mut rich = String::from("{");
    for image in 0..IMAGES {
        let own: Vec<usize> = (0..12).map(|n| 7000 + (image * 3 + n) % CAPTIONS).collect();
        write!(rich, "\"{}\": {own:?}, ", image + 500).unwrap();
    }
    let few = format!("{rich}\"900\": [7001]}}").replacen("[7000, ", "[99, 7000, ", 1);
    let truth = files.write("rich_image_to_caption.json", few);
    assert_found(&[&model, &captions, &truth], 0, &["ids note", "ids note", "captions note"]);
    let many = format!("{rich}\"500\": [7001]}}").replacen("[7000, ", "[91, 92, 93, 94, 95, ", 1);
    let many = many.replace(", \"500\": [7001]}", "}");
    let truth = files.write("rich_image_to_caption.json", many);
    assert_found(&[&model, &captions, &truth], 1, &["ids problem", "captions note"]);
}

#[test]
fn a_study_that_does_not_open_is_one_finding() {
    let output = run(&["nowhere.npy"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("\nproblem: nowhere.npy: no such file or directory\n"), "{said}");
    assert!(said.contains("  fix: check the path"), "{said}");
    let files = Files::new();
    let small = files.write("small.npy", npy("'<f4'", false, "(5, 9)", &[0; 180]));
    let output = run(&[&small, &files.captions(), "--format", "json"]);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    let finding = &json["findings"][0];
    assert_eq!((&finding["check"], &finding["severity"]), (&"open".into(), &"problem".into()));
    assert!(finding["found"].as_str().unwrap().contains("a matrix of 5 x 9"));
    assert!(finding["expected"].as_str().unwrap().contains("30 images"));
}

#[test]
fn files_without_scores_or_truth_are_looked_at_as_far_as_they_go() {
    assert_found(&[&demo_file("captions.json")], 0, &["files note", "captions note"]);
    let files = Files::new();
    let model = files.matrix("alone.npy", good);
    // With the pairing that the sizes imply, which the scores bear out.
    assert_found(&[&model], 0, &["files note"]);
    let none = [&*model, "--captions-per-image", "0"];
    assert_found(&none, 0, &["order note", "files note"]);
}

#[test]
fn lists_and_embeddings_have_a_doctor_too() {
    let files = Files::new();
    let list = |image: usize| (0..6).map(|n| 7000 + (image * 3 + n) % CAPTIONS).collect::<Vec<_>>();
    let lists = |of: &dyn Fn(usize) -> usize| {
        let lists: Vec<String> =
            (0..IMAGES).map(|i| format!("\"{}\": {:?}", i + 500, list(of(i)))).collect();
        format!("{{{}}}", lists.join(", "))
    };
    let captions = files.captions();
    let run = files.write("run.json", lists(&|image| image));
    assert_found(&[&captions, "--run-i2t", &run], 0, &["files note"]);
    let (_, said) = text(&[&captions, "--run-i2t", &run]);
    assert!(!said.contains("ties") && !said.contains("repeats"), "{said}");
    let wrong = files.write("wrong.json", lists(&|image| (image + 11) % IMAGES));
    assert_found(&[&captions, "--run-i2t", &wrong], 1, &["order problem", "files note"]);
    let side = |name, rows: usize, sign: f64, row_of: fn(usize) -> usize| {
        let cells = (0..rows * 16).map(|at| sign * (noise(row_of(at / 16), at % 16) - 0.5));
        let cells: Vec<u8> = cells.flat_map(|x| (x as f32).to_le_bytes()).collect();
        files.write(name, npy("'<f4'", false, &format!("({rows}, 16)"), &cells))
    };
    let images = side("images.npy", IMAGES, 1.0, |row| row);
    let texts = side("texts.npy", CAPTIONS, 1.0, |row| row / 3);
    let negated = side("negated.npy", CAPTIONS, -1.0, |row| row / 3);
    let of =
        |texts: &str| found(&["--image-emb", &images, "--text-emb", texts, &captions, "--cosine"]);
    assert!(of(&negated).1.contains(&"distance problem".into()), "{:?}", of(&negated));
    let (_, checks) = of(&texts);
    assert!(
        !checks.iter().any(|c| c.starts_with("order") || c.starts_with("distance")),
        "{checks:?}"
    );
}

fn study_of(files: &[String]) -> study::Study {
    study::open(&Inputs {
        files: files.iter().map(|file| Path::new(file).to_owned()).collect(),
        texts: true,
        ..Inputs::default()
    })
    .unwrap()
}

#[test]
fn the_explorer_shows_findings_as_a_badge_and_in_the_sheet() {
    let files = Files::new();
    let good = study_of(&[files.matrix("good.npy", good), files.captions()]);
    assert!(!Harness::new(good.clone(), 100, 30).screen().contains('⚠'));
    let mut negated =
        study_of(&[files.matrix("n.npy", |i, c| -self::good(i, c)), files.captions()]);
    negated.models[0].source = "n.npy".into();
    assert!(matches!(negated.models[0].scores, Scores::Matrix(_)));
    let explorer = Harness::new(negated, 100, 30);
    let screen = explorer.screen();
    assert!(screen.lines().nth(1).unwrap().starts_with(" ⚠ scores negated (I)"), "{screen}");
    let sheet = explorer.keys("I").screen();
    for part in [
        "problem: model n (n.npy): positive pairs score lowest",
        "effect: the scores are negated",
        "fix: python3 -c",
    ] {
        assert!(sheet.contains(part), "no {part:?} in {sheet}");
    }
}

/// Until the doctor has looked, warnings stand where they stood; afterwards nothing is said twice.
#[test]
fn nothing_is_said_twice() {
    let sheet = Harness::demo(100, 40).keys("I").screen();
    assert_eq!(sheet.matches("58935").count(), 1, "{sheet}");
}
