//! Pools: which part of the gallery competes, and the numbers known in those that were left.

use super::Model;
use super::history::Change;
use super::numbers::Numbers;
use crate::data::folds::Folds;
use crate::study::{Dials, Pool, Random};

impl Model {
    /// Enters the next pool.
    pub(in crate::tui) fn next_pool(&mut self) {
        let pools = self.base.all_pools();
        let at = pools.iter().position(|&pool| pool == self.dials.pool);
        let to = pools[at.map_or(0, |at| (at + 1) % pools.len())];
        if to == self.dials.pool {
            let key = "--pool-file NAME=FILE adds one";
            self.message = Some(format!("there is no other pool: {key}"));
        } else {
            self.change_pool(to);
        }
    }

    /// Enters a pool of as many images as this one has, drawn at random; once more draws others.
    pub(in crate::tui) fn random_pool(&mut self) {
        let random = match self.dials.pool {
            Pool::Random(random) => Random {
                seed: random.seed.wrapping_add(1),
                ..random
            },
            pool => Random {
                images: self.images_of(pool),
                seed: 1,
            },
        };
        if random.images as usize == self.base.gallery.images.len() {
            let words = "a random pool has as many images as the pool before it: choose a smaller one first";
            self.message = Some(words.into());
        } else {
            self.change_pool(Pool::Random(random));
        }
    }

    /// Images that compete with each other in a pool.
    fn images_of(&self, pool: Pool) -> u32 {
        let all = self.base.gallery.images.len();
        let images = match pool {
            Pool::All => all,
            Pool::Folds | Pool::Fold(_) => {
                Folds::of(&self.base.gallery).map_or(all, |folds| folds.range(0, all).len())
            }
            Pool::Named(at) => self.base.pools[at].part.images.len(),
            Pool::Random(random) => random.images as usize,
        };
        images as u32
    }

    fn change_pool(&mut self, pool: Pool) {
        let before = self.dials;
        let after = Dials { pool, ..before };
        self.make(Change::Dials { before, after });
    }

    /// Leaves the pool of the study at hand for that of `dials`: ranks are others there.
    pub(in crate::tui) fn enter_pool(&mut self, dials: Dials) {
        let numbers = std::mem::take(&mut self.numbers);
        let count = numbers.len();
        let known = self.known.pool_cache.swap(self.study_dials, numbers, dials);
        self.numbers = known.unwrap_or_else(|| vec![Numbers::Waiting; count]);
        self.known.judged.forget_ranks();
        self.known.rankings.clear();
    }
}
