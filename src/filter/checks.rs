//! What must hold for a value to be taken, and what is said where it does not.

use std::ops::Range;

use super::mistake::Mistake;
use super::names;
use super::syntax::{Depth, Value};
use super::values::{self, Depends, Known, Quantity};
use crate::data::Direction;
use crate::data::index::TruthIx;
use crate::data::near::nearest_of;
use crate::metric::Spec;
use crate::study::{Study, View};
use crate::truth::{Kind, Truth, rule};

/// The depth among the arguments; 0 where none is due.
pub(super) fn depth(
    (study, view): (&Study, View),
    value: &Value,
    at: &Range<usize>,
    due: bool,
) -> Result<u32, Mistake> {
    let name = &value.name.text;
    let mistake = |found: &str| Mistake::new(at.clone(), format!("{name} {found}"));
    match (value.numbers.as_deref(), due) {
        (None, false) => Ok(0),
        (Some(_), false) => {
            Err(mistake("takes no arguments").expected(format!("{name} without brackets")))
        }
        (Some([Depth { k, at }]), true) => {
            let whole = k.fract() == 0.0 && (1.0..f64::from(u32::MAX)).contains(k);
            whole.then_some(*k as u32).ok_or_else(|| {
                Mistake::new(at.clone(), format!("{k} is no depth"))
                    .expected("a whole number from 1 on")
            })
        }
        _ => {
            let model = names::written(&study.models[view.model].name);
            Err(mistake("needs one depth").expected(format!("{name}(5) or {name}({model}, 5)")))
        }
    }
}

/// That queries of this direction have texts.
pub(super) fn texts(study: &Study, direction: Direction, at: &Range<usize>) -> Result<(), Mistake> {
    if study.gallery.texts.is_empty() {
        return Err(Mistake::new(at.clone(), "no texts are known")
            .expected("a captions file among the inputs"));
    }
    let pairs_images =
        |truth: &Truth| truth.kind == Kind::Original && truth.relevance[Direction::I2t].is_some();
    if direction == Direction::I2t && !study.truths.iter().any(pairs_images) {
        let found = "no ground truth says which captions an image has";
        return Err(Mistake::new(at.clone(), found)
            .expected("a ground truth named original: the text of an image is its first caption"));
    }
    Ok(())
}

/// That phrases are annotated.
pub(super) fn phrases(study: &Study, at: &Range<usize>) -> Result<(), Mistake> {
    if study.phrases.is_some() {
        return Ok(());
    }
    Err(Mistake::new(at.clone(), "no phrases are known")
        .expected("the folder of Flickr30k Entities: --entities DIR"))
}

/// That models are steps of a training.
pub(super) fn steps(study: &Study, at: &Range<usize>) -> Result<(), Mistake> {
    if !study.steps.is_empty() {
        return Ok(());
    }
    Err(Mistake::new(at.clone(), "the models are no steps of a training")
        .expected("two files or more of one model at different steps, and --series"))
}

/// That the truth tells what was judged not relevant, where a metric takes that.
pub(super) fn judgements(
    (study, view): (&Study, View),
    spec: Spec,
    at: &Range<usize>,
) -> Result<(), Mistake> {
    let truth = &study.truths[view.truth];
    if !spec.metric.takes_judgements() || truth.has_nonrelevant() {
        return Ok(());
    }
    let found = format!("ground truth {} does not tell what was judged not relevant", truth.name);
    Err(Mistake::new(at.clone(), found)
        .expected("the name of one that does: qrels with 0, a bundle with \"nonrelevant\""))
}

/// That the truth is the one that a metric is defined under, where it is under one alone.
pub(super) fn own_truth(
    (study, view): (&Study, View),
    spec: Spec,
    at: &Range<usize>,
) -> Result<(), Mistake> {
    let only = spec.metric.only_under();
    let Some(name) = only.filter(|name| study.truths[view.truth].name != *name) else {
        return Ok(());
    };
    let found = format!("{spec} is defined under ground truth {name} alone");
    let made_from = rule::named(name).map_or("", |rule| rule.made_from());
    Err(Mistake::new(at.clone(), found).expected(match study.truth(name) {
        Some(_) => format!("{name}.{spec}"),
        None => format!("{made_from} among the files, which makes it"),
    }))
}

/// The truth of a similarity: the one named, else the one looked at, else the first.
pub(super) fn of_phi(
    (study, view): (&Study, View),
    named: Option<TruthIx>,
    at: &Range<usize>,
) -> Result<TruthIx, Mistake> {
    let is_of_phi = |truth: &TruthIx| study.truths[*truth].is_by_similarity();
    let found = match named {
        Some(truth) => Some(truth).filter(is_of_phi),
        None => Some(view.truth)
            .filter(is_of_phi)
            .or_else(|| TruthIx::all(&study.truths).find(is_of_phi)),
    };
    found.ok_or_else(|| {
        let found = match named {
            Some(truth) => format!("ground truth {} is of no similarity", study.truths[truth].name),
            None => "no similarity phi is loaded".into(),
        };
        Mistake::new(at.clone(), found).expected("the name of one: --phi cider, or --phi NAME=FILE")
    })
}

/// A name that is no value: perhaps that of a model or a truth.
pub(super) fn unknown(study: &Study, value: &Value) -> Mistake {
    let name = &value.name.text;
    let mistake = |found: String| Mistake::new(value.name.at.clone(), found);
    let model = study.models.iter().any(|model| model.name == *name);
    for (is, what) in [(model, "model"), (study.truth(name).is_some(), "truth")] {
        if is && value.numbers.is_none() {
            return mistake(format!("{name} is a {what}, not a value"))
                .expected(format!("a value of it, such as {name}.r1"));
        }
    }
    let of_truth = |truth: &Truth| {
        let value = name.strip_prefix(&truth.name)?.strip_prefix('_')?;
        let is_value = values::values().iter().any(|(known, _)| known == value);
        is_value.then(|| format!("{}.{value}", truth.name))
    };
    if let Some(of_truth) = study.truths.iter().find_map(of_truth) {
        return mistake(format!("no value is named {name}"))
            .mend(format!("did you mean {of_truth}?"));
    }
    let known = values::values();
    let known = known.iter().map(|(written, _)| written.as_str()).collect();
    let near = nearest_of(name, known, 10).join(", ");
    let mistake = mistake(format!("no value is named {name}"))
        .expected(format!("a value, such as {near}; `itm-explore find --help` lists all"));
    match values::meant(name) {
        Some(near) => mistake.mend(format!("did you mean {near}?")),
        None => mistake.mend("text stands in double quotes, such as text ~ \"dog\""),
    }
}

/// A prefix that changes nothing is likely meant to.
pub(super) fn useless(known: &Known, at: &Range<usize>) -> Mistake {
    let (found, expected) = match known.depends {
        Depends::Nothing => ("is the query's own, whatever model or truth", "without names"),
        Depends::Truth => ("depends on the ground truth alone", "without a model"),
        _ if known.item == Quantity::ExtraInTop => {
            ("takes all rich ground truths together", "without a ground truth")
        }
        _ => ("depends on the model alone", "without a ground truth"),
    };
    let name = known.name;
    Mistake::new(at.clone(), format!("{name} {found}")).expected(format!("{name} {expected}"))
}
