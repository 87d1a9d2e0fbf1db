//! Ready conditions: templates with a name, filled with the names of a study.

use super::names::{model_name, truth_name};
use super::{Expression, values};
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::data::near::nearest;
use crate::study::{Study, View};
use crate::truth::Kind;

/// A ready condition, filled for a study.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadyCondition {
    /// Name in lists and expressions.
    pub name: &'static str,
    /// Description of at most 48 columns, the width of the menu in a small terminal.
    pub meaning: &'static str,
    /// The condition, for [`Expression::condition`].
    pub expression: String,
}

/// Name, template and meaning.
type Template = (&'static str, &'static str, &'static str);

/// All ready conditions. In templates, `{original}`, `{rich}` and `{loose}` stand for truths, `{model}` and `{other}`
/// for the current model and the next one. A template with `{each}` is repeated for every model; it needs two.
/// `{phi}` stands for the truth of a similarity, `{close}` for the lowest share of phi at which an item is close.
const TEMPLATES: &[Template] = &[
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
        "many non-GT positives",
        "non_gt_in_top(5) >= 3",
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
    ("with judgments", "judgments > 0", "queries with judged pairs"),
    ("failure", "r1 == 0", "top-1 is no positive"),
    (
        "correct",
        "r1 == 1 and not ({original}.covered and {original}.r1 == 0)",
        "top-1 is a positive, of original too",
    ),
    (
        "other",
        "r1 == 0 and r5 == 0 and not positives_in_top(100) == 0",
        "no positive in the top 5, no far miss",
    ),
    ("original positive", "{original}.r1 == 1", "top-1 is a positive of original"),
];

/// Further names of ready conditions, used in lists of items and the JSON of `errors`.
const ALIASES: &[(&str, &str)] = &[
    ("positive", "top-1 positive"),
    ("coarse query", "all models fail at 1"),
    ("near duplicate", "near-duplicate caption"),
    ("close miss", "semantically close miss"),
];

/// Every name of a ready condition, also each alias, with the template of the condition.
fn names_and_templates() -> impl Iterator<Item = (&'static str, &'static str)> {
    let names = TEMPLATES.iter().map(|(name, template, _)| (*name, *template));
    let find = |name: &str| TEMPLATES.iter().find(|(known, ..)| *known == name);
    let aliases = ALIASES.iter().filter_map(move |(alias, name)| Some((*alias, find(name)?.1)));
    names.chain(aliases)
}

/// Characters that may separate the words of a name, any in place of another.
const SEPARATORS: [char; 3] = [' ', '-', '_'];

/// The longest name of a ready condition at the start of a text: its length in bytes and its template. `None` if the
/// text starts with none. A name is ignored if a value, a model or a ground truth has it, too.
pub(super) fn name_at_start(text: &str, study: &Study) -> Option<(usize, &'static str)> {
    let matches = names_and_templates().filter_map(|(name, template)| {
        let (name, rest) = text.split_at(match_length(text, name)?);
        let continues = rest.starts_with(|c: char| c.is_alphanumeric() || "_.(:".contains(c));
        let is_in_study =
            study.models.iter().any(|model| model.name == name) || study.truth(name).is_some();
        let is_name = !continues && !is_in_study && values::find_value(name).is_none();
        is_name.then_some((name.len(), template))
    });
    matches.max_by_key(|(length, _)| *length)
}

/// Length in bytes of a name at the start of a text, in any case and with any separators; `None` if it is not there.
fn match_length(text: &str, name: &str) -> Option<usize> {
    let mut rest = text;
    for letter in name.chars() {
        let after = if SEPARATORS.contains(&letter) {
            rest.trim_start_matches(SEPARATORS)
        } else {
            rest.strip_prefix(|c: char| c.eq_ignore_ascii_case(&letter)).unwrap_or(rest)
        };
        if after.len() == rest.len() {
            return None;
        }
        rest = after;
    }
    Some(text.len() - rest.len())
}

/// The name of a ready condition that is similar but not equal to the words at the start of a text.
pub(super) fn similar_name(text: &str) -> Option<&'static str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && !SEPARATORS.contains(&c)).next()?;
    let words = words.split_whitespace().take_while(|word| !["and", "or", "not"].contains(word));
    let words = words.collect::<Vec<_>>().join(" ");
    let near = nearest(&words, names_and_templates().map(|(name, _)| name))?;
    // An exact name refers to a value of this name.
    (near != words).then_some(near)
}

/// The ready conditions that apply to a study, with the model and the truth of the view.
pub fn ready_conditions(study: &Study, view: View) -> Vec<ReadyCondition> {
    TEMPLATES.iter().filter_map(|template| fill(template, study, view)).collect()
}

