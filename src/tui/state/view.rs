//! The view and its scores: header metrics, their intervals, and which models have any.

use std::sync::Arc;

use super::Model;
use super::changes::Dirty;
use super::export::one_line;
use super::history::After;
use crate::analysis::clusters::{Clustering, cluster_of};
use crate::analysis::per_query::Values;
use crate::data::Direction;
use crate::data::index::{ModelIx, Per, TruthIx};
use crate::error::Error;
use crate::jobs::{ModelScores, Scored, Stamp};
use crate::metric::{Metric, Spec, Summary, hit, map_at_r};
use crate::study::{Pool, Study, View};
use crate::truth::{Kind, rule};

impl View {
    /// The first model under the richest truth.
    pub fn first(study: &Study) -> Self {
        let truth = study.richest().unwrap_or_default();
        // Caption queries have more non-GT positives.
        let first = study.truths.get(truth.get()).and_then(|truth| {
            let mut both = [Direction::T2i, Direction::I2t].into_iter();
            both.find(|&direction| truth.relevance[direction].is_some())
        });
        let direction = first.unwrap_or(Direction::I2t);
        View { model: ModelIx::default(), truth, direction }
    }
}

impl Model {
    /// Scores of the view.
    pub fn scored(&self) -> Option<&Scored> {
        self.scored_by(self.view.truth)
    }

    /// Scores of the current model and direction under another truth, with judgments.
    pub fn scored_by(&self, truth: TruthIx) -> Option<&Scored> {
        self.scored_at(View { truth, ..self.view })
    }

    /// Scores of a view with judgments: of the current view, or of any on a screen that shows all.
    pub fn scored_at(&self, view: View) -> Option<&Scored> {
        let judged = self.judged_at(view).map(Arc::as_ref);
        judged.or_else(|| self.counted_at(view))
    }

    /// Scores of a view without judgments.
    pub fn counted_at(&self, view: View) -> Option<&Scored> {
        match &self.numbers[view.model] {
            Numbers::Ready(scores) | Numbers::Stale(scores) if !self.is_turning(view) => {
                scores.get(view.truth, view.direction)
            }
            _ => None,
        }
    }

    /// Whether a pending dial changes the scores of a view: the current ones are outdated.
    pub(super) fn is_turning(&self, view: View) -> bool {
        let is_mixture = view.model.get() >= self.base.models.len();
        self.is_rejudged(view.truth) || is_mixture && self.dials.mix != self.study_dials.mix
    }

    /// Whether a pending dial changes queries or positives of a truth.
    pub(in crate::tui) fn is_rejudged(&self, truth: TruthIx) -> bool {
        let (to, from) = (self.dials, self.study_dials);
        let rule = rule::named(&self.study.truths[truth].name);
        to.pool != from.pool
            || rule.is_some_and(|rule| to.numbers[rule.name] != from.numbers[rule.name])
    }

    /// Shows the texts given to the current model; returns whether they changed.
    pub(super) fn show_texts_of_model(&mut self) -> bool {
        let Some(study) = self.study.with_texts_of(self.view.model) else {
            return false;
        };
        self.study = Arc::new(study);
        self.known.study_stamp = Stamp::fresh();
        self.known.error_analysis.texts = None;
        self.search.found = None;
        true
    }

    /// Sets the view, if it exists.
    pub(in crate::tui) fn look_at(&mut self, view: View) {
        if view.direction != self.view.direction {
            self.search.found = None;
        }
        self.view = view;
        self.dirty |= Dirty::VIEW;
        // A pending mixture: it is shown once it is there.
        if view.model.get() >= self.study.models.len() {
            self.known.awaited_model = Some(view.model);
            self.view.model = ModelIx::default();
        }
    }

    /// Stores the metrics of the view in the present step.
    pub(super) fn record_numbers(&mut self) {
        // Metrics from before a pending dial change do not belong to this step, nor do those over queries of a pending
        // filter.
        if self.wanted_dials().is_some() || self.is_filtering() {
            return;
        }
        if let Some(scored) = self.scored() {
            let values = self.filtered_numbers(scored);
            let after = After { view: self.view, values };
            self.history.steps[self.history.present].numbers = Some(after);
            self.take_intervals();
        }
    }

