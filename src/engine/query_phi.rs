//! How similar all items are to one query, by one similarity after the other.

use std::sync::Arc;

use super::Stamp;
use super::job::{Job, Run};
use crate::data::Direction;
use crate::data::index::PhiIx;
use crate::rank::ranking::Ranking;
use crate::study::Study;

/// The job that finds phi of one query with all items.
#[derive(Default)]
pub struct QueryPhi;

impl Job for QueryPhi {
    const NAME: &'static str = "phi";
    const IS_LONG: bool = false;
    /// The study, who asks whom, and the query.
    type Key = (Stamp, Direction, usize);
    type Part = PhiIx;
    type Input = Arc<Study>;
    /// The items by phi, the most similar first.
    type Output = (PhiIx, Arc<Ranking>);

    fn run(&mut self, &phi: &PhiIx, run: &Run<'_, Self>) {
        let (_, direction, query) = *run.key;
        let study = run.input;
        let mask = study.mask.as_deref();
        let ranking = Ranking::among(&study.phis[phi], mask, direction, query);
        run.send((phi, Arc::new(ranking)));
    }
}
