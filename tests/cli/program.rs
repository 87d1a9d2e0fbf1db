//! The command line: results on stdout, everything else on stderr, exit codes, every error once.

use crate::common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::{demo_file, npy, run, stderr, stdout};

fn json(args: &[&str]) -> serde_json::Value {
    let output = run(args);
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// It fails with code 1, says nothing on stdout and all of `parts` on stderr.
fn assert_error(args: &[&str], parts: &[&str]) {
    let output = run(args);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{args:?}: {said}");
    assert_eq!(stdout(&output), "", "{args:?}");
    assert_eq!(said.matches("error: ").count(), 1, "{said}");
    for part in parts {
        assert!(said.contains(part), "{args:?} does not say {part:?}:\n{said}");
    }
}

fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_table_of_the_demo() {
    let output = run(&["eval", "--demo", "-q", "--metrics", "r1,map_at_r", "--truth", "rich"]);
    assert!(output.status.success());
    assert_eq!(stderr(&output), "");
    insta::assert_snapshot!(stdout(&output));
}

#[test]
fn every_format() {
    for format in ["csv", "markdown", "latex"] {
        let args =
            ["eval", "--demo", "-q", "--metrics", "eccv,r1", "--truth", "rich", "--format", format];
        assert_error(&args, &["nothing is named eccv", "map_at_r"]);
        let args = [
            "eval",
            "--demo",
            "-q",
            "--metrics",
            "r1,median_rank,rsum",
            "--truth",
            "rich",
            "--format",
            format,
        ];
        insta::assert_snapshot!(format!("format_{format}"), stdout(&run(&args)));
    }
}

/// Models are rows, what papers print comes first, and what does not fit is left to `--long`.
#[test]
fn metrics_of_several_models_fit_a_page() {
    let eval = |more: &[&str]| stdout(&run(&[&["eval", "--demo", "-q"], more].concat()));
    let table = eval(&[]);
    assert!(table.lines().all(|line| line.chars().count() <= 100), "{table}");
    let first: Vec<&str> = table.lines().nth(2).unwrap().split_whitespace().take(4).collect();
    assert_eq!(first, ["Model", "R@1", "R@5", "R@10"]);
    assert!(table.contains("--long also prints Original mAP@R R-P, rich R@1"), "{table}");
    let all = eval(&["--metrics", "all"]);
    assert!(all.contains("--long also prints") && all.lines().nth(2).unwrap().len() <= 100);
    let long = eval(&["--long"]);
    assert!(long.contains("original_rsum") && long.contains("rich_r10"), "{long}");
    let one = eval(&["--metrics", "all", "--name", "broad=ours@1", "--name", "naive=ours@2"]);
    assert!(one.contains("ours (2 runs)"), "{one}");
    for name in ["R@1", "Recall@1", "recall@1", "RECALL@1"] {
        assert_eq!(eval(&["--metrics", name]), eval(&["--metrics", "r1"]), "{name}");
    }
}

/// In small letters below the numbers, so that the table is no wider than one without them.
#[test]
fn intervals_of_a_paper_s_table_stand_below_the_numbers() {
    let args = ["eval", "--demo", "-q", "--metrics", "r1,map_at_r,rsum", "--truth", "rich"];
    let table = |more: &[&str]| stdout(&run(&[&args[..], &["--format", "latex"], more].concat()));
    let (plain, with) = (table(&[]), table(&["--ci"]));
    insta::assert_snapshot!("latex_with_intervals", with);
    let is_kept = |line: &&str| !line.starts_with([' ', '{', '}', '%']) || line.contains("multi");
    let kept = |text: &str| text.lines().filter(is_kept).map(String::from).collect::<Vec<_>>();
    assert_eq!(kept(&with), kept(&plain));
}

#[test]
fn the_json_contract() {
    let result = json(&["eval", "--demo", "-q", "--format", "json"]);
    assert_eq!(result["study"], serde_json::json!({"images": 60, "captions": 300}));
    let broad = &result["models"][1];
    assert_eq!(
        (broad["name"].as_str(), broad["source"].as_str()),
        (Some("broad"), Some("demo/broad.npy"))
    );
    assert_eq!(broad["judged"]["rich"], serde_json::json!({"i2t": 38, "t2i": 120}));
    let keys: Vec<&String> = broad["metrics"].as_object().unwrap().keys().collect();
    assert_eq!(&keys[..3], ["original_r1", "original_r5", "original_r10"]);
    assert!(broad["metrics"]["pmrp"]["t2i"].is_f64());
    assert!((broad["metrics"]["original_r1"]["i2t"].as_f64().unwrap() - 29.0 / 60.0).abs() < 1e-12);
}

#[test]
fn directions_ceilings_and_depths() {
    let result = json(
        &[
            "eval",
            "--demo",
            "-q",
            "--format",
            "json",
            "--direction",
            "i2t",
            "--ceiling",
            "--metrics",
            "ir_recall_at_k,eccv",
            "--k",
            "7",
        ]
        .map(|arg| if arg == "ir_recall_at_k,eccv" { "ir_recall_at_k,rich_map_at_r" } else { arg }),
    );
    let metrics = result["models"][0]["metrics"].as_object().unwrap();
    assert!(metrics.contains_key("rich_ir_recall_at_7"));
    assert_eq!(metrics["rich_map_at_r"].as_object().unwrap().len(), 1);
    let ceiling = result["ceiling"]["rich_map_at_r"]["i2t"].as_f64().unwrap();
    assert!(ceiling < 1.0 && ceiling > 0.99, "one positive is outside the gallery: {ceiling}");
}

#[test]
fn packed_and_loose_truths_give_the_same_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let bundle = folder.path().join("bundle.json").to_str().unwrap().to_owned();
    let demo = demo_file("");
    let output = run(&["convert", &demo, "-o", &bundle]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    let model = demo_file("naive.npy");
    let metrics = |truths: &str| {
        json(&["eval", "-q", &model, truths, "--format", "json", "--metrics", "all"])["models"]
                [0]["metrics"]
                .clone()
    };
    assert_eq!(metrics(&demo), metrics(&bundle));
    let again = folder.path().join("again.json").to_str().unwrap().to_owned();
    assert!(run(&["convert", &bundle, "-o", &again]).status.success());
    assert_eq!(fs::read(&bundle).unwrap(), fs::read(&again).unwrap());
}

#[test]
fn one_direction_picks_up_its_partner() {
    let model = demo_file("careful.npy");
    let result = json(&[
        "eval",
        "-q",
        &model,
        &demo_file("captions.json"),
        &demo_file("rich_image_to_caption.json"),
        "--format",
        "json",
    ]);
    assert_eq!(result["models"][0]["judged"]["rich"], serde_json::json!({"i2t": 38, "t2i": 120}));
    assert_eq!(
        result["models"][0]["judged"]["original"],
        serde_json::json!({"i2t": 60, "t2i": 300})
    );
}

#[test]
fn captions_first_is_found_out() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = fs::read(demo_file("broad.npy")).unwrap();
    let (cells, header) = (60 * 300, bytes.len() - 60 * 300 * 4);
    let cell = |at: usize| &bytes[header + at * 4..header + at * 4 + 4];
    let turned: Vec<u8> =
        (0..cells).flat_map(|at| cell(at % 60 * 300 + at / 60)).copied().collect();
    let turned = write(folder.path(), "turned.npy", npy("'<f4'", false, "(300, 60)", &turned));
    let fortran: Vec<u8> =
        (0..cells).flat_map(|at| cell(at % 60 * 300 + at / 60)).copied().collect();
    let fortran = write(folder.path(), "fortran.npy", npy("'<f4'", true, "(60, 300)", &fortran));
    let metrics = |model: &str| {
        json(&[
            "eval",
            "-q",
            model,
            &demo_file(""),
            "--format",
            "json",
            "--metrics",
            "all",
        ])["models"][0]["metrics"]
            .clone()
    };
    let straight = metrics(&demo_file("broad.npy"));
    assert_eq!(metrics(&turned), straight);
    assert_eq!(metrics(&fortran), straight);
}

