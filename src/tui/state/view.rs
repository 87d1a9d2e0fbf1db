//! The view and its scores: header metrics, their intervals, and which models have any.

use std::sync::Arc;

use super::Model;
use super::changes::Dirty;
use super::export::one_line;
use super::history::StepNumbers;
use crate::analysis::clusters::{Clustering, query_clusters};
use crate::analysis::per_query::Values;
use crate::data::Direction;
use crate::data::index::{ModelIx, Per, TruthIx};
use crate::error::Error;
use crate::jobs::{ModelScores, Stamp, ViewMetrics};
use crate::metric::{Metric, Spec, Summary, hit, map_at_r};
use crate::study::{Pool, Study, View};
use crate::truth::{Kind, rule};

impl View {
    /// The first model under the richest truth, with captions as queries if the truth has them.
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
    /// Ranks and metrics of the view, after judgments; `None` until they are computed.
    pub fn metrics(&self) -> Option<&ViewMetrics> {
        self.metrics_under(self.view.truth)
    }

    /// Ranks and metrics of the current model and direction under a truth, after judgments; `None` until they are
    /// computed.
    pub fn metrics_under(&self, truth: TruthIx) -> Option<&ViewMetrics> {
        self.metrics_at(View { truth, ..self.view })
    }

    /// Ranks and metrics of a view, after judgments if it is on screen, else before; `None` until they are computed.
    pub fn metrics_at(&self, view: View) -> Option<&ViewMetrics> {
        let judged = self.edited_metrics(view).map(Arc::as_ref);
        judged.or_else(|| self.unedited_metrics(view))
    }

    /// Ranks and metrics of a view before judgments; `None` while they are not computed, or outdated.
    pub fn unedited_metrics(&self, view: View) -> Option<&ViewMetrics> {
        match &self.numbers[view.model] {
            Numbers::Ready(scores) | Numbers::Stale(scores) if !self.is_outdated(view) => {
                scores.get(view.truth, view.direction)
            }
            _ => None,
        }
    }

    /// Whether requested settings will change the scores of a view, so that the present scores are outdated.
    pub(super) fn is_outdated(&self, view: View) -> bool {
        let is_mixture = view.model.get() >= self.base.models.len();
        self.is_truth_outdated(view.truth)
            || is_mixture && self.settings.mix != self.applied_settings.mix
    }

    /// Whether requested settings will change queries or positives of a truth.
    pub(in crate::tui) fn is_truth_outdated(&self, truth: TruthIx) -> bool {
        let (to, from) = (self.settings, self.applied_settings);
        let rule = rule::find(&self.study.truths[truth].name);
        to.pool != from.pool
            || rule.is_some_and(|rule| to.numbers[rule.name] != from.numbers[rule.name])
    }

    /// Switches the study to the caption texts given to the current model; returns whether they changed.
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

    /// Sets the view. A model that does not exist yet, a pending mixture, is shown once it is computed.
    pub(in crate::tui) fn set_view(&mut self, view: View) {
        if view.direction != self.view.direction {
            self.search.found = None;
        }
        self.view = view;
        self.dirty |= Dirty::VIEW;
        if view.model.get() >= self.study.models.len() {
            self.known.awaited_model = Some(view.model);
            self.view.model = ModelIx::default();
        }
    }

    /// Stores R@1 and mAP@R of the view in the present step of the history, and updates their intervals. No effect
    /// while they are unknown, or while settings or a filter are pending.
    pub(super) fn record_numbers(&mut self) {
        // While settings or a filter are pending, the metrics are those of the previous step.
        if self.pending_settings().is_some() || self.is_filtering() {
            return;
        }
        if let Some(metrics) = self.metrics() {
            let values = self.filtered_numbers(metrics);
            let numbers = StepNumbers { view: self.view, values };
            self.history.steps[self.history.present].numbers = Some(numbers);
            self.compute_intervals();
        }
    }

