//! The tab of slices: the numbers of `itm-explore slices`, and lists of as many queries.

use crate::common;

use common::{Harness, on_demo, record, run};
use itm_explore::tui::action::Action;
use itm_explore::tui::screens::errors::Errors;
use serde_json::Value;

const TAB: &str = "4<Tab><Tab><Tab><Tab>";

#[test]
fn the_tab_begins_with_where_the_models_differ_most() {
    for (columns, rows) in [(80, 24), (120, 40)] {
        let harness = Harness::demo(columns, rows).keys(TAB);
        insta::assert_snapshot!(format!("slices_{columns}x{rows}"), harness.screen());
    }
}

#[test]
fn every_number_is_the_subcommand_s() {
    for keys in ["", "d", "m", "r"] {
        let harness = Harness::demo(120, 40).keys(&[TAB, keys].concat());
        let model = &harness.app.model;
        let slices = model.slices().unwrap();
        let names = slices.models.iter().map(|&of| model.study.models[of].name.as_str());
        let (names, truth) = (names.collect::<Vec<_>>().join(","), model.truth().name.clone());
        let direction = model.view.direction.key();
        let args = ["slices", "--models", &names, "--truth", &truth, "--direction", direction];
        let output = run(&on_demo(&[&args[..], &["--format", "json"]].concat()));
        let told: Value = serde_json::from_slice(&output.stdout).unwrap();
        let names = told["slices"].as_array().unwrap().iter().map(|of| of["slice"].as_str());
        let shown = slices.rows.iter().map(|row| row.slice.name.as_str());
        assert_eq!(names.flatten().skip(1).collect::<Vec<_>>(), shown.collect::<Vec<_>>());
        for row in &slices.rows {
            let of = record(&told, "slices", &[("slice", &row.slice.name)]);
            assert_eq!(of["queries"], row.queries.len());
            assert_eq!(of["map_at_r_delta"].as_f64(), row.metrics[1].difference());
            assert_eq!(of["map_at_r_p_holm"].as_f64(), row.metrics[1].corrected.holm);
        }
    }
}

/// A slice opens as the list of its queries, in one step that is undone.
#[test]
fn a_slice_opens_as_its_queries() {
    let mut harness = Harness::demo(120, 40).keys(TAB);
    let rows = harness.app.context::<Errors>().slice_rows().len();
    for at in 0..rows {
        let row = harness.app.context::<Errors>().slice_rows()[at].clone();
        let opened = harness.keys(&format!("<Home>{}<Enter>", "j".repeat(at)));
        assert_eq!(opened.app.current_tab(), Action::Browse);
        assert_eq!(opened.app.model.filter.text, row.slice.condition);
        let mut listed = opened.app.model.selection.queries.clone();
        listed.sort_unstable();
        assert_eq!(listed, row.queries, "{}", row.slice.name);
        harness = opened.keys("u4");
    }
    let counts = |harness: &Harness| {
        let rows = harness.app.context::<Errors>().slice_rows();
        rows.iter().map(|row| row.queries.len()).collect::<Vec<_>>()
    };
    let by_count = harness.keys("ss");
    assert!(counts(&by_count).is_sorted_by(|one, other| one >= other));
    let by_name = by_count.keys("s");
    assert!(by_name.app.context::<Errors>().slice_rows().is_sorted_by_key(|row| &row.slice.name));
}
