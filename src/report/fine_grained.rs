//! R@K by candidate pool and text set, and changes between them.

use serde_json::json;

use super::Report;
use super::cell::Cell;
use super::list::{List, Section};
use super::paired_test;
use crate::analysis::fine_grained::{Change, Setting};
use crate::analysis::holm::HolmTest;
use crate::data::Direction;
use crate::metric::rsum::RECALLS;
use crate::study::Study;

/// The result of `fg`: recalls of models by pool and text set.
#[derive(Debug)]
pub struct FineGrained<'a> {
    /// Study with the models, pools and text sets.
    pub study: &'a Study,
    /// Every model in every pool.
    pub settings: &'a [Setting],
    /// Tests of every setting against its baseline.
    pub changes: &'a [HolmTest<Change>],
    /// The ground truth of positives.
    pub truth: &'a str,
    /// Directions of the recalls.
    pub directions: &'a [Direction],
}

impl FineGrained<'_> {
    /// Recalls of every setting, and changes against its baseline.
    pub fn report(&self) -> Report<'_> {
        Report {
            heading: format!("ground truth {}", self.truth),
            notes: vec![
                "R@K in percent; differences against the first row of the model, on the queries of both"
                    .to_owned(),
                paired_test::note(!self.changes.is_empty()),
            ],
            ..Report::from_sections(vec![self.recalls(), self.changes()])
        }
        .with_json("truth", json!(self.truth))
    }

    /// The name of the captions of a setting, by its index.
    fn text_set_name(&self, setting: usize) -> &str {
        let model = self.settings[setting].model;
        let set = self.study.text_sets.get(self.study.text_set_index(model));
        set.map_or("original", |set| &set.name)
    }

    /// The name of the scores of a setting, by its index.
    fn model_name(&self, setting: usize) -> &str {
        &self.study.models[self.settings[setting].model].name
    }

    /// A list of records (index of a setting, direction, further values) with columns for setting and direction.
    fn setting_list<'b, T>(
        &'b self,
        key: &'static str,
        title: &str,
        records: impl Iterator<Item = (usize, Direction, T)>,
    ) -> List<'b, (usize, Direction, T)> {
        let pool = |setting: usize| self.settings[setting].pool;
        List::new(key, title, records)
            .column("model", "model", |&(at, ..)| self.model_name(self.settings[at].baseline))
            .column("scores", "scores", |&(at, ..)| self.model_name(at))
            .column("pool", "pool", move |&(at, ..)| self.study.pool_name(pool(at)))
            .column("captions", "captions", |&(at, ..)| self.text_set_name(at))
            .column("direction", "", |&(_, direction, _)| direction)
    }

    /// A row for each setting and direction, with R@K.
    fn recalls(&self) -> Section {
        let settings = 0..self.settings.len();
        let records = self.directions.iter().flat_map(|&direction| {
            let recalls = move |at: usize| {
                Some((at, direction, self.settings[at].recalls[direction].as_ref()?))
            };
            settings.clone().filter_map(recalls)
        });
        let mut list = self.setting_list("recalls", "R@K by pool and captions", records).column(
            "queries",
            "n",
            |(.., recalls)| recalls[0].queries.len(),
        );
        for (at, metric) in RECALLS.into_iter().enumerate() {
            list = list.column(metric.key(), metric.title(), move |(.., recalls)| {
                recalls[at].mean().map(Cell::share)
            });
        }
        list.section()
    }

    /// A row for each setting, direction and metric, with the test against the baseline.
    fn changes(&self) -> Section {
        let changes = self.changes.iter().map(|test| (test.key.setting, test.key.direction, test));
        let changes = changes.filter(|(_, direction, _)| self.directions.contains(direction));
        let title = "changes against the original captions in the first pool";
        self.setting_list("changes", title, changes)
            .data("metric", |(.., one)| RECALLS[one.key.metric].key())
            .display("metric", |(.., one)| RECALLS[one.key.metric].title())
            .data("queries", |(.., one)| one.paired.len())
            .paired_test(|(.., one)| *one)
            .section()
    }
}
