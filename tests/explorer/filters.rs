//! The explorer's filter: which queries are listed, and what the numbers are over.

use crate::common;

use std::collections::BTreeMap;

use common::{Harness, npy};
use itm_explore::data::text::grouped;
use itm_explore::metric::{Spec, hit, map_at_r::MapAtR};
use itm_explore::study::{self, Inputs, Study};
use itm_explore::tui::event::Event;
use itm_explore::tui::keymap::Key;
use unicode_width::UnicodeWidthStr;

/// R@1 of the queries that are listed, one by one.
fn listed_r1(harness: &Harness) -> Vec<f64> {
    let truth = harness.app.model.view.truth;
    let listed = harness.app.model.selection.queries.iter();
    let ranks = listed.map(|&query| harness.app.model.ranks_of(truth, query as usize).unwrap());
    ranks.map(|ranks| Spec::new(&hit::R1).per_query(ranks).unwrap()).collect()
}

#[test]
fn queries_and_numbers_are_those_of_the_condition() {
    let all = Harness::demo(120, 40);
    let wrong = listed_r1(&all).iter().filter(|&&r1| r1 == 0.0).count();
    let count = all.app.model.selection.queries.len();
    let filtered = all.keys("fr1 == 0<Enter>");
    assert_eq!(filtered.app.model.selection.queries.len(), wrong);
    assert!(listed_r1(&filtered).iter().all(|&r1| r1 == 0.0));
    let model = &filtered.app.model;
    let ranks = |&query: &u32| model.ranks_of(model.view.truth, query as usize);
    let queries = model.selection.queries.iter();
    let values: Vec<f64> =
        queries.filter_map(|query| Spec::new(&MapAtR).per_query(ranks(query)?)).collect();
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let [r1, map_at_r] = model.header_values().unwrap().map(|shown| shown.value.unwrap());
    assert!(r1 == 0.0 && (map_at_r - mean).abs() < 1e-12);
    assert!(filtered.screen().contains(&format!("filter {wrong} of {count}")));
    // The condition stays when what is looked at changes, and is one step of the history.
    let other = filtered.keys("m");
    assert!(listed_r1(&other).iter().all(|&r1| r1 == 0.0));
    let back = other.keys("uu");
    assert_eq!(back.app.model.selection.queries.len(), count);
    let again = back.keys("<Ctrl-r><Esc>");
    assert_eq!(again.app.model.selection.queries.len(), count);
}

#[test]
fn a_ready_condition_is_chosen_and_a_mistake_stays_in_the_line() {
    let menu = Harness::demo(110, 30).keys("f");
    insta::assert_snapshot!("ready_conditions", menu.screen());
    let missing = menu.keys("<Enter>");
    assert!(!missing.app.model.selection.queries.is_empty());
    assert!(missing.app.model.filter.text.contains("original.r1 == 0"));
    let mistaken = Harness::demo(110, 30).keys("fr1 == 0 and rnak > 3<Enter>");
    insta::assert_snapshot!("mistaken_condition", mistaken.screen());
    let left = mistaken.keys("<Esc>");
    assert_eq!(left.app.model.filter.text, "");
}

#[test]
fn judgments_count_in_conditions() {
    let judged = Harness::demo(120, 40).keys("<Tab>JUjyNJ<Tab>");
    let query = judged.app.model.selection.queries[0];
    let found = judged.keys("fjudgments == 2<Enter>");
    assert_eq!(found.app.model.selection.queries, [query]);
    // R is that of the ranks on the screen.
    let (truth, at) = (found.app.model.view.truth, query as usize);
    let listed = found.app.model.ranks_of(truth, at).unwrap().listed;
    let relevance = found.app.model.truth().relevance[found.app.model.view.direction].clone();
    let relevance = relevance.unwrap();
    assert_ne!(listed, relevance.total_positives(relevance.place(at).unwrap()));
    let found = found.keys(&format!("f and r == {listed}<Enter>"));
    assert_eq!(found.app.model.selection.queries, [query]);
    // Another model's numbers follow judgments, too.
    let found = found.keys("<Esc>m");
    let changed = found.app.model.metrics_under(truth).unwrap().ap_at_r.clone();
    let back = found.keys("Mfbroad.map_at_r > 0.3<Enter>");
    let met = back.app.model.filtered_queries().unwrap();
    let expected = (0..300).filter(|&query| {
        let place = relevance.place(query);
        place.is_some_and(|place| changed[place] > 0.3)
    });
    assert!(met.iter().map(|&query| query as usize).eq(expected));
}