    /// R@1 and mAP@R of the view, over the queries that meet the filter; `None` until they are known.
    pub fn header_values(&self) -> Option<[Summary; 2]> {
        let metrics = self.metrics().filter(|_| !self.is_filtering())?;
        let known = self.history.steps[self.history.present].numbers;
        let known = known.filter(|known| known.view == self.view).map(|known| known.values);
        Some(known.unwrap_or_else(|| self.filtered_numbers(metrics)))
    }

    /// Name of the original ground truth, number of queries that it covers, and the current model's R@1 under it before
    /// judgments, if known; `None` if no original ground truth is loaded, if it lists nothing, or if it is the current
    /// truth; also under a filter, as the number is over all queries.
    pub fn original_r1(&self) -> Option<(&str, usize, Option<f64>)> {
        let truth = self.view.truth_of_kind(&self.study, Kind::Original)?;
        let original = &self.study.truths[truth];
        if truth == self.view.truth || original.is_none_truth() || self.has_filter() {
            return None;
        }
        let is_coco = || *self.known.is_coco.get_or_init(|| self.base.gallery.is_coco_test());
        let is_whole = self.settings.pool == Pool::All;
        let name = if is_whole && is_coco() { "COCO 5K" } else { original.name.as_str() };
        let metrics = self.unedited_metrics(View { truth, ..self.view });
        let queries = original.covered_queries(self.view.direction).unwrap_or_default();
        Some((name, queries, metrics.and_then(|metrics| metrics.r1.value)))
    }

    /// R@1 and mAP@R of every other model in this view, as far as known, the model compared with the current one first.
    /// Empty under a filter: they are over all queries.
    pub fn metrics_of_others(&self) -> Vec<(ModelIx, [Option<f64>; 2])> {
        let others = ModelIx::all(&self.numbers).filter(|&model| {
            model != self.view.model && self.has_model(model) && !self.has_filter()
        });
        let numbers = others.filter_map(|model| {
            let metrics = self.metrics_at(View { model, ..self.view })?;
            Some((model, [metrics.r1.value, metrics.map_at_r.value]))
        });
        let known = numbers.filter(|(_, values)| values.iter().any(Option::is_some));
        let mut known: Vec<_> = known.collect();
        let rival = self.model_pair().map(|[_, rival]| rival);
        known.sort_by_key(|(model, _)| Some(*model) != rival);
        known
    }

    /// Switches to the other direction; only shows a message if the truth lacks it.
    pub(in crate::tui) fn flip_direction(&mut self) {
        let flipped = self.view.direction.flipped();
        if self.truth().relevance[flipped].is_some() {
            self.change(|facts| facts.view.direction = flipped);
        } else {
            let truth = &self.truth().name;
            self.message = Some(format!("ground truth {truth} has no {flipped} list"));
        }
    }

    /// Switches to the truth `by` steps further among those that cover the direction, cyclically.
    pub(in crate::tui) fn step_truth(&mut self, by: isize) {
        let direction = self.view.direction;
        let usable: Vec<TruthIx> = self.covering_truths().collect();
        let Some(to) = cyclic_step(&usable, self.view.truth, by) else {
            self.message = Some(format!("no other ground truth covers {direction} queries"));
            return;
        };
        self.change(|facts| facts.view.truth = to);
    }

    /// Switches to the model `by` steps further among those that can be compared, cyclically.
    pub(in crate::tui) fn step_model(&mut self, by: isize) {
        let usable: Vec<ModelIx> = self.usable_models().collect();
        match cyclic_step(&usable, self.view.model, by) {
            Some(to) => drop(self.change(|facts| facts.view.model = to)),
            None => self.message = Some("no other model is loaded".into()),
        }
    }
}

/// The entry of `usable` that is `by` steps after `current`, cyclically; the first entry if `current` is not in it.
/// `None` if the result is `current`, or if `usable` is empty.
pub(super) fn cyclic_step<T: Copy + PartialEq>(usable: &[T], current: T, by: isize) -> Option<T> {
    let at = usable.iter().position(|&entry| entry == current).map_or(0, |at| at as isize + by);
    let to = *usable.get(at.rem_euclid(usable.len().max(1) as isize) as usize)?;
    (to != current).then_some(to)
}

