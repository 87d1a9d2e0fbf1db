//! The curve over alpha in the explorer: the numbers of `itm-explore mix`, drawn.

use crate::common;

use common::{
    Harness, assert_error, demo_file, json, on_demo, printed as printed_by, record, words,
};
use itm_explore::figure::chart::{Chart, Shape};
use itm_explore::figure::charts::CHARTS;
use itm_explore::metric::Unit;
use itm_explore::study::{self, Inputs};
use itm_explore::tui::action::Action;
use serde_json::Value;

/// The points that `mix` prints for the two models of the demo, text to image.
fn printed(scaling: &str, truth: &str) -> Vec<String> {
    let args = format!(
        "mix --demo --models careful,broad --format json -q --scaling {scaling} --truth {truth}"
    );
    let found = json(&words(&args));
    let row = |point: &Value, key: &str, title: &str| {
        let value = Unit::Share.to_display(point[key].as_f64().unwrap());
        format!("{} {title} t2i {value:.9}", point["alpha"].as_f64().unwrap())
    };
    let points = found["curve"].as_array().unwrap().iter();
    let of_point = |point| [row(point, "r1_t2i", "R@1"), row(point, "map_at_r_t2i", "mAP@R")];
    let mut rows: Vec<String> = points.flat_map(of_point).collect();
    rows.sort();
    rows
}

/// Alpha and value of each point of the displayed chart's lines.
fn shown(harness: &Harness) -> Vec<String> {
    let charts = charts(harness);
    let lines = charts.iter().flat_map(|chart| &chart.lines);
    let lines = lines.filter(|line| line.shape == Shape::Line);
    let row = |name: &str, [alpha, value]: [f64; 2]| format!("{alpha} {name} {value:.9}");
    let mut rows: Vec<String> =
        lines.flat_map(|line| line.points.iter().map(|point| row(&line.name, *point))).collect();
    rows.sort();
    rows
}

/// The charts over alpha that are made for what is looked at.
fn charts(harness: &Harness) -> Vec<Chart> {
    let at = CHARTS.iter().position(|chart| chart.key == "over-alpha").unwrap();
    harness.app.model.chart(at).into_iter().map(|chart| chart.unwrap().clone()).collect()
}

#[test]
fn the_curve_is_that_of_mix() {
    let mut harness = Harness::demo(120, 40).keys("aC");
    for scaling in ["raw", "zscore"] {
        let truth = harness.app.model.truth().name.clone();
        assert_eq!(shown(&harness), printed(scaling, &truth), "{scaling}");
        harness = harness.keys("A");
    }
    let other = harness.keys("r");
    let truth = other.app.model.truth().name.clone();
    let truth = if truth == "pm" { other.keys("r") } else { other };
    let name = truth.app.model.truth().name.clone();
    assert_eq!(name, "original");
    assert_eq!(shown(&truth), printed("raw", &name));
}

#[test]
fn it_needs_no_mixture_and_says_what_it_needs() {
    let harness = Harness::demo(120, 40).keys("C");
    assert_eq!(shown(&harness), printed("raw", "rich"));
    let mut study = itm_explore::study::demo::open().unwrap();
    study.models.truncate(1);
    let alone = Harness::new(study, 120, 40).keys("C");
    assert!(charts(&alone).is_empty());
    assert_eq!(alone.message(), "a mixture takes two models");
}

/// The reason takes the place of the chart, and `a` adds no undo step.
#[test]
fn models_that_cannot_be_mixed_are_named() {
    let mut study = itm_explore::study::demo::open().unwrap();
    let models = study.models.len();
    study.add_mixtures(&["careful,broad,0.3".into()]).unwrap();
    let harness = Harness::new(study, 120, 40).keys(&"m".repeat(models));
    let steps = harness.app.model.history.steps().len();
    let open = harness.keys("C");
    open.shows("mixture itself");
    let refused = open.keys("a");
    assert_eq!(refused.app.model.history.steps().len(), steps);
    assert_eq!(refused.app.model.settings, itm_explore::study::StudySettings::default());
    let said = refused.message();
    assert!(said.contains("a mixture itself"), "{said}");
}

#[test]
fn alpha_is_marked_in_the_chart_and_turns_beside_it() {
    let open = Harness::demo(120, 40).keys("aC...,");
    assert_eq!(open.app.model.settings.mix.unwrap().percent, 60);
    assert_eq!(open.app.current_tab(), Action::Metrics);
    let marked = open.screen();
    let note = charts(&open)[0].note.clone();
    let best = note.split("mAP@R t2i ").nth(1).unwrap();
    assert!(best.contains(" at 0."), "{note}");
    let undone = open.keys("u");
    assert_eq!(undone.app.model.settings.mix.unwrap().percent, 65);
    assert_ne!(undone.screen(), marked);
    assert_eq!(charts(&undone)[0].note, note);
}

/// Gone back to, it is there at once, whatever alpha is now; of another truth it is not.
#[test]
fn what_was_computed_stays_until_something_else_is_asked() {
    let mut harness = Harness::demo(120, 40).keys("aC1.");
    for (key, count) in [("C", 1), (",", 1), ("r", 0)] {
        harness.app.handle(itm_explore::tui::event::Event::Key(key.parse().unwrap()));
        assert_eq!(charts(&harness).len(), count, "{key}");
    }
    assert_eq!(charts(&harness.settled()).len(), 1);
}

#[test]
fn the_curve_is_on_the_screen_at_every_size() {
    insta::assert_snapshot!("curve", Harness::demo(120, 30).keys("a..C").screen());
    insta::assert_snapshot!("curve_small", Harness::demo(80, 14).keys("aAC").screen());
}

