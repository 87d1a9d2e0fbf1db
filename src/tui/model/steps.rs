//! The steps of a training: the one looked at, and a query over all of them.

use super::Model;
use crate::data::index::TruthIx;
use crate::data::text::grouped;
use crate::metric::{Spec, hit, map_at_r::MapAtR};
use crate::rank::QueryRanks;
use crate::study::series::Kind;
use crate::study::{Step, View};
use crate::tui::signs;

/// What is said where models are no steps.
pub const NO_STEPS: &str = "the models are no steps of a training: start with --series";

/// A query at one step.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryAtStep {
    /// The step.
    pub step: Step,
    /// What is known of it there; `None` while it is counted.
    pub counted: Option<Counted>,
}

/// A query under the ranks of one model.
#[derive(Debug, Clone, PartialEq)]
pub struct Counted {
    /// Rank of the first positive; `None` where none is ranked.
    pub first: Option<u32>,
    /// The same in words.
    pub words: String,
    /// Whether top-1 is correct, where that is known.
    pub is_correct: Option<bool>,
    /// AP@R, 0 to 1, where it is defined.
    pub ap: Option<f64>,
}

impl Counted {
    fn of(ranks: QueryRanks<'_>) -> Self {
        Counted {
            first: ranks.first(),
            words: signs::first_rank(ranks),
            is_correct: hit::is_correct(ranks),
            ap: Spec::new(&MapAtR).per_query(ranks),
        }
    }

    /// What the best step is found by; `None` where no positive is ranked.
    fn order(&self) -> Option<(u32, f64)> {
        Some((self.first?, self.ap.unwrap_or(0.0)))
    }
}

/// A query over all steps, under one truth and with verdicts.
#[derive(Debug, Clone, PartialEq)]
pub struct Trajectory {
    /// Step by step.
    pub steps: Vec<QueryAtStep>,
    /// The step at which the first positive has its least rank, of equal ones that of the greatest AP@R, of these
    /// the earliest.
    pub best: Option<usize>,
    /// The step looked at; `None` for a mixture of two.
    pub present: Option<usize>,
}

impl Trajectory {
    /// How the query is learned; `None` while steps are counted, and where rankings end too early.
    pub fn kind(&self) -> Option<(&'static str, Kind)> {
        let counted = self.steps.iter().map(|at| at.counted.as_ref());
        let correct: Option<Vec<bool>> = counted.map(|of| of?.is_correct).collect();
        let kind = Kind::of(&correct?);
        Kind::ALL.into_iter().find(|(_, of)| *of == kind)
    }

    /// The step at a place, where it is counted.
    pub fn at(&self, place: Option<usize>) -> Option<(&QueryAtStep, &Counted)> {
        let at = &self.steps[place?];
        Some((at, at.counted.as_ref()?))
    }
}

impl Model {
    /// The step looked at, in words; `None` where models are no steps, and for a mixture of two.
    pub fn step_words(&self) -> Option<String> {
        let steps = &self.study.steps;
        let place = self.study.step_of(self.view.model)?;
        let number = grouped(steps[place].number as usize);
        Some(format!("step {number} ({}/{})", place + 1, steps.len()))
    }

    /// A query over the steps of a training; `None` where there are none, or the truth does not judge it.
    pub fn trajectory(&self, truth: TruthIx, query: usize) -> Option<Trajectory> {
        let View { direction, .. } = self.view;
        let relevance = self.study.truths[truth].relevance[direction].as_ref()?;
        let place = relevance.place(query)?;
        let at = |&step: &Step| {
            let model = step.model;
            let ranks = self.edited(View { model, truth, direction });
            let counted = ranks.map(|ranks| Counted::of(ranks.query(place)));
            QueryAtStep { step, counted }
        };
        let steps: Vec<QueryAtStep> = self.study.steps.iter().map(at).collect();
        let ranked = steps.iter().enumerate();
        let ranked = ranked.filter_map(|(at, of)| Some((of.counted.as_ref()?.order()?, at)));
        let best = ranked.min_by(|(one, _), (other, _)| {
            let by_rank = one.0.cmp(&other.0);
            by_rank.then(other.1.total_cmp(&one.1))
        });
        let best = best.map(|(_, at)| at);
        (!steps.is_empty()).then(|| Trajectory {
            present: self.study.step_of(self.view.model),
            steps,
            best,
        })
    }
}
