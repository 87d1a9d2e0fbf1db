//! Reloads the study when its files change, and runs the doctor's checks.

use std::sync::Arc;

use super::{DiskChange, Job, ModelScores, Run, Stamp, Wanted};
use crate::data::file_states::OpenedFile;
use crate::data::mmap::{self, Mark};
use crate::doctor::{self, Finding};
use crate::error::{Error, Result};
use crate::rank::counter::Counter;
use crate::semantic::add_truths;
use crate::study::{self, Dials, Inputs, Renumbered, Study, Turner};
use crate::tui::app::App;
use crate::tui::state::changes::Dirty;
use crate::tui::state::view::Numbers;

/// Runs the doctor's checks over the study.
pub struct CheckInputs;

impl Job for CheckInputs {
    const IS_LONG: bool = true;
    /// Inputs do not change.
    type Key = ();
    type Part = ();
    type Input = Arc<Study>;
    /// Findings, and whether they are complete.
    type Output = (Arc<[Finding]>, bool);

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        // Findings that invalidate metrics come first; the other checks read every score.
        run.send((doctor::examine_quickly(run.input).into(), false));
        run.send((doctor::examine(run.input).into(), true));
    }

    /// Runs once the loaded models are ranked; findings stay when thresholds change.
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
        // An open sheet shows the findings at once.
        app.model.dirty |= Dirty::POPUP;
    }
}

/// Reopens a study.
pub struct ReloadStudy;

/// A reopened study.
pub struct Reloaded {
    /// The study as loaded.
    pub base: Arc<Study>,
    /// The derived study.
    pub study: Arc<Study>,
    /// Its dials.
    pub dials: Dials,
    /// Scores of each model, or why there are none.
    pub numbers: Vec<Result<Arc<ModelScores>>>,
    /// Files mapped before this belong to the old study.
    pub mark: Mark,
}

impl Job for ReloadStudy {
    const IS_LONG: bool = true;
    /// It maps the files itself.
    const READS_SCORES: bool = false;
    /// Stamp of the request, thresholds and mixture.
    type Key = (Stamp, Dials);
    type Part = ();
    /// Inputs to open, and the open study.
    type Input = (Arc<Inputs>, Arc<Study>);
    /// The changes, and the study, or why it cannot replace the open one; `None` if no file changed.
    type Output = (DiskChange, Result<Option<Reloaded>>);

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        let change = DiskChange::now(&run.input.1.files);
        if change.is_empty() && mmap::changed().is_none() {
            return run.send((change, Ok(None)));
        }
        let mark = Mark::now();
        let reloaded = reload(run, mark);
        if !matches!(reloaded, Ok(Some(_))) {
            mmap::forget_since(mark);
        }
        if let Some(reloaded) = reloaded.transpose() {
            run.send((change, reloaded.map(Some)));
        }
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let (stamp, inputs) = (model.files.requested?, model.files.inputs.as_ref()?);
        // A figure being written still uses the open study.
        let is_free = model.exporting.is_none();
        let input = || (inputs.clone(), model.base.clone());
        is_free.then(|| Wanted::one((stamp, model.dials), input))
    }

    fn take(app: &mut App, _: Self::Key, (change, reloaded): Self::Output) {
        let model = &mut app.model;
        model.files.requested = None;
        // A later check may be newer.
        if model.files.change.is_empty() {
            model.files.change = change;
        }
        let reloaded = reloaded.transpose().map(|of| of.and_then(|of| model.with_all_numbers(of)));
        match reloaded.transpose() {
            Ok(None) => {}
            Ok(Some(reloaded)) => model.replace_study(reloaded),
            Err(error) => {
                model.files.failure = Some(error);
                // It may have changed again meanwhile.
                model.files.follow();
            }
        }
    }

    fn fail(app: &mut App) {
        app.model.files.requested = None;
    }
}

/// `None` if cancelled.
fn reload(run: &Run<'_, ReloadStudy>, mark: Mark) -> Result<Option<Reloaded>> {
    let (inputs, open) = run.input;
    let (_, dials) = *run.key;
    if let Some(pipe) = open.files.iter().find(|file| file.state.is_none()) {
        let error = Error::new(pipe.path.display(), "a pipe, which can be read once");
        return Err(error.mend("start again, or write it to a file"));
    }
    let mut base = study::open(inputs)?;
    require_all(open, &base)?;
    if !add_truths(&mut base, run.token)? {
        return Ok(None);
    }
    base.require_models_and_truths()?;
    let dials = Renumbered::new(open, &base)?.dials(dials);
    let study = Turner::default().turned(&base, dials)?;
    let counter = Counter::new(&study.truths, &study.gallery, study.mask.as_ref());
    let of = |model| ModelScores::compute(&study, model, &counter, run.token).transpose();
    let Some(numbers) = study.models.iter().map(of).collect::<Option<Vec<_>>>() else {
        return Ok(None);
    };
    // Nothing to show if no model could be ranked.
    if let Some(Err(error)) = numbers.first()
        && numbers.iter().all(Result::is_err)
    {
        return Err(error.clone());
    }
    let (base, study) = (Arc::new(base), Arc::new(study));
    let reloaded = Reloaded { base, study, dials, numbers, mark };
    mmap::changed_since(mark).map_or(Ok(Some(reloaded)), Err)
}

/// Checks that no file is gone from a folder: the rest would open as if it had never been there. A new file may replace
/// it.
fn require_all(open: &Study, base: &Study) -> Result<()> {
    let is_known = |file: &OpenedFile| open.files.iter().any(|known| known.path == file.path);
    let gone = open.files.iter().find(|file| file.now().is_none());
    gone.filter(|_| base.files.iter().all(is_known)).map_or(Ok(()), |gone| {
        Err(Error::new(gone.path.display(), "no such file or directory")
            .mend("put it back, or start again without it"))
    })
}