/// More queries than the screen waits for: 70,000 captions ask 20 images.
fn many() -> Study {
    let (images, captions) = (20, 70_000);
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    for (name, seed) in [("a.npy", 1u32), ("b.npy", 7)] {
        let score = |cell: u32| (cell.wrapping_mul(2_654_435_761).rotate_left(seed) >> 8) as f32;
        let data: Vec<u8> =
            (0..images * captions).flat_map(|cell| score(cell + seed).to_le_bytes()).collect();
        let file = npy("'<f4'", false, &format!("({images}, {captions})"), &data);
        std::fs::write(place(name), file).unwrap();
    }
    let own = |image: u32| (image..captions).step_by(images as usize);
    let i2t: BTreeMap<u32, Vec<u32>> = (0..images).map(|i| (i, own(i).collect())).collect();
    let t2i: BTreeMap<u32, [u32; 1]> = (0..captions).map(|c| (c, [c % images])).collect();
    let truth = serde_json::json!({"i2t": i2t, "t2i": t2i});
    std::fs::write(place("original.json"), truth.to_string()).unwrap();
    study::open(&Inputs {
        files: ["a.npy", "b.npy", "original.json"].map(place).to_vec(),
        ..Inputs::default()
    })
    .unwrap()
}

#[test]
fn very_many_queries_are_asked_in_the_background() {
    let all = Harness::new(many(), 120, 40);
    assert_eq!(all.app.model.selection.queries.len(), 70_000);
    let expected = |harness: &Harness| -> Vec<u32> {
        let truth = harness.app.model.view.truth;
        let first = |query: u32| harness.app.model.ranks_of(truth, query as usize).unwrap().first();
        (0..70_000).filter(|&query| first(query) == Some(2)).collect()
    };
    // The line says how many before Enter; the numbers are over those that are listed.
    let typed = all.keys("jjjfrank == 2");
    let wanted = expected(&typed);
    let words = format!("{} of 70,000 queries", grouped(wanted.len()));
    typed.shows(&words);
    let found = typed.keys("<Enter>");
    assert_eq!(found.app.model.selection.queries, wanted);
    assert_eq!(found.app.model.selection.query(), Some(wanted[0] as usize));
    assert_eq!(found.app.model.header_values().unwrap()[0].value, Some(0.0));
    let words = format!("filter {} of 70,000 queries", grouped(wanted.len()));
    found.shows(&words);
    // The selected query stays selected under another model, if that lists it.
    let both = wanted.iter().copied().skip(1);
    let (model, history) = (found.app.model.view.model, found.app.model.history.steps().len());
    let mut other = found.keys("m");
    assert_ne!(other.app.model.view.model, model);
    let listed = expected(&other);
    assert_eq!(other.app.model.selection.queries, listed);
    let kept = both.into_iter().find(|query| listed.contains(query)).unwrap();
    while other.app.model.selection.query() != Some(kept as usize) {
        other = other.keys("j");
    }
    let back = other.keys("M");
    assert_eq!(back.app.model.selection.queries, wanted);
    assert_eq!(back.app.model.selection.query(), Some(kept as usize));
    assert_eq!(back.app.model.history.steps().len(), history + 2);
    let steps = back.app.model.history.steps();
    assert!(steps[history..].iter().all(|step| step.numbers.unwrap().values[0].value == Some(0.0)));
    let none = back.keys("<Esc>");
    assert_eq!(none.app.model.selection.queries.len(), 70_000);
}

#[test]
fn while_very_many_are_asked_no_number_and_no_list_is_wrong() {
    let mut harness = Harness::new(many(), 120, 40).keys("frank == 2<Enter>");
    let listed = harness.app.model.selection.queries.clone();
    for key in Key::sequence("m").unwrap() {
        harness.app.handle(Event::Key(key));
    }
    // Nothing is settled: the list is the one before, and numbers are none.
    assert!(harness.app.model.is_filtering());
    assert_eq!(harness.app.model.selection.queries, listed);
    assert!(harness.app.model.history.steps().last().unwrap().numbers.is_none());
    let screen = harness.screen();
    assert!(screen.lines().nth(1).unwrap().starts_with(" ⚠ rows out of order"), "{screen}");
    assert!(screen.contains("  filter ") && screen.contains("R@1  ···"), "{screen}");
    for key in Key::sequence("d").unwrap() {
        harness.app.handle(Event::Key(key));
    }
    // Images ask captions now, and these are few.
    assert!(harness.app.model.selection.queries.iter().all(|&query| query < 20));
    let settled = harness.settled();
    assert!(!settled.app.model.is_filtering());
    assert!(settled.app.model.history.steps().last().unwrap().numbers.is_some());
}

