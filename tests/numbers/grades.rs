//! Truths with grades: nDCG sees them, all else counts positives from a grade on.

use crate::common;

use common::{Folder, Harness, stderr};
use itm_explore::data::Direction;
use itm_explore::study::Inputs;
use itm_explore::truth::standing::Badge;
use itm_explore::tui::state::items::Top;
use serde_json::{Value, json};

const QRELS: &str = "1 0 11 3\n1 0 12 1\n1 0 21 2\n1 0 31 0\n1 0 77 2\n\
                     2 0 21 1\n2 0 22 3\n2 0 12 1\n3 0 31 1\n3 0 11 1\n";

const SCORES: [[f32; 6]; 3] = [
    [9.0, 8.0, 7.0, 6.0, 5.0, 4.0],
    [1.0, 6.0, 3.0, 5.0, 2.0, 4.0],
    [2.0, 1.0, 4.0, 3.0, 6.0, 5.0],
];

/// Three images and six captions; the first image has a relevant caption that the gallery lacks.
fn graded() -> Folder {
    let graded = Folder::new();
    let image = |id: i64| json!({"id": id, "file_name": format!("{id}.jpg")});
    let caption = |id: i64| json!({"id": id, "image_id": id / 10, "caption": format!("{id}")});
    let (images, annotations) = ([1, 2, 3].map(image), [11, 12, 21, 22, 31, 32].map(caption));
    let captions = json!({"images": images, "annotations": annotations});
    graded.write("captions.json", captions.to_string());
    graded.matrix("m.npy", [3, 6], |image, caption| SCORES[image][caption]);
    graded.write("rel_i2t.qrels", QRELS);
    graded
}

/// Values of `eval` under the truth in a file.
fn eval(graded: &Folder, truth: &str) -> Value {
    let metrics = "--metrics ndcg_at_k,r1,map_at_r --k 3,5 --truth rel --direction i2t";
    let found = graded.json(&format!("eval m.npy captions.json {truth} {metrics}"));
    found["models"][0]["metrics"].clone()
}

fn holds(found: &Value, expected: &[(&str, f64)]) {
    for (key, expected) in expected {
        let value = found[key]["i2t"].as_f64().unwrap_or_else(|| panic!("{key}: {found:#}"));
        assert!((value - expected).abs() < 1e-12, "{key}: {value}, not {expected}");
    }
}

/// `pytrec_eval`: means of `ndcg_cut_3` and `ndcg_cut_5` over the three queries.
const NDCG: [(&str, f64); 2] =
    [("rel_ndcg_at_3", 0.7311721823764249), ("rel_ndcg_at_5", 0.8227953789507579)];
/// By hand, with every grade above 0 a positive: (3/4 + 2/3 + 1/2) / 3.
const FROM_1: [(&str, f64); 2] = [("rel_r1", 1.0), ("rel_map_at_r", 23.0 / 36.0)];
/// From grade 2 on: the third image has no positive, so no R@1 and no AP@R; its grades are gains all the
/// same.
const FROM_2: [(&str, f64); 2] = [("rel_r1", 1.0 / 2.0), ("rel_map_at_r", 5.0 / 18.0)];

/// Flattened, nDCG would be 0.793 and 0.883.
#[test]
fn ndcg_is_that_of_trec_eval_and_the_others_count_positives() {
    let graded = graded();
    let found = eval(&graded, "rel_i2t.qrels");
    holds(&found, &NDCG);
    holds(&found, &FROM_1);
    let found = eval(&graded, "rel_i2t.qrels --relevant-from 2");
    holds(&found, &NDCG);
    holds(&found, &FROM_2);
    graded.write("rel_i2t.qrels", "1 0 11 1\n2 0 22 1\n");
    let said = stderr(&graded.done("eval m.npy captions.json rel_i2t.qrels --relevant-from 2"));
    assert!(said.contains("no ground truth has grades above 1"), "{said}");
}

#[test]
fn a_description_says_the_grade_too() {
    let graded = graded();
    graded.write("study.toml", "relevant_from = 2\nfiles = [\"rel_i2t.qrels\"]\n");
    let found = eval(&graded, "study.toml");
    holds(&found, &NDCG);
    holds(&found, &FROM_2);
    graded.write("study.toml", "relevant_from = 0\n");
    graded.refused("eval study.toml", &["relevant_from = 0"]);
}

