//! The command line: results on stdout, everything else on stderr, exit codes, every error once.

use crate::common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::{assert_error, demo_file, json, npy, printed, run, stderr, stdout, words};
use itm_explore::data::Direction;
use itm_explore::evaluate::evaluate;
use itm_explore::evaluate::plan::Request;
use itm_explore::rank::pass::CancelToken;
use itm_explore::report::evaluation::EvalReport;
use itm_explore::report::formats::Format;
use itm_explore::report::{Report, TextOutput};
use itm_explore::study::demo;

/// The command line fails with code 1 and says all of `parts`.
fn fails(line: &str, parts: &[&str]) {
    assert_error(1, &words(line), parts);
}

fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_table_of_the_demo() {
    let output = run(&words("eval --demo -q --metrics r1,map_at_r --truth rich"));
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    insta::assert_snapshot!(stdout(&output));
}

#[test]
fn every_format() {
    fails("eval --demo -q --metrics eccv,r1", &["nothing is named eccv", "map_at_r"]);
    for format in ["csv", "markdown", "latex"] {
        let args = words("eval --demo -q --metrics r1,median_rank,rsum --truth rich --format");
        insta::assert_snapshot!(
            format!("format_{format}"),
            printed(&[&args[..], &[format]].concat())
        );
    }
}

/// Models are rows, what papers print comes first, and a pipe gets every column.
#[test]
fn metrics_of_several_models_fit_a_page() {
    let eval = |more: &[&str]| stdout(&run(&[&["eval", "--demo", "-q"], more].concat()));
    let table = eval(&[]);
    assert!(table.lines().all(|line| line.chars().count() <= 110), "{table}");
    let first: Vec<&str> = table.lines().nth(2).unwrap().split_whitespace().take(4).collect();
    assert_eq!(first, ["Model", "R@1", "R@5", "R@10"]);
    assert!(table.contains("--long also prints Original mAP@R R-P, rich R@5"), "{table}");
    let all = eval(&["--metrics", "all"]);
    assert!(!all.contains("--long also prints"), "{all}");
    let long = eval(&["--long"]);
    assert!(long.contains("original_rsum") && long.contains("rich_r10"), "{long}");
    let one = eval(&["--metrics", "all", "--name", "broad=ours@1", "--name", "naive=ours@2"]);
    assert!(one.contains("ours (2 runs)"), "{one}");
}

