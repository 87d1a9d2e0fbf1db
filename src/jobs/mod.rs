//! Background work of the explorer, one file for each job: what it needs, what it runs, what of the state asks
//! for it, and where its result goes. The screen's thread reads no file and computes nothing that takes long:
//! [`Backend`] asks every job after every event for what the state wants, so that no action can forget to ask.
//!
//! Each job has a thread of its own ([`Runner`]), so that a long count never delays the ranking of the query on
//! screen. A newer request takes the place of an older one, and answers arrive with the key that they were asked
//! under.

mod add_phi_truths;
mod analyse_errors;
mod backend;
mod check_inputs;
mod compare_rankings;
mod compute_chart;
mod compute_metrics;
mod count_ranks;
mod derive_study;
mod export_file;
mod filter_queries;
mod follow_annotators;
mod list_items;
mod open_image;
mod paint_boxes;
mod paint_pictures;
mod pool;
mod preview_figure;
mod rank_judged;
mod rank_query;
mod reload_study;
mod rescale_scores;
mod run_paired_tests;
mod runner;
mod save_session;
mod save_session_as;
mod save_state;
mod scored;
mod search_queries;
mod trace_curve;
mod watch_files;

use std::sync::atomic::{AtomicU64, Ordering};

use crate::rank::pass::CancelToken;
use crate::tui::app::App;

pub use add_phi_truths::{AddPhiTruths, WithPhiTruths};
pub use analyse_errors::{AnalyseErrors, AnalysisPart, AnalysisRequest, AnalysisResult, Lists};
pub use backend::{Answered, Backend, Emit};
pub use check_inputs::CheckInputs;
pub use compare_rankings::{CompareRankings, PairKey};
pub use compute_chart::{ChartKey, ComputeChart};
pub use compute_metrics::{ComputeMetrics, Unmeasured};
pub use count_ranks::CountRanks;
pub use derive_study::DeriveStudy;
pub use export_file::{
    Export, ExportFile, Exported, IfExists, ListedRows, NotWritten, Picked, Shows,
};
pub use filter_queries::{FilterQueries, FilterRequest};
pub use follow_annotators::FollowAnnotators;
pub use list_items::{ItemsKey, ItemsOrder, ListItems, ListedItems};
pub use open_image::{OpenImage, PassTo, Passing, Scratch};
pub use paint_boxes::{BoxedPicture, PaintBoxes};
pub use paint_pictures::{PaintPictures, PictureKey};
pub use preview_figure::{Draft, Drafted, PreviewFigure};
pub use rank_judged::{PlaceKey, Placed, RankJudged};
pub use rank_query::{RankBy, RankQuery, RankingKey};
pub use reload_study::{ReloadStudy, Reloaded};
pub use rescale_scores::{RescaleKey, RescaleScores, WAYS};
pub use run_paired_tests::{PairedTest, RunPairedTests, Tested, tested_metrics};
pub use runner::{Outcome, Runner, inject_panic};
pub use save_session::SaveSession;
pub use save_session_as::{SaveAs, SaveSessionAs, other_places, save_as};
pub use save_state::SaveState;
pub use scored::{DEPTH, Measured, ModelScores, Scored, specs};
pub use search_queries::{Quality, SearchMatches, SearchQueries, matches};
pub use trace_curve::{CurveKey, TraceCurve};
pub use watch_files::{DiskChange, WatchFiles};

use backend::{Answers, AnyRunner, runner};

/// Every job, one line each; those that write the session and the state file come with their files.
fn jobs(answers: &Answers) -> Vec<Box<dyn AnyRunner>> {
    vec![
        runner(RankQuery, answers),
        runner(CountRanks::default(), answers),
        runner(DeriveStudy::default(), answers),
        runner(TraceCurve::default(), answers),
        runner(RankJudged, answers),
        runner(ComputeMetrics, answers),
        runner(SearchQueries::default(), answers),
        runner(FilterQueries, answers),
        runner(CompareRankings::default(), answers),
        runner(PaintPictures::default(), answers),
        runner(PreviewFigure, answers),
        runner(ExportFile, answers),
        runner(RunPairedTests, answers),
        runner(AnalyseErrors::default(), answers),
        runner(RescaleScores, answers),
        runner(CheckInputs, answers),
        runner(WatchFiles, answers),
        runner(ReloadStudy, answers),
        runner(OpenImage, answers),
        runner(ListItems::default(), answers),
        runner(AddPhiTruths::default(), answers),
        runner(FollowAnnotators, answers),
        runner(ComputeChart, answers),
        runner(SaveSessionAs, answers),
    ]
}

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

/// What the explorer has to do with a job.
pub trait Asks: Job {
    /// Whether leaving waits for it.
    const MUST_FINISH: bool = false;

    /// What the state wants of it and does not have. Without anything, or with another key, what is under
    /// way is given up; without parts it goes on.
    fn wanted(app: &App) -> Option<Wanted<'_, Self>>;

    /// Takes an answer to what is still wanted.
    fn take(app: &mut App, key: Self::Key, output: Self::Output);

    /// Takes notice of a panic, beyond the message that any has.
    fn fail(_app: &mut App) {}

    /// Takes the share of the run under way that is done, 0 to 1.
    fn report(_app: &mut App, _progress: f64) {}
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
    send: &'a (dyn Fn(J::Output) + Sync),
}

impl<J: Job + ?Sized> Run<'_, J> {
    /// Sends an answer, or a piece of it.
    pub fn send(&self, output: J::Output) {
        (self.send)(output);
    }
}

/// The number of a state, another one after each change: comparing the thing itself would take too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Stamp(u64);

impl Stamp {
    /// One that nothing has yet.
    pub fn fresh() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Stamp(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }
}
