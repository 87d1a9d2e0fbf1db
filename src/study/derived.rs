//! A study with its dials turned: truths that a rule makes, made anew, a mixture of two models, and the
//! pool in which all compete.

use std::sync::Arc;

use super::{Pool, Study};
use crate::data::candidate_mask::CandidateMask;
use crate::data::index::ModelIx;
use crate::data::scores::{Model, ModelPair, Scaling};
use crate::error::Result;
use crate::truth::Truth;
use crate::truth::rule::{self, Over, PerRule, RULES, Rule, Set};

/// What can be turned: `None` leaves a truth as the files have it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Dials {
    /// The number of each rule that makes a truth.
    pub numbers: PerRule<Option<f64>>,
    /// Two models that are mixed as one more.
    pub mix: Option<Mix>,
    /// The candidate pool.
    pub pool: Pool,
}

/// A mixture of two models of a study.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mix {
    /// Indices of both.
    pub models: [ModelIx; 2],
    /// The weight of the first, in hundredths.
    pub percent: u32,
    /// What makes their scores comparable.
    pub scaling: Scaling,
}

/// What makes studies with turned dials from one base.
#[derive(Debug, Default)]
pub struct Turner {
    /// The pair that was mixed last: its files are measured once.
    pair: Option<([ModelIx; 2], ModelPair)>,
    /// The truths over the whole gallery that were made last, and by which dials.
    whole: Option<(Dials, Vec<Truth>)>,
    /// The pool that was entered last, and what the truths are in it.
    pool: Option<(Pool, Arc<CandidateMask>, Vec<Truth>)>,
}

impl Turner {
    /// `base` with the dials turned. What was made before and stays the same is made of the same lists.
    ///
    /// # Errors
    /// Models that cannot be mixed, and as [`Study::in_pool`].
    pub fn turned(&mut self, base: &Study, dials: Dials) -> Result<Study> {
        let before = self.whole.take();
        let mut study = base.with_dials(dials, before.as_ref());
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
            _ => ModelPair::of(&base.models[mix.models[0]], &base.models[mix.models[1]])?,
        };
        let (_, pair) = self.pair.insert((mix.models, pair));
        pair.model(f64::from(mix.percent) / 100.0, mix.scaling)
    }
}

/// The dial of a truth, and where it stands.
#[derive(Debug, Clone, Copy)]
pub struct Dial {
    /// What makes the truth.
    pub rule: &'static Rule,
    /// The number that it is made with; `None` where a file lists the pairs.
    pub number: Option<f64>,
}

impl Study {
    /// The dial of a truth; `None` where nothing of it can be turned.
    pub fn dial(&self, truth: &Truth) -> Option<Dial> {
        let rule = rule::named(&truth.name)?;
        self.bases[rule.name].as_ref()?;
        let number = self.rules.numbers[rule.name];
        Some(Dial { rule, number })
    }

    /// The number that a truth is made with, as it is written behind its name; nothing where it is the default, and
    /// where no number decides.
    pub fn set_words(&self, truth: &Truth) -> String {
        let dial = self.dial(truth);
        let set = dial.and_then(|dial| Some((dial.rule, dial.number?)));
        let set = set.filter(|(rule, number)| (number - rule.number.default).abs() > 0.0);
        set.map_or(String::new(), |(rule, number)| format!(" {}", (rule.words)(number)))
    }

    /// The name of a truth, with these words behind it.
    pub fn name_with_rule(&self, truth: &Truth) -> String {
        truth.name.clone() + &self.set_words(truth)
    }

    /// The flags by which truths of rules are made otherwise than by default, with their values.
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

    /// This study with the dials of truths turned. Truths keep their places; those made before with the
    /// same dials are taken from there.
    fn with_dials(&self, dials: Dials, made_before: Option<&(Dials, Vec<Truth>)>) -> Study {
        let default = (Dials::default(), self.truths.clone());
        let (before, present) = made_before.unwrap_or(&default);
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

    /// The truth of a rule with its number turned; `None` where it is not turned or cannot be made.
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
