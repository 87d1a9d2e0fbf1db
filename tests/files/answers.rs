//! From what people answered to a ground truth, and what it says of models, through the program itself.

use crate::common;

use common::{Folder, record, stderr};
use serde_json::{Value, json};

/// Images 1 to 4 with the captions 11, 12 to 41, 42, two models, three people.
fn round() -> Folder {
    let round = Folder::new();
    for (name, order) in
        [("one.npy", [0, 1, 2, 3, 4, 5, 6, 7]), ("two.npy", [7, 5, 3, 1, 6, 4, 2, 0])]
    {
        round.matrix(name, [4, 8], |row, column| ((order[column] + 3 * row) % 8) as f32);
    }
    round.write("images.txt", "1\n2\n3\n4\n");
    round.write("captions.txt", "11\n12\n21\n22\n31\n32\n41\n42\n");
    let item = |image: i64, caption: i64, golden: Option<&str>| json!({"image": image, "caption": caption, "golden": golden});
    let items =
        [item(1, 11, Some("yes")), item(4, 11, Some("no")), item(2, 11, None), item(3, 11, None)];
    let other = [1, 2, 3].map(|image| item(image, 22, None));
    let hits = json!({"format": "itm-explore hits 1", "seed": 1, "hits": [
        {"hit": "a", "direction": "t2i", "query": 11, "items": items},
        {"hit": "b", "direction": "t2i", "query": 22, "items": other}]});
    round.write("hits.json", hits.to_string());
    let anna =
        "a 1 11 yes, a 4 11 no, a 2 11 yes, a 3 11 no, b 1 22 no, b 2 22 yes, b 3 22 partial";
    let bo = "a 1 11 yes, a 4 11 no, a 2 11 yes, a 3 11 yes, b 1 22 no, b 2 22 yes, b 3 22 no, \
              b 3 22 no, c 3 22 no, b 9 22 no";
    let cy = "a 1 11 no, a 4 11 no, a 2 11 no, a 3 11 no, b 2 22 yes, b 2 22 no";
    for (name, said) in [("anna", anna), ("bo", bo), ("cy", cy)] {
        answer(&round, name, said);
    }
    round
}

/// Writes a person's answers: HIT, image, caption and answer, between commas.
fn answer(round: &Folder, name: &str, said: &str) {
    let answer = |(nth, line): (usize, &str)| {
        let words: Vec<&str> = line.split(' ').collect();
        let [image, caption] = [1, 2].map(|at| words[at].parse::<i64>().unwrap());
        json!({"hit": words[0], "image": image, "caption": caption, "answer": words[3], "shortcoming": null,
               "at": format!("2026-11-22T10:00:{nth:02}Z")})
    };
    let answers: Vec<Value> = said.split(", ").enumerate().map(answer).collect();
    let file = json!({"format": "itm-explore answers 1", "annotator": name, "answers": answers});
    round.write(&format!("{name}.json"), file.to_string());
}

const IMPORT: &str = "annotate import anna.json bo.json cy.json --hits hits.json";
const STUDY: &str = "one.npy two.npy --image-ids images.txt --caption-ids captions.txt -q";

#[test]
fn every_trouble_is_told_and_golden_items_fail_a_hit() {
    let round = round();
    let found = round.json(IMPORT);
    let problems = found["problems"].as_array().unwrap().iter();
    let problems: Vec<_> = problems.map(|one| json!([one["trouble"], one["place"]])).collect();
    assert_eq!(json!(problems), json!([["foreign", 9], ["foreign", 10], ["contradictory", 6]]));
    assert!(found["problems"][0]["file"].as_str().unwrap().ends_with("bo.json"));
    let failed = &found["failed"][0];
    assert_eq!(json!([failed["annotator"], failed["hit"]]), json!(["cy", "a"]));
    assert_eq!(found["left_out"], 4);
    for (judgment, pairs) in [("yes", 2), ("partial", 0), ("mostly-no", 0), ("no", 1), ("open", 2)]
    {
        let decided = record(&found, "decided", &[("judgment", judgment)]);
        assert_eq!(decided["pairs"], pairs, "{judgment}");
    }
    let kept = round.json(&format!("{IMPORT} --keep-failed"));
    assert_eq!(kept["left_out"], 0);
    assert_eq!(record(&kept, "decided", &[("judgment", "open")])["pairs"], 1);
}

