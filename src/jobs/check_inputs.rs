//! The doctor's examination of a study as its files have it.

use std::sync::Arc;

use super::{Job, Run, Wanted};
use crate::doctor::{self, Finding};
use crate::study::Study;
use crate::tui::app::App;
use crate::tui::model::changes::Dirty;
use crate::tui::model::view::Numbers;

/// Runs the doctor's checks over the study.
pub struct CheckInputs;

impl Job for CheckInputs {
    const IS_LONG: bool = true;
    /// Files stay as they are.
    type Key = ();
    type Part = ();
    type Input = Arc<Study>;
    /// What was found, and whether that is all.
    type Output = (Arc<[Finding]>, bool);

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        // What makes numbers meaningless is shown at once; the other checks read every score.
        run.send((doctor::examine_quickly(run.input).into(), false));
        run.send((doctor::examine(run.input).into(), true));
    }

    /// The doctor comes when the models of the files are counted, and stays when dials are turned.
    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let mut of_files = model.numbers.iter().take(model.base.models.len());
        let is_time = !model.known.is_examined
            && of_files.all(|numbers| !matches!(numbers, Numbers::Waiting));
        is_time.then(|| Wanted::one((), || model.base.clone()))
    }

    fn take(app: &mut App, (): (), (findings, is_examined): Self::Output) {
        let known = &mut app.model.known;
        (known.findings, known.is_examined) = (Some(findings), is_examined);
        // A sheet that is open shows the findings at once.
        app.model.dirty |= Dirty::POPUP;
    }
}
