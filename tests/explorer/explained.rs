//! The errors screen: the same numbers as `itm-explore errors`, and lists of as many queries.

use crate::common;

use std::path::PathBuf;

use common::{Harness, on_demo};
use itm_explore::analysis::kinds::{self, KINDS, KindQueries};
use itm_explore::analysis::words::over_represented;
use itm_explore::data::index::ModelIx;
use itm_explore::session::Session;
use itm_explore::study::{Inputs, View, demo};
use itm_explore::truth::Kind;
use itm_explore::truth::judgment::name_with_mine;
use itm_explore::tui::action::Action;
use itm_explore::tui::event::Event;
use itm_explore::tui::screens::errors::{Errors, Tab};
use itm_explore::tui::ui::hits::Target;
use serde_json::Value;

fn errors_json(args: &[&str]) -> Value {
    let base = ["errors", "-q", "--format", "json", "--words", "100000"];
    common::json(&on_demo(&[&base[..], &["--hubs", "100000"], args].concat()))
}

fn near(found: f64, wanted: &Value) {
    let wanted = wanted.as_f64().unwrap();
    assert!((found - wanted).abs() < 1e-12, "{found}, not {wanted}");
}

/// Browse calls a query a missing label where the error type does, whichever further ground truth covers it.
#[test]
fn a_missing_label_is_one_in_browse_as_among_error_types() {
    let mut study = demo::open().unwrap();
    // A ground truth that covers more queries than the richest, which comes last.
    study.truths.swap(1, 2);
    study.truths[1].kind = Kind::Rich;
    let of_type = Harness::new(study, 160, 50).keys("mrfmissing<Enter>");
    assert_eq!(of_type.app.model.truth().kind, Kind::Original);
    let listed = of_type.app.model.selection.queries.clone();
    let mut browsed = of_type.keys("<Esc>g");
    let mut called = Vec::new();
    for _ in 0..300 {
        let query = browsed.app.model.selection.query().unwrap();
        let screen = browsed.screen();
        if screen.contains(": a missing label") {
            called.push(query as u32);
        }
        browsed = browsed.keys("j");
    }
    called.sort_unstable();
    assert!(called.len() > 5, "{}", called.len());
    assert_eq!(called, listed);
}

/// The counts of every model under the truth and direction looked at.
fn compare_counts(harness: &Harness, told: &Value) {
    let app = &harness.app;
    for (model, of_model) in told["models"].as_array().unwrap().iter().enumerate() {
        let counts = &of_model["kinds"][&app.model.truth().name];
        let view = View { model: ModelIx::new(model), ..app.model.view };
        let lists = app.model.error_lists(view).expect("counted");
        for (kind, list) in kinds::for_study(&app.model.study).iter().zip(lists.iter()) {
            let count = list.as_ref().map(KindQueries::count);
            let [met, of] = [count.map(|count| count.met), count.map(|count| count.of)];
            assert_eq!(counts[kind.key], serde_json::json!(met), "{}", kind.key);
            assert_eq!(counts["of"][kind.key], serde_json::json!(of), "{}", kind.key);
        }
    }
}

