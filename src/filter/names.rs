//! Names of models and truths in an expression, looked up in the study.

use std::ops::Range;

use super::lexer::is_plain;
use super::mistake::Mistake;
use crate::data::index::{ModelIx, TruthIx};
use crate::data::near::nearest;
use crate::study::Study;

/// The name of a value, a model or a truth.
#[derive(Debug)]
pub(super) struct Name {
    pub text: String,
    /// Whether it is a model's or a truth's, if `model:` or `truth:` is given.
    pub which: Option<Which>,
    pub at: Range<usize>,
}

/// Whether a name is a model's or a truth's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    Model,
    Truth,
}

impl Which {
    /// Its keyword in expressions and messages.
    fn word(self) -> &'static str {
        match self {
            Which::Model => "model",
            Which::Truth => "truth",
        }
    }
}

/// The model and the truth named before a value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Named {
    pub model: Option<ModelIx>,
    pub truth: Option<TruthIx>,
}

/// Indices of a name among the models and the truths.
fn places(study: &Study, name: &Name) -> Named {
    let model = ModelIx::find(&study.models, |model| model.name == name.text);
    let truth = TruthIx::find(&study.truths, |truth| truth.name == name.text);
    Named {
        model: model.filter(|_| name.which != Some(Which::Truth)),
        truth: truth.filter(|_| name.which != Some(Which::Model)),
    }
}

/// Resolves the names before a value, in either order.
pub(super) fn resolve(study: &Study, names: &[Name]) -> Result<Named, Mistake> {
    let mut places: Vec<_> = names.iter().map(|name| (name, places(study, name))).collect();
    // An ambiguous name is resolved last: beside a model it is a truth.
    places.sort_by_key(|(_, found)| found.model.is_some() && found.truth.is_some());
    let mut named = Named::default();
    for (name, Named { model, truth }) in places {
        let which = match (model, truth, (named.model, named.truth)) {
            (None, None, _) => return Err(unknown(study, name)),
            (Some(_), None, _) | (Some(_), Some(_), (None, Some(_))) => Which::Model,
            (None, Some(_), _) | (Some(_), Some(_), (Some(_), None)) => Which::Truth,
            _ => {
                let found = format!("{} is a model and a ground truth", name.text);
                let quoted = quote(&name.text);
                let expected = format!("model:{quoted} or truth:{quoted}");
                return Err(Mistake::new(name.at.clone(), found, expected));
            }
        };
        let before = match which {
            Which::Model => std::mem::replace(&mut named.model, model).is_some(),
            Which::Truth => std::mem::replace(&mut named.truth, truth).is_some(),
        };
        if before {
            let found = format!("{} is a second {}", name.text, which.word());
            let expected = "at most one model and one ground truth before a value";
            return Err(Mistake::new(name.at.clone(), found, expected));
        }
    }
    Ok(named)
}

fn unknown(study: &Study, name: &Name) -> Mistake {
    let models = study.models.iter().map(|model| model.name.as_str());
    let truths = study.truths.iter().map(|truth| truth.name.as_str());
    let (is, known): (&str, Vec<&str>) = match name.which {
        None => ("model or ground truth", models.chain(truths).collect()),
        Some(Which::Model) => ("model", models.collect()),
        Some(Which::Truth) => ("ground truth", truths.collect()),
    };
    let all: Vec<String> = known.iter().map(|name| quote(name)).collect();
    let found = format!("no {is} is named {}", name.text);
    let mistake = Mistake::new(name.at.clone(), found, format!("one of: {}", all.join(", ")));
    match nearest(&name.text, known) {
        Some(near) => mistake.fix(format!("did you mean {}?", quote(near))),
        None => mistake,
    }
}

/// A name for an expression: in backticks if it is no plain word.
pub(super) fn quote(name: &str) -> String {
    if is_plain(name) {
        return name.to_owned();
    }
    format!("`{}`", name.replace('\\', "\\\\").replace('`', "\\`"))
}

/// The name of a model for an expression, with its kind if a truth has the same name.
pub(super) fn of_model(study: &Study, model: ModelIx) -> String {
    disambiguated(study, Which::Model, &study.models[model].name)
}

/// The name of a truth for an expression, with its kind if a model has the same name.
pub(super) fn of_truth(study: &Study, truth: TruthIx) -> String {
    disambiguated(study, Which::Truth, &study.truths[truth].name)
}

fn disambiguated(study: &Study, which: Which, name: &str) -> String {
    let both = study.truth(name).is_some() && study.models.iter().any(|model| model.name == name);
    let quoted = quote(name);
    if both { format!("{}:{quoted}", which.word()) } else { quoted }
}

/// A value of a model of the study, for an expression.
pub fn value_of_model(study: &Study, model: ModelIx, value: &str) -> String {
    format!("{}.{value}", of_model(study, model))
}

/// A value under a truth of the study, for an expression.
pub fn value_of_truth(study: &Study, truth: TruthIx, value: &str) -> String {
    format!("{}.{value}", of_truth(study, truth))
}

/// The name that may cause a mistake: one that is no plain word, but has no backticks.
pub(super) fn unquoted(study: &Study, text: &str, at: &Range<usize>) -> Option<String> {
    let models = study.models.iter().map(|model| &model.name);
    let truths = study.truths.iter().map(|truth| &truth.name);
    let is_here = |name: &&String| {
        let mut found = text.match_indices(name.as_str());
        !is_plain(name)
            && found.any(|(start, _)| start <= at.start && at.start <= start + name.len())
    };
    models.chain(truths).find(is_here).map(|name| quote(name))
}
