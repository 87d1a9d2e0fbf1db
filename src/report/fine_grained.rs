//! R@K by candidate pool and texts of the captions, the changes, and the queries that all models fail.

mod data;

use serde_json::Value;

use super::cell::{Cell, row};
use super::{Json, Report, Table};
use crate::analysis::fine_grained::{Change, Counted, OfSetting, Repaired, metrics};
use crate::analysis::inference::{Estimate, OF_DIFFERENCES};
use crate::data::Direction;
use crate::data::text::{Text, grouped};
use crate::metric::Unit;
use crate::study::Study;

/// Models by pool and texts.
#[derive(Debug)]
pub struct FineGrained<'a> {
    /// Ids, texts and names.
    pub study: &'a Study,
    /// What was counted.
    pub counted: &'a Counted,
    /// Every setting against its baseline.
    pub changes: &'a [Change],
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
        let mut tables = vec![self.recalls()];
        tables.extend(self.change());
        tables.extend(self.failed());
        tables.extend(self.directions.iter().filter_map(|&one| self.example(one)));
        Report {
            heading: format!("ground truth {}", self.truth),
            notes: vec![
                "R@K in percent; changes in percentage points against the first row of the model, on the queries \
                 of both"
                    .to_owned(),
                format!(
                    "95 % CI and p, clustered by image: {OF_DIFFERENCES}; * below 0.05 after Holm over all changes"
                ),
            ],
            ..Report::new(tables, self.data(), Json::tree(|| self.json()))
        }
    }

    /// The queries themselves, one a row, for other programs.
    pub fn list(&self, which: Which) -> Report<'_> {
        let what = match which {
            Which::Failed => "queries that all models fail at 1",
            Which::Repaired => "queries that all models fail at 1, right with other texts",
        };
        let table = move || self.queries(what, which, self.directions, usize::MAX);
        let json = Json::tree(move || table().records().collect::<Value>());
        Report::new(vec![table()], table(), json)
    }

    fn texts_name(&self, setting: usize) -> &str {
        let model = self.counted.settings[setting].model;
        let set = self.study.text_sets.get(self.study.text_set_of(model));
        set.map_or("original", |set| &set.name)
    }

    /// The model's name, of a variant that of its baseline too.
    fn name(&self, setting: usize) -> String {
        let name = |setting: usize| &self.study.models[self.counted.settings[setting].model].name;
        let (own, base) = (name(setting), name(self.counted.baseline(setting)));
        if own == base { own.clone() } else { format!("{base} ({own})") }
    }

    fn pool(&self, setting: usize) -> String {
        self.study.pool_name(self.counted.settings[setting].pool)
    }

    fn of(&self, setting: usize, direction: Direction) -> Option<&OfSetting> {
        self.counted.of_settings[setting][direction].as_ref()
    }

    fn mean(&self, setting: usize, direction: Direction, metric: usize) -> Option<f64> {
        self.of(setting, direction)?.means()[metric]
    }

    fn recalls(&self) -> Table<'_> {
        let row = move |setting: usize| {
            let mut cells = row![self.name(setting), self.pool(setting), self.texts_name(setting)];
            for &direction in self.directions {
                let queries = self.of(setting, direction).map(|of| of.queries().len());
                cells.push(queries.into());
                let value = |metric| self.mean(setting, direction, metric);
                let share = |value: Option<f64>| value.map(|value| Cell::Value(value, Unit::Share));
                cells.extend((0..metrics().len()).map(|metric| share(value(metric)).into()));
            }
            cells
        };
        let mut head = ["model", "pool", "captions"].map(str::to_owned).to_vec();
        for direction in self.directions {
            head.push(format!("n {direction}"));
            head.extend(metrics().map(|metric| format!("{} {direction}", metric.title())));
        }
        Table::new("R@K by pool and captions", head, 3, (0..self.counted.settings.len()).map(row))
    }

    fn wanted(&self) -> impl Iterator<Item = &Change> {
        let is_wanted = |one: &&Change| self.directions.contains(&one.direction);
        self.changes.iter().filter(is_wanted)
    }

    fn change(&self) -> Option<Table<'_>> {
        let row = |one: &Change| {
            let difference = |value| Cell::Difference(value, Unit::Share);
            let means = one.paired.means();
            let interval = one.estimate.map(Estimate::interval);
            let [wins, _, losses] = one.paired.counts(Unit::Share);
            row![
                self.name(one.to),
                self.pool(one.to),
                self.texts_name(one.to),
                one.direction,
                metrics()[one.metric].title(),
                means.map(|[now, before]| difference(now - before)),
                interval.map(|ends| Cell::interval(ends, difference)),
                wins,
                losses,
                one.adjusted.map(Cell::corrected)
            ]
        };
        let head = [
            "model",
            "pool",
            "captions",
            "",
            "metric",
            "change",
            "95 % CI",
            "gained",
            "lost",
            "Holm-adjusted p",
        ];
        let title = "changes against the original captions in the first pool";
        Table::new(title, head, 5, self.wanted().map(row)).if_any()
    }

    fn failed(&self) -> Option<Table<'_>> {
        let row = |one: &Repaired| {
            let failed = self.counted.all_fail(one.direction).len();
            let share = |part: usize, of: usize| {
                let share = (of > 0).then(|| part as f64 / of as f64);
                share.map(|share| Cell::Value(share, Unit::Share))
            };
            let repaired = one.repaired.len();
            row![
                self.name(one.setting),
                self.texts_name(one.setting),
                one.direction,
                failed,
                repaired,
                share(repaired, failed),
                one.right,
                one.lost,
                share(one.lost, one.right)
            ]
        };
        let head = [
            "model",
            "captions",
            "",
            "all models fail at 1",
            "now right",
            "%",
            "right before",
            "now wrong",
            "%",
        ];
        let is_wanted = |one: &&Repaired| self.directions.contains(&one.direction);
        let rows = self.repaired.iter().filter(is_wanted).map(row);
        let title = "what other captions make of the queries that all models fail at 1, and of those that the model \
                     had right";
        Table::new(title, head, 3, rows).if_any()
    }

    fn example(&self, direction: Direction) -> Option<Table<'_>> {
        let has_variants = self.repaired.iter().any(|one| one.direction == direction);
        let which = if has_variants { Which::Repaired } else { Which::Failed };
        let shown = match which {
            Which::Repaired => {
                "right with other captions, though all models fail at 1 with the original ones"
            }
            Which::Failed => "all models fail at 1",
        };
        let queries = self.chosen(which, direction).len();
        let title = format!("{direction}: {} queries {shown}", grouped(queries));
        self.queries(&title, which, &[direction], self.examples).if_any()
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

    /// The settings in the first pool.
    fn in_first_pool(&self) -> Vec<usize> {
        let pool = self.counted.settings.first().map(|one| one.pool);
        let all = 0..self.counted.settings.len();
        all.filter(|&at| Some(self.counted.settings[at].pool) == pool).collect()
    }

    /// Ids, the rank of the first positive in each setting of the first pool, texts.
    fn queries(
        &self,
        title: &str,
        which: Which,
        directions: &[Direction],
        most: usize,
    ) -> Table<'_> {
        let settings = self.in_first_pool();
        let rank = |setting: usize, direction, query| {
            let first = self.of(setting, direction).and_then(|of| of.first_of(query));
            first.map(|rank| rank as usize)
        };
        let sets = self.study.text_sets.len().max(1);
        let row = |direction: Direction, query: u32| {
            let name = self.study.gallery.queries(direction)[query as usize].to_string();
            let mut cells = row![direction, Cell::Id(name)];
            cells.extend(settings.iter().map(|&at| Cell::from(rank(at, direction, query))));
            cells.extend((0..sets).map(|set| Cell::from(self.text(set, direction, query))));
            cells
        };
        let mut rows = Vec::new();
        for &direction in directions {
            let chosen = self.chosen(which, direction);
            rows.extend(chosen.into_iter().take(most).map(|query| row(direction, query)));
        }
        let mut head = vec!["direction".to_owned(), "id".to_owned()];
        head.extend(settings.iter().map(|&at| {
            format!("rank {}", self.study.models[self.counted.settings[at].model].name)
        }));
        let names = self.study.text_sets.iter().map(|set| format!("{} text", set.name));
        let names: Vec<String> = names.collect();
        head.extend(if names.is_empty() { vec!["text".to_owned()] } else { names });
        let numbers = 2..2 + settings.len();
        Table::new(title, head, 2, rows).with_numbers(numbers)
    }

    /// A caption, of an image its first, in a set of texts.
    fn text(&self, set: usize, direction: Direction, query: u32) -> String {
        let caption = match direction {
            Direction::T2i => Some(query),
            Direction::I2t => self.study.own(Direction::I2t, query as usize).first(),
        };
        let texts =
            self.study.text_sets.get(set).map_or(&self.study.gallery.texts, |set| &set.texts);
        let text = caption.and_then(|caption| texts.get(caption as usize));
        text.map(Text::shown).unwrap_or_default().to_owned()
    }
}
