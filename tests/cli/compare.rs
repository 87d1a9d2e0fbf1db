//! `itm-explore compare`: what the real binary answers.

use crate::common;

use std::path::Path;

use common::{assert_error, on_demo, printed, run, stderr, stdout, svg_words, words};
use serde_json::{Value, json};

fn compared(args: &[&str]) -> String {
    printed(&on_demo(&[&["compare", "-q"], args].concat()))
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&compared(&[args, &["--format", "json"]].concat())).unwrap()
}

#[test]
fn two_models_of_the_demo_in_every_format() {
    let args = ["--models", "careful,broad", "--truth", "original,rich", "--direction", "t2i"];
    insta::assert_snapshot!("compare_table", compared(&args));
    insta::assert_snapshot!("compare_full", compared(&[&args[..], &["--full"]].concat()));
    for format in ["csv", "markdown", "latex"] {
        let text = compared(&[&args[..], &["--format", format]].concat());
        insta::assert_snapshot!(format!("compare_{format}"), text);
    }
}

/// At most five lines before the one table, whatever is compared; the better model comes first in all of it.
#[test]
fn the_answer_comes_first() {
    let answer = |args: &[&str]| {
        let printed = compared(args);
        let answer = printed.split("\n\n").next().unwrap().to_owned();
        assert!(answer.lines().count() <= 5, "{printed}");
        assert!(printed.lines().count() <= 40 || args.is_empty(), "{printed}");
        answer
    };
    let two = ["--models", "careful,broad", "--truth", "rich", "--direction"];
    let t2i = answer(&[&two[..], &["t2i"]].concat());
    assert!(t2i.starts_with("t2i: broad is better than careful by mAP@R. rich mAP@R +"), "{t2i}");
    let both = answer(&[&two[..], &["both"]].concat());
    assert!(both.starts_with("i2t: ") && both.ends_with(&t2i), "{both}");
    let three = answer(&["--direction", "t2i"]);
    let expected = "broad is best by both R@1 and mAP@R (rich, t2i). 2 of 3 models change rank.";
    assert!(three.starts_with(expected), "{three}");
    let named = ["--models", "careful,broad", "--truth", "original", "--direction", "t2i"];
    let equal = answer(&[&named[..], &["--metrics", "mrr"]].concat());
    assert!(equal.starts_with("t2i: careful is better than broad. original MRR +"), "{equal}");
    // Non-inferiority is of the model named first.
    let turned = ["--models", "broad,careful", "--truth", "original", "--direction", "t2i"];
    assert!(compared(&turned).contains("careful - broad (better minus worse)"));
    assert!(
        compared(&[&turned[..], &["--margin", "1"]].concat())
            .contains("broad - careful (as named)")
    );
}

#[test]
fn the_json_contract() {
    let args = "--models careful,broad --truth rich --metrics r1 --direction i2t --seed 7";
    let whole = json(&words(args));
    let keys: Vec<&str> = whole.as_object().unwrap().keys().map(String::as_str).collect();
    let expected =
        "study pool seed by_image clusters holm_over level margin comparisons flips similarity";
    assert_eq!(keys.join(" "), expected);
    assert_eq!(whole["seed"], 7);
    let row = &whole["comparisons"][0];
    assert_eq!(row["models"], json!(["careful", "broad"]));
    assert_eq!([&row["metric"], &row["direction"]], ["rich_r1", "i2t"]);
    let counts = ["queries", "wins", "ties", "losses"].map(|key| row[key].as_u64().unwrap());
    assert_eq!(counts, [38, 2, 27, 9]);
    // `scipy.stats.ttest_rel` of 2 wins, 27 ties and 9 losses.
    for (key, expected) in [
        ("t", -2.2165917830740343),
        ("df", 37.0),
        ("p_t", 0.032878994469342844),
        ("p_holm", 0.032878994469342844),
        ("low", -0.35259785991586695),
        ("high", -0.015823192715711976),
    ] {
        let found = row[key].as_f64().unwrap();
        assert!((found - expected).abs() < 1e-9, "{key}: {found}");
    }
}

