//! A study with other settings: thresholds of rules, a mixture of two models, and a candidate pool.

use std::sync::Arc;

use super::{Pool, Study};
use crate::data::candidate_mask::CandidateMask;
use crate::data::index::ModelIx;
use crate::data::scores::{Model, ModelPair, Scaling};
use crate::error::Result;
use crate::truth::Truth;
use crate::truth::rule::{self, PerRule, RULES, Rule, RuleContext, RuleSetting};

/// Settings with which a study is derived from the one of its files.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct StudySettings {
    /// Threshold of each rule; `None` leaves its truth as it is.
    pub numbers: PerRule<Option<f64>>,
    /// Mixture of two models to add as another model.
    pub mix: Option<Mix>,
    /// The candidate pool.
    pub pool: Pool,
}

/// A mixture of two models of a study.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mix {
    /// Indices of the two models.
    pub models: [ModelIx; 2],
    /// The weight of the first, in hundredths.
    pub percent: u32,
    /// How scores are made comparable.
    pub scaling: Scaling,
}

/// Derives studies with other settings from one base.
#[derive(Debug, Default)]
pub struct StudyDeriver {
    /// The last mixed models, whose ranges of scores are computed only once.
    pair: Option<([ModelIx; 2], ModelPair)>,
    /// The last truths over the whole gallery, and their settings.
    whole: Option<(StudySettings, Vec<Truth>)>,
    /// The last pool, and the truths in it.
    pool: Option<(Pool, Arc<CandidateMask>, Vec<Truth>)>,
}

impl StudyDeriver {
    /// Applies settings to `base`, the study of the files. Unchanged truths share the lists computed last.
    ///
    /// # Errors
    /// Models that cannot be mixed, and as [`Study::in_pool`].
    pub fn derive(&mut self, base: &Study, settings: StudySettings) -> Result<Study> {
        let (last, last_pool) = (self.whole.take(), self.pool.take());
        let mut study = base.with_thresholds(settings, last.as_ref());
        self.whole = Some((settings, study.truths.clone()));
        if let Some(mix) = settings.mix {
            study.models.push(self.mixture(base, mix)?);
        }
        let same_pool = last_pool.filter(|(pool, ..)| *pool == settings.pool);
        let (mask, known) = match same_pool {
            Some((_, mask, in_pool)) => {
                let whole = last.map(|(_, truths)| truths);
                (Some(mask), whole.into_iter().flatten().zip(in_pool).collect())
            }
            None => (study.pool_mask(settings.pool)?.map(Arc::new), Vec::new()),
        };
        if let Some(mask) = mask {
            study.limit(settings.pool, mask.clone(), &known);
            self.pool = Some((settings.pool, mask, study.truths.clone()));
        }
        Ok(study)
    }

    /// The mixture of two models of `base`.
    fn mixture(&mut self, base: &Study, mix: Mix) -> Result<Model> {
        let pair = match self.pair.take() {
            Some((models, pair)) if models == mix.models => pair,
            _ => ModelPair::new(&base.models[mix.models[0]], &base.models[mix.models[1]])?,
        };
        let (_, pair) = self.pair.insert((mix.models, pair));
        pair.model(f64::from(mix.percent) / 100.0, mix.scaling)
    }
}

/// The rule of a truth, and its threshold.
#[derive(Debug, Clone, Copy)]
pub struct RuleThreshold {
    /// The rule.
    pub rule: &'static Rule,
    /// The threshold; `None` if a file lists the pairs.
    pub number: Option<f64>,
}

impl Study {
    /// The rule of a truth and its threshold; `None` if no rule derives the truth, or the file of the rule is missing.
    pub fn rule_threshold(&self, truth: &Truth) -> Option<RuleThreshold> {
        let rule = rule::find(&truth.name)?;
        self.bases[rule.name].as_ref()?;
        let number = self.rules.numbers[rule.name];
        Some(RuleThreshold { rule, number })
    }

    /// Threshold of a truth's rule, as text to append to the truth's name; empty if it is the default, or there is
    /// none.
    pub fn threshold_suffix(&self, truth: &Truth) -> String {
        let given = self.rule_threshold(truth).and_then(|one| Some((one.rule, one.number?)));
        let changed = given.filter(|(rule, number)| (number - rule.number.default).abs() > 0.0);
        changed.map_or(String::new(), |(rule, number)| format!(" {}", (rule.suffix)(number)))
    }

    /// Name of a truth with [`Study::threshold_suffix`].
    pub fn name_with_rule(&self, truth: &Truth) -> String {
        truth.name.clone() + &self.threshold_suffix(truth)
    }

