//! Dials of truths and the mixture in the explorer: what they make is what the flags make.

use crate::common;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use common::{Harness, demo_file};
use itm_explore::data::Direction;
use itm_explore::data::index::{ModelIx, TruthIx};
use itm_explore::jobs::Answered;
use itm_explore::jobs::DeriveStudy;
use itm_explore::study::{Inputs, Study, StudyDeriver, TruthRules, demo, open};
use itm_explore::tui::event::Event;
use itm_explore::tui::keymap::Key;
use serde_json::json;

/// Object categories and ratings for the demo's images, by a rule of their own.
fn written(folder: &Path) -> [PathBuf; 2] {
    let gallery = demo::open().unwrap().gallery;
    let images = gallery.images.as_slice().iter().enumerate();
    let shown = |(at, id)| json!({"image_id": id, "category_id": (at * at) % 5});
    let more = |(at, id)| json!({"image_id": id, "category_id": 20 + at % 2});
    let annotations: Vec<_> = images.clone().map(shown).chain(images.map(more)).collect();
    let instances = folder.join("instances_demo.json");
    std::fs::write(&instances, json!({"annotations": annotations}).to_string()).unwrap();
    let mut ratings = String::from("image,caption,agg_score,sampling_method\n");
    for (at, caption) in gallery.captions.as_slice().iter().enumerate() {
        for (other, image) in gallery.images.as_slice().iter().enumerate().skip(at % 7).step_by(9) {
            let score = (at * 31 + other * 17) % 51;
            writeln!(ratings, "{image},{caption},{}.{},x", score / 10, score % 10).unwrap();
        }
    }
    let sits = folder.join("sits_demo.csv");
    std::fs::write(&sits, ratings).unwrap();
    [instances, sits]
}

fn study(folder: &Path, rules: TruthRules) -> Study {
    let files = [demo_files(), written(folder).to_vec()].concat();
    open(&Inputs { files, rules, texts: true, ..Inputs::default() }).unwrap()
}

/// One model of the demo.
fn demo_files() -> Vec<PathBuf> {
    let names = ["careful.npy", "captions.json", "original_caption_to_image.json"];
    names.map(|name| demo_file(name).into()).to_vec()
}

/// The explorer under a ground truth with a threshold.
fn under_cxc(folder: &Path) -> Harness {
    let mut harness = Harness::new(study(folder, TruthRules::default()), 160, 50);
    while harness.app.model.truth().name != "cxc" {
        harness = harness.keys("r");
    }
    harness
}

/// R@1 and mAP@R under a truth in both directions.
fn numbers(harness: Harness, truth: &str) -> (Vec<Option<f64>>, Harness) {
    let place = |harness: &Harness| {
        let truths = &harness.app.model.study.truths;
        TruthIx::find(truths, |known| known.name == truth).unwrap()
    };
    let mut harness = harness;
    let mut numbers = Vec::new();
    for _ in Direction::BOTH {
        let metrics = harness.app.model.metrics_under(place(&harness)).unwrap();
        numbers.extend([metrics.r1.value, metrics.map_at_r.value]);
        harness = harness.keys("d");
    }
    (numbers, harness)
}

#[test]
fn a_turned_threshold_gives_the_numbers_of_the_flag() {
    let folder = tempfile::tempdir().unwrap();
    let fresh = |rules| Harness::new(study(folder.path(), rules), 120, 40);
    let turned = fresh(TruthRules::default());
    assert_eq!(turned.app.model.truth().name, "cxc");
    let (before, turned) = numbers(turned, "cxc");
    // Keys for the one, the wheel over the header for the other.
    let turned = turned.keys("++_+r");
    assert_eq!(turned.app.model.truth().name, "pm");
    let mut turned = turned;
    turned.mouse(Event::Wheel(3, 0, -1));
    let turned = turned.settled().keys("R");
    let mut rules = TruthRules::default();
    rules.numbers["cxc"] = Some(3.5);
    rules.numbers["pm"] = Some(1.0);
    let expected = fresh(rules);
    let (cxc, expected) = numbers(expected, "cxc");
    let (pm, _) = numbers(expected, "pm");
    let (turned_cxc, turned) = numbers(turned, "cxc");
    let (turned_pm, turned) = numbers(turned, "pm");
    assert_ne!(before, cxc);
    assert_eq!((cxc, pm), (turned_cxc, turned_pm));
    turned.shows("cxc ≥ 3.50");
    // Every turn is a step of the history, and the first digits come back.
    let steps = turned.app.model.history.steps().len() - 1;
    let (back, back_again) = numbers(turned.keys(&"u".repeat(steps)), "cxc");
    assert_eq!(before, back);
    assert!(back_again.screen().contains("cxc ≥ 3.00"));
}