#[test]
fn similarity_is_over_all_queries_whatever_is_judged() {
    let whole = json(&["--full", "--truth", "rich", "--metrics", "r1", "--direction", "i2t"]);
    let alike = &whole["similarity"][0]["means"];
    assert_eq!(alike["overlap_at_1"]["queries"], 60);
    assert!(alike["tau_b_union_25"]["value"].is_f64());
}

#[test]
fn the_seed_decides_what_is_drawn() {
    let of = |seed| compared(&["--full", "--seed", seed, "--truth", "rich", "--format", "csv"]);
    assert_eq!(of("3"), of("3"));
    assert_ne!(of("3"), of("4"));
}

#[test]
fn a_pool_is_compared_by_what_competes_in_it() {
    let one = ["--full", "--truth", "rich", "--direction", "t2i"];
    let of = |pool: &str| json(&[&one[..], &["--pool", pool]].concat());
    let (all, part) = (of("all"), of("random20s3"));
    assert_eq!(part["pool"], "random20s3");
    let eval = common::json(&words("eval --demo -q --format json --pool random20s3"));
    for metric in [0, 1] {
        let row = &part["comparisons"][metric];
        let key = row["metric"].as_str().unwrap();
        assert!(key.starts_with("rich@random20s3_"), "{key}");
        for (model, side) in ["first", "second"].into_iter().enumerate() {
            let value = &eval["models"][model]["metrics"][key]["t2i"];
            assert_eq!(&row[side], value, "{key} {side}");
        }
    }
    let measure = |whole: &Value| whole["similarity"][0]["means"]["overlap_at_5"].clone();
    assert_eq!(measure(&all)["queries"], 300);
    assert_eq!(measure(&part)["queries"], 100);
    assert_ne!(measure(&all)["value"], measure(&part)["value"]);
}

/// Wins, ties and losses are as many as `find` lists by the same values.
#[test]
fn counts_are_those_of_find() {
    let one = ["--full", "--truth", "rich", "--metrics", "map_at_r", "--direction", "t2i"];
    let row = &json(&one)["comparisons"][0];
    for (what, order) in [("wins", ">"), ("ties", "=="), ("losses", "<")] {
        let condition = format!("careful.map_at_r {order} broad.map_at_r");
        let asked = ["find", "--truth", "rich", "--direction", "t2i", "--where", &condition];
        let found = common::json(&on_demo(&[&asked[..], &["-q", "--format", "json"]].concat()));
        assert_eq!(found["matched"], row[what], "{what}");
    }
}

