//! A study with other settings: rules with another number, a mixture of two models, and a candidate pool.

use std::sync::Arc;

use super::{Pool, Study};
use crate::data::candidate_mask::CandidateMask;
use crate::data::index::ModelIx;
use crate::data::scores::{Model, ModelPair, Scaling};
use crate::error::Result;
use crate::truth::Truth;
use crate::truth::rule::{self, Over, PerRule, RULES, Rule, Set};

/// Settings; `None` leaves a truth as in its files.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Dials {
    /// The number of each rule.
    pub numbers: PerRule<Option<f64>>,
    /// Two models mixed as another model.
    pub mix: Option<Mix>,
    /// The candidate pool.
    pub pool: Pool,
}

/// A mixture of two models of a study.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mix {
    /// Their indices.
    pub models: [ModelIx; 2],
    /// The weight of the first, in hundredths.
    pub percent: u32,
    /// How scores are made comparable.
    pub scaling: Scaling,
}

/// Derives studies with other settings from one base.
#[derive(Debug, Default)]
pub struct Turner {
    /// The last mixed pair, to measure its files only once.
    pair: Option<([ModelIx; 2], ModelPair)>,
    /// The last truths over the whole gallery, and their settings.
    whole: Option<(Dials, Vec<Truth>)>,
    /// The last pool, and the truths in it.
    pool: Option<(Pool, Arc<CandidateMask>, Vec<Truth>)>,
}

impl Turner {
    /// `base` with these settings. Unchanged truths share the lists computed before.
    ///
    /// # Errors
    /// Models that cannot be mixed, and as [`Study::in_pool`].
    pub fn turned(&mut self, base: &Study, dials: Dials) -> Result<Study> {
        let before = self.whole.take();
        let mut study = base.with_rule_numbers(dials, before.as_ref());
        let (of_pool, last) = (self.pool.take(), before.map(|(_, truths)| truths));
        self.whole = Some((dials, study.truths.clone()));
        if let Some(mix) = dials.mix {
            study.models.push(self.mixed(base, mix)?);
        }
        let of_pool = of_pool.filter(|(pool, ..)| *pool == dials.pool);
        let (mask, known) = match of_pool {
            Some((_, mask, truths)) => {
                (Some(mask), last.into_iter().flatten().zip(truths).collect())
            }
            None => (study.mask_of(dials.pool)?.map(Arc::new), Vec::new()),
        };
        if let Some(mask) = mask {
            study.enter(dials.pool, mask.clone(), &known);
            self.pool = Some((dials.pool, mask, study.truths.clone()));
        }
        Ok(study)
    }

    fn mixed(&mut self, base: &Study, mix: Mix) -> Result<Model> {
        let pair = match self.pair.take() {
            Some((models, pair)) if models == mix.models => pair,
            _ => ModelPair::new(&base.models[mix.models[0]], &base.models[mix.models[1]])?,
        };
        let (_, pair) = self.pair.insert((mix.models, pair));
        pair.model(f64::from(mix.percent) / 100.0, mix.scaling)
    }
}

/// The rule of a truth, and its number.
#[derive(Debug, Clone, Copy)]
pub struct Dial {
    /// The rule.
    pub rule: &'static Rule,
    /// Its number; `None` if a file lists the pairs.
    pub number: Option<f64>,
}

impl Study {
    /// The rule and number of a truth; `None` for other truths.
    pub fn dial(&self, truth: &Truth) -> Option<Dial> {
        let rule = rule::named(&truth.name)?;
        self.bases[rule.name].as_ref()?;
        let number = self.rules.numbers[rule.name];
        Some(Dial { rule, number })
    }

    /// The number of a truth's rule, as suffix of its name; empty for the default, and without a rule.
    pub fn set_words(&self, truth: &Truth) -> String {
        let dial = self.dial(truth);
        let set = dial.and_then(|dial| Some((dial.rule, dial.number?)));
        let set = set.filter(|(rule, number)| (number - rule.number.default).abs() > 0.0);
        set.map_or(String::new(), |(rule, number)| format!(" {}", (rule.words)(number)))
    }

    /// Name of a truth with this suffix.
    pub fn name_with_rule(&self, truth: &Truth) -> String {
        truth.name.clone() + &self.set_words(truth)
    }

    /// Flags of rules with non-default numbers, with their values.
    pub fn rule_flags(&self) -> Vec<(&'static str, Option<f64>)> {
        let is_made = |rule: &&&Rule| self.bases[rule.name].is_some();
        let of_rule = |rule: &&Rule| {
            let number = rule.number;
            let set =
                self.rules.numbers[rule.name].filter(|set| (set - number.default).abs() > 0.0);
            let switch = rule.switch.filter(|_| self.rules.switches[rule.name]);
            let number = set.map(|set| (number.flag, Some(set)));
            number.into_iter().chain(switch.map(|switch| (switch.flag, None))).collect::<Vec<_>>()
        };
        RULES.iter().filter(is_made).flat_map(of_rule).collect()
    }

    /// This study with the rule numbers of `dials`. Truths keep their order; those of `last` with the same number are
    /// reused.
    fn with_rule_numbers(&self, dials: Dials, last: Option<&(Dials, Vec<Truth>)>) -> Study {
        let default = (Dials::default(), self.truths.clone());
        let (before, present) = last.unwrap_or(&default);
        let mut study = self.clone();
        for rule in RULES {
            let number = &mut study.rules.numbers[rule.name];
            *number = dials.numbers[rule.name].or(*number);
        }
        for (at, truth) in study.truths.iter_mut().enumerate() {
            let Some(rule) = rule::named(&truth.name) else {
                continue;
            };
            let stays = before.numbers[rule.name] == dials.numbers[rule.name];
            let made =
                if stays { Some(present[at].clone()) } else { self.derived(rule.name, dials) };
            if let Some(made) = made {
                *truth = made.under(self.conventions);
            }
        }
        study
    }

    /// A rule's truth with another number; `None` if unchanged or not computable.
    fn derived(&self, rule: &str, dials: Dials) -> Option<Truth> {
        let set = Set { number: dials.numbers[rule]?, switch: self.rules.switches[rule] };
        let over = Over { gallery: &self.gallery, truths: &self.truths };
        self.bases[rule].as_ref()?.truth(over, set)
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
        let number = |study: &Study| study.dial(study.truth(pm::NAME)?)?.number;
        assert_eq!(number(&base), Some(0.0));
        let mut dials = Dials::default();
        dials.numbers[pm::NAME] = Some(2.0);
        let turned = Turner::default().turned(&base, dials).unwrap();
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
        assert!(demo.dial(&demo.truths[0]).is_none());
    }
}
