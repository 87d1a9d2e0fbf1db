//! `find --items` and the explorer's list: a line for each query and item.

use crate::common;

use std::fs;
use std::path::Path;

use common::{Harness, demo_file, run, stderr, stdout, words};
use itm_explore::analysis::listed_items::Which;
use itm_explore::data::Direction;
use itm_explore::rank::ranking::Ranking;
use itm_explore::session::Session;
use itm_explore::study::demo;
use itm_explore::truth::Kind;
use itm_explore::tui::action::Action;
use itm_explore::tui::event::Event;
use itm_explore::tui::keymap::Key;
use itm_explore::tui::state::query_list::Pane;
use serde_json::{Value, json};

fn listed(args: &[&str]) -> (String, String) {
    let output = run(&[&["find", "--demo", "-q", "--items"], args].concat());
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    (stdout(&output), stderr(&output))
}

fn items(args: &[&str]) -> Vec<Value> {
    let (lines, _) = listed(&[args, &["--format", "jsonl"]].concat());
    let read = |line: &str| serde_json::from_str(line).unwrap();
    lines.lines().map(read).collect()
}

/// Every item is that of the ranking sorted whole, with its score.
#[test]
fn the_first_items_are_those_of_whole_rankings() {
    let study = demo::open().unwrap();
    for direction in Direction::BOTH {
        let args = format!("--model broad --truth original --k 3 --direction {direction}");
        let found = items(&words(&args));
        let queries = study.gallery.queries(direction);
        assert_eq!(found.len(), queries.len() * 3);
        for (at, item) in found.iter().enumerate() {
            let ranking = Ranking::for_query(&study.models[1], direction, at / 3);
            let place = ranking.order[at % 3] as usize;
            assert_eq!(item["query"].to_string(), queries[at / 3].to_string());
            assert_eq!(item["item"].to_string(), study.gallery.items(direction)[place].to_string());
            assert_eq!(item["rank"], at % 3 + 1);
            assert_eq!(item["score"], json!(ranking.scores[place]));
        }
    }
}

/// Without a richer ground truth nobody knows of non-GT positives: the list begins with what it has.
#[test]
fn the_list_opens_on_items_that_there_are() {
    let mut study = demo::open().unwrap();
    study.truths.truncate(1);
    let list = Harness::new(study, 80, 24).keys("E");
    list.shows(" positives in the top 10").lacks("no richer ground truth");
    list.keys("<BackTab>").shows("3,000 items in the top 10").lacks("non-GT");
    Harness::demo(80, 24).keys("E").shows(" non-GT positives in the top 10");
}

#[test]
fn which_items_are_told_and_how_they_stand() {
    let all = items(&["--model", "broad", "--direction", "both"]);
    for (which, standings) in [
        ("non-gt", &["non-gt"][..]),
        ("positive", &["original", "non-gt"]),
        ("not-relevant", &["not-relevant"]),
        ("unjudged", &["unjudged"]),
    ] {
        let some = items(&["--model", "broad", "--direction", "both", "--which", which]);
        let is_one = |item: &&Value| standings.contains(&item["standing"].as_str().unwrap());
        let wanted: Vec<&Value> = all.iter().filter(is_one).collect();
        assert_eq!(some.iter().collect::<Vec<_>>(), wanted, "{which}");
    }
    let non_gt = all.iter().find(|item| item["standing"] == "non-gt").unwrap();
    assert_eq!((&non_gt["original"], &non_gt["rich"]), (&json!("not-listed"), &json!("positive")));
    // Nobody said no of any pair of the demo: unjudged is not wrong.
    assert!(all.iter().any(|item| item["standing"] == "unjudged"));
    assert!(!all.iter().any(|item| item["standing"] == "not-relevant"));
    // With a single ground truth there is no non-GT positive.
    let alone =
        format!("find -q --items --format csv {} --captions-per-image 5", demo_file("broad.npy"));
    let said = common::printed(&words(&alone));
    assert!(!said.contains("non-gt") && said.contains("original"), "{said}");
}