/// Rows of items under a turned threshold are those under the flag.
#[test]
fn rows_of_items_are_under_the_number_in_force() {
    let folder = tempfile::tempdir().unwrap();
    let rows = |rules, keys: &str| {
        let list = Harness::new(study(folder.path(), rules), 120, 40).keys(keys);
        let file = folder.path().join("rows.csv");
        let list = list.keys(&format!("e<Ctrl-u>{}<Enter>", file.display()));
        drop(list);
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_file(file).unwrap();
        text
    };
    let mut rules = TruthRules::default();
    rules.numbers["cxc"] = Some(3.5);
    let usual = rows(TruthRules::default(), "E<BackTab>");
    let flagged = rows(rules, "E<BackTab>");
    let turned = rows(TruthRules::default(), "++E<BackTab>");
    assert_ne!(usual, turned);
    assert!(turned == flagged, "other rows than under the flag");
}

/// Names of ground truths include the current threshold, in the list of picks and in the figure.
#[test]
fn picks_and_figures_name_the_number_in_force() {
    let folder = tempfile::tempdir().unwrap();
    let usual = under_cxc(folder.path()).keys(" 5");
    usual.shows("items · cxc ").shows("(cxc)");
    let turned = usual.keys("1+5");
    for told in ["items · cxc ≥ 3.25", "(cxc ≥ 3.25)"] {
        turned.shows(told);
    }
    let file = folder.path().join("chart.svg");
    turned.keys(&format!("3e<Ctrl-u>{}<Enter>", file.display()));
    let chart = std::fs::read_to_string(file).unwrap();
    assert!(chart.contains("cxc ≥ 3.25"), "{chart}");
}

#[test]
fn thresholds_end_and_other_truths_have_none() {
    let folder = tempfile::tempdir().unwrap();
    let harness = Harness::new(study(folder.path(), TruthRules::default()), 120, 40);
    let harness = harness.keys(&"+".repeat(9));
    let end = harness.app.model.settings;
    let harness = harness.keys("+");
    assert_eq!(harness.app.model.settings, end);
    let harness = harness.keys("rr+");
    assert_eq!(harness.app.model.truth().name, "original");
    assert!(harness.app.model.message.as_ref().unwrap().contains("has no threshold"));
}

/// The demo with mixtures that flags name.
fn mixed(words: &[&str]) -> Harness {
    let mut study = demo::open().unwrap();
    let words: Vec<String> = words.iter().map(ToString::to_string).collect();
    study.add_mixtures(&words).unwrap();
    Harness::new(study, 120, 40)
}

/// The name, the numbers under every truth, and the ranking of the query on screen.
fn seen(harness: &Harness) -> (String, Vec<Option<f64>>, Vec<u32>) {
    let app = &harness.app;
    let truths = TruthIx::all(&app.model.study.truths);
    let metrics = truths.filter_map(|truth| app.model.metrics_under(truth));
    let numbers = metrics.flat_map(|metrics| [metrics.r1.value, metrics.map_at_r.value]);
    let ranking = app.model.ranking().unwrap().order.clone();
    (app.model.study.models[app.model.view.model].name.clone(), numbers.collect(), ranking)
}

