//! Inputs that need no options: a matrix alone, embeddings recognised by their sizes, the demo by name; and errors if
//! an argument is missing or mistyped.

use crate::common;

use std::path::Path;

use common::{
    Harness, assert_error, demo_file, json as json_of, npy, printed, run, stderr, stdout,
};
use itm_explore::session::Session;
use itm_explore::study::{Inputs, open};
use serde_json::{Value, json};

/// A matrix of so many rows and columns.
fn matrix(
    folder: &Path,
    name: &str,
    [rows, columns]: [usize; 2],
    cell: fn(usize, usize) -> f32,
) -> String {
    let cells = (0..rows * columns).map(|at| cell(at / columns, at % columns).to_le_bytes());
    let data: Vec<u8> = cells.flatten().collect();
    let path = folder.join(name);
    std::fs::write(&path, npy("'<f4'", false, &format!("({rows}, {columns})"), &data)).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Scores of images that are each nearest to their five captions.
fn of_five(folder: &Path, name: &str, sizes: [usize; 2]) -> String {
    matrix(folder, name, sizes, |image, caption| near(image, caption / 5) - 0.001 * caption as f32)
}

/// How near two places are; no two of a first place are equally near.
fn near(one: usize, other: usize) -> f32 {
    -(one.abs_diff(other) as f32) - 0.01 * one as f32
}

#[test]
fn a_matrix_alone_has_the_pairing_of_its_sizes() {
    let folder = tempfile::tempdir().unwrap();
    let plain = of_five(folder.path(), "plain.npy", [4, 20]);
    let turned = matrix(folder.path(), "turned.npy", [20, 4], |caption, image| {
        near(image, caption / 5) - 0.001 * caption as f32
    });
    for file in [&plain, &turned] {
        let eval = ["eval", file, "--metrics", "r1", "--format", "json"];
        let right = json!({"original_r1": {"i2t": 1.0, "t2i": 1.0}});
        assert_eq!(json_of(&eval)["models"][0]["metrics"], right, "{file}");
        let said = stderr(&run(&eval));
        assert!(said.contains("warning: no ground truth among the files"), "{said}");
        assert!(said.contains("--captions-per-image K sets another number"), "{said}");
        let flag = [&eval[..], &["--captions-per-image", "5"]].concat();
        assert_eq!(json_of(&flag)["models"][0]["metrics"], right, "{file}");
        assert!(!stderr(&run(&flag)).contains("warning"), "{file}");
        let denied = [&eval[..], &["--captions-per-image", "0"]].concat();
        assert_error(1, &denied, &["no ground truth among the files"]);
        for other in [
            &["find", "-q", "--where", "r1"][..],
            &["show", "-q", "--query", "0"],
            &["errors", "-q"],
            &["figure", "-q", "--query", "0"],
            &["doctor", "-q"],
        ] {
            printed(&[other, &[file.as_str()]].concat());
        }
    }
    let four = ["eval", &plain, "--captions-per-image", "4"];
    assert_error(1, &four, &["4 images x 20 captions", "expected: 5"]);
    let odd = matrix(folder.path(), "odd.npy", [4, 7], near);
    assert_error(1, &["eval", &odd], &["no ground truth among the files", "--image-emb"]);
}

#[test]
fn files_that_tell_a_ground_truth_are_believed() {
    let [model, truth] = ["broad.npy", "rich_caption_to_image.json"].map(demo_file);
    let captions = demo_file("captions.json");
    let eval = ["eval", &model, &captions, &truth, "--format", "json"];
    let said = stderr(&run(&eval));
    assert!(!said.contains("no ground truth"), "{said}");
    let said = stderr(&run(&[&eval[..], &["--captions-per-image", "5"]].concat()));
    assert!(said.contains("captions.json lists the original pairing"), "{said}");
    let alone = json_of(&["eval", &model, "--metrics", "r1", "--format", "json"]);
    let demo = ["eval", "--demo", "--truth", "original", "--metrics", "r1", "--format", "json"];
    assert_eq!(alone["models"][0]["metrics"], json_of(&demo)["models"][1]["metrics"]);
}

#[test]
fn embeddings_are_no_scores() {
    let folder = tempfile::tempdir().unwrap();
    let images = matrix(folder.path(), "images.npy", [4, 3], |at, d| ((at * 7 + d * 3) % 5) as f32);
    let captions =
        matrix(folder.path(), "captions.npy", [20, 3], |at, d| ((at / 5 * 7 + d * 3) % 5) as f32);
    let told = |more: &[&str]| {
        let named = ["--image-emb", &images, "--text-emb", &captions];
        let output = run(&[&["eval", "--metrics", "r1"], &named[..], more].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        stderr(&output)
    };
    let named = format!("--image-emb {images} --text-emb {captions}");
    assert_error(1, &["eval", &captions, &images], &["a matrix of", &named]);
    let lengths = "embeddings of lengths from ";
    assert!(told(&["-q"]).contains(lengths));
    let doctor = ["doctor", "--image-emb", &images, "--text-emb", &captions];
    let doctor = stdout(&run(&doctor));
    let mended = [lengths, "--cosine, if the model compares directions alone"];
    assert!(mended.iter().all(|words| doctor.contains(words)), "{doctor}");
    let said = told(&["--cosine"]);
    assert!(!said.contains(lengths), "{said}");
    let scores = ["eval", &demo_file("broad.npy"), "--cosine"];
    assert_error(1, &scores, &["--cosine: no embeddings", "--image-emb"]);
    // Those of one side alone may have the sizes of scores.
    let alone =
        matrix(folder.path(), "alone.npy", [20, 40], |at, d| ((at * 29 + d * 31) % 37) as f32);
    let expected = ["the scores contradict the pairing", "--captions-per-image 2"];
    assert_error(1, &["eval", &alone], &expected);
    printed(&["eval", &alone, "--captions-per-image", "2"]);
}

#[test]
fn subcommands_ask_for_files_and_know_what_was_meant() {
    for args in [&["eval"][..], &["find", "--where", "r1"], &["doctor"], &["truth", "stats"]] {
        assert_error(2, args, &["<FILES>", " --demo\n", "Usage: itm-explore"]);
    }
    assert_error(2, &["evla", "sims.npy"], &["did you mean `itm-explore eval`?"]);
    // Without a terminal, a file that is not there is told before that.
    assert_error(1, &["nowhere.npy"], &["nowhere.npy: no such file"]);
    assert_error(1, &[&demo_file("broad.npy")], &["not a terminal"]);
}

#[test]
fn models_are_named_as_asked() {
    let [one, other] = ["broad.npy", "careful.npy"].map(demo_file);
    let args = ["eval", "-q", &one, &other, "--name", "broad.npy=Ours (full)", "--format", "json"];
    let models = json_of(&args);
    assert_eq!([0, 1].map(|at| &models["models"][at]["name"]), ["Ours (full)", "careful"]);
    assert_error(1, &["eval", &one, "--name", "x=y"], &["no model is named x", "broad"]);
    assert_error(2, &["eval", &one, "--name", "x"], &["FILE=NAME"]);
}

#[test]
fn nothing_is_written_over_without_force() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let demo = demo_file("");
    let there = ["all.json", "fig.svg", "all.csv"].map(file);
    let commands = [
        (&["convert", &demo, "-o"][..], &there[0]),
        (&["figure", "-q", "--demo", "--query", "55293", "-o"], &there[1]),
        (&["eval", "-q", "--demo", "--per-query"], &there[2]),
    ];
    for (args, out) in commands {
        let args = [args, &[out.as_str()]].concat();
        printed(&args);
        let before = std::fs::read(out).unwrap();
        assert_error(1, &args, &["it is there already", "--force"]);
        assert_eq!(std::fs::read(out).unwrap(), before);
        printed(&[&args[..], &["--force"]].concat());
    }
    let truths = folder.path().to_str().unwrap().to_owned();
    let write = ["convert", &demo, "--truth", "rich", "-o", &truths];
    printed(&write);
    assert_error(1, &write, &["rich_image_to_caption.json", "--force"]);
    printed(&[&write[..], &["--force"]].concat());
}

#[test]
fn completions_are_printed() {
    let bash = stdout(&run(&["completions", "bash"]));
    assert!(bash.contains("complete ") && bash.contains("itm-explore"), "{bash}");
}

/// Shell completions of the last word, in a folder with two files and a folder.
fn offered(line: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    for file in ["sims.npy", "eccv.json"] {
        std::fs::write(folder.path().join(file), "").unwrap();
    }
    std::fs::create_dir(folder.path().join("coco 5k")).unwrap();
    let words: Vec<&str> = line.split(' ').collect();
    let answered = std::process::Command::new(env!("CARGO_BIN_EXE_itm-explore"))
        .current_dir(folder.path())
        .env("ITM_EXPLORE_COMPLETE", "bash")
        .env("_CLAP_COMPLETE_INDEX", (words.len() - 1).to_string())
        .env("_CLAP_IFS", "|")
        .arg("--")
        .args(words)
        .output()
        .unwrap();
    stdout(&answered)
}

#[test]
fn files_subcommands_and_options_are_completed_where_they_may_stand() {
    for (line, expected) in [
        ("itm-explore s", "show|slices|series|semantic|sims.npy"),
        ("itm-explore sims.npy e", "eccv.json"),
        ("itm-explore sims.npy --the", "--theme"),
        ("itm-explore eval ", ".|coco 5k/|eccv.json|sims.npy"),
        ("itm-explore eval s", "sims.npy"),
        ("itm-explore eval --trut", "--truth"),
        ("itm-explore eval --format js", "json|jsonl"),
        ("itm-explore truth mi", "mine"),
        ("itm-explore truth stats e", "eccv.json"),
        ("itm-explore --keys e", "eccv.json"),
        ("itm-explore plot over-s", "over-steps"),
        ("itm-explore plot models s", "sims.npy"),
        ("itm-explore completions z", "zsh"),
    ] {
        assert_eq!(offered(line), expected, "{line}");
    }
}

/// A text with one caption a line lists no pairing: that of the sizes is said, set and denied as without it.
#[test]
fn a_text_of_captions_implies_no_ground_truth_silently() {
    let folder = tempfile::tempdir().unwrap();
    let scores = of_five(folder.path(), "plain.npy", [4, 20]);
    let captions = folder.path().join("caps.txt");
    std::fs::write(&captions, "a dog runs\n".repeat(20)).unwrap();
    let captions = captions.to_str().unwrap();
    let eval = ["eval", &scores, captions, "--metrics", "r1"];
    let said = stderr(&run(&eval));
    assert!(said.contains("warning: no ground truth among the files"), "{said}");
    let denied = run(&[&eval[..], &["--captions-per-image", "0"]].concat());
    assert!(!denied.status.success(), "{}", stdout(&denied));
}

/// Rankings without `--run` are taken for positives, and their equal lengths are told.
#[test]
fn lists_of_one_length_may_be_rankings() {
    let folder = tempfile::tempdir().unwrap();
    let scores = of_five(folder.path(), "plain.npy", [12, 60]);
    let list = |length: usize| {
        let of = |image: usize| (image.to_string(), json!((0..length).collect::<Vec<_>>()));
        let lists: serde_json::Map<String, Value> = (0..12).map(of).collect();
        let path = folder.path().join("run_i2t.json");
        std::fs::write(&path, Value::Object(lists).to_string()).unwrap();
        let path = path.to_str().unwrap().to_owned();
        stderr(&run(&["eval", &scores, &path, "--metrics", "r1"]))
    };
    let words = "every query has exactly 10 positives, as rankings have; --run FILE";
    let said = list(10);
    assert!(said.contains(words), "{said}");
    let said = list(5);
    assert!(!said.contains("as rankings have"), "{said}");
}

/// Sizes that imply no pairing, or one that is denied: rankings and scores can be looked at, and judged.
#[test]
fn without_any_ground_truth_rankings_are_browsed() {
    let folder = tempfile::tempdir().unwrap();
    let file = of_five(folder.path(), "odd.npy", [4, 21]);
    let inputs = Inputs { files: vec![file.clone().into()], is_browsed: true, ..Inputs::default() };
    let opened = || Harness::new(open(&inputs).unwrap(), 80, 24);
    let screen = opened().screen();
    assert!(screen.contains("none") && screen.contains("no ground truth"), "{screen}");
    assert!(screen.contains("queries 1/21"), "{screen}");
    for keys in ["d", "=", "I", "3", "4", "2", "Ee", "T", "frank > 3<Enter>", "v"] {
        let _ = opened().keys(keys).screen();
    }
    let errors = Harness::new(open(&inputs).unwrap(), 160, 50).keys("4<Tab>").screen();
    let row = |name: &str| {
        let line = errors.lines().find(|line| line.contains(name)).unwrap();
        line.split_whitespace().skip(1).take(5).collect::<Vec<_>>().join(" ")
    };
    assert!(row("│ failure ").starts_with("failure 0 "), "{errors}");
    assert!(row("│ far miss ").starts_with("far miss 0 "), "{errors}");
    opened().keys("3").shows("queries: 0 i2t, 0 t2i");
    let judged = opened().keys("JUy<Esc>").screen();
    assert!(judged.contains("none+mine") && judged.contains("100.00"), "{judged}");
    // How many queries that is a mean of, in place of what is no longer so.
    let header = judged.lines().next().unwrap();
    assert!(header.contains("1 of 21") && !header.contains("no ground truth"), "{header}");
    let shown = run(&["show", "-q", &file, "--query", "3", "--k", "1"]);
    let printed = stdout(&shown);
    assert!(
        printed.contains("– unjudged") && printed.contains("none does not cover this query"),
        "{printed}{}",
        stderr(&shown)
    );
    let numbers = run(&["eval", "-q", &file]);
    assert_eq!(numbers.status.code(), Some(1), "numbers take one");
    // Files with more images than captions may be embeddings.
    let tall = |name: &str| matrix(folder.path(), name, [7, 3], near);
    let two = Inputs {
        files: vec![tall("images.npy").into(), tall("texts.npy").into()],
        is_browsed: true,
        ..Inputs::default()
    };
    let one = Inputs { files: two.files[..1].to_vec(), ..two.clone() };
    for inputs in [two, one] {
        let notes = open(&inputs).unwrap().notes;
        let meant = |note: &itm_explore::study::Note| note.text.contains("--image-emb");
        assert!(notes.iter().any(meant), "{notes:?}");
    }
}

/// Opens the explorer on a matrix whose pairing is assumed.
fn with_assumed_pairing() -> impl Fn() -> Harness {
    let folder = tempfile::tempdir().unwrap();
    let file = of_five(folder.path(), "m.npy", [4, 20]);
    let inputs = Inputs { files: vec![file.into()], ..Inputs::default() };
    // The folder is kept as long as there is something to open.
    move || {
        let _folder = &folder;
        Harness::new(open(&inputs).unwrap(), 100, 30)
    }
}

/// With one ground truth there are no non-GT positives, until a judgment is a second one.
#[test]
fn the_list_of_items_of_one_ground_truth_offers_no_non_gt_positives() {
    let opened = with_assumed_pairing();
    for keys in ["E", "E<Tab>", "E<Tab><Tab><Tab><Tab>"] {
        opened().keys(keys).shows("unjudged").lacks("non-GT");
    }
    opened().keys("UJjy<Esc>E").shows("1 non-GT positive in");
}

/// A session keeps the ground truth that was chosen; an assumed pairing was not, and would be in the way of a richer one
/// that is given later.
#[test]
fn an_assumed_pairing_is_not_kept_as_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let kept = |opened: Harness, name: &str| {
        let path = folder.path().join(name);
        drop(opened.on_session(Session::open(&path).unwrap(), "mk").keys("J<Tab>yq"));
        Session::read(&path).unwrap().0.view
    };
    let assumed = kept(with_assumed_pairing()(), "alone.itm.json");
    assert_eq!(assumed["truth"], Value::Null);
    let chosen = kept(Harness::demo(100, 30), "demo.itm.json");
    assert!(chosen["truth"].is_string(), "{chosen:?}");
}

