//! The study with other thresholds, or with a mixture of two models.

use std::sync::Arc;

use super::{Asks, Job, Run, Wanted};
use crate::error::Error;
use crate::study::{Dials, Study, Turner};
use crate::tui::app::App;

/// Makes studies with turned dials; keeps what the next one can take over.
#[derive(Default)]
pub struct DeriveStudy(Turner);

impl Job for DeriveStudy {
    const NAME: &'static str = "derive-study";
    const IS_LONG: bool = false;
    /// How the dials are to stand.
    type Key = Dials;
    type Part = ();
    /// The study as its files have it.
    type Input = Arc<Study>;
    /// The study with its dials turned, or why they cannot be.
    type Output = Result<Arc<Study>, Error>;

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        let study = self.0.turned(run.input, *run.key);
        run.send(study.map(Arc::new));
    }
}

impl Asks for DeriveStudy {
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
