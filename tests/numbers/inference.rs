//! Queries in a mean, and its confidence interval, in the output of the real binary.

use crate::common;

use std::path::{Path, PathBuf};

use common::{assert_error, run, stderr, stdout};
use serde_json::{Map, Value, json};

const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/demo/");

fn answered(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output)
}

fn parsed(args: &[&str]) -> Value {
    serde_json::from_str(&answered(&[args, &["-q", "--format", "json"]].concat())).unwrap()
}

/// Every caption of the demo with its image, in the order of the file.
fn pairs() -> Vec<(String, Value)> {
    let text = std::fs::read_to_string(format!("{DEMO}original_caption_to_image.json")).unwrap();
    let all: Map<String, Value> = serde_json::from_str(&text).unwrap();
    all.into_iter().map(|(id, images)| (id, images[0].clone())).collect()
}

/// Ten images for each caption, its own at this place if anywhere.
fn lists(folder: &Path, name: &str, place: impl Fn(usize) -> Option<usize>) -> PathBuf {
    let pairs = pairs();
    let mut images: Vec<Value> = Vec::new();
    for (_, image) in &pairs {
        if !images.contains(image) {
            images.push(image.clone());
        }
    }
    let list = |(at, (id, own)): (usize, &(String, Value))| {
        let others = images.iter().filter(|image| *image != own);
        let mut list: Vec<Value> = others.take(10).cloned().collect();
        if let Some(place) = place(at) {
            list.insert(place, own.clone());
            list.truncate(10);
        }
        (id.clone(), json!(list))
    };
    let all: Map<String, Value> = pairs.iter().enumerate().map(list).collect();
    let path = folder.join(name);
    std::fs::write(&path, json!({ "t2i": all }).to_string()).unwrap();
    path
}

/// One model has every positive third; the other has it first for a fifth of the queries, and for no
/// other. Over the queries that both rank, the other would win.
#[test]
fn short_lists_are_refused_or_taken_as_missed() {
    let folder = tempfile::tempdir().unwrap();
    let a = lists(folder.path(), "a.json", |_| Some(2));
    let b = lists(folder.path(), "b.json", |at| (at % 5 == 0).then_some(0));
    let [a, b] = [&a, &b].map(|path| path.to_str().unwrap());
    let (captions, truth) =
        (format!("{DEMO}captions.json"), format!("{DEMO}original_caption_to_image.json"));
    let files = [&captions, &truth, "--run", a, "--run", b];
    let of = |more: &[&str]| {
        let compare = ["compare", "--metrics", "mrr", "--direction", "t2i"];
        let all = [&compare, &files[..], more].concat();
        parsed(&all)["comparisons"][0].clone()
    };
    let row = of(&[]);
    assert_eq!((&row["delta"], &row["p_holm"]), (&Value::Null, &Value::Null));
    let why = row["short"][0].as_str().unwrap();
    assert!(why.contains("b t2i undefined: original_mrr") && why.contains("240 queries"), "{why}");
    let eval = |more: &[&str]| {
        let eval = ["eval", "--metrics", "mrr,r10,mean_rank", "--direction", "t2i"];
        parsed(&[&eval, &files[..], more].concat())
    };
    let plain = eval(&[]);
    assert_eq!(plain["models"][1]["metrics"]["original_mrr"]["t2i"], Value::Null);
    // Complete for its source: what it lacks is not retrieved.
    let miss = ["--short-lists", "miss"];
    let row = of(&miss);
    assert!((row["delta"].as_f64().unwrap() - (1.0 / 3.0 - 0.2)).abs() < 1e-12);
    assert_eq!((&row["queries"], &row["wins"]), (&json!(300), &json!(240)));
    let missed = eval(&miss);
    let metrics = &missed["models"][1]["metrics"];
    assert_eq!(metrics["original_mrr"]["t2i"], row["second"]);
    assert!((metrics["original_r10"]["t2i"].as_f64().unwrap() - 0.2).abs() < 1e-12);
    // A mean of ranks has no rank for what is missed.
    assert_eq!(metrics["original_mean_rank"]["t2i"], Value::Null);
    assert_eq!(missed["conventions"]["short_lists"], "miss");
    // In image-to-text retrieval there is no list that could have missed anything.
    let both = parsed(&[&["eval", "--metrics", "r10"], &files[..], &miss].concat());
    let both = &both["models"][1]["metrics"]["original_r10"];
    assert_eq!(both["i2t"], Value::Null);
    assert_eq!(both["t2i"], metrics["original_r10"]["t2i"]);
    let found = [
        &["find", "--where", "r10 == 0", "-q", "--format", "json", "--direction", "t2i"],
        &files[..],
        &miss,
    ]
    .concat();
    let found: Value =
        serde_json::from_str(&answered(&[&found[..], &["--model", "b"]].concat())).unwrap();
    assert_eq!(found["matched"], 240, "{found}");
}