#[test]
fn every_two_models_where_more_are_named() {
    let named = ["--models", "naive,careful,broad", "--truth", "rich", "--metrics", "r1"];
    let whole = json(&[&named[..], &["--full"]].concat());
    let rows = whole["comparisons"].as_array().unwrap();
    let pairs: Vec<String> = rows.iter().map(|row| row["models"].to_string()).collect();
    let [first, second, third] =
        [r#"["naive","careful"]"#, r#"["naive","broad"]"#, r#"["careful","broad"]"#];
    assert_eq!(pairs, [first, first, second, second, third, third]);
    assert_eq!(whole["similarity"].as_array().unwrap().len(), 6);
}

/// Each value is the mean of both directions that `eval` prints, and letters say what `--full` tests.
#[test]
fn more_than_two_models_are_ranked() {
    insta::assert_snapshot!("compare_many", compared(&["--direction", "t2i"]));
    insta::assert_snapshot!("compare_many_csv", compared(&["--format", "csv"]));
    let whole = json(&[]);
    assert!(whole.get("comparisons").is_none() && whole["holm_over"] == "metric", "{whole}");
    let eval = common::json(&words("eval --demo -q --format json"));
    for row in whole["ranks"].as_array().unwrap() {
        let is_it = |model: &&Value| model["name"] == row["model"];
        let model = eval["models"].as_array().unwrap().iter().find(is_it).unwrap();
        let value = &model["metrics"][row["metric"].as_str().unwrap()];
        let [i2t, t2i] = ["i2t", "t2i"].map(|of| value[of].as_f64().unwrap());
        assert!((row["value"].as_f64().unwrap() - f64::midpoint(i2t, t2i)).abs() < 1e-12, "{row}");
    }
}

#[test]
fn results_of_earlier_runs_are_ranked() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let [ours, theirs, other] = ["ours.json", "theirs.json", "other.json"].map(path);
    let eval = stdout(&run(&["eval", "--demo", "-q", "--format", "json"]));
    std::fs::write(&ours, &eval).unwrap();
    let older = eval.replace("\"careful\"", "\"older\"").replace("0.9", "0.8");
    std::fs::write(&theirs, &older).unwrap();
    std::fs::write(&other, older.replace("\"images\": 60", "\"images\": 61")).unwrap();
    insta::assert_snapshot!("compare_results", printed(&["compare", &ours, &theirs]));
    let alone = printed(&["compare", &ours, "--truth", "original", "--direction", "t2i"]);
    assert!(alone.starts_with("careful is best by both R@1 and mAP@R (original, t2i)."), "{alone}");
    // Beside score files a result has a rank and no letters, and a name of its own.
    let beside = json(&["--demo", &theirs]);
    let rows = beside["ranks"].as_array().unwrap();
    let find = |name: &str| rows.iter().find(|row| row["model"] == name).unwrap();
    assert_eq!(
        (&find("older")["source"], &find("older")["letters"]),
        (&"results".into(), &Value::Null)
    );
    assert_eq!(
        (&find("naive")["source"], &find("naive")["letters"]),
        (&"scores".into(), &"c".into())
    );
    assert_eq!(find("naive-2")["source"], "results");
    assert_eq!(rows.len(), 12);
    let two = compared(&["--demo", "--models", "careful,older", &theirs]);
    assert!(two.contains("2 models by rich"), "{two}");
    let sizes = ["other.json", "61 images x 300 captions", "60 images x 300 captions, as in"];
    assert_error(1, &["compare", &ours, &other], &sizes);
    assert_error(1, &["compare", "--demo", &other], &sizes);
    assert_error(1, &["compare", &ours, "--truth", "eccv"], &["under eccv", "original, rich, pm"]);
    assert_error(1, &["compare", &ours, "--models", "careful"], &["1 model to compare"]);
}

#[test]
fn what_cannot_be_compared_is_told() {
    for (args, parts) in [
        ("--models careful", &["--models: 1 model to compare", "two models or more"][..]),
        ("--models careful,nobody", &["nobody", "careful, broad, naive"]),
        ("--metrics rsum", &["--metrics", "a value for each query"]),
    ] {
        assert_error(1, &words(&format!("compare -q --demo {args}")), parts);
    }
    assert_error(2, &["compare", "--demo", "--resamples", "9"], &["--resamples"]);
}

/// Statistics of the 5K matrices, from values query by query with `SciPy` 1.17: `ttest_1samp` of the
/// differences and of their means by image.
#[test]
#[ignore = "needs ../shared and its 5K matrices"]
fn coco_5k_is_compared_as_the_reference_does() {
    let files = common::coco_5k();
    let files = files.each_ref().map(|file| file.to_str().unwrap());
    let of = |args: &[&str]| json(&[&files[..], &["--direction", "t2i"], args].concat());
    let t = |args: &[&str]| of(args)["comparisons"][0]["t"].as_f64().unwrap();
    let near = |found: f64, expected: f64| {
        assert!((found - expected).abs() < 1e-9 * expected.abs(), "{found}, not {expected}");
    };
    let alone = ["--metrics", "map_at_r", "--truth", "eccv", "--by-query"];
    near(t(&alone), -41.6351923716851);
    let by_image = ["--metrics", "map_at_r", "--truth", "original"];
    near(t(&by_image), -59.371049902026144);
}

