//! Inputs that are wrong, strange or not there yet: one error that says what is true.

use crate::common;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use common::{PICK, assert_error, demo_file, npy, run, stderr};

/// Writes a file and gives its name.
fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

/// A truth of the ids 0 and 1.
const TRUTH: &str = r#"{"i2t": {"0": [0], "1": [1]}, "t2i": {"0": [0], "1": [1]}}"#;

fn doubles(cells: [f64; 4]) -> Vec<u8> {
    let cells: Vec<u8> = cells.iter().flat_map(|cell| cell.to_le_bytes()).collect();
    npy("'<f8'", false, "(2, 2)", &cells)
}

/// One ranking is refused as all are, wherever in the file the NaN is.
#[test]
fn nan_is_the_same_error_for_one_query_as_for_all() {
    let folder = tempfile::tempdir().unwrap();
    let truth = write(folder.path(), "t.json", TRUTH);
    let whole = write(folder.path(), "whole.npy", doubles([1.0, 3.0, 3.0, 4.0]));
    let broken = write(folder.path(), "broken.npy", doubles([1.0, 3.0, 3.0, f64::NAN]));
    let told = ["broken.npy: NaN at image 1, caption 1 (counted from 0)", "numpy.nan_to_num"];
    assert_error(1, &["eval", &broken, &truth], &told);
    for direction in ["i2t", "t2i"] {
        for query in ["0", "1"] {
            let named = ["--query", query, "--direction", direction];
            for command in ["show", "figure"] {
                let args = [&[command, &broken, &truth], &named[..]].concat();
                assert_error(1, &args, &told);
                let both = ["--model", "whole,broken", &whole];
                assert_error(1, &[&args[..], &both].concat(), &told);
                let args =
                    [&[command, &whole, &truth, &broken, "--model", "whole"], &named[..]].concat();
                let output = run(&args);
                assert!(output.status.success(), "{args:?}: {}", stderr(&output));
            }
        }
    }
}

#[test]
fn embeddings_too_long_for_64_bits_are_called_so() {
    let folder = tempfile::tempdir().unwrap();
    let truth = write(folder.path(), "t.json", TRUTH);
    let table =
        |name: &str, first: f64| write(folder.path(), name, doubles([first, 1.0, 1.0, 1.0]));
    let plain = table("plain.npy", 1.0);
    for file in [table("huge.npy", 1e200), table("inf.npy", f64::INFINITY)] {
        let args = ["eval", &truth, "--image-emb", &file, "--text-emb", &plain];
        let told = "NaN, infinity or too large numbers in row 0 (counted from 0)";
        assert_error(1, &args, &[&file, told]);
    }
}

/// Ids of captions in the place of those of images, where a ground truth tells both.
#[test]
fn exchanged_ids_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str, text: &str| write(folder.path(), name, text);
    let scores = path("s.json", "[[1, 2, 3, 4], [4, 3, 2, 1]]");
    let truth = path(
        "t.json",
        r#"{"i2t": {"10": [20, 21], "11": [22, 23]}, "t2i": {"20": [10], "21": [10], "22": [11], "23": [11]}}"#,
    );
    let (images, captions) = (path("i.json", "[10, 11]"), path("c.json", "[20, 21, 22, 23]"));
    let texts = path(
        "captions_two.json",
        r#"{"images": [{"id": 10}, {"id": 11}], "annotations": [
            {"id": 20, "image_id": 10, "caption": "a"}, {"id": 21, "image_id": 10, "caption": "b"},
            {"id": 22, "image_id": 11, "caption": "c"}, {"id": 23, "image_id": 11, "caption": "d"}]}"#,
    );
    for known in [&truth, &texts] {
        let with = |images: &str, captions: &str| {
            let flags = ["--image-ids", images, "--caption-ids", captions];
            let args = [&["eval", "-q", &scores, known][..], &flags].concat();
            args.iter().map(|&arg| arg.to_owned()).collect::<Vec<_>>()
        };
        let args = with(&images, &captions);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        assert!(run(&args).status.success());
        let args = with(&captions, &images);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        assert_error(1, &args, &["the gallery", "ids such as"]);
    }
}

