//! What-ifs: thresholds of truths, the mixture of two models, and pools.

use std::sync::Arc;

use super::Model;
use super::changes::Dirty;
use super::export::one_line;
use super::view::{Numbers, cyclic_step};
use crate::data::index::{ModelIx, TruthIx};
use crate::data::scores::Scaling;
use crate::error::Error;
use crate::jobs::Stamp;
use crate::study::{Mix, Study, StudySettings};
use crate::truth::Truth;

/// Message if a mixture is requested with only one model.
pub(in crate::tui) const NEEDS_TWO_MODELS: &str = "a mixture takes two models";

impl Model {
    /// Raises or lowers the threshold of the current truth by one step; a message if it has none.
    pub(in crate::tui) fn step_threshold(&mut self, up: bool) {
        let Some(threshold) = self.base.rule_threshold(self.truth()) else {
            self.message = Some(format!("ground truth {} has no threshold", self.truth().name));
            return;
        };
        let (name, rule) = (threshold.rule.name, threshold.rule.number);
        let now = self.settings.numbers[name].or(threshold.number).unwrap_or(rule.default);
        let number = rule.after_step(now, up);
        if number.total_cmp(&now).is_ne() {
            self.change(|facts| facts.settings.numbers[name] = Some(number));
        }
    }

    /// Threshold of a truth in words, with a space before it; empty if the truth has none.
    pub fn describe_threshold(&self, truth: &Truth) -> String {
        let Some(threshold) = self.base.rule_threshold(truth) else {
            return String::new();
        };
        let number = self.settings.numbers[threshold.rule.name].or(threshold.number);
        number.map_or(String::new(), |number| format!(" {}", (threshold.rule.suffix)(number)))
    }

    /// Changed thresholds of the other ground truths, in words, since badges depend on them, too; empty if none are
    /// changed.
    pub fn describe_other_thresholds(&self) -> String {
        let others =
            TruthIx::enumerate(&self.study.truths).filter(|(at, _)| *at != self.view.truth);
        let changed = others.filter(|(_, truth)| {
            let threshold = self.base.rule_threshold(truth);
            threshold.is_some_and(|threshold| {
                let number = self.settings.numbers[threshold.rule.name];
                number.is_some() && number != threshold.number
            })
        });
        let words = changed
            .map(|(_, truth)| format!(" ({}{})", truth.name, self.describe_threshold(truth)));
        words.collect()
    }

    /// Mixes the current model with the next one, or ends the mixture.
    pub(in crate::tui) fn toggle_mix(&mut self) {
        let next = self.mix_or_next();
        if next.is_none() {
            self.message = Some(NEEDS_TWO_MODELS.into());
            return;
        }
        let mix = if self.settings.mix.is_some() { None } else { next };
        self.change(|facts| facts.settings.mix = mix);
    }

    /// The current mixture, or else one of the current model with the next; `None` if only one model is loaded.
    pub(in crate::tui) fn mix_or_next(&self) -> Option<Mix> {
        let count = self.base.models.len();
        // If a mixture that is about to be removed is shown, its first model counts as the current one.
        let fallback = self.applied_settings.mix.map_or(0, |mix| mix.models[0].get());
        let model = self.view.model.get();
        let first = if model < count { model } else { fallback };
        let next = || Mix {
            models: [first, (first + 1) % count].map(ModelIx::new),
            percent: 50,
            scaling: Scaling::default(),
        };
        self.settings.mix.or_else(|| (count > 1).then(next))
    }

    /// Changes alpha of the mixture by `by` hundredths; returns whether there is a mixture.
    pub(in crate::tui) fn step_alpha(&mut self, by: i32) -> bool {
        self.change_mix(|mix| mix.percent = mix.percent.saturating_add_signed(by).min(100))
    }

    /// Sets the next scaling of the mixture; returns whether there is a mixture.
    pub(in crate::tui) fn next_scaling(&mut self) -> bool {
        self.change_mix(|mix| {
            mix.scaling = cyclic_step(&Scaling::ALL, mix.scaling, 1).unwrap_or(mix.scaling);
        })
    }