/// Two models on six pairs of four images: `a` has 4 right and a tie, `b` 3; on the colours 2 and 1 of 2.
fn pair_files(folder: &Path) -> [String; 2] {
    let pairs = [
        (1, "colour", [0.9, 0.1], [0.9, 0.1]),
        (2, "colour", [0.8, 0.1], [0.2, 0.4]),
        (3, "count", [0.7, 0.7], [0.1, 0.9]),
        (3, "count", [0.6, 0.1], [0.6, 0.1]),
        (4, "place", [0.5, 0.1], [0.5, 0.1]),
        (4, "place", [0.1, 0.5], [0.2, 0.3]),
    ];
    let line = |(at, (image, kind, [right, wrong])): (usize, (i32, &str, [f64; 2]))| {
        json!({"image": image, "kind": kind, "right": right, "wrong": wrong,
               "caption": format!("text {at}"), "negative_caption": format!("other {at}")})
        .to_string()
    };
    let write = |name: &str, scores: Vec<[f64; 2]>, turned: bool| {
        let each = pairs.iter().zip(scores).enumerate();
        let mut lines: Vec<String> =
            each.map(|(at, (pair, scores))| line((at, (pair.0, pair.1, scores)))).collect();
        if turned {
            lines.reverse();
        }
        let path = folder.join(name);
        std::fs::write(&path, lines.join("\n")).unwrap();
        path.display().to_string()
    };
    let a = write("a.jsonl", pairs.map(|pair| pair.2).to_vec(), false);
    let b = write("b.jsonl", pairs.map(|pair| pair.3).to_vec(), true);
    [a, b]
}

#[test]
fn right_texts_against_wrong_ones() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = pair_files(folder.path());
    let table = stdout(&run(&["fg", "pairs", &a, &b, "--failures", "1"]));
    insta::assert_snapshot!(table);
    let told = common::json(&["fg", "pairs", &a, &b, "--format", "json"]);
    let all = &told["accuracies"][0];
    assert_eq!([&all["pairs"], &all["images"], &all["right"], &all["ties"]], [6, 4, 4, 1]);
    let test = &told["tests"][0];
    assert_eq!([&test["wins"], &test["losses"]], [1, 0]);
    let mut failures = told["failures"].as_array().unwrap().iter();
    assert_eq!(failures.find(|one| one["model"] == "b").unwrap()["caption"], "text 2");
    for format in ["csv", "jsonl", "markdown", "latex"] {
        let output = stdout(&run(&["fg", "pairs", &a, "--format", format]));
        assert!(output.contains("colour"), "{output}");
    }
}

#[test]
fn pairs_that_do_not_fit_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = pair_files(folder.path());
    let text = std::fs::read_to_string(&b).unwrap();
    std::fs::write(&b, text.replace("\"image\":2", "\"image\":5")).unwrap();
    let said = stderr(&run(&["fg", "pairs", &a, &b]));
    assert!(said.contains("lacks the pair 2 of") && said.contains("image 2"), "{said}");
    std::fs::write(&b, "{\"image\": 1, \"right\": 0.5}\n").unwrap();
    let said = stderr(&run(&["fg", "pairs", &b]));
    assert!(said.contains("line 1") && said.contains("wrong"), "{said}");
}

