//! Runs all jobs: asks each for what the state wants, and takes answers into the state.

use std::sync::Arc;
use std::sync::mpsc::Receiver;

use super::{ExportFile, Job, Outcome, Runner, SaveSession, Stamp, jobs};
use crate::data::mapped;
use crate::error::Result;
use crate::session::Saver;
use crate::tui::app::App;
use crate::tui::event::Event;

/// Hands events to the explorer; called from the threads of jobs.
pub type Emit = Arc<dyn Fn(Event) + Send + Sync>;

/// Where answers go, and the opening of the study that they are of; `None` where they hold for any.
pub(super) struct Answers {
    of: Option<Stamp>,
    send: Emit,
}

impl Answers {
    /// A job whose answers go there.
    pub(super) fn runner<J: Job>(&self, job: J) -> Box<dyn AnyRunner> {
        let (of, send) = (self.of, self.send.clone());
        let answer = move |key, told| send(Event::Answered(Answered::new::<J>(of, key, told)));
        Box::new(Runner::new(job, answer))
    }
}

/// An answer of a job, for the state.
pub struct Answered(Box<dyn FnOnce(&mut App) + Send>);

impl Answered {
    /// What a job answered under a key, or what its panic said, of an opening of the study. What the state does
    /// not want any more, or wants otherwise, comes to nothing, as does what was read of a file that was written
    /// over: here, for all jobs.
    pub fn new<J: Job>(of: Option<Stamp>, key: J::Key, outcome: Outcome<J>) -> Self {
        // Looked at after the run, and on its thread: the screen's thread reads nothing from the disk.
        let overwritten = J::READS_SCORES.then(mapped::changed).flatten();
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

    /// Takes it into the state.
    pub(crate) fn taken(self, app: &mut App) {
        (self.0)(app);
    }
}

impl std::fmt::Debug for Answered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Answered")
    }
}

/// A job with its thread, whatever it is about.
pub(super) trait AnyRunner {
    fn ask(&mut self, app: &App);
    fn report(&self, app: &mut App);
    fn wait_idle(&self);
    fn end(self: Box<Self>);
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

    fn end(self: Box<Self>) {
        Runner::end(*self);
    }
}

/// All jobs, each on its thread.
pub struct Backend {
    /// As long as the study stays open. When it is opened once more, others take their place, which know nothing of
    /// the one before.
    runners: Vec<Box<dyn AnyRunner>>,
    of: Stamp,
    /// Those that leaving waits for, whichever study is open.
    lasting: Vec<Box<dyn AnyRunner>>,
    answers: Answers,
}

impl Backend {
    /// Nothing asked for yet.
    pub fn new(send: Emit) -> Self {
        let answers = Answers { of: None, send };
        let lasting = vec![answers.runner(ExportFile)];
        Backend { runners: Vec::new(), of: Stamp::default(), lasting, answers }
    }

    /// Saves the session from now on.
    pub fn keep(&mut self, saver: Saver) {
        self.lasting.push(self.answers.runner(SaveSession(saver)));
    }

    /// Asks for what the state wants and was not asked for yet.
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

    /// Tells the state how far jobs are.
    pub(crate) fn report(&self, app: &mut App) {
        for runner in &self.runners {
            runner.report(app);
        }
    }

    /// Waits until all that was asked for is done: an exact barrier for tests.
    pub fn wait_idle(&self) {
        for runner in self.lasting.iter().chain(&self.runners) {
            runner.wait_idle();
        }
    }

    /// Saves what is not saved yet, and waits for a figure that is being written.
    ///
    /// # Errors
    /// Why something could not be saved.
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
                answer.taken(app);
            }
        }
        app.settle();
        let model = &mut app.model;
        let lost = model.session.failure.clone().or(model.lost_export.take());
        lost.map_or(Ok(()), Err)
    }

    /// Ends all jobs, and waits until what saves the session has given its lock back.
    pub(crate) fn close(self) {
        drop(self.runners);
        self.lasting.into_iter().for_each(AnyRunner::end);
    }
}