#[test]
fn a_mixture_is_that_of_the_flag_at_every_alpha() {
    let words = ["careful,broad,0.50", "careful,broad,0.40", "careful,broad,0.40,zscore"];
    let mut expected = mixed(&words).keys("mmm");
    let mut found = Harness::demo(120, 40);
    let models = found.app.model.study.models.len();
    for keys in ["a", ",,", "A"] {
        found = found.keys(keys);
        assert_eq!(found.app.model.study.models.len(), models + 1);
        assert_eq!(seen(&found), seen(&expected), "{keys}");
        expected = expected.keys("m");
    }
    // Judgments count under the mixture, too, and follow when alpha is turned.
    found = found.keys("<Tab>JUyyyN");
    assert!(found.app.model.is_view_edited());
    // Back over all steps, and forth again.
    let last = seen(&found);
    let steps = found.app.model.history.steps().len() - 1;
    let start = found.keys(&"u".repeat(steps));
    assert_eq!(start.app.model.study.models.len(), models);
    assert_eq!(start.app.model.view.model, ModelIx::new(0));
    let end = start.keys(&"<Ctrl-r>".repeat(steps));
    assert_eq!(seen(&end), last);
    let ended = end.keys("a");
    assert_eq!(
        (ended.app.model.study.models.len(), ended.app.model.view.model),
        (models, ModelIx::new(0))
    );
}

#[test]
fn a_step_back_to_a_mixture_that_is_gone_makes_it_again() {
    let harness = Harness::demo(120, 40).keys("amMa");
    let models = harness.app.model.base.models.len();
    assert!(harness.app.model.view.model.get() < models);
    let back = harness.keys("u");
    assert_eq!(back.app.model.study.models.len(), models + 1);
    let at_mixture = back.keys("uuuuuu<Ctrl-r><Ctrl-r><Ctrl-r>");
    assert_eq!(at_mixture.app.model.study.models.len(), models + 1);
    at_mixture.shows("careful 0.50+broad");
    let alpha = at_mixture.keys(&".".repeat(11));
    assert_eq!(alpha.app.model.settings.mix.unwrap().percent, 100);
}

#[test]
fn items_and_tests_of_a_mixture_go_with_it() {
    for (opens, shows) in [("E", "(careful, t2i, rich)"), ("T", "A: careful, B: ")] {
        let mut harness = Harness::demo(120, 40).keys("a");
        let models = harness.app.model.study.models.len();
        harness.app.handle(Event::Key("a".parse().unwrap()));
        harness.app.handle(Event::Key(opens.parse().unwrap()));
        let settled = harness.settled();
        assert_eq!(settled.app.model.study.models.len(), models - 1);
        settled.shows(shows);
    }
}

/// A model that cannot be scaled, because all its scores are equal, beside one of the demo.
fn flat(folder: &Path) -> Study {
    let gallery = demo::open().unwrap().gallery;
    let (images, captions) = (gallery.images.len(), gallery.captions.len());
    let shape = format!("({images}, {captions})");
    let file = folder.join("flat.npy");
    let cells = vec![0; 4 * images * captions];
    std::fs::write(&file, common::npy("'<f4'", false, &shape, &cells)).unwrap();
    let files = [demo_files(), vec![file]].concat();
    open(&Inputs { files, ..Inputs::default() }).unwrap()
}

/// The names of all steps but the start.
fn steps(harness: &Harness) -> Vec<String> {
    let steps = harness.app.model.history.steps().iter().skip(1);
    steps.map(|step| step.name.clone()).collect()
}