fn fixture(name: &str) -> String {
    format!("{}/fixtures/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The demo with the refined captions and the scores of two models on them.
fn refined(further: &[&str]) -> Vec<String> {
    let files = ["demo/careful.npy", "demo/broad.npy", "fg/careful_fg.npy", "fg/broad_fg.npy"];
    let files =
        files.into_iter().chain(["demo/captions.json", "demo/original_caption_to_image.json"]);
    let mut args: Vec<String> = files.map(fixture).collect();
    args.extend(["--texts".into(), format!("refined={}", fixture("fg/refined.json"))]);
    for model in ["careful_fg", "broad_fg"] {
        args.extend(["--captions-of".into(), format!("{model}=refined")]);
    }
    args.extend(further.iter().map(ToString::to_string));
    args
}

/// What a subcommand prints of the refined captions.
fn of_refined(command: &str, further: &[&str]) -> String {
    let args = refined(further);
    let args = args.iter().map(String::as_str);
    printed(&words(command).into_iter().chain(args).collect::<Vec<_>>())
}

#[test]
fn refined_captions_beside_the_original_ones_by_pool() {
    insta::assert_snapshot!(of_refined("fg pools -q", &["--pool", "all,random30s7"]));
    let read = |text: String| -> Value { serde_json::from_str(&text).unwrap() };
    let told = read(of_refined("fg pools -q --format json", &[]));
    // The numbers are those of `eval`, and the change is their difference.
    let eval = "eval -q --format json --metrics r1 --truth original";
    let evaluated = read(of_refined(eval, &[]));
    let r1 = |model: usize| {
        evaluated["models"][model]["metrics"]["original_r1"]["t2i"].as_f64().unwrap()
    };
    let fields = [("scores", "careful_fg"), ("direction", "t2i"), ("metric", "r1")];
    let change = common::record(&told, "changes", &fields);
    assert!((change["delta"].as_f64().unwrap() - (r1(2) - r1(0))).abs() < 1e-12);
    let (wins, losses) = (change["wins"].as_f64().unwrap(), change["losses"].as_f64().unwrap());
    assert!(((wins - losses) / 300.0 - (r1(2) - r1(0))).abs() < 1e-12);
}

#[test]
fn models_and_texts_that_do_not_go_together_are_told() {
    for (further, told) in [
        (["--captions-of", "clip=refined"], "no model is named clip"),
        (["--captions-of", "broad=fine"], "one of original, refined"),
        (["--captions-of", "broad=refined"], "--pair ORIGINAL="),
        (["--pool", "folds"], "folds"),
        (["--pair", "clip=careful_fg"], "no model is named clip"),
    ] {
        let args = refined(&further);
        let args = ["fg", "pools", "-q"].into_iter().chain(args.iter().map(String::as_str));
        assert_error(1, &args.collect::<Vec<_>>(), &[told]);
    }
}

#[test]
fn the_captions_shown_are_those_of_the_model_looked_at() {
    use common::Harness;
    use itm_explore::data::Direction;
    use itm_explore::study::{Inputs, open};
    let files = ["demo/careful.npy", "fg/careful_fg.npy", "demo/captions.json"];
    let inputs = Inputs {
        files: files.iter().map(|name| fixture(name).into()).collect(),
        texts: true,
        text_sets: vec![("refined".into(), fixture("fg/refined.json").into())],
        captions_of: vec![("careful_fg".into(), "refined".into())],
        ..Inputs::default()
    };
    let study = open(&inputs).unwrap();
    let said =
        study.notes.iter().any(|note| note.text.contains("words that the original text lacks"));
    assert!(said, "{:?}", study.notes);
    let shown = |harness: &Harness| harness.app.model.study.texts_name().map(str::to_owned);
    let harness = Harness::new(study, 120, 40);
    assert_eq!(shown(&harness).as_deref(), Some("original"));
    let harness = harness.keys("m");
    assert_eq!(shown(&harness).as_deref(), Some("refined"));
    // A search finds what is shown, the detail tells both.
    let study = &harness.app.model.study;
    let added = |caption: &usize| study.added_letters(*caption).contains(&true);
    let caption = (0..study.gallery.captions.len()).find(added).unwrap();
    let [text, original] =
        [study.gallery.caption(caption), study.original_text(caption).unwrap().to_owned()];
    assert_ne!(text, original.to_lowercase());
    let keys = format!("/'{text}<Enter>").replace(' ', "<Space>");
    let harness = harness.keys(&keys);
    insta::assert_snapshot!("refined_captions", harness.screen());
    assert_eq!(harness.app.model.selection.query(), Some(caption));
    let harness = harness.keys("<Enter>");
    let detail = harness.screen();
    assert!(detail.contains("refined text; original:"), "{detail}");
    insta::assert_snapshot!("refined_captions_detail", detail);
    assert!(detail.contains("careful_fg [refined]"), "{detail}");
    let harness = harness.keys("<Esc><Esc>m");
    assert_eq!(shown(&harness).as_deref(), Some("original"));
    assert_eq!(harness.app.model.study.gallery.caption(caption), original);
    // Side by side each model has its own.
    let id = harness.app.model.study.gallery.captions[caption].clone();
    let harness = harness.keys(&format!("2#{id}<Enter>"));
    insta::assert_snapshot!("refined_captions_compared", harness.screen());
    let image = harness.app.model.study.original_items(Direction::T2i, caption).iter().next();
    let image = harness.app.model.study.gallery.images[image.unwrap() as usize].clone();
    let harness = harness.keys(&format!("d#{image}<Enter>"));
    insta::assert_snapshot!("refined_captions_compared_i2t", harness.screen());
}

/// The texts are those that the model was given that is asked for.
#[test]
fn what_prints_one_model_prints_its_texts() {
    use itm_explore::study::{Inputs, open};
    let args = refined(&[]);
    let inputs = Inputs {
        files: args[..6].iter().map(Into::into).collect(),
        texts: true,
        text_sets: vec![("refined".into(), args[7]["refined=".len()..].into())],
        captions_of: vec![("careful_fg".into(), "refined".into())],
        ..Inputs::default()
    };
    let study = open(&inputs).unwrap();
    let [first, second] = [0, 1].map(|set: usize| &study.text_sets[set].texts);
    let differs = |caption: &usize| {
        let [one, other] = [first, second].map(|set| set[*caption].shown().to_lowercase());
        other.len() > one.len() + 4 && !other.contains(&one)
    };
    let caption = (0..first.len()).find(differs).unwrap();
    let id = study.gallery.captions[caption].to_string();
    let is_it = format!("id == {id}");
    for (model, own, other) in [
        ("careful", &first[caption], &second[caption]),
        ("careful_fg", &second[caption], &first[caption]),
    ] {
        let t2i = ["--direction", "t2i", "--model", model];
        for asked in [
            &["show", "--query", &id, "--format", "json"][..],
            &["figure", "--query", &id],
            &["find", "--where", &is_it, "--format", "json"],
        ] {
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let said = printed(&[asked, &["-q"], &t2i, &args].concat());
            let said = if asked[0] == "figure" { svg_words(&said) } else { said };
            assert!(said.contains(own.shown()), "{asked:?} {model}: {said:.600}");
            assert!(!said.contains(other.shown()), "{asked:?} {model}: {said:.600}");
        }
    }
}

/// Two copies of one file are no two runs.
#[test]
fn copies_are_told_in_compare_eval_and_doctor() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [one, other] = ["dup@1.npy", "dup@2.npy"].map(path);
    for copy in [&one, &other] {
        std::fs::copy(common::demo_file("broad.npy"), copy).unwrap();
    }
    for command in ["compare", "eval"] {
        let said = stderr(&run(&[command, "--demo", "-q", "--metrics", "r1", &one, &other]));
        assert!(said.contains("(model dup@2): the same scores as broad"), "{said}");
        assert!(!said.contains("as careful"), "{said}");
    }
    let said = stdout(&run(&["doctor", "--demo", &one, &other]));
    assert!(said.contains("(model dup@2): the same scores as broad"), "{said}");
}
