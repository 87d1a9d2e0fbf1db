//! The background work of the explorer. What its state wants of each job is asked for after every event,
//! so that no action can forget to ask; what a job answers is taken into the state.

use std::sync::Arc;
use std::sync::mpsc::Receiver;

use super::app::App;
use super::event::Event;
use super::model::job::ModelJob;
use super::pictures::ImageBackend;
use crate::engine::{self, Job, Outcome, Runner, Stamp, Wanted};
use crate::error::Result;
use crate::session::{Saver, StateFile};

/// Hands events to the explorer; called from the threads of jobs.
pub type Emit = Arc<dyn Fn(Event) + Send + Sync>;

/// What the explorer has to do with a job, where more than the model takes part in it.
pub trait AppJob: Job {
    /// Whether leaving waits for it.
    const MUST_FINISH: bool = false;

    /// What the state wants of it and does not have. Without anything, or with another key, what is under
    /// way is given up; without parts it goes on.
    fn wanted(app: &App) -> Option<Wanted<'_, Self>>;

    /// Takes an answer to what is still wanted.
    fn take(app: &mut App, key: Self::Key, output: Self::Output);

    /// Takes notice of a panic, beyond what is said of any.
    fn fail(_app: &mut App) {}

    /// Takes the share of the run under way that is done, 0 to 1.
    fn report(_app: &mut App, _progress: f64) {}
}

impl<J: ModelJob> AppJob for J {
    const MUST_FINISH: bool = J::MUST_FINISH;

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        J::wanted(&app.model)
    }

    fn take(app: &mut App, key: Self::Key, output: Self::Output) {
        J::take(&mut app.model, key, output);
    }

    fn fail(app: &mut App) {
        J::fail(&mut app.model);
    }

    fn report(app: &mut App, progress: f64) {
        J::report(&mut app.model, progress);
    }
}

/// Every job, one line each; what saves the session comes with its file.
fn jobs(send: &Answers) -> Vec<Box<dyn AnyRunner>> {
    vec![
        runner(engine::QueryRanking, send),
        runner(engine::Counting::default(), send),
        runner(engine::DeriveStudy::default(), send),
        runner(engine::AlphaCurve::default(), send),
        runner(engine::Placing, send),
        runner(engine::Measuring, send),
        runner(engine::Searching::default(), send),
        runner(engine::Filtering, send),
        runner(engine::Overlapping::default(), send),
        runner(engine::PaintPictures::<ImageBackend>::default(), send),
        runner(engine::PreviewFigure::<ImageBackend>::default(), send),
        runner(engine::ExportFile, send),
        runner(engine::PairedTests, send),
        runner(engine::ErrorAnalysis::default(), send),
        runner(engine::Rescaling, send),
        runner(engine::Checking, send),
        runner(engine::Watching, send),
        runner(engine::Reloading, send),
        runner(engine::PassPicture, send),
        runner(engine::ListingItems::default(), send),
        runner(engine::QueryPhi, send),
        runner(engine::PhiTruths::default(), send),
        runner(engine::ReadingOthers, send),
        runner(engine::Charting, send),
    ]
}

fn runner<J: AppJob>(job: J, answers: &Answers) -> Box<dyn AnyRunner> {
    let Answers { of, send } = answers.clone();
    let answer = move |key, outcome| send(Event::Answered(Answered::new::<J>(of, key, outcome)));
    Box::new(Runner::new(job, answer))
}

/// Where answers go, and the opening of the study that they are of.
#[derive(Clone)]
struct Answers {
    of: Stamp,
    send: Emit,
}

/// An answer of a job, for the state.
pub struct Answered(Box<dyn FnOnce(&mut App) + Send>);

impl Answered {
    /// What a job answered under a key, or what its panic said, of an opening of the study. What the state does
    /// not want any more, or wants otherwise, comes to nothing, as does what was read of a file that was written
    /// over: here, for all jobs.
    pub fn new<J: AppJob>(of: Stamp, key: J::Key, outcome: Outcome<J>) -> Self {
        Answered(Box::new(move |app| match outcome {
            Ok(_) if of != app.model.known.opening && !J::MUST_FINISH => {}
            Ok(_) if J::READS_SCORES && app.model.look_for_overwritten() => {}
            Ok(output) if J::wanted(app).is_some_and(|wanted| wanted.key == key) => {
                J::take(app, key, output);
            }
            Ok(_) => {}
            Err(words) => {
                J::fail(app);
                app.model.faults.push(words);
            }
        }))
    }

