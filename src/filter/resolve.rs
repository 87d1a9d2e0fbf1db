//! Looks up the values of an expression, and collects the inputs that it needs.

use std::ops::Range;

use super::inputs::{Needs, RanksOf, index_or_push};
use super::mistake::Mistake;
use super::names::{self, Name, NamedView};
use super::values::{self, Getter, Need, Row, Value};
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::data::near::nearest_names;
use crate::metric::Spec;
use crate::study::{Study, View};
use crate::truth::{Kind, Truth, rule};

/// A value as written in an expression, not looked up: `ours.eccv.r1`, `non_gt_in_top(ours, 5)`.
#[derive(Debug)]
pub(super) struct RawValue {
    /// The name of the value.
    pub name: Name,
    /// The names of models and truths, before it or among its arguments.
    pub names: Vec<Name>,
    /// The numbers among its arguments, with byte ranges; `None` without brackets.
    pub numbers: Option<Vec<(f64, Range<usize>)>>,
    /// The texts among its arguments, with byte ranges.
    pub texts: Vec<(String, Range<usize>)>,
    /// Byte range of the whole.
    pub at: Range<usize>,
}

/// Looks up a value and adds its inputs to the needs. Its model and truth are those of `view` unless named.
pub(super) fn look_up(
    raw: &RawValue,
    study: &Study,
    view: View,
    needs: &mut Needs,
) -> Result<Value, Mistake> {
    let name = &raw.name.text;
    let (row, spec) = values::find_value(name).ok_or_else(|| unknown_value(study, raw))?;
    let named = names::resolve(study, &raw.names)?;
    let mistake = |[found, expected]: [String; 2]| Mistake::new(raw.at.clone(), found, expected);
    for (is_named, is_allowed, kind) in [
        (named.model.is_some(), row.allows_model(), "model"),
        (named.truth.is_some(), row.allows_truth(), "ground truth"),
    ] {
        if is_named && !is_allowed {
            let found = format!("{name} is the same under any {kind}");
            return Err(mistake([found, format!("{name} without a {kind}")]));
        }
    }
    let k = check_depth(row, raw, &study.models[view.model].name)?;
    let model = named.model.unwrap_or(view.model);
    let truth = named.truth.unwrap_or(view.truth);
    let mut value = Value { row, spec, k, texts: Vec::new(), model, truth, ranks: Vec::new() };
    for need in row.needs {
        add_need(*need, &mut value, named, (study, view), needs).map_err(mistake)?;
    }
    value.texts = check_texts(row, raw, study)?;
    Ok(value)
}

/// Checks the texts among the arguments; returns each with its index in [`Row::names`], 0 if the row allows any text.
fn check_texts(row: &Row, raw: &RawValue, study: &Study) -> Result<Vec<(String, usize)>, Mistake> {
    let Some(names) = row.names.map(|names| names(study)) else {
        return Ok(Vec::new());
    };
    let is_one = matches!(row.getter, Getter::Id(_));
    if raw.texts.is_empty() || is_one && raw.texts.len() > 1 {
        let found =
            format!("{} needs {} in brackets", row.name, if is_one { "one name" } else { "texts" });
        let expected = [row.name, row.arguments].concat().replace(", ..", "");
        return Err(Mistake::new(raw.at.clone(), found, expected));
    }
    let with_index = |(text, at): &(String, Range<usize>)| {
        let index = names.iter().position(|name| name.eq_ignore_ascii_case(text));
        if index.is_some() || names.is_empty() {
            return Ok((text.clone(), index.unwrap_or(0)));
        }
        let near = nearest_names(text, names.clone(), 10).join(", ");
        let found = format!("no {} is named {text:?}", row.name.replace('_', " "));
        Err(Mistake::new(at.clone(), found, format!("a name such as {near}")))
    };
    raw.texts.iter().map(with_index).collect()
}

