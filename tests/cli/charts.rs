//! `plot`: every chart as a file, the same as the explorer and other subcommands write, and what is refused.

use crate::common;

use std::fs;
use std::path::Path;

use common::{Harness, assert_error, demo_file, printed, words};
use itm_explore::figure::charts::{CHARTS, steps};
use resvg::usvg::roxmltree::Document;

/// Where the demo is asked for a chart, with what the chart is made of.
fn demo(kind: &str) -> Vec<&str> {
    let mut words = vec!["plot", kind, "--demo", "-q"];
    if kind == "semantic-recall" {
        words.extend(["--phi", "cider"]);
    }
    words
}

/// Charts that the demo can have.
fn kinds() -> impl Iterator<Item = &'static str> {
    let of_demo =
        CHARTS.iter().filter(|chart| chart.key != steps::CHART.key && chart.key != "ratings");
    of_demo.map(|chart| chart.key)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn every_chart_is_written_in_every_format_that_draws() {
    let folder = tempfile::tempdir().unwrap();
    for kind in kinds() {
        let drawn = printed(&demo(kind));
        let document = Document::parse(&drawn).unwrap_or_else(|error| panic!("{kind}: {error}"));
        let root = document.root_element();
        assert!(root.first_element_child().unwrap().has_tag_name("title"), "{kind}");
        let edge =
            |name| root.attribute(name).unwrap().trim_end_matches("pt").parse::<f32>().unwrap();
        let places = document.descendants().filter_map(|node| {
            let of = |name: &str| node.attribute(name)?.parse::<f32>().ok();
            Some([of("x").or(of("cx"))?, of("y").or(of("cy"))?])
        });
        for [x, y] in places {
            assert!(
                (0.0..edge("width")).contains(&x) && (0.0..edge("height")).contains(&y),
                "{kind}"
            );
        }
        for (ending, begin) in [
            ("svg", "<svg"),
            ("pdf", "%PDF"),
            ("png", "\u{fffd}PNG"),
            ("tex", "% needs "),
            ("html", "<!DOCTYPE html>"),
        ] {
            let file = folder.path().join(format!("{kind}.{ending}"));
            printed(&[&demo(kind)[..], &["-o", text(&file)]].concat());
            let written = fs::read(&file).unwrap();
            assert!(String::from_utf8_lossy(&written).starts_with(begin), "{kind}.{ending}");
            if ending == "svg" {
                assert!(written == drawn.as_bytes(), "{kind}: standard output has another chart");
            }
        }
    }
}

#[test]
fn a_chart_looks_so() {
    insta::assert_snapshot!("bump_svg", printed(&demo("bump")));
}

#[test]
fn options_choose_what_is_drawn() {
    let with = |kind, rest: &[&str]| printed(&[&demo(kind)[..], rest].concat());
    let chosen = with("over-alpha", &["--model", "naive,broad", "--direction", "i2t"]);
    assert!(chosen.contains(">R@1 i2t<") && !chosen.contains("careful"));
    let metrics = with("models", &["--metrics", "R@5,mrr"]);
    assert!(metrics.contains("MRR against R@5 of models"), "{metrics}");
    assert!(with("bump", &["--pool", "random20s3"]).contains("pool random20s3"));
    assert!(with("over-alpha", &["--scaling", "zscore"]).contains("scaled by zscore"));
    assert!(with("models", &["--columns", "2"]).len() > 1000);
}

#[test]
fn what_cannot_be_drawn_is_refused_in_one_message() {
    let folder = tempfile::tempdir().unwrap();
    let (one, truths) = (demo_file("broad.npy"), demo_file("captions.json"));
    let alone = ["-q", &*one, &*truths, "--captions-per-image", "5"];
    let of_one = |kind| [&["plot", kind][..], &alone[..]].concat();
    for (kind, words) in [
        ("over-alpha", "1 model"),
        ("over-steps", "broad has no number"),
        ("semantic-recall", "no similarity is named"),
        ("ratings", "no ratings of pairs"),
    ] {
        assert_error(1, &of_one(kind), &[words, "expected"]);
    }
    assert_error(2, &["plot", "over-alpa", "--demo"], &["over-alpha"]);
    for (args, told) in [
        ("models --k 3", "--k: models takes none"),
        ("slices --direction both", "--direction: slices takes at most 1"),
        ("models --truth original,rich", "--truth: models takes at most 1"),
        ("models --metrics mapp_at_r", "did you mean map_at_r?"),
        ("models --model hobby", "careful, broad, naive"),
        ("over-alpha --model careful,broad,naive", "takes at most 2, not 3"),
        ("semantic-recall --phi cider --pool random20s3", "semantic-recall takes none"),
        ("models -o models.gif", "models.gif"),
    ] {
        assert_error(1, &words(&format!("plot --demo -q {args}")), &[told]);
    }
    let file = folder.path().join("hubs.svg");
    fs::write(&file, "kept").unwrap();
    assert_error(1, &[&demo("bump")[..], &["-o", text(&file)]].concat(), &["--force"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), "kept");
}

#[test]
fn steps_of_a_training_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let steps = ["naive", "careful", "broad"].into_iter().enumerate().map(|(at, name)| {
        let step = folder.path().join(format!("step-{}.npy", 100 * (at + 1)));
        fs::copy(demo_file(&format!("{name}.npy")), &step).unwrap();
        text(&step).to_owned()
    });
    let steps: Vec<String> = steps.collect();
    let (truths, captions) = (demo_file(""), demo_file("captions.json"));
    let files: Vec<&str> = steps.iter().map(String::as_str).collect();
    let truths = ["original", "rich"].map(|name| format!("{truths}{name}_caption_to_image.json"));
    let files = [&files[..], &[&*captions, &*truths[0], &*truths[1]], &["-q"]].concat();
    let plot = printed(&[&["plot", "over-steps"], &files[..]].concat());
    assert!(plot.contains("mAP@R rich t2i"), "{plot}");
}

#[test]
fn the_explorer_writes_the_charts_that_it_shows() {
    let folder = tempfile::tempdir().unwrap();
    let shown = ["models", "over-alpha"];
    let mut explorer = Harness::demo(120, 40).keys("3<Home>");
    for kind in shown {
        let file = folder.path().join(format!("{kind}.svg"));
        explorer = explorer.keys(&format!("e<Ctrl-u>{}<Enter>", text(&file)));
        let message = explorer.message();
        assert!(message.starts_with("wrote "), "{kind}: {message}");
        let plot = printed(&[&demo(kind)[..], &["--direction", "t2i"]].concat());
        assert!(fs::read_to_string(&file).unwrap() == plot, "{kind} is another one");
        explorer = explorer.keys("v");
    }
}
