//! Looks up names of models and truths in an expression, and writes them for one.

use std::ops::Range;

use super::lexer::is_plain;
use super::mistake::Mistake;
use crate::data::index::{ModelIx, TruthIx};
use crate::data::near::suggestion;
use crate::study::Study;

/// The name of a value, a model or a truth, as it occurs in an expression.
#[derive(Debug)]
pub(super) struct Name {
    pub text: String,
    /// Whether it names a model or a truth, if the expression says so by `model:` or `truth:`.
    pub kind: Option<NameKind>,
    /// Byte range in the expression.
    pub at: Range<usize>,
}

/// Whether a name is that of a model or a truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameKind {
    Model,
    Truth,
}

impl NameKind {
    /// The keyword in expressions and messages.
    fn keyword(self) -> &'static str {
        match self {
            NameKind::Model => "model",
            NameKind::Truth => "truth",
        }
    }
}

/// The model and the truth that the names before a value stand for; `None` if not named.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct NamedView {
    pub model: Option<ModelIx>,
    pub truth: Option<TruthIx>,
}

/// The model and the truth that have this name; only the one of its kind, if `model:` or `truth:` precedes it.
fn find_named(study: &Study, name: &Name) -> NamedView {
    let model = ModelIx::find(&study.models, |model| model.name == name.text);
    let truth = TruthIx::find(&study.truths, |truth| truth.name == name.text);
    NamedView {
        model: model.filter(|_| name.kind != Some(NameKind::Truth)),
        truth: truth.filter(|_| name.kind != Some(NameKind::Model)),
    }
}

/// Looks up the names before a value: at most one model and one truth, in either order.
pub(super) fn resolve(study: &Study, names: &[Name]) -> Result<NamedView, Mistake> {
    let mut found: Vec<_> = names.iter().map(|name| (name, find_named(study, name))).collect();
    // A name that a model and a truth share is resolved last: if the other name is a model, it is the truth.
    found.sort_by_key(|(_, named)| named.model.is_some() && named.truth.is_some());
    let mut named = NamedView::default();
    for (name, NamedView { model, truth }) in found {
        let kind = match (model, truth, (named.model, named.truth)) {
            (None, None, _) => return Err(unknown_name(study, name)),
            (Some(_), None, _) | (Some(_), Some(_), (None, Some(_))) => NameKind::Model,
            (None, Some(_), _) | (Some(_), Some(_), (Some(_), None)) => NameKind::Truth,
            _ => {
                let found = format!("{} is a model and a ground truth", name.text);
                let quoted = quote(&name.text);
                let expected = format!("model:{quoted} or truth:{quoted}");
                return Err(Mistake::new(name.at.clone(), found, expected));
            }
        };
        let is_second = match kind {
            NameKind::Model => std::mem::replace(&mut named.model, model).is_some(),
            NameKind::Truth => std::mem::replace(&mut named.truth, truth).is_some(),
        };
        if is_second {
            let found = format!("{} is a second {}", name.text, kind.keyword());
            let expected = "at most one model and one ground truth before a value";
            return Err(Mistake::new(name.at.clone(), found, expected));
        }
    }
    Ok(named)
}

/// The mistake that nothing has this name, with all names of its kind.
fn unknown_name(study: &Study, name: &Name) -> Mistake {
    let models = study.models.iter().map(|model| model.name.as_str());
    let truths = study.truths.iter().map(|truth| truth.name.as_str());
    let (kind, known): (&str, Vec<&str>) = match name.kind {
        None => ("model or ground truth", models.chain(truths).collect()),
        Some(NameKind::Model) => ("model", models.collect()),
        Some(NameKind::Truth) => ("ground truth", truths.collect()),
    };
    let all: Vec<String> = known.iter().map(|name| quote(name)).collect();
    let found = format!("no {kind} is named {}", name.text);
    let mistake = Mistake::new(name.at.clone(), found, format!("one of: {}", all.join(", ")));
    match suggestion(&name.text, &known) {
        Some(near) => mistake.fix(format!("did you mean {}?", quote(near))),
        None => mistake,
    }
}

/// Writes a name for an expression: in backticks if it is no plain word.
pub(super) fn quote(name: &str) -> String {
    if is_plain(name) {
        return name.to_owned();
    }
    format!("`{}`", name.replace('\\', "\\\\").replace('`', "\\`"))
}

/// The name of a model for an expression, with its kind if a truth has the same name.
pub(super) fn model_name(study: &Study, model: ModelIx) -> String {
    disambiguated(study, NameKind::Model, &study.models[model].name)
}

/// The name of a truth for an expression, with its kind if a model has the same name.
pub(super) fn truth_name(study: &Study, truth: TruthIx) -> String {
    disambiguated(study, NameKind::Truth, &study.truths[truth].name)
}

/// The name for an expression, with its kind if both a model and a truth have it.
fn disambiguated(study: &Study, kind: NameKind, name: &str) -> String {
    let is_shared = study.truth(name).is_some() && study.models.iter().any(|one| one.name == name);
    let quoted = quote(name);
    if is_shared { format!("{}:{quoted}", kind.keyword()) } else { quoted }
}

/// An expression for the value of a model: `MODEL.VALUE`.
pub fn value_of_model(study: &Study, model: ModelIx, value: &str) -> String {
    format!("{}.{value}", model_name(study, model))
}

/// An expression for the value under a truth: `TRUTH.VALUE`.
pub fn value_of_truth(study: &Study, truth: TruthIx, value: &str) -> String {
    format!("{}.{value}", truth_name(study, truth))
}

/// Finds the name of a model or truth that lacks its backticks at the byte range of a mistake; returns it in backticks.
/// `None` if no name is there.
pub(super) fn find_unquoted(study: &Study, text: &str, at: &Range<usize>) -> Option<String> {
    let models = study.models.iter().map(|model| &model.name);
    let truths = study.truths.iter().map(|truth| &truth.name);
    let is_here = |name: &&String| {
        let mut matches = text.match_indices(name.as_str());
        !is_plain(name)
            && matches.any(|(start, _)| start <= at.start && at.start <= start + name.len())
    };
    models.chain(truths).find(is_here).map(|name| quote(name))
}
