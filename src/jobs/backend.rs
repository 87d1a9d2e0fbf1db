//! Runs all jobs: requests what the state needs, and applies answers to the state.

use std::sync::Arc;
use std::sync::mpsc::Receiver;

use super::{ExportFile, Job, Outcome, Runner, SaveSession, Stamp, jobs};
use crate::data::mmap;
use crate::error::Result;
use crate::session::Saver;
use crate::tui::app::App;
use crate::tui::event::Event;

/// Sends events to the explorer; called from job threads.
pub type Emit = Arc<dyn Fn(Event) + Send + Sync>;

/// Destination of answers, and the opening of the study they belong to; `None`: any.
pub(super) struct Answers {
    of: Option<Stamp>,
    send: Emit,
}

impl Answers {
    pub(super) fn runner<J: Job>(&self, job: J) -> Box<dyn AnyRunner> {
        let (of, send) = (self.of, self.send.clone());
        let answer = move |key, told| send(Event::Answered(Answered::new::<J>(of, key, told)));
        Box::new(Runner::new(job, answer))
    }
}

/// An answer of a job, for the state.
pub struct Answered(Box<dyn FnOnce(&mut App) + Send>);

impl Answered {
    /// A job's output for a key, or its panic message, for an opening of the study. Drops answers that are no longer
    /// wanted, and those read from an overwritten file: here, for all jobs.
    pub fn new<J: Job>(of: Option<Stamp>, key: J::Key, outcome: Outcome<J>) -> Self {
        // Checked after the run, on its thread: the screen's thread never reads the disk.
        let overwritten = J::READS_SCORES.then(mmap::changed).flatten();
        Answered(Box::new(move |app| match outcome {
            Ok(_) if of.is_some_and(|of| of != app.model.known.opening) => {}
            Ok(_) if J::READS_SCORES && app.model.take_overwritten(overwritten) => {}
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

/// A job of any type with its thread.
pub(super) trait AnyRunner {
    fn ask(&mut self, app: &App);
    fn report(&self, app: &mut App);
    fn wait_idle(&self);
    fn shut_down(self: Box<Self>);
}

impl<J: Job> AnyRunner for Runner<J> {
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

    fn shut_down(self: Box<Self>) {
        Runner::shut_down(*self);
    }
}

/// All jobs, each on its thread.
pub struct Backend {
    /// Runners of the open study. Reopening it replaces them, so that they keep nothing of the previous one.
    runners: Vec<Box<dyn AnyRunner>>,
    of: Stamp,
    /// Runners of any study, which must finish before exit.
    lasting: Vec<Box<dyn AnyRunner>>,
    answers: Answers,
}

impl Backend {
    /// An idle backend.
    pub fn new(send: Emit) -> Self {
        let answers = Answers { of: None, send };
        let lasting = vec![answers.runner(ExportFile)];
        Backend { runners: Vec::new(), of: Stamp::default(), lasting, answers }
    }

    /// Saves the session from now on.
    pub fn keep(&mut self, saver: Saver) {
        self.lasting.push(self.answers.runner(SaveSession(saver)));
    }

    /// Requests what the state needs and did not request yet.
    pub fn ask(&mut self, app: &App) {
        let opening = app.model.known.opening;
        if self.of != opening {
            let send = self.answers.send.clone();
            (self.of, self.runners) = (opening, jobs(&Answers { of: Some(opening), send }));
        }
        for runner in self.lasting.iter_mut().chain(&mut self.runners) {
            runner.ask(app);
        }
    }

    /// Reports progress to the state.
    pub(crate) fn report(&self, app: &mut App) {
        for runner in &self.runners {
            runner.report(app);
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
    /// When something cannot be saved.
    pub(crate) fn finish(&mut self, app: &mut App, events: &Receiver<Event>) -> Result<()> {
        app.store_view();
        app.model.session.retry();
        app.model.lost_export = None;
        for runner in &mut self.lasting {
            runner.ask(app);
            runner.wait_idle();
        }
        for event in events.try_iter() {
            if let Event::Answered(answer) = event {
                answer.apply(app);
            }
        }
        app.sync();
        let model = &mut app.model;
        let lost = model.session.failure.clone().or(model.lost_export.take());
        lost.map_or(Ok(()), Err)
    }

    /// Ends all jobs, and waits until the session saver has released its lock.
    pub(crate) fn close(self) {
        drop(self.runners);
        self.lasting.into_iter().for_each(AnyRunner::shut_down);
    }
}