/// Checks the numbers among the arguments; returns the depth k, 0 if the value has none. `model` is a name for the
/// example in a mistake.
fn check_depth(row: &Row, raw: &RawValue, model: &str) -> Result<u32, Mistake> {
    let (name, at) = (&raw.name.text, raw.at.clone());
    let has_depth = !row.arguments.is_empty() && row.names.is_none();
    match raw.numbers.as_deref() {
        None if !has_depth => Ok(0),
        Some(_) if !has_depth => {
            let found = format!("{name} takes no arguments");
            Err(Mistake::new(at, found, format!("{name} without brackets")))
        }
        Some([(k, _)]) if k.fract() == 0.0 && (1.0..f64::from(u32::MAX)).contains(k) => {
            Ok(*k as u32)
        }
        Some([(k, at)]) => {
            let found = format!("{k} is no depth");
            Err(Mistake::new(at.clone(), found, "a whole number from 1 on"))
        }
        _ => {
            let expected = format!("{name}(5) or {name}({}, 5)", names::quote(model));
            Err(Mistake::new(at, format!("{name} needs one depth"), expected))
        }
    }
}

/// An input, a function that tells whether a study lacks it, and for the mistake the cause and the expected input.
type InputCheck = (Need, fn(&Study) -> bool, &'static str, &'static str);

/// Inputs of values that some studies lack.
const INPUT_CHECKS: &[InputCheck] = &[
    (
        Need::Steps,
        |study| study.steps.is_empty(),
        "the models are no steps of a training",
        "two files or more of one model at different steps, and --series",
    ),
    (
        Need::Captions,
        |study| study.gallery.texts.is_empty(),
        "no texts are known",
        "a captions file among the inputs",
    ),
    (
        Need::Phrases,
        |study| study.phrases.is_none(),
        "no phrases are known",
        "the folder of Flickr30k Entities: --entities DIR",
    ),
    (
        Need::Categories,
        |study| study.category_names().is_empty(),
        "no categories of images are known",
        "a COCO instances file among the inputs",
    ),
    (
        Need::Columns,
        |study| study.columns.is_empty(),
        "no table of images or captions is known",
        "a CSV file with their ids in its first column: --table FILE.csv",
    ),
];

/// Adds one input of a value to the needs of the expression, and its ranks to the value. `named` are the model and the
/// truth that the expression names for the value.
///
/// # Errors
/// The study lacks the input: cause, and what was expected.
fn add_need(
    need: Need,
    value: &mut Value,
    named: NamedView,
    (study, view): (&Study, View),
    needs: &mut Needs,
) -> Result<(), [String; 2]> {
    let direction = view.direction;
    let missing = |found: String, expected: &str| Err::<(), _>([found, expected.to_owned()]);
    let has_lists = |truth: &Truth| truth.relevance[direction].is_some();
    let truths_of_kind = |kind: Kind| {
        let is_match = move |truth: &Truth| truth.kind == kind && has_lists(truth);
        TruthIx::enumerate(&study.truths).filter(move |(_, one)| is_match(one)).map(|(at, _)| at)
    };
    // The original annotation, if named, means its list without judgments.
    let is_original = |truth: TruthIx| study.truths[truth].kind == Kind::Original;
    let as_loaded = named.truth.is_some_and(is_original);
    let mut need_ranks = |model: ModelIx, truth: TruthIx, as_loaded: bool| {
        let view = index_or_push(&mut needs.views, View { model, truth, direction });
        value.ranks.push(RanksOf { view, as_loaded });
    };
    for (input, is_missing, found, expected) in INPUT_CHECKS {
        if *input == need && is_missing(study) {
            return missing((*found).to_owned(), expected);
        }
    }
    match need {
        Need::Lists | Need::Ranks | Need::Steps if !has_lists(&study.truths[value.truth]) => {
            let name = &study.truths[value.truth].name;
            missing(
                format!("ground truth {name} has no {direction} list"),
                "a ground truth that covers queries of this direction",
            )?;
        }
        Need::Ranks => {
            need_ranks(value.model, value.truth, as_loaded);
            value.spec.map_or(Ok(()), |spec| check_metric(study, value.truth, spec))?;
        }
        Need::Phi => {
            value.truth = phi_truth(study, view, named.truth)?;
            need_ranks(value.model, value.truth, false);
        }
        Need::Rich => {
            let Some(original) = truths_of_kind(Kind::Original).next() else {
                return missing(
                    format!("no original ground truth with a {direction} list"),
                    "a ground truth named original, by which others are richer",
                );
            };
            // Judgments add no items to the original annotation.
            need_ranks(value.model, original, true);
            truths_of_kind(Kind::Rich).for_each(|rich| need_ranks(value.model, rich, false));
            if value.ranks.len() == 1 {
                missing(
                    format!("no rich ground truth with a {direction} list"),
                    "a ground truth with further positives, such as eccv or cxc",
                )?;
            }
        }
        Need::Steps => {
            study.steps.iter().for_each(|step| need_ranks(step.model, value.truth, as_loaded));
        }
        Need::TopK => {
            index_or_push(&mut needs.top_k, value.model);
        }
        Need::Words => needs.texts = true,
        Need::Captions
            if direction == Direction::I2t && truths_of_kind(Kind::Original).next().is_none() =>
        {
            missing(
                "no ground truth says which captions an image has".into(),
                "a ground truth named original: the text of an image is its first caption",
            )?;
        }
        _ => {}
    }
    Ok(())
}

