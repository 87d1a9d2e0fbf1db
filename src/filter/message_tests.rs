//! Tests of messages of expressions: mistakes, and ready conditions.

use super::oracle::{VIEW, counts, met, study};
use super::*;
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::study::demo;

/// Expressions, the column of the mistake, and its message.
const MISTAKES: &[(&str, usize, &[&str])] = &[
    ("r1 == 1 and rnak < 5", 13, &["no value is named rnak", "did you mean rank?"]),
    (
        "carefull.r1 == 1",
        1,
        &["no model or ground truth is named carefull", "mean careful?", "`my-model`"],
    ),
    ("my-model.r1 == 1", 1, &["plain word: `my-model`"]),
    ("pm.r1 == 1", 1, &["a model and a ground truth", "model:pm or truth:pm"]),
    ("pm.pm.r1 == 1", 1, &["a model and a ground truth"]),
    ("original.rich.r1 == 1", 10, &["a second"]),
    ("truth:careful.r1 == 1", 1, &["no ground truth is named careful"]),
    ("careful == 1", 1, &["a model, not a value", "careful.r1"]),
    ("rank", 1, &["this is a number", "a condition"]),
    ("forgotten", 1, &["no steps of a training", "--series"]),
    ("not rank", 5, &["this is a number"]),
    ("r1 + text > 1", 6, &["this is a text"]),
    ("text == 5", 1, &["a text is compared with a number"]),
    ("(r1 < 1) == r5", 1, &["a condition is compared"]),
    ("text < \"a\"", 1, &["neither more nor less"]),
    ("rank ~ \"a\"", 1, &["before ~"]),
    ("text ~ 5", 8, &["no text behind ~"]),
    ("careful.words > 5", 1, &["the same under any model"]),
    ("careful.r > 5", 1, &["the same under any model"]),
    ("rich.non_gt_in_top(5) > 1", 1, &["the same under any ground truth"]),
    ("rich.hub", 1, &["the same under any ground truth"]),
    ("top_1 > \"a\"", 1, &["neither more nor less"]),
    ("non_gt_in_top(careful) > 1", 1, &["one depth", "non_gt_in_top(careful, 5)"]),
    ("non_gt_in_top(1.5) > 1", 15, &["1.5 is no depth"]),
    ("r1(5) == 1", 1, &["takes no arguments"]),
    ("ir_recall_at_0 > 1", 1, &["no value is named ir_recall_at_0", "ir_recall_at_10"]),
    (
        "careful.map_at_r > 50",
        20,
        &["careful.map_at_r is a number from 0 to 1", "write 0.5 or 50%"],
    ),
    ("33.3 <= mrr", 1, &["mrr is a number from 0 to 1", "0.333 or 33.3%"]),
    (
        "map_at_r - original.map_at_r < -5",
        32,
        &["original.map_at_r is a number from -1 to 1", "-0.05 or -5%"],
    ),
    ("map_at_r > 500%", 12, &["a number from 0 to 1"]),
    ("map_at_r > 5000", 12, &["a number from 0 to 1"]),
    ("r1 > 50", 6, &["r1 is 0 or 1"]),
    ("rank == 0", 9, &["rank is a whole number from 1 on"]),
    ("0 >= rank", 1, &["rank is a whole number from 1 on"]),
    ("-rank > 0", 9, &["-rank is a whole number up to -1"]),
    ("rank == 1.5", 9, &["rank is a whole number from 1 on"]),
    ("r1 != 0.5", 7, &["r1 is 0 or 1"]),
    ("r + 1 == 2.5", 10, &["r + 1 is a whole number"]),
    ("rank < 1", 8, &["from 1 on", "that a value can meet"]),
    ("0 > words", 1, &["words is a whole number from 0 on", "that a value can meet"]),
    ("judgments == -1", 14, &["judgments is a whole number from 0 on"]),
    ("map_at_r < 0", 12, &["from 0 to 1", "that a value can meet"]),
    ("map_at_r > 100%", 12, &["from 0 to 1", "that a value can meet"]),
    ("picked == 2", 11, &["picked is 0 or 1"]),
    ("non_gt_in_top(5) >= 3 * 2", 21, &["from 0 to 5"]),
    ("further.r1 == 1", 1, &["ground truth further has no t2i list"]),
];

/// Conditions that some or all known values meet are accepted.
#[test]
fn what_a_value_may_have_is_taken() {
    for text in [
        "rank < 1.5",
        "map_at_r >= 0",
        "r1 <= 0.5",
        "words * 0.5 == 2.5",
        "r / 2 == 1.5",
        "rank >= 1",
        "1 == 2",
        "rank - r == -3",
        "rank / r < 0.1",
        "rank * 0 == 0",
    ] {
        let taken = Expression::condition(text, &study(), VIEW);
        assert!(taken.is_ok(), "{text}: {}", taken.unwrap_err());
    }
}