/// A query that is judged and has no positive enters no mean, or counts 0 in each.
#[test]
fn queries_without_positives_follow_one_rule() {
    let folder = tempfile::tempdir().unwrap();
    let truth = folder.path().join("mine_t2i.qrels");
    let line = |(at, (id, image)): (usize, &(String, Value))| {
        let image = image.as_str().map_or_else(|| image.to_string(), str::to_owned);
        format!("{id} 0 {image} {}\n", u8::from(at % 4 > 0))
    };
    let text: String = pairs().iter().take(40).enumerate().map(line).collect();
    std::fs::write(&truth, text).unwrap();
    let (model, captions) = (format!("{DEMO}careful.npy"), format!("{DEMO}captions.json"));
    let files = [&model, &captions, truth.to_str().unwrap(), "--truth", "mine"];
    let of = |more: &[&str]| {
        let eval = ["eval", "--metrics", "r1,map_at_r,mrr,ir_recall_at_5,ndcg_at_5,mean_rank"];
        parsed(&[&eval, &files[..], more].concat())["models"][0].clone()
    };
    let (left_out, zero) = (of(&[]), of(&["--no-positives", "zero"]));
    for key in ["mine_r1", "mine_map_at_r", "mine_mrr", "mine_ir_recall_at_5", "mine_ndcg_at_5"] {
        assert_eq!(
            (&left_out["queries"][key]["t2i"], &zero["queries"][key]["t2i"]),
            (&json!(30), &json!(40)),
            "{key}"
        );
        let [one, other] = [&left_out, &zero].map(|of| of["metrics"][key]["t2i"].as_f64().unwrap());
        assert!((one * 30.0 - other * 40.0).abs() < 1e-9, "{key}");
    }
    // No rank is made up for them.
    assert_eq!(zero["queries"]["mine_mean_rank"]["t2i"], 30);
    assert_eq!(left_out["judged"]["mine"]["t2i"], 40);
    assert_error(2, &["eval", "--demo", "--no-positives", "none"], &["left-out", "zero"]);
}

/// Clusters of captions by default, others by query.
#[test]
fn captions_of_an_image_are_clustered_unless_told() {
    let of = |more: &[&str]| {
        let compare = ["compare", "--demo", "--models", "careful,broad", "--truth", "original"];
        parsed(&[&compare, more].concat())
    };
    let (plain, by_query) = (of(&[]), of(&["--by-query"]));
    assert_eq!((&plain["by_image"], &plain["clusters"]), (&json!(true), &json!("image")));
    assert_eq!(by_query["clusters"], "query");
    let clusters = |whole: &Value, at: usize| whole["comparisons"][at]["clusters"].clone();
    assert_eq!((clusters(&plain, 0), clusters(&plain, 1)), (json!(60), json!(60)));
    assert_eq!(clusters(&by_query, 1), 300);
    let df = |whole: &Value| whole["comparisons"][1]["df"].as_f64().unwrap();
    assert!(df(&plain) < 62.0 && df(&by_query) > 298.0);
    // R = 1 for every caption: R@1 is mAP@R, and one hypothesis.
    let row = &plain["comparisons"][3];
    assert_eq!(
        (&row["metric"], &row["same_as"]),
        (&json!("original_map_at_r"), &json!("original_r1"))
    );
    let two = ["compare", "--demo", "-q", "--models", "careful,broad", "--truth", "original"];
    assert!(answered(&two).contains("Student's t over images; Holm over 3 tests"));
    let table = answered(&[&two[..], &["--full"]].concat());
    for part in
        ["images; Holm over 3 tests", "docs/compare.md", "original_map_at_r t2i = original_r1 t2i"]
    {
        assert!(table.contains(part), "{part}: {table}");
    }
}