/// Hubs and words of the model and the truth looked at.
fn compare_details(harness: &Harness, told: &Value) {
    let app = &harness.app;
    assert_eq!(app.model.panics, Vec::<String>::new());
    assert!(app.model.error_details(app.model.view).is_some(), "{:?}", app.model.view);
    let of = &told["models"][app.model.view.model.get()];
    assert_eq!(of["truth"], app.model.truth_label(app.model.view.truth));
    let top_k = app.model.top_k_of(app.model.view.model, app.model.view.direction).unwrap();
    for (depth, wanted) in top_k.hubness.depths.iter().zip(of["hubness"].as_array().unwrap()) {
        assert_eq!((depth.k, depth.never), (index(&wanted["k"]), index(&wanted["never"])));
        near(depth.skewness.unwrap(), &wanted["skewness"]);
    }
    let (hubs, wanted) = (app.context::<Errors>().hubs(), of["hubs"].as_array().unwrap());
    assert_eq!(hubs.len(), wanted.len());
    for (hub, wanted) in hubs.iter().zip(wanted) {
        let taken = wanted["wrong_first_for"].as_array().unwrap().len();
        assert_eq!((hub.top1_count, hub.misses.len()), (index(&wanted["n"]["1"]), taken));
    }
    let texts = app.model.texts().unwrap();
    let detail = app.model.error_details(app.model.view).unwrap();
    let words: Vec<_> = over_represented(&detail.words).collect();
    let wanted = of["words"].as_array().unwrap();
    assert_eq!(words.len(), wanted.len());
    for (word, wanted) in words.iter().zip(wanted) {
        assert_eq!(wanted["word"], texts.word(word.word));
        assert_eq!(wanted["failures"], word.counts[0]);
        near(word.z, &wanted["z"]);
    }
    let (swapped, wanted) = (&detail.swapped, of["swapped"].as_array().unwrap());
    assert_eq!(swapped.len(), wanted.len());
    for (word, wanted) in swapped.iter().zip(wanted) {
        assert_eq!(wanted["word"], texts.word(word.word));
        assert_eq!(
            (wanted["added"].clone(), wanted["lacked"].clone()),
            (word.counts[0].into(), word.counts[1].into())
        );
    }
}

fn index(value: &Value) -> usize {
    value.as_u64().unwrap() as usize
}

#[test]
fn every_number_is_the_subcommand_s() {
    for direction in ["t2i", "i2t"] {
        let mut harness = Harness::demo(120, 40).keys("4");
        if direction == "i2t" {
            harness = harness.keys("d");
        }
        let all = errors_json(&["--direction", direction]);
        for _ in 0..harness.app.model.study.truths.len() {
            let truth = harness.app.model.truth().name.clone();
            let wanted = errors_json(&["--direction", direction, "--truth", &truth]);
            for _ in 0..harness.app.model.study.models.len() {
                compare_details(&harness, &wanted);
                harness = harness.keys("m");
            }
            compare_counts(&harness, &all);
            harness = harness.keys("r");
        }
    }
}

/// Each kind opens as a list of as many queries, in one step that is undone.
#[test]
fn a_count_opens_as_a_list_of_so_many() {
    for start in ["4<Tab>", "4d<Tab>", "4mr<Tab>"] {
        let mut harness = Harness::demo(160, 50).keys(start);
        let view = harness.app.model.view;
        for (at, kind) in kinds::for_study(&harness.app.model.study).iter().enumerate() {
            let list = harness.app.model.error_lists(view).unwrap()[at].clone();
            let list = list.map(|of_kind| of_kind.queries);
            let before = harness.app.model.history.present();
            harness = harness.keys(&format!("<Home>{}<Enter>", "j".repeat(at)));
            if list.as_ref().is_none_or(Vec::is_empty) {
                assert_eq!(harness.app.current_tab(), Action::Errors);
                continue;
            }
            assert_eq!(harness.app.current_tab(), Action::Browse);
            let listed = Some(harness.app.model.selection.queries.clone());
            assert_eq!(listed, list, "{}: {}", kind.key, harness.app.model.filter.text);
            assert_eq!(harness.app.model.history.present(), before + 1);
            assert_eq!(harness.app.model.view, view);
            harness = harness.keys("u4");
            assert_eq!(harness.app.model.filter.text, "");
        }
    }
}

#[test]
fn a_hub_opens_the_queries_it_takes() {
    let mut harness = Harness::demo(120, 40).keys("4mm<Tab><Tab>");
    assert_eq!(harness.app.context::<Errors>().state.tab, Tab::Hubs);
    for at in 0..harness.app.context::<Errors>().hubs().len().min(4) {
        let taken = harness.app.context::<Errors>().hubs()[at].misses.clone();
        let opened = harness.keys(&format!("<Home>{}<Enter>", "j".repeat(at)));
        let mut listed = opened.app.model.selection.queries.clone();
        listed.sort_unstable();
        assert_eq!(listed, taken);
        assert!(opened.app.model.filter.text.starts_with("r1 == 0 and top_1 == "));
        harness = opened.keys("u4");
    }
}

