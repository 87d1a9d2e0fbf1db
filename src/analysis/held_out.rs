//! Held-out estimate of a mixture, on queries not used to tune alpha.
//!
//! The best of many alphas is too optimistic on the queries it was tuned on. So alpha is tuned on one half of the
//! images and evaluated on the other; captions follow their image. The single model for comparison is also chosen on
//! the first half.

use std::sync::Arc;

use super::draw::shuffle;
use super::inference::Estimate;
use super::paired_values::Paired;
use super::per_query::Values;
use crate::data::stream::{Stream, Use};
use crate::data::{Direction, PerDirection};
use crate::metric::{Metric, Spec, hit, map_at_r};
use crate::rank::Ranks;
use crate::study::Study;

/// Metrics for tuning alpha, each separately.
const METRICS: [&dyn Metric; 2] = [&hit::R1, &map_at_r::MapAtR];

/// A metric in a direction on held-out images, with alpha tuned on the other half.
#[derive(Clone, Copy)]
pub struct HeldOut {
    /// The metric.
    pub metric: &'static dyn Metric,
    /// Direction of retrieval.
    pub direction: Direction,
    /// The tuned weight of the first model.
    pub alpha: f64,
    /// Mean of the mixture over held-out queries, every pool with equal weight.
    pub value: f64,
    /// The better single model on the tuning half: 0 or 1.
    pub single: usize,
    /// Its mean over held-out queries.
    pub single_value: f64,
    /// 95 % CI of the difference, mixture minus single model, clustered by image; `None` if the mixture is that model
    /// alone.
    pub interval: Option<[f64; 2]>,
    /// Number of held-out queries.
    pub queries: usize,
    /// Number of their images.
    pub images: usize,
}

/// Tunes alpha on the first half of the images, for each metric and direction.
pub struct AlphaTuner {
    /// The image of each query of the gallery.
    images: PerDirection<Vec<u32>>,
    /// By gallery index of the image: whether alpha is tuned on its queries, or tested on them.
    is_tuning: Vec<bool>,
    tuners: Vec<Tuner>,
}

/// The best mixture so far by one metric in one direction, and the single models.
struct Tuner {
    metric: &'static dyn Metric,
    direction: Direction,
    best: Option<TunedMixture>,
    /// The first and the second model alone.
    singles: [Option<TunedMixture>; 2],
}

/// A mixture, with its mean on the tuning half and its values on the other.
#[derive(Clone)]
struct TunedMixture {
    alpha: f64,
    tuning_mean: f64,
    held_out: Values,
}

impl AlphaTuner {
    /// Splits the images into halves by seed; no mixture is added yet.
    pub fn new(study: &Study, seed: u64) -> Self {
        let sizes = study.gallery.sizes();
        let tuners = Direction::BOTH.map(|direction| {
            METRICS.map(|metric| Tuner { metric, direction, best: None, singles: [None, None] })
        });
        AlphaTuner {
            images: PerDirection::from_fn(|direction| {
                let queries = 0..sizes[direction] as u32;
                queries.map(|query| query_image(study, direction, query)).collect()
            }),
            is_tuning: tuning_half(study, seed),
            tuners: tuners.into_iter().flatten().collect(),
        }
    }

    /// Adds the mixture with weight `alpha` of the first model, given its ranks. For each metric and direction it
    /// becomes the tuned mixture if its mean is the highest so far.
    pub fn add(&mut self, alpha: f64, ranks: &PerDirection<Option<Arc<Ranks>>>) {
        for tuner in &mut self.tuners {
            let Some(ranks) = &ranks[tuner.direction] else {
                continue;
            };
            let values = Values::from_ranks(Spec::new(tuner.metric), ranks.queries(), ranks.iter());
            let images = &self.images[tuner.direction];
            let is_tuning = |query: u32| self.is_tuning[images[query as usize] as usize];
            tuner.add(alpha, &values.filter(is_tuning), values.filter(|query| !is_tuning(query)));
        }
    }

    /// Held-out results of each metric and direction with queries in both halves.
    pub fn results(&self) -> Vec<HeldOut> {
        let result = |tuner: &Tuner| tuner.result(&self.images[tuner.direction]);
        self.tuners.iter().filter_map(result).collect()
    }
}

impl Tuner {
    /// Adds a mixture with its values on the tuning half and on the other half. No effect if the tuning mean is
    /// undefined.
    fn add(&mut self, alpha: f64, tuning: &Values, held_out: Values) {
        let Some(tuning_mean) = tuning.mean() else {
            return;
        };
        let mixed = TunedMixture { alpha, tuning_mean, held_out };
        for (single, end) in self.singles.iter_mut().zip([1.0, 0.0]) {
            if alpha.total_cmp(&end).is_eq() {
                *single = Some(mixed.clone());
            }
        }
        if self.best.as_ref().is_none_or(|best| tuning_mean > best.tuning_mean) {
            self.best = Some(mixed);
        }
    }

    /// Held-out result of the best mixture; `None` without values of it and of both single models. `images` has the
    /// image of each query.
    fn result(&self, images: &[u32]) -> Option<HeldOut> {
        let (Some(best), [Some(one), Some(other)]) = (&self.best, &self.singles) else {
            return None;
        };
        // Ties: the lower alpha, as among mixtures, so that alpha 0 is compared with its own model.
        let single = usize::from(other.tuning_mean >= one.tuning_mean);
        let alone = [one, other][single];
        let paired = Paired::from_values([&best.held_out, &alone.held_out]);
        let [value, single_value] = paired.means()?;
        let groups = paired.groups(Some(images));
        let estimate = Estimate::of_difference(&groups, self.metric.unit());
        let is_mixed = best.alpha.total_cmp(&alone.alpha).is_ne();
        Some(HeldOut {
            metric: self.metric,
            direction: self.direction,
            alpha: best.alpha,
            value,
            single,
            single_value,
            interval: estimate.filter(|_| is_mixed).map(Estimate::interval),
            queries: paired.len(),
            images: groups.len(),
        })
    }
}

/// Whether each image is in the tuning half, by seed; then the same for each caption, in case its image is unknown.
fn tuning_half(study: &Study, seed: u64) -> Vec<bool> {
    let gallery = &study.gallery;
    let images = gallery.images.len();
    let mut stream = Stream::new(seed, Use::Halves, 0);
    let mut order: Vec<usize> = (0..images).collect();
    shuffle(&mut order, &mut stream);
    let mut is_tuning = vec![false; images];
    for &image in &order[..images / 2] {
        is_tuning[image] = true;
    }
    is_tuning.extend((0..gallery.captions.len()).map(|_| stream.index(2) == 0));
    is_tuning
}

/// The image of a query: itself, or the original image of a caption. A caption without one gets an index of its own
/// after the images.
fn query_image(study: &Study, direction: Direction, query: u32) -> u32 {
    match direction {
        Direction::I2t => query,
        Direction::T2i => {
            let own = study.original_items(Direction::T2i, query as usize).first();
            own.unwrap_or(study.gallery.images.len() as u32 + query)
        }
    }
}

#[cfg(test)]
mod tests;
