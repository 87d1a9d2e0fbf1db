//! What a background job is: one file each. Its key says what makes its answers stale, its parts are
//! what can be asked for one after the other, and its run gives the answers.

use crate::rank::pass::CancelToken;

/// A kind of background work, with what it keeps from one run to the next.
pub trait Job: Send + 'static {
    /// The name of its thread.
    const NAME: &'static str;
    /// Whether it runs on threads of low priority (`pool`): all but what the screen waits for.
    const IS_LONG: bool = true;
    /// Whether the part under way is finished when other parts of the same key are asked for: it may be
    /// wanted again.
    const FINISHES_PART: bool = false;
    /// Whether it reads scores: then it answers nothing more once their file was written over.
    const READS_SCORES: bool = true;
    /// What makes its answers stale: they hold as long as the key is the same.
    type Key: Clone + PartialEq + Send + Sync + 'static;
    /// What is asked for at once, in the order in which it is done; `()` where that is one thing.
    type Part: PartialEq + Send + Sync + 'static;
    /// All that it takes to answer.
    type Input: Send + Sync + 'static;
    /// An answer, or a piece of it.
    type Output: Send + 'static;

    /// Does a part, and sends what comes of it. It ends early, and sends nothing more, once it is
    /// cancelled.
    fn run(&mut self, part: &Self::Part, run: &Run<'_, Self>);
}

/// What is wanted of a job.
pub struct Wanted<'a, J: Job + ?Sized> {
    /// What makes the answers stale.
    pub key: J::Key,
    /// What is still missing, the most urgent first; without any, what is under way for this key goes on.
    pub parts: Vec<J::Part>,
    /// Gives what it takes, where it is asked for; nothing while some of it is not there.
    pub input: Box<dyn FnOnce() -> Option<J::Input> + 'a>,
}

impl<'a, J: Job + ?Sized> Wanted<'a, J> {
    /// Asks for some parts under a key, the most urgent first.
    pub fn parts(key: J::Key, parts: Vec<J::Part>, input: impl FnOnce() -> J::Input + 'a) -> Self {
        Wanted { key, parts, input: Box::new(|| Some(input())) }
    }
}

impl<'a, J: Job<Part = ()> + ?Sized> Wanted<'a, J> {
    /// The one answer to a key.
    pub fn one(key: J::Key, input: impl FnOnce() -> J::Input + 'a) -> Self {
        Wanted::parts(key, vec![()], input)
    }
}

/// What a job's run is given: its key, input, cancellation and where answers go.
pub struct Run<'a, J: Job + ?Sized> {
    /// What it is for.
    pub key: &'a J::Key,
    /// All that it takes.
    pub input: &'a J::Input,
    /// Cancelled when its answer is no longer wanted; tells how far it is.
    pub token: &'a CancelToken,
    pub(super) send: &'a (dyn Fn(J::Output) + Sync),
}

impl<J: Job + ?Sized> Run<'_, J> {
    /// Sends an answer, or a piece of it.
    pub fn send(&self, output: J::Output) {
        (self.send)(output);
    }
}