#[test]
fn a_mistake_is_pointed_at_below_wide_characters() {
    let mistaken = Harness::demo(110, 30).keys("ftext ~ \"日本 👩‍🚀\" and rnak > 3");
    let screen = mistaken.screen();
    let lines: Vec<&str> = screen.lines().collect();
    let at = lines.iter().position(|line| line.contains("rnak")).unwrap();
    let before = |line: &str, what: &str| line[..line.find(what).unwrap()].width();
    assert_eq!(before(lines[at + 1], "^"), before(lines[at], "rnak"), "{screen}");
    assert!(lines[at + 2].contains("column 21: no value is named rnak"), "{screen}");
    // A tab cannot be typed, but a session may bring it.
    let mut brought = Harness::demo(110, 30);
    brought.app.model.filter.text = "text ~ \"a\tb\" and rnak > 3".into();
    let screen = brought.keys("f").screen();
    let lines: Vec<&str> = screen.lines().collect();
    let at = lines.iter().position(|line| line.contains("rnak")).unwrap();
    assert_eq!(before(lines[at + 1], "^"), before(lines[at], "rnak"), "{screen}");
}

#[test]
fn queries_are_sorted_by_a_number_as_find_sorts_them() {
    let number = "careful.map_at_r - broad.map_at_r";
    let find =
        ["find", "--demo", "-q", "--where", "rank >= 1", "--format", "json", "--sort", number];
    let answer = common::json(&find);
    let told: Vec<String> =
        answer["queries"].as_array().unwrap().iter().map(|query| query["id"].to_string()).collect();
    let sorted = Harness::demo(120, 40).keys(&format!("S{number}<Enter>"));
    let ids = sorted.app.model.study.gallery.captions.clone();
    let listed = |harness: &Harness| -> Vec<String> {
        let queries = harness.app.model.selection.queries.iter();
        queries.map(|&query| ids[query as usize].to_string()).collect()
    };
    assert_eq!(listed(&sorted), told);
    sorted.shows("by careful.map");
    let step = sorted.app.model.history.steps().last().unwrap();
    assert_eq!(step.name, format!("sorted, by {number}, lowest first"));
    // A mistake stays in the line, with its place; the order stays, too.
    let mistaken = sorted.keys("S<Ctrl-u>-rnak<Enter>");
    mistaken.shows("sort by -rnak").shows("column 2");
    assert_eq!(listed(&mistaken), told);
    let left = mistaken.keys("<Esc>u");
    assert_ne!(listed(&left), told);
    let again = left.keys("S-rank<Enter>");
    let ranks = |harness: &Harness| -> Vec<Option<u32>> {
        let app = &harness.app;
        let first =
            |&query: &u32| app.model.ranks_of(app.model.view.truth, query as usize)?.first();
        app.model.selection.queries.iter().map(first).collect()
    };
    assert!(ranks(&again).windows(2).all(|pair| pair[0] >= pair[1]));
    let plain = again.keys("S<Ctrl-u><Enter>");
    assert_eq!(listed(&plain), listed(&Harness::demo(120, 40)));
    let step = plain.app.model.history.steps().last().unwrap();
    assert_eq!(step.name, "sorted, as in the gallery");
}

/// The line that a prompt shows is recalled above it, and what comes below is to be chosen.
#[test]
fn conditions_of_before_come_back() {
    let typed = Harness::demo(110, 30).keys("fr1 == 0<Enter><Esc>fr5 == 0<Enter><Esc>f<Up><Up>");
    let line = |harness: &Harness| {
        let screen = harness.screen();
        let at = screen.lines().position(|line| line.contains("╭ filter ")).unwrap();
        let line = screen.lines().nth(at + 1).unwrap();
        let line = line.split("│ ").nth(2).unwrap_or_default();
        line.split('│').next().unwrap_or_default().trim().to_owned()
    };
    typed.shows("r5 == 0 ");
    assert_eq!(line(&typed), "r5 == 0");
    let older = typed.keys("<Up><Up>");
    assert_eq!(line(&older), "r1 == 0", "there is none before it");
    let back = older.keys("<Down><Down>");
    assert_eq!(line(&back), "");
    let chosen = back.keys("<Down><Enter>");
    assert!(chosen.app.model.filter.text.contains("original.r1 == 0"));
}

