//! A round of annotation: the pool, its HITs, and the page on which people answer, in a browser.

use crate::common;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

use common::{Folder, record, stdout};
use itm_explore::annotate::import::Import;
use itm_explore::annotate::{hits, pool};
use itm_explore::data::Direction;
use itm_explore::data::source::Source;
use itm_explore::study::{Study, demo};
use itm_explore::truth::judgment::{Judgment, Pair};
use serde_json::Value;

fn read_pool(folder: &Folder, name: &str) -> pool::Pool {
    pool::read(&Source::open(&folder.path(name)).unwrap()).unwrap()
}

#[test]
fn who_proposed_how_much_is_told_before_anything_is_judged() {
    let folder = Folder::new();
    let pooled = "annotate pool --demo -q --top 5 --add-truth rich --sample 20 --seed 3 -o";
    insta::assert_snapshot!(folder.printed(&format!("{pooled} pool.jsonl")));
    let pool = read_pool(&folder, "pool.jsonl");
    assert_eq!(pool.head.models, ["careful", "broad", "naive"]);
    assert_eq!((pool.head.queries.i2t, pool.head.queries.t2i), (20, 20));
    let json = folder.json(&format!("{pooled} again.jsonl"));
    assert_eq!(json["cost"][0]["pairs"], pool.pairs.len());
    assert_eq!(folder.read("again.jsonl"), folder.read("pool.jsonl"));
}

#[test]
fn queries_are_listed_chosen_or_drawn() {
    let folder = Folder::new();
    let pooled = |name: &str, more: &str| {
        folder.done(&format!("annotate pool --demo -q --top 3 -o {name} {more}"));
        read_pool(&folder, name)
    };
    let all = pooled("all.jsonl", "--direction t2i --order random");
    let chosen = pooled("chosen.jsonl", "--direction t2i --where 'r1 == 0' --order depth");
    assert!(chosen.head.queries.t2i < all.head.queries.t2i && chosen.head.queries.t2i > 0);
    assert_eq!(chosen.head.chosen, "where r1 == 0");
    // The same queries by a list of their ids.
    let mut ids: Vec<String> = chosen.pairs.iter().map(|pair| pair.query().raw()).collect();
    ids.dedup();
    folder.write("queries.txt", ids.join("\n"));
    let listed = pooled("listed.jsonl", "--queries queries.txt --order depth");
    assert_eq!(listed.pairs, chosen.pairs);
    // What the ground truth lists is known already.
    let unlisted = "annotate pool --demo -q --top 3 -o unlisted.jsonl --direction t2i --unlisted";
    let cost = &folder.json(unlisted)["cost"][0];
    assert_eq!(cost["listed"], 0);
    assert!(cost["pairs"].as_u64().unwrap() < all.pairs.len() as u64);
}

/// The demo has fewer queries, and of a pool of one direction nothing is said of the other.
#[test]
fn what_was_drawn_and_asked_is_told() {
    let folder = Folder::new();
    folder.done("annotate pool --demo -q --direction t2i --sample 10000 --seed 3 -o t2i.jsonl");
    let chosen = read_pool(&folder, "t2i.jsonl").head.chosen;
    assert_eq!(chosen, "judged by rich, 120 t2i drawn at random, seed 3");
    let told = folder.printed("annotate reuse t2i.jsonl --demo -q --format csv");
    assert!(told.contains("careful,t2i,") && !told.contains("i2t"), "{told}");
}

#[test]
fn what_makes_no_pool_is_said() {
    let folder = Folder::new();
    folder.done("annotate pool --demo -q --sample 1 -o pool.jsonl");
    folder.write("empty.jsonl", "{}");
    for (line, parts) in [
        ("pool --models careful", &["disagrees with nobody"][..]),
        ("pool --models absent", &["no model is named absent"]),
        ("pool --where 'r1 =='", &["--where"]),
        ("pool --where 'words > 1000'", &["no pair in it"]),
        ("pool -o pool.jsonl", &["already", "--force"]),
        ("hits none.jsonl -o hits.json", &["no such file"]),
        ("hits empty.jsonl -o hits.json", &["empty.jsonl: line 1", "annotate pool"]),
    ] {
        folder.refused(&format!("annotate {line} --demo -q"), parts);
    }
}

/// Makes HITs of the demo and a page of them.
fn paged(more: &str) -> Folder {
    let folder = Folder::new();
    folder.done("annotate pool --demo -q --top 3 --direction t2i --sample 2 -o pool.jsonl");
    let hits = "annotate hits pool.jsonl --demo -q -o hits.json --html page.html";
    folder.done(&format!("{hits} {more}"));
    folder
}

fn read_hits(folder: &Folder) -> hits::Hits {
    hits::read(&Source::open(&folder.path("hits.json")).unwrap()).unwrap()
}