/// Judgments change the counts at once, and the subcommand counts them from the session, too.
#[test]
fn judgments_count_here_and_with_a_session() {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("a.itm.json");
    let opened = Session::open(&path).unwrap();
    let before = Harness::demo(120, 40).on_session(opened, "ann").keys("4");
    let failures = |harness: &Harness| {
        let failures = harness.app.model.error_lists(harness.app.model.view).unwrap()[0].clone();
        failures.unwrap().queries
    };
    let was = failures(&before);
    // The first failure's first item is right after all; so is that of the second in part.
    let judged = before.keys("<Enter><Tab>JUy<Tab>j<Tab>P4");
    let now = failures(&judged);
    assert_eq!(now.len(), was.len() - 2);
    let session = path.to_str().unwrap();
    let truth = judged.app.model.truth().name.clone();
    let args = ["--truth", &truth, "--session", session, "--annotator", "ann"];
    let wanted = errors_json(&args);
    let changed = name_with_mine(&truth);
    assert_eq!(wanted["models"][0]["kinds"][&changed]["failure"], now.len());
    compare_details(&judged, &wanted);
    let undone = judged.keys("uuu");
    assert_eq!(failures(&undone), was);
}

#[test]
fn old_numbers_are_never_shown_as_new_ones() {
    use itm_explore::tui::keymap::Key;
    let mut harness = Harness::demo(120, 40).keys("4<Tab><Tab>");
    // An empty list that is not known yet begins with this; cut words end with it.
    let waits = |harness: &Harness| harness.screen().contains("│ …");
    assert!(!waits(&harness));
    harness.app.handle(Event::Key(Key::sequence("m").unwrap()[0]));
    assert!(waits(&harness) && harness.screen().contains("╭ hubs of broad ─"));
    let settled = harness.settled();
    assert!(!waits(&settled));
    assert!(settled.app.model.error_details(settled.app.model.view).is_some());
    let again = settled.keys("pp");
    assert!(again.app.model.error_details(again.app.model.view).is_some());
}

/// Conditions about top-1 items are asked on every screen.
#[test]
fn top_1_items_can_be_asked_for() {
    let hubs = Harness::demo(120, 40).keys("mmfr1 == 0 and hub<Enter>");
    let view = hubs.app.model.view;
    let met = hubs.app.model.selection.queries.clone();
    let errors = hubs.keys("4");
    let at = KINDS.iter().position(|kind| kind.key == "hub").unwrap();
    let hubs = errors.app.model.error_lists(view).unwrap()[at].clone();
    assert_eq!(hubs.map(|of_kind| of_kind.queries), Some(met.clone()));
    let sorted = errors.keys("1Stop_1 == 3<Esc>");
    assert_eq!(sorted.app.model.selection.queries, met);
    let by_hub = sorted.keys("<Esc>Shub<Enter>");
    assert!(by_hub.app.model.selection.queries.len() > met.len());
    let last = *by_hub.app.model.selection.queries.last().unwrap();
    let top_k = by_hub.app.model.top_k_of(view.model, view.direction).unwrap();
    assert!(top_k.top1_hub(last).is_some());
}

#[test]
fn whole_screens() {
    for (name, (columns, rows), keys) in [
        ("errors_small", (80, 24), "4ll"),
        ("errors_small_types", (80, 24), "4<Tab>jj"),
        ("errors_small_hubs", (80, 24), "4mm<Tab><Tab>"),
        ("errors_small_words", (80, 24), "4<BackTab><BackTab>"),
        ("errors_large", (160, 50), "4dm<Tab><Tab>"),
        ("errors_definitions", (100, 60), "4="),
    ] {
        insta::assert_snapshot!(name, Harness::demo(columns, rows).keys(keys).screen());
    }
}

/// Two models of five thousand images with their captions, where the scores are at hand.
#[test]
#[ignore = "needs ../shared and its 5K matrices"]
fn five_thousand_images() {
    let files = common::coco_5k().to_vec();
    let names: Vec<&str> = files.iter().map(|file| file.to_str().unwrap()).collect();
    let inputs = Inputs { files: files.clone(), texts: true, ..Inputs::default() };
    let study = itm_explore::study::open(&inputs).unwrap();
    let mut harness = Harness::new(study, 140, 40).keys("4");
    for direction in ["t2i", "i2t"] {
        let truth = harness.app.model.truth().name.clone();
        let args = ["--direction", direction, "--truth", &truth];
        let wanted = errors_json(&[&args[..], &names].concat());
        compare_details(&harness, &wanted);
        let all = errors_json(&[&["--direction", direction], &names[..]].concat());
        compare_counts(&harness, &all);
        harness = harness.keys("m");
        compare_details(&harness, &wanted);
        harness = harness.keys("d");
    }
}