    /// The header's two metrics of the view, once known.
    pub fn numbers_now(&self) -> Option<[Summary; 2]> {
        let scored = self.scored().filter(|_| !self.is_filtering())?;
        let known = self.history.steps[self.history.present].numbers;
        let known = known.filter(|known| known.view == self.view).map(|known| known.values);
        Some(known.unwrap_or_else(|| self.filtered_numbers(scored)))
    }

    /// R@1 of the current model under the original ground truth as loaded, with its name and number of covered queries;
    /// `None` if it is the current one.
    pub fn original_r1(&self) -> Option<(&str, usize, Option<f64>)> {
        let truth = self.view.truth_of(&self.study, Kind::Original)?;
        let original = &self.study.truths[truth];
        if truth == self.view.truth || original.lists_nothing() {
            return None;
        }
        let is_coco = || *self.known.is_coco.get_or_init(|| self.base.gallery.is_coco_test());
        let is_whole = self.dials.pool == Pool::All;
        let name = if is_whole && is_coco() { "COCO 5K" } else { original.name.as_str() };
        let scored = self.counted_at(View { truth, ..self.view });
        let queries = original.judges(self.view.direction).unwrap_or_default();
        Some((name, queries, scored.and_then(|scored| scored.r1.value)))
    }

    /// The header's two metrics of every other model in this view, as far as known, the compared one first. None under
    /// a filter, as they are over all queries.
    pub fn numbers_of_others(&self) -> Vec<(ModelIx, [Option<f64>; 2])> {
        let others = ModelIx::all(&self.numbers).filter(|&model| {
            model != self.view.model && self.has_model(model) && !self.has_filter()
        });
        let numbers = others.filter_map(|model| {
            let scored = self.scored_at(View { model, ..self.view })?;
            Some((model, [scored.r1.value, scored.map_at_r.value]))
        });
        let known = numbers.filter(|(_, values)| values.iter().any(Option::is_some));
        let mut known: Vec<_> = known.collect();
        let rival = self.two().map(|[_, rival]| rival);
        known.sort_by_key(|(model, _)| Some(*model) != rival);
        known
    }

    pub(in crate::tui) fn flip_direction(&mut self) {
        let flipped = self.view.direction.flipped();
        if self.truth().relevance[flipped].is_some() {
            self.change(|facts| facts.view.direction = flipped);
        } else {
            let truth = &self.truth().name;
            self.message = Some(format!("ground truth {truth} has no {flipped} list"));
        }
    }

    pub(in crate::tui) fn step_truth(&mut self, by: isize) {
        let direction = self.view.direction;
        let usable: Vec<TruthIx> = self.judging_truths().collect();
        let Some(to) = cyclic_step(&usable, self.view.truth, by) else {
            self.message = Some(format!("no other ground truth judges {direction} queries"));
            return;
        };
        self.change(|facts| facts.view.truth = to);
    }

    pub(in crate::tui) fn step_model(&mut self, by: isize) {
        let usable: Vec<ModelIx> = self.comparable().collect();
        match cyclic_step(&usable, self.view.model, by) {
            Some(to) => drop(self.change(|facts| facts.view.model = to)),
            None => self.message = Some("no other model is loaded".into()),
        }
    }
}

/// The entry of `usable` that is `by` steps from `from`, cyclically; `None` if that is `from`.
pub(super) fn cyclic_step<T: Copy + PartialEq>(usable: &[T], from: T, by: isize) -> Option<T> {
    let at = usable.iter().position(|&entry| entry == from).map_or(0, |at| at as isize + by);
    let to = *usable.get(at.rem_euclid(usable.len().max(1) as isize) as usize)?;
    (to != from).then_some(to)
}

impl Model {
    /// Name of a truth for the current model and direction: with judgments if they change its metrics. While judging
    /// blind, the name does not show this: it would reveal what the truth lists.
    pub fn name_in_force(&self, truth: TruthIx) -> String {
        let (name, view) = (&self.study.truths[truth].name, View { truth, ..self.view });
        let is_changed = self.judged_at(view).is_some();
        if is_changed && !self.is_blind() {
            self.study.name_with_judgments(name)
        } else {
            name.clone()
        }
    }
}

