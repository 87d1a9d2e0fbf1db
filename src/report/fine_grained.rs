//! R@K by candidate pool and texts of the captions, the changes, and the queries that all models fail.

use serde_json::json;

use super::Report;
use super::cell::Cell;
use super::list::{List, Section};
use super::paired_test;
use crate::analysis::fine_grained::{Change, Counted, Recalls, Repaired};
use crate::analysis::holm::Tested;
use crate::data::Direction;
use crate::data::text::{Text, count};
use crate::metric::rsum::RECALLS;
use crate::study::Study;

/// Models by pool and texts.
#[derive(Debug)]
pub struct FineGrained<'a> {
    /// Ids, texts and names.
    pub study: &'a Study,
    /// What was counted.
    pub counted: &'a Counted,
    /// Every setting against its baseline.
    pub changes: &'a [Tested<Change>],
    /// What other texts make of the queries that all models fail.
    pub repaired: &'a [Repaired],
    /// The truth that positives are of.
    pub truth: &'a str,
    /// Directions.
    pub directions: &'a [Direction],
    /// The most queries to show as examples.
    pub examples: usize,
}

/// Which of the queries that all models fail at 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// All of them.
    Failed,
    /// Those whose top-1 is correct with other texts, under any model.
    Repaired,
}

impl FineGrained<'_> {
    /// Recalls, changes, what became of the queries that all models fail, and examples.
    pub fn report(&self) -> Report<'_> {
        let which = if self.repaired.is_empty() { Which::Failed } else { Which::Repaired };
        Report {
            heading: format!("ground truth {}", self.truth),
            notes: vec![
                "R@K in percent; differences against the first row of the model, on the queries of both"
                    .to_owned(),
                paired_test::note(!self.changes.is_empty()),
            ],
            ..Report::of(vec![
                self.recalls(),
                self.changes(),
                self.failed(),
                self.queries(which, self.examples),
            ])
        }
        .with_json("truth", json!(self.truth))
    }

    /// The queries themselves.
    pub fn list(&self, which: Which) -> Report<'_> {
        Report::of(vec![self.queries(which, usize::MAX)])
    }

    fn texts_name(&self, setting: usize) -> &str {
        let model = self.counted.settings[setting].model;
        let set = self.study.text_sets.get(self.study.text_set_of(model));
        set.map_or("original", |set| &set.name)
    }

    fn name(&self, setting: usize) -> &str {
        &self.study.models[self.counted.settings[setting].model].name
    }

    fn of(&self, setting: usize, direction: Direction) -> Option<&Recalls> {
        self.counted.settings[setting].recalls[direction].as_ref()
    }

    /// Records of a setting in a direction each.
    fn list_of<'b, T>(
        &'b self,
        key: &'static str,
        title: &str,
        records: impl Iterator<Item = (usize, Direction, T)>,
    ) -> List<'b, (usize, Direction, T)> {
        let pool = |setting: usize| self.counted.settings[setting].pool;
        List::new(key, title, records)
            .column("model", "model", |&(at, ..)| self.name(self.counted.settings[at].baseline))
            .column("scores", "scores", |&(at, ..)| self.name(at))
            .column("pool", "pool", move |&(at, ..)| self.study.pool_name(pool(at)))
            .column("captions", "captions", |&(at, ..)| self.texts_name(at))
            .column("direction", "", |&(_, direction, _)| direction)
    }

    fn recalls(&self) -> Section {
        let settings = 0..self.counted.settings.len();
        let records = self.directions.iter().flat_map(|&direction| {
            let of = move |at| Some((at, direction, self.of(at, direction)?));
            settings.clone().filter_map(of)
        });
        let mut list = self.list_of("recalls", "R@K by pool and captions", records).column(
            "queries",
            "n",
            |(.., of)| of.values[0].queries.len(),
        );
        for (at, metric) in RECALLS.into_iter().enumerate() {
            list = list.column(metric.key(), metric.title(), move |(.., of)| {
                of.values[at].mean().map(Cell::share)
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

    fn failed(&self) -> Section {
        let repaired = self.repaired.iter().map(|one| (one.setting, one.direction, one));
        let repaired = repaired.filter(|(_, direction, _)| self.directions.contains(direction));
        let title =
            "other captions: queries that all models fail at 1, and those that the model had right";
        self.list_of("failed", title, repaired)
            .column("failed", "all fail", |(_, direction, _)| {
                self.counted.all_fail(*direction).len()
            })
            .column("now_right", "now right", |(.., one)| one.repaired.len())
            .column("right_before", "right before", |(.., one)| one.right)
            .column("now_wrong", "now wrong", |(.., one)| one.lost)
            .section()
    }

    /// The queries of a kind, at most so many in each direction: ids, the rank of the first positive in each setting of
    /// the first pool, texts.
    fn queries(&self, which: Which, most: usize) -> Section {
        let chosen =
            self.directions.iter().map(|&direction| (direction, self.chosen(which, direction)));
        let chosen: Vec<(Direction, Vec<u32>)> = chosen.collect();
        let total = chosen.iter().map(|(_, queries)| queries.len()).sum();
        let is_cut = chosen.iter().any(|(_, queries)| queries.len() > most);
        let cut =
            if is_cut { format!(", the first {most} in each direction") } else { String::new() };
        let what = match which {
            Which::Failed => "that all models fail at 1",
            Which::Repaired => "that all models fail at 1, right with other captions",
        };
        let records = chosen.into_iter().flat_map(|(direction, queries)| {
            queries.into_iter().take(most).map(move |query| (direction, query))
        });
        let title = format!("{} {what}{cut}", count(total, "query"));
        let mut list = List::new("queries", title, records)
            .column("direction", "", |&(direction, _)| direction)
            .column("id", "id", |&(direction, query)| {
                Cell::Id(self.study.gallery.queries(direction)[query as usize].to_string())
            });
        for at in self.counted.in_first_pool() {
            let name = self.name(at);
            list = list.column(
                format!("rank_{name}"),
                format!("rank {name}"),
                move |&(direction, query)| self.of(at, direction)?.first.get(&query).copied(),
            );
        }
        let sets = self.study.text_sets.iter().map(|set| (set.name.as_str(), &set.texts));
        let mut sets: Vec<_> = sets.collect();
        if sets.is_empty() {
            sets.push(("original", &self.study.gallery.texts));
        }
        for (name, texts) in sets {
            list = list.column(
                format!("text_{name}"),
                format!("{name} text"),
                move |&(direction, query)| {
                    // Of an image its first caption.
                    let caption = match direction {
                        Direction::T2i => Some(query),
                        Direction::I2t => self.study.own(direction, query as usize).first(),
                    };
                    let text = caption.and_then(|caption| texts.get(caption as usize));
                    text.map(Text::shown).unwrap_or_default().to_owned()
                },
            );
        }
        list.section()
    }

    /// The queries of a kind.
    fn chosen(&self, which: Which, direction: Direction) -> Vec<u32> {
        if which == Which::Failed {
            return self.counted.all_fail(direction);
        }
        let of_direction = self.repaired.iter().filter(|one| one.direction == direction);
        let mut queries: Vec<u32> = of_direction.flat_map(|one| one.repaired.clone()).collect();
        queries.sort_unstable();
        queries.dedup();
        queries
    }
}