#[test]
fn a_judgment_stands_beside_its_pair() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.itm.json");
    let session = path.to_str().unwrap();
    let first = items(&["--k", "1", "--limit", "1"])[0].clone();
    let text = format!(
        r#"{{"format": "itm-explore-session/1", "verdicts": [{{"image": {}, "caption": {}, "verdict": "no", "at": "2026-01-01T00:00:00Z", "by": "mk"}}]}}"#,
        first["item"], first["query"]
    );
    std::fs::write(&path, text).unwrap();
    let judged = items(&["--which", "not-relevant", "--session", session]);
    assert_eq!(judged.len(), 1);
    assert_eq!([&judged[0]["judgment"], &judged[0]["standing"]], ["no", "not-relevant"]);
}

#[test]
fn columns_are_what_is_named_and_asked_for() {
    let args = "--model broad --where 'original.r1 == 0 and rich.r1 == 1' --sort -words \
                --columns 'non_gt_in_top(broad, 5),rank > 1' --k 1 --format csv";
    let (csv, said) = listed(&words(args));
    let head = "direction,query,item,standing,original,rich,pm,rank,score,original.r1,rich.r1,words,\"non_gt_in_top(broad, 5)\",rank > 1,file_name,caption,image_caption";
    assert_eq!(csv.lines().next().unwrap(), head);
    assert_eq!(csv.lines().count(), 68);
    assert!(said.starts_with("broad t2i: 67 items of 67 queries; 67 of 120 covered"), "{said}");
    let (table, _) = listed(&["--model", "broad", "--which", "non-gt", "--k", "3", "--limit", "2"]);
    insta::assert_snapshot!("items_table", table);
    let (markdown, _) = listed(&["--k", "1", "--limit", "1", "--format", "markdown"]);
    assert!(markdown.starts_with("| direction | query |"), "{markdown}");
    let whole = common::json(&words("find --demo -q --items --k 1 --direction both --format json"));
    for (direction, count) in [("i2t", 38), ("t2i", 120)] {
        let queries = json!({"matched": count, "total": count, "unknown": 0});
        assert_eq!(whole["queries"][direction], queries);
    }
    assert_eq!(whole["items"].as_array().unwrap().len(), 158);
}

/// With `--limit` the numbers of all are told, and `--which` says what it goes with.
#[test]
fn the_sentence_of_counts_is_of_all_that_was_found() {
    let non_gt = ["--model", "broad", "--which", "non-gt", "--k", "3"];
    let (all, said) = listed(&non_gt);
    let rows = all.lines().count() - 1;
    let start = format!("broad t2i: {rows} non-GT positives of ");
    assert!(
        said.starts_with(&start)
            && said.ends_with(" queries; 120 covered by rich (--truth original: 300)\n"),
        "{said}"
    );
    let with = said[start.len()..].split(' ').next().unwrap();
    let (some, said) = listed(&[&non_gt[..], &["--limit", "2"]].concat());
    let shown = some.lines().count() - 1;
    let wanted = format!(
        "broad t2i: {rows} non-GT positives of {with} queries; those of the first 2 are printed"
    );
    assert!(said.starts_with(&wanted) && shown < rows, "{said}");
    for args in ["--which non-gt", "--k 3", "--which non-gt --where r1"] {
        common::assert_error(2, &words(&format!("find --demo {args}")), &["--items"]);
    }
    let both = words("find --demo -q --where r1 --direction both");
    common::assert_error(1, &both, &["--items"]);
}

/// That no non-GT positive is found is no finding where nobody looked further than the original annotation.
#[test]
fn without_a_richer_ground_truth_non_gt_positives_are_unknown() {
    let file = demo_file("broad.npy");
    let alone = ["find", "-q", &file, "--captions-per-image", "5", "--items"];
    let output = run(&[&alone[..], &["--which", "non-gt", "--direction", "t2i"]].concat());
    assert!(output.status.success());
    let said = stderr(&output);
    assert!(said.contains("t2i: no richer ground truth is loaded"), "{said}");
    let all = stdout(&run(&[&alone[..], &["--format", "csv"]].concat()));
    assert!(all.contains("unjudged,not-listed"), "{all}");
    // Nor are there non-GT positives without an original annotation.
    let mut study = demo::open().unwrap();
    study.truths.retain(|truth| truth.kind != Kind::Original);
    let why = Which::NonGt.unknown_reason(&study).unwrap_or_default();
    assert!(why.starts_with("no original annotation"), "{why}");
}