#[test]
fn files_that_are_missing_or_of_another_kind() {
    let folder = tempfile::tempdir().unwrap();
    let demo = demo_file("");
    assert_error(&["eval", "nowhere.npy"], &["nowhere.npy: no such file or directory"]);
    let text = write(folder.path(), "notes.txt", "hello there\n");
    assert_error(
        &["eval", &text, &demo],
        &["notes.txt: 1 lines of text, taken for captions", "300"],
    );
    let text = write(folder.path(), "numbers.txt", "1\n2\n");
    assert_error(&["eval", &text, &demo], &["numbers.txt: text of an unknown kind", "expected"]);
    let text = write(folder.path(), "scores.csv", "0.1,0.2\n0.3,0.4\n");
    assert_error(&["eval", &text, &demo], &["scores.csv: a matrix of 2 x 2"]);
    let text = write(folder.path(), "scores.txt", "0.1 0.2\n0.3\n");
    assert_error(&["eval", &text, &demo], &["scores.txt"]);
    assert_error(&["eval", "-", &demo], &["/dev/stdin"]);
    let empty = write(folder.path(), "empty.npy", "");
    assert_error(&["eval", &empty, &demo], &["empty.npy: an empty file"]);
    assert_error(
        &["eval", folder.path().to_str().unwrap()],
        &["a folder without ground truths", "_image_to_caption.json"],
    );
    assert_error(&["eval", &demo], &["no score matrix"]);
    assert_error(
        &["eval", &demo_file("broad.npy"), "--captions-per-image", "0"],
        &["no ground truth among the files"],
    );
}

