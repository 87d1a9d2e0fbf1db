//! Pools: which part of the gallery competes, and the numbers known in those that were left.

use super::Model;
use super::numbers::Numbers;
use crate::data::folds::Folds;
use crate::data::index::ModelIx;
use crate::data::text::grouped;
use crate::study::{Dials, MOST_SIMILAR, Pool, Random, Similar};

/// Numbers of items around a query.
const SIZES: [u32; 7] = [10, 25, 50, 100, 250, 500, MOST_SIMILAR];
/// The one that is entered first.
const USUAL_SIZE: u32 = 100;

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
            Pool::Random(random) => Random { seed: random.seed.wrapping_add(1), ..random },
            pool => Random { images: self.images_of(pool), seed: 1 },
        };
        if random.images as usize == self.base.gallery.images.len() {
            let words = "a random pool has as many images as the pool before it: choose a smaller one first";
            self.message = Some(words.into());
        } else {
            self.change_pool(Pool::Random(random));
        }
    }

    /// Enters the pool of what is similar to each query by the scores of the model after the one looked at; of
    /// as many items as the random pool has that was entered before. Once more is another number of items.
    pub(in crate::tui) fn similar_pool(&mut self) {
        let models = self.base.models.len();
        let next = ModelIx::new((self.view.model.get() + 1) % models);
        let similar = match self.dials.pool {
            Pool::Similar(similar) => {
                let larger = SIZES.into_iter().find(|size| *size > similar.items);
                let items = larger.unwrap_or(SIZES[0]);
                Similar { items, ..similar }
            }
            Pool::Random(random) => Similar { items: random.images.min(MOST_SIMILAR), model: next },
            _ => Similar { items: USUAL_SIZE, model: next },
        };
        self.tell_smaller(similar);
        self.change_pool(Pool::Similar(similar));
    }

    /// Says that a pool of similar items has fewer than the one before it: after the largest comes the smallest.
    fn tell_smaller(&mut self, next: Similar) {
        if let Pool::Similar(now) = self.dials.pool
            && next.items < now.items
        {
            let [most, least] = [now.items, next.items].map(|items| grouped(items as usize));
            self.message = Some(format!("{most} items are the most: {least} again"));
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
            Pool::Similar(similar) => all.min(similar.items as usize),
        };
        images as u32
    }

    fn change_pool(&mut self, pool: Pool) {
        self.change(|facts| facts.dials.pool = pool);
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