/// The lines of the list that is open from the selected one on: query, item, rank and what is known of the pair.
fn copied(harness: Harness, count: usize) -> (Harness, Vec<[String; 4]>) {
    let model = &harness.app.model;
    let (direction, gallery) = (model.view.direction, &model.study.gallery);
    let line = |row: usize| {
        let one = model.item_rows().unwrap().get(row).unwrap();
        let query = gallery.queries(direction)[one.query as usize].to_string();
        let item = gallery.items(direction)[one.item as usize].to_string();
        [query, item, one.rank.to_string(), one.badge.key().to_owned()]
    };
    let lines = (model.items.row..).take(count).map(line).collect();
    (harness.keys(&"j".repeat(count)), lines)
}

/// Items of `find --items`.
fn found(args: &[&str]) -> Vec<[String; 4]> {
    let line = |item: Value| {
        let standing = item["standing"].as_str().unwrap().to_owned();
        let [query, found, rank] = ["query", "item", "rank"].map(|key| item[key].to_string());
        [query, found, rank, standing]
    };
    items(args).into_iter().map(line).collect()
}

#[test]
fn the_list_in_the_explorer_is_that_of_find() {
    let non_gt = found(&["--which", "non-gt"]);
    let open = Harness::demo(120, 40).keys("E");
    let screen = open.screen();
    assert!(screen.contains(&format!(" non-GT {} ", non_gt.len())), "{screen}");
    assert!(screen.contains("top 10 of 120 queries"), "{screen}");
    insta::assert_snapshot!("list_120x40", screen);
    let (listed, lines) = copied(open, 30);
    assert_eq!(lines, non_gt[..30]);
    // Tab lists others, + and - look at more or fewer items of each query; both begin at the top.
    let (_, positive) = copied(listed.keys("<Tab>___"), 20);
    let wanted = found(&["--which", "positive", "--k", "1"]);
    assert_eq!(positive, wanted[..20]);
    // Sorted by score, those that score alike in the order that they had.
    let score = |line: &Value| line["score"].as_f64().unwrap();
    let mut by_score = items(&["--which", "non-gt"]);
    by_score.sort_by(|a, b| score(b).total_cmp(&score(a)));
    let wanted: Vec<String> = by_score.iter().map(|one| one["query"].to_string()).collect();
    let sorted = Harness::demo(120, 40).keys("Es");
    sorted.shows("sorted highest score first");
    let (sorted, lines) = copied(sorted, 20);
    let queries: Vec<&String> = lines.iter().map(|line| &line[0]).collect();
    assert_eq!(queries, wanted[..20].iter().collect::<Vec<_>>());
    // Query by query again.
    let (_, again) = copied(sorted.keys("s"), 30);
    assert_eq!(again, non_gt[..30]);
    // The end of tens of thousands of lines is as near as the next one.
    let all = found(&["--k", "50"]);
    let last = Harness::demo(120, 40).keys("E<BackTab>++<End>");
    last.shows(" all 6,000 ");
    assert_eq!(copied(last, 1).1, all[all.len() - 1..]);
}

#[test]
fn an_item_of_the_list_is_gone_to_and_back() {
    let open = Harness::demo(80, 24).keys("Ejjj");
    let footer = open.screen().lines().last().unwrap().to_owned();
    assert!(footer.contains("J judge") && footer.contains("Enter open"), "{footer}");
    insta::assert_snapshot!("list_80x24", open.screen());
    let (open, lines) = copied(open.keys("k"), 1);
    let there = open.keys("k<Enter>");
    let model = &there.app.model;
    assert_eq!(there.app.current_tab(), Action::Browse);
    assert_eq!(model.selection.pane, Pane::Ranking);
    let gallery = &model.study.gallery;
    let item = model.item().unwrap();
    let here = [
        gallery.captions[model.selection.query().unwrap()].to_string(),
        gallery.images[item.item].to_string(),
        item.rank.to_string(),
    ];
    assert_eq!(here, lines[0][..3]);
    let (_, again) = copied(there.keys("E"), 1);
    assert_eq!(again, lines);
}

