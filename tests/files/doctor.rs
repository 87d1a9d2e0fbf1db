//! `itm-explore doctor` on files with one fault each, and the explorer's badge and sheet.

use crate::common;

use std::process::Output;

use common::{Folder, Harness, npy, stderr, stdout};
use itm_explore::data::scores::Scores;
use itm_explore::doctor::CHECKS;
use itm_explore::study::{self, Inputs};
use serde_json::{Value, json};

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
fn folder() -> Folder {
    let folder = Folder::new();
    let images = (0..IMAGES).map(|i| json!({"id": i + 500, "file_name": format!("{i}.jpg")}));
    let captions = (0..CAPTIONS)
        .map(|c| json!({"id": c + 7000, "image_id": c / 3 + 500, "caption": format!("Text {c}.")}));
    let (images, captions): (Vec<Value>, Vec<Value>) = (images.collect(), captions.collect());
    let captions = json!({"images": images, "annotations": captions});
    folder.write("captions.json", captions.to_string());
    folder
}

/// Writes the matrix of a model; gives its name.
fn matrix(
    folder: &Folder,
    name: &'static str,
    score: impl Fn(usize, usize) -> f64,
) -> &'static str {
    folder.matrix(name, [IMAGES, CAPTIONS], |image, caption| score(image, caption) as f32);
    name
}

/// The lists of so many queries, which begin at an id.
fn lists(first: usize, count: usize, of: impl Fn(usize) -> Vec<usize>) -> String {
    let lists: Vec<String> =
        (0..count).map(|at| format!("\"{}\": {:?}", at + first, of(at))).collect();
    format!("{{{}}}", lists.join(", "))
}

fn text(folder: &Folder, files: &str) -> (i32, String) {
    let output = folder.run(&format!("doctor {files}"));
    (output.status.code().unwrap(), stdout(&output))
}

/// Exit code and the checks that found something, with how bad it is.
fn found(folder: &Folder, files: &str) -> (i32, Vec<String>) {
    let output = folder.run(&format!("doctor {files} -q --format json"));
    assert!(output.stderr.is_empty(), "{output:?}");
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    let checks: Vec<&str> = CHECKS.iter().map(|check| check.name).collect();
    assert_eq!(json["checked"], json!(checks));
    let findings = json["findings"].as_array().unwrap().iter();
    let short = |f: &Value| {
        assert!(f["subject"].is_string() && f["found"].is_string(), "{f}");
        format!("{} {}", f["check"].as_str().unwrap(), f["severity"].as_str().unwrap())
    };
    (output.status.code().unwrap(), findings.map(short).collect())
}

fn assert_found(folder: &Folder, files: &str, code: i32, checks: &[&str]) {
    let checks = checks.iter().map(ToString::to_string).collect();
    assert_eq!(found(folder, files), (code, checks), "{files}");
}

#[test]
fn files_that_are_in_order() {
    let folder = folder();
    matrix(&folder, "good.npy", good);
    assert_found(&folder, "good.npy captions.json", 0, &[]);
    let (code, said) = text(&folder, "good.npy captions.json");
    assert!(code == 0 && said.starts_with("nothing wrong\n"), "{said}");
    let (code, said) = text(&folder, "--demo");
    assert_eq!(code, 0);
    insta::assert_snapshot!("doctor_demo", said);
}

