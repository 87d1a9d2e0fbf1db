//! Inputs that are wrong, strange or not there yet: one error that says what is true.

use crate::common;

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use common::{Folder, PICK, demo_file, npy, stderr};

/// A truth of the ids 0 and 1.
const TRUTH: &str = r#"{"i2t": {"0": [0], "1": [1]}, "t2i": {"0": [0], "1": [1]}}"#;

fn doubles(cells: [f64; 4]) -> Vec<u8> {
    let cells: Vec<u8> = cells.iter().flat_map(|cell| cell.to_le_bytes()).collect();
    npy("'<f8'", false, "(2, 2)", &cells)
}

/// One ranking is refused as all are, wherever in the file the NaN is.
#[test]
fn nan_is_the_same_error_for_one_query_as_for_all() {
    let folder = Folder::new();
    folder.write("t.json", TRUTH);
    folder.write("whole.npy", doubles([1.0, 3.0, 3.0, 4.0]));
    folder.write("broken.npy", doubles([1.0, 3.0, 3.0, f64::NAN]));
    let told = ["broken.npy: NaN at image 1, caption 1 (counted from 0)", "numpy.nan_to_num"];
    folder.refused("eval broken.npy t.json", &told);
    for command in ["show", "figure"] {
        for named in
            ["0 --direction i2t", "1 --direction i2t", "0 --direction t2i", "1 --direction t2i"]
        {
            let line = format!("{command} broken.npy t.json --query {named}");
            folder.refused(&line, &told);
            folder.refused(&format!("{line} whole.npy --model whole,broken"), &told);
            folder.done(&format!("{line} whole.npy --model whole"));
        }
    }
}

#[test]
fn embeddings_too_long_for_64_bits_are_called_so() {
    let folder = Folder::new();
    folder.write("t.json", TRUTH);
    folder.write("plain.npy", doubles([1.0; 4]));
    for first in [1e200, f64::INFINITY] {
        folder.write("odd.npy", doubles([first, 1.0, 1.0, 1.0]));
        let told = ["odd.npy", "NaN, infinity or too large numbers in row 0 (counted from 0)"];
        folder.refused("eval t.json --image-emb odd.npy --text-emb plain.npy", &told);
    }
}

/// Ids of captions in the place of those of images, where a ground truth tells both.
#[test]
fn exchanged_ids_are_told() {
    let folder = Folder::new();
    folder.write("s.json", "[[1, 2, 3, 4], [4, 3, 2, 1]]");
    let truth = r#"{"i2t": {"10": [20, 21], "11": [22, 23]}, "t2i": {"20": [10], "21": [10], "22": [11], "23": [11]}}"#;
    folder.write("t.json", truth);
    folder.write("i.json", "[10, 11]");
    folder.write("c.json", "[20, 21, 22, 23]");
    let captions = r#"{"images": [{"id": 10}, {"id": 11}], "annotations": [
            {"id": 20, "image_id": 10, "caption": "a"}, {"id": 21, "image_id": 10, "caption": "b"},
            {"id": 22, "image_id": 11, "caption": "c"}, {"id": 23, "image_id": 11, "caption": "d"}]}"#;
    folder.write("captions_two.json", captions);
    for known in ["t.json", "captions_two.json"] {
        let eval = format!("eval -q s.json {known}");
        folder.done(&format!("{eval} --image-ids i.json --caption-ids c.json"));
        let exchanged = format!("{eval} --image-ids c.json --caption-ids i.json");
        folder.refused(&exchanged, &["the gallery", "ids such as"]);
    }
}

#[test]
fn what_is_empty_is_called_empty() {
    let folder = Folder::new();
    folder.write("none.npy", npy("'<i8'", false, "(0,)", &[]));
    for (name, text) in [("ids.txt", ""), ("blank.txt", "\n\n"), ("ids.json", "[]")] {
        folder.write(name, text);
    }
    let eval = "eval demo/broad.npy demo/rich_image_to_caption.json";
    for flag in ["--image-ids", "--caption-ids"] {
        for file in ["ids.txt", "blank.txt", "ids.json", "none.npy"] {
            folder.refused(&format!("{eval} {flag} {file}"), &[file, "an empty list of ids"]);
        }
    }
    for (name, text, told) in [
        ("e_image_to_caption.json", "{}", "covers no query"),
        ("b.json", r#"{"i2t": {}, "t2i": {}}"#, "covers no query"),
        ("n.qrels", "", "an empty file"),
    ] {
        folder.write(name, text);
        folder.refused(&format!("eval demo/broad.npy {name}"), &[name, told]);
    }
}

/// Whatever a file holds, an error about it can be read.
#[test]
fn long_lines_are_not_echoed_whole() {
    let folder = Folder::new();
    let long = "x".repeat(100_000);
    let mut all = Vec::new();
    for (name, text) in [
        ("a.json", "{\"i2t\": \"LONG\"}"),
        ("b_image_to_caption.json", "{\"1\": {\"LONG\": 1}}"),
        ("c.qrels", "1 0 LONG 1\n1 0 LONG 1\n"),
        ("d.qrels", "1 0 2 1\nLONG\n"),
        ("e.run", "1 Q0 2 1 0.5 t\nLONG\n"),
        ("f.json", "{\"format\": \"LONG\"}"),
        ("sits_g.csv", "caption,image,agg_score\na,b,LONG\n"),
        ("h.toml", "files = LONG\n"),
        ("i.toml", "LONG = 1\n"),
        ("j.toml", "files = [\"LONG\"]\n"),
        ("k.json", "{\"annotations\": [{\"caption\": \"a b\", \"id\": [\"LONG\"]}]}"),
        ("l_image_to_caption.json", "{\"LONG\": [1], \"LONGy\": [2]}"),
    ] {
        folder.write(name, text.replace("LONG", &long));
        all.push(format!("eval demo/broad.npy {name}"));
    }
    folder.write("ids.txt", format!("{long}\n{long}\n"));
    all.push("eval demo/broad.npy demo/rich_image_to_caption.json --image-ids ids.txt".into());
    all.extend(["show", "figure"].map(|command| format!("{command} --demo --query {long}")));
    for line in all {
        let output = folder.run(&line);
        let said = stderr(&output);
        let start: String = said.chars().take(900).collect();
        assert_eq!(output.status.code(), Some(1), "{start}");
        assert!(said.len() < 2_000, "{} bytes: {start}", said.len());
    }
}

#[test]
fn a_directory_in_place_of_a_lock_is_told_with_its_remedy() {
    let folder = Folder::new();
    fs::create_dir(folder.path("s.itm.json.lock")).unwrap();
    let session = folder.path("s.itm.json").display().to_string();
    let output = common::run(&[PICK, &[&session]].concat());
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(1));
    for part in ["s.itm.json: not saved", "s.itm.json.lock", "fix: ", "--session FILE"] {
        assert!(said.contains(part), "{said}");
    }
    assert_eq!(said.matches("not saved").count(), 1, "{said}");
}