#[test]
fn answers_become_a_truth_with_what_was_judged_not_relevant() {
    let round = round();
    round.done(&format!("{IMPORT} -o human --disputed again.jsonl"));
    let lists = round.read("human/human_t2i.qrels");
    assert_eq!(lists, "11 0 2 1\n11 0 3 -1\n22 0 1 0\n22 0 2 1\n22 0 3 -1\n");
    assert!(!round.path("human/human_i2t.qrels").exists(), "nothing was asked of images");
    let again = round.read("again.jsonl");
    let captions: Vec<bool> =
        again.lines().skip(1).map(|line| line.contains("\"image\":3")).collect();
    assert_eq!(captions, [true, false, true], "{again}");
    // One who decides alone.
    answer(&round, "judge", "a 3 11 partial, b 3 22 mostly-no");
    let with_judge = IMPORT.replace("--hits", "judge.json --hits");
    round.done(&format!("{with_judge} --adjudicator judge --partial -o graded"));
    let lists = round.read("graded/human_t2i.qrels");
    assert_eq!(lists, "11 0 2 2\n11 0 3 1\n22 0 1 0\n22 0 2 2\n22 0 3 0\n");
    let nobody = ["nobody named nobody answered", "anna, bo, cy"];
    round.refused(&format!("{IMPORT} --adjudicator nobody"), &nobody);
}

/// A pool of other queries says nothing of these answers.
#[test]
fn a_pool_of_another_study_is_refused_and_what_is_foreign_in_one_left_out() {
    let round = round();
    let head = json!({"format": "itm-explore pool 1", "top": 5, "models": ["one"], "truths": [],
        "queries": {"i2t": 0, "t2i": 2}, "chosen": "all queries", "order": "depth", "seed": 1});
    let line = |image: i64, caption: i64| {
        json!({"query_direction": "t2i", "image": image, "caption": caption,
            "proposals": [{"model": "one", "direction": "t2i", "rank": 1}]})
    };
    let pool = |name: &str, pairs: &[(i64, i64)]| {
        let pairs = pairs.iter().map(|&(image, caption)| line(image, caption));
        let lines = std::iter::once(head.clone()).chain(pairs);
        round.write(name, lines.map(|line| line.to_string()).collect::<Vec<_>>().join("\n"));
    };
    pool("other.jsonl", &[(391_895, 770_337), (60_623, 771_687)]);
    for hits in ["--hits hits.json", ""] {
        let line = format!("annotate import anna.json {hits} --pool other.jsonl -o none");
        round.refused(&line, &["other.jsonl: none of its pairs", "expected: the pool"]);
    }
    let hits = round.read("hits.json").replace("\"hit\":\"", "\"hit\":\"of-others-");
    round.write("others.json", hits);
    round.refused(
        "annotate import anna.json --hits others.json -o none",
        &["others.json: these HITs asked for none of the 7 answers", "no HIT is named a"],
    );
    assert!(!round.path("none").exists());
    // 4 with 22 was pooled and nobody asked for it; 2 with 771687 is of another query.
    pool("mixed.jsonl", &[(2, 11), (4, 22), (2, 771_687)]);
    let said = stderr(&round.run(&format!("{IMPORT} --pool mixed.jsonl -o human")));
    assert!(said.contains("mixed.jsonl: excluded 1 pair of queries that no HIT asks"), "{said}");
    let lists = round.read("human/human_t2i.qrels");
    assert!(lists.contains("22 0 4 -1\n") && !lists.contains("771687"), "{lists}");
}

#[test]
fn a_truth_of_judgments_has_metrics_that_bear_unjudged_items() {
    let round = round();
    round.write(
        "q_t2i.qrels",
        "11 0 a 1\n11 0 b 0\n11 0 c -1\n11 0 d 1\n11 0 e 0\n11 0 f 1\n11 0 g 0\n",
    );
    round.write("ids.txt", "a\nb\nc\nd\ne\nf\ng\nx\n");
    round.write("cap.txt", "11\n");
    let lines = ["b", "a", "x", "c", "d", "e"].iter().zip(1..);
    let lines: Vec<String> =
        lines.map(|(id, rank)| format!("11 Q0 {id} {rank} {} t", 10 - rank)).collect();
    round.write("run.trec", lines.join("\n"));
    let metrics = "map,condensed_map,bpref,infap,rbp[0.8],rbp_residual_at_5,judged_at_5";
    let found = round.json(&format!("eval --run-t2i run.trec q_t2i.qrels --image-ids ids.txt --caption-ids cap.txt --captions-per-image 0 -q --short-lists miss --metrics {metrics} --k 5"));
    let text = found.to_string();
    let values = "0.3 0.38888888888888884 0.4444444444444445 0.3333349999666673 0.24192 0.4925 0.8";
    for value in values.split(' ') {
        assert!(text.contains(value), "{value}: {text}");
    }
    let refused = "eval --demo -q --metrics bpref --truth original";
    round.refused(refused, &["without a ground truth that lists what was judged not relevant"]);
}