    /// Changes the mixture; returns whether there is one.
    fn change_mix(&mut self, change: impl FnOnce(&mut Mix)) -> bool {
        let changed = self.settings.mix.map(|mut mix| {
            change(&mut mix);
            mix
        });
        if changed.is_some() {
            self.change(|facts| facts.settings.mix = changed);
        }
        changed.is_some()
    }

    /// Reverts to the thresholds, mixture and pool before the refused `settings`, and removes their step.
    pub(crate) fn refuse_settings(&mut self, settings: StudySettings, error: &Error) {
        self.settings = self.history.remove_refused(settings).unwrap_or(self.applied_settings);
        self.known.awaited_model = None;
        self.dirty |= Dirty::TRUTH | Dirty::POPUP | Dirty::SESSION;
        self.message = Some(one_line(error));
    }

    /// The requested thresholds, mixture and pool, if the study is not derived for them yet.
    pub fn pending_settings(&self) -> Option<StudySettings> {
        (self.settings != self.applied_settings).then_some(self.settings)
    }

    /// Replaces the study by one derived for `settings`. In another pool all scores are dropped. Otherwise only those
    /// under changed truths are dropped; the rest is marked stale, and stays until it is recomputed.
    pub(crate) fn set_study(&mut self, settings: StudySettings, study: Arc<Study>) {
        if self.applied_settings.pool == settings.pool {
            self.mark_stale(&study);
        } else {
            self.forget_top_k(ModelIx::default());
            self.numbers.fill(Numbers::Waiting);
            self.known.judged.ranks.clear();
            self.known.rankings.clear();
        }
        if self.applied_settings.mix != settings.mix {
            self.forget_top_k(ModelIx::new(self.base.models.len()));
            self.update_mixture(study.models.len());
        }
        self.study = study;
        self.applied_settings = settings;
        self.known.study_stamp = Stamp::fresh();
        self.dirty |= Dirty::STUDY;
    }

    /// Whether a model exists in the study: a mixture may have been removed.
    pub fn has_model(&self, model: ModelIx) -> bool {
        model.get() < self.study.models.len()
    }

    /// Drops the scores under truths that `study` changes, and marks what is left stale.
    fn mark_stale(&mut self, study: &Study) {
        let before = &self.study.truths;
        let is_stale = |truth: TruthIx| {
            let known = before.get(truth.get());
            known.is_none_or(|known| !study.truths[truth].is_same(known))
        };
        if !TruthIx::all(&study.truths).any(is_stale) {
            return;
        }
        for numbers in &mut self.numbers {
            // Stale scores may be outdated under one more truth.
            if let Numbers::Ready(scores) | Numbers::Stale(scores) = numbers {
                *numbers = Numbers::Stale(Arc::new(scores.without_truths(is_stale)));
            }
        }
    }

    /// Fits the model list to a study of `model_count` models: those of the base, and after them the mixture if there is
    /// one. Its numbers are recomputed; a new mixture is shown, and one that is gone is left.
    fn update_mixture(&mut self, model_count: usize) {
        let base = self.base.models.len();
        self.numbers.truncate(base);
        self.numbers.resize(model_count, Numbers::Waiting);
        self.known.judged.ranks.retain(|key, _| key.model.get() != base);
        let is_new = model_count > base && self.study.models.len() == base;
        if let Some(awaited) =
            self.known.awaited_model.take().filter(|model| model.get() < model_count)
        {
            self.view.model = awaited;
        } else if is_new {
            self.view.model = ModelIx::new(base);
        } else if self.view.model.get() >= model_count {
            self.view.model =
                self.applied_settings.mix.map_or(ModelIx::default(), |mix| mix.models[0]);
        }
        self.known.rankings.clear();
    }

    /// Switches to the next candidate pool, cyclically.
    pub(in crate::tui) fn next_pool(&mut self) {
        if let Some(to) = cyclic_step(&self.base.all_pools(), self.settings.pool, 1) {
            self.change(|facts| facts.settings.pool = to);
        } else {
            self.message = Some("there is no other pool: --pool-file NAME=FILE adds one".into());
        }
    }
}