/// A matrix where JSON or a table of answers is read is named as what it is.
#[test]
fn numbers_in_the_place_of_text_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let truth = demo_file("rich_image_to_caption.json");
    let model = demo_file("broad.npy");
    let told = ["broad.npy: a NumPy array (.npy)", "expected: CSV"];
    for flag in ["--run", "--run-i2t"] {
        assert_error(1, &["eval", &truth, flag, &model], &told);
    }
    let told = ["broad.npy: a NumPy array (.npy)", "expected: answers"];
    assert_error(1, &["annotate", "import", &model], &told);
    // Lists of one direction, which their ids tell.
    let lists = fs::read(demo_file("rich_image_to_caption.json")).unwrap();
    let lists = write(folder.path(), "lists.json", lists);
    let captions = demo_file("captions.json");
    let args = ["eval", "-q", &captions, &truth, "--run", &lists, "--metrics", "r1"];
    let output = run(&args);
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn what_is_empty_is_called_empty() {
    let folder = tempfile::tempdir().unwrap();
    let (model, truth) = (demo_file("broad.npy"), demo_file("rich_image_to_caption.json"));
    let path = |name: &str, text: &str| write(folder.path(), name, text);
    let npy = write(folder.path(), "none.npy", npy("'<i8'", false, "(0,)", &[]));
    for flag in ["--image-ids", "--caption-ids"] {
        for file in
            [&path("ids.txt", ""), &path("blank.txt", "\n\n"), &path("ids.json", "[]"), &npy]
        {
            assert_error(1, &["eval", &model, &truth, flag, file], &[file, "an empty list of ids"]);
        }
    }
    for (name, text, told) in [
        ("e_image_to_caption.json", "{}", "judges no query"),
        ("b.json", r#"{"i2t": {}, "t2i": {}}"#, "judges no query"),
        ("n.qrels", "", "an empty file"),
    ] {
        let file = path(name, text);
        assert_error(1, &["eval", &model, &file], &[&file, told]);
    }
}

/// Whatever a file holds, an error about it can be read.
#[test]
fn long_lines_are_not_echoed_whole() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let long = "x".repeat(100_000);
    let (model, truth) = (demo_file("broad.npy"), demo_file("rich_image_to_caption.json"));
    let path = |name: &str, text: String| write(folder, name, text);
    let files = [
        path("a.json", format!("{{\"i2t\": \"{long}\"}}")),
        path("b_image_to_caption.json", format!("{{\"1\": {{\"{long}\": 1}}}}")),
        path("c.qrels", format!("1 0 {long} 1\n1 0 {long} 1\n")),
        path("d.qrels", format!("1 0 2 1\n{long}\n")),
        path("e.run", format!("1 Q0 2 1 0.5 t\n{long}\n")),
        path("f.json", format!("{{\"format\": \"{long}\"}}")),
        path("sits_g.csv", format!("caption,image,agg_score\na,b,{long}\n")),
        path("h.toml", format!("files = {long}\n")),
        path("i.toml", format!("{long} = 1\n")),
        path("j.toml", format!("files = [\"{long}\"]\n")),
        path(
            "k.json",
            format!("{{\"annotations\": [{{\"caption\": \"a b\", \"id\": [\"{long}\"]}}]}}"),
        ),
        path("l_image_to_caption.json", format!("{{\"{long}\": [1], \"{long}y\": [2]}}")),
    ];
    let ids = path("ids.txt", format!("{long}\n{long}\n"));
    let mut all: Vec<Vec<&str>> = files.iter().map(|file| vec!["eval", &model, file]).collect();
    all.push(vec!["eval", &model, &truth, "--image-ids", &ids]);
    all.push(vec!["show", "--demo", "--query", &long]);
    all.push(vec!["figure", "--demo", "--query", &long]);
    for args in all {
        let output = run(&args);
        let said = stderr(&output);
        let start: String = said.chars().take(900).collect();
        assert_eq!(output.status.code(), Some(1), "{start}");
        assert!(said.len() < 2_000, "{} bytes: {start}", said.len());
    }
}