impl Model {
    /// Name of a truth, marked if judgments change its metrics for the current model and direction. Not marked while
    /// judging blind: that would reveal what the truth lists.
    pub fn truth_label(&self, truth: TruthIx) -> String {
        let (name, view) = (&self.study.truths[truth].name, View { truth, ..self.view });
        let is_changed = self.edited_metrics(view).is_some();
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

/// Ranks and metrics of a model, as far as computed.
#[derive(Debug, Clone)]
pub enum Numbers {
    /// Not computed yet.
    Waiting,
    /// Computed.
    Ready(Arc<ModelScores>),
    /// Outdated by changed settings, and being recomputed.
    Stale(Arc<ModelScores>),
    /// The model cannot be ranked, for this reason.
    Failed(Error),
}

impl Per<ModelIx> for Numbers {}

impl Model {
    /// Models to rank, the current one first; empty while files are overwritten or reloaded.
    pub fn models_to_rank(&self) -> Vec<ModelIx> {
        // A reload ranks its models itself.
        if self.files.is_overwritten() || self.files.is_reloading() {
            return Vec::new();
        }
        let is_unranked = |&model: &ModelIx| {
            let numbers = &self.numbers[model];
            matches!(numbers, Numbers::Waiting | Numbers::Stale(_))
        };
        let others = ModelIx::all(&self.numbers).filter(|&model| model != self.view.model);
        std::iter::once(self.view.model).chain(others).filter(is_unranked).collect()
    }

    /// Stores the computed ranks and metrics of a model. Sorts and filters again if these may have waited for it.
    pub(crate) fn store_scores(&mut self, model: ModelIx, scores: Arc<ModelScores>) {
        self.numbers[model] = Numbers::Ready(scores);
        self.dirty |= Dirty::RANKS;
        if self.order().is_disagreement()
            && self.selection.selected == 0
            && self.is_ordered_by(model)
        {
            self.select_from_top();
        }
        // A filter or sort key may have waited for another model than the current one.
        if model == self.view.model || self.is_filtering() || self.is_ordered_by(model) {
            self.dirty |= Dirty::FILTER;
        }
    }

    /// Stores why a model cannot be ranked, and shows another one; if there is none, the explorer ends.
    pub(crate) fn set_model_failed(&mut self, model: ModelIx, error: Error) {
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

    /// Toggles whether the header shows intervals.
    pub(in crate::tui) fn toggle_intervals(&mut self) {
        self.shows_intervals ^= true;
        self.compute_intervals();
    }

    /// Confidence intervals of R@1 and mAP@R of the view, each `None` if undefined or unknown; `None` if the header
    /// shows no intervals.
    pub fn intervals(&self) -> Option<[Option<[f64; 2]>; 2]> {
        self.shows_intervals.then_some(self.known.intervals)
    }

    /// Computes the intervals of R@1 and mAP@R of the view, if the header shows intervals.
    pub(super) fn compute_intervals(&mut self) {
        if !self.shows_intervals {
            return;
        }
        let interval = |spec| self.interval(self.metrics()?, spec);
        self.known.intervals = header_specs().map(interval);
    }

    /// Gallery index of the image of each caption, if known. Taken from the whole gallery, since a pool of images has
    /// captions of other images, too.
    pub(super) fn image_of_caption(&self) -> Option<&[u32]> {
        let images = || Clustering::ByImage.images(&self.base);
        self.known.image_of_caption.get_or_init(images).as_deref()
    }

    /// Confidence interval of a metric over the queries that meet the filter; `None` if undefined.
    fn interval(&self, metrics: &ViewMetrics, spec: Spec) -> Option<[f64; 2]> {
        let values = Values::from_ranks(spec, metrics.ranks.queries(), metrics.ranks.iter());
        let values = match metrics.parts() {
            None => values,
            Some(parts) => values.in_parts(|place| parts.part_of(place)),
        };
        let values = values.filter(|query| self.meets_filter(query));
        let clusters = query_clusters(self.image_of_caption(), self.view.direction);
        values.interval(spec.metric.unit(), clusters)
    }
}
