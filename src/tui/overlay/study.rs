//! What was loaded, a line per file, warnings marked.

use super::{Sheet, Tone};
use crate::tui::action::Action;
use crate::tui::app::{App, Numbers};

pub(super) fn sheet(app: &App) -> Sheet {
    let mut sheet = Sheet::new(Action::Study, "what was loaded", app.size);
    for note in &app.study.notes {
        let tone = if note.warning {
            Tone::Warning
        } else {
            Tone::Base
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