/// The ready condition with this name; `None` if it does not apply to the study.
pub fn ready_condition(name: &str, study: &Study, view: View) -> Option<ReadyCondition> {
    fill(TEMPLATES.iter().find(|(known, ..)| *known == name)?, study, view)
}

/// Fills a template; `None` if the study lacks a model, ground truth or input that the condition needs.
fn fill(template: &Template, study: &Study, view: View) -> Option<ReadyCondition> {
    let &(name, template, meaning) = template;
    let expression = fill_template(template, study, view)?;
    let applies = Expression::condition(&expression, study, view).is_ok();
    applies.then_some(ReadyCondition { name, meaning, expression })
}

/// Condition that top-1 is the item with gallery index `item`.
pub fn top_1_condition(study: &Study, direction: Direction, item: usize) -> String {
    format!("top_1 == {}", literal(&study.gallery.items(direction)[item].raw()))
}

/// The text in double quotes, as a literal of an expression.
pub fn literal(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{text}\"")
}

/// Replaces the placeholders of a template by names and numbers of the study; `None` if the study lacks one of them.
pub(super) fn fill_template(template: &str, study: &Study, view: View) -> Option<String> {
    let truth = |kind| Some(truth_name(study, view.truth_of_kind(study, kind)?));
    let count = study.models.len();
    let model = |offset: usize| {
        let index = (offset < count).then(|| ModelIx::new((view.model.get() + offset) % count));
        index.map(|model| model_name(study, model))
    };
    let phi = TruthIx::enumerate(&study.truths).filter(|(_, truth)| truth.is_by_similarity());
    let phi = phi.map(|(index, _)| index).min_by_key(|index| *index != view.truth);
    let placeholders = [
        ("{original}", truth(Kind::Original)),
        ("{rich}", truth(Kind::Rich)),
        ("{loose}", truth(Kind::Loose)),
        ("{phi}", phi.map(|truth| truth_name(study, truth))),
        ("{close}", Some(study.phi_rule.close.to_string())),
        ("{model}", model(0)),
        ("{other}", model(1)),
    ];
    let mut filled = template.to_owned();
    if template.contains("{each}") {
        let names = ModelIx::all(&study.models).map(|model| model_name(study, model));
        let parts: Vec<String> = names.map(|name| template.replace("{each}", &name)).collect();
        filled = (count > 1).then(|| parts.join(" and "))?;
    }
    for (placeholder, text) in placeholders {
        if filled.contains(placeholder) {
            filled = filled.replace(placeholder, &text?);
        }
    }
    Some(filled)
}

#[cfg(test)]
mod tests {
    use super::super::brackets::bracketed;
    use super::*;
    use crate::study::demo;

    const VIEW: View =
        View { model: ModelIx::new(0), truth: TruthIx::new(1), direction: Direction::T2i };

    #[test]
    fn names_stand_for_conditions_whatever_their_case_and_signs() {
        let study = demo::open().unwrap();
        let is_read_as = |text: &str, other: &str| {
            assert_eq!(bracketed(text, &study), bracketed(other, &study), "{text}");
        };
        for name in ["near miss", "near-miss", "Near  Miss", "near_miss"] {
            is_read_as(name, "r1 == 0 and r5 == 1");
        }
        let far = "not (r1 == 0 and positives_in_top(100) == 0) or words < 5";
        is_read_as("not far miss or words < 5", far);
        is_read_as("missing label", "original.r1 == 0 and rich.r1 == 1");
        is_read_as("R@1 = 1, low AP@R", "r1 == 1 and map_at_r < 25%");
        let is_value = |text: &str| bracketed(text, &study).is_ok_and(|text| text == "hub");
        assert!(is_value("hub"));
        assert!(bracketed("text ~ \"near miss\"", &study).unwrap().contains("near miss"));
        for none in ["`near miss`.r1", "near - 1", "failure.r1", "near misses"] {
            assert!(bracketed(none, &study).is_err(), "{none}");
        }
    }

    #[test]
    fn every_name_is_taken_or_says_what_is_lacking() {
        let study = demo::open().unwrap();
        for (name, _) in names_and_templates() {
            if let Err(mistake) = Expression::condition(name, &study, VIEW) {
                assert!(mistake.column() == 1, "{name}: {mistake}");
            }
        }
        let error_text = |text| Expression::condition(text, &study, VIEW).unwrap_err().to_string();
        assert!(
            error_text("near mis").contains("did you mean near miss?"),
            "{}",
            error_text("near mis")
        );
        let text = "r1 == 1 and mising label";
        assert!(error_text(text).contains("did you mean missing label?"), "{}", error_text(text));
        let said = error_text("semantically close miss");
        assert!(said.contains("lack"), "{said}");
    }
}