/// Checks that a metric is defined under a truth: some metrics need items judged not relevant, some are defined under
/// one truth alone. Errors: cause, and what was expected.
fn check_metric(study: &Study, truth: TruthIx, spec: Spec) -> Result<(), [String; 2]> {
    let truth = &study.truths[truth];
    if spec.metric.needs_judgments() && !truth.has_nonrelevant() {
        return Err([
            format!("ground truth {} does not list what was judged not relevant", truth.name),
            "the name of one that does: qrels with 0, a bundle with \"nonrelevant\"".into(),
        ]);
    }
    let Some(name) = spec.metric.only_under().filter(|name| truth.name != *name) else {
        return Ok(());
    };
    let made_from = rule::find(name).map_or("", |rule| rule.made_from);
    let expected = match study.truth(name) {
        Some(_) => format!("{name}.{spec}"),
        None => format!("{made_from} among the files, which makes it"),
    };
    Err([format!("{spec} is defined under ground truth {name} alone"), expected])
}

/// The `named` truth; if none is named, the truth of the view, or else the first truth by a similarity. Errors if it is
/// not by a similarity, or if there is none: cause, and what was expected.
fn phi_truth(study: &Study, view: View, named: Option<TruthIx>) -> Result<TruthIx, [String; 2]> {
    let is_of_phi = |truth: &TruthIx| study.truths[*truth].is_by_similarity();
    let chosen = Some(named.unwrap_or(view.truth)).filter(is_of_phi);
    let first = || TruthIx::all(&study.truths).find(is_of_phi).filter(|_| named.is_none());
    chosen.or_else(first).ok_or_else(|| {
        let found = named.map_or("no similarity phi is loaded".into(), |truth| {
            format!("ground truth {} is of no similarity", study.truths[truth].name)
        });
        [found, "the name of one: --phi cider, or --phi NAME=FILE".into()]
    })
}

/// The mistake that no value has this name, or that the name is of a model or a truth.
fn unknown_value(study: &Study, value: &RawValue) -> Mistake {
    let (name, at) = (&value.name.text, value.name.at.clone());
    let is_model = study.models.iter().any(|model| model.name == *name);
    for (is_named, kind) in [(is_model, "model"), (study.truth(name).is_some(), "truth")] {
        if is_named && value.numbers.is_none() {
            let found = format!("{name} is a {kind}, not a value");
            return Mistake::new(at, found, format!("a value of it, such as {name}.r1"));
        }
    }
    let of_truth = study.truths.iter().find_map(|truth| {
        let value = name.strip_prefix(&truth.name)?.strip_prefix('_')?;
        values::find_value(value).map(|_| format!("{}.{value}", truth.name))
    });
    let known = values::values();
    let known = known.iter().map(|(name, _)| name.as_str()).collect();
    let near = nearest_names(name, known, 10).join(", ");
    let suggestion = of_truth.or_else(|| values::suggestion(name).map(str::to_owned));
    let expected = format!("a value, such as {near}; `itm-explore find --help` lists all");
    let found = format!("no value is named {name}");
    match suggestion {
        Some(near) => Mistake::new(at, found, expected).fix(format!("did you mean {near}?")),
        None => Mistake::new(at, found, format!("text ~ \"{name}\" for words, or {expected}")),
    }
}