#[test]
fn what_is_picked_in_the_list_is_its_own_line() {
    let own = items(&["--which", "non-gt", "--k", "10"])[4]["query"].clone();
    let open = Harness::demo(120, 40).keys("Ejjjj");
    open.keys(" ").shows(&format!("picked: t2i query {own}")).shows("in the top 10 of");
    Harness::demo(120, 40).keys("Ejjjjoa wave<Enter>").shows("✎ a wave");
}

#[test]
fn the_list_holds_for_what_is_listed() {
    // The filter, and what it lets through.
    let filtered = Harness::demo(120, 40).keys("fr1 == 0<Enter>E");
    let wanted = found(&["--where", "r1 == 0", "--which", "non-gt"]);
    let screen = filtered.screen();
    let queries = filtered.app.model.selection.queries.len();
    assert!(screen.contains(&format!("of {queries} queries (careful, t2i, rich)")), "{screen}");
    assert!(screen.contains(&format!(" non-GT {} ", wanted.len())), "{screen}");
    // Those of an error type are the items of its queries, and coming from another screen changes nothing.
    let errors = Harness::demo(120, 40).keys("4<Enter>E");
    let queries = errors.app.model.selection.queries.len();
    assert!(queries < 120 && errors.app.model.has_filter());
    let listed = format!("of {queries} queries (careful, t2i, rich)");
    errors.shows(&listed);
    let same = Harness::demo(120, 40).keys("3hE");
    assert_eq!(same.app.model.history.present(), 0);
    // The order is told at every size, however long the title is.
    for (columns, rows) in [(80, 24), (120, 40), (160, 50)] {
        let sorted = Harness::demo(columns, rows).keys("4j<Enter>Es");
        sorted.shows("score↓");
    }
    // What a person said is there at once.
    let judged = Harness::demo(120, 40).keys("<Tab>JUNE");
    judged.shows(" not relevant 1 ");
}

/// From Errors to a pair, and back to the row of that list.
#[test]
fn the_list_that_was_left_is_come_back_to() {
    let open = Harness::demo(120, 40).keys("4<Enter>Ejj");
    let body = |harness: &Harness| -> Vec<String> {
        let screen = harness.screen();
        screen.lines().skip(2).take(37).map(str::to_owned).collect()
    };
    let left = body(&open);
    assert!(left[0].contains("of 29 queries"), "{}", left[0]);
    let pair = open.keys("<Enter>");
    assert_eq!(pair.app.current_tab(), Action::Browse);
    let back = pair.keys("E");
    assert_eq!(body(&back), left);
    assert_eq!(body(&back.keys("45E")), left, "other screens leave it as it was");
    // The condition of the error type is a filter, which ends like any other.
    let other = Harness::demo(120, 40).keys("4<Enter>Ejj<Esc>");
    assert!(body(&other)[0].contains("of 120 queries"));
}

/// Has the rows of the list that is open written to a file, whose text it gives.
fn written(list: Harness, file: &Path) -> (Harness, String) {
    let list = list.keys(&format!("e<Ctrl-u>{}<Enter>", file.display()));
    let told = list.message();
    assert!(told.starts_with("wrote "), "{told}\n{}", list.screen());
    (list, fs::read_to_string(file).unwrap())
}

/// The options of what the demo begins with, between semicolons.
const VIEW: &str = "--model;careful;--truth;rich;--direction;t2i;-k;10";

/// Output of `find --items` with options separated by `;`.
fn printed(options: &str) -> String {
    let words = options.split(';').filter(|word| !word.is_empty());
    common::printed(&["find", "--demo", "--items"].into_iter().chain(words).collect::<Vec<_>>())
}