#[test]
fn hits_have_golden_pairs_and_pages_as_many_as_are_asked_for() {
    let folder = paged("--page-hits 1");
    let found = read_hits(&folder);
    assert_eq!(found.hits.len(), 2);
    for hit in &found.hits {
        let golden = hit.items.iter().filter_map(|item| item.golden);
        assert_eq!(golden.clone().filter(|of| *of == Judgment::Yes).count(), 1);
        assert_eq!(golden.filter(|of| *of == Judgment::No).count(), 1);
    }
    assert!(!folder.path("page.html").exists());
    for page in ["page-1.html", "page-2.html"].map(|name| folder.read(name)) {
        assert!(page.contains("data:image/") && !page.contains("golden"));
    }
}

/// DOM of a page after a test script ran in the browser.
fn in_browser(page: &Path, script: &str) -> String {
    let html = fs::read_to_string(page).unwrap();
    let (_, nonce) = html.split_once("<style nonce=\"").unwrap();
    let (nonce, _) = nonce.split_once('"').unwrap();
    let added = format!(
        "<script nonce=\"{nonce}\">{script}</script><script>document.title = 'broken';</script></body>"
    );
    let driven = page.with_extension("driven.html");
    fs::write(&driven, html.replace("</body>", &added)).unwrap();
    let mut outputs = (0..3).map(|_| browsed(&driven));
    let output = outputs.find(|output| output.status.success());
    stdout(&output.expect("a browser that ends"))
}

/// One browser at a time.
static BROWSER: Mutex<()> = Mutex::new(());

/// Output of the headless browser for a page. It hangs at times: then it is killed, and fails.
fn browsed(page: &Path) -> Output {
    let _one = BROWSER.lock().unwrap_or_else(PoisonError::into_inner);
    let profile = tempfile::tempdir().unwrap();
    Command::new("timeout")
        .args(["--kill-after=5", "90", "chromium", "--headless", "--no-sandbox", "--disable-gpu"])
        .args(["--disable-background-networking", "--disable-component-update", "--no-first-run"])
        .args(["--virtual-time-budget=5000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("timeout and chromium are on the PATH")
}

/// Begins under a name, does something, saves, and puts what is saved, as the browser would write it to a file, into the
/// page.
const DRIVE: &str = r"
const press = (key) => document.dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true }));
let saved = null;
URL.createObjectURL = (blob) => { saved = blob; return 'data:,'; };
document.getElementById('name').value = 'NAME';
document.getElementById('who').requestSubmit();
DO
press('s');
saved.text().then((text) => {
  const report = document.createElement('pre');
  report.id = 'report';
  report.textContent = JSON.stringify([text, document.getElementById('kept').textContent, localStorage.length]);
  document.body.append(report);
});
";

/// Responses saved after these actions on a page; the browser stores them too.
fn saved_by(name: &str, page: &Path, does: &str) -> String {
    let script = DRIVE.replace("NAME", name).replace("DO", does);
    let dom = in_browser(page, &script);
    assert!(!dom.contains("<title>broken"), "a script without the page's nonce ran");
    let (_, report) = dom.split_once("<pre id=\"report\">").expect(&dom);
    let report = report.split_once("</pre>").unwrap().0;
    let report = report.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let [saved, kept, stored]: [Value; 3] = serde_json::from_str(&report).unwrap();
    assert_eq!((kept.as_str().unwrap().ends_with("all saved"), stored.as_u64()), (true, Some(1)));
    saved.as_str().unwrap().to_owned()
}

#[test]
#[ignore = "needs the browser chromium on the PATH"]
fn a_page_is_answered_in_a_browser_by_key_and_mouse_and_saved() {
    let folder = paged("--follow-up");
    // Yes; partly, of which the number falls short; no, taken back; skipped; mostly not, of which nothing is said.
    let does = "['1', '2', '3', '4', 'u', 'ArrowRight', '0', '3', 'Escape'].forEach(press);
document.querySelectorAll('#answers button')[3].click();";
    let saved = saved_by("mk <b>", &folder.path("page.html"), does);
    let found: Value = serde_json::from_str(&saved).unwrap();
    assert_eq!(found["annotator"], "mk <b>");
    let answers = found["answers"].as_array().unwrap();
    let said = answers.iter().map(|one| [one["answer"].as_str(), one["shortcoming"].as_str()]);
    let wanted = [("yes", None), ("partial", Some("number")), ("cant-tell", None), ("no", None)];
    assert_eq!(said.collect::<Vec<_>>(), wanted.map(|(answer, short)| [Some(answer), short]));
    let source = Source::in_memory("answers.json", saved.into());
    let import = Import::read(&[source]).unwrap();
    assert_eq!(import.problems, []);
    // They are about the pairs of the HITs, in their order but for the one that was skipped.
    let asked = read_hits(&folder);
    let items = &asked.hits[0].items;
    for (answer, place) in import.answers.iter().zip([0, 1, 3, 4]) {
        assert_eq!(answer.hit.as_deref(), Some(asked.hits[0].hit.as_str()));
        let pair = (&answer.entry.image, &answer.entry.caption);
        assert_eq!(pair, (&items[place].image, &items[place].caption));
    }
}

