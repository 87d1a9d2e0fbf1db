//! What a mixture is worth on queries that had no part in the choice of its alpha.
//!
//! The best of many alphas on some queries is too good on these: it was chosen for them. So alpha is chosen
//! on one half of the images, and the numbers are those of the other half; the captions of an image are in
//! its half. The single model that the mixture is held against is the better one on the first half, too.

use std::sync::Arc;

use super::clusters::Groups;
use super::inference::Estimate;
use crate::data::index::TruthIx;
use crate::data::stream::{Stream, Use};
use crate::data::{Direction, PerDirection};
use crate::metric::mean::pairwise;
use crate::metric::{Metric, Spec, hit, map_at_r};
use crate::rank::Ranks;
use crate::study::Study;

/// The metrics that alpha is chosen by, each for itself.
const METRICS: [&dyn Metric; 2] = [&hit::R1, &map_at_r::MapAtR];

/// A metric in a direction at the alpha that one half of the images chose, on the other half.
#[derive(Clone, Copy)]
pub struct HeldOut {
    /// The metric.
    pub metric: &'static dyn Metric,
    /// Direction of retrieval.
    pub direction: Direction,
    /// The alpha.
    pub alpha: f64,
    /// The mean of the mixture over the queries held out, each alike in every pool.
    pub value: f64,
    /// Which of the two models was better alone on the first half: 0 or 1.
    pub single: usize,
    /// Its mean over the queries held out.
    pub single_value: f64,
    /// The 95 % CI of the difference, mixture less single model, clustered by image; `None` where the mixture is that
    /// model alone.
    pub interval: Option<[f64; 2]>,
    /// Queries held out.
    pub queries: usize,
    /// Images that they are of.
    pub images: usize,
}

/// Takes the mixtures one after the other, and keeps of each metric and direction the best on the first
/// half and the two ends.
pub struct Chooser {
    columns: Vec<Column>,
}

/// One metric in one direction.
struct Column {
    metric: &'static dyn Metric,
    direction: Direction,
    /// The image of each query of the truth, and whether that chooses.
    images: Arc<[(u32, bool)]>,
    best: Option<Taken>,
    /// The first and the second model alone.
    singles: [Option<Taken>; 2],
}

/// A mixture, with its values.
#[derive(Clone)]
struct Taken {
    alpha: f64,
    /// The mean over the first half.
    first_half: f64,
    /// By query of the truth.
    values: Arc<[Option<f64>]>,
}

impl Chooser {
    /// Halves the images by the seed, for the truth at that place.
    pub fn new(study: &Study, truth: TruthIx, seed: u64) -> Self {
        let chooses = chooses(study, seed);
        let mut columns = Vec::new();
        for direction in Direction::BOTH {
            let Some(relevance) = &study.truths[truth].relevance[direction] else {
                continue;
            };
            let queries = relevance.queries().iter();
            let images = queries.map(|&query| image(study, direction, query));
            let images: Arc<[(u32, bool)]> =
                images.map(|image| (image, chooses[image as usize])).collect();
            columns.extend(METRICS.map(|metric| Column {
                metric,
                direction,
                images: images.clone(),
                best: None,
                singles: [None, None],
            }));
        }
        Chooser { columns }
    }

    /// Takes the mixture with this weight of the first model.
    pub fn add(&mut self, alpha: f64, ranks: &PerDirection<Option<Arc<Ranks>>>) {
        for column in &mut self.columns {
            let Some(ranks) = &ranks[column.direction] else {
                continue;
            };
            let spec = Spec::new(column.metric);
            column.add(alpha, ranks.iter().map(|query| spec.per_query(query)).collect());
        }
    }

    /// Each metric and direction that has queries in both halves.
    pub fn held_out(&self) -> Vec<HeldOut> {
        self.columns.iter().filter_map(Column::held_out).collect()
    }
}

impl Column {
    fn add(&mut self, alpha: f64, values: Arc<[Option<f64>]>) {
        let first = values.iter().zip(self.images.iter());
        let first: Vec<f64> =
            first.filter(|(_, (_, chooses))| *chooses).filter_map(|(value, _)| *value).collect();
        if first.is_empty() {
            return;
        }
        let taken = Taken { alpha, first_half: pairwise(&first), values };
        for (single, end) in self.singles.iter_mut().zip([1.0, 0.0]) {
            if alpha.total_cmp(&end).is_eq() {
                *single = Some(taken.clone());
            }
        }
        let best = self.best.as_ref();
        if best.is_none_or(|best| taken.first_half > best.first_half) {
            self.best = Some(taken);
        }
    }

    fn held_out(&self) -> Option<HeldOut> {
        let (Some(best), [Some(one), Some(other)]) = (&self.best, &self.singles) else {
            return None;
        };
        // Of equal ones the lesser alpha, as among all mixtures: alpha 0 is held against its own model.
        let single = usize::from(other.first_half >= one.first_half);
        let alone = [one, other][single];
        let is_mixed = best.alpha.total_cmp(&alone.alpha).is_ne();
        let (mut values, mut images) = ([Vec::new(), Vec::new()], Vec::new());
        let both = best.values.iter().zip(alone.values.iter());
        for ((mixed, alone), (image, chooses)) in both.zip(self.images.iter()) {
            if let (Some(mixed), Some(alone), false) = (mixed, alone, chooses) {
                values[0].push(*mixed);
                values[1].push(*alone);
                images.push(*image);
            }
        }
        let differences: Vec<f64> = values[0].iter().zip(&values[1]).map(|(a, b)| a - b).collect();
        let groups = Groups::labelled(&differences, &images);
        let interval = || Some(Estimate::of_difference(&groups, self.metric.unit())?.interval());
        (!images.is_empty()).then(|| HeldOut {
            metric: self.metric,
            direction: self.direction,
            alpha: best.alpha,
            value: pairwise(&values[0]),
            single,
            single_value: pairwise(&values[1]),
            interval: is_mixed.then(interval).flatten(),
            queries: images.len(),
            images: groups.len(),
        })
    }
}

/// Whether each image chooses: one half of them, drawn from the seed. Behind the images stands each caption,
/// for those whose image is not known.
fn chooses(study: &Study, seed: u64) -> Vec<bool> {
    let gallery = &study.gallery;
    let images = gallery.images.len();
    let mut stream = Stream::new(seed, Use::Halves, 0);
    let mut order: Vec<usize> = (0..images).collect();
    for last in (1..images).rev() {
        order.swap(last, stream.index(last + 1));
    }
    let mut chooses = vec![false; images];
    for &image in &order[..images / 2] {
        chooses[image] = true;
    }
    chooses.extend((0..gallery.captions.len()).map(|_| stream.index(2) == 0));
    chooses
}

/// The image that a query is, or that a caption was written for; a caption without one stands for itself.
fn image(study: &Study, direction: Direction, query: u32) -> u32 {
    match direction {
        Direction::I2t => query,
        Direction::T2i => {
            let own = study.own(Direction::T2i, query as usize).first();
            own.unwrap_or(study.gallery.images.len() as u32 + query)
        }
    }
}

#[cfg(test)]
mod tests;
