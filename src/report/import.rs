//! Result of an import of judgments: files, annotators, problems, failed HITs, agreement.

use serde_json::json;

use super::Report;
use super::agreement::{self, agreement_sections};
use super::cell::{Cell, share};
use super::list::{List, Section};
use crate::annotate::import::{CheckedImport, DecisionCounts, Problem, ProblemKind, ResponseFile};
use crate::data::text::{count, grouped, shown};
use crate::truth::judgment::Judgment;

/// Files, annotators, decided pairs, failed golden items, problems and agreement; `decision` counts pairs by judgment.
pub fn report<'a>(checked: &'a CheckedImport, decision: &'a DecisionCounts) -> Report<'a> {
    let panel = &checked.panel;
    let mut sections = vec![
        files(checked),
        annotators(checked),
        decisions(checked, decision),
        failed_golden(checked),
        problems(checked),
    ];
    sections.extend(agreement_sections(panel));
    let mut notes = agreement::notes(panel);
    notes.push(
        "golden: items whose answer is known; as they: of the pairs that the others decide, those on which the person is on their side"
            .into(),
    );
    Report { notes, ..Report::from_sections(sections) }.with_facts(json!({
        "pairs": panel.pairs.len(),
        "judged_by_several": panel.judged_by_several(),
        "left_out": checked.left_out,
    }))
}

/// A row for each file, with its answers and problems by kind.
fn files(checked: &CheckedImport) -> Section {
    let files = checked.import.files.iter().enumerate();
    let mut list = List::new("files", "files", files)
        .column("file", "file", |(_, file)| shown(&file.path))
        .column("layout", "layout", |(_, file)| file.layout)
        .column("answers", "answers", |(_, file)| file.answers);
    for kind in ProblemKind::ALL {
        list = list.column(kind.key(), kind.key(), move |&(at, _): &(usize, &ResponseFile)| {
            let is_counted = |one: &&Problem| one.place.file == at && one.kind == kind;
            checked.problems.iter().filter(is_counted).count()
        });
    }
    list.section()
}

/// A row for each annotator, with golden pairs and agreement with the others.
fn annotators(checked: &CheckedImport) -> Section {
    List::new("people", "people", &checked.people)
        .column("annotator", "annotator", |one| shown(&one.name))
        .column("answers", "answers", |one| one.answers)
        .column("cant_tell", "can't tell", |one| one.cant_tell)
        .column("golden", "golden", |one| one.golden)
        .column("golden_right", "right", |one| one.golden_right)
        .display("%", |one| share(one.golden_right, one.golden))
        .column("failed_hits", "HITs failed", |one| one.failed_hits)
        .column("compared", "others decide", |one| one.compared)
        .column("as_others", "as they", |one| one.as_others)
        .display("%", |one| share(one.as_others, one.compared))
        .section()
}

/// How many pairs got each judgment, or none.
fn decisions(checked: &CheckedImport, decision: &DecisionCounts) -> Section {
    let adjudicated = match checked.adjudicated.len() {
        0 => String::new(),
        count => format!(", {} decided by the adjudicator", grouped(count)),
    };
    let title = format!(
        "{}, {} answered by two or more{adjudicated}",
        count(checked.panel.pairs.len(), "pair"),
        grouped(checked.panel.judged_by_several()),
    );
    let judgments = Judgment::ALL.iter().map(|judgment| judgment.key()).zip(decision.judgments);
    List::new("decided", title, judgments.chain([("open", decision.open)]))
        .column("judgment", "decided", |(judgment, _)| *judgment)
        .column("pairs", "pairs", |(_, pairs)| *pairs)
        .section()
}

/// Golden items that were answered wrongly.
fn failed_golden(checked: &CheckedImport) -> Section {
    let left_out = grouped(checked.left_out);
    let title = format!("HITs to review: {left_out} answers excluded with them");
    List::new("failed", title, &checked.failed)
        .column("annotator", "annotator", |one| shown(&one.given.entry.by))
        .column("hit", "HIT", |one| shown(&one.hit))
        .column("image", "image", |one| Cell::Id(one.given.entry.image.to_string()))
        .column("caption", "caption", |one| Cell::Id(one.given.entry.caption.to_string()))
        .column("golden", "golden", |one| one.golden.key())
        .column("answer", "answer", |one| one.given.entry.response().name())
        .section()
}

/// Answers that do not count, with their place in the files.
fn problems(checked: &CheckedImport) -> Section {
    let title = format!("answers that do not count: {}", grouped(checked.problems.len()));
    List::new("problems", title, &checked.problems)
        .column("trouble", "trouble", |one| one.kind.key())
        .display("place", |one| shown(&checked.import.describe(one.place)))
        .data("file", |one| &checked.import.files[one.place.file].path)
        .data("place", |one| one.place.nth)
        .column("found", "found", |one| shown(&one.found))
        .section()
}