/// That the pairing is assumed is told in the header before how many queries there are, which the list tells, too.
#[test]
fn the_header_says_at_every_size_that_the_pairing_is_assumed() {
    let folder = tempfile::tempdir().unwrap();
    let name = "a_model_with_a_longer_name.npy";
    let file = of_five(folder.path(), name, [4, 20]);
    for (columns, rows) in [(80, 24), (120, 40), (160, 50)] {
        let inputs = Inputs { files: vec![file.clone().into()], ..Inputs::default() };
        let screen = Harness::new(open(&inputs).unwrap(), columns, rows).screen();
        let scoreboard = |screen: &str| screen.lines().take(2).collect::<String>();
        assert!(scoreboard(&screen).contains("/image assumed"), "{screen}");
        let opened = || Harness::new(open(&inputs).unwrap(), columns, rows);
        let filtered = opened().keys("frank != 1<Enter>").screen();
        assert!(scoreboard(&filtered).contains(" assumed"), "{filtered}");
        let answered = opened().keys("frank != 1<Enter>UJy<Esc>").screen();
        let first = scoreboard(&answered);
        assert!(first.contains(" assumed") && first.contains("filter "), "{answered}");
        // It is the first that is told of the inputs.
        let told = opened().keys("I").screen();
        let at = |words: &str| told.find(words).unwrap_or(usize::MAX);
        assert!(at("no ground truth among") < at("gallery:"), "{told}");
    }
}