#[test]
fn prompts_recall_what_was_typed_there() {
    for (keys, recalled) in [
        ("/dog<Enter><Esc>/cat<Enter><Esc>/<Up><Up>", " / dog"),
        ("/dog<Enter><Esc>/<Ctrl-p>", " / dog"),
        ("S-rank<Enter>S<Ctrl-u><Up>", " sort by -rank"),
        ("#demo_008434.png<Enter>#<Up>", " go to # demo_008434.png"),
        ("oa hat<Enter>jo<Up>", " note a hat"),
        ("<Space>5Oone<Enter>O<Ctrl-u><Ctrl-p>", " heading one"),
    ] {
        let screen = Harness::demo(110, 30).keys(keys).screen();
        let last = screen.lines().last().unwrap();
        assert!(last.contains(recalled), "{keys}: {last}");
    }
    // While something is typed, arrows go through what was found.
    let found = Harness::demo(110, 30).keys("/dog<Down>");
    assert_eq!(found.app.model.selection.selected, 1);
}

#[test]
fn what_is_typed_narrows_the_menu() {
    let condition = "original.r1 == 0 and rich.r1 == 1";
    let typed = Harness::demo(120, 40).keys("fmissing");
    typed.shows("missing label").shows(condition).lacks("near miss");
    assert_eq!(typed.keys("<Enter>").app.model.filter.text, condition);
    let words = Harness::demo(120, 40).keys("fsixteen");
    words.shows("long captions").lacks("near miss");
    assert!(words.keys("<Enter>").app.popup.is_some());
    Harness::demo(120, 40).keys("frank <= 5").shows("near miss").shows("far miss");
    // A word that is a condition and the name of a listed one is the condition.
    for (keys, chosen) in [("fhub<Enter>", "hub"), ("fhub<Down><Enter>", "r1 == 0 and hub")] {
        assert_eq!(Harness::demo(80, 24).keys(keys).app.model.filter.text, chosen);
    }
}

/// Screens show percent, expressions compare shares: the prompt says so where a share is compared with a percentage.
#[test]
fn a_share_that_is_compared_with_points_is_told_how_to_write_it() {
    let typed = Harness::demo(80, 24).keys("fmap_at_r > 50");
    for words in ["map_at_r is a number from 0 to 1", "write 0.5 or 50%"] {
        typed.shows(words);
    }
    let refused = typed.keys("<Enter>");
    assert!(refused.app.popup.is_some());
    refused.keys("%").shows(" queries  ");
    let sorted = Harness::demo(100, 24).keys("Srank + (mrr > 3)<Enter>");
    assert!(sorted.app.popup.is_some());
}

#[test]
fn what_is_wrong_with_a_name_is_told_where_it_stands() {
    let advised = |typed: &str| Harness::demo(80, 24).keys(&format!("f{typed}")).screen();
    // What is cut says so.
    let screen = advised("rnak > 3");
    let advice = screen.lines().find(|line| line.contains("did you mean rank?"));
    let advice = advice.expect("a near name");
    assert!(advice.contains("  expected: a value, such as rank, "), "{advice}");
    let screen = advised("r1 ==");
    assert!(screen.contains("column 6: nothing more is there"), "{screen}");
    assert!(screen.contains(" expected: a value, "), "{screen}");
}

/// R@1 of the queries that the filter lets through, one by one.
fn r1_of_filtered(harness: &Harness) -> f64 {
    let model = &harness.app.model;
    let met = model.filtered_queries().unwrap();
    let is_right = |&&query: &&u32| {
        let ranks = model.ranks_of(model.view.truth, query as usize).unwrap();
        ranks.first() == Some(1)
    };
    met.iter().filter(is_right).count() as f64 / met.len() as f64
}