/// A pipe is read when somebody writes to it.
#[test]
fn a_pipe_without_a_writer_is_waited_for() {
    let folder = Folder::new();
    let pipe = folder.path("f.npy");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let truth = folder.write("t.json", TRUTH);
    let mut command = Command::new(env!("CARGO_BIN_EXE_itm-explore"));
    command.args(["eval", "-q", "--images-first"]).args([&pipe, &truth]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut writer = fs::File::options().write(true).open(&pipe).unwrap();
    writer.write_all(&doubles([4.0, 1.0, 2.0, 3.0])).unwrap();
    drop(writer);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && !output.stdout.is_empty());
}

#[test]
fn files_that_are_not_there_or_not_what_they_are_taken_for_are_named() {
    let folder = Folder::new();
    fs::create_dir(folder.path("sessions")).unwrap();
    let truth = "demo/rich_image_to_caption.json";
    for (line, parts) in [
        ("eval demo/carefull.npy", &["no such file", "did you mean", "careful.npy?"][..]),
        ("demo/carefull.npy", &["no such file", "careful.npy?"]),
        // A mistyped folder would otherwise be created.
        ("--session session/mk.itm.json demo/", &["session", "no such file", "sessions?"]),
        (
            "eval --captions-first demo/careful.npy demo/",
            &["because of --captions-first", "drop --captions-first"],
        ),
        // A matrix where JSON or a table of answers is read.
        (
            &format!("eval {truth} --run demo/broad.npy"),
            &["broad.npy: a NumPy array (.npy)", "expected: CSV"],
        ),
        (
            &format!("eval {truth} --run-i2t demo/broad.npy"),
            &["broad.npy: a NumPy array (.npy)", "expected: CSV"],
        ),
        (
            "annotate import demo/broad.npy",
            &["broad.npy: a NumPy array (.npy)", "expected: answers"],
        ),
    ] {
        folder.refused(line, parts);
    }
    assert!(!folder.path("session").exists());
    // Lists of one direction, which their ids tell.
    fs::copy(demo_file("rich_image_to_caption.json"), folder.path("lists.json")).unwrap();
    folder.done(&format!("eval -q demo/captions.json {truth} --run lists.json --metrics r1"));
}

#[test]
fn files_of_other_subcommands_are_named_as_what_they_are() {
    let folder = Folder::new();
    let pooled = "--truth original --unlisted --top 2 --sample 2";
    folder.done(&format!("annotate pool --demo -o pool.jsonl {pooled}"));
    folder.done("annotate hits pool.jsonl --demo -o hits.json");
    folder.write("results.json", folder.printed("eval --demo --format json"));
    let session = r#"{ "format": "itm-explore-session/1", "verdicts": [] }"#;
    folder.write("session.json", session);
    let answers = r#"{"format": "itm-explore answers 1", "annotator": "mk", "answers": []}"#;
    folder.write("answers.json", answers);
    let all = [
        ("pool.jsonl", "a pool (annotate pool)"),
        ("hits.json", "HITs (annotate hits)"),
        ("results.json", "results (--format json)"),
        ("session.json", "a session, which is no input"),
        ("answers.json", "answers of the page (annotate hits --html)"),
    ];
    for (command, own) in [
        ("eval --demo", &["session.json"][..]),
        ("correlate", &["results.json"]),
        ("annotate import", &["session.json", "answers.json"]),
        ("annotate hits --demo -o none", &["pool.jsonl"]),
        ("annotate merge", &["session.json"]),
    ] {
        for (file, what) in all.iter().filter(|(file, _)| !own.contains(file)) {
            folder.refused(&format!("{command} {file}"), &[what, "expected: ", "fix: "]);
        }
    }
}
