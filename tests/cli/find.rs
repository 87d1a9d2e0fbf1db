//! `itm-explore find`: what the real binary answers.

use crate::common;

use std::path::Path;
use std::process::Output;

use common::{Harness, on_demo, printed, run, scores, shared, stderr, stdout, words};
use itm_explore::data::Direction;
use itm_explore::filter::values;
use itm_explore::session::{Lock, Pick, Session, Timestamp};
use itm_explore::study::demo;
use itm_explore::truth::judgment::Judgment;
use serde_json::Value;

fn found(args: &[&str]) -> Output {
    let output = run(&on_demo(&[&["find", "-q"], args].concat()));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    output
}

fn json(args: &[&str]) -> Value {
    common::json(&on_demo(&[&["find", "-q", "--format", "json"], args].concat()))
}

fn assert_error(args: &[&str], parts: &[&str]) {
    common::assert_error(1, &on_demo(&[&["find", "-q"], args].concat()), parts);
}

const MISSING: &str = "original.r1 == 0 and rich.r1 == 1";

#[test]
fn a_table_and_how_many_of_how_many() {
    let args = ["--where", MISSING, "--model", "broad", "--sort", "map_at_r", "--limit", "3"];
    let output = found(&args);
    assert_eq!(
        stderr(&output),
        "67 of 120 queries (model broad, ground truth rich, t2i; --truth original: 300); the first 3 are printed\n"
    );
    insta::assert_snapshot!("find_table", stdout(&output));
    for format in ["csv", "markdown"] {
        let output = found(&[&args[..], &["--format", format]].concat());
        insta::assert_snapshot!(format!("find_{format}"), stdout(&output));
    }
}

#[test]
fn the_json_contract() {
    let answer = json(&["--where", MISSING, "--model", "broad", "--limit", "2"]);
    let view = ["where", "model", "truth", "direction"].map(|key| &answer[key]);
    assert_eq!(view, [MISSING, "broad", "rich", "t2i"]);
    assert_eq!([&answer["matched"], &answer["total"]], [67, 120]);
    let queries = answer["queries"].as_array().unwrap();
    assert_eq!(queries.len(), 2);
    let keys: Vec<&String> = queries[0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["id", "rank", "r1", "map_at_r", "original.r1", "rich.r1", "text"]);
    assert_eq!([&queries[0]["rank"], &queries[0]["r1"]], [1, 1]);
    assert!(queries[0]["id"].is_i64() && queries[0]["map_at_r"].is_f64());
    let none = json(&["--where", "words > 1000"]);
    assert_eq!((&none["matched"], &none["queries"]), (&0.into(), &Value::Array(Vec::new())));
}

/// The share of queries that are right is the R@1 that `eval` tells, in every view.
#[test]
fn shares_are_those_of_eval() {
    let numbers = printed(&words("eval --demo -q --metrics r1 --format csv"));
    let mut lines = 0;
    for line in numbers.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let truth = cells[2].strip_suffix("_r1").unwrap();
        let condition = format!("{}.r1", cells[0]);
        let answer = json(&["--where", &condition, "--truth", truth, "--direction", cells[3]]);
        let share = answer["matched"].as_f64().unwrap() / answer["total"].as_f64().unwrap();
        assert!((share - cells[4].parse::<f64>().unwrap()).abs() < 1e-12, "{line}");
        assert_eq!(answer["total"].to_string(), cells[5], "{line}");
        lines += 1;
    }
    assert_eq!(lines, 3 * 3 * 2);
}

#[test]
fn sorted_and_asked_by_image() {
    let args = ["--where", "rank > 0", "--direction", "i2t", "--sort", "-rank"];
    let answer = json(&args);
    let queries = answer["queries"].as_array().unwrap();
    assert_eq!((&answer["total"], queries.len()), (&38.into(), 38));
    let ranks: Vec<i64> = queries.iter().map(|query| query["rank"].as_i64().unwrap()).collect();
    assert!(ranks.is_sorted_by(|a, b| a >= b), "{ranks:?}");
    assert!(queries.iter().all(|query| query["text"].as_str().unwrap().len() > 5));
}

#[test]
fn mistakes_point_at_their_place() {
    for (args, parts) in [
        (
            "--where 'r1 == 1 and rnak < 5'",
            &["\n    r1 == 1 and rnak < 5\n                ^^^^\n", "did you mean rank?"][..],
        ),
        ("--where r1 --sort text", &["--sort, column 1: this is a text"]),
        ("--where r1 --model x", &["no model is named x", "careful"]),
        ("--where r1 --truth x", &["no ground truth is named x", "original"]),
    ] {
        assert_error(&words(args), parts);
    }
    let said = stderr(&run(&["find", "--demo", "-q", "--where", "r1 \x1b[2J"]));
    assert!(!said.contains('\x1b'), "{said}");
    assert_eq!(run(&["find", "--demo"]).status.code(), Some(2), "a condition is needed");
}