/// R@1 of the original ground truth and mAP@R of the richest one stay longest; the others are left to `--long`.
#[test]
fn the_metrics_of_a_paper_fit_a_narrow_terminal() {
    let study = demo::open().unwrap();
    let request = Request { depths: vec![1, 5, 10], ..Request::default() };
    let evaluation = evaluate(&study, &request, &CancelToken::default()).unwrap();
    let evaluated = EvalReport::new(&evaluation, Direction::BOTH.to_vec(), None, true);
    for (width, head, rest) in [
        (
            80,
            "Model R@1 R@1 R@1 mAP@R R-P R@1 mAP@R R-P PMRP PMRP",
            "Original R@5 R@10 mAP@R R-P RSUM, rich R@5 R@10, Plausible Match R@1",
        ),
        (
            40,
            "Model R@1 R@1 mAP@R mAP@R",
            "Original R@5 R@10 mAP@R R-P RSUM, rich R@1 R@5 R@10 R-P, Plausible Match\n",
        ),
    ] {
        let output = TextOutput { width, is_bold: false };
        let report = Report { output, ..evaluated.report(false) };
        let bytes = Format::from_key("table").unwrap().bytes(report).unwrap();
        let table = String::from_utf8(bytes).unwrap();
        let lines: Vec<&str> = table.lines().take_while(|line| !line.is_empty()).collect();
        assert_eq!(lines[2].split_whitespace().collect::<Vec<_>>().join(" "), head);
        assert!(lines.iter().all(|line| line.chars().count() <= width), "{table}");
        assert!(table.contains(&format!("--long also prints {rest}")), "{table}");
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
    let result = json(&words("eval --demo -q --format json"));
    assert_eq!(result["study"], serde_json::json!({"images": 60, "captions": 300}));
    let broad = &result["models"][1];
    assert_eq!([&broad["name"], &broad["source"]], ["broad", "demo/broad.npy"]);
    assert_eq!(broad["judged"]["rich"], serde_json::json!({"i2t": 38, "t2i": 120}));
    let keys: Vec<&String> = broad["metrics"].as_object().unwrap().keys().collect();
    assert_eq!(&keys[..3], ["original_r1", "original_r5", "original_r10"]);
    assert!(broad["metrics"]["pmrp"]["t2i"].is_f64());
    assert!((broad["metrics"]["original_r1"]["i2t"].as_f64().unwrap() - 29.0 / 60.0).abs() < 1e-12);
}

#[test]
fn directions_ceilings_and_depths() {
    let args = "eval --demo -q --format json --direction i2t --ceiling --k 7 \
                --metrics ir_recall_at_k,rich_map_at_r";
    let result = json(&words(args));
    let metrics = result["models"][0]["metrics"].as_object().unwrap();
    assert!(metrics.contains_key("rich_ir_recall_at_7"));
    assert_eq!(metrics["rich_map_at_r"].as_object().unwrap().len(), 1);
    let ceiling = result["ceiling"]["rich_map_at_r"]["i2t"].as_f64().unwrap();
    assert!(ceiling < 1.0 && ceiling > 0.99, "one positive is outside the gallery: {ceiling}");
}

/// Every metric of the only model.
fn metrics(model: &str, truths: &str) -> serde_json::Value {
    let line = format!("eval -q {model} {truths} --format json --metrics all");
    json(&words(&line))["models"][0]["metrics"].clone()
}

#[test]
fn packed_and_loose_truths_give_the_same_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let [bundle, again] = ["bundle.json", "again.json"]
        .map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let (demo, model) = (demo_file(""), demo_file("naive.npy"));
    assert_eq!(printed(&["convert", &demo, "-o", &bundle]), "");
    assert_eq!(metrics(&model, &demo), metrics(&model, &bundle));
    printed(&["convert", &bundle, "-o", &again]);
    assert_eq!(fs::read(&bundle).unwrap(), fs::read(&again).unwrap());
}

#[test]
fn one_direction_picks_up_its_partner() {
    let [model, captions, truth] =
        ["careful.npy", "captions.json", "rich_image_to_caption.json"].map(demo_file);
    let result = json(&["eval", "-q", &model, &captions, &truth, "--format", "json"]);
    let judged = serde_json::json!({
        "original": {"i2t": 60, "t2i": 300},
        "rich": {"i2t": 38, "t2i": 120},
    });
    assert_eq!(result["models"][0]["judged"], judged);
}

#[test]
fn captions_first_is_found_out() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = fs::read(demo_file("broad.npy")).unwrap();
    let (cells, header) = (60 * 300, bytes.len() - 60 * 300 * 4);
    let cell = |at: usize| &bytes[header + at * 4..header + at * 4 + 4];
    let turned: Vec<u8> =
        (0..cells).flat_map(|at| cell(at % 60 * 300 + at / 60)).copied().collect();
    let straight = metrics(&demo_file("broad.npy"), &demo_file(""));
    for (name, fortran, shape) in
        [("turned.npy", false, "(300, 60)"), ("fortran.npy", true, "(60, 300)")]
    {
        let file = write(folder.path(), name, npy("'<f4'", fortran, shape, &turned));
        assert_eq!(metrics(&file, &demo_file("")), straight, "{name}");
    }
}