#[test]
fn mistakes_name_the_place_the_kind_and_what_is_near() {
    let mut study = study();
    "my-model".clone_into(&mut study.models[2].name);
    "pm".clone_into(&mut study.models[1].name);
    study.truths[3].relevance[Direction::T2i] = None;
    for (text, column, parts) in MISTAKES {
        let said = Expression::condition(text, &study, VIEW).unwrap_err();
        assert_eq!(said.column(), *column, "{said}");
        for part in *parts {
            assert!(said.to_string().contains(part), "{text}: {part}\n{said}");
        }
    }
    let view =
        |model, truth| View { model: ModelIx::new(model), truth: TruthIx::new(truth), ..VIEW };
    for (text, needs) in [
        ("model:pm.r1 == truth:pm.r1", [view(1, 1), view(0, 2)]),
        ("pm.original.r1 == careful.pm.r1", [view(1, 0), view(0, 2)]),
        ("rich.`my-model`.r1 and \"my-model\".r5 == pm.careful.r1", [view(2, 1), view(0, 2)]),
    ] {
        assert_eq!(
            Expression::condition(text, &study, VIEW).unwrap().needs().views,
            needs,
            "{text}"
        );
    }
}

#[test]
fn numbers_are_compared_within_what_they_can_be() {
    let study = study();
    for text in [
        "map_at_r >= 0 and map_at_r <= 1 and map_at_r > 50%",
        "map_at_r * 100 > 50 and 100 * (map_at_r - broad.map_at_r) < -5",
        "rank > 0 and words >= 0 and rank < 5000",
        "map_at_r / broad.map_at_r > 2 and map_at_r / 2 > 25%",
        "positives_in_top(5) == 5 and 1 < 2",
    ] {
        assert!(Expression::condition(text, &study, VIEW).is_ok(), "{text}");
    }
}

#[test]
fn what_the_files_do_not_tell_is_named() {
    let mut study = demo::open().unwrap();
    let error_text = |study: &Study, text: &str, direction| {
        let view = View { direction, ..VIEW };
        Expression::condition(text, study, view).unwrap_err().to_string()
    };
    study.gallery.texts.clear();
    assert!(error_text(&study, "words < 5", Direction::T2i).contains("captions file"));
    let mut study = demo::open().unwrap();
    study.truths.remove(0);
    assert!(error_text(&study, "words < 5", Direction::I2t).contains("original"));
    assert!(
        error_text(&study, "non_gt_in_top(5) > 1", Direction::T2i)
            .contains("no original ground truth")
    );
    let mut study = demo::open().unwrap();
    study.truths.remove(1);
    assert!(
        error_text(&study, "non_gt_in_top(5) > 1", Direction::T2i).contains("no rich ground truth")
    );
}

#[test]
fn ready_conditions_speak_of_the_study() {
    let study = demo::open().unwrap();
    let all = ready_conditions(&study, VIEW);
    let find = |name: &str| all.iter().find(|ready| ready.name == name);
    let missing = &find("missing label").unwrap().expression;
    assert_eq!(missing, "original.r1 == 0 and rich.r1 == 1");
    assert_eq!(find("models disagree").unwrap().expression, "careful.r1 != broad.r1");
    assert_eq!(
        find("all models fail at 1").unwrap().expression,
        "careful.r1 == 0 and broad.r1 == 0 and naive.r1 == 0"
    );
    let is_told = |ready: &ReadyCondition| (11..=48).contains(&ready.meaning.len());
    assert!(all.iter().all(is_told));
    let facts = counts(&study, Direction::T2i);
    let broad = View { model: ModelIx::new(1), ..VIEW };
    let found = (0..300).filter(|&query| met(&facts, broad, missing, query) == Some(true));
    assert!(found.count() > 5);
    let mut one = demo::open().unwrap();
    one.models.truncate(1);
    one.truths.truncate(1);
    one.gallery.texts.clear();
    let view = View { truth: TruthIx::new(0), ..VIEW };
    let names: Vec<&str> = ready_conditions(&one, view).iter().map(|ready| ready.name).collect();
    assert!(names.contains(&"near miss"));
    for lacks in [
        "missing label",
        "models disagree",
        "all models fail at 1",
        "same-image sibling",
        "near-duplicate caption",
        "short captions",
        "many non-GT positives",
    ] {
        assert!(!names.contains(&lacks), "{lacks}");
    }
}