/// The documentation shows this part of the help.
#[test]
fn the_help_lists_every_value() {
    let help = stdout(&run(&["find", "--help"]));
    assert!(values().iter().all(|(value, _)| help.contains(value)));
    assert!(help.contains("Examples:\n  itm-explore find "));
}

/// Plausible Match lists so much that it is counted apart; its ranks are found all the same.
#[test]
#[ignore = "needs ../shared and its 5K matrices"]
fn a_truth_with_very_many_positives_is_asked_too() {
    let (folder, scores) = (shared("data/coco5k"), scores("lsa"));
    let instances = folder.join("instances_standin_test5k.json");
    let files = [&scores, &folder, &instances].map(|path| path.to_str().unwrap());
    let eval = ["eval", "-q", "--metrics", "r1", "--truth", "pm", "--format", "csv"];
    let numbers = stdout(&run(&[&eval[..], &files].concat()));
    let line = numbers.lines().find(|line| line.contains(",t2i,")).unwrap();
    let value: f64 = line.split(',').nth(4).unwrap().parse().unwrap();
    let find = ["--where", "r1", "--truth", "pm", "--limit", "1"];
    let answer = json(&[&find[..], &files].concat());
    let share = answer["matched"].as_f64().unwrap() / answer["total"].as_f64().unwrap();
    assert!((share - value).abs() < 1e-12, "{line}");
}

