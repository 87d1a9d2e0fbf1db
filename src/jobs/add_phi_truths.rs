//! The ground truths that similarities make: found once the study is on screen.

use std::sync::Arc;

use super::{Asks, Job, Run, Stamp, Wanted};
use crate::error::Result;
use crate::rank::pass::CancelToken;
use crate::semantic::add_truths;
use crate::study::{Dials, Study, Turner};
use crate::tui::app::App;
use crate::tui::model::export::one_line;
use crate::tui::model::what_if::PoolCache;

/// Adds the truths of similarities to a study; keeps it for other dials.
#[derive(Default)]
pub struct AddPhiTruths(Option<(Stamp, Arc<Study>)>);

/// A study with the truths of its similarities.
pub struct WithPhiTruths {
    /// As its files have it.
    pub base: Arc<Study>,
    /// The same with its dials turned.
    pub study: Arc<Study>,
}

impl Job for AddPhiTruths {
    const NAME: &'static str = "similarities";
    /// The opening of the study, and how its dials stand.
    type Key = (Stamp, Dials);
    type Part = ();
    /// The study as its files have it.
    type Input = Arc<Study>;
    /// The study, or why a similarity makes no truth.
    type Output = Result<WithPhiTruths>;

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        let (opening, dials) = *run.key;
        let known = self.0.take().filter(|(of, _)| *of == opening);
        let base = match known {
            Some((_, base)) => Ok(Some(base)),
            None => with_truths(run.input, run.token),
        };
        match base {
            Ok(Some(base)) => {
                self.0 = Some((opening, base.clone()));
                let study = Turner::default().turned(&base, dials).map(Arc::new);
                run.send(study.map(|study| WithPhiTruths { base, study }));
            }
            Ok(None) => {}
            Err(error) => run.send(Err(error)),
        }
    }
}

/// `None` when it was cancelled.
fn with_truths(study: &Study, token: &CancelToken) -> Result<Option<Arc<Study>>> {
    let mut study = study.clone();
    let is_whole = add_truths(&mut study, token)?;
    Ok(is_whole.then(|| Arc::new(study)))
}

impl Asks for AddPhiTruths {
    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let is_wanted = model.known.similarities.failure.is_none()
            && model.wanted_dials().is_none()
            && !model.base.has_phi_truths();
        is_wanted.then(|| Wanted::one((model.known.opening, model.dials), || model.base.clone()))
    }

    fn take(app: &mut App, (_, dials): Self::Key, found: Self::Output) {
        let model = &mut app.model;
        match found {
            Ok(WithPhiTruths { base, study }) => {
                model.base = base;
                // Numbers in other pools lack the truths that came.
                model.known.pool_cache = PoolCache::default();
                model.take_study(dials, study);
                model.look_at_awaited_truth();
            }
            Err(error) => {
                model.message = Some(one_line(&error));
                model.known.similarities.failure = Some(error);
            }
        }
    }
}
