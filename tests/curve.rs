//! The curve over alpha in the explorer: the numbers of `itm-explore mix`, drawn.

mod common;

use common::{Harness, assert_error, demo_file, on_demo, run, stderr, stdout};
use itm_explore::data::Direction;
use itm_explore::data::index::ModelIx;
use itm_explore::metric::{Summary, Unit};
use itm_explore::study::View;
use itm_explore::tui::model::header::HeaderMetrics;
use serde_json::Value;

/// The rows that `mix` prints for the two models of the demo, every digit of them.
fn printed(scaling: &str, truth: &str) -> Vec<String> {
    let names = [
        "careful.npy",
        "broad.npy",
        "captions.json",
        "original_caption_to_image.json",
        "rich_caption_to_image.json",
    ];
    let files = names.map(demo_file);
    let mut args = vec!["mix", "--format", "csv", "-q"];
    args.extend(files.iter().map(String::as_str));
    args.extend(["--scaling", scaling, "--truth", truth]);
    let text = stdout(&run(&args));
    let of_curve = |line: &str| Some(line.split_once(",all,")?.0.to_owned());
    text.lines().filter_map(of_curve).collect()
}

/// The same of the curve that is open.
fn shown(harness: &Harness) -> Vec<String> {
    let mut rows = Vec::new();
    for point in harness.app.model.curve_points().unwrap() {
        let numbers = [("r1", point.numbers[0]), ("map_at_r", point.numbers[1])];
        for (metric, number) in numbers {
            for direction in Direction::BOTH {
                let Summary { value, judged, .. } = number[direction].unwrap();
                let (alpha, value) = (point.alpha, value.unwrap());
                rows.push(format!("{alpha},{metric},{direction},{value},{judged}"));
            }
        }
    }
    rows
}

#[test]
fn the_curve_is_that_of_mix_to_the_last_digit() {
    let mut harness = Harness::demo(120, 40).keys("aC");
    for scaling in ["raw", "zscore", "minmax"] {
        let truth = harness.app.model.truth().name.clone();
        assert_eq!(shown(&harness), printed(scaling, &truth), "{scaling}");
        harness = harness.keys("A");
    }
    let other = harness.keys("r");
    let truth = other.app.model.truth().name.clone();
    let truth = if truth == "pm" {
        other.keys("r")
    } else {
        other
    };
    let name = truth.app.model.truth().name.clone();
    assert_eq!(name, "original");
    assert_eq!(shown(&truth), printed("raw", &name));
}

#[test]
fn it_needs_no_mixture_and_says_what_it_needs() {
    let harness = Harness::demo(120, 40).keys("C");
    assert_eq!(shown(&harness), printed("raw", "rich"));
    assert!(!harness.screen().contains(" now "), "{}", harness.screen());
    let mut study = itm_explore::study::demo::open().unwrap();
    study.models.truncate(1);
    let alone = Harness::new(study, 120, 40).keys("C");
    assert!(alone.app.popup.is_none());
    assert_eq!(
        alone.app.model.message.as_deref(),
        Some("a mixture takes two models")
    );
}

/// What cannot be mixed is told in the place of the charts, and `a` leaves no step.
#[test]
fn models_that_cannot_be_mixed_are_named() {
    let mut study = itm_explore::study::demo::open().unwrap();
    let models = study.models.len();
    study.add_mixtures(&["careful,broad,0.3".into()]).unwrap();
    let harness = Harness::new(study, 120, 40).keys(&"m".repeat(models));
    let steps = harness.app.model.history.steps().len();
    let open = harness.keys("C");
    let screen = open.screen();
    assert!(screen.contains("a mixture itself"), "{screen}");
    assert_eq!(open.app.model.wanted_curve(), None);
    let refused = open.keys("a");
    assert_eq!(refused.app.model.history.steps().len(), steps);
    assert_eq!(
        refused.app.model.dials,
        itm_explore::study::Dials::default()
    );
    let said = refused.app.model.message.clone().unwrap();
    assert!(said.contains("a mixture itself"), "{said}");
}

#[test]
fn keys_turn_alpha_while_it_is_open_and_others_close_it() {
    let open = Harness::demo(120, 40).keys("aC<Right><Right><Left>.");
    assert_eq!(open.app.model.dials.mix.unwrap().percent, 60);
    assert!(open.app.popup.is_some());
    let screen = open.screen();
    let line = screen
        .lines()
        .find(|line| line.contains("mAP@R  best"))
        .unwrap();
    assert!(line.contains("now") && line.contains("at 0.60"), "{line}");
    // What is now is what the header shows.
    let header = open.app.model.scored().unwrap().map_at_r.value.unwrap();
    assert!(
        line.contains(&format!("now {:.2} at 0.60", 100.0 * header)),
        "{line}"
    );
    let undone = open.keys("u");
    assert_eq!(undone.app.model.dials.mix.unwrap().percent, 55);
    assert!(undone.app.popup.is_some());
    assert!(undone.keys("C").app.popup.is_none());
}

