//! Background jobs of the explorer, one per file: inputs, work, the state that requests it, and where its result goes.
//! The screen's thread reads no file and computes nothing slow: [`Backend`] asks every job after every event for what
//! the state wants, so that no action can forget to ask.
//!
//! Each job has its own thread ([`Runner`]), so that a long count never delays the ranking of the query on screen. A
//! newer request replaces an older one, and answers carry the key of their request.

mod analyse_errors;
mod backend;
mod compare_models;
mod compute_chart;
mod count_ranks;
mod derive_study;
mod draw_figures;
mod draw_thumbnails;
mod find_nearest;
mod find_queries;
mod list_items;
mod model_scores;
mod rank_items;
mod reload_study;
mod runner;
mod save_session;
mod watch_files;

use std::sync::atomic::{AtomicU64, Ordering};

use crate::rank::pass::CancelToken;
use crate::tui::app::App;

pub use analyse_errors::{AnalyseErrors, AnalysisPart, AnalysisRequest, AnalysisResult, KindLists};
pub use backend::{Answered, Backend, Emit};
pub use compare_models::{
    GroupInputs, GroupKey, GroupModels, Letters, MetricTest, PairedTest, RunPairedTests,
    TestInputs, compared_metrics,
};
pub use compute_chart::{ChartKey, ComputeChart};
pub use count_ranks::{ComputeMetrics, CountRanks, Unmeasured};
pub use derive_study::{AddPhiTruths, DeriveStudy};
pub use draw_figures::{
    Draft, DraftPreview, DraftView, Export, ExportContent, ExportFile, Exported, PickedQueries,
    PreviewFigure,
};
pub use draw_thumbnails::{DrawThumbnails, ThumbnailKey};
pub use find_nearest::{FindNearest, MAX_NEAREST, NearestKey};
pub use find_queries::{
    FilterQueries, FilterRequest, Quality, SearchMatches, SearchQueries, match_quality,
};
pub use list_items::{ItemChoices, ItemsKey, ItemsOrder, ListItems, ListedRows};
pub use model_scores::{DEPTH, MetricValue, ModelScores, ViewMetrics, all_specs};
pub use rank_items::{PairRankKey, PairRanks, RankBy, RankJudged, RankQuery, RankingKey};
pub use reload_study::{CheckInputs, ReloadStudy, Reloaded};
pub use runner::{Outcome, Runner, inject_panic};
pub use save_session::{SaveSession, save_elsewhere};
pub use watch_files::{DiskChange, WatchFiles};

use backend::{Answers, AnyRunner};

/// Runners of the open study's jobs.
fn study_runners(answers: &Answers) -> Vec<Box<dyn AnyRunner>> {
    vec![
        answers.runner(RankQuery),
        answers.runner(CountRanks::default()),
        answers.runner(DeriveStudy::default()),
        answers.runner(RankJudged),
        answers.runner(ComputeMetrics),
        answers.runner(SearchQueries::default()),
        answers.runner(FilterQueries),
        answers.runner(DrawThumbnails::default()),
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

/// A background job, with its cache between runs.
pub trait Job: Sized + Send + 'static {
    /// Whether it takes long, and so runs on low-priority threads.
    const IS_LONG: bool = false;
    /// Whether a new request with the same key lets the running part finish instead of cancelling it.
    const FINISHES_PART: bool = false;
    /// Whether it reads scores. If so, its answers are dropped once a score file is overwritten.
    const READS_SCORES: bool = true;
    /// Cache key: answers are valid while the state requests this key.
    type Key: Clone + PartialEq + Send + Sync + 'static;
    /// Unit of work of a request; parts run in order. `()` if a request is one unit.
    type Part: Clone + PartialEq + Send + Sync + 'static;
    /// Input of a run.
    type Input: Send + Sync + 'static;
    /// An answer, or part of it.
    type Output: Send + 'static;

    /// Computes a part, and sends its results. Once cancelled, it returns early and sends nothing more.
    fn run(&mut self, part: &Self::Part, run: &Run<'_, Self>);

    /// The request for results that the state lacks. `None` or another key cancels the current run; an empty list of
    /// parts lets it go on.
    fn wanted(_app: &App) -> Option<Wanted<'_, Self>> {
        None
    }

    /// Applies an answer that is still wanted.
    fn apply(_app: &mut App, _key: Self::Key, _output: Self::Output) {}

    /// Updates the state after a panic, whose message is shown anyway.
    fn on_panic(_app: &mut App) {}

    /// Stores the progress of the current run, 0 to 1, in the state.
    fn report_progress(_app: &mut App, _progress: f64) {}
}

/// A request to a job.
pub struct Wanted<'a, J: Job> {
    /// Key of the answers.
    pub key: J::Key,
    /// Missing parts, most urgent first; if empty, the current run for this key goes on.
    pub parts: Vec<J::Part>,
    /// Makes the input, only if requested; `None` while part of it is missing.
    pub input: Box<dyn FnOnce() -> Option<J::Input> + 'a>,
}

impl<'a, J: Job> Wanted<'a, J> {
    /// Requests parts under a key, the most urgent first.
    fn with_parts(key: J::Key, parts: Vec<J::Part>, input: impl FnOnce() -> J::Input + 'a) -> Self {
        Wanted { key, parts, input: Box::new(|| Some(input())) }
    }
}

impl<'a, J: Job<Part = ()>> Wanted<'a, J> {
    /// A request to a job that has a single part.
    fn new(key: J::Key, input: impl FnOnce() -> J::Input + 'a) -> Self {
        Wanted::with_parts(key, vec![()], input)
    }
}

/// Context of a run: key, input, cancellation and destination of answers.
pub struct Run<'a, J: Job> {
    /// Key of the request.
    pub key: &'a J::Key,
    /// Input of the request.
    pub input: &'a J::Input,
    /// Cancelled when the answer is no longer wanted; records the progress.
    pub token: &'a CancelToken,
    send: &'a (dyn Fn(J::Output) + Sync),
}

impl<J: Job> Run<'_, J> {
    /// Sends an answer, or part of it.
    pub fn send(&self, output: J::Output) {
        (self.send)(output);
    }
}

/// Version of a state, replaced at each change: comparing the state itself would be too slow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stamp(u64);

impl Stamp {
    /// A new, unused stamp.
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
