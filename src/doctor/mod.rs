//! Checks a study for mistakes that would corrupt the metrics, with fixes.
//!
//! A check is one function here and one line in [`CHECKS`]. All checks share one [`Exam`], which reads common data
//! once: the scores of a few hundred queries.
//!
//! A *problem* makes a number wrong or unreliable; a *note* is good to know, and found in published files that are
//! fine.

mod cells;
mod copies;
mod distance;
mod duplicates;
mod exam;
mod finding;
mod inputs;
mod order;
mod others;
mod repeats;
mod rows;
mod sample;
#[cfg(test)]
mod test_studies;
mod ties;

pub use exam::{Depth, Exam};
pub use finding::{Finding, Severity, summary};

use crate::error::Error;
use crate::study::Study;

/// Searches a study for one kind of fault; returns a finding for each.
type FindFaults = fn(&Exam) -> Vec<Finding>;

/// A check for one fault of a study.
pub struct Check {
    /// Short name, also in JSON.
    pub name: &'static str,
    /// Name of the fault, for the help and the explorer's header: at most 22 characters.
    pub title: &'static str,
    /// The depth of the lightest examination that includes it.
    depth: Depth,
    find: FindFaults,
}

/// A check, from its name and title, depth and function.
const fn check([name, title]: [&'static str; 2], depth: Depth, find: FindFaults) -> Check {
    Check { name, title, depth, find }
}

/// Every check, in the order of the report.
pub const CHECKS: &[Check] = &[
    check(["repeats", "repeated rows"], Depth::Quick, repeats::find),
    check(["copies", "one model twice"], Depth::Quick, copies::find),
    check(["order", "rows out of order"], Depth::Quick, order::find),
    check(["shift", "captions shifted"], Depth::Quick, order::find_shifts),
    check(["others", "ids out of order"], Depth::Quick, others::find),
    check(["distance", "scores negated"], Depth::Quick, distance::find),
    check(["values", "NaN"], Depth::Whole, cells::find_nan),
    check(["ties", "tied scores"], Depth::Quick, ties::find),
    check(["ids", "ids not found"], Depth::Quick, inputs::find_unknown_ids),
    check(["files", "file of another kind"], Depth::Whole, inputs::check_files),
    check(["captions", "equal captions"], Depth::Whole, duplicates::find_captions),
    check(["images", "equal images"], Depth::Whole, duplicates::find_images),
];

/// Runs all checks; problems first. Uses the current `rayon` pool.
pub fn examine(study: &Study) -> Vec<Finding> {
    run_checks(study, Depth::Whole)
}

/// Problems that make the numbers of a study meaningless, found in a few milliseconds: negated, shuffled, shifted,
/// constant or repeated scores, and ids that match only in part. To be shown with all metrics.
pub fn examine_quickly(study: &Study) -> Vec<Finding> {
    let mut found = run_checks(study, Depth::Quick);
    found.retain(|finding| finding.severity == Severity::Problem);
    found
}

/// Runs the checks of this depth and lighter ones; problems first.
fn run_checks(study: &Study, depth: Depth) -> Vec<Finding> {
    let exam = Exam::new(study, depth);
    let checks = CHECKS.iter().filter(|check| check.depth <= depth);
    let found =
        checks.flat_map(|check| (check.find)(&exam).into_iter().map(|f| f.with_check(check.name)));
    let mut found: Vec<Finding> = found.collect();
    found.sort_by_key(|finding| finding.severity);
    found
}

/// Name of a finding's fault, in two or three words.
pub fn title(finding: &Finding) -> &'static str {
    let mut checks = CHECKS.iter();
    checks.find(|check| check.name == finding.check).map_or("not opened", |check| check.title)
}

/// The finding for a study that cannot be opened because of this error.
pub fn open_failure(error: &Error) -> Finding {
    let [expected, fix] = error.advice().map(|advice| advice.map(str::to_owned));
    Finding {
        expected,
        fix,
        ..Finding::problem(error.subject(), error.found())
            .effect("the study cannot be opened")
            .with_check("open")
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
        assert_eq!(checks, ["ids", "captions"], "{found:#?}");
        assert!(found.iter().all(|f| f.severity == Severity::Note));
    }

    #[test]
    fn an_error_is_a_finding_with_its_advice() {
        let error = Error::new("a.npy", "cut").expected("all").fix("copy it");
        let finding = open_failure(&error);
        assert_eq!((finding.subject.as_str(), finding.check), ("a.npy", "open"));
        assert_eq!(finding.expected.as_deref(), Some("all"));
        assert_eq!(finding.fix.as_deref(), Some("copy it"));
        assert_eq!(finding.severity, Severity::Problem);
    }

    #[test]
    fn an_empty_study_is_no_panic() {
        let found = examine(&Study::default());
        assert!(found.iter().all(|f| f.severity == Severity::Note));
    }
}