#[test]
fn a_margin_asks_for_equivalence() {
    let of = |margin: &str| {
        let compare = [
            "compare",
            "--demo",
            "--models",
            "careful,broad",
            "--truth",
            "rich",
            "--direction",
            "i2t",
            "--metrics",
            "map_at_r",
        ];
        parsed(&[&compare[..], &["--margin", margin]].concat())["comparisons"][0].clone()
    };
    let [narrow, wide] = ["0.1", "90"].map(of);
    let p = |row: &Value, key: &str| row[key].as_f64().unwrap();
    assert!(p(&narrow, "p_tost") > 0.5 && p(&wide, "p_tost") < 1e-6);
    assert!(p(&wide, "p_non_inferior") <= p(&wide, "p_tost"));
    assert_error(2, &["compare", "--demo", "--margin", "-1"], &["--margin"]);
}

/// Intervals hold their values, and stand beside every mean in every format.
#[test]
fn means_have_intervals_on_request() {
    let args =
        ["eval", "--demo", "--truth", "rich", "--ci", "--metrics", "r1,map_at_r,rsum,median_rank"];
    let whole = parsed(&args);
    assert_eq!(whole["inference"]["clusters"], "image");
    for model in whole["models"].as_array().unwrap() {
        for key in ["rich_r1", "rich_map_at_r"] {
            for direction in ["i2t", "t2i"] {
                let ends = &model["intervals"][key][direction];
                let [low, high] = [0, 1].map(|at| ends[at].as_f64().unwrap());
                let value = model["metrics"][key][direction].as_f64().unwrap();
                assert!(low < value && value < high, "{key} {direction}");
            }
        }
        assert!(model["intervals"]["rich_rsum"]["both"][0].is_f64());
        assert_eq!(model["intervals"]["rich_median_rank"]["i2t"], Value::Null);
    }
    let table = answered(&[&args[..], &["-q"]].concat());
    assert!(table.contains("95 % CI, clustered by image: Student's t"), "{table}");
    let csv = answered(&[&args[..], &["-q", "--format", "csv"]].concat());
    assert!(csv.starts_with("model,source,metric,direction,value,judged,low,high\n"), "{csv}");
    let plain = parsed(&["eval", "--demo", "--truth", "rich", "--metrics", "r1"]);
    assert_eq!(plain["models"][0].get("intervals"), None);
}

/// The mean of the values that are written is the mean that is printed, in each format.
#[test]
fn values_query_by_query_are_those_of_the_means() {
    let folder = tempfile::tempdir().unwrap();
    let out = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let eval = |out: &str| {
        let args = [
            "eval",
            "--demo",
            "--metrics",
            "r1,map_at_r,median_rank",
            "--direction",
            "t2i",
            "--per-query",
            out,
        ];
        parsed(&args)
    };
    let (json_out, csv_out) = (out("values.json"), out("values.csv"));
    let whole = eval(&json_out);
    eval(&csv_out);
    let rows: Vec<Value> = serde_json::from_slice(&std::fs::read(&json_out).unwrap()).unwrap();
    assert_eq!(rows.len(), 3 * 300);
    assert_eq!(rows[0].get("rich_median_rank"), None);
    for model in whole["models"].as_array().unwrap() {
        let of_model = rows.iter().filter(|row| row["model"] == model["name"]);
        for key in ["original_r1", "rich_map_at_r"] {
            let values: Vec<f64> = of_model.clone().filter_map(|row| row[key].as_f64()).collect();
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            assert!((mean - model["metrics"][key]["t2i"].as_f64().unwrap()).abs() < 1e-12, "{key}");
            assert_eq!(model["queries"][key]["t2i"], values.len());
        }
    }
    let mut csv = csv::Reader::from_path(&csv_out).unwrap();
    let head = csv.headers().unwrap().clone();
    assert_eq!(head.iter().take(4).collect::<Vec<_>>(), ["model", "direction", "query", "image"]);
    for (record, row) in csv.records().zip(&rows) {
        for (name, cell) in head.iter().zip(&record.unwrap()) {
            match &row[name] {
                Value::Null => assert_eq!(cell, ""),
                Value::String(text) => assert_eq!(cell, text),
                number => assert_eq!(cell.parse::<f64>().ok(), number.as_f64()),
            }
        }
    }
    assert_error(
        1,
        &["eval", "--demo", "-q", "--per-query", "values.txt"],
        &["values.txt", "OUT.csv"],
    );
}