/// The file is what the command writes; the list stays where it was.
#[test]
fn the_rows_of_the_list_are_those_of_the_command() {
    let folder = tempfile::tempdir().unwrap();
    for (keys, name, options) in [
        ("Ejj", "a.csv", "--which;non-gt;--format;csv"),
        ("Ejj", "a.jsonl", "--which;non-gt;--format;jsonl"),
        ("E<Tab>", "b.MD", "--which;positive;--format;markdown"),
        ("fr1 == 0<Enter>E", "d.csv", "--which;non-gt;--where;r1 == 0;--format;csv"),
        ("sssE", "e.csv", "--which;non-gt;--sort;-rank;--format;csv"),
        ("sE", "f.csv", "--which;non-gt;--sort;map_at_r;--format;csv"),
    ] {
        let open = Harness::demo(120, 40).keys(keys);
        let before = open.screen();
        let (list, text) = written(open, &folder.path().join(name));
        assert_eq!(text, printed(&format!("{VIEW};{options}")), "{keys} {name}");
        let shown = |screen: &str| screen.lines().take(38).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(shown(&list.screen()), shown(&before));
    }
}

/// In another order the rows are as they are listed.
#[test]
fn rows_are_written_in_the_order_of_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("items.csv");
    for keys in ["Es", "sssEs"] {
        let (_, text) = written(Harness::demo(120, 40).keys(keys), &file);
        assert_eq!(cells(&text, 20), copied(Harness::demo(120, 40).keys(keys), 20).1);
        fs::remove_file(&file).unwrap();
    }
}

/// Query, item, rank and what is known of the pair, of the first rows of a file.
fn cells(csv: &str, count: usize) -> Vec<[String; 4]> {
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let names = ["query", "item", "rank", "standing"];
    let places = names.map(|name| head.iter().position(|one| *one == name).unwrap());
    let rows = lines.map(|row| places.map(|at| row[at].to_owned()));
    rows.take(count).collect()
}

#[test]
fn rows_are_written_as_they_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    for (at, keys) in
        ["/dog<Enter>E<BackTab>", "aE", "<Tab>JUN<Esc>E<BackTab>"].into_iter().enumerate()
    {
        let file = folder.path().join(format!("{at}.csv"));
        let (list, text) = written(Harness::demo(120, 40).keys(keys), &file);
        let told = list.message().replace(',', "");
        let count = text.lines().count() - 1;
        assert!(told.ends_with(&format!(".csv: {count} rows")), "{keys}: {told}");
        assert_eq!(list.effect, None, "{keys}");
        let listed = copied(Harness::demo(120, 40).keys(keys), 12).1;
        assert_eq!(cells(&text, 12), listed, "{keys}");
        let screen = list.screen().replace(',', "");
        assert!(screen.contains(&format!(" {count} ")), "{screen}");
    }
}

/// Rows of a session have its judgments, lie beside it and never take its place.
#[test]
fn rows_lie_beside_the_session() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("demo.itm.json");
    let opened = Session::open(&path).unwrap();
    let list = Harness::demo(120, 40).on_session(opened, "mk");
    let list = list.keys("<Tab>JUN<Esc>E<BackTab>e");
    list.shows("1,200 items in the top 10 of 120 queries (careful, t2i").shows("items.csv");
    let list = list.keys("<Enter>");
    let first = folder.path().join("demo-items.csv");
    let text = fs::read_to_string(&first).unwrap();
    assert!(text.lines().next().unwrap().contains(",judgment,rank,"));
    assert!(text.contains(",not-relevant,"), "{text}");
    let session = format!("{VIEW};--which;all;--session;{};--format;csv", path.display());
    assert!(text == printed(&session));
    // The ending is the format.
    let list = list.keys("e<Backspace><Backspace><Backspace>jsonl<Enter>");
    assert!(folder.path().join("demo-items.jsonl").exists());
    let refused = list.keys(&format!("e<Ctrl-u>{}<Enter>", path.display()));
    assert!(refused.screen().contains("is for sessions"));
    let asked = refused.keys(&format!("<Ctrl-u>{}<Enter>", first.display()));
    assert!(asked.screen().contains("file exists: Enter again"));
    fs::write(&first, "precious").unwrap();
    asked.keys("<Ctrl-u>rows.pdf<Enter>").shows(".pdf: known are .csv, .jsonl, .md");
    assert_eq!(fs::read_to_string(&first).unwrap(), "precious");
    assert!(Session::read(&path).is_ok());
}