/// The metrics of the header: R@1 and mAP@R.
pub fn header_specs() -> [Spec; 2] {
    let metrics: [&'static dyn Metric; 2] = [&hit::R1, &map_at_r::MapAtR];
    metrics.map(Spec::new)
}

/// Scores of a model, as far as known.
#[derive(Debug, Clone)]
pub enum Numbers {
    /// Not counted yet.
    Waiting,
    /// Counted.
    Ready(Arc<ModelScores>),
    /// Outdated by a dial change: being recomputed.
    Stale(Arc<ModelScores>),
    /// None, and why.
    Failed(Error),
}

impl Per<ModelIx> for Numbers {}

impl Model {
    /// Models not ranked yet, the current one first; none while overwritten or reloading.
    pub fn wanted_counts(&self) -> Vec<ModelIx> {
        // A reload ranks its models itself.
        if self.files.is_overwritten() || self.files.is_reloading() {
            return Vec::new();
        }
        let waiting = |&model: &ModelIx| {
            let numbers = &self.numbers[model];
            matches!(numbers, Numbers::Waiting | Numbers::Stale(_))
        };
        let others = ModelIx::all(&self.numbers).filter(|&model| model != self.view.model);
        std::iter::once(self.view.model).chain(others).filter(waiting).collect()
    }

    pub(crate) fn take_scores(&mut self, model: ModelIx, scores: Arc<ModelScores>) {
        self.numbers[model] = Numbers::Ready(scores);
        self.dirty |= Dirty::RANKS;
        if self.order().is_of_two() && self.selection.selected == 0 && self.is_ordered_by(model) {
            self.select_from_top();
        }
        // A filter or sort key may have waited for another model than the current one.
        if model == self.view.model || self.is_filtering() || self.is_ordered_by(model) {
            self.dirty |= Dirty::FILTER;
        }
    }

    /// Leaves a model without scores; without any other there is nothing to explore.
    pub(crate) fn lose_model(&mut self, model: ModelIx, error: Error) {
        self.message = Some(one_line(&error));
        self.numbers[model] = Numbers::Failed(error.clone());
        self.dirty |= Dirty::RANKS;
        if self.numbers.iter().all(|numbers| matches!(numbers, Numbers::Failed(_))) {
            self.ended = Some(error);
            return;
        }
        if model == self.view.model {
            let message = self.message.take();
            self.step_model(1);
            self.message = message;
        }
    }

    /// Toggles the intervals.
    pub(in crate::tui) fn toggle_intervals(&mut self) {
        self.shows_intervals ^= true;
        self.take_intervals();
    }

    /// Intervals of the header's two metrics, if shown.
    pub fn intervals(&self) -> Option<[Option<[f64; 2]>; 2]> {
        self.shows_intervals.then_some(self.known.intervals)
    }

    /// Computes the intervals of the view.
    pub(super) fn take_intervals(&mut self) {
        if !self.shows_intervals {
            return;
        }
        let interval = |spec| self.interval(self.scored()?, spec);
        self.known.intervals = header_specs().map(interval);
    }

    /// Image of each caption, if known. A pool of images has captions of others, too: only the whole gallery maps all
    /// of them.
    pub(super) fn image_of_caption(&self) -> Option<&[u32]> {
        let images = || Clustering::ByImage.images(&self.base);
        self.known.image_of_caption.get_or_init(images).as_deref()
    }

    fn interval(&self, scored: &Scored, spec: Spec) -> Option<[f64; 2]> {
        let values = Values::over(spec, scored.ranks.queries(), scored.ranks.iter());
        let values = match scored.parts() {
            None => values,
            Some(parts) => values.in_parts(|place| parts.part_of(place)),
        };
        let values = values.filter(|query| self.passes(query));
        let clusters = cluster_of(self.image_of_caption(), self.view.direction);
        values.interval(spec.metric.unit(), clusters)
    }
}
