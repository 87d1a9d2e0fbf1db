//! Conditions that are ready to be chosen, in the words of the study at hand.

use super::Filter;
use super::names::told_apart;
use super::syntax::Which;
use crate::data::Direction;
use crate::data::id::Id;
use crate::data::index::{ModelIx, TruthIx};
use crate::study::{Study, View};
use crate::truth::Kind;

/// A condition that applies to a study.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ready {
    /// What it is called.
    pub name: &'static str,
    /// What it finds, in at most 48 columns: the menu of a small terminal has no more.
    pub meaning: &'static str,
    /// As [`Filter::parse`] reads it.
    pub expression: String,
}

/// Name, expression and meaning.
type Condition = (&'static str, &'static str, &'static str);

/// In the place of `{original}`, `{rich}` and `{loose}` stand truths,
/// of `{model}` and `{other}` the model looked at and the one after it. A condition with `{each}` holds
/// for every model, and there is more than one. `{phi}` is the truth of a similarity, `{close}` the share from which
/// on an item is close.
const CONDITIONS: &[Condition] = &[
    (
        "missing label",
        "{original}.r1 == 0 and {rich}.r1 == 1",
        "top-1 is a positive that original lacks",
    ),
    (
        "PM only",
        "{rich}.r1 == 0 and {loose}.r1 == 1",
        "top-1 is a positive by a rule only: no match",
    ),
    (
        "same-image sibling",
        "{rich}.r1 == 0 and {original}.r1 == 1",
        "top-1 is listed by original, by no richer truth",
    ),
    (
        "many extra positives",
        "extra_in_top(5) >= 3",
        "three or more of the top 5 are non-GT positives",
    ),
    ("top-1 positive", "r1 == 1", "top-1 is a positive"),
    ("near miss", "r1 == 0 and r5 == 1", "top-1 is no positive, a positive in the top 5"),
    ("nothing in top 10", "r10 == 0", "no positive in the top 10"),
    ("far miss", "r1 == 0 and positives_in_top(100) == 0", "no positive in the top 100"),
    (
        "R@1 = 1, low AP@R",
        "r1 == 1 and map_at_r < 25%",
        "top-1 is a positive, most positives are far down",
    ),
    ("models disagree", "{model}.r1 != {other}.r1", "top-1 of one model alone is a positive"),
    (
        "only this model",
        "{model}.r1 == 1 and {other}.r1 == 0",
        "top-1 of this model alone is a positive",
    ),
    (
        "both models miss",
        "{model}.r10 == 0 and {other}.r10 == 0",
        "no positive in the top 10 of either model",
    ),
    ("all models fail at 1", "{each}.r1 == 0", "no top-1 is a positive; query perhaps too coarse"),
    (
        "near-duplicate caption",
        "r1 == 0 and near_duplicate",
        "top-1 is no positive, has the words of one",
    ),
    ("hub", "r1 == 0 and hub", "top-1 is no positive, and top-1 for many queries"),
    (
        "phrase not in image",
        "r1 == 0 and lacking_phrases > 0",
        "no positive, and a phrase is not in the image",
    ),
    (
        "unrelated caption",
        "r1 == 0 and unrelated",
        "top-1 is no positive, the caption is unrelated",
    ),
    (
        "semantically close miss",
        "r1 == 0 and {phi}.ncs_at_1 >= {close}",
        "no positive, its phi is near the greatest",
    ),
    (
        "missed similar item",
        "{phi}.missed_phi(10) > {phi}.phi",
        "an item below the top 10 has a greater phi",
    ),
    ("learned late", "late", "a positive at the last step, first so late"),
    ("forgotten", "forgotten", "a positive earlier, not at the last step"),
    ("never learned", "never", "top-1 is a positive at no step"),
    (
        "winner flips",
        "({model}.r1 > {other}.r1 and {model}.map_at_r < {other}.map_at_r) or \
         ({model}.r1 < {other}.r1 and {model}.map_at_r > {other}.map_at_r)",
        "one model wins by R@1, the other by AP@R",
    ),
    (
        "flips by truth",
        "({model}.{original}.map_at_r > {other}.{original}.map_at_r and \
         {model}.{rich}.map_at_r < {other}.{rich}.map_at_r) or \
         ({model}.{original}.map_at_r < {other}.{original}.map_at_r and \
         {model}.{rich}.map_at_r > {other}.{rich}.map_at_r)",
        "by AP@R another model wins by a richer truth",
    ),
    ("short captions", "words <= 8", "the text has eight words or fewer"),
    ("long captions", "words >= 16", "the text has sixteen words or more"),
    ("picked", "picked", "bookmarked queries"),
    ("with verdicts", "verdicts > 0", "queries of which a person judged pairs"),
    ("failure", "r1 == 0", "top-1 is no positive"),
    (
        "correct",
        "r1 == 1 and not ({original}.judged and {original}.r1 == 0)",
        "top-1 is a positive, of original too",
    ),
    (
        "other",
        "r1 == 0 and r5 == 0 and not positives_in_top(100) == 0",
        "no top-1, the first positive at rank 6 to 100",
    ),
    ("original positive", "{original}.r1 == 1", "top-1 is a positive of original"),
    ("non-GT positive", "extra_in_top(1) == 1", "top-1 is a positive of a richer truth alone"),
];

/// Further names of ready conditions, as lists of items and the JSON of `errors` have them.
const ALIASES: &[(&str, &str)] = &[
    ("positive", "top-1 positive"),
    ("coarse query", "all models fail at 1"),
    ("near duplicate", "near-duplicate caption"),
    ("close miss", "semantically close miss"),
    ("lacking phrase", "phrase not in image"),
];

/// Every name of a ready condition with its expression, names of models and truths not filled in.
pub(super) fn named() -> impl Iterator<Item = (&'static str, &'static str)> {
    let all = CONDITIONS.iter().map(|(name, expression, _)| (*name, *expression));
    let of = |meant: &str| CONDITIONS.iter().find(|(name, ..)| *name == meant);
    let aliases = ALIASES.iter().filter_map(move |(alias, meant)| Some((*alias, of(meant)?.1)));
    all.chain(aliases)
}

/// The ready conditions that apply to a study as it is looked at.
pub fn ready(study: &Study, view: View) -> Vec<Ready> {
    CONDITIONS.iter().filter_map(|condition| applied(condition, study, view)).collect()
}

/// The ready condition of a name; `None` where it does not apply to the study.
pub fn ready_named(name: &str, study: &Study, view: View) -> Option<Ready> {
    let condition = CONDITIONS.iter().find(|(known, ..)| *known == name)?;
    applied(condition, study, view)
}

fn applied(&(name, expression, meaning): &Condition, study: &Study, view: View) -> Option<Ready> {
    let expression = fill(expression, study, view)?;
    let applies = Filter::parse(&expression, study, view).is_ok();
    applies.then_some(Ready { name, meaning, expression })
}

/// The queries on which the values of two models by a metric stand so to each other: `>`, `==` or `<`.
pub fn between(study: &Study, models: [ModelIx; 2], metric: &str, sign: &str) -> String {
    let name = |model: ModelIx| told_apart(study, Which::Model, &study.models[model].name);
    let [first, second] = models.map(name);
    format!("{first}.{metric} {sign} {second}.{metric}")
}

/// The queries whose first item, of the model looked at, is this one.
pub fn first_is(study: &Study, direction: Direction, item: usize) -> String {
    let id = match &study.gallery.items(direction)[item] {
        Id::Number(number) => number.to_string(),
        Id::Text(text) => text.to_string(),
    };
    let id = id.replace('\\', "\\\\").replace('"', "\\\"");
    format!("first_item == \"{id}\"")
}

/// The expression with names in the place of their kinds; `None` where the study has none.
pub(super) fn fill(expression: &str, study: &Study, view: View) -> Option<String> {
    let truth = |kind: Kind| {
        let truth = &study.truths[view.truth_of(study, kind)?];
        Some(told_apart(study, Which::Truth, &truth.name))
    };
    let model = |step: usize| {
        let (at, count) = (view.model.get() + step, study.models.len());
        let model = study.models.get(at % count.max(1)).filter(|_| step < count);
        model.map(|model| told_apart(study, Which::Model, &model.name))
    };
    let of_phi = TruthIx::each(&study.truths).filter(|(_, truth)| truth.is_by_similarity());
    let of_phi = of_phi.min_by_key(|(at, _)| *at != view.truth);
    let of_phi = of_phi.map(|(_, truth)| told_apart(study, Which::Truth, &truth.name));
    let kinds = [
        ("{original}", truth(Kind::Original)),
        ("{rich}", truth(Kind::Rich)),
        ("{loose}", truth(Kind::Loose)),
        ("{phi}", of_phi),
        ("{close}", Some(study.phi_rule.close.to_string())),
        ("{model}", model(0)),
        ("{other}", model(1)),
    ];
    let mut filled = of_each(expression, study)?;
    for (kind, name) in kinds {
        if filled.contains(kind) {
            filled = filled.replace(kind, &name?);
        }
    }
    Some(filled)
}

/// The expression once for every model, if it is to hold for each; `None` where there is but one.
fn of_each(expression: &str, study: &Study) -> Option<String> {
    if !expression.contains("{each}") {
        return Some(expression.to_owned());
    }
    let names = study.models.iter();
    let names = names.map(|model| told_apart(study, Which::Model, &model.name));
    let each: Vec<String> = names.map(|name| expression.replace("{each}", &name)).collect();
    (each.len() > 1).then(|| each.join(" and "))
}
