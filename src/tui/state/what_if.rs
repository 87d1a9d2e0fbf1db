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
use crate::study::{Dials, Mix, Study};
use crate::truth::Truth;

/// Message if there is only one model.
pub(in crate::tui) const TAKES_TWO: &str = "a mixture takes two models";

impl Model {
    /// Steps the threshold of the current truth.
    pub(in crate::tui) fn turn_dial(&mut self, up: bool) {
        let Some(dial) = self.base.dial(self.truth()) else {
            self.message = Some(format!("ground truth {} has no dial", self.truth().name));
            return;
        };
        let (name, rule) = (dial.rule.name, dial.rule.number);
        let now = self.dials.numbers[name].or(dial.number).unwrap_or(rule.default);
        let turned = rule.turned(now, up);
        if turned.total_cmp(&now).is_ne() {
            self.change(|facts| facts.dials.numbers[name] = Some(turned));
        }
    }

    /// Threshold of a truth in words; empty without one.
    pub fn dial_words(&self, truth: &Truth) -> String {
        let Some(dial) = self.base.dial(truth) else {
            return String::new();
        };
        let number = self.dials.numbers[dial.rule.name].or(dial.number);
        number.map_or(String::new(), |number| format!(" {}", (dial.rule.words)(number)))
    }

    /// Changed thresholds of other ground truths, in words: their positives are marked under every ground truth.
    pub fn other_dials(&self) -> String {
        let others = TruthIx::each(&self.study.truths).filter(|(at, _)| *at != self.view.truth);
        let turned = others.filter(|(_, truth)| {
            let dial = self.base.dial(truth);
            dial.is_some_and(|dial| {
                let number = self.dials.numbers[dial.rule.name];
                number.is_some() && number != dial.number
            })
        });
        let words = turned.map(|(_, truth)| format!(" ({}{})", truth.name, self.dial_words(truth)));
        words.collect()
    }

    /// Mixes the current model with the next one, or ends the mixture.
    pub(in crate::tui) fn toggle_mix(&mut self) {
        let next = self.mix_or_next();
        if next.is_none() {
            self.message = Some(TAKES_TWO.into());
            return;
        }
        let mix = if self.dials.mix.is_some() { None } else { next };
        self.change(|facts| facts.dials.mix = mix);
    }

    /// The mixture, or else the one of the current model with the next; `None` with one model.
    pub(in crate::tui) fn mix_or_next(&self) -> Option<Mix> {
        let count = self.base.models.len();
        // A mixture about to go is no model of its own.
        let gone = self.study_dials.mix.map_or(0, |mix| mix.models[0].get());
        let model = self.view.model.get();
        let first = if model < count { model } else { gone };
        let next = || Mix {
            models: [first, (first + 1) % count].map(ModelIx::new),
            percent: 50,
            scaling: Scaling::default(),
        };
        self.dials.mix.or_else(|| (count > 1).then(next))
    }

    /// Changes the weight of a mixture by hundredths; whether there is one.
    pub(in crate::tui) fn turn_alpha(&mut self, by: i32) -> bool {
        self.change_mix(|mix| mix.percent = mix.percent.saturating_add_signed(by).min(100))
    }

    /// Sets the next scaling of a mixture; returns whether there is one.
    pub(in crate::tui) fn next_scaling(&mut self) -> bool {
        self.change_mix(|mix| {
            mix.scaling = cyclic_step(&Scaling::ALL, mix.scaling, 1).unwrap_or(mix.scaling);
        })
    }

    fn change_mix(&mut self, change: impl FnOnce(&mut Mix)) -> bool {
        let changed = self.dials.mix.map(|mut mix| {
            change(&mut mix);
            mix
        });
        if changed.is_some() {
            self.change(|facts| facts.dials.mix = changed);
        }
        changed.is_some()
    }

    /// Reverts refused dials, and removes their step.
    pub(crate) fn refuse_dials(&mut self, dials: Dials, error: &Error) {
        self.dials = self.history.strike(dials).unwrap_or(self.study_dials);
        self.known.awaited_model = None;
        self.dirty |= Dirty::TRUTH | Dirty::POPUP | Dirty::SESSION;
        self.message = Some(one_line(error));
    }

    /// The dials, if the study does not have them yet.
    pub fn wanted_dials(&self) -> Option<Dials> {
        (self.dials != self.study_dials).then_some(self.dials)
    }

    /// Sets a derived study. In another pool all scores are reset; otherwise those under changed truths are stale, and
    /// stay until they are recomputed.
    pub(crate) fn take_study(&mut self, dials: Dials, study: Arc<Study>) {
        if self.study_dials.pool == dials.pool {
            self.mark_stale(&study);
        } else {
            self.forget_top_k(ModelIx::default());
            self.numbers.fill(Numbers::Waiting);
            self.known.judged.ranks.clear();
            self.known.rankings.clear();
        }
        if self.study_dials.mix != dials.mix {
            self.forget_top_k(ModelIx::new(self.base.models.len()));
            self.take_mixture(study.models.len());
        }
        self.study = study;
        self.study_dials = dials;
        self.known.study_stamp = Stamp::fresh();
        self.dirty |= Dirty::STUDY;
    }

    /// Whether this model exists: a mixture comes and goes.
    pub fn has_model(&self, model: ModelIx) -> bool {
        model.get() < self.study.models.len()
    }

    /// Marks the scores stale under changed truths.
    fn mark_stale(&mut self, study: &Study) {
        let before = &self.study.truths;
        let is_known = |truth: TruthIx| {
            let known = before.get(truth.get());
            known.is_some_and(|known| study.truths[truth].is_same(known))
        };
        let stale = |truth: TruthIx| !is_known(truth);
        if !TruthIx::all(&study.truths).any(stale) {
            return;
        }
        for numbers in &mut self.numbers {
            // Stale scores may be outdated under one more truth.
            if let Numbers::Ready(scores) | Numbers::Stale(scores) = numbers {
                *numbers = Numbers::Stale(Arc::new(scores.without(stale)));
            }
        }
    }

    /// Adds, updates or removes the mixture, and adapts the view.
    fn take_mixture(&mut self, models: usize) {
        let base = self.base.models.len();
        self.numbers.truncate(base);
        self.numbers.resize(models, Numbers::Waiting);
        self.known.judged.ranks.retain(|key, _| key.model.get() != base);
        let came = models > base && self.study.models.len() == base;
        if let Some(awaited) = self.known.awaited_model.take().filter(|model| model.get() < models)
        {
            self.view.model = awaited;
        } else if came {
            self.view.model = ModelIx::new(base);
        } else if self.view.model.get() >= models {
            self.view.model = self.study_dials.mix.map_or(ModelIx::default(), |mix| mix.models[0]);
        }
        self.known.rankings.clear();
    }
}

impl Model {
    pub(in crate::tui) fn next_pool(&mut self) {
        if let Some(to) = cyclic_step(&self.base.all_pools(), self.dials.pool, 1) {
            self.change(|facts| facts.dials.pool = to);
        } else {
            self.message = Some("there is no other pool: --pool-file NAME=FILE adds one".into());
        }
    }
}
