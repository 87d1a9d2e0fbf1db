//! What is wrong with a study, and the fix, before any number is believed.
//!
//! A check is one file here and one line in [`CHECKS`]. All checks look at one [`Exam`], which
//! measures once what several of them need: a pass over each matrix for cells that are no numbers,
//! and the scores of a few hundred queries.
//!
//! A *problem* makes a number wrong or not to be believed; a *note* is good to know, and found in
//! published files that are in order.

mod copies;
mod distance;
mod exam;
mod fill;
mod finding;
mod grain;
mod ids;
mod known;
mod neighbours;
mod order;
mod orientation;
mod others;
mod repeats;
mod rows;
mod sample;
mod scan;
mod shift;
#[cfg(test)]
mod testing;
mod texts;
mod ties;
mod values;

pub use exam::{Depth, Exam};
pub use finding::{Finding, Severity, counted};

use crate::data::scores::{Lists, Model, Scores};
use crate::data::{Direction, PerDirection};
use crate::error::Error;
use crate::study::Study;

/// One thing that can be wrong with a study.
pub struct Check {
    /// Short name, also in JSON.
    pub name: &'static str,
    /// Name of the fault for the explorer's header, at most 22 characters.
    pub title: &'static str,
    /// One line for the help.
    pub doc: &'static str,
    /// Without what there is nothing to look at.
    needs: Needs,
    /// Looks for it.
    find: fn(&Exam) -> Vec<Finding>,
}

/// What a check looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Needs {
    /// Whatever there is.
    Nothing,
    /// Two models.
    Models,
    /// Models with a score of every pair, as ranked lists are not.
    Matrix,
    /// Models with scores.
    Scores,
    /// Models, and what tells which pairs are right.
    Pairs,
    /// Ground truths.
    Truths,
    /// Texts of captions.
    Texts,
}

impl Needs {
    fn are_there(self, study: &Study) -> bool {
        let (has_models, has_truths) = (!study.models.is_empty(), !study.truths.is_empty());
        match self {
            Needs::Nothing => true,
            Needs::Models => study.models.len() > 1,
            Needs::Matrix => study.models.iter().any(|model| lists(model).is_none()),
            Needs::Scores => study.models.iter().any(|model| tells_scores(study, model)),
            Needs::Pairs => has_models && has_truths,
            Needs::Truths => has_truths,
            Needs::Texts => study.gallery.texts.iter().any(|text| !text.raw().is_empty()),
        }
    }
}

/// The ranked lists of a model; `None` where it scores every pair.
fn lists(model: &Model) -> Option<&PerDirection<Lists>> {
    match &model.scores {
        Scores::Lists(lists) => Some(lists),
        _ => None,
    }
}

/// Whether a model tells scores: a ranked list may be without.
fn tells_scores(study: &Study, model: &Model) -> bool {
    let told = |direction: &Direction, lists: &PerDirection<Lists>| {
        !study.gallery.queries(*direction).is_empty() && lists[*direction].scores(0).is_some()
    };
    let of_any = |lists| Direction::BOTH.iter().any(|direction| told(direction, lists));
    lists(model).is_none_or(of_any)
}

/// Every check, in the order of the report.
pub const CHECKS: &[Check] = &[
    orientation::CHECK,
    repeats::CHECK,
    copies::CHECK,
    order::CHECK,
    shift::CHECK,
    neighbours::CHECK,
    others::CHECK,
    distance::CHECK,
    values::CHECK,
    fill::CHECK,
    ties::CHECK,
    texts::CHECK,
    ids::CHECK,
    known::CHECK,
];

/// Checks of where positives score, the most specific first. Only the first that finds something in a model is reported.
const OF_PAIRS: &[&str] = &["distance", "shift", "neighbours", "order", "others"];

/// Those that [`examine_quickly`] does.
const QUICK: &[Check] = &[
    distance::CHECK,
    shift::CHECK,
    neighbours::CHECK,
    order::CHECK,
    others::CHECK,
    orientation::CHECK,
    repeats::CHECK,
    ties::CHECK,
    copies::CHECK,
    ids::CHECK,
];

/// Does all checks; problems come first. Uses the threads of the current `rayon` pool.
pub fn examine(study: &Study) -> Vec<Finding> {
    find(study, CHECKS, Depth::Whole)
}

/// Problems that make the numbers of a study meaningless, found in a few milliseconds: negated, shuffled, shifted, constant
/// or repeated scores, and ids that match only in part. They belong beside every number.
pub fn examine_quickly(study: &Study) -> Vec<Finding> {
    let mut found = find(study, QUICK, Depth::Quick);
    found.retain(|finding| finding.severity == Severity::Problem);
    found
}

fn find(study: &Study, checks: &[Check], depth: Depth) -> Vec<Finding> {
    let exam = Exam::new(study, depth);
    let found =
        checks.iter().flat_map(|check| (check.find)(&exam).into_iter().map(|f| f.of(check.name)));
    let mut found: Vec<Finding> = found.collect();
    let rank = |finding: &Finding| OF_PAIRS.iter().position(|check| *check == finding.check);
    let ranks: Vec<_> = found.iter().map(|one| Some((rank(one)?, one.subject.clone()))).collect();
    let mut ranks_left = ranks.iter();
    found.retain(|_| {
        let Some(Some((rank, subject))) = ranks_left.next() else { return true };
        let mut others = ranks.iter().flatten();
        !others.any(|(other, of)| other < rank && of == subject)
    });
    found.sort_by_key(|finding| finding.severity);
    found
}

/// What is wrong, in two or three words.
pub fn title(finding: &Finding) -> &'static str {
    let mut checks = CHECKS.iter();
    checks.find(|check| check.name == finding.check).map_or("not opened", |check| check.title)
}

/// The names of the checks that a study has something for.
pub fn checked(study: &Study) -> Vec<&'static str> {
    let has = CHECKS.iter().filter(|check| check.needs.are_there(study));
    has.map(|check| check.name).collect()
}

/// The one finding about files that make no study.
pub fn not_opened(error: &Error) -> Finding {
    let [expected, mend] = error.advice().map(|advice| advice.map(str::to_owned));
    Finding {
        expected,
        mend,
        ..Finding::problem(error.subject(), error.found())
            .effect("the study cannot be opened")
            .of("open")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_demo_has_notes_and_no_problem() {
        let study = crate::study::demo::open().unwrap();
        let found = examine(&study);
        let checks: Vec<&str> = found.iter().map(|finding| finding.check).collect();
        assert_eq!(checks, ["texts", "ids"], "{found:#?}");
        assert!(found.iter().all(|f| f.severity == Severity::Note));
    }

    #[test]
    fn an_error_is_a_finding_with_its_advice() {
        let error = Error::new("a.npy", "cut").expected("all").mend("copy it");
        let finding = not_opened(&error);
        assert_eq!((finding.subject.as_str(), finding.check), ("a.npy", "open"));
        assert_eq!(finding.expected.as_deref(), Some("all"));
        assert_eq!(finding.mend.as_deref(), Some("copy it"));
        assert_eq!(finding.severity, Severity::Problem);
    }

    #[test]
    fn an_empty_study_is_no_panic() {
        let found = examine(&Study::default());
        assert_eq!(checked(&Study::default()), ["files"]);
        assert!(found.iter().all(|f| f.severity == Severity::Note));
    }
}
