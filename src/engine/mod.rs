//! Background work for the explorer: newest wins, results arrive as events, dropping it cancels.
//!
//! One thread for each kind of work, so that a long count never delays the ranking of the query on
//! screen: counting (all ranks of a model), ranking (one query by some models), placing (single items), measuring
//! (every metric of changed numbers), searching, sifting (a condition), overlaps (of two models' rankings), explaining (why they fail),
//! rescaling. What outlives a study has threads of its own: the [`Deriver`], the [`Keeper`], the [`Examiner`], the [`Painter`]
//! and the [`Drafter`]. Long work runs on threads of low priority (`pool`).

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
mod pool;
mod ranker;
mod rescaler;
mod scored;
pub mod search;
mod sift;
mod tester;
mod worker;

use std::sync::Arc;

use crate::analysis::overlap::Overlaps;
use crate::analysis::rescale::WhatIf;
use crate::data::Direction;
use crate::doctor::Finding;
use crate::error::Error;
use crate::evaluate::curve::Point;
use crate::rank::ranking::Ranking;
use crate::study::{Dials, Study};
use crate::truth::verdict::Verdicts;
use counter::Counter;
use search::{Found, Searcher};
use worker::{Job, Worker};

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
    overlapping: Worker<PairKey>,
    testing: Worker<Arc<Contest>>,
    explaining: Worker<Inquiry>,
    rescaling: Worker<(RescaleKey, Verdicts)>,
}

impl Engine {
    /// Starts the threads; nothing runs until it is asked for.
    pub fn new(study: &Arc<Study>, notify: &Notify) -> Self {
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
        Engine {
            counting: Self::counting(study.clone(), notify.clone()),
            ranking: ranker::worker(study.clone(), notify),
            placing: places::worker(study.clone(), notify),
            measuring: {
                let of_worker = notify.clone();
                let measure = move |all: Vec<(usize, Arc<Scored>)>, job: &Job<_>| {
                    for (model, scored) in all {
                        if job.is_over() || !scored.measure(&job.watch) {
                            break;
                        }
                        of_worker(Event::Measured(model));
                    }
                };
                Worker::start("measuring", notify.clone(), measure)
            },
            searching,
            sifting: sift::worker(notify),
            overlapping: overlapper::worker(study.clone(), notify),
            testing: tester::worker(notify),
            explaining: explainer::worker(study.clone(), notify),
            rescaling: rescaler::worker(study.clone(), notify),
        }
    }

    fn counting(study: Arc<Study>, notify: Notify) -> Worker<Vec<usize>> {
        let tell = notify.clone();
        let mut counter: Option<Counter> = None;
        let mut to_measure: Vec<(usize, Arc<ModelScores>)> = Vec::new();
        let count = move |models: Vec<usize>, job: &Job<Vec<usize>>| {
            let counter = counter.get_or_insert_with(|| Counter::new(&study));
            for model in models {
                match counter.count(&study, model, &job.watch) {
                    Ok(Some(scores)) => {
                        let scores = Arc::new(scores);
                        tell(Event::Counted(model, Ok(scores.clone())));
                        to_measure.retain(|(of, _)| *of != model);
                        to_measure.push((model, scores));
                    }
                    Ok(None) => return,
                    Err(error) => tell(Event::Counted(model, Err(error))),
                }
            }
            // Numbers of all models come before every metric of one.
            while !job.is_over()
                && let Some((model, scores)) = to_measure.last()
                && counter::measure(scores, &job.watch)
            {
                tell(Event::Measured(*model));
                to_measure.pop();
            }
        };
        Worker::start("counting", notify, count)
    }

    /// Counts these models, in this order; a count under way for another model is given up.
    pub fn count(&self, models: Vec<usize>) {
        self.counting.request(models);
    }

    /// Share of the model being counted that is done, 0 to 1.
    pub fn progress(&self) -> f64 {
        self.counting.progress()
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
        self.overlapping.request(key);
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
        self.overlapping.wait_idle();
        self.testing.wait_idle();
        self.explaining.wait_idle();
        self.rescaling.wait_idle();
    }
}
