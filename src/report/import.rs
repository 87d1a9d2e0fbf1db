//! Result of an import: files, people, problems, failed HITs, agreement.

use serde_json::json;

use super::Report;
use super::agreement::{self, agreed};
use super::cell::{Cell, share};
use super::list::{List, Section};
use crate::annotate::import::{Checked, Decision, Problem, ResponseFile, Trouble};
use crate::data::text::{count, grouped, shown};
use crate::truth::judgment::Judgment;

/// The findings, and the decision.
pub fn report<'a>(checked: &'a Checked, decision: &'a Decision) -> Report<'a> {
    let panel = &checked.panel;
    let mut sections = vec![
        files(checked),
        people(checked),
        decided(checked, decision),
        failed(checked),
        problems(checked),
    ];
    sections.extend(agreed(panel));
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

fn files(checked: &Checked) -> Section {
    let files = checked.import.files.iter().enumerate();
    let mut list = List::new("files", "files", files)
        .column("file", "file", |(_, file)| shown(&file.path))
        .column("layout", "layout", |(_, file)| file.layout)
        .column("answers", "answers", |(_, file)| file.answers);
    for trouble in Trouble::ALL {
        list =
            list.column(trouble.key(), trouble.key(), move |&(at, _): &(usize, &ResponseFile)| {
                let of = |one: &&Problem| one.place.file == at && one.trouble == trouble;
                checked.problems.iter().filter(of).count()
            });
    }
    list.section()
}

fn people(checked: &Checked) -> Section {
    List::new("people", "people", &checked.people)
        .column("annotator", "annotator", |one| shown(&one.name))
        .column("answers", "answers", |one| one.answers)
        .column("cant_tell", "can't tell", |one| one.cant_tell)
        .column("golden", "golden", |one| one.golden)
        .column("golden_right", "right", |one| one.golden_right)
        .shown("%", |one| share(one.golden_right, one.golden))
        .column("failed_hits", "HITs failed", |one| one.failed_hits)
        .column("compared", "others decide", |one| one.compared)
        .column("as_others", "as they", |one| one.as_others)
        .shown("%", |one| share(one.as_others, one.compared))
        .section()
}

fn decided(checked: &Checked, decision: &Decision) -> Section {
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
fn failed(checked: &Checked) -> Section {
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

/// Answers that do not count, with their place.
fn problems(checked: &Checked) -> Section {
    let title = format!("answers that do not count: {}", grouped(checked.problems.len()));
    List::new("problems", title, &checked.problems)
        .column("trouble", "trouble", |one| one.trouble.key())
        .shown("place", |one| shown(&checked.import.describe(one.place)))
        .data("file", |one| &checked.import.files[one.place.file].path)
        .data("place", |one| one.place.nth)
        .column("found", "found", |one| shown(&one.found))
        .section()
}
