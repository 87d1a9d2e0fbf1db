//! Background work of the explorer, each in its file: what it needs, what it runs, what of the state asks
//! for it, and where its result goes. The screen's thread reads no file and computes nothing that takes long:
//! [`Backend`] asks every job after every event for what the state wants, so that no action can forget to ask.
//!
//! Each job has a thread of its own ([`Runner`]), so that a long count never delays the ranking of the query on
//! screen. A newer request takes the place of an older one, and answers arrive with the key that they were asked
//! under.

mod analyse_errors;
mod backend;
mod compare_models;
mod compute_chart;
mod count_ranks;
mod derive_study;
mod draw_figures;
mod find_nearest;
mod find_queries;
mod list_items;
mod paint_pictures;
mod rank_items;
mod reload_study;
mod runner;
mod save_session;
mod scored;
mod watch_files;

use std::sync::atomic::{AtomicU64, Ordering};

use crate::rank::pass::CancelToken;
use crate::tui::app::App;

pub use analyse_errors::{AnalyseErrors, AnalysisPart, AnalysisRequest, AnalysisResult, Lists};
pub use backend::{Answered, Backend, Emit};
pub use compare_models::{
    GroupKey, GroupModels, Grouped, Letters, PairedTest, RunPairedTests, TestKey, TestResult,
    Tested, tested_metrics,
};
pub use compute_chart::{ChartKey, ComputeChart};
pub use count_ranks::{ComputeMetrics, CountRanks, Unmeasured};
pub use derive_study::{AddPhiTruths, DeriveStudy};
pub use draw_figures::{
    Draft, DraftView, Drafted, Export, ExportFile, Exported, Picked, PreviewFigure, Shows,
};
pub use find_nearest::{FindNearest, MAX_NEAREST, NearestKey};
pub use find_queries::{
    FilterQueries, FilterRequest, Quality, SearchMatches, SearchQueries, matches,
};
pub use list_items::{ItemsKey, ItemsOrder, ListItems, ListedItems, ListedRows};
pub use paint_pictures::{PaintPictures, PictureKey};
pub use rank_items::{PlaceKey, Placed, RankBy, RankJudged, RankQuery, RankingKey};
pub use reload_study::{CheckInputs, ReloadStudy, Reloaded};
pub use runner::{Outcome, Runner, inject_panic};
pub use save_session::{SaveSession, save_elsewhere};
pub use scored::{DEPTH, Measured, ModelScores, Scored, specs};
pub use watch_files::{DiskChange, WatchFiles};

use backend::{Answers, AnyRunner};

/// Every job about the study that is open.
fn jobs(answers: &Answers) -> Vec<Box<dyn AnyRunner>> {
    vec![
        answers.runner(RankQuery),
        answers.runner(CountRanks::default()),
        answers.runner(DeriveStudy::default()),
        answers.runner(RankJudged),
        answers.runner(ComputeMetrics),
        answers.runner(SearchQueries::default()),
        answers.runner(FilterQueries),
        answers.runner(PaintPictures::default()),
        answers.runner(PreviewFigure),
        answers.runner(RunPairedTests),
        answers.runner(AnalyseErrors::default()),
        answers.runner(CheckInputs),
        answers.runner(WatchFiles),
        answers.runner(ReloadStudy),
        answers.runner(ListItems::default()),
        answers.runner(AddPhiTruths::default()),
        answers.runner(ComputeChart),
        answers.runner(GroupModels),
        answers.runner(FindNearest),
    ]
}

/// A kind of background work, with what it keeps from one run to the next.
pub trait Job: Sized + Send + 'static {
    /// Whether it runs on threads of low priority: what the screen does not wait for.
    const IS_LONG: bool = false;
    /// Whether the part under way is finished when other parts of the same key are asked for: it may be
    /// wanted again.
    const FINISHES_PART: bool = false;
    /// Whether it reads scores: then it answers nothing more once their file was written over.
    const READS_SCORES: bool = true;
    /// What makes its answers stale: they hold as long as the key is the same.
    type Key: Clone + PartialEq + Send + Sync + 'static;
    /// What is asked for at once, in the order in which it is done; `()` where that is one thing.
    type Part: Clone + PartialEq + Send + Sync + 'static;
    /// All that it takes to answer.
    type Input: Send + Sync + 'static;
    /// An answer, or a piece of it.
    type Output: Send + 'static;

    /// Does a part, and sends what comes of it. It ends early, and sends nothing more, once it is
    /// cancelled.
    fn run(&mut self, part: &Self::Part, run: &Run<'_, Self>);

    /// What the explorer wants of it and does not have. Without anything, or with another key, what is under
    /// way is given up; without parts it goes on.
    fn wanted(_app: &App) -> Option<Wanted<'_, Self>> {
        None
    }

    /// Takes an answer to what is still wanted.
    fn take(_app: &mut App, _key: Self::Key, _output: Self::Output) {}

    /// Takes notice of a panic, beyond the message that any has.
    fn fail(_app: &mut App) {}

    /// Takes the share of the run under way that is done, 0 to 1.
    fn report(_app: &mut App, _progress: f64) {}
}

/// What is wanted of a job.
pub struct Wanted<'a, J: Job> {
    /// What makes the answers stale.
    pub key: J::Key,
    /// What is still missing, the most urgent first; without any, what is under way for this key goes on.
    pub parts: Vec<J::Part>,
    /// Gives what it takes, where it is asked for; nothing while some of it is not there.
    pub input: Box<dyn FnOnce() -> Option<J::Input> + 'a>,
}

impl<'a, J: Job> Wanted<'a, J> {
    /// Asks for some parts under a key, the most urgent first.
    pub fn parts(key: J::Key, parts: Vec<J::Part>, input: impl FnOnce() -> J::Input + 'a) -> Self {
        Wanted { key, parts, input: Box::new(|| Some(input())) }
    }
}

impl<'a, J: Job<Part = ()>> Wanted<'a, J> {
    /// The one answer to a key.
    pub fn one(key: J::Key, input: impl FnOnce() -> J::Input + 'a) -> Self {
        Wanted::parts(key, vec![()], input)
    }
}

/// What a job's run is given: its key, input, cancellation and where answers go.
pub struct Run<'a, J: Job> {
    /// What it is for.
    pub key: &'a J::Key,
    /// All that it takes.
    pub input: &'a J::Input,
    /// Cancelled when its answer is no longer wanted; tells how far it is.
    pub token: &'a CancelToken,
    send: &'a (dyn Fn(J::Output) + Sync),
}

impl<J: Job> Run<'_, J> {
    /// Sends an answer, or a piece of it.
    pub fn send(&self, output: J::Output) {
        (self.send)(output);
    }
}

/// The number of a state, another one after each change: comparing the thing itself would take too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stamp(u64);

impl Stamp {
    /// One that nothing has yet.
    pub fn fresh() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Stamp(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

impl Default for Stamp {
    fn default() -> Self {
        Stamp::fresh()
    }
}