/// Image and caption of every pair that a ground truth of the demo lists in either direction.
fn listed(study: &Study, truth: &str) -> Vec<String> {
    let truth = study.require_truth(truth).unwrap();
    let mut all = Vec::new();
    for direction in Direction::BOTH {
        let relevance = truth.relevance[direction].as_ref().unwrap();
        for (place, &query) in relevance.queries().iter().enumerate() {
            let pairs = relevance.positives(place).iter();
            let pairs = pairs.map(|item| Pair::from_query(direction, query.into(), item.into()));
            all.extend(pairs.map(|pair| {
                let image = &study.gallery.images[pair.image.get()];
                format!("{image} {}", study.gallery.captions[pair.caption.get()])
            }));
        }
    }
    all
}

/// Answers every pair of a page: yes to what `rich` lists, partly to what `pm` does, no to the rest; every so manyth
/// pair otherwise.
fn answering(study: &Study, slips: usize) -> String {
    let [yes, partly] =
        ["rich", "pm"].map(|name| serde_json::to_string(&listed(study, name)).unwrap());
    format!(
        r"const yes = new Set({yes}), partly = new Set({partly});
pairs.forEach((_, nth) => {{
  const pair = `${{pairs[here].image}} ${{pairs[here].caption}}`;
  const key = yes.has(pair) ? '1' : partly.has(pair) ? '2' : '4';
  press(nth % {slips} === {slips} - 1 ? {{ 1: '2', 2: '4', 4: '3' }}[key] : key);
}});"
    )
}

/// A number of a record of a report.
fn number(report: &Value, list: &str, fields: &[(&str, &str)], key: &str) -> f64 {
    record(report, list, fields)[key].as_f64().unwrap()
}

/// The commands are those of docs/annotation.md.
#[test]
#[ignore = "needs the browser chromium on the PATH"]
fn a_whole_round_of_three_models_and_three_people_makes_a_better_truth() {
    let folder = Folder::new();
    let pooled = "--truth original --unlisted --top 5 --sample 8 --seed 1 --overlap 3";
    folder.done(&format!("annotate pool --demo -q {pooled} -o pool.jsonl"));
    folder.done("annotate hits pool.jsonl --demo -q --seed 7 -o hits.json --html page.html");
    let study = demo::open().unwrap();
    // One who makes no mistake, and two who do.
    for (name, slips) in [("anna", 9999), ("bo", 9), ("cy", 5)] {
        let saved = saved_by(name, &folder.path("page.html"), &answering(&study, slips));
        folder.write(&format!("{name}.json"), saved);
    }
    let import =
        "annotate import anna.json bo.json cy.json --hits hits.json --pool pool.jsonl --partial";
    let told = folder.json(&format!("{import} --disputed again.jsonl -o human/"));
    let pairs = read_pool(&folder, "pool.jsonl").pairs.len();
    let decided = told["decided"].as_array().unwrap().iter();
    let decided = decided.map(|record| record["pairs"].as_u64().unwrap() as usize);
    assert_eq!(decided.sum::<usize>(), pairs);
    assert!(told["problems"].as_array().unwrap().is_empty(), "{told}");
    // What they differ on is asked again, with what they said.
    let again = read_pool(&folder, "again.jsonl").pairs;
    assert!(!again.is_empty() && again.len() < pairs);
    assert!(again.iter().all(|pair| pair.answers.len() > 1));
    let merge = "truth merge --demo -q human/ --truth human,original --as-name ours -o ours/";
    let united = folder.json(merge);
    let human = ["i2t", "t2i"].map(|direction| {
        number(&united, "parts", &[("truth", "human"), ("direction", direction)], "alone")
    });
    assert!(human[0] + human[1] > 30.0, "{united}");
    // The model that finds what no pairing lists gains; it was punished for it before.
    let of = |key: &str| {
        let broad = [("model", "broad"), ("direction", "i2t"), ("metric", "map_at_r")];
        number(&united, "changes", &broad, key)
    };
    assert!(of("after") > of("before") + 0.2, "{united}");
    let ours = "--demo -q ours/ --truth ours";
    let eval = format!("eval {ours} --metrics map_at_r,judged_at_5 --format csv");
    let evaluated = folder.printed(&eval);
    assert!(evaluated.contains("ours_map_at_r"), "{evaluated}");
    let bias = folder.json(&format!("annotate bias pool.jsonl {ours} --base original"));
    let broad = |by: &str| {
        let of = [("model", "broad"), ("direction", "i2t"), ("metric", "graded R-P")];
        number(&bias, "values", &[&of[..], &[("proposed_by", by)]].concat(), "value")
    };
    assert!(broad("broad") > broad("careful") && broad("broad") > broad("naive"), "{bias}");
    folder.done(&format!("annotate reuse pool.jsonl {ours} --base original"));
}
