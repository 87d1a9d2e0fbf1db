//! Comparison of models: the conclusion, then one table, of differences of two models or of ranks of more; with
//! `--full` all details.

mod conclusion;
mod differences;
mod notes;
mod rankings;
pub mod ranks;

use serde_json::json;

use super::Report;
use super::list::Section;
use crate::analysis::compare::ModelDifference;
use crate::analysis::inference::LEVEL;
use crate::analysis::leaderboard::Leaderboard;
use crate::analysis::runs::Runs;
use crate::analysis::similarity::Similarity;
use crate::data::Direction;
use crate::metric::{Shortage, Unit};
use crate::study::{Pool, Study};

/// The result of `compare`: ranks of all models, and tests and similarities of each two.
#[derive(Debug)]
pub struct Comparison<'a> {
    /// Names of models and ground truths.
    pub study: &'a Study,
    /// The models, in the order asked for.
    pub models: &'a [Runs],
    /// Ranks of the models, if there are more than two or results of earlier runs.
    pub board: Option<Leaderboard>,
    /// The candidate pool.
    pub pool: Pool,
    /// The random seed of the items on which rankings are compared.
    pub seed: u64,
    /// Whether CIs and tests cluster queries by image; if not, each query is a cluster.
    pub by_image: bool,
    /// The margin of tests for equivalence, in percentage points or ranks.
    pub margin: Option<f64>,
    /// Differences of each two models with their tests; empty if models are ranked without pairwise tests.
    pub rows: &'a [ModelDifference],
    /// Similarities of the rankings of two models, given by their indices; of several runs the first is used.
    pub similarities: &'a [([usize; 2], Similarity)],
    /// Whether tables include counts, winner flips, similarities and all notes (`--full`).
    pub is_full: bool,
}

/// Two models in display order.
#[derive(Debug, Clone, Copy)]
struct Pair {
    /// Indices, as in [`ModelDifference::models`].
    models: [usize; 2],
    /// Indices in `models` of the one shown first and of the one shown second.
    order: [usize; 2],
}

impl Pair {
    /// Sorts a value of each model into display order.
    fn arrange<T: Copy>(self, of_models: [T; 2]) -> [T; 2] {
        self.order.map(|at| of_models[at])
    }

    /// Converts a difference of the models, first minus second, to display order.
    fn orient(self, difference: f64) -> f64 {
        if self.order[0] == 0 { difference } else { -difference }
    }
}

impl Comparison<'_> {
    /// The conclusion and the tables behind it. For programs, differences are first minus second, in input order.
    pub fn report(&self) -> Report<'_> {
        let gallery = &self.study.gallery;
        let has_pairs = !self.rows.is_empty();
        let mut sections = self.board.as_ref().map_or_else(Vec::new, ranks::sections);
        if has_pairs {
            sections.extend(differences::sections(self));
            let mut rankings = rankings::sections(self);
            if !self.is_full {
                rankings = rankings.map(Section::for_programs);
            }
            sections.extend(rankings);
        }
        let mut notes =
            self.board.as_ref().map_or_else(Vec::new, |board| ranks::notes(board, Some(self)));
        notes.extend(notes::notes(self));
        let report = Report {
            heading: match &self.board {
                Some(board) => board.conclusion(),
                None => conclusion::heading(self),
            },
            notes,
            best: self.board.as_ref().map(|_| "best model"),
            ..Report::from_sections(sections)
        };
        let report = if has_pairs {
            report.with_json("similarity", rankings::similarity_json(self))
        } else {
            report
        };
        report.with_facts(json!({
            "study": {"images": gallery.images.len(), "captions": gallery.captions.len()},
            "pool": self.study.pool_name(self.pool),
            "seed": self.seed,
            "by_image": self.by_image,
            "clusters": if self.by_image { "image" } else { "query" },
            "holm_over": if has_pairs { "all" } else { "metric" },
            "level": LEVEL,
            "margin": self.margin,
        }))
    }

    /// The names of two models.
    fn names(&self, models: [usize; 2]) -> [&str; 2] {
        models.map(|model| self.models[model].name.as_str())
    }

    /// The names of two models in display order.
    fn ordered_names(&self, pair: Pair) -> [&str; 2] {
        pair.arrange(self.names(pair.models))
    }

    /// The name of the ground truth of a row, with its pool.
    fn truth_name(&self, row: &ModelDifference) -> String {
        let name = &self.study.truths[row.line.truth].name;
        match self.pool {
            Pool::All => name.clone(),
            pool => format!("{name}@{}", self.study.pool_name(pool)),
        }
    }

    /// Why a row has no numbers: a sentence for each model whose rankings are too short.
    fn shortages(&self, row: &ModelDifference) -> Vec<String> {
        let shortages = self.names(row.models).into_iter().zip(row.paired.shortage);
        let sentence = |(name, shortage): (&str, Option<Shortage>)| {
            let (key, direction) = (&row.line.key, row.direction);
            shortage.map(|why| format!("{name} {direction} undefined: {key} {why}"))
        };
        shortages.filter_map(sentence).collect()
    }

    /// p-values of equivalence and non-inferiority within the margin; `None` without a margin or a testable estimate.
    fn margin_p_values(&self, row: &ModelDifference) -> Option<[f64; 2]> {
        let margin = match row.unit() {
            Unit::Share | Unit::Residual => self.margin? / 100.0,
            Unit::Sum | Unit::Rank => self.margin?,
        };
        Some(row.testable_estimate()?.margin_p_values(margin, row.unit()))
    }

    /// The name of the model with a single run if the other has several: the row is not tested. Else `None`.
    fn single_run_model(&self, row: &ModelDifference) -> Option<&str> {
        Some(&self.models[row.models[row.single_run()?]].name)
    }

    /// Each two models, in the order of the rows. The better one is shown first. With a margin input order is kept,
    /// since non-inferiority is tested for the first model.
    fn pairs(&self) -> Vec<Pair> {
        let mut pairs: Vec<[usize; 2]> = self.rows.iter().map(|row| row.models).collect();
        pairs.dedup();
        let order = |models| match self.margin {
            Some(_) => [0, 1],
            None => conclusion::display_order(self, models),
        };
        pairs.into_iter().map(|models| Pair { models, order: order(models) }).collect()
    }

    /// The directions of the rows.
    fn directions(&self) -> impl Iterator<Item = Direction> {
        let has_row =
            |direction: &Direction| self.rows.iter().any(|row| row.direction == *direction);
        Direction::BOTH.into_iter().filter(has_row)
    }
}