#[test]
fn a_mixture_that_is_refused_leaves_no_step() {
    let folder = tempfile::tempdir().unwrap();
    let mixed = Harness::new(flat(folder.path()), 120, 40).keys("a,");
    let (before, names) = (seen(&mixed), steps(&mixed));
    assert_eq!(names, ["0.50*careful+0.50*flat", "alpha 0.45"]);
    let mut refused = mixed;
    refused.app.handle(Event::Key("A".parse().unwrap()));
    let refused = refused.settled();
    let said = refused.message();
    assert!(said.contains("all scores are equal"), "{said}");
    assert_eq!((seen(&refused), steps(&refused)), (before, names));
    assert_eq!(refused.app.model.history.present(), 2);
    // What was done meanwhile stays, and undo goes on from there.
    let mut meanwhile = refused;
    meanwhile.app.handle(Event::Key("A".parse().unwrap()));
    meanwhile.app.handle(Event::Key("s".parse().unwrap()));
    let meanwhile = meanwhile.settled();
    assert_eq!(steps(&meanwhile).len(), 3);
    assert!(steps(&meanwhile)[2].starts_with("sorted"));
    let undone = meanwhile.keys("uu");
    assert_eq!(undone.app.model.message.unwrap(), "undone: alpha 0.45");
    let mix = undone.app.model.settings.mix.unwrap();
    assert_eq!((mix.percent, mix.scaling.key()), (50, "raw"));
}

#[test]
fn the_header_holds_all_at_every_width() {
    for columns in [80, 160] {
        let mut harness = Harness::demo(columns, 24).keys("a<Tab>JUyyyNJ<Tab>");
        for keys in ["A", "A", "A"] {
            let screen = harness.screen();
            let line = screen.lines().next().unwrap();
            assert!(line.contains(" 0.50"), "{line}");
            // Both models are named.
            let first = line.split("t2i").next().unwrap();
            let is_named = first.contains("ca") && first.contains("br");
            assert!(is_named && line.contains("rich+mine"), "{line}");
            let told = screen.lines().nth(1).unwrap();
            let words = [" 4 no session", "4 judgments no session"];
            assert!(words.iter().any(|words| told.contains(words)), "{told}");
            harness = harness.keys(keys);
        }
    }
    let narrow = Harness::demo(40, 24).keys("a");
    assert!(narrow.screen().starts_with(" careful 0.50+broad  t2i"), "{}", narrow.screen());
    let low = Harness::demo(120, 9).keys("aA");
    assert!(low.screen().contains("zscore ") && low.screen().contains(" 0.50"));
    let named = mixed(&["careful,broad,0.50,zscore"]).keys("mmm");
    assert!(named.screen().starts_with(" zscore 0.50*careful+0.50*broad  t2i"));
}

/// Two settings turned before either truth was counted anew: numbers of neither are shown.
#[test]
fn numbers_that_wait_are_stale_under_every_truth_that_turned_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = Harness::new(study(folder.path(), TruthRules::default()), 120, 40);
    let base = harness.app.model.base.clone();
    let mut deriver = StudyDeriver::default();
    let place = |name: &str| TruthIx::find(&base.truths, |truth| truth.name == name).unwrap();
    for name in ["cxc", "pm"] {
        while harness.app.model.truth().name != name {
            harness.app.handle(Event::Key(Key::sequence("r").unwrap()[0]));
        }
        assert!(harness.app.model.metrics_under(place(name)).is_some());
        harness.app.handle(Event::Key(Key::sequence("+").unwrap()[0]));
        let (opening, settings) = (harness.app.model.known.opening, harness.app.model.settings);
        let made = deriver.derive(&base, settings).map(Arc::new);
        let answer = Answered::new::<DeriveStudy>(Some(opening), settings, Ok(made));
        harness.app.handle(Event::Answered(answer));
        assert!(harness.app.model.metrics_under(place(name)).is_none(), "{name}");
        harness.buffer();
    }
    assert!(harness.app.model.metrics_under(place("cxc")).is_none());
    let harness = harness.settled();
    assert!(harness.app.model.metrics_under(place("pm")).is_some());
}

/// Turned twice before anything was counted, a threshold is compared with where it was counted last.
#[test]
fn a_threshold_turned_on_is_compared_with_what_was_counted_last() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = under_cxc(folder.path());
    let plus = || Event::Key(Key::sequence("+").unwrap()[0]);
    harness.app.handle(plus());
    let harness = harness.takes(plus()).settled();
    let change = harness.app.model.shown_change().expect("both were counted");
    assert_eq!(change.baseline_label, "vs cxc ≥ 3.00");
    // Judgments change neither.
    under_cxc(folder.path()).keys("JUyy<Esc>+").shows("vs cxc ≥ 3.00");
}
