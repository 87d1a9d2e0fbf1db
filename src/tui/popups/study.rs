//! What the doctor found, and the inputs, a line per file.

use super::{Sheet, Tone};
use crate::doctor::{Finding, Severity};
use crate::tui::action::Action;
use crate::tui::app::{App, Numbers};

pub(super) fn sheet(app: &App) -> Sheet {
    let mut sheet = Sheet::new(Action::Study, "inputs", app.size, |app| Some(sheet(app)));
    for finding in app.findings.iter().flat_map(|findings| findings.iter()) {
        add(&mut sheet, finding);
    }
    sheet.gap();
    session(&mut sheet, app);
    for note in &app.study.notes {
        let tone = match (note.warning, &app.findings) {
            // It is among the findings.
            (true, Some(_)) => continue,
            (true, None) => Tone::Warning,
            (false, _) => Tone::Base,
        };
        sheet.paragraph(tone, 0, &note.text);
    }
    for (model, numbers) in app.study.models.iter().zip(&app.numbers) {
        if let Numbers::Failed(error) = numbers {
            sheet.paragraph(
                Tone::Warning,
                0,
                &format!("model {} is left out: {error}", model.name),
            );
        }
    }
    for fault in &app.faults {
        let words = format!("a background job failed, which is a defect of this program: {fault}");
        sheet.paragraph(Tone::Warning, 0, &words);
    }
    sheet
}

/// What is to say of the session.
fn session(sheet: &mut Sheet, app: &App) {
    if let Some(error) = &app.session.failure {
        let words = format!("the session {error}");
        sheet.paragraph(Tone::Warning, 0, &words);
    }
    for note in &app.session.notes {
        sheet.paragraph(Tone::Warning, 0, &format!("session: {note}"));
    }
}

/// What was found, its effect and the fix.
fn add(sheet: &mut Sheet, finding: &Finding) {
    let Finding { subject, found, .. } = finding;
    let words = match finding.severity {
        Severity::Problem => format!("problem: {subject}: {found}"),
        Severity::Note => format!("{subject}: {found}"),
    };
    sheet.paragraph(Tone::Warning, 0, &words);
    for (what, said) in finding.rest() {
        sheet.paragraph(Tone::Dim, 2, &format!("{what}: {said}"));
    }
}
