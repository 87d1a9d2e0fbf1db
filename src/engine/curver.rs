//! R@1 and mAP@R of a mixture over alpha, computed in the background point by point.

use std::sync::Arc;

use super::worker::Worker;
use super::{Event, Notify, in_pool, low_pool};
use crate::data::scores::{Pair, Scaling};
use crate::error::Result;
use crate::metric::curve::{self, Curve, Point};
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
    watch: Arc<Watch>,
}

/// Computes curves in the background; the newest wish wins, dropping it cancels.
pub struct Curver {
    worker: Worker<Wish>,
    watch: Arc<Watch>,
}

impl Curver {
    /// Starts the thread.
    pub fn new(notify: &Notify) -> Self {
        let of_worker = notify.clone();
        let mut pair = None;
        let trace = move |wish: Wish, _: &dyn Fn() -> bool| {
            let key = wish.key;
            let each = |point| of_worker(Event::Curved(key, Ok(point)));
            let traced = in_pool(low_pool().as_ref(), || traced(&wish, &mut pair, each));
            if let Err(error) = traced {
                of_worker(Event::Curved(key, Err(error)));
            }
        };
        Curver {
            worker: Worker::start("curve", notify.clone(), trace),
            watch: Arc::default(),
        }
    }

    /// Asks for a curve over the truths of `study`, and gives up the one under way.
    pub fn trace(&mut self, key: CurveKey, study: Arc<Study>) {
        self.cancel();
        self.watch = Arc::default();
        let watch = self.watch.clone();
        self.worker.request(Wish { key, study, watch });
    }

    /// Gives up the curve under way.
    pub fn cancel(&self) {
        self.watch.cancel();
    }

    /// Waits until nothing is under way.
    pub fn wait_idle(&self) {
        self.worker.wait_idle();
    }
}

impl Drop for Curver {
    fn drop(&mut self) {
        self.cancel();
    }
}

/// Computes a curve; `known` is the pair mixed last, whose files are measured once.
fn traced(
    wish: &Wish,
    known: &mut Option<([usize; 2], Pair)>,
    each: impl FnMut(Point) + Send,
) -> Result<()> {
    let Wish { key, study, watch } = wish;
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
