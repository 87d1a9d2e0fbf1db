//! Models side by side: tests, flips and similarity.

mod data;
mod differences;
mod paper;
mod tables;

use super::{Json, Report};
use crate::analysis::compare::{Family, ModelDifference};
use crate::analysis::inference::Margin;
use crate::analysis::runs::Runs;
use crate::analysis::similarity::Similarity;
use crate::metric::{Shortage, Unit};
use crate::study::{Pool, Study};

/// The result of `compare`: tests and similarities of every two models.
#[derive(Debug)]
pub struct Compared<'a> {
    /// Names of models and truths.
    pub study: &'a Study,
    /// The models, in the order asked for.
    pub models: &'a [Runs],
    /// The candidate pool.
    pub pool: Pool,
    /// The random seed of the items that rankings are compared over.
    pub seed: u64,
    /// Whether captions of one image form a cluster.
    pub by_image: bool,
    /// The margin of tests for equivalence, in points of percent or ranks.
    pub margin: Option<f64>,
    /// What p-values are corrected over.
    pub family: Family,
    /// The tests.
    pub rows: &'a [ModelDifference],
    /// How alike each two models rank, by their places; of several runs the first is taken.
    pub similarities: &'a [([usize; 2], Similarity)],
}

impl Compared<'_> {
    /// For each two models the differences, tests and effects, flips and similarities.
    pub fn report(&self) -> Report<'_> {
        Report {
            paper: Some(paper::paper(self)),
            notes: tables::legend(self),
            ..Report::new(tables::tables(self), data::data(self), Json::tree(|| data::json(self)))
        }
    }

    /// The names of two models.
    fn names(&self, models: [usize; 2]) -> [&str; 2] {
        models.map(|model| self.models[model].name.as_str())
    }

    /// Why a row has no numbers: the models whose rankings end too early, and where.
    fn short(&self, row: &ModelDifference) -> Vec<String> {
        let names = self.names(row.models);
        let both = names.into_iter().zip(row.paired.shortage);
        let told = |(name, shortage): (&str, Option<Shortage>)| {
            let (key, direction) = (&row.line.key, row.direction);
            shortage.map(|why| format!("{name} {direction} undefined: {key} {why}"))
        };
        both.filter_map(told).collect()
    }

    /// Tests of a row against the margin; `None` where none is asked for.
    fn margin(&self, row: &ModelDifference) -> Option<Margin> {
        let margin = match row.unit() {
            Unit::Share | Unit::Residual => self.margin? / 100.0,
            Unit::Sum | Unit::Rank => self.margin?,
        };
        Some(row.tested()?.within(margin, row.unit()))
    }

    /// The model of a row with a single run beside several of the other, for which the row is not tested.
    fn single_run(&self, row: &ModelDifference) -> Option<&str> {
        Some(&self.models[row.models[row.single_run()?]].name)
    }

    /// Each two models, in the order of their rows.
    fn pairs(&self) -> Vec<[usize; 2]> {
        let mut pairs: Vec<[usize; 2]> = self.rows.iter().map(|row| row.models).collect();
        pairs.dedup();
        pairs
    }
}
