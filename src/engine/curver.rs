//! R@1 and mAP@R of a mixture over alpha, computed in the background point by point.

use std::sync::Arc;

use super::pool::Pool;
use super::worker::{Job, Worker};
use super::{Event, Notify};
use crate::data::scores::{Pair, Scaling};
use crate::error::Result;
use crate::evaluate::curve::{self, Curve, Point};
use crate::rank::pass::Watch;
use crate::study::{Dials, Study};

/// What a curve depends on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurveKey {
    /// Indices of the two models.
    pub models: [usize; 2],
    /// What makes their scores comparable.
    pub scaling: Scaling,
    /// Index of the truth.
    pub truth: usize,
    /// How the dials of truths stand; without a mixture.
    pub dials: Dials,
}

struct Wish {
    key: CurveKey,
    /// A study with these dials.
    study: Arc<Study>,
}

static POOL: Pool = Pool::new();

/// Computes curves in the background; the newest wish wins, dropping it cancels.
pub struct Curver(Worker<Wish>);

impl Curver {
    /// Starts the thread.
    pub fn new(notify: &Notify) -> Self {
        let of_worker = notify.clone();
        let mut pair = None;
        let trace = move |wish: Wish, job: &Job<Wish>| {
            let key = wish.key;
            let each = |point| of_worker(Event::Curved(key, Ok(point)));
            let traced = POOL.run(|| traced(&wish, &job.watch, &mut pair, each));
            if let Err(error) = traced {
                of_worker(Event::Curved(key, Err(error)));
            }
        };
        Curver(Worker::start("curve", notify.clone(), trace))
    }

    /// Asks for a curve over the truths of `study`, and gives up the one under way.
    pub fn trace(&self, key: CurveKey, study: Arc<Study>) {
        self.0.request(Wish { key, study });
    }

    /// Gives up the curve under way.
    pub fn cancel(&self) {
        self.0.cancel();
    }

    /// Waits until nothing is under way.
    pub fn wait_idle(&self) {
        self.0.wait_idle();
    }
}

/// Computes a curve; `known` is the pair mixed last, whose files are measured once.
fn traced(
    Wish { key, study }: &Wish,
    watch: &Watch,
    known: &mut Option<([usize; 2], Pair)>,
    each: impl FnMut(Point) + Send,
) -> Result<()> {
    let alphas = curve::alphas(curve::STEP)?;
    let pair = match known.take() {
        Some((models, pair)) if models == key.models => pair,
        _ => Pair::of(&study.models[key.models[0]], &study.models[key.models[1]])?,
    };
    let (_, pair) = known.insert((key.models, pair));
    let curve = Curve {
        study,
        pair,
        scaling: key.scaling,
        truth: key.truth,
    };
    // Ended early, it has told what it had.
    curve.run(&alphas, watch, each).map(|_| ())
}