#[test]
fn each_fault_is_found_and_nothing_else() {
    let folder = folder();
    let nan = |i, c| if (i, c) == (3, 41) { f64::NAN } else { good(i, c) };
    for (model, expected) in [
        (matrix(&folder, "shuffled.npy", |i, c| good(i * 7 % IMAGES, c)), "order problem"),
        (matrix(&folder, "negated.npy", |i, c| -good(i, c)), "distance problem"),
        (matrix(&folder, "nan.npy", nan), "values problem"),
    ] {
        assert_found(&folder, &format!("{model} captions.json"), 1, &[expected]);
    }
    matrix(&folder, "twice.npy", |i, c| good(i / 2 * 2, c));
    let (code, checks) = found(&folder, "twice.npy captions.json");
    assert!(code == 1 && checks.contains(&"repeats problem".into()), "{checks:?}");
    for (model, parts) in [
        (
            "negated.npy",
            &[
                "problem: model negated (",
                "lowest",
                "  effect: ",
                "  fix: python3 -c",
                "negated.npy negated-negated.npy",
                "1 problem\n",
            ][..],
        ),
        (
            "nan.npy",
            &["NaN, first at image 3, caption 41", "nan.npy: model nan, scores of 30 images"],
        ),
    ] {
        let (_, said) = text(&folder, &format!("{model} captions.json"));
        for part in parts {
            assert!(said.contains(part), "no {part:?} in {said}");
        }
    }
}

/// Faulty matrices, each with words of the warning that belongs beside its numbers.
fn faults(folder: &Folder) -> Vec<(&'static str, &'static str)> {
    let matrix = |name, score: &dyn Fn(usize, usize) -> f64| matrix(folder, name, score);
    let interleaved = |i, c| good(i, c % IMAGES * 3 + c / IMAGES);
    let zero = |i, c| if i < 4 { 0.0 } else { good(i, c) };
    vec![
        (matrix("negated.npy", &|i, c| -good(i, c)), "score lowest"),
        (matrix("shuffled.npy", &|i, c| good(i * 7 % IMAGES, c)), "like random pairs"),
        (matrix("moved.npy", &|i, c| good((i + 1) % IMAGES, c)), "like random pairs"),
        (matrix("columns.npy", &|i, c| good(i, (c + 1) % CAPTIONS)), "by their place"),
        (matrix("interleaved.npy", &interleaved), "like random pairs"),
        (matrix("zero.npy", &zero), "4 of 30 images have one score"),
        (matrix("constant.npy", &|_, _| 0.5), "30 of 30 images have one score"),
        (matrix("padded.npy", &|i, c| good(i % 27, c)), "score the last 3 again"),
    ]
}

/// Commands that print numbers, with the options that they need here.
const NUMBERS: [&str; 6] = [
    "eval",
    "errors",
    "find --where 'r1 == 0'",
    "compare",
    "mix",
    "plot models -o chart.svg --force",
];

#[test]
fn meaningless_numbers_are_said_so_beside_them() {
    let folder = folder();
    matrix(&folder, "other.npy", |i, c| good(i, c) + noise(c, i));
    matrix(&folder, "right.npy", good);
    let faults = faults(&folder);
    let done = |line: &str| -> Output { folder.done(&format!("{line} captions.json -q")) };
    for command in NUMBERS {
        let said = stderr(&done(&format!("{command} right.npy other.npy")));
        assert!(!said.contains("warning"), "{command:?}: {said}");
    }
    for (model, words) in &faults {
        let said = stderr(&done(&format!("eval {model}")));
        assert!(said.starts_with("warning: ") && said.contains(words), "{model}: {said}");
    }
    let (negated, words) = faults[0];
    for command in NUMBERS {
        let said = stderr(&done(&format!("{command} {negated} other.npy")));
        assert_eq!(said.matches("warning: ").count(), 1, "{command:?}: {said}");
        assert!(said.contains(words), "{command:?}: {said}");
    }
    let said = stderr(&done(&format!("report {negated} -o page.html")));
    assert_eq!(said.matches("warning: ").count(), 1, "{said}");
    let page = folder.read("page.html");
    assert!(page.find(words).unwrap() < page.find("<table").unwrap());
}

#[test]
fn positives_of_another_split_are_said_so_beside_the_numbers() {
    let folder = folder();
    matrix(&folder, "good.npy", good);
    let split = |i: usize| vec![if i % 5 < 2 { i + 9000 } else { i * 3 + 7000 }];
    folder.write("rich_image_to_caption.json", lists(500, IMAGES, split));
    let eval = "eval good.npy captions.json rich_image_to_caption.json -q";
    let said = stderr(&folder.done(eval));
    assert!(said.contains("12 of 30 positives not in the gallery"), "{said}");
}

