//! Hubs: items near the top of many rankings, whatever the query.
//!
//! `N_k(x)` is the number of queries with x in their top k. If scores are sums over many dimensions its distribution is
//! skewed: few items, the hubs, are retrieved again and again, and many, the anti-hubs, never. Source: Radovanovic,
//! Nanopoulos and Ivanovic, *Hubs in space*, JMLR 11 (2010), 2487-2531.

use rustc_hash::FxHashMap;

use super::pass::CancelToken;
use super::retrieval::TopItems;
use crate::data::Direction;
use crate::data::candidate_mask::CandidateMask;
use crate::data::gallery::Gallery;
use crate::data::index::ModelIx;
use crate::data::scores::Model;
use crate::error::Result;

/// Default depths of hub counts.
pub const DEPTHS: [usize; 3] = [1, 5, 10];

/// The top-1 count of a hub exceeds the mean by more than this many standard deviations.
pub const DEVIATIONS: f64 = 2.0;
/// A hub is top-1 for at least this many queries: if items outnumber queries, [`DEVIATIONS`] alone would admit two.
pub const MIN_HUB_COUNT: u32 = 3;

/// Top items of a model in one direction, and how often each item is among them.
#[derive(Debug, Clone)]
pub struct ModelTopItems {
    /// The model's index.
    pub model: ModelIx,
    /// The top items of all queries.
    pub top_items: TopItems,
    /// Counts of each item among the top items.
    pub hubness: Hubness,
}

impl ModelTopItems {
    /// Finds the top items of all queries, and counts each item at depth 1 and at these depths; `None` if cancelled.
    /// The mask has the candidates in the gallery; `None` if all items compete.
    ///
    /// # Errors
    /// Scores that cannot be read.
    pub fn compute(
        (gallery, mask): (&Gallery, Option<&CandidateMask>),
        (model, scores): (ModelIx, &Model),
        direction: Direction,
        depths: &[usize],
        token: &CancelToken,
    ) -> Result<Option<Self>> {
        let depth = depths.iter().copied().max().unwrap_or(1);
        let found = TopItems::find((gallery, mask), scores, direction, depth, token)?;
        let items = gallery.items(direction).len();
        Ok(found.map(|top_items| ModelTopItems {
            model,
            hubness: Hubness::from_top_items(&top_items, items, depths),
            top_items,
        }))
    }

    /// The top-1 of the query with this gallery index; `None` if there is none or it is no hub.
    pub fn top1_hub(&self, query: u32) -> Option<u32> {
        self.top_items.first(query).filter(|&item| self.hubness.is_hub(item))
    }

    /// All hubs, those with most misses first. `is_covered` says whether the query with a gallery index is covered;
    /// `failures` are the gallery indices of queries whose top-1 is no positive, ascending.
    pub fn hubs(&self, is_covered: impl Fn(u32) -> bool, failures: &[u32]) -> Vec<Hub> {
        let mut by_item: FxHashMap<u32, (usize, Vec<u32>)> = FxHashMap::default();
        for &query in &self.top_items.queries {
            let Some(first) = self.top1_hub(query) else {
                continue;
            };
            let (covered, misses) = by_item.entry(first).or_default();
            *covered += usize::from(is_covered(query));
            if failures.binary_search(&query).is_ok() {
                misses.push(query);
            }
        }
        let hubness = &self.hubness;
        let hub = |(item, (covered, misses)): (u32, (usize, Vec<u32>))| Hub {
            item,
            occurrences: hubness.depths.iter().map(|of| of.counts[item as usize]).collect(),
            top1_count: hubness.first().counts[item as usize] as usize,
            covered,
            misses,
        };
        let mut hubs: Vec<Hub> = by_item.into_iter().map(hub).collect();
        hubs.sort_unstable_by_key(|hub| {
            let (misses, top1_count) = (hub.misses.len(), hub.top1_count);
            (std::cmp::Reverse((misses, top1_count)), hub.item)
        });
        hubs
    }
}

/// Counts of each item in the top k of rankings: `N_k`, its mean, deviation and skewness.
#[derive(Debug, Clone, PartialEq)]
pub struct Occurrences {
    /// Depth k of the counts.
    pub k: usize,
    /// `N_k` by gallery index; 0 for items outside the pool.
    pub counts: Vec<u32>,
    /// The mean over the items of the pool.
    pub mean: f64,
    /// The standard deviation over the items of the pool (of the population: divided by their number).
    pub deviation: f64,
    /// Skewness: the third central moment over the third power of the deviation, as in Radovanovic et al.; `None` if
    /// all counts are equal.
    pub skewness: Option<f64>,
    /// Number of items in the pool.
    pub items: usize,
    /// Number of items of the pool that are in no query's top k: the anti-hubs.
    pub never: usize,
}

impl Occurrences {
    /// Counts each of `items` gallery items in the top `k`; `top_items` must reach that depth unless rankings are
    /// shorter.
    pub fn from_top_items(top_items: &TopItems, items: usize, k: usize) -> Self {
        let mut counts = vec![0; items];
        for &query in &top_items.queries {
            for &item in top_items.head(query).iter().take(k) {
                counts[item as usize] += 1;
            }
        }
        let values = || top_items.items.iter().map(|&item| counts[item as usize]);
        let count = top_items.items.len().max(1) as f64;
        let mean = values().map(f64::from).sum::<f64>() / count;
        let moment = |power: i32| {
            let terms = values().map(|value| (f64::from(value) - mean).powi(power));
            terms.sum::<f64>() / count
        };
        let deviation = moment(2).sqrt();
        Occurrences {
            k,
            mean,
            deviation,
            skewness: (deviation > 0.0).then(|| moment(3) / deviation.powi(3)),
            items: top_items.items.len(),
            never: values().filter(|&value| value == 0).count(),
            counts,
        }
    }

