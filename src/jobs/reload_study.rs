//! The study read anew once its files changed, and the doctor's examination of it.

use std::sync::Arc;

use super::{DiskChange, Job, ModelScores, Run, Stamp, Wanted};
use crate::data::mapped::{self, Mark};
use crate::data::opened::OpenedFile;
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

/// Opens a study once more.
pub struct ReloadStudy;

/// A study that was opened once more.
pub struct Reloaded {
    /// As its files have it now.
    pub base: Arc<Study>,
    /// The same with its dials turned.
    pub study: Arc<Study>,
    /// How these stand.
    pub dials: Dials,
    /// The numbers of each of its models, or why there are none.
    pub numbers: Vec<Result<Arc<ModelScores>>>,
    /// Files mapped before this are of the study that was open.
    pub mark: Mark,
}

impl Job for ReloadStudy {
    const IS_LONG: bool = true;
    /// Its own files are no others' affair.
    const READS_SCORES: bool = false;
    /// The number of the request, and how the dials stand.
    type Key = (Stamp, Dials);
    type Part = ();
    /// What the study is opened from, and the one that is open.
    type Input = (Arc<Inputs>, Arc<Study>);
    /// What changed, and the study, or why it cannot take the place of the one that is open; none where no file is
    /// another one.
    type Output = (DiskChange, Result<Option<Reloaded>>);

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        let change = DiskChange::now(&run.input.1.files);
        if change.is_empty() && mapped::changed().is_none() {
            return run.send((change, Ok(None)));
        }
        let mark = Mark::now();
        let reloaded = reload(run, mark);
        if !matches!(reloaded, Ok(Some(_))) {
            mapped::forget_since(mark);
        }
        if let Some(reloaded) = reloaded.transpose() {
            run.send((change, reloaded.map(Some)));
        }
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let (stamp, inputs) = (model.files.requested?, model.files.inputs.as_ref()?);
        // A figure that is being written is still of the study that is open.
        let is_free = model.exporting.is_none();
        let input = || (inputs.clone(), model.base.clone());
        is_free.then(|| Wanted::one((stamp, model.dials), input))
    }

    fn take(app: &mut App, _: Self::Key, (change, reloaded): Self::Output) {
        let model = &mut app.model;
        model.files.requested = None;
        // What was looked at since may be newer.
        if model.files.change.is_empty() {
            model.files.change = change;
        }
        let reloaded = reloaded.transpose().map(|of| of.and_then(|of| model.with_all_numbers(of)));
        match reloaded.transpose() {
            Ok(None) => {}
            Ok(Some(reloaded)) => model.replace_study(reloaded),
            Err(error) => {
                model.files.failure = Some(error);
                // It may have changed once more meanwhile.
                model.files.follow();
            }
        }
    }

    fn fail(app: &mut App) {
        app.model.files.requested = None;
    }
}

/// `None` when it was cancelled.
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
    let of = |model| ModelScores::counted(&study, model, &counter, run.token).transpose();
    let Some(numbers) = study.models.iter().map(of).collect::<Option<Vec<_>>>() else {
        return Ok(None);
    };
    // Without a model that has numbers there is nothing to show.
    if let Some(Err(error)) = numbers.first()
        && numbers.iter().all(Result::is_err)
    {
        return Err(error.clone());
    }
    let (base, study) = (Arc::new(base), Arc::new(study));
    let reloaded = Reloaded { base, study, dials, numbers, mark };
    mapped::changed_since(mark).map_or(Ok(Some(reloaded)), Err)
}

/// Checks that no file is gone from a folder, of which the rest was opened, as if the file had never been there. Another
/// one may have taken its place.
fn require_all(open: &Study, base: &Study) -> Result<()> {
    let is_known = |file: &OpenedFile| open.files.iter().any(|known| known.path == file.path);
    let gone = open.files.iter().find(|file| file.now().is_none());
    gone.filter(|_| base.files.iter().all(is_known)).map_or(Ok(()), |gone| {
        Err(Error::new(gone.path.display(), "no such file or directory")
            .mend("put it back, or start again without it"))
    })
}
