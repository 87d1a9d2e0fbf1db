//! Runs all jobs: asks each for what the state wants, and takes answers into the state.

use std::sync::Arc;
use std::sync::mpsc::Receiver;

use super::{Asks, Outcome, Runner, SaveSession, SaveState, Stamp, jobs};
use crate::data::mapped;
use crate::error::Result;
use crate::session::{Saver, StateFile};
use crate::tui::app::App;
use crate::tui::event::Event;

/// Hands events to the explorer; called from the threads of jobs.
pub type Emit = Arc<dyn Fn(Event) + Send + Sync>;

/// A job whose answers go there.
pub(super) fn runner<J: Asks>(job: J, answers: &Answers) -> Box<dyn AnyRunner> {
    let Answers { of, send } = answers.clone();
    let answer = move |key, outcome| send(Event::Answered(Answered::new::<J>(of, key, outcome)));
    Box::new(Runner::new(job, answer))
}

/// Where answers go, and the opening of the study that they are of.
#[derive(Clone)]
pub(super) struct Answers {
    of: Stamp,
    send: Emit,
}

/// An answer of a job, for the state.
pub struct Answered(Box<dyn FnOnce(&mut App) + Send>);

impl Answered {
    /// What a job answered under a key, or what its panic said, of an opening of the study. What the state does
    /// not want any more, or wants otherwise, comes to nothing, as does what was read of a file that was written
    /// over: here, for all jobs.
    pub fn new<J: Asks>(of: Stamp, key: J::Key, outcome: Outcome<J>) -> Self {
        // Looked at after the run, and on its thread: the screen's thread reads nothing from the disk.
        let overwritten = J::READS_SCORES.then(mapped::changed).flatten();
        Answered(Box::new(move |app| match outcome {
            Ok(_) if of != app.model.known.opening && !J::MUST_FINISH => {}
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
    fn must_finish(&self) -> bool;
    fn name(&self) -> &'static str;
    fn end(self: Box<Self>);
}

impl<J: Asks> AnyRunner for Runner<J> {
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
        self.runners.push(runner(SaveSession(saver), &self.answers));
    }

    /// Remembers in a file from now on.
    pub fn remember(&mut self, file: StateFile) {
        self.runners.push(runner(SaveState::new(file), &self.answers));
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
    pub(crate) fn report(&self, app: &mut App) {
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
    pub(crate) fn finish(&mut self, app: &mut App, events: &Receiver<Event>) -> Result<()> {
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
    pub(crate) fn close(self) {
        let (awaited, others): (Vec<_>, Vec<_>) =
            self.runners.into_iter().partition(|runner| runner.must_finish());
        drop(others);
        awaited.into_iter().for_each(AnyRunner::end);
    }
}
