//! Numbers of the reference packages, where they lie beside the project.
//!
//! `coco5k_*.json` and `ties_120.json` were computed by the Python package `eccv_caption` from the same
//! matrices. The 5K matrices (500 MB each) are made once, into the folder that `ITM_EXPLORE_SCORES`
//! names, by `python3 ../shared/tools/make_scores.py lsa lsa.npy` (and `minilm`).

use crate::common;

use std::path::Path;

use common::{scores, shared};
use itm_explore::data::Direction;
use itm_explore::evaluate::plan::Request;
use itm_explore::evaluate::{self, Evaluation, Value};
use itm_explore::rank::pass::CancelToken;
use itm_explore::study::Inputs;

fn evaluated(inputs: &Inputs) -> Evaluation {
    let study = itm_explore::study::open(inputs).unwrap();
    evaluate::evaluate(&study, &Request::default(), &CancelToken::default()).unwrap()
}

/// Every number of the oracle that the evaluation has a line for equals it; the count is returned.
fn compare(oracle: &Path, evaluation: &Evaluation, skip: &[&str]) -> usize {
    let text = std::fs::read_to_string(oracle).unwrap();
    let oracle: serde_json::Value = serde_json::from_str(&text).unwrap();
    let metrics = oracle.get("metrics").unwrap_or(&oracle).as_object().unwrap();
    let mut compared = 0;
    for (key, directions) in metrics.iter().filter(|(key, _)| !skip.contains(&key.as_str())) {
        let at = evaluation.lines.iter().position(|line| line.key == *key);
        let at = at.unwrap_or_else(|| panic!("{key} is missing"));
        let Value::Each(values) = evaluation.models[0].2[at] else { panic!("{key} is a sum") };
        for direction in Direction::BOTH {
            let expected = directions[direction.key()].as_f64().unwrap();
            let value = values[direction].and_then(|summary| summary.value).unwrap();
            assert!((value - expected).abs() < 1e-12, "{key} {direction}: {value}, not {expected}");
            compared += 1;
        }
    }
    compared
}

#[test]
#[ignore = "needs ../shared"]
fn a_matrix_full_of_ties() {
    let folder = shared("oracles");
    let inputs = Inputs {
        files: vec![folder.join("ties_120.npy"), folder.join("ties_120_truths")],
        caption_ids: Some(folder.join("ties_120_caption_ids.npy")),
        ..Inputs::default()
    };
    assert_eq!(compare(&folder.join("ties_120.json"), &evaluated(&inputs), &[]), 30);
}

#[test]
#[ignore = "needs ../shared and its 5K matrices"]
fn the_5k_study() {
    let (oracles, truths) = (shared("oracles"), shared("data/coco5k"));
    for model in ["lsa", "minilm"] {
        let inputs = Inputs { files: vec![scores(model), truths.clone()], ..Inputs::default() };
        let oracle = oracles.join(format!("coco5k_{model}.json"));
        assert_eq!(compare(&oracle, &evaluated(&inputs), &["pmrp"]), 28, "{model}");
    }
}