#[test]
fn a_directory_in_place_of_a_lock_is_told_with_its_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("s.itm.json");
    let lock = folder.path().join("s.itm.json.lock");
    fs::create_dir(&lock).unwrap();
    let session = session.to_str().unwrap();
    let output = run(&[PICK, &[session]].concat());
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("s.itm.json: not saved") && said.contains("s.itm.json.lock"), "{said}");
    assert!(said.contains("fix: ") && said.contains("--session FILE"), "{said}");
    assert_eq!(said.matches("not saved").count(), 1, "{said}");
}

/// A pipe is read when somebody writes to it.
#[test]
fn a_pipe_without_a_writer_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("f.npy");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let truth = write(folder.path(), "t.json", TRUTH);
    let mut command = Command::new(env!("CARGO_BIN_EXE_itm-explore"));
    command.args(["eval", "-q", "--images-first", pipe.to_str().unwrap(), &truth]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut writer = fs::File::options().write(true).open(&pipe).unwrap();
    writer.write_all(&doubles([4.0, 1.0, 2.0, 3.0])).unwrap();
    drop(writer);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(!output.stdout.is_empty());
}

#[test]
fn a_file_that_is_not_there_may_be_one_beside_it() {
    let near = demo_file("carefull.npy");
    common::assert_error(1, &["eval", &near], &["no such file", "did you mean", "careful.npy?"]);
    common::assert_error(1, &[&near], &["no such file", "careful.npy?"]);
}

/// A mistyped folder would otherwise be created.
#[test]
fn the_folder_of_a_session_is_there() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("sessions")).unwrap();
    let session = folder.path().join("session/mk.itm.json");
    let args = ["--session", session.to_str().unwrap(), &demo_file("")];
    common::assert_error(1, &args, &["session", "no such file", "sessions?"]);
    assert!(!folder.path().join("session").exists());
}

#[test]
fn captions_first_of_a_matrix_that_has_images_first_is_named() {
    let args = ["eval", "--captions-first", &demo_file("careful.npy"), &demo_file("")];
    common::assert_error(1, &args, &["because of --captions-first", "drop --captions-first"]);
}

#[test]
fn files_of_other_subcommands_are_named_as_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [pool, hits] = ["pool.jsonl", "hits.json"].map(path);
    let pooled = ["--truth", "original", "--unlisted", "--top", "2", "--sample", "2"];
    let done = |args: &[&str]| {
        let output = run(args);
        assert!(output.status.success(), "{args:?}: {}", stderr(&output));
        output.stdout
    };
    done(&[&["annotate", "pool", "--demo", "-o", &pool][..], &pooled].concat());
    done(&["annotate", "hits", &pool, "--demo", "-o", &hits]);
    let results = done(&["eval", "--demo", "--format", "json"]);
    let results = write(folder.path(), "results.json", results);
    let session = r#"{ "format": "itm-explore-session/1", "verdicts": [] }"#;
    let session = write(folder.path(), "session.json", session);
    let answers = r#"{"format": "itm-explore answers 1", "annotator": "mk", "answers": []}"#;
    let answers = write(folder.path(), "answers.json", answers);
    let all = [
        (&pool, "a pool (annotate pool)"),
        (&hits, "HITs (annotate hits)"),
        (&results, "results (--format json)"),
        (&session, "a session, which is no input"),
        (&answers, "answers of the page (annotate hits --html)"),
    ];
    let takers: [(&[&str], &[&String]); 5] = [
        (&["eval", "--demo"], &[&session]),
        (&["correlate"], &[&results]),
        (&["annotate", "import"], &[&session, &answers]),
        (&["annotate", "hits", "--demo", "-o", &path("none")], &[&pool]),
        (&["annotate", "merge"], &[&session]),
    ];
    for (command, own) in takers {
        for (file, what) in all.iter().filter(|(file, _)| !own.contains(file)) {
            let words = [what, "expected: ", "fix: "];
            assert_error(1, &[command, &[file.as_str()]].concat(), &words);
        }
    }
}