/// Written and read again, grades are the same; a format that cannot hold them says so.
#[test]
fn grades_survive_where_they_can() {
    let graded = graded();
    graded.done("convert captions.json rel_i2t.qrels -o rel.json --relevant-from 2");
    let found = eval(&graded, "rel.json");
    holds(&found, &NDCG);
    holds(&found, &FROM_2);
    holds(&eval(&graded, "rel.json --relevant-from 1"), &FROM_1);
    // Readers that know no grades see the positives.
    let packed = graded.read_json("rel.json");
    assert_eq!(packed["truths"]["rel"]["i2t"], json!({"1": [11, 21, 77], "2": [22], "3": []}));
    let write = "convert captions.json rel_i2t.qrels --truth rel -o out --format";
    let said = stderr(&graded.done(&format!("{write} qrels")));
    assert!(!said.contains("written without"), "{said}");
    holds(&eval(&graded, "out/rel_i2t.qrels"), &NDCG);
    let said = stderr(&graded.done(&format!("{write} json")));
    assert!(said.contains("truth rel: written without grades"), "{said}");
}

/// In a pool of the first two images: `NumPy`, over the grades of what competes and of what no gallery has.
#[test]
fn a_pool_keeps_the_grades_of_what_competes() {
    let graded = graded();
    graded.write("pool.json", "[1, 2]");
    let found = eval(&graded, "rel_i2t.qrels --pool-file two=pool.json --pool two --ceiling");
    let log = |rank: f64| (1.0 + rank).log2();
    let first = (3.0 + 1.0 / log(2.0) + 2.0 / log(3.0)) / (3.0 + 2.0 / log(2.0) + 2.0 / log(3.0));
    let second = (1.0 + 3.0 / log(2.0) + 1.0 / log(3.0)) / (3.0 + 1.0 / log(2.0) + 1.0 / log(3.0));
    holds(&found, &[("rel@two_ndcg_at_3", f64::midpoint(first, second))]);
}

/// A pair of grade 0 is judged not relevant, whatever the file that keeps it; one that is not listed is not.
#[test]
fn a_grade_of_zero_is_a_judgment_wherever_it_is_told() {
    let graded = graded();
    graded.write("rel_i2t.qrels", "1 0 11 1\n1 0 31 0\n2 0 22 1\n");
    let standings = |truth: &str| {
        let find = format!("find m.npy captions.json {truth} -q --items --direction i2t");
        let lines = graded.printed(&format!("{find} --truth rel --format jsonl"));
        let read = |line: &str| -> Value { serde_json::from_str(line).unwrap() };
        let of_first = lines.lines().map(read).filter(|item| item["query"] == 1);
        let told = of_first.map(|item| (item["item"].clone(), item["standing"].clone()));
        told.collect::<Vec<_>>()
    };
    let told = standings("rel_i2t.qrels");
    for (item, standing) in
        [(11, "original"), (12, "original"), (21, "unjudged"), (31, "not-relevant")]
    {
        assert!(told.contains(&(json!(item), json!(standing))), "{told:?}");
    }
    graded.done("convert captions.json rel_i2t.qrels -o rel.json");
    assert_eq!(standings("rel.json"), told);
    let write = "convert captions.json rel_i2t.qrels --truth rel -o out --format";
    let said = stderr(&graded.done(&format!("{write} qrels")));
    assert!(!said.contains("written without"), "{said}");
    assert_eq!(standings("out/rel_i2t.qrels"), told);
    let said = stderr(&graded.done(&format!("{write} json")));
    assert!(said.contains("pairs judged not relevant"), "{said}");
    let show = "show m.npy captions.json rel_i2t.qrels --query 1 --direction i2t -k 6";
    let shown = graded.json(show);
    let items = shown["items"].as_array().unwrap();
    for (id, badge, standing) in
        [(31, "judged not relevant", "not-relevant"), (21, "unjudged", "not-listed")]
    {
        let item = items.iter().find(|item| item["id"] == id).unwrap();
        let told = [&item["badge"], &item["standing_original"], &item["standing_rel"]];
        assert_eq!(told, [badge, "not-listed", standing], "{item}");
    }
}

/// Ranks alone do not tell whether somebody said no of a top-1 item: it is looked up for the list of queries.
#[test]
fn the_list_tells_that_a_top_1_item_is_judged_not_relevant() {
    let graded = graded();
    graded.write("no_i2t.qrels", "1 0 11 1\n2 0 12 0\n2 0 22 1\n3 0 31 1\n");
    let files = ["m.npy", "captions.json", "no_i2t.qrels"];
    let files = files.map(|name| graded.path(name)).to_vec();
    let inputs = Inputs { files, ..Inputs::default() };
    let study = itm_explore::study::open(&inputs).unwrap();
    let open = Harness::new(study, 120, 40);
    assert_eq!(open.app.model.view.direction, Direction::I2t);
    let top = [0, 1, 2].map(|query| open.app.model.top_1_status(query));
    let known = [Badge::Original, Badge::NotRelevant, Badge::Original].map(Top::Known);
    assert_eq!(top, known);
}
