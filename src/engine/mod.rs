//! Background work for the explorer: newest wins, results arrive as events, dropping it cancels.
//!
//! One thread for each kind of work, so that a long count never delays the ranking of the query on
//! screen: counting (all ranks of a model), ranking (one query by some models), placing (single items), measuring
//! (every metric of changed numbers), searching, sifting (a condition), overlaps (of two models' rankings), explaining (why they fail),
//! rescaling. What outlives a study has threads of its own: the [`Deriver`], the [`Keeper`], the [`Examiner`], the [`Painter`]
//! and the [`Drafter`]. Counting and examining run on pools of their own with low priority.

mod counter;
mod curver;
mod deriver;
mod drafter;
mod examiner;
pub mod explainer;
mod keeper;
mod overlapper;
mod painter;
mod places;
mod ranker;
mod rescaler;
mod scored;
pub mod search;
mod sift;
mod tester;
mod worker;

use std::sync::{Arc, Mutex, MutexGuard};

use crate::analysis::overlap::Overlaps;
use crate::analysis::rescale::WhatIf;
use crate::data::Direction;
use crate::doctor::Finding;
use crate::error::Error;
use crate::metric::curve::Point;
use crate::rank::pass::Watch;
use crate::rank::ranking::Ranking;
use crate::study::{Dials, Study};
use counter::Counter;
use explainer::Explainer;
use overlapper::Overlapper;
use rescaler::Rescaler;
use search::{Found, Searcher};
use worker::Worker;

pub use curver::{CurveKey, Curver};
pub use deriver::{Deriver, Wish};
pub use drafter::{Draft, Drafted, Drafter, Export};
pub use examiner::Examiner;
pub use explainer::{Cause, Inquiry, Lists};
pub use keeper::Keeper;
pub use overlapper::PairKey;
pub use painter::{Painter, PictureKey};
pub use places::{PlaceKey, Placed};
pub use ranker::RankingKey;
pub use rescaler::{RescaleKey, WAYS};
pub use scored::{DEPTH, Measured, ModelScores, Scored, specs};
pub use sift::Sift;
pub use tester::{Contest, Tested};
pub use worker::drill;

/// What the engine has to tell.
#[derive(Debug, Clone)]
pub enum Event {
    /// All numbers of a model, or why there are none.
    Counted(usize, Result<Arc<ModelScores>, Error>),
    /// Every metric of numbers that were there before is there, too.
    Measured(usize),
    /// The ranking of one query.
    Ranked(RankingKey, Arc<Ranking>),
    /// Where single items rank.
    Placed(Placed),
    /// The queries that match a search.
    Found(Found),
    /// The queries that meet a condition, ascending.
    Sifted(Arc<Sift>, Vec<u32>),
    /// The session after so many changes is saved, or why it is not.
    Saved(u64, Result<(), Error>),
    /// The study with its dials turned, or why they cannot be.
    Derived(Dials, Result<Arc<Study>, Error>),
    /// How much the rankings of two models have in common.
    Overlapped(PairKey, Arc<Overlaps>),
    /// What paired tests of two models say.
    Tested(Arc<Contest>, Vec<Tested>),
    /// Why models fail, after so many changes of ranks.
    Explained(u64, explainer::Found),
    /// What rescaled scores would give, nothing where it was cancelled; or why they cannot be rescaled.
    Rescaled(RescaleKey, Result<Arc<[WhatIf]>, Error>),
    /// The next point of a curve over alpha, or why there is none.
    Curved(CurveKey, Result<Point, Error>),
    /// What the doctor found.
    Checked(Arc<[Finding]>),
    /// A figure is written, with what could not be shown as it is; or why it is not.
    Exported(Arc<Export>, Result<Vec<String>, Error>),
    /// A job ended by a panic: a defect of the program, in its own words.
    Panicked(String),
}

/// Hands an event to whoever listens; called from the engine's threads.
pub type Notify = Arc<dyn Fn(Event) + Send + Sync>;

/// The background work of one study.
pub struct Engine {
    counting: Worker<Vec<usize>>,
    ranking: Worker<Vec<RankingKey>>,
    placing: Worker<Vec<PlaceKey>>,
    measuring: Worker<Vec<(usize, Arc<Scored>)>>,
    searching: Worker<(Direction, String)>,
    sifting: Worker<Arc<Sift>>,
    overlaps: Overlapper,
    testing: Worker<Arc<Contest>>,
    explainer: Explainer,
    rescaler: Rescaler,
    watch: Arc<Mutex<Arc<Watch>>>,
}

