//! The study with other thresholds, a mixture of two models, or ground truths from its similarities.

use std::sync::Arc;

use super::{Job, Run, Stamp, Wanted};
use crate::error::Result;
use crate::semantic::add_truths;
use crate::study::{Study, StudyDeriver, StudySettings};
use crate::tui::app::App;
use crate::tui::state::export::one_line;

/// Derives studies with other thresholds or mixtures; caches what the next study can reuse.
#[derive(Default)]
pub struct DeriveStudy(StudyDeriver);

impl Job for DeriveStudy {
    /// Thresholds and mixture.
    type Key = StudySettings;
    type Part = ();
    /// The study as loaded.
    type Input = Arc<Study>;
    /// The derived study, or why there is none.
    type Output = Result<Arc<Study>>;

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        run.send(self.0.derive(run.input, *run.key).map(Arc::new));
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        Some(Wanted::new(app.model.pending_settings()?, || app.model.base.clone()))
    }

    fn apply(app: &mut App, settings: StudySettings, study: Self::Output) {
        match study {
            Ok(study) => app.model.set_study(settings, study),
            Err(error) => app.model.refuse_settings(settings, &error),
        }
    }
}

/// Adds the ground truths of similarities once the study is shown; caches the loaded study with them.
#[derive(Default)]
pub struct AddPhiTruths(Option<Arc<Study>>);

impl Job for AddPhiTruths {
    const IS_LONG: bool = true;
    /// Opening of the study, thresholds and mixture.
    type Key = (Stamp, StudySettings);
    type Part = ();
    /// The study as loaded.
    type Input = Arc<Study>;
    /// The loaded and the derived study, both with these truths, or why a similarity has none.
    type Output = Result<[Arc<Study>; 2]>;

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        if let Some(studies) = self.studies(run).transpose() {
            run.send(studies);
        }
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let is_wanted = model.known.phi_failure.is_none()
            && model.pending_settings().is_none()
            && !model.base.has_phi_truths();
        is_wanted.then(|| Wanted::new((model.known.opening, model.settings), || model.base.clone()))
    }

    fn apply(app: &mut App, (_, settings): Self::Key, found: Self::Output) {
        let model = &mut app.model;
        match found {
            Ok([base, study]) => {
                model.base = base;
                model.set_study(settings, study);
            }
            Err(error) => {
                model.message = Some(one_line(&error));
                model.known.phi_failure = Some(error);
            }
        }
    }
}

impl AddPhiTruths {
    /// The loaded study, from the cache if it is there, and the derived one, both with ground truths of similarities;
    /// `None` if cancelled.
    fn studies(&mut self, run: &Run<'_, Self>) -> Result<Option<[Arc<Study>; 2]>> {
        if self.0.is_none() {
            let mut study = Study::clone(run.input);
            self.0 = add_truths(&mut study, run.token)?.then(|| Arc::new(study));
        }
        let Some(base) = &self.0 else {
            return Ok(None);
        };
        let study = StudyDeriver::default().derive(base, run.key.1)?;
        Ok(Some([base.clone(), Arc::new(study)]))
    }
}
