//! Runs all jobs: requests the results that the state lacks, and applies answers to the state.

use std::sync::Arc;
use std::sync::mpsc::Receiver;

use super::{ExportFile, Job, Outcome, Runner, SaveSession, Stamp, study_runners};
use crate::data::mmap;
use crate::error::Result;
use crate::session::Saver;
use crate::tui::app::App;
use crate::tui::event::Event;

/// Sends events to the explorer; called from job threads.
pub type Emit = Arc<dyn Fn(Event) + Send + Sync>;

/// Destination of answers.
pub(super) struct Answers {
    /// Opening of the study that answers are valid for; `None`: any.
    opening: Option<Stamp>,
    send: Emit,
}

impl Answers {
    /// A runner of `job` whose answers are sent here.
    pub(super) fn runner<J: Job>(&self, job: J) -> Box<dyn AnyRunner> {
        let (opening, send) = (self.opening, self.send.clone());
        let answer = move |key, out| send(Event::Answered(Answered::new::<J>(opening, key, out)));
        Box::new(Runner::new(job, answer))
    }
}

/// An answer of a job, to be applied to the state.
pub struct Answered(Box<dyn FnOnce(&mut App) + Send>);

impl Answered {
    /// The output for a key, or a panic message, of a job that runs for this `opening` of the study (`None`: for any).
    /// Output that is no longer wanted, or was read from an overwritten file, is dropped when applied.
    pub fn new<J: Job>(opening: Option<Stamp>, key: J::Key, outcome: Outcome<J>) -> Self {
        // Checked after the run, on its thread: the screen's thread never reads the disk.
        let overwritten = J::READS_SCORES.then(mmap::change_error).flatten();
        Answered(Box::new(move |app| match outcome {
            Ok(_) if opening.is_some_and(|opening| opening != app.model.known.opening) => {}
            Ok(_) if J::READS_SCORES && app.model.store_overwritten(overwritten) => {}
            Ok(output) if J::wanted(app).is_some_and(|wanted| wanted.key == key) => {
                J::apply(app, key, output);
            }
            Ok(_) => {}
            Err(panic_message) => {
                J::on_panic(app);
                app.model.panics.push(panic_message);
            }
        }))
    }

    /// Applies it to the state.
    pub(crate) fn apply(self, app: &mut App) {
        (self.0)(app);
    }
}

impl std::fmt::Debug for Answered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Answered")
    }
}

/// A [`Runner`] of any job.
pub(super) trait AnyRunner {
    /// Requests the results of the job that the state lacks.
    fn request(&mut self, app: &App);
    /// Reports the progress of the current run to the state.
    fn report_progress(&self, app: &mut App);
    /// Waits until no request runs or waits.
    fn wait_idle(&self);
    /// Ends the thread, and waits for that.
    fn shut_down(self: Box<Self>);
}

impl<J: Job> AnyRunner for Runner<J> {
    fn request(&mut self, app: &App) {
        let can_run = !(J::READS_SCORES && app.model.files.is_overwritten());
        self.request(J::wanted(app).filter(|_| can_run));
    }

    fn report_progress(&self, app: &mut App) {
        J::report_progress(app, self.progress());
    }

    fn wait_idle(&self) {
        self.wait_idle();
    }

    fn shut_down(self: Box<Self>) {
        Runner::shut_down(*self);
    }
}

/// All jobs, each on its thread.
pub struct Backend {
    /// Runners of the open study. Reopening it replaces them, so that they keep nothing of the previous one.
    runners: Vec<Box<dyn AnyRunner>>,
    /// Opening of the study that `runners` belong to.
    opening: Stamp,
    /// Runners of any study, which must finish before exit.
    lasting: Vec<Box<dyn AnyRunner>>,
    answers: Answers,
}

impl Backend {
    /// A backend that runs no job yet; answers go to `send`.
    pub fn new(send: Emit) -> Self {
        let answers = Answers { opening: None, send };
        let lasting = vec![answers.runner(ExportFile)];
        Backend { runners: Vec::new(), opening: Stamp::default(), lasting, answers }
    }

    /// Saves the session with `saver` after each change from now on.
    pub fn save_with(&mut self, saver: Saver) {
        self.lasting.push(self.answers.runner(SaveSession(saver)));
    }

    /// Requests the results that the state lacks and has not requested yet.
    pub fn request(&mut self, app: &App) {
        let opening = app.model.known.opening;
        if self.opening != opening {
            let answers = Answers { opening: Some(opening), send: self.answers.send.clone() };
            (self.opening, self.runners) = (opening, study_runners(&answers));
        }
        for runner in self.lasting.iter_mut().chain(&mut self.runners) {
            runner.request(app);
        }
    }

    /// Reports progress to the state.
    pub(crate) fn report_progress(&self, app: &mut App) {
        for runner in &self.runners {
            runner.report_progress(app);
        }
    }

    /// Waits until every request is done: an exact barrier for tests.
    pub fn wait_idle(&self) {
        for runner in self.lasting.iter().chain(&self.runners) {
            runner.wait_idle();
        }
    }

    /// Saves unsaved changes, and waits for a figure that is being written.
    ///
    /// # Errors
    /// Why the session or the figure cannot be saved.
    pub(crate) fn finish(&mut self, app: &mut App, events: &Receiver<Event>) -> Result<()> {
        app.store_view();
        app.model.session.retry_save();
        app.model.lost_export = None;
        for runner in &mut self.lasting {
            runner.request(app);
            runner.wait_idle();
        }
        for event in events.try_iter() {
            if let Event::Answered(answer) = event {
                answer.apply(app);
            }
        }
        app.sync();
        let model = &mut app.model;
        let failure = model.session.failure.clone().or(model.lost_export.take());
        failure.map_or(Ok(()), Err)
    }

    /// Ends all jobs, and waits until the session saver has released its lock.
    pub(crate) fn close(self) {
        drop(self.runners);
        self.lasting.into_iter().for_each(AnyRunner::shut_down);
    }
}
