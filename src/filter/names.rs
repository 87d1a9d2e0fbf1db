//! Names of models and truths in an expression, looked up in the study.

use std::ops::Range;

use super::lexer::is_plain;
use super::mistake::Mistake;
use super::syntax::{Name, Which};
use crate::data::index::{ModelIx, TruthIx};
use crate::data::near::nearest;
use crate::study::{Study, View};

/// The model and the truth that were named before a value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Named {
    pub model: Option<ModelIx>,
    pub truth: Option<TruthIx>,
}

/// The places of a name among the models and the truths.
fn places(study: &Study, name: &Name) -> Named {
    let wanted = |which| name.which.is_none_or(|said| said == which);
    let model = ModelIx::find(&study.models, |model| model.name == name.text);
    let truth = TruthIx::find(&study.truths, |truth| truth.name == name.text);
    Named {
        model: model.filter(|_| wanted(Which::Model)),
        truth: truth.filter(|_| wanted(Which::Truth)),
    }
}

/// What the names before a value mean, in either order.
pub(super) fn resolve(study: &Study, names: &[Name]) -> Result<Named, Mistake> {
    let places: Vec<Named> = names.iter().map(|name| places(study, name)).collect();
    let mut named = Named::default();
    for (at, name) in names.iter().enumerate() {
        let Named { model, truth } = places[at];
        let which = match (model, truth) {
            (None, None) => return Err(unknown(study, name)),
            (Some(_), None) => Which::Model,
            (None, Some(_)) => Which::Truth,
            (Some(_), Some(_)) => left_over(&places, at).ok_or_else(|| ambiguous(name))?,
        };
        let before = match which {
            Which::Model => std::mem::replace(&mut named.model, model).is_some(),
            Which::Truth => std::mem::replace(&mut named.truth, truth).is_some(),
        };
        if before {
            let found = format!("{} is a second {}", name.text, which.word());
            return Err(Mistake::new(name.at.clone(), found)
                .expected("at most one model and one ground truth before a value"));
        }
    }
    Ok(named)
}

/// What the other names leave for the one at `at`: beside a model it is a truth.
fn left_over(places: &[Named], at: usize) -> Option<Which> {
    let others = || places.iter().enumerate().filter(|(other, _)| *other != at);
    let any = |wanted: (bool, bool)| {
        others().any(|(_, other)| (other.model.is_some(), other.truth.is_some()) == wanted)
    };
    match (any((true, false)), any((false, true))) {
        (true, false) => Some(Which::Truth),
        (false, true) => Some(Which::Model),
        _ => None,
    }
}

fn ambiguous(name: &Name) -> Mistake {
    let written = written(&name.text);
    Mistake::new(name.at.clone(), format!("{} is a model and a ground truth", name.text))
        .expected(format!("model:{written} or truth:{written}"))
}

fn unknown(study: &Study, name: &Name) -> Mistake {
    let models = study.models.iter().map(|model| model.name.as_str());
    let truths = study.truths.iter().map(|truth| truth.name.as_str());
    let (is, known): (&str, Vec<&str>) = match name.which {
        None => ("model or ground truth", models.chain(truths).collect()),
        Some(Which::Model) => ("model", models.collect()),
        Some(Which::Truth) => ("ground truth", truths.collect()),
    };
    let all: Vec<String> = known.iter().map(|name| written(name)).collect();
    let mistake = Mistake::new(name.at.clone(), format!("no {is} is named {}", name.text))
        .expected(format!("one of: {}", all.join(", ")));
    match nearest(&name.text, known) {
        Some(near) => mistake.mend(format!("did you mean {}?", written(near))),
        None => mistake,
    }
}

/// A name as an expression has it: in backticks where it is no plain word.
pub(super) fn written(name: &str) -> String {
    if is_plain(name) {
        return name.to_owned();
    }
    format!("`{}`", name.replace('\\', "\\\\").replace('`', "\\`"))
}

/// The same of a model or a truth of the study, with its kind before it where there is the other
/// kind of this name too.
pub(super) fn told_apart(study: &Study, which: Which, name: &str) -> String {
    let both = study.truth(name).is_some() && study.models.iter().any(|model| model.name == name);
    let written = written(name);
    if both {
        return format!("{}:{written}", which.word());
    }
    written
}

/// A value of a model of the study, as an expression has it.
pub fn value_of_model(study: &Study, model: ModelIx, value: &str) -> String {
    let name = told_apart(study, Which::Model, &study.models[model].name);
    format!("{name}.{value}")
}

/// A value under a truth of the study, as an expression has it.
pub fn value_of_truth(study: &Study, truth: TruthIx, value: &str) -> String {
    let name = told_apart(study, Which::Truth, &study.truths[truth].name);
    format!("{name}.{value}")
}

/// The name that a mistake may come from: one that is no plain word, and stands here without
/// backticks.
pub(super) fn unquoted(study: &Study, text: &str, at: &Range<usize>) -> Option<String> {
    let models = study.models.iter().map(|model| &model.name);
    let truths = study.truths.iter().map(|truth| &truth.name);
    let is_here = |name: &&String| {
        let mut found = text.match_indices(name.as_str());
        !is_plain(name)
            && found.any(|(start, _)| start <= at.start && at.start <= start + name.len())
    };
    models.chain(truths).find(is_here).map(|name| written(name))
}

/// The view that is meant, and whether its truth has lists in this direction.
pub(super) fn view(
    study: &Study,
    view: View,
    named: Named,
    at: &Range<usize>,
) -> Result<View, Mistake> {
    let view = View {
        model: named.model.unwrap_or(view.model),
        truth: named.truth.unwrap_or(view.truth),
        ..view
    };
    let truth = &study.truths[view.truth];
    if truth.relevance[view.direction].is_some() {
        return Ok(view);
    }
    let found = format!("ground truth {} has no {} list", truth.name, view.direction);
    Err(Mistake::new(at.clone(), found)
        .expected("a ground truth that judges queries of this direction"))
}