#[test]
fn files_that_are_missing_or_of_another_kind() {
    let folder = tempfile::tempdir().unwrap();
    let (demo, model) = (demo_file(""), demo_file("broad.npy"));
    for (name, content, told) in [
        ("notes.txt", "hello there\n", "notes.txt: 1 lines of text, taken for captions"),
        ("numbers.txt", "1\n2\n", "numbers.txt: text of an unknown kind"),
        ("scores.csv", "0.1,0.2\n0.3,0.4\n", "scores.csv: a matrix of 2 x 2"),
        ("scores.txt", "0.1 0.2\n0.3\n", "scores.txt"),
        ("empty.npy", "", "empty.npy: an empty file"),
    ] {
        let file = write(folder.path(), name, content);
        fails(&format!("eval {file} {demo}"), &[told]);
    }
    for (files, told) in [
        ("nowhere.npy", "nowhere.npy: no such file or directory"),
        (&format!("- {demo}"), "/dev/stdin"),
        (folder.path().to_str().unwrap(), "a folder without ground truths"),
        (&demo, "no score matrix"),
        (&format!("{model} --captions-per-image 0"), "no ground truth among the files"),
    ] {
        fails(&format!("eval {files}"), &[told]);
    }
}

#[test]
fn matrices_that_cannot_be_right() {
    let folder = tempfile::tempdir().unwrap();
    let whole = fs::read(demo_file("broad.npy")).unwrap();
    let mut nan = whole.clone();
    let at = nan.len() - 4 * 300 - 8;
    nan[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    let floats = |shape, bytes: &[u8]| npy("'<f4'", false, shape, bytes);
    for (name, bytes, parts) in [
        ("cut.npy", whole[..whole.len() - 1000].to_vec(), &["71,000 bytes", "72,000"][..]),
        ("short.npy", whole[..20].to_vec(), &["short.npy", "cut or damaged"]),
        ("huge.npy", floats("(1000000, 1000000)", &[0; 64]), &["1000000 x 1000000", "64 bytes"]),
        ("endless.npy", floats("(99999999999, 99999999999)", &[0; 64]), &["cut off: 64 bytes"]),
        ("object.npy", npy("'|O'", false, "()", b"\x80\x04K\x01."), &["pickled Python objects"]),
        ("fields.npy", npy("[('a', '<f4')]", false, "(1,)", &[0; 4]), &["structured array"]),
        (
            "small.npy",
            floats("(50, 300)", &vec![0; 60_000]),
            &["a matrix of 50 x 300", "60 images (as in", "300 captions (as in", "captions.json"],
        ),
        ("line.npy", floats("(8,)", &[0; 32]), &["1 dimension"]),
        ("nan.npy", nan, &["NaN at image 58, caption 298"]),
    ] {
        let file = write(folder.path(), name, bytes);
        fails(&format!("eval {file} {}", demo_file("")), parts);
    }
}

#[test]
fn truths_that_cannot_be_right() {
    let folder = tempfile::tempdir().unwrap();
    let (model, captions) = (demo_file("broad.npy"), demo_file("captions.json"));
    // Indices as ids: hardly any of a file of another gallery fits, and that by chance.
    let line = |caption: u32, image: u32| {
        format!("COCO_val2014:sentid:{caption},COCO_val2014_{image:012}.jpg,4.5,c2i\n")
    };
    let others: String = (0..200).map(|at| line(700_000 + at, 900_000 + at)).collect();
    let ratings = format!("caption,image,agg_score,sampling_method\n{}{others}", line(3, 1));
    let deep = "[".repeat(100_000);
    let nested = format!("{{\"i2t\": {deep}");
    for (name, content, parts) in [
        (
            "odd_image_to_caption.json",
            r#"{"900001": [1], "900002": [2]}"#,
            &["none of its queries is in the gallery", "900001, 900002", "ids such as"][..],
        ),
        (
            "bad_image_to_caption.json",
            "{\"417\": [1,\n 2,, 3]}",
            &["broken JSON at line 2, column 4"],
        ),
        ("deep.json", &deep, &["deep.json: broken JSON at line 1"]),
        ("nested.json", &nested, &["nested.json: broken JSON at line 1"]),
        (
            "future.json",
            r#"{"format": "itm-explore/9", "truths": {}}"#,
            &["itm-explore/9", "itm-explore/1"],
        ),
        (
            "f_image_to_caption.json",
            r#"{"6879": [1.5]}"#,
            &["JSON of another form at line 1, column 13"],
        ),
    ] {
        let file = write(folder.path(), name, content);
        fails(&format!("eval {model} {captions} {file}"), parts);
    }
    let ratings = write(folder.path(), "sits_test.csv", ratings);
    let parts = ["1 of its 201 pairs are in the gallery", "--image-ids"];
    fails(&format!("eval {model} {ratings}"), &parts);
    let notes = write(folder.path(), "notes.md", "a text of words\nand one more line\n");
    fails(&format!("eval {model} {notes}"), &["2 captions (as in", "drop the files"]);
    let twice = write(folder.path(), "ids.json", format!("[{}]", vec!["7"; 300].join(",")));
    let line = format!("eval {model} {} --caption-ids {twice}", demo_file(""));
    fails(&line, &["id 7 stands twice"]);
    let few = write(folder.path(), "few.txt", "1\n2\n");
    let line = format!("eval {model} --caption-ids {few}");
    fails(&line, &["few.txt: 2 ids", "each caption of ", "a matrix of 60 x 300"]);
}

#[test]
fn a_byte_order_mark_is_no_content() {
    let folder = tempfile::tempdir().unwrap();
    let mut marked = b"\xef\xbb\xbf".to_vec();
    marked.extend(fs::read(demo_file("rich_image_to_caption.json")).unwrap());
    let marked = write(folder.path(), "marked_image_to_caption.json", marked);
    let [model, captions] = ["broad.npy", "captions.json"].map(demo_file);
    let told = json(&["eval", "-q", &model, &captions, &marked, "--format", "json"]);
    assert_eq!(told["models"][0]["judged"]["marked"]["i2t"], 38);
}

#[test]
fn several_depths_before_files() {
    let files =
        ["broad.npy", "rich_image_to_caption.json", "captions.json"].map(demo_file).join(" ");
    let with = |line: &str| printed(&words(&format!("{line} {files}")));
    let with_commas = with("eval -q --metrics ir_recall_at_k --format csv --k 1,3");
    assert!(with_commas.contains("ir_recall_at_3"));
    assert_eq!(with("eval -q --metrics ir_recall_at_k --format csv --k 1 --k 3"), with_commas);
    with("errors -q --k 5,7");
}

#[test]
fn names_that_nothing_has() {
    fails("eval --demo -q --truth gold", &["no ground truth is named gold", "original, rich, pm"]);
    fails("eval --demo -q --pool fold1", &["no pool named fold1", "all"]);
    for [option, value] in [["--format", "xml"], ["--k", "0"]] {
        assert_error(2, &["eval", "--demo", option, value], &[option]);
    }
    // Without a terminal the explorer says what prints instead.
    fails("", &["not a terminal", "itm-explore eval"]);
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
    let args = ["convert", &demo_file(""), "--force", "-o", link.to_str().unwrap()];
    assert_error(1, &args, &["symbolic link", target]);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink() && !Path::new(target).exists());
}

