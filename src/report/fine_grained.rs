//! R@K by candidate pool and caption text, and changes.

use serde_json::json;

use super::Report;
use super::cell::Cell;
use super::list::{List, Section};
use super::paired_test;
use crate::analysis::fine_grained::{Change, Setting};
use crate::analysis::holm::Tested;
use crate::data::Direction;
use crate::metric::rsum::RECALLS;
use crate::study::Study;

/// Models by pool and text.
#[derive(Debug)]
pub struct FineGrained<'a> {
    /// Ids, texts and names.
    pub study: &'a Study,
    /// Every model in every pool.
    pub settings: &'a [Setting],
    /// Every setting against its baseline.
    pub changes: &'a [Tested<Change>],
    /// The ground truth of positives.
    pub truth: &'a str,
    /// Directions.
    pub directions: &'a [Direction],
}

impl FineGrained<'_> {
    /// Recalls and changes.
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

    fn texts_name(&self, setting: usize) -> &str {
        let model = self.settings[setting].model;
        let set = self.study.text_sets.get(self.study.text_set_of(model));
        set.map_or("original", |set| &set.name)
    }

    fn name(&self, setting: usize) -> &str {
        &self.study.models[self.settings[setting].model].name
    }

    /// Records of a setting in a direction each.
    fn list_of<'b, T>(
        &'b self,
        key: &'static str,
        title: &str,
        records: impl Iterator<Item = (usize, Direction, T)>,
    ) -> List<'b, (usize, Direction, T)> {
        let pool = |setting: usize| self.settings[setting].pool;
        List::new(key, title, records)
            .column("model", "model", |&(at, ..)| self.name(self.settings[at].baseline))
            .column("scores", "scores", |&(at, ..)| self.name(at))
            .column("pool", "pool", move |&(at, ..)| self.study.pool_name(pool(at)))
            .column("captions", "captions", |&(at, ..)| self.texts_name(at))
            .column("direction", "", |&(_, direction, _)| direction)
    }

    fn recalls(&self) -> Section {
        let settings = 0..self.settings.len();
        let records = self.directions.iter().flat_map(|&direction| {
            let of = move |at: usize| {
                Some((at, direction, self.settings[at].recalls[direction].as_ref()?))
            };
            settings.clone().filter_map(of)
        });
        let mut list = self.list_of("recalls", "R@K by pool and captions", records).column(
            "queries",
            "n",
            |(.., of)| of[0].queries.len(),
        );
        for (at, metric) in RECALLS.into_iter().enumerate() {
            list = list.column(metric.key(), metric.title(), move |(.., of)| {
                of[at].mean().map(Cell::share)
            });
        }
        list.section()
    }

    fn changes(&self) -> Section {
        let changes = self.changes.iter().map(|one| (one.key.setting, one.key.direction, one));
        let changes = changes.filter(|(_, direction, _)| self.directions.contains(direction));
        let title = "changes against the original captions in the first pool";
        self.list_of("changes", title, changes)
            .data("metric", |(.., one)| RECALLS[one.key.metric].key())
            .shown("metric", |(.., one)| RECALLS[one.key.metric].title())
            .data("queries", |(.., one)| one.paired.len())
            .paired_test(|(.., one)| *one)
            .section()
    }
}
