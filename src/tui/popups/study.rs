//! What the doctor found, and the inputs, a line per file.

use super::sheet::{Sheet, Tone};
use crate::doctor::{Finding, Severity};
use crate::study::{Note, Topic};
use crate::tui::action::Action;
use crate::tui::model::view::Numbers;
use crate::tui::ui::Context;

pub(in crate::tui) fn sheet(cx: Context<'_>) -> Sheet {
    let mut sheet = Sheet::new(Action::Study, "inputs", cx.ui.size);
    if let Some(error) = cx.model.files.failure() {
        sheet.paragraph(Tone::Warning, 0, &format!("not reloaded: {error}"));
    }
    session(&mut sheet, cx);
    for finding in findings(cx) {
        add(&mut sheet, finding);
    }
    sheet.gap();
    for note in &cx.model.study.notes {
        let tone = match (note.warning, &cx.model.known.findings) {
            // It is among the findings.
            (true, Some(_)) => continue,
            (true, None) => Tone::Warning,
            (false, _) => Tone::Base,
        };
        sheet.paragraph(tone, 0, &note.text);
    }
    for (model, numbers) in cx.model.study.models.iter().zip(&cx.model.numbers) {
        if let Numbers::Failed(error) = numbers {
            sheet.paragraph(
                Tone::Warning,
                0,
                &format!("model {} is left out: {error}", model.name),
            );
        }
    }
    for fault in &cx.model.faults {
        let words = format!("a background job failed, which is a defect of this program: {fault}");
        sheet.paragraph(Tone::Warning, 0, &words);
    }
    sheet
}

/// What was found; what all numbers rest on comes first.
fn findings(cx: Context<'_>) -> Vec<&Finding> {
    let notes = cx.model.study.notes.iter();
    let assumed: Vec<&Note> = notes.filter(|note| note.topic == Topic::Assumed).collect();
    let is_of = |finding: &Finding| {
        let mut assumed = assumed.iter();
        assumed.any(|note| note.text.starts_with(&*finding.subject))
    };
    let findings = cx.model.known.findings.iter();
    let mut findings: Vec<&Finding> = findings.flat_map(|all| all.iter()).collect();
    findings.sort_by_key(|finding| !is_of(finding));
    findings
}

/// What is to say of the session.
fn session(sheet: &mut Sheet, cx: Context<'_>) {
    if let Some(error) = &cx.model.session.failure {
        let words = format!("the session {error}");
        sheet.paragraph(Tone::Warning, 0, &words);
    }
    for note in &cx.model.session.notes {
        sheet.paragraph(Tone::Warning, 0, &format!("session: {note}"));
    }
}

/// What was found, its effect and the fix.
fn add(sheet: &mut Sheet, finding: &Finding) {
    let (subject, found) = (&finding.subject, finding.in_full());
    let words = match finding.severity {
        Severity::Problem => format!("problem: {subject}: {found}"),
        Severity::Note => format!("{subject}: {found}"),
    };
    sheet.paragraph(Tone::Warning, 0, &words);
    for (what, said) in finding.rest() {
        sheet.paragraph(Tone::Dim, 2, &format!("{what}: {said}"));
    }
}