/// Closed and opened again, it is there at once; of another truth it is not.
#[test]
fn what_was_computed_stays_until_something_else_is_asked() {
    let mut harness = Harness::demo(120, 40).keys("aC<Esc>");
    assert_eq!(harness.app.model.wanted_curve(), None);
    for (key, kept) in [("C", 21), ("d", 21), ("r", 0)] {
        harness
            .app
            .handle(itm_explore::tui::event::Event::Key(key.parse().unwrap()));
        assert_eq!(
            harness.app.model.curve_points().unwrap().len(),
            kept,
            "{key}"
        );
        assert_eq!(harness.app.model.wanted_curve().is_some(), kept == 0);
    }
    let harness = harness.settled();
    assert_eq!(harness.app.model.curve_points().unwrap().len(), 21);
}

#[test]
fn the_curve_is_on_the_screen_at_every_size() {
    insta::assert_snapshot!("curve", Harness::demo(100, 30).keys("a..C").screen());
    insta::assert_snapshot!("curve_small", Harness::demo(80, 14).keys("aAC").screen());
    for (columns, rows) in [(1, 1), (39, 9), (40, 8), (60, 12), (72, 15), (300, 90)] {
        Harness::demo(columns, rows).keys("aC").screen();
    }
}

/// The charts are of the header's two metrics, whichever they are.
#[test]
fn charts_follow_the_metrics_of_the_header() {
    let mut harness = Harness::demo(120, 40);
    let specs = ["r5", "median_rank"].map(|key| key.parse().unwrap());
    harness.app.model.header = HeaderMetrics::new(specs);
    let curve = harness.keys("aC");
    let screen = curve.screen();
    assert!(screen.contains("R@5, MedR over alpha"), "{screen}");
    let last = *curve.app.model.curve_points().unwrap().last().unwrap();
    let view = View {
        model: ModelIx::default(),
        ..curve.app.model.view
    };
    let alone = curve.app.model.counted_at(view).unwrap();
    for (number, spec) in last.numbers.iter().zip(specs) {
        assert_eq!(number[view.direction].unwrap(), alone.summary(spec, None));
    }
    // The best median rank is the least one.
    let line = screen.lines().find(|line| line.contains("MedR  best"));
    let points = curve.app.model.curve_points().unwrap();
    let ranks = points
        .iter()
        .map(|point| point.numbers[1][view.direction].unwrap().value.unwrap());
    let least = ranks.fold(f64::INFINITY, f64::min);
    assert!(
        line.unwrap()
            .contains(&format!("queries {} at", Unit::Rank.shown(Some(least)))),
        "{screen}"
    );
    let models = curve.keys("<Esc>3").keys("vv").screen();
    assert!(models.contains("MedR (up) over R@5 (right)"), "{models}");
}

/// The demo's models as steps: they stand in the order of their numbers.
const STEPS: [&str; 6] = [
    "--name",
    "broad=step-20",
    "--name",
    "careful=step-3",
    "--name",
    "naive=step-100",
];

#[test]
fn a_series_has_the_numbers_of_its_steps() {
    let table = run(&on_demo(&[&["series"][..], &STEPS].concat()));
    assert_eq!(table.status.code(), Some(0), "{}", stderr(&table));
    insta::assert_snapshot!("series", stdout(&table));
    let json = |arguments: &[&str]| -> Value {
        let output = run(&on_demo(
            &[arguments, &STEPS, &["--format", "json"]].concat(),
        ));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let (series, eval) = (json(&["series"]), json(&["eval"]));
    let names: Vec<&Value> = series["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| &step["model"])
        .collect();
    assert_eq!(names, ["step-3", "step-20", "step-100"]);
    for course in series["metrics"].as_array().unwrap() {
        for (name, value) in names.iter().zip(course["values"].as_array().unwrap()) {
            let models = eval["models"].as_array().unwrap();
            let model = models.iter().find(|model| model["name"] == **name).unwrap();
            let [key, direction] = ["key", "direction"].map(|key| course[key].as_str().unwrap());
            let expected = model["metrics"][key][direction].as_f64().unwrap();
            assert!(
                (value.as_f64().unwrap() - expected).abs() < 1e-12,
                "{key} {direction}"
            );
        }
    }
}

#[test]
fn what_a_series_forgets_is_listed() {
    let list = [
        "series",
        "--metrics",
        "r1",
        "--truth",
        "rich",
        "--direction",
        "t2i",
        "--list",
        "forgotten",
    ];
    let rows = run(&on_demo(
        &[&list[..], &STEPS, &["--format", "jsonl"]].concat(),
    ));
    let rows: Vec<Value> = stdout(&rows)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(!rows.is_empty());
    for row in rows {
        let steps = row["steps"].as_str().unwrap();
        let at = [3, 20, 100][steps.find('1').unwrap()];
        assert!(
            steps.ends_with('0') && row["first_right_step"] == at,
            "{row}"
        );
    }
    assert_error(
        1,
        &["series", "--demo"],
        &["careful has no number", "--name"],
    );
}