    /// Takes it into the state.
    pub(super) fn taken(self, app: &mut App) {
        (self.0)(app);
    }
}

impl std::fmt::Debug for Answered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Answered")
    }
}

/// A job with its thread, whatever it is about.
trait AnyRunner {
    fn ask(&mut self, app: &App);
    fn report(&self, app: &mut App);
    fn wait_idle(&self);
    fn must_finish(&self) -> bool;
    fn name(&self) -> &'static str;
    fn end(self: Box<Self>);
}

impl<J: AppJob> AnyRunner for Runner<J> {
    fn ask(&mut self, app: &App) {
        let can = !(J::READS_SCORES && app.model.files.is_overwritten());
        self.ask(J::wanted(app).filter(|_| can));
    }

    fn report(&self, app: &mut App) {
        J::report(app, self.progress());
    }

    fn wait_idle(&self) {
        self.wait_idle();
    }

    fn must_finish(&self) -> bool {
        J::MUST_FINISH
    }

    fn name(&self) -> &'static str {
        J::NAME
    }

    fn end(self: Box<Self>) {
        Runner::end(*self);
    }
}

/// All jobs, each on its thread: they stay as long as the study does. When it is opened once more, others take
/// their place, which know nothing of the one before; what must be finished goes on.
pub struct Backend {
    runners: Vec<Box<dyn AnyRunner>>,
    answers: Answers,
}

impl Backend {
    /// Nothing asked for yet.
    pub fn new(send: Emit) -> Self {
        let of = Stamp::default();
        let answers = Answers { of, send };
        Backend { runners: Vec::new(), answers }
    }

    /// Saves the session from now on.
    pub fn keep(&mut self, saver: Saver) {
        self.runners.push(runner(engine::SaveSession(saver), &self.answers));
    }

    /// Remembers in a file from now on.
    pub fn remember(&mut self, file: StateFile) {
        self.runners.push(runner(engine::SaveRemembered::new(file), &self.answers));
    }

    /// Asks for what the state wants and was not asked for yet.
    pub fn ask(&mut self, app: &App) {
        if self.answers.of != app.model.known.opening {
            self.begin_anew(app.model.known.opening);
        }
        for runner in &mut self.runners {
            runner.ask(app);
        }
    }

    /// Has other jobs take the place of those that are of the study before.
    fn begin_anew(&mut self, of: Stamp) {
        self.answers.of = of;
        let (kept, _) =
            std::mem::take(&mut self.runners).into_iter().partition(|runner| runner.must_finish());
        self.runners = kept;
        let names: Vec<&str> = self.runners.iter().map(|runner| runner.name()).collect();
        let fresh = jobs(&self.answers).into_iter();
        let fresh: Vec<_> = fresh.filter(|one| !names.contains(&one.name())).collect();
        self.runners.extend(fresh);
    }

    /// Tells the state how far jobs are.
    pub(super) fn report(&self, app: &mut App) {
        for runner in &self.runners {
            runner.report(app);
        }
    }

    /// Waits until all that was asked for is done: an exact barrier for tests.
    pub fn wait_idle(&self) {
        for runner in &self.runners {
            runner.wait_idle();
        }
    }

    /// Saves what is not saved yet, and waits for a figure that is being written.
    ///
    /// # Errors
    /// Why something could not be saved.
    pub(super) fn finish(&mut self, app: &mut App, events: &Receiver<Event>) -> Result<()> {
        app.leave_page();
        app.model.session.retry();
        app.model.lost_export = None;
        for runner in self.runners.iter_mut().filter(|runner| runner.must_finish()) {
            runner.ask(app);
            runner.wait_idle();
        }
        for event in events.try_iter() {
            if let Event::Answered(answer) = event {
                answer.taken(app);
            }
        }
        app.settle();
        let model = &mut app.model;
        let lost = model.session.failure.clone().or(model.lost_export.take());
        lost.map_or(Ok(()), Err)
    }

    /// Ends all jobs, and waits until what saves the session has given its lock back.
    pub(super) fn close(self) {
        let (awaited, others): (Vec<_>, Vec<_>) =
            self.runners.into_iter().partition(|runner| runner.must_finish());
        drop(others);
        awaited.into_iter().for_each(AnyRunner::end);
    }
}