impl Engine {
    /// Starts the threads; nothing runs until it is asked for.
    pub fn new(study: &Arc<Study>, notify: &Notify) -> Self {
        let watch = Arc::new(Mutex::new(Arc::new(Watch::default())));
        let searching = {
            let (study, notify) = (study.clone(), notify.clone());
            let mut searcher = Searcher::default();
            Worker::start(
                "search",
                notify.clone(),
                move |(direction, text): (_, String), _| {
                    notify(Event::Found(searcher.find(&study, direction, &text)));
                },
            )
        };
        let counting = Self::counting(study.clone(), notify.clone(), watch.clone());
        Engine {
            counting,
            ranking: ranker::worker(study.clone(), notify),
            placing: places::worker(study.clone(), notify),
            measuring: {
                let of_worker = notify.clone();
                let measure = move |all: Vec<(usize, Arc<Scored>)>, newer: &dyn Fn() -> bool| {
                    for (model, scored) in all {
                        if newer() {
                            break;
                        }
                        scored.measure();
                        of_worker(Event::Measured(model));
                    }
                };
                Worker::start("measuring", notify.clone(), measure)
            },
            searching,
            sifting: sift::worker(notify),
            overlaps: Overlapper::new(study.clone(), notify),
            testing: tester::worker(notify),
            explainer: Explainer::new(study.clone(), notify),
            rescaler: Rescaler::new(study.clone(), notify),
            watch,
        }
    }

    fn counting(
        study: Arc<Study>,
        notify: Notify,
        watch: Arc<Mutex<Arc<Watch>>>,
    ) -> Worker<Vec<usize>> {
        let mut counter: Option<Counter> = None;
        let mut to_measure: Vec<(usize, Arc<ModelScores>)> = Vec::new();
        Worker::start(
            "counting",
            notify.clone(),
            move |models: Vec<usize>, newer| {
                let counter = counter.get_or_insert_with(|| Counter::new(&study));
                for model in models {
                    let current = Arc::new(Watch::default());
                    {
                        let mut watch = locked(&watch);
                        if newer() {
                            break;
                        }
                        *watch = current.clone();
                    }
                    match counter.count(&study, model, &current) {
                        Ok(Some(scores)) => {
                            let scores = Arc::new(scores);
                            notify(Event::Counted(model, Ok(scores.clone())));
                            to_measure.push((model, scores));
                        }
                        Ok(None) => break,
                        Err(error) => notify(Event::Counted(model, Err(error))),
                    }
                }
                // Numbers of all models come before every metric of one.
                while !newer()
                    && let Some((model, scores)) = to_measure.pop()
                {
                    counter.run(|| scores.measure());
                    notify(Event::Measured(model));
                }
            },
        )
    }

    /// Counts these models, in this order; a count under way for another model is given up.
    pub fn count(&self, models: Vec<usize>) {
        // Both at once, or the count that is asked for might be the one given up.
        let watch = locked(&self.watch);
        self.counting.request(models);
        watch.cancel();
    }

    /// Share of the model being counted that is done, 0 to 1.
    pub fn progress(&self) -> f64 {
        self.current_watch().progress()
    }

    fn current_watch(&self) -> Arc<Watch> {
        locked(&self.watch).clone()
    }

    /// Asks for rankings, in this order; those asked for before are given up.
    pub fn rank(&self, keys: Vec<RankingKey>) {
        self.ranking.request(keys);
    }

    /// Asks for the ranks of single items, those of one query beside each other.
    pub fn place(&self, wanted: Vec<PlaceKey>) {
        self.placing.request(wanted);
    }

    /// Asks for every metric of numbers that verdicts changed, each with its model, in this order.
    pub fn measure(&self, all: Vec<(usize, Arc<Scored>)>) {
        self.measuring.request(all);
    }

    /// Asks for the queries that match `text`.
    pub fn search(&self, direction: Direction, text: String) {
        self.searching.request((direction, text));
    }

    /// Asks for the queries that meet a condition.
    pub fn sift(&self, sift: Arc<Sift>) {
        self.sifting.request(sift);
    }

    /// Asks how much the rankings of two models have in common.
    pub fn overlap(&self, key: PairKey) {
        self.overlaps.ask(key);
    }

    /// Asks for paired tests of two models.
    pub fn test(&self, contest: Arc<Contest>) {
        self.testing.request(contest);
    }

    /// Waits until all that was asked for is done: an exact barrier for tests.
    pub fn wait_idle(&self) {
        self.counting.wait_idle();
        self.ranking.wait_idle();
        self.placing.wait_idle();
        self.measuring.wait_idle();
        self.searching.wait_idle();
        self.sifting.wait_idle();
        self.overlaps.wait_idle();
        self.testing.wait_idle();
        self.explainer.wait_idle();
        self.rescaler.wait_idle();
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.current_watch().cancel();
    }
}

fn locked(watch: &Mutex<Arc<Watch>>) -> MutexGuard<'_, Arc<Watch>> {
    watch
        .lock()
        .expect("nothing panics while it holds the watch")
}

/// Threads that leave the screen's thread the precedence.
fn low_pool() -> Option<rayon::ThreadPool> {
    let pool = rayon::ThreadPoolBuilder::new()
        .thread_name(|at| format!("count-{at}"))
        .start_handler(|_| worker::lower_priority());
    pool.build().ok()
}

/// Does `work` in a pool, or in the common one where there is none.
fn in_pool<R: Send>(pool: Option<&rayon::ThreadPool>, work: impl FnOnce() -> R + Send) -> R {
    match pool {
        Some(pool) => pool.install(work),
        None => work(),
    }
}