/// The demo's models as steps: they stand in the order of their numbers.
const STEPS: [&str; 6] =
    ["--name", "broad=step-20", "--name", "careful=step-3", "--name", "naive=step-100"];

#[test]
fn a_series_has_the_numbers_of_its_steps() {
    insta::assert_snapshot!("series", printed_by(&[&["series", "--demo"][..], &STEPS].concat()));
    let json = |command| json(&[&[command, "--demo", "--format", "json"][..], &STEPS].concat());
    let (series, eval) = (json("series"), json("eval"));
    let values = series["values"].as_array().unwrap();
    let mut names: Vec<&Value> = values.iter().map(|value| &value["model"]).collect();
    names.dedup();
    assert_eq!(names, ["step-3", "step-20", "step-100"]);
    for value in values {
        let [model, key, direction] =
            ["model", "metric", "direction"].map(|key| value[key].as_str().unwrap());
        let model = record(&eval, "models", &[("name", model)]);
        let expected = model["metrics"][key][direction].as_f64().unwrap();
        assert!((value["value"].as_f64().unwrap() - expected).abs() < 1e-12, "{key} {direction}");
    }
}

#[test]
fn models_without_a_number_are_no_steps() {
    assert_error(1, &["series", "--demo"], &["careful has no number", "--name"]);
}

/// The demo as a series in the explorer, its models as [`STEPS`].
fn series(columns: u16, rows: u16) -> Harness {
    let names = STEPS.iter().filter_map(|name| name.split_once('='));
    let inputs = Inputs {
        demo: true,
        texts: true,
        series: true,
        names: names.map(|(a, b)| (a.to_owned(), b.to_owned())).collect(),
        ..Inputs::default()
    };
    Harness::new(study::open(&inputs).unwrap(), columns, rows)
}

#[test]
fn the_keys_of_models_go_through_the_steps() {
    let mut harness = series(120, 40);
    for step in ["step 3 (1/3)", "step 20 (2/3)", "step 100 (3/3)"] {
        harness.shows(step);
        harness = harness.keys("m");
    }
    harness.keys("M").shows("step 100 (3/3)");
}

#[test]
fn without_a_series_there_are_no_steps() {
    Harness::demo(120, 40).keys("Q").shows("no steps of a training");
    let condition = ["find", "--demo", "--where", "forgotten"];
    assert_error(1, &condition, &["no steps of a training", "--series"]);
}

#[test]
fn metrics_over_the_steps_are_drawn() {
    for (columns, rows) in [(80, 24), (160, 50)] {
        let screen = series(columns, rows).keys("Q").screen();
        insta::assert_snapshot!(format!("steps_metrics_{columns}x{rows}"), screen);
    }
    series(120, 40).keys("Qe").shows("over-steps.pdf");
    series(120, 40).keys("3").shows("of models");
}

#[test]
fn conditions_over_steps_find_what_the_series_counts() {
    let of = |arguments: &[&str]| {
        json(&on_demo(&[arguments, &STEPS, &["--direction", "t2i", "--format", "json"]].concat()))
    };
    let series = of(&["series", "--metrics", "r1", "--truth", "rich"]);
    let counted = record(&series, "metrics", &[("metric", "rich_r1")]);
    let mut found = 0;
    for kind in ["learned", "late", "forgotten", "never"] {
        let condition = format!("rich.{kind}");
        let met = of(&["find", "-q", "--series", "--truth", "rich", "--where", &condition]);
        assert_eq!(met["matched"], counted[kind], "{kind}");
        found += met["matched"].as_u64().unwrap();
    }
    assert!(found > 50, "{found}");
}

#[test]
fn a_folder_holds_the_steps() {
    let folder = tempfile::tempdir().unwrap();
    for (step, model) in [(900, "broad"), (1_000, "careful"), (20, "naive")] {
        let to = folder.path().join(format!("step-{step}.npy"));
        std::fs::copy(demo_file(&format!("{model}.npy")), to).unwrap();
    }
    std::fs::write(folder.path().join("step-1100.npy.writing"), "half").unwrap();
    let run_folder = folder.path().to_str().unwrap();
    let files = ["captions.json", "original_caption_to_image.json"];
    let [captions, truth] = files.map(demo_file);
    let told = json(&["series", "-q", run_folder, &captions, &truth, "--format", "json"]);
    let values = told["values"].as_array().unwrap().iter();
    let mut steps: Vec<&Value> = values.map(|value| &value["step"]).collect();
    steps.dedup();
    assert_eq!(steps, [20, 900, 1_000]);
    let without = ["eval", run_folder, &captions, &truth];
    assert_error(1, &without, &["a folder without ground truths"]);
    let one = folder.path().join("step-20.npy");
    let one = ["series", one.to_str().unwrap(), &captions, &truth];
    assert_error(1, &one, &["1 step"]);
    let empty = tempfile::tempdir().unwrap();
    let empty = ["series", empty.path().to_str().unwrap(), &captions, &truth];
    assert_error(1, &empty, &["a folder without matrices", "--watch"]);
    let elsewhere = tempfile::tempdir().unwrap();
    let study = elsewhere.path().join("study.toml");
    let written = format!("files = {:?}\nseries = true\n", [run_folder, &captions, &truth]);
    std::fs::write(&study, written).unwrap();
    let study = study.to_str().unwrap();
    let condition = "first_right_step == 20 and learned";
    let found = printed_by(&["find", "-q", study, "--where", condition, "--format", "jsonl"]);
    assert!(found.contains("\"first_right_step\":20"), "{found}");
}