#[test]
fn matrices_that_cannot_be_right() {
    let folder = tempfile::tempdir().unwrap();
    let demo = demo_file("");
    let model = |name: &str, bytes: Vec<u8>| write(folder.path(), name, bytes);
    let whole = fs::read(demo_file("broad.npy")).unwrap();

    let cut = model("cut.npy", whole[..whole.len() - 1000].to_vec());
    assert_error(
        &["eval", &cut, &demo],
        &["cut.npy: cut off: ", "71,000 bytes", "expected: 72,000"],
    );
    let header_only = model("short.npy", whole[..20].to_vec());
    assert_error(&["eval", &header_only, &demo], &["short.npy", "cut or damaged"]);
    let huge = model("huge.npy", npy("'<f4'", false, "(1000000, 1000000)", &[0; 64]));
    assert_error(&["eval", &huge, &demo], &["huge.npy", "1000000 x 1000000", "64 bytes"]);
    let endless = model("endless.npy", npy("'<f4'", false, "(99999999999, 99999999999)", &[0; 64]));
    assert_error(&["eval", &endless, &demo], &["cut off: 64 bytes", "expected: a smaller shape"]);
    let object = model("object.npy", npy("'|O'", false, "()", b"\x80\x04K\x01."));
    assert_error(
        &["eval", &object, &demo],
        &["pickled Python objects", "allow_pickle=True", "object.npy"],
    );
    let fields = model("fields.npy", npy("[('a', '<f4')]", false, "(1,)", &[0; 4]));
    assert_error(&["eval", &fields, &demo], &["structured array"]);
    let small = model("small.npy", npy("'<f4'", false, "(50, 300)", &vec![0; 60_000]));
    assert_error(
        &["eval", &small, &demo],
        &["a matrix of 50 x 300", "60 images (as in", "300 captions (as in", "captions.json"],
    );
    let line = model("line.npy", npy("'<f4'", false, "(8,)", &[0; 32]));
    assert_error(&["eval", &line, &demo], &["1 dimension"]);
    let mut nan = whole;
    let at = nan.len() - 4 * 300 - 8;
    nan[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    let nan = model("nan.npy", nan);
    assert_error(&["eval", &nan, &demo], &["NaN at image 58, caption 298"]);
}

#[test]
fn truths_that_cannot_be_right() {
    let folder = tempfile::tempdir().unwrap();
    let model = demo_file("broad.npy");
    let captions = demo_file("captions.json");
    let strange = write(
        folder.path(),
        "odd_image_to_caption.json",
        r#"{"900001": [1], "900002": [2], "900003": [3], "900004": [4]}"#,
    );
    assert_error(
        &["eval", &model, &captions, &strange],
        &["none of its queries is in the gallery", "900001, 900002, 900003", "ids such as"],
    );
    // Indices as ids: hardly any of a file of another gallery fits, and that by chance.
    let line = |caption: u32, image: u32| {
        format!("COCO_val2014:sentid:{caption},COCO_val2014_{image:012}.jpg,4.5,c2i\n")
    };
    let others: String = (0..200).map(|at| line(700_000 + at, 900_000 + at)).collect();
    let ratings = format!("caption,image,agg_score,sampling_method\n{}{others}", line(3, 1));
    let ratings = write(folder.path(), "sits_test.csv", ratings);
    assert_error(
        &["eval", &model, &ratings],
        &["1 of its 201 pairs are in the gallery", "--image-ids"],
    );
    let notes = write(folder.path(), "notes.md", "a text of words\nand one more line\n");
    assert_error(&["eval", &model, &notes], &["2 captions (as in", "drop the files"]);
    let broken = write(folder.path(), "bad_image_to_caption.json", "{\"417\": [1,\n 2,, 3]}");
    assert_error(&["eval", &model, &captions, &broken], &["broken JSON at line 2, column 4"]);
    let deep = write(folder.path(), "deep.json", "[".repeat(100_000));
    assert_error(&["eval", &model, &captions, &deep], &["deep.json: broken JSON at line 1"]);
    let nested = write(folder.path(), "nested.json", format!("{{\"i2t\": {}", "[".repeat(100_000)));
    assert_error(&["eval", &model, &captions, &nested], &["nested.json: broken JSON at line 1"]);
    let future =
        write(folder.path(), "future.json", r#"{"format": "itm-explore/9", "truths": {}}"#);
    assert_error(
        &["eval", &model, &captions, &future],
        &["itm-explore/9", "expected: \"itm-explore/1\""],
    );
    let twice = write(folder.path(), "ids.json", format!("[{}]", vec!["7"; 300].join(",")));
    assert_error(
        &["eval", &model, &demo_file(""), "--caption-ids", &twice],
        &["id 7 stands twice"],
    );
}

#[test]
fn json_of_another_form_is_not_called_broken() {
    let folder = tempfile::tempdir().unwrap();
    let (model, captions) = (demo_file("broad.npy"), demo_file("captions.json"));
    let floats = write(folder.path(), "f_image_to_caption.json", r#"{"6879": [1.5]}"#);
    assert_error(
        &["eval", &model, &captions, &floats],
        &["JSON of another form at line 1, column 13", "expected an id"],
    );
}

#[test]
fn a_byte_order_mark_is_no_content() {
    let folder = tempfile::tempdir().unwrap();
    let mut marked = b"\xef\xbb\xbf".to_vec();
    marked.extend(fs::read(demo_file("rich_image_to_caption.json")).unwrap());
    let marked = write(folder.path(), "marked_image_to_caption.json", marked);
    let args = [
        "eval",
        "-q",
        &demo_file("broad.npy"),
        &demo_file("captions.json"),
        &marked,
        "--format",
        "json",
    ];
    assert_eq!(json(&args)["models"][0]["judged"]["marked"]["i2t"], 38);
}

#[test]
fn several_depths_before_files() {
    let files = ["broad.npy", "rich_image_to_caption.json", "captions.json"].map(demo_file);
    let eval = |depths: &[&str]| {
        let files = files.each_ref().map(String::as_str);
        let named = ["--metrics", "ir_recall_at_k", "--format", "csv"];
        let output = run(&[&["eval", "-q"], &named[..], depths, &files].concat());
        assert!(output.status.success(), "{}", common::stderr(&output));
        output.stdout
    };
    let with_commas = eval(&["--k", "1,3"]);
    assert!(String::from_utf8_lossy(&with_commas).contains("ir_recall_at_3"));
    assert_eq!(eval(&["--k", "1", "--k", "3"]), with_commas);
    let errors = run(&["errors", "-q", "--k", "5,7", &files[0], &files[1], &files[2]]);
    assert!(errors.status.success(), "{}", common::stderr(&errors));
}

#[test]
fn names_that_nothing_has() {
    assert_error(
        &["eval", "--demo", "-q", "--truth", "gold"],
        &["no ground truth is named gold", "original, rich, pm"],
    );
    assert_error(&["eval", "--demo", "-q", "--pool", "fold1"], &["no pool named fold1", "all"]);
    assert_eq!(run(&["eval", "--demo", "--format", "xml"]).status.code(), Some(2));
    assert_eq!(run(&["eval", "--demo", "--k", "0"]).status.code(), Some(2));
}

#[test]
fn without_a_terminal_the_explorer_says_what_prints_instead() {
    assert_error(&[], &["not a terminal", "itm-explore eval"]);
}

#[test]
fn escape_sequences_in_names_and_ids_are_shown_not_obeyed() {
    let folder = tempfile::tempdir().unwrap();
    let strange = write(folder.path(), "a\u{1b}[31mb.npy", "no matrix");
    let output = run(&["eval", &strange]);
    assert!(!output.stderr.contains(&0x1b), "{}", stderr(&output));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let script = format!(
        "'{}' eval --demo -q --format csv --metrics all | head -n 1",
        env!("CARGO_BIN_EXE_itm-explore")
    );
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    assert_eq!(stderr(&output), "");
    assert!(stdout(&output).starts_with("model,source,metric"));
}

#[test]
fn convert_writes_to_standard_output_and_through_no_other_link() {
    let output = run(&["convert", &demo_file(""), "-o", "/dev/stdout"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).starts_with("{\"format\":\"itm-explore/1\""));
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("link");
    let target = folder.path().join("precious");
    std::os::unix::fs::symlink(&target, &link).unwrap();
    let target = target.to_str().unwrap();
    assert_error(
        &["convert", &demo_file(""), "--force", "-o", link.to_str().unwrap()],
        &["symbolic link", target],
    );
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink() && !Path::new(target).exists());
}

#[test]
fn convert_leaves_nothing_behind_when_it_fails() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("no/such/folder.json");
    assert_error(
        &["convert", &demo_file(""), "-o", out.to_str().unwrap()],
        &["there is no folder", "mkdir -p"],
    );
    let out = folder.path().join("out.json");
    assert_error(
        &["convert", &demo_file("broad.npy"), "-o", out.to_str().unwrap()],
        &["no ground truth among the files"],
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Slips of the pen are told with what was meant.
#[test]
fn slips_are_told_with_what_was_meant() {
    let assert_metric = |name, told: &str| {
        assert_error(
            &["eval", "--demo", "-q", "--metrics", name],
            &["--metrics: nothing is named", told],
        );
    };
    assert_metric("recall@3", "R@K has K = 1, 5 and 10; ir_recall_at_3 is the share of positives");
    assert_metric("R@1 mAP@R", "separate names by commas: R@1,mAP@R");
    assert_metric("nDGC@K", "did you mean nDCG@K?");
    let demo = ["--demo", "-q"];
    let fails = |args: &[&str], told: &[&str]| assert_error(&[args, &demo].concat(), told);
    fails(&["eval", "--truth", "ric"], &["no ground truth is named ric", "did you mean rich?"]);
    fails(
        &["figure", "--query", "60208", "--model", "Broad", "-o", "never.svg"],
        &["no model is named Broad", "did you mean broad?"],
    );
    fails(
        &["find", "--where", "r1 == 0", "--model", "nai"],
        &["no model is named nai", "did you mean naive?"],
    );
    for out in [&["convert", "--format", "bundle"][..], &["report"]] {
        let fails = |file, words: &[&str]| fails(&[out, &["-o", file]].concat(), words);
        fails("no/such/folder/x", &["there is no folder no/such/folder", "mkdir -p"]);
        fails("tests", &["tests: not written: it is a folder", "tests/FILE"]);
    }
    let lists = ["convert", "--format", "json", "-o", "Cargo.toml"];
    fails(&lists, &["Cargo.toml: a file", "a folder"]);
}

#[test]
fn what_lacks_for_a_metric_or_a_list_is_told() {
    let demo = ["--demo", "-q"];
    let fails = |args: &[&str], told: &[&str]| assert_error(&[args, &demo].concat(), told);
    fails(
        &["eval", "--metrics", "ncs_at_10,nsum"],
        &["ncs_at_10 without a similarity", "--phi cider"],
    );
    fails(
        &["eval", "--metrics", "rich_r1", "--truth", "original"],
        &["of the ground truth rich, which --truth excludes"],
    );
    fails(&["find", "--items", "--which", "missed"], &["--phi cider"]);
    fails(&["report", "-o", "never.pdf"], &["a page is no .pdf", ".html"]);
    fails(&["plot", "models", "-o", "never.jpg"], &[".svg, .png, .pdf, .tex, .html"]);
    let folder = tempfile::tempdir().unwrap();
    let cells = [1.0f32, 0.0, 0.0, 1.0].map(f32::to_le_bytes).concat();
    let scores = npy("'<f4'", false, "(2, 2)", &cells);
    let scores = write(folder.path(), "a.npy", scores);
    assert_error(
        &["eval", &scores, "-q", "--captions-per-image", "1", "--metrics", "pmrp"],
        &["pmrp without the ground truth pm", "a COCO instances file among the files"],
    );
    let said = run(&[&["eval", "--metrics", "r1, map_at_r"], &demo[..]].concat());
    assert!(stdout(&said).contains("mAP@R"), "{}", stderr(&said));
}

#[test]
fn options_of_a_similarity_require_one() {
    for option in ["--phi-m=4", "--phi-close=0.4"] {
        let said = run(&["eval", "--demo", "--metrics", "r1", option]);
        assert_eq!(said.status.code(), Some(2));
        assert!(stderr(&said).contains("--phi"), "{}", stderr(&said));
    }
}

/// A number below zero is a bad value of its option, not an option that there is not.
#[test]
fn numbers_below_zero_are_told_as_values() {
    for (subcommand, option, wanted) in
        [("eval", "--k", "a whole number above 0"), ("compare", "--seed", "invalid digit")]
    {
        let done = run(&[subcommand, "--demo", option, "-5"]);
        assert_eq!(done.status.code(), Some(2));
        let said = stderr(&done);
        assert!(said.contains("invalid value '-5'") && said.contains(wanted), "{said}");
    }
    assert_error(
        &["mix", "--demo", "-q", "--models", "careful,broad", "--steps", "-0.5"],
        &["a number that divides 1"],
    );
}

#[test]
fn one_model_is_not_mixed_and_nobody_is_sent_to_another_subcommand() {
    let model = demo_file("careful.npy");
    let truth = demo_file("original_caption_to_image.json");
    let captions = demo_file("captions.json");
    let told = ["1 model given, two are mixed"];
    assert_error(&["mix", "-q", &model, &truth, &captions], &told);
    let said = stderr(&run(&["plot", "models", &truth, &captions]));
    assert!(said.contains("no score matrix") && !said.contains("itm-explore eval"), "{said}");
}

/// The ids of the demo are no indices: qrels that count are refused, whether some fit by chance or none.
#[test]
fn indices_are_not_taken_for_ids() {
    let folder = tempfile::tempdir().unwrap();
    let qrels = |name: &str, lines: &[[usize; 2]]| {
        let lines = lines.iter().map(|[query, item]| format!("{query} 0 {item} 1\n"));
        write(folder.path(), name, lines.collect::<String>())
    };
    let lines: Vec<[usize; 2]> = (0..300).map(|at| [at / 5, at]).collect();
    let counted = qrels("counted.qrels", &lines);
    let eval = |file: &str| ["eval", "--demo", "-q", file].map(str::to_owned);
    let fails =
        |file: &str, told: &[&str]| assert_error(&eval(file).each_ref().map(String::as_str), told);
    fails(
        &counted,
        &["its queries (0, 1, 2) are neither images nor captions", "look like indices"],
    );
    let counted = qrels("counted_i2t.qrels", &lines);
    fails(&counted, &["none of its queries is in the gallery", "look like indices"]);
    // Without ids they are what the file means, in the direction that fits.
    let scores = demo_file("careful.npy");
    let counted = qrels("counted.qrels", &lines);
    let done = run(&["eval", &scores, &counted, "-q", "--metrics", "r1", "--format", "csv"]);
    let printed = String::from_utf8(done.stdout).unwrap();
    assert!(printed.contains(",i2t,"), "{printed}");
    assert!(stdout(&run(&["doctor", &scores, &counted])).contains("t2i follows"));
}

/// Papers on image-text matching call R@1 recall.
#[test]
fn recall_at_1_is_r_at_1() {
    let of = |metric| stdout(&run(&["eval", "--demo", "-q", "--metrics", metric]));
    let r1 = of("r1");
    for written in ["R@1", "Recall@1", "recall@1", "r@1", "recall_at_1"] {
        assert_eq!(of(written), r1, "{written}");
    }
    assert_eq!(of("rich_recall@1"), of("rich_r1"));
    assert_ne!(of("ir_recall_at_1"), r1);
    let found = |condition| stdout(&run(&["find", "--demo", "-q", "--where", condition]));
    assert_eq!(found("recall_at_1 == 0"), found("r1 == 0"));
    assert_eq!(found("Recall@1 == 0"), found("r1 == 0"));
}