fn saved(path: &Path, session: &Session) -> String {
    let Lock::Held(saver) = Session::open(path).unwrap().lock else { panic!("held") };
    saver.save(session).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Judgments of two annotators and picks, as a file.
fn session(folder: &Path) -> String {
    let study = demo::open().unwrap();
    let gallery = &study.gallery;
    let rich = &study.require_truth("rich").unwrap().relevance;
    let judged = Harness::demo(120, 40).keys("<Tab>JUyNjPnjy<Tab>jjj<Tab>NyP<Tab>d<Tab>jyNjN");
    let mut session = Session::default();
    let at = Timestamp::from_seconds(0);
    for (pair, judgment) in judged.app.model.judgments.decided.iter() {
        let image = &gallery.images[pair.image.get()];
        let caption = &gallery.captions[pair.caption.get()];
        session.set_response(image, caption, Some(judgment), at, "mk");
    }
    let (image, caption) = (&gallery.images[0], &gallery.captions[9]);
    session.set_response(image, caption, Some(Judgment::Yes), at, "anna");
    for (direction, place) in [(Direction::T2i, 1), (Direction::T2i, 9), (Direction::I2t, 5)] {
        let query = rich[direction].as_ref().unwrap().queries()[place] as usize;
        session.picks.push(Pick {
            query: gallery.queries(direction)[query].clone(),
            direction,
            models: Vec::new(),
            truth: "rich".into(),
            depth: 5,
            note: String::new(),
            pool: None,
            at,
            by: "mk".into(),
            sampled: None,
            group: None,
            other: serde_json::Map::new(),
        });
    }
    saved(&folder.join("own.itm.json"), &session)
}

/// Ids of the queries that the explorer's filter lists with a session.
fn listed(path: &str, direction: &str, condition: &str) -> Vec<String> {
    let mut explorer = Harness::demo(120, 40);
    let opened = Session::open(Path::new(path)).unwrap();
    let saver = explorer.app.open_session(opened, "mk", Vec::new());
    let turn = if direction == "i2t" { "d" } else { "" };
    let explorer = explorer.settled().keys(&format!("{turn}f{condition}<Enter>"));
    drop(saver);
    let app = &explorer.app;
    let ids = app.model.study.gallery.queries(app.model.view.direction);
    let queries = app.model.selection.queries.iter();
    queries.map(|&query| ids[query as usize].to_string()).collect()
}

#[test]
fn with_a_session_it_finds_what_the_explorer_lists() {
    let folder = tempfile::tempdir().unwrap();
    let path = session(folder.path());
    let conditions = [
        "judgments > 0",
        "judgments == 2 or picked",
        "picked and not r1",
        "positives_in_top(5) > 2",
        "ndcg_at_10 > 0.6",
        "r > 3 or original.r != 5 and original.r != 1",
        "broad.ndcg_at_10 > careful.ndcg_at_10",
        "rank > naive.original.rank",
        "non_gt_in_top(broad, 5) >= 1",
    ];
    let mut differs = 0;
    for direction in ["t2i", "i2t"] {
        for condition in conditions {
            let plain = ["--where", condition, "--direction", direction];
            let own = [&plain[..], &["--session", &path, "--annotator", "mk"]].concat();
            let ids = |answer: &Value| -> Vec<String> {
                let queries = answer["queries"].as_array().unwrap();
                queries.iter().map(|query| query["id"].to_string()).collect()
            };
            let answer = json(&own);
            let found = ids(&answer);
            assert_eq!(found, listed(&path, direction, condition), "{direction} {condition}");
            assert_eq!(answer["matched"], found.len());
            differs += usize::from(ids(&json(&plain)) != found);
        }
    }
    assert!(differs >= 7, "{differs}");
}

/// Values of each query in the order of the ground truth, as `eval --per-query` writes them: what to ask, and the key.
fn evaluated(args: &[&str], key: &str, out: &str) -> Vec<(String, f64)> {
    printed(&[&["eval", "--demo", "-q", "--force", "--per-query", out], args].concat());
    let rows: Vec<Value> = serde_json::from_slice(&std::fs::read(out).unwrap()).unwrap();
    let of_model = rows.iter().filter(|row| row["model"] == "careful");
    let value = |row: &Value| Some((row["query"].to_string(), row[key].as_f64()?));
    of_model.filter_map(value).collect()
}

/// One column of `find`, by query id.
fn column(args: &[&str], column: &str) -> Vec<(String, f64)> {
    let all =
        ["find", "--demo", "-q", "--format", "json", "--where", "r >= 0", "--columns", column];
    let answer = common::json(&[&all, args].concat());
    let queries = answer["queries"].as_array().unwrap();
    let value = |query: &Value| Some((query["id"].to_string(), query[column].as_f64()?));
    queries.iter().filter_map(value).collect()
}

/// The positives of the demo's rich ground truth with grades from 0 to 3, as qrels.
fn graded(folder: &Path) -> String {
    let study = demo::open().unwrap();
    let gallery = &study.gallery;
    let rich = study.require_truth("rich").unwrap().relevance.t2i.as_ref();
    let rich = rich.unwrap();
    let of_query = |(place, &query): (usize, &u32)| -> String {
        let line = |item: u32| {
            let (query, image) =
                (&gallery.captions[query as usize], &gallery.images[item as usize]);
            format!("{query} 0 {image} {}\n", (place as u32 + item) % 4)
        };
        rich.positives(place).iter().map(line).collect()
    };
    let lines: String = rich.queries().iter().enumerate().map(of_query).collect();
    let file = folder.join("graded_t2i.qrels");
    std::fs::write(&file, lines).unwrap();
    file.to_str().unwrap().to_owned()
}

/// A partial is worth half of the greatest grade wherever a session counts.
#[test]
fn ndcg_with_judgments_is_that_of_eval_query_by_query() {
    let folder = tempfile::tempdir().unwrap();
    let path = session(folder.path());
    let own = ["--session", &path, "--annotator", "mk"];
    let file = graded(folder.path());
    let out = folder.path().join("values.json");
    for (truth, direction) in [
        (&["--truth", "rich"][..], "t2i"),
        (&["--truth", "rich"], "i2t"),
        (&["--truth", "graded", "--relevant-from", "3", &file], "t2i"),
    ] {
        let args = [&["--direction", direction], truth].concat();
        let with_session = [&args[..], &own].concat();
        let metric = ["--metrics", "ndcg_at_k", "--k", "5"];
        let asked = [&metric[..], &with_session].concat();
        let key = format!("{}+mine_ndcg_at_5", truth[1]);
        let by_eval = evaluated(&asked, &key, out.to_str().unwrap());
        let by_find = column(&with_session, "ndcg_at_5");
        assert!(by_find.len() > 20, "{args:?}");
        assert_eq!(by_eval, by_find, "{args:?}");
        assert_ne!(by_find, column(&args, "ndcg_at_5"), "{args:?}");
    }
}

/// A no tells what is not relevant, also under a ground truth that lists positives alone, and where nobody said yes.
#[test]
fn bpref_with_judgments_is_that_of_eval_query_by_query() {
    let folder = tempfile::tempdir().unwrap();
    let both = session(folder.path());
    let (mut of_no, _) = Session::read(Path::new(&both)).unwrap();
    let positive =
        of_no.judgments().iter().filter(|one| one.judgment.is_some_and(Judgment::is_positive));
    for one in positive.cloned().collect::<Vec<_>>() {
        of_no.set_response(&one.image, &one.caption, None::<Judgment>, one.at, &one.by);
    }
    let no = saved(&folder.path().join("no.itm.json"), &of_no);
    let out = folder.path().join("values.json");
    for path in [&*both, &no] {
        for direction in ["t2i", "i2t"] {
            let view = ["--truth", "rich", "--direction", direction];
            let args = [&view[..], &["--session", path, "--annotator", "mk"]].concat();
            let asked = [&["--metrics", "bpref"][..], &args].concat();
            let by_eval = evaluated(&asked, "rich+mine_bpref", out.to_str().unwrap());
            let by_find = column(&args, "bpref");
            assert!(by_find.len() > 20, "{args:?}");
            assert_eq!(by_eval, by_find, "{args:?}");
        }
    }
    let told = ["does not list what was judged not relevant"];
    assert_error(&["--where", "bpref > 0", "--truth", "rich"], &told);
}

/// The sentence on a draw, which figures print, names the ground truth that was counted by.
#[test]
fn a_draw_with_judgments_names_what_they_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = session(folder.path());
    let args = ["--where", "careful.r1 == 0", "--pick", "3"];
    let own = ["--session", &path, "--annotator", "mk"];
    let said = stderr(&found(&[&args[..], &own].concat()));
    assert!(said.contains("(model careful, ground truth rich+mine)."), "{said}");
    let said = stderr(&found(&args));
    assert!(said.contains("(model careful, ground truth rich)."), "{said}");
    let told = ["no ground truth is named original,rich", "name one: original"];
    assert_error(&["--where", "r1", "--truth", "original,rich"], &told);
}

