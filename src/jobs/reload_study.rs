//! Reloads the study when its files change, and runs the doctor's checks.

use std::sync::Arc;

use super::{DiskChange, Job, ModelScores, Run, Stamp, Wanted};
use crate::data::file_states::OpenedFile;
use crate::data::mmap::{self, Mark};
use crate::doctor::{self, Finding};
use crate::error::{Error, Result};
use crate::rank::counter::Counter;
use crate::semantic::add_truths;
use crate::study::{self, IndexRemap, Inputs, Study, StudyDeriver, StudySettings};
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
        let mut loaded = model.numbers.iter().take(model.base.models.len());
        let is_due =
            !model.known.is_examined && loaded.all(|numbers| !matches!(numbers, Numbers::Waiting));
        is_due.then(|| Wanted::new((), || model.base.clone()))
    }

    fn apply(app: &mut App, (): (), (findings, is_examined): Self::Output) {
        let known = &mut app.model.known;
        (known.findings, known.is_examined) = (Some(findings), is_examined);
        // An open sheet shows the findings at once.
        app.model.dirty |= Dirty::POPUP;
    }
}

/// Reopens the study from its changed files.
pub struct ReloadStudy;

/// A reopened study.
pub struct Reloaded {
    /// The study as loaded.
    pub base: Arc<Study>,
    /// The derived study.
    pub study: Arc<Study>,
    /// Thresholds and mixture of the derived study.
    pub settings: StudySettings,
    /// Ranks by each model, or why there are none.
    pub numbers: Vec<Result<Arc<ModelScores>>>,
    /// Files that were mapped before this mark belong to the replaced study.
    pub mark: Mark,
}

impl Job for ReloadStudy {
    const IS_LONG: bool = true;
    /// It maps the files itself.
    const READS_SCORES: bool = false;
    /// Stamp of the request, thresholds and mixture.
    type Key = (Stamp, StudySettings);
    type Part = ();
    /// Inputs to open, and the open study.
    type Input = (Arc<Inputs>, Arc<Study>);
    /// The changes, and the reopened study or why it cannot replace the open one; `None` if no file changed.
    type Output = (DiskChange, Result<Option<Reloaded>>);

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        let change = DiskChange::since_loaded(&run.input.1.files);
        if change.is_empty() && mmap::change_error().is_none() {
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
        // Waits for a figure that is being written from the open study.
        let is_free = model.exporting.is_none();
        let input = || (inputs.clone(), model.base.clone());
        is_free.then(|| Wanted::new((stamp, model.settings), input))
    }

    fn apply(app: &mut App, _: Self::Key, (change, reloaded): Self::Output) {
        let model = &mut app.model;
        model.files.requested = None;
        // A later check may be newer.
        if model.files.change.is_empty() {
            model.files.change = change;
        }
        let reloaded = reloaded.transpose().map(|of| of.and_then(|of| model.require_ranks(of)));
        match reloaded.transpose() {
            Ok(None) => {}
            Ok(Some(reloaded)) => model.replace_study(reloaded),
            Err(error) => {
                model.files.failure = Some(error);
                // The files may have changed again meanwhile.
                model.files.reload_if_settled();
            }
        }
    }

    fn on_panic(app: &mut App) {
        app.model.files.requested = None;
    }
}

/// Opens the inputs again, and ranks all models; `None` if cancelled.
fn reload(run: &Run<'_, ReloadStudy>, mark: Mark) -> Result<Option<Reloaded>> {
    let (inputs, open) = run.input;
    let (_, settings) = *run.key;
    if let Some(pipe) = open.files.iter().find(|file| file.state.is_none()) {
        let error = Error::new(pipe.path.display(), "a pipe, which can be read once");
        return Err(error.fix("start again, or write it to a file"));
    }
    let mut base = study::open(inputs)?;
    require_no_missing(open, &base)?;
    if !add_truths(&mut base, run.token)? {
        return Ok(None);
    }
    base.require_models_and_truths()?;
    let settings = IndexRemap::new(open, &base)?.settings(settings);
    let study = StudyDeriver::default().derive(&base, settings)?;
    let counter = Counter::new(&study.truths, &study.gallery, study.mask.as_ref());
    let scores = |model| ModelScores::compute(&study, model, &counter, run.token).transpose();
    let Some(numbers) = study.models.iter().map(scores).collect::<Option<Vec<_>>>() else {
        return Ok(None);
    };
    // Nothing to show if no model could be ranked.
    if let Some(Err(error)) = numbers.first()
        && numbers.iter().all(Result::is_err)
    {
        return Err(error.clone());
    }
    let (base, study) = (Arc::new(base), Arc::new(study));
    let reloaded = Reloaded { base, study, settings, numbers, mark };
    mmap::change_error_since(mark).map_or(Ok(Some(reloaded)), Err)
}

/// Checks that every file of the `open` study still exists: otherwise the rest of its folder would open without an
/// error. Accepts missing files if the reopened study `base` has a new file, which may replace them.
fn require_no_missing(open: &Study, base: &Study) -> Result<()> {
    let is_known = |file: &OpenedFile| open.files.iter().any(|known| known.path == file.path);
    let missing = open.files.iter().find(|file| file.current_state().is_none());
    missing.filter(|_| base.files.iter().all(is_known)).map_or(Ok(()), |missing| {
        Err(Error::new(missing.path.display(), "no such file or directory")
            .fix("put it back, or start again without it"))
    })
}