    /// The highest count of an item.
    pub fn highest(&self) -> u32 {
        self.counts.iter().copied().max().unwrap_or(0)
    }

    /// Minimum count of a hub: above the mean by [`DEVIATIONS`] standard deviations, and at least [`MIN_HUB_COUNT`].
    pub fn threshold(&self) -> u32 {
        let limit = self.mean + DEVIATIONS * self.deviation;
        (limit.floor() as u32 + 1).max(MIN_HUB_COUNT)
    }
}

/// A hub, with queries that retrieve it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hub {
    /// Gallery index of the item.
    pub item: u32,
    /// `N_k` at each counted depth.
    pub occurrences: Vec<u32>,
    /// Number of queries with it as top-1, covered or not.
    pub top1_count: usize,
    /// Number of these queries that are covered.
    pub covered: usize,
    /// Covered queries with it as top-1 although it is no positive.
    pub misses: Vec<u32>,
}

/// Counts of each item among the top items, at several depths.
#[derive(Debug, Clone, PartialEq)]
pub struct Hubness {
    /// `N_k` at each depth, ascending from 1.
    pub depths: Vec<Occurrences>,
}

impl Hubness {
    /// Counts each of `items` gallery items at depth 1 and at these depths.
    pub fn from_top_items(top_items: &TopItems, items: usize, depths: &[usize]) -> Self {
        let mut all = vec![1];
        all.extend(depths.iter().copied().filter(|&depth| depth > 1));
        all.sort_unstable();
        all.dedup();
        let depths = all.iter().map(|&k| Occurrences::from_top_items(top_items, items, k));
        Hubness { depths: depths.collect() }
    }

    /// The counts at depth 1: `N_1`.
    pub fn first(&self) -> &Occurrences {
        &self.depths[0]
    }

    /// Whether an item is a hub: top-1 for [`Occurrences::threshold`] queries or more.
    pub fn is_hub(&self, item: u32) -> bool {
        let first = self.first();
        first.counts[item as usize] >= first.threshold()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::demo;

    fn of_model(model: ModelIx, direction: Direction) -> ModelTopItems {
        let study = demo::open().unwrap();
        let field = (&study.gallery, None);
        let scores = (model, &study.models[model]);
        let found =
            ModelTopItems::compute(field, scores, direction, &DEPTHS, &CancelToken::default());
        found.unwrap().unwrap()
    }

    #[test]
    fn counts_sum_up_and_moments_are_those_of_their_definition() {
        for direction in Direction::BOTH {
            let ModelTopItems { top_items: found, hubness, .. } =
                of_model(ModelIx::new(2), direction);
            for depth in &hubness.depths {
                let counts = &depth.counts;
                let sum: u32 = counts.iter().sum();
                assert_eq!(sum as usize, depth.k * found.queries.len());
                let (n, mean) = (counts.len() as f64, depth.mean);
                assert!((mean * n - f64::from(sum)).abs() < 1e-9);
                // By raw moments: E(x^3) - 3 m E(x^2) + 2 m^3.
                let raw = |power| counts.iter().map(|&c| f64::from(c).powi(power)).sum::<f64>() / n;
                let variance = raw(2) - mean * mean;
                let third = raw(3) - 3.0 * mean * raw(2) + 2.0 * mean.powi(3);
                let skewness = third / variance.powf(1.5);
                assert!((depth.skewness.unwrap() - skewness).abs() < 1e-9);
                let never = counts.iter().filter(|&&count| count == 0).count();
                assert_eq!(depth.never, never);
            }
        }
    }

    /// The demo's model of this name was built with hubs.
    #[test]
    fn misses_of_a_hub_are_queries_with_it_as_wrong_top_1() {
        let study = demo::open().unwrap();
        let rich = study.truths[1].relevance[Direction::T2i].as_ref().unwrap();
        let of = of_model(ModelIx::new(2), Direction::T2i);
        let found = &of.top_items;
        let is_wrong = |&query: &u32| {
            let first = found.first(query).unwrap();
            rich.contains(query.into(), first.into()) == Some(false)
        };
        let failures: Vec<u32> = (0..300).filter(is_wrong).collect();
        let hubs = of.hubs(|query| rich.queries().contains(&query), &failures);
        assert!(!hubs.is_empty() && !hubs[0].misses.is_empty());
        let limit = of.hubness.first().threshold();
        for hub in &hubs {
            assert!(
                hub.top1_count as u32 >= limit && hub.occurrences[0] as usize == hub.top1_count
            );
            let judged = (0..300).filter(|&query| {
                found.first(query) == Some(hub.item) && rich.queries().contains(&query)
            });
            assert_eq!(hub.covered, judged.count());
            for &query in &hub.misses {
                assert_eq!(found.first(query), Some(hub.item));
                assert_eq!(rich.contains(query.into(), hub.item.into()), Some(false));
            }
        }
        let below = |pair: &[Hub]| pair[0].misses.len() >= pair[1].misses.len();
        assert!(hubs.windows(2).all(below));
        let careful = of_model(ModelIx::new(0), Direction::T2i).hubness;
        let skewness = |hubness: &Hubness| hubness.depths[2].skewness.unwrap();
        assert!(skewness(&of.hubness) > skewness(&careful));
    }

    #[test]
    fn equal_counts_have_no_skewness_and_no_hub() {
        let mut found = of_model(ModelIx::new(0), Direction::I2t).top_items;
        found.queries.clear();
        let hubness = Hubness::from_top_items(&found, 300, &[5]);
        let first = hubness.first();
        assert_eq!((first.skewness, first.threshold(), first.highest()), (None, MIN_HUB_COUNT, 0));
        assert_eq!((first.never, hubness.is_hub(3)), (300, false));
    }
}