/// After a judgment that changes whether a query meets the condition, and after each list that follows.
#[test]
fn numbers_and_list_are_of_the_same_queries() {
    let shown = |harness: &Harness| harness.app.model.header_values().unwrap()[0].value.unwrap();
    let mut harness = Harness::demo(120, 40).keys("fr1 == 0<Enter>");
    let met = harness.app.model.filtered_queries().unwrap().len();
    for keys in ["<Tab>JUy", "J", "/a<Enter>", "<Esc>", "s", "dd", "rR", "m", "M"] {
        harness = harness.keys(keys);
        let (shown, counted) = (shown(&harness), r1_of_filtered(&harness));
        assert!((shown - counted).abs() < 1e-12, "{keys}: {shown} {counted}");
    }
    let again = Harness::demo(120, 40).keys("fr1 == 0<Enter><Tab>JUyJ");
    assert!(shown(&again) > 0.0);
    assert_eq!(again.app.model.filtered_queries().unwrap().len(), met);
    // Entered again, it is asked again.
    let asked = again.keys("f<Enter>");
    assert_eq!(asked.app.model.filtered_queries().unwrap().len(), met - 1);
    assert!(shown(&asked).abs() < 1e-12);
}

#[test]
fn the_other_side_of_a_change_is_never_cut() {
    for screen in ["", "2", "3", "4", "5"] {
        for what_if in ["fr1 == 0<Enter>", "fr1 == 0<Enter>f<Ctrl-u>r5 == 0<Enter>", "a", "a."] {
            let [_, line] = Harness::demo(80, 24).keys(what_if).keys(screen).header();
            let against = line.split(" vs ").nth(1).and_then(|rest| rest.split("  ").next());
            assert!(against.is_some_and(|told| !told.contains('…')), "{what_if}{screen}: {line}");
        }
    }
}

#[test]
fn the_end_of_a_filter_is_no_result() {
    let change = |harness: &Harness| {
        let model = &harness.app.model;
        model.what_if_delta(model.history.present())
    };
    let filtered = Harness::demo(120, 40).keys("fr1 == 0<Enter>");
    assert_eq!(change(&filtered).unwrap().baseline_label, "vs all queries");
    let ended = filtered.keys("<Esc>");
    assert_eq!(change(&ended), None);
    let header = ended.screen().lines().nth(1).unwrap().to_owned();
    assert!(!header.contains('▲'), "{header}");
}

/// Search results keep the sort order of the list; unsorted, the best matches come first.
#[test]
fn what_is_found_is_sorted() {
    let found = Harness::demo(120, 40).keys("/dog<Enter>");
    let best_first = found.app.model.selection.queries.clone();
    let model = |harness: &Harness, number: fn(&Harness, usize) -> f64| -> Vec<f64> {
        let queries = harness.app.model.selection.queries.iter();
        queries.map(|&query| number(harness, query as usize)).collect()
    };
    let ap = |harness: &Harness, query: usize| {
        let model = &harness.app.model;
        model.ap_by(model.view.model, query).unwrap()
    };
    let worst = found.keys("s");
    assert!(model(&worst, ap).is_sorted(), "{:?}", model(&worst, ap));
    let mut same = worst.app.model.selection.queries.clone();
    same.sort_unstable();
    let mut all = best_first.clone();
    all.sort_unstable();
    assert_eq!(same, all);
    // It has the numbers of this list after its end, too.
    let ended = worst.keys("<Esc>gg<Alt-n>");
    let said = ended.message();
    assert!(said.starts_with("match 1 of 13 of /dog"), "{said}");
    let words = ended.keys("S<Ctrl-u>words<Enter>/dog<Enter>");
    let screen = words.screen();
    let listed: Vec<u32> = screen
        .lines()
        .skip(4)
        .map_while(|line| line.split_whitespace().nth(3)?.parse().ok())
        .collect();
    assert!(listed.is_sorted(), "{listed:?}\n{screen}");
    let apart = |harness: &Harness, query: usize| {
        let model = &harness.app.model;
        let [one, other] = model.model_pair().unwrap().map(|of| model.ap_by(of, query).unwrap());
        -(one - other).abs()
    };
    let two = words.keys("2s");
    assert!(
        model(&two, apart).is_sorted(),
        "{:?} {:?}",
        two.app.model.selection.sort,
        model(&two, apart)
    );
    let gallery = two.keys("ssss1");
    assert_eq!(gallery.app.model.selection.queries, best_first);
}
