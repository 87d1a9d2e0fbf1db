//! Small studies with the numbers they must give: each file of `fixtures/scenarios` is one case.

use std::collections::BTreeMap;
use std::path::Path;

use itm_explore::data::Direction;
use itm_explore::evaluate::plan::{Choice, Request, Rule};
use itm_explore::evaluate::{self, Value};
use itm_explore::jobs::ModelScores;
use itm_explore::rank::counter::Counter;
use itm_explore::rank::pass::CancelToken;
use itm_explore::study::{Inputs, Study};
use serde::Deserialize;

use crate::common;

type Lists = BTreeMap<String, Vec<i64>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenario {
    doc: String,
    /// Images x captions.
    scores: Vec<Vec<f32>>,
    /// Truth, direction, query, positives; ids are indices.
    truths: BTreeMap<String, BTreeMap<String, Lists>>,
    /// Pool, images and captions; ids are indices.
    #[serde(default)]
    pools: BTreeMap<String, [Vec<i64>; 2]>,
    /// Key, direction, value.
    #[serde(default)]
    expected: BTreeMap<String, BTreeMap<String, f64>>,
    /// Key, direction, the value of each query in order.
    #[serde(default)]
    per_query: BTreeMap<String, BTreeMap<String, Vec<f64>>>,
    /// Truth, direction, number of judged queries.
    #[serde(default)]
    judged: BTreeMap<String, BTreeMap<String, usize>>,
}

impl Scenario {
    /// The study, through the files that a user would have.
    fn study(&self, folder: &Path) -> Study {
        let (rows, columns) = (self.scores.len(), self.scores[0].len());
        let data: Vec<u8> =
            self.scores.iter().flatten().flat_map(|score| score.to_le_bytes()).collect();
        let model = folder.join("model.npy");
        std::fs::write(&model, common::npy("'<f4'", false, &format!("({rows}, {columns})"), &data))
            .unwrap();
        let mut files = vec![model];
        for (name, directions) in &self.truths {
            let path = folder.join(format!("{name}.json"));
            std::fs::write(&path, serde_json::to_vec(directions).unwrap()).unwrap();
            files.push(path);
        }
        let pool = |(name, sides): (&String, &[Vec<i64>; 2])| {
            let write = |at: usize| {
                let path = folder.join(format!("{name}-{at}.json"));
                std::fs::write(&path, serde_json::to_vec(&sides[at]).unwrap()).unwrap();
                path
            };
            [(name.clone(), write(0)), (name.clone(), write(1))]
        };
        itm_explore::study::open(&Inputs {
            files,
            pools: self.pools.iter().flat_map(pool).collect(),
            ..Inputs::default()
        })
        .unwrap()
    }
}

fn check(name: &str, text: &str) {
    let scenario: Scenario = toml::from_str(text).unwrap_or_else(|e| panic!("{name}: {e}"));
    let folder = tempfile::tempdir().unwrap();
    let study = scenario.study(folder.path());
    let request = Request {
        metrics: Choice::All,
        depths: vec![1, 5, 10],
        pools: std::iter::once("all".to_owned())
            .chain(scenario.pools.keys().cloned())
            .map(|name| study.pool_named(&name).unwrap())
            .collect(),
        ..Request::default()
    };
    let evaluation = evaluate::evaluate(&study, &request, &CancelToken::default()).unwrap();
    let what = format!("{name}: {}", scenario.doc);
    for (key, directions) in &scenario.expected {
        let at = evaluation.lines.iter().position(|line| line.key == *key).expect(key);
        let Value::Each(values) = evaluation.models[0].2[at] else { panic!("{key} is a sum") };
        for (direction, expected) in directions {
            let value = values[parsed(direction)].and_then(|summary| summary.value);
            assert!(
                value.is_some_and(|v| (v - expected).abs() < 1e-12),
                "{what}: {key} {direction} is {value:?}"
            );
        }
    }
    for (truth, directions) in &scenario.judged {
        let (_, judged) = evaluation.covered.iter().find(|(name, _)| name == truth).unwrap();
        for (direction, expected) in directions {
            assert_eq!(judged[parsed(direction)], Some(*expected), "{what}: {truth} {direction}");
        }
    }
    let counter = Counter::new(&study.truths, &study.gallery, None);
    let token = CancelToken::default();
    let ranks = counter.ranks(&study.models[0], &token);
    let scores = ModelScores::new(&study, &ranks.unwrap().unwrap(), &token).unwrap();
    for (key, directions) in &scenario.per_query {
        let line = evaluation.lines.iter().find(|line| line.key == *key).expect(key);
        let Rule::Metric(spec, _) = line.rule else { panic!("{key} has no values by query") };
        for (direction, expected) in directions {
            let ranks = &scores.get(line.truth, parsed(direction)).unwrap().ranks;
            assert_eq!(ranks.len(), expected.len(), "{what}");
            let values = ranks.iter().map(|query| spec.per_query(query));
            for (value, expected) in values.zip(expected) {
                assert!(
                    (value.unwrap() - expected).abs() < 1e-12,
                    "{what}: {key} {value:?} {expected}"
                );
            }
        }
    }
}

fn parsed(direction: &str) -> Direction {
    Direction::BOTH.into_iter().find(|known| known.key() == direction).unwrap()
}

#[test]
fn every_scenario_gives_its_numbers() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/scenarios");
    let mut cases = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        check(
            &path.file_name().unwrap().to_string_lossy(),
            &std::fs::read_to_string(&path).unwrap(),
        );
        cases += 1;
    }
    assert!(cases >= 5, "the scenarios are not found");
}