#[test]
fn a_ground_truth_without_a_positive_is_a_problem() {
    let folder = folder();
    folder.write("empty_image_to_caption.json", "{\"500\": []}");
    let (code, said) = text(&folder, "captions.json empty_image_to_caption.json");
    assert_eq!(code, 1, "{said}");
    for part in ["no positive at all", "is undefined"] {
        assert!(said.contains(part), "{said}");
    }
}

/// Twelve images with a caption each, ids shifted by one: read the other way, other pairs are right.
#[test]
fn a_square_matrix_is_looked_at_both_ways() {
    let folder = Folder::new();
    let n = 12;
    folder.write("original_image_to_caption.json", lists(0, n, |image| vec![(image + n - 1) % n]));
    folder.write("original_caption_to_image.json", lists(0, n, |caption| vec![(caption + 1) % n]));
    let score = |image: usize, caption: usize| {
        (noise(image, caption) + if image == (caption + 1) % n { 1.0 } else { 0.0 }) as f32
    };
    folder.matrix("images.npy", [n, n], score);
    folder.matrix("captions.npy", [n, n], |caption, image| score(image, caption));
    let truth = "original_image_to_caption.json";
    let turned = format!("images.npy {truth} --captions-first");
    assert_found(&folder, &format!("images.npy {truth}"), 0, &[]);
    assert_found(&folder, &format!("captions.npy {truth}"), 0, &["files note"]);
    assert_found(&folder, &format!("captions.npy {truth} --captions-first"), 0, &[]);
    assert_found(&folder, &turned, 1, &["order problem"]);
    let said = text(&folder, &turned).1;
    assert!(said.contains("stand first, leave it out"), "{said}");
}

#[test]
fn coarse_scores_tie() {
    let folder = folder();
    let cells = (0..IMAGES * CAPTIONS).map(|at| good(at / CAPTIONS, at % CAPTIONS) / 100.0 + 10.0);
    let cells: Vec<u8> = cells.flat_map(|s| half::f16::from_f64(s).to_le_bytes()).collect();
    folder.write("f2.npy", npy("'<f2'", false, &format!("({IMAGES}, {CAPTIONS})"), &cells));
    let (code, checks) = found(&folder, "f2.npy captions.json");
    assert!(code == 1 && checks.contains(&"ties problem".into()), "{checks:?}");
}

#[test]
fn fill_is_told() {
    let folder = folder();
    let scored = |i: usize, c: usize| c / 3 == i || (c + i) % 30 < 12;
    matrix(&folder, "r.npy", |i, c| if scored(i, c) { good(i, c) } else { -400.0 });
    assert_found(&folder, "r.npy captions.json", 0, &[]);
    let (_, said) = text(&folder, "r.npy captions.json");
    assert!(said.contains("cells of -400 are not scored"), "{said}");
}

#[test]
fn missing_ids_are_notes() {
    let folder = folder();
    // The captions of the next three images are positives of the richer truth.
    let near = |image, caption| {
        let is_near = (caption + CAPTIONS - image * 3) % CAPTIONS < 12;
        good(image, caption) + if is_near { 0.5 } else { 0.0 }
    };
    matrix(&folder, "good.npy", near);
    let edited = folder.read("captions.json").replace("Text 7.", "TEXT 80. ");
    folder.write("captions.json", edited);
    assert_found(&folder, "good.npy captions.json", 0, &["captions note"]);
    let rich = |missing: &'static [usize], further: &str| {
        let own = |image: usize| (0..12).map(move |n| 7000 + (image * 3 + n) % CAPTIONS);
        let missing = |image| if image == 0 { missing } else { &[] };
        let text = lists(500, IMAGES, |i| missing(i).iter().copied().chain(own(i)).collect());
        folder.write("rich_image_to_caption.json", text.replace("]}", &format!("]{further}}}")));
    };
    let files = "good.npy captions.json rich_image_to_caption.json";
    rich(&[99], ", \"900\": [7001]");
    assert_found(&folder, files, 0, &["ids note", "ids note", "captions note"]);
    rich(&[91, 92, 93, 94, 95], "");
    assert_found(&folder, files, 1, &["ids problem", "captions note"]);
}

