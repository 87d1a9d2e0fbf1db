//! Values over training steps compared with R@1 of each step.

use super::oracle::{VIEW, counts, met, study};
use super::*;
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::study::Step;
use crate::study::series::Learning;

/// The demo's models as steps 10, 20 and 30.
fn series() -> Study {
    let mut study = study();
    let step = |model: ModelIx| Step { number: 10 * (model.get() as u64 + 1), model };
    study.steps = ModelIx::all(&study.models).map(step).collect();
    study
}

#[test]
fn queries_are_learned_as_their_steps_say() {
    let study = series();
    let facts = counts(&study, Direction::T2i);
    let right = |truth: &str, model: &str, query| {
        met(&facts, VIEW, &format!("{truth}.{model}.r1 == 1"), query)
    };
    let mut seen = [0; Learning::ALL.len()];
    for query in 0..study.gallery.captions.len() {
        for truth in ["original", "rich"] {
            let correct = study.models.iter();
            let correct = correct.map(|model| right(truth, &model.name, query));
            let correct: Option<Vec<bool>> = correct.collect();
            let value = |text: &str| met(&facts, VIEW, &format!("{truth}.{text}"), query);
            for (at, (key, kind)) in Learning::ALL.into_iter().enumerate() {
                let wanted = correct.as_ref().map(|correct| Learning::from_steps(correct) == kind);
                assert_eq!(value(key), wanted, "{key} {query}");
                seen[at] += usize::from(wanted == Some(true));
            }
            let first = correct.and_then(|correct| correct.iter().position(|is| *is));
            for (at, text) in [10, 20, 30].iter().enumerate() {
                let told = value(&format!("first_right_step == {text}"));
                assert_eq!(told, first.map(|first| first == at), "{query}");
            }
        }
    }
    assert!(seen.iter().filter(|count| **count > 0).count() >= 3, "{seen:?}");
}

#[test]
fn a_series_has_conditions_of_its_own() {
    let names = |study: &Study| {
        let ready = ready_conditions(study, VIEW).into_iter();
        ready.map(|condition| condition.name).collect::<Vec<_>>()
    };
    let (with, without) = (names(&series()), names(&study()));
    for name in ["learned late", "forgotten", "never learned"] {
        assert!(with.contains(&name) && !without.contains(&name), "{name}");
    }
}