#[test]
fn a_list_that_is_still_ranked_is_not_written() {
    let mut open = Harness::demo(120, 40);
    for key in Key::sequence("Ee").unwrap() {
        open.app.handle(Event::Key(key));
    }
    let told = open.message();
    assert!(told.contains("still ranked"), "{told}");
    open.settled().keys("e").shows("items.csv");
    let none = Harness::demo(120, 40).keys("E<Tab><Tab><Tab>e");
    let told = none.message();
    assert!(told.contains("nothing to write"), "{told}");
}

/// The sorted value is shown beside the items of its queries, and disappears with them.
#[test]
fn the_sorted_value_is_a_column_of_the_list() {
    for (columns, rows) in [(80, 24), (120, 40)] {
        let sorted = Harness::demo(columns, rows).keys("S-words<Enter>E<BackTab>");
        let screen = sorted.screen();
        assert!(screen.contains("words↓"), "{screen}");
        let model = &sorted.app.model;
        let first = model.selection.queries[0] as usize;
        let count = model.study.gallery.caption(first).split_whitespace().count();
        // Below the header, the frame, the choices and the names.
        let line = screen.lines().nth(5).unwrap();
        assert!(line.split_whitespace().any(|word| word == count.to_string()), "{line}");
        Harness::demo(columns, rows).keys("E<BackTab>").lacks("words");
    }
}

/// Missed items are sorted by phi; `--limit` counts their queries, each once.
#[test]
fn missed_items_are_of_so_many_queries() {
    let args = ["--which", "missed", "--phi", "cider", "-k", "4"];
    let of_query = |items: &[Value]| {
        let mut queries: Vec<String> = items.iter().map(|one| one["query"].to_string()).collect();
        queries.sort();
        queries.dedup();
        queries.len()
    };
    let all = items(&args);
    let (_, said) = listed(&args);
    let told = format!("{} most similar items of {} queries", all.len(), of_query(&all));
    assert!(said.contains(&told), "{said}");
    let first = items(&[&args[..], &["--limit", "2"]].concat());
    assert_eq!(of_query(&first), 2);
    let two = [&first[0]["query"], &first[1]["query"]];
    let are_theirs = all.iter().filter(|one| two.contains(&&one["query"])).count();
    assert!(two[0] == two[1] || first.len() == are_theirs, "all items of both");
}

/// The search is that of the queries: the items of those that match are listed, and `n` goes through them.
#[test]
fn a_search_lists_items_of_queries_that_match() {
    let found = Harness::demo(120, 40).keys("E/dog<Enter>");
    assert_eq!(found.app.current_tab(), Action::Items);
    let queries = found.app.model.selection.queries.len();
    assert!(queries < 120 && found.screen().contains(&format!("of {queries} queries")));
    let stepped = found.keys("<Alt-n><Alt-n><Alt-N>");
    assert_eq!(stepped.app.model.items.row, 1);
    let ended = stepped.keys("<Esc>");
    ended.shows("of 120 queries");
    assert_eq!(ended.app.current_tab(), Action::Items);
}

/// The query's rank, R@1 and AP@R stand beside the item where the condition or the order names them.
#[test]
fn values_of_the_query_stand_beside_its_items() {
    let (table, _) = listed(&[
        "--where", "r1 == 0", "--sort", "-rank", "--limit", "1", "--k", "1", "--format", "csv",
    ]);
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<&str>>());
    let (head, row) = (lines.next().unwrap(), lines.next().unwrap());
    let value = |name: &str| row[head.iter().position(|one| *one == name).expect(name)];
    assert_eq!((value("rank"), value("r1")), ("1", "0"));
    assert!(value("query_rank").parse::<u32>().unwrap() > 1);
}