    /// Flags of all rules that have a file and are not at their default: each flag with its threshold, or `None` for a
    /// switch.
    pub fn rule_flags(&self) -> Vec<(&'static str, Option<f64>)> {
        let has_file = |rule: &&&Rule| self.bases[rule.name].is_some();
        let flags_of = |rule: &&Rule| {
            let given = self.rules.numbers[rule.name];
            let changed = given.filter(|given| (given - rule.number.default).abs() > 0.0);
            let switch = rule.switch.filter(|_| self.rules.switches[rule.name]);
            let number = changed.map(|changed| (rule.number.flag, Some(changed)));
            number.into_iter().chain(switch.map(|switch| (switch.flag, None))).collect::<Vec<_>>()
        };
        RULES.iter().filter(has_file).flat_map(flags_of).collect()
    }

    /// This study with the thresholds of `settings`. Truths keep their order. `last` has other settings and the truths
    /// under them; truths with the same threshold are reused.
    fn with_thresholds(
        &self,
        settings: StudySettings,
        last: Option<&(StudySettings, Vec<Truth>)>,
    ) -> Study {
        let default = (StudySettings::default(), self.truths.clone());
        let (last_settings, last_truths) = last.unwrap_or(&default);
        let mut study = self.clone();
        for rule in RULES {
            let number = &mut study.rules.numbers[rule.name];
            *number = settings.numbers[rule.name].or(*number);
        }
        for (at, truth) in study.truths.iter_mut().enumerate() {
            let Some(rule) = rule::find(&truth.name) else {
                continue;
            };
            let is_same = last_settings.numbers[rule.name] == settings.numbers[rule.name];
            let reused = is_same.then(|| last_truths[at].clone());
            if let Some(new) = reused.or_else(|| self.derive_truth(rule.name, settings)) {
                *truth = new.with_conventions(self.conventions);
            }
        }
        study
    }

    /// The truth of a rule with the threshold of `settings`; `None` if they have no threshold, or the rule has no file.
    fn derive_truth(&self, rule: &str, settings: StudySettings) -> Option<Truth> {
        let number = settings.numbers[rule]?;
        let setting = RuleSetting { number, switch: self.rules.switches[rule] };
        let context = RuleContext { gallery: &self.gallery, truths: &self.truths };
        self.bases[rule].as_ref()?.truth(context, setting)
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use serde_json::json;

    use super::*;
    use crate::data::Direction;
    use crate::data::id::Id;
    use crate::study::{Inputs, demo, open};
    use crate::truth::pm;

    #[test]
    fn a_turned_dial_makes_the_truth_that_the_flag_makes() {
        let folder = tempfile::tempdir().unwrap();
        let shown = |(at, id): (usize, &Id)| json!([{"image_id": id, "category_id": at % 3}, {"image_id": id, "category_id": 9 + at % 2}]);
        let images = demo::open().unwrap().gallery.images;
        let shown = images.as_slice().iter().enumerate().map(shown);
        let all: Vec<serde_json::Value> =
            shown.flat_map(|v| v.as_array().cloned().unwrap()).collect();
        let instances = folder.path().join("instances_demo.json");
        std::fs::write(&instances, json!({"annotations": all}).to_string()).unwrap();
        let files = ["careful.npy", "captions.json", "original_caption_to_image.json"];
        let place = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/demo/");
        let files = files.map(|name| PathBuf::from(format!("{place}{name}")));
        let inputs = |zeta| {
            let mut inputs = Inputs {
                files: [&files[..], std::slice::from_ref(&instances)].concat(),
                ..Inputs::default()
            };
            inputs.rules.numbers[pm::NAME] = Some(zeta);
            inputs
        };
        let base = open(&inputs(0.0)).unwrap();
        let number = |study: &Study| study.rule_threshold(study.truth(pm::NAME)?)?.number;
        assert_eq!(number(&base), Some(0.0));
        let mut settings = StudySettings::default();
        settings.numbers[pm::NAME] = Some(2.0);
        let turned = StudyDeriver::default().derive(&base, settings).unwrap();
        let expected = open(&inputs(2.0)).unwrap();
        for direction in Direction::BOTH {
            let pairs = |study: &Study| {
                let truth = study.truth(pm::NAME).unwrap();
                truth.relevance[direction].as_ref().unwrap().pair_count()
            };
            assert_eq!(pairs(&turned), pairs(&expected));
            assert!(pairs(&turned) > pairs(&base));
        }
        assert_eq!([number(&turned), number(&expected)], [Some(2.0); 2]);
        let demo = demo::open().unwrap();
        assert!(demo.rule_threshold(&demo.truths[0]).is_none());
    }
}
