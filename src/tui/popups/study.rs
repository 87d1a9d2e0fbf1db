//! What the doctor found, and the inputs, a line per file.

use super::sheet::{Page, Sheet};
use crate::doctor::{Finding, Severity};
use crate::study::Topic;
use crate::tui::action::Action;
use crate::tui::model::view::Numbers;
use crate::tui::ui::Context;

pub(in crate::tui) fn sheet() -> Sheet {
    Sheet::new(Action::Study, write)
}

fn write(cx: Context<'_>, page: &mut Page<'_>) {
    let (model, warning) = (cx.model, cx.theme.warning);
    page.title = "inputs".into();
    if let Some(error) = model.files.failure() {
        page.paragraph(warning, 0, &format!("not reloaded: {error}"));
    }
    if let Some(error) = &model.session.failure {
        page.paragraph(warning, 0, &format!("the session {error}"));
    }
    for note in &model.session.notes {
        page.paragraph(warning, 0, &format!("session: {note}"));
    }
    for finding in findings(cx) {
        let (subject, found) = (&finding.subject, finding.in_full());
        let is_problem = matches!(finding.severity, Severity::Problem);
        let kind = if is_problem { "problem: " } else { "" };
        page.paragraph(warning, 0, &format!("{kind}{subject}: {found}"));
        for (what, said) in finding.rest() {
            page.paragraph(cx.theme.dim, 2, &format!("{what}: {said}"));
        }
    }
    page.gap();
    // Warnings are among the findings once these are known.
    let is_known = model.known.findings.is_some();
    for note in model.study.notes.iter().filter(|note| !(note.warning && is_known)) {
        page.paragraph(if note.warning { warning } else { cx.theme.base }, 0, &note.text);
    }
    for (of, numbers) in model.study.models.iter().zip(&model.numbers) {
        if let Numbers::Failed(error) = numbers {
            page.paragraph(warning, 0, &format!("model {} is left out: {error}", of.name));
        }
    }
    for fault in &model.faults {
        let words = format!("a background job failed, which is a defect of this program: {fault}");
        page.paragraph(warning, 0, &words);
    }
}

/// All findings, first those that all numbers rest on.
fn findings(cx: Context<'_>) -> Vec<&Finding> {
    let notes = &cx.model.study.notes;
    let is_assumed = |finding: &Finding| {
        let mut assumed = notes.iter().filter(|note| note.topic == Topic::Assumed);
        assumed.any(|note| note.text.starts_with(&*finding.subject))
    };
    let findings = cx.model.known.findings.iter();
    let mut findings: Vec<&Finding> = findings.flat_map(|all| all.iter()).collect();
    findings.sort_by_key(|finding| !is_assumed(finding));
    findings
}