/// The gallery indices of the selected pair: of the row, and as answers, notes and details have it.
fn selected(harness: &Harness) -> (usize, usize) {
    let model = &harness.app.model;
    let (row, item) = (model.item_row().unwrap(), model.item().unwrap());
    let pair = (model.selection.query().unwrap(), item.item);
    assert_eq!((row.query as usize, row.item as usize), pair);
    pair
}

/// An answer is about the selected row; then comes the next one, and undo leads back.
#[test]
fn rows_are_judged_one_after_the_other() {
    let open = Harness::demo(120, 40).keys("E<Tab><BackTab>jJ");
    assert_eq!(open.app.current_tab(), Action::Items);
    let (first, count) = (selected(&open), open.app.model.item_rows().unwrap().count());
    let next = selected(&Harness::demo(120, 40).keys("Ejj"));
    let left = format!("Judging, {count} pairs of the list left");
    open.shows(&left);
    let judged = open.keys("N");
    let is_no =
        |harness: &Harness, (query, item)| harness.app.model.response(query, item).is_some();
    assert!(is_no(&judged, first), "{}", judged.screen());
    // It is no positive any more, so that its row is gone.
    assert_eq!(judged.app.model.item_rows().unwrap().count(), count - 1);
    assert!(judged.screen().contains(&format!(" {} non-GT positives", count - 1)));
    assert_eq!(selected(&judged), next);
    let undone = judged.keys("u");
    assert_eq!((selected(&undone), is_no(&undone, first)), (first, false));
    let again = undone.keys("<Ctrl-r>");
    assert!(is_no(&again, first));
    // A yes leaves the row where it is.
    let yes = again.keys("y");
    assert_eq!(yes.app.model.items.row, 2);
    assert_eq!(yes.app.model.judgments.count(), 2);
    let left = format!("Judging, {} left", count - 2);
    yes.shows(&left);
    // Without the mode nothing is answered.
    assert!(Harness::demo(120, 40).keys("Ejy").app.model.judgments.is_empty());
}

#[test]
fn a_pair_stays_selected_on_the_way_to_other_screens() {
    let open = Harness::demo(120, 40).keys("Ejjjj");
    let pair = selected(&open);
    let back = open.keys("1gjjj5E");
    assert_eq!((selected(&back), back.app.model.items.row), (pair, 4));
}

/// Both sides are in full beside the list, below it, or where there is no room for that not at all.
#[test]
fn both_sides_are_previewed() {
    for (columns, rows, is_shown) in [(160, 50, true), (80, 24, true), (80, 16, false)] {
        let screen = Harness::demo(columns, rows).keys("E").screen();
        assert_eq!(screen.contains(" preview "), is_shown, "{screen}");
        assert!(!is_shown || screen.contains("broad: rank "), "{screen}");
    }
}

/// The preview has the image of the selected pair.
#[test]
fn the_selected_item_is_shown_with_its_image() {
    let open = Harness::demo(120, 40).with_thumbnails().keys("E");
    let places = open.app.ui.thumbnails.places();
    assert!(matches!(&*places, [place] if place.area.height > 8), "{places:?}");
}

/// Nearest neighbours of the selected item; Tab: of the query, `/`: of a text, Enter: go to a row.
#[test]
fn the_nearest_items_are_a_popup() {
    let harness = Harness::demo(120, 40).keys("E^");
    insta::assert_snapshot!("nearest", harness.screen());
    let harness = harness.keys("<Tab>");
    harness.shows(" caption ");
    let harness = harness.keys("/a brown dog runs<Enter>");
    harness.shows("nearest to a brown dog runs").shows("A brown dog runs across the grass");
    harness.keys("<Enter>").shows("╮╭ “A brown dog runs across the grass");
    Harness::demo(80, 24).keys("^/zzz<Enter>").shows("nothing is near it");
}
