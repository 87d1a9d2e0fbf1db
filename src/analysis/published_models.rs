//! The 25 models published in the ECCV Caption paper, to rank others among them.

use std::cmp::Ordering;
use std::sync::OnceLock;

use serde::Deserialize;

use super::results::ModelValues;
use crate::data::Direction;
use crate::data::index::TruthIx;
use crate::study::{Pool, Study};
use crate::truth::Kind;

/// Results of the models that the ECCV Caption paper reports on the COCO test gallery.
#[derive(Debug, Clone, Deserialize)]
pub struct Published {
    /// Source, and what is excluded.
    pub source: String,
    /// How we assigned families, as text; the paper has none.
    pub families: String,
    /// Keys, in the order of the paper's table 5.
    pub metrics: Vec<String>,
    /// The models, in the paper's order.
    pub models: Vec<PublishedModel>,
}

/// One model's values, in the order of [`Published::metrics`]: shares, RSUM in percent.
#[derive(Debug, Clone, Deserialize)]
pub struct PublishedModel {
    /// Name in the paper.
    pub name: String,
    /// The family that we assign.
    pub family: String,
    average: Vec<f64>,
    i2t: Vec<Option<f64>>,
    t2i: Vec<Option<f64>>,
}

/// Rank of a value among those of the published models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublishedRank {
    /// 1 + the number of published models with a higher value.
    pub rank: usize,
    /// Number of published models with an equal value.
    pub ties: usize,
    /// Number of published models with a value.
    pub of: usize,
}

/// The built-in results, parsed once.
pub fn published() -> &'static Published {
    static PUBLISHED: OnceLock<Published> = OnceLock::new();
    let read = || serde_json::from_str(include_str!("published.json")).expect("a test reads it");
    PUBLISHED.get_or_init(read)
}

impl PublishedModel {
    /// Value of the metric at an index of [`Published::metrics`], averaged over both directions if `direction` is
    /// `None`. The result is `None` if not published.
    fn value(&self, metric: usize, direction: Option<Direction>) -> Option<f64> {
        match direction {
            None => Some(self.average[metric]),
            Some(Direction::I2t) => self.i2t[metric],
            Some(Direction::T2i) => self.t2i[metric],
        }
    }
}

impl Published {
    /// All models, with family and the averages of all metrics over both directions.
    pub fn averages(&self) -> Vec<ModelValues> {
        let values = |model: &PublishedModel| ModelValues {
            name: model.name.clone(),
            family: Some(model.family.clone()),
            averages: self.metrics.iter().cloned().zip(model.average.iter().copied()).collect(),
        };
        self.models.iter().map(values).collect()
    }

    /// The key under which the paper published a metric; `None` if it did not, or if the study's gallery, pool or
    /// threshold differs from the paper's. `key` has the ground truth and metric (`eccv_r1`), `name` the metric (`r1`).
    pub fn find_key(&self, study: &Study, truth: TruthIx, key: &str, name: &str) -> Option<String> {
        let truth = &study.truths[truth];
        let threshold = study.rule_threshold(truth);
        let threshold = threshold.and_then(|of| Some((of.rule.published, of.number?)));
        let is_published = threshold.is_none_or(|(published, number)| {
            published.is_some_and(|published| (number - published).abs() < f64::EPSILON)
        });
        let key = match study.pool {
            Pool::All => key.to_owned(),
            // The COCO 1K protocol.
            Pool::Folds if truth.kind == Kind::Original => format!("coco_1k_{name}"),
            _ => return None,
        };
        let is_known = study.gallery.is_coco_test() && is_published && self.metrics.contains(&key);
        is_known.then_some(key)
    }

    /// Values of two metrics for every model with both, in one direction or averaged over both; empty if a metric is
    /// not published.
    pub fn value_pairs(&self, keys: [&str; 2], directions: &[Direction]) -> Vec<[f64; 2]> {
        let places = keys.map(|key| self.metrics.iter().position(|known| known == key));
        let [Some(x), Some(y)] = places else {
            return Vec::new();
        };
        let direction = directions.first().copied().filter(|_| directions.len() == 1);
        let pair = |of: &PublishedModel| Some([of.value(x, direction)?, of.value(y, direction)?]);
        self.models.iter().filter_map(pair).collect()
    }

    /// Rank of a metric's value, in one direction or averaged over both (RSUM: the sum); `None` if not published. All
    /// published metrics are better when higher.
    pub fn rank(
        &self,
        key: &str,
        direction: Option<Direction>,
        value: f64,
    ) -> Option<PublishedRank> {
        let at = self.metrics.iter().position(|known| known == key)?;
        let values = self.models.iter().filter_map(|model| model.value(at, direction));
        let orders: Vec<Ordering> = values.map(|other| other.total_cmp(&value)).collect();
        let count = |wanted| orders.iter().filter(|order| **order == wanted).count();
        (!orders.is_empty()).then(|| PublishedRank {
            rank: 1 + count(Ordering::Greater),
            ties: count(Ordering::Equal),
            of: orders.len(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_has_every_average() {
        let published = published();
        assert_eq!((published.models.len(), published.metrics.len()), (25, 12));
        for model in &published.models {
            let lens = [model.average.len(), model.i2t.len(), model.t2i.len()];
            assert_eq!(lens, [12; 3], "{}", model.name);
            // Printed averages equal those of the directions, but for the last digit.
            for at in 0..12 {
                if let (Some(i2t), Some(t2i)) = (model.i2t[at], model.t2i[at]) {
                    let mean = f64::midpoint(i2t, t2i);
                    assert!((mean - model.average[at]).abs() < 1.1e-4, "{} {at}", model.name);
                }
            }
        }
    }

    #[test]
    fn families_are_those_of_the_names() {
        let models = &published().models;
        let of = |family: &str| {
            let of = models.iter().filter(|model| model.family == family);
            of.count()
        };
        let families =
            ["VSE", "PVSE", "PCME", "VSRN", "CVSE", "SGRAF", "CLIP", "VinVL", "ViLT", "BLIP"];
        assert_eq!(families.map(of), [5, 5, 2, 2, 1, 2, 3, 2, 2, 1]);
    }

    #[test]
    fn ranks_count_the_higher_values_and_ties() {
        let published = published();
        let place = |key, direction, value| published.rank(key, direction, value);
        let all = |rank, ties| Some(PublishedRank { rank, ties, of: 25 });
        // VSE0 has 22.67: one model fewer.
        assert_eq!(place("eccv_map_at_r", None, 0.2267), all(24, 1));
        assert_eq!(place("eccv_map_at_r", None, 0.1), all(26, 0));
        assert_eq!(place("eccv_map_at_r", None, 0.9), all(1, 0));
        // Two models have 57.65.
        assert_eq!(place("pmrp", None, 0.5765).map(|place| place.ties), Some(2));
        assert_eq!(place("eccv_r1", Some(Direction::I2t), 0.4473), all(25, 1));
        assert_eq!(place("pmrp", Some(Direction::I2t), 0.5), None);
        assert_eq!(place("rich_r1", None, 0.5), None);
    }
}