/// Two runs of one model beside another model: their mean, how far they are apart, and one comparison.
#[test]
fn runs_of_a_model_are_one_model() {
    let folder = tempfile::tempdir().unwrap();
    let copy = |from: &str, to: &str| {
        let to = folder.path().join(to);
        std::fs::copy(format!("{DEMO}{from}"), &to).unwrap();
        to.to_str().unwrap().to_owned()
    };
    let files = [
        copy("careful.npy", "ours@1.npy"),
        copy("broad.npy", "ours@2.npy"),
        copy("naive.npy", "base.npy"),
    ];
    let truths =
        ["captions.json", "original_caption_to_image.json", "original_image_to_caption.json"];
    let truths = truths.map(|name| format!("{DEMO}{name}"));
    let files: Vec<&str> = files.iter().chain(&truths).map(String::as_str).collect();
    let compared = parsed(&[&["compare", "--metrics", "r1"], &files[..]].concat());
    let rows = compared["comparisons"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    let eval = parsed(&[&["eval", "--metrics", "r1"], &files[..]].concat());
    let value =
        |model: usize| eval["models"][model]["metrics"]["original_r1"]["t2i"].as_f64().unwrap();
    let row = &rows[1];
    assert_eq!(row["models"], json!(["ours", "base"]));
    let mean = f64::midpoint(value(0), value(1));
    assert!((row["first"].as_f64().unwrap() - mean).abs() < 1e-12);
    assert_eq!(row["first_runs"], json!(2));
    let deviation = (value(0) - value(1)).abs() / 2f64.sqrt();
    assert!((row["first_sd_of_runs"].as_f64().unwrap() - deviation).abs() < 1e-12);
    let of_runs = &eval["runs"][0];
    assert_eq!(
        (&of_runs["name"], &of_runs["models"]),
        (&json!("ours"), &json!(["ours@1", "ours@2"]))
    );
    assert!(
        (of_runs["metrics"]["original_r1"]["t2i"]["mean"].as_f64().unwrap() - mean).abs() < 1e-12
    );
    let latex =
        run(&[&["eval", "-q", "--metrics", "r1", "--format", "latex"], &files[..]].concat());
    let text = String::from_utf8(latex.stdout).unwrap();
    let mut lines = text.lines().skip_while(|line| !line.starts_with("ours (2 runs) & "));
    assert!(
        lines.next().unwrap().contains(&format!(" & \\textbf{{{:.1}}}", mean * 100.0)),
        "{text}"
    );
    // The best of several runs is the luckiest, and no best model.
    assert!(!text.contains("ours@1 & \\textbf"), "{text}");
    let below = format!("{{\\scriptsize $\\pm$ {:.1}}}", deviation * 100.0);
    assert!(lines.next().unwrap().contains(&below), "{text}");
    // By their own names they are two models.
    let apart = parsed(&[&["compare", "--models", "ours@1,ours@2"], &files[..]].concat());
    assert_eq!(apart["comparisons"][0]["first_runs"], Value::Null);
    // Named in a description.
    let study = folder.path().join("study.toml");
    let text = format!(
        "files = {truths:?}\n[[models]]\nname = \"ours\"\nseeds = [\"ours@1.npy\", \"ours@2.npy\"]\n[[models]]\nname = \"base\"\nscores = \"base.npy\"\n"
    );
    std::fs::write(&study, text).unwrap();
    let named = parsed(&["compare", "--metrics", "r1", study.to_str().unwrap()]);
    assert_eq!(named["comparisons"], compared["comparisons"]);
}

/// However far apart: how the runs of the single one vary is unknown. Two beside two are tested.
#[test]
fn a_single_run_beside_several_is_never_called_significant() {
    let folder = tempfile::tempdir().unwrap();
    let copy = |from: &str, to: &str| {
        let to = folder.path().join(to);
        std::fs::copy(format!("{DEMO}{from}"), &to).unwrap();
        to.to_str().unwrap().to_owned()
    };
    let files = [
        ("careful.npy", "ours@1.npy"),
        ("broad.npy", "ours@2.npy"),
        ("naive.npy", "base@1.npy"),
        ("naive.npy", "base@2.npy"),
    ];
    let files = files.map(|(from, to)| copy(from, to));
    let truths = ["captions.json", "original_caption_to_image.json"];
    let truths = truths.map(|name| format!("{DEMO}{name}"));
    let of = |count: usize, more: &[&str]| {
        let mut args = vec!["compare", "-q", "--metrics", "r1"];
        args.extend(truths.iter().map(String::as_str));
        args.extend(files[..count].iter().map(String::as_str));
        answered(&[&args[..], more].concat())
    };
    let row = |count: usize| {
        let whole: Value = serde_json::from_str(&of(count, &["--format", "json"])).unwrap();
        whole["comparisons"][0].clone()
    };
    let (beside_one, beside_two) = (row(3), row(4));
    assert_eq!(beside_one["models"], json!(["ours", "base@1"]));
    for key in ["t", "df", "p_t", "p_holm"] {
        assert_eq!(beside_one[key], Value::Null, "{key}");
        assert!(beside_two[key].is_f64(), "{key}");
    }
    assert_eq!(beside_one["single_run"], "base@1");
    assert_eq!(beside_two["single_run"], Value::Null);
    let width = |row: &Value| row["high"].as_f64().unwrap() - row["low"].as_f64().unwrap();
    assert!(width(&beside_one) > width(&beside_two));
    let told = of(3, &[]);
    assert!(told.contains("base@1: a single run beside several"), "{told}");
    assert!(!told.contains(" *0.") && !told.contains("*<"), "{told}");
    let told = of(4, &[]);
    assert!(!told.contains("a single run beside several"), "{told}");
    let latex = of(3, &["--format", "latex"]);
    assert!(latex.contains("a single run beside several"), "{latex}");
}

/// One key, one meaning: the means of folds in `compare` are those of `eval`, to the last bit.
#[test]
#[ignore = "needs ../shared and its 5K matrices"]
fn folds_mean_the_same_in_eval_and_compare() {
    let files = common::coco_5k();
    let files = files.each_ref().map(|file| file.to_str().unwrap());
    let choice = ["--pool", "folds", "--truth", "eccv,original", "--metrics", "r1,map_at_r"];
    let of =
        |command: &str, more: &[&str]| parsed(&[&[command], &files[..], &choice, more].concat());
    let (eval, compared) = (of("eval", &[]), of("compare", &[]));
    let rows = compared["comparisons"].as_array().unwrap();
    assert_eq!(rows.len(), 8);
    for row in rows {
        let key = row["metric"].as_str().unwrap();
        let direction = row["direction"].as_str().unwrap();
        for (model, side) in ["first", "second"].into_iter().enumerate() {
            assert_eq!(row[side], eval["models"][model]["metrics"][key][direction], "{key}");
        }
        assert_eq!(row["queries"], eval["models"][0]["queries"][key][direction]);
    }
}