/// No filter is put in force that nothing meets.
#[test]
fn an_error_type_without_queries_lists_nothing() {
    let harness = Harness::demo(120, 40).keys("4<Tab>");
    let model = &harness.app.model;
    let lists = model.error_lists(model.view).unwrap();
    let is_empty = |of: &Option<KindQueries>| of.as_ref().is_some_and(|of| of.queries.is_empty());
    let empty = lists.iter().position(is_empty).unwrap();
    let asked = harness.keys(&("j".repeat(empty) + "<Enter>"));
    assert_eq!(asked.app.current_tab(), Action::Errors);
    let message = asked.app.model.message.as_deref();
    assert_eq!(message, Some("no query is of this kind"));
}

/// A part of the bar shows its queries one by one, lists them, and counts as many as its condition finds.
#[test]
fn a_part_of_the_bar_lists_its_queries() {
    for start in ["4", "4r", "4mrr", "4dm"] {
        let mut harness = Harness::demo(160, 50).keys(start);
        let parts: Vec<_> = harness.app.context::<Errors>().parts().cloned().collect();
        assert!(parts.len() > 1, "{start}");
        let detail = harness.app.model.error_details(harness.app.model.view).unwrap();
        let total: usize = parts.iter().map(|part| part.queries.len()).sum();
        assert_eq!(total, detail.breakdown.covered, "{start}");
        for (at, part) in parts.iter().enumerate() {
            let place = harness.app.ui.hits.borrow().area(&Target::Row("parts", at)).unwrap();
            harness.mouse(Event::Click(place.x, place.y));
            let screen = harness.screen();
            let title = format!("╭ {} of ", part.name);
            assert!(screen.contains(&title) && screen.contains("example 1 of "), "{screen}");
            let listed = harness.keys("<Enter>");
            assert_eq!(listed.app.model.selection.queries, part.queries, "{}", part.condition);
            harness = listed.keys("u4");
        }
    }
}

/// The sentence has the R@1 of the header, and words are listed only where they survive Holm.
#[test]
fn the_first_line_answers() {
    let harness = Harness::demo(120, 40).keys("4");
    let r1 = 100.0 * harness.app.model.metrics().unwrap().r1.value.unwrap();
    let sentence = format!("careful, t2i, rich: R@1 {r1:.1} = ");
    harness.shows(&sentence).shows("failures under original)");
    harness.keys("rr").shows(" are missing labels");
    let words = Harness::demo(120, 40).keys("4<BackTab><BackTab>").screen();
    let none = "No word is significantly more frequent in failures (Holm, 5 %).";
    assert!(words.contains(none), "{words}");
}

/// A click shows a tab or selects what is drawn there; the wheel moves the selection.
#[test]
fn the_mouse_selects_types_and_hubs() {
    let mut harness = Harness::demo(120, 40).keys("4mm<Tab>");
    let place = |harness: &Harness, target| harness.app.ui.hits.borrow().area(&target).unwrap();
    let row = place(&harness, Target::Row("error types", 2));
    harness.mouse(Event::Click(row.x + 3, row.y));
    assert_eq!(harness.app.context::<Errors>().selected(Tab::Types), 2);
    let tab = place(&harness, Target::Row("tabs", 2));
    harness.mouse(Event::Click(tab.x + 1, tab.y));
    let hub = place(&harness, Target::Row("hubs", 1));
    harness.mouse(Event::Click(hub.x + 3, hub.y));
    assert_eq!(harness.app.context::<Errors>().state.tab, Tab::Hubs);
    assert_eq!(harness.app.context::<Errors>().selected(Tab::Hubs), 1);
    harness.mouse(Event::Wheel(hub.x, hub.y, 1));
    assert_eq!(harness.app.context::<Errors>().selected(Tab::Hubs), 2);
}