const POOL: &str = r#"{"format":"itm-explore pool 1","top":2,"models":["one","two"],"truths":[],"queries":{"i2t":0,"t2i":2},"chosen":"all queries","order":"depth","seed":1}
{"query_direction":"t2i","image":2,"caption":11,"proposals":[{"model":"one","direction":"t2i","rank":1}]}
{"query_direction":"t2i","image":3,"caption":11,"proposals":[{"model":"two","direction":"t2i","rank":1}]}
{"query_direction":"t2i","image":2,"caption":22,"proposals":[{"model":"one","direction":"t2i","rank":1},{"model":"two","direction":"t2i","rank":2}]}
{"query_direction":"t2i","image":1,"caption":22,"proposals":[{"model":"two","direction":"t2i","rank":1}]}
"#;

#[test]
fn reuse_and_bias_tell_who_proposed_what() {
    let round = round();
    round.write("pool.jsonl", POOL);
    round.done(&format!("{IMPORT} -o human"));
    let study = format!("pool.jsonl {STUDY} human --captions-per-image 2 --truth human");
    let reuse = round.json(&format!("annotate reuse {study}"));
    let of = |model| [("model", model), ("direction", "t2i")];
    assert_eq!(record(&reuse, "proposers", &of("one"))["positives"], 2);
    assert_eq!(record(&reuse, "proposers", &of("one"))["alone"], 1);
    assert_eq!(record(&reuse, "proposers", &of("two"))["alone"], 0);
    // The gallery has four images.
    assert_eq!(record(&reuse, "unjudged", &of("one"))["unjudged_at_5"], Value::Null);
    let r1 = |model| [("model", model), ("direction", "t2i"), ("metric", "r1")];
    assert_eq!(record(&reuse, "changes", &r1("two"))["change"], 0.0);
    assert_eq!(record(&reuse, "changes", &r1("one"))["queries"], 1);
    let without = STUDY.replace("one.npy two.npy ", "");
    let without = format!("annotate reuse pool.jsonl {without} human --truth human");
    round.refused(&without, &["no score matrix"]);
    let bias = round.json(&format!("annotate bias {study}"));
    let by = |source| {
        [("model", "one"), ("direction", "t2i"), ("metric", "R@1"), ("proposed_by", source)]
    };
    assert_eq!(record(&bias, "values", &by("two"))["queries"], 1);
    assert_eq!(record(&bias, "values", &by("all"))["queries"], 2);
    let own = &record(&bias, "values", &by("one"))["value"];
    assert_eq!(*own, record(&bias, "values", &by("all"))["value"]);
    // What was known before needs nobody who proposes it.
    let based = round.json(&format!("annotate bias {study} --base human"));
    assert_eq!(record(&based, "values", &by("two"))["queries"], 2);
    let lists = round.read("human/human_t2i.qrels");
    round.write("before_t2i.qrels", lists);
    let reuse = round.json(&format!("annotate reuse {study} before_t2i.qrels --base before"));
    assert_eq!(record(&reuse, "changes", &r1("one"))["change"], 0.0);
}

/// Without new positives nothing changes: the ground truth itself is no base of it.
#[test]
fn the_base_of_a_ground_truth_is_another_one() {
    let round = round();
    round.write("pool.jsonl", POOL);
    round.done(&format!("{IMPORT} -o human"));
    let line = format!("annotate reuse pool.jsonl {STUDY} human --base human");
    let told = ["--base: human, which the pool made", "fix: leave --base out"];
    for truth in ["--truth human", ""] {
        round.refused(&format!("{line} {truth}"), &told);
    }
}

#[test]
fn truths_are_united_and_models_measured_before_and_after() {
    let round = round();
    round.done(&format!("{IMPORT} -o human"));
    let line = format!(
        "truth merge {STUDY} human --captions-per-image 2 --truth human,original --as-name ours -o ours"
    );
    let found = round.json(&line);
    assert_eq!(
        round.read("ours/ours_t2i.qrels"),
        "11 0 2 1\n11 0 3 -1\n11 0 1 1\n22 0 1 0\n22 0 2 1\n22 0 3 -1\n"
    );
    assert_eq!(record(&found, "union", &[("direction", "t2i")])["positives"], 3);
    for truth in ["original", "human"] {
        let part = record(&found, "parts", &[("truth", truth), ("direction", "t2i")]);
        assert_eq!(part["alone"], 1);
    }
    let r1 = [("model", "one"), ("direction", "t2i"), ("metric", "r1")];
    let r1 = record(&found, "changes", &r1);
    let [before, after, change] =
        ["before", "after", "change"].map(|number| r1[number].as_f64().unwrap());
    assert!((after - before - change).abs() < 1e-12);
    let alone = round.json(&format!(
        "eval {STUDY} ours --captions-per-image 2 --truth ours --metrics r1,bpref,judged_at_1 --k 1"
    ));
    assert!(alone.to_string().contains("ours_bpref"), "{alone}");
}