#[test]
fn a_session_is_read_where_it_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = session(folder.path());
    let args = ["find", "--demo", "--where", "picked", "--session", &path];
    let said = stderr(&run(&[&args[..], &["--annotator", "anna"]].concat()));
    assert!(said.contains("2 of 120 queries (model careful, ground truth rich, t2i;"), "{said}");
    assert_error(
        &["--where", "r1", "--session", &path, "--annotator", "bo"],
        &["no judgment of bo in it", "one of anna, mk"],
    );
    assert_error(&["--where", "r1", "--session", "none.itm.json"], &["none.itm.json"]);
    // Among the files it is refused.
    assert_error(&["--where", "r1", &path], &["a session, which is no input", "--session FILE"]);
}

/// The seed and the condition say which queries are drawn: `--sort` puts these in order.
#[test]
fn a_draw_does_not_hang_on_the_order() {
    let drawn = |more: &[&str]| -> Vec<(i64, f64)> {
        let args = ["--where", "r1 == 0", "--pick", "6", "--columns", "words"];
        let answer = json(&[&args, more].concat());
        let queries = answer["queries"].as_array().unwrap().iter();
        let of = |query: &Value| (query["id"].as_i64().unwrap(), query["words"].as_f64().unwrap());
        queries.map(of).collect()
    };
    for diverse in [&[][..], &["--diverse"]] {
        let drawn = |sort: &[&str]| drawn(&[diverse, sort].concat());
        let plain = drawn(&[]);
        for (sort, sign) in [("words", 1.0), ("-words", -1.0)] {
            let sorted = drawn(&["--sort", sort]);
            let words = sorted.iter().map(|(_, words)| words * sign);
            assert!(words.is_sorted(), "{sorted:?}");
            let ids = |of: &[(i64, f64)]| {
                let mut ids: Vec<i64> = of.iter().map(|(id, _)| *id).collect();
                ids.sort_unstable();
                ids
            };
            assert_eq!(ids(&sorted), ids(&plain));
        }
    }
}

/// A query without the value neither meets a condition nor fails it: how many there are is said.
#[test]
fn queries_without_a_value_are_counted() {
    let condition = ["--truth", "original", "--where"];
    let ask = |of: &str| found(&[&condition[..], &[of]].concat());
    let counted = |of: &str| stderr(&ask(of));
    let told = " others have no value to compare\n";
    let right = counted("rich.r1 == 1");
    assert!(right.ends_with(told), "{right}");
    assert!(counted("not rich.r1 == 1").ends_with(told));
    assert!(!counted("r1 == 1").contains(told));
    let json = |of: &str| json(&[&condition[..], &[of]].concat());
    let [met, unmet] = ["rich.r1 == 1", "not rich.r1 == 1"].map(json);
    let counts = [&met["matched"], &unmet["matched"], &met["unknown"]];
    assert_eq!(met["total"], counts.iter().filter_map(|count| count.as_u64()).sum::<u64>());
    assert_eq!(met["unknown"], unmet["unknown"]);
}

/// PMRP is defined under Plausible Match alone: under another ground truth it would be R-Precision.
#[test]
fn a_metric_of_one_ground_truth_is_taken_under_it_alone() {
    found(&["--where", "pm.pmrp < 0.5"]);
    for condition in ["pmrp < 0.5", "rich.pmrp < 0.5"] {
        assert_error(&["--where", condition], &["under ground truth pm alone", "pm.pmrp"]);
    }
}