#[test]
fn a_study_that_does_not_open_is_one_finding() {
    let folder = folder();
    let (code, said) = text(&folder, "nowhere.npy");
    assert_eq!(code, 1);
    assert!(said.starts_with("1 problem\n"), "{said}");
    for part in ["\nproblem: nowhere.npy: no such file or directory\n", "  fix: check the path"] {
        assert!(said.contains(part), "{said}");
    }
    folder.matrix("small.npy", [5, 9], |_, _| 0.0);
    let (code, json) = text(&folder, "small.npy captions.json --format json");
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(code, 1);
    let finding = &json["findings"][0];
    assert_eq!((&finding["check"], &finding["severity"]), (&"open".into(), &"problem".into()));
    assert!(finding["found"].as_str().unwrap().contains("a matrix of 5 x 9"));
    assert!(finding["expected"].as_str().unwrap().contains("30 images"));
}

#[test]
fn files_without_scores_or_truth_are_looked_at_as_far_as_they_go() {
    let folder = folder();
    assert_found(&folder, "demo/captions.json", 0, &["files note", "captions note"]);
    matrix(&folder, "alone.npy", good);
    // With the pairing that the sizes imply, which the scores bear out.
    assert_found(&folder, "alone.npy", 0, &["files note"]);
    let unpaired = "alone.npy --captions-per-image 0";
    assert_found(&folder, unpaired, 0, &["order note", "files note"]);
}

#[test]
fn lists_and_embeddings_have_a_doctor_too() {
    let folder = folder();
    let list = |image: usize| (0..6).map(|n| 7000 + (image * 3 + n) % CAPTIONS).collect::<Vec<_>>();
    folder.write("run.json", lists(500, IMAGES, list));
    folder.write("wrong.json", lists(500, IMAGES, |image| list((image + 11) % IMAGES)));
    assert_found(&folder, "captions.json --run-i2t run.json", 0, &["files note"]);
    let (_, said) = text(&folder, "captions.json --run-i2t run.json");
    assert!(!said.contains("ties") && !said.contains("repeats"), "{said}");
    let wrong = "captions.json --run-i2t wrong.json";
    assert_found(&folder, wrong, 1, &["order problem", "files note"]);
    let side = |name, rows, sign: f64, each: usize| {
        folder.matrix(name, [rows, 16], |row, at| (sign * (noise(row / each, at) - 0.5)) as f32);
    };
    side("images.npy", IMAGES, 1.0, 1);
    side("texts.npy", CAPTIONS, 1.0, 3);
    side("negated.npy", CAPTIONS, -1.0, 3);
    let of = |texts| {
        let embeddings = format!("--image-emb images.npy --text-emb {texts} --cosine");
        found(&folder, &format!("{embeddings} captions.json")).1
    };
    assert!(of("negated.npy").contains(&"distance problem".into()), "{:?}", of("negated.npy"));
    let wrong = |check: &String| check.starts_with("order") || check.starts_with("distance");
    assert!(!of("texts.npy").iter().any(wrong), "{:?}", of("texts.npy"));
}

fn study_of(folder: &Folder, model: &str) -> study::Study {
    let files = [model, "captions.json"].map(|name| folder.path(name)).to_vec();
    study::open(&Inputs { files, texts: true, ..Inputs::default() }).unwrap()
}

#[test]
fn the_explorer_shows_findings_as_a_badge_and_in_the_sheet() {
    let folder = folder();
    matrix(&folder, "good.npy", good);
    matrix(&folder, "n.npy", |i, c| -good(i, c));
    assert!(!Harness::new(study_of(&folder, "good.npy"), 100, 30).screen().contains('⚠'));
    let mut negated = study_of(&folder, "n.npy");
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
