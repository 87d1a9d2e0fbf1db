//! The study with other thresholds, a mixture of two models, or ground truths from its similarities.

use std::sync::Arc;

use super::{Job, Run, Stamp, Wanted};
use crate::error::Result;
use crate::semantic::add_truths;
use crate::study::{Dials, Study, Turner};
use crate::tui::app::App;
use crate::tui::state::export::one_line;

/// Derives studies with new thresholds; keeps what the next can reuse.
#[derive(Default)]
pub struct DeriveStudy(Turner);

impl Job for DeriveStudy {
    /// Thresholds and mixture.
    type Key = Dials;
    type Part = ();
    /// The study as loaded.
    type Input = Arc<Study>;
    /// The derived study, or why there is none.
    type Output = Result<Arc<Study>>;

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        let study = self.0.turned(run.input, *run.key);
        run.send(study.map(Arc::new));
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        Some(Wanted::one(app.model.wanted_dials()?, || app.model.base.clone()))
    }

    fn take(app: &mut App, dials: Dials, study: Self::Output) {
        match study {
            Ok(study) => app.model.take_study(dials, study),
            Err(error) => app.model.refuse_dials(dials, &error),
        }
    }
}

/// Adds the similarities' ground truths once the study is shown; keeps them for other thresholds.
#[derive(Default)]
pub struct AddPhiTruths(Option<Arc<Study>>);

impl Job for AddPhiTruths {
    const IS_LONG: bool = true;
    /// Opening of the study, thresholds and mixture.
    type Key = (Stamp, Dials);
    type Part = ();
    /// The study as loaded.
    type Input = Arc<Study>;
    /// The loaded and the derived study, both with these truths, or why a similarity makes none.
    type Output = Result<[Arc<Study>; 2]>;

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        if let Some(studies) = self.studies(run).transpose() {
            run.send(studies);
        }
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let is_wanted = model.known.phi_failure.is_none()
            && model.wanted_dials().is_none()
            && !model.base.has_phi_truths();
        is_wanted.then(|| Wanted::one((model.known.opening, model.dials), || model.base.clone()))
    }

    fn take(app: &mut App, (_, dials): Self::Key, found: Self::Output) {
        let model = &mut app.model;
        match found {
            Ok([base, study]) => {
                model.base = base;
                model.take_study(dials, study);
            }
            Err(error) => {
                model.message = Some(one_line(&error));
                model.known.phi_failure = Some(error);
            }
        }
    }
}

impl AddPhiTruths {
    /// `None` if cancelled.
    fn studies(&mut self, run: &Run<'_, Self>) -> Result<Option<[Arc<Study>; 2]>> {
        if self.0.is_none() {
            let mut study = Study::clone(run.input);
            self.0 = add_truths(&mut study, run.token)?.then(|| Arc::new(study));
        }
        let Some(base) = &self.0 else {
            return Ok(None);
        };
        let study = Turner::default().turned(base, run.key.1)?;
        Ok(Some([base.clone(), Arc::new(study)]))
    }
}