#[test]
fn convert_leaves_nothing_behind_when_it_fails() {
    let folder = tempfile::tempdir().unwrap();
    for (file, out, told) in [
        ("", "no/such/folder.json", "there is no folder"),
        ("broad.npy", "out.json", "no ground truth among the files"),
    ] {
        let out = folder.path().join(out);
        assert_error(1, &["convert", &demo_file(file), "-o", out.to_str().unwrap()], &[told]);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn slips_are_told_with_what_was_meant() {
    for (line, parts) in [
        ("eval --metrics recall@3", &["R@K has K = 1, 5 and 10", "ir_recall_at_3"][..]),
        ("eval --metrics 'R@1 mAP@R'", &["R@1,mAP@R"]),
        ("eval --metrics nDGC@K", &["--metrics", "did you mean nDCG@K?"]),
        ("eval --truth ric", &["no ground truth is named ric", "did you mean rich?"]),
        ("figure --query 60208 --model Broad -o never.svg", &["did you mean broad?"]),
        ("find --where 'r1 == 0' --model nai", &["did you mean naive?"]),
        ("convert --format bundle -o no/such/folder/x", &["there is no folder no/such/folder"]),
        ("convert --format bundle -o tests", &["tests/FILE"]),
        ("report -o no/such/folder/x", &["there is no folder no/such/folder", "mkdir -p"]),
        ("report -o tests", &["tests: not written: it is a folder", "tests/FILE"]),
        ("convert --format json -o Cargo.toml", &["Cargo.toml: a file", "a folder"]),
        ("eval --metrics ncs_at_10,nsum", &["ncs_at_10 without a similarity", "--phi cider"]),
        ("eval --metrics rich_r1 --truth original", &["which --truth excludes"]),
        ("find --items --which missed", &["--phi cider"]),
        ("report -o never.pdf", &["a page is no .pdf", ".html"]),
        ("plot models -o never.jpg", &[".svg, .png, .pdf, .tex, .html"]),
        ("mix --models careful,broad --steps -0.5", &["a number that divides 1"]),
    ] {
        fails(&format!("{line} --demo -q"), parts);
    }
}

#[test]
fn what_lacks_for_a_metric_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let cells = [1.0f32, 0.0, 0.0, 1.0].map(f32::to_le_bytes).concat();
    let scores = write(folder.path(), "a.npy", npy("'<f4'", false, "(2, 2)", &cells));
    let line = format!("eval {scores} -q --captions-per-image 1 --metrics pmrp");
    fails(&line, &["pmrp without the ground truth pm", "a COCO instances file"]);
    assert!(printed(&words("eval --demo -q --metrics 'r1, map_at_r'")).contains("mAP@R"));
}

/// A number below zero is a bad value of its option, not an option that there is not.
#[test]
fn options_and_values_that_clap_refuses() {
    for (line, told) in [
        ("eval --demo --metrics r1 --phi-m=4", "--phi"),
        ("eval --demo --metrics r1 --phi-close=0.4", "--phi"),
        ("eval --demo --k -5", "invalid value '-5'"),
        ("compare --demo --seed -5", "invalid value '-5'"),
    ] {
        assert_error(2, &words(line), &[told]);
    }
}

#[test]
fn one_model_is_not_mixed_and_nobody_is_sent_to_another_subcommand() {
    let [model, truth, captions] =
        ["careful.npy", "original_caption_to_image.json", "captions.json"].map(demo_file);
    assert_error(1, &["mix", "-q", &model, &truth, &captions], &["1 model given, two are mixed"]);
    let said = stderr(&run(&["plot", "models", &truth, &captions]));
    assert!(said.contains("no score matrix") && !said.contains("itm-explore eval"), "{said}");
}

#[test]
fn indices_are_not_taken_for_ids() {
    let folder = tempfile::tempdir().unwrap();
    let lines: Vec<String> = (0..300).map(|at| format!("{} 0 {at} 1", at / 5)).collect();
    let lines = lines.join("\n");
    let [counted, i2t] =
        ["counted.qrels", "counted_i2t.qrels"].map(|name| write(folder.path(), name, &lines));
    for (file, told) in [
        (&counted, "its queries (0, 1, 2) are neither images nor captions"),
        (&i2t, "none of its queries is in the gallery"),
    ] {
        fails(&format!("eval --demo -q {file}"), &[told, "look like indices"]);
    }
    // Without ids they are what the file means, in the direction that fits.
    let scores = demo_file("careful.npy");
    let numbers = printed(&["eval", &scores, &counted, "-q", "--metrics", "r1", "--format", "csv"]);
    assert!(numbers.contains(",i2t,"), "{numbers}");
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
