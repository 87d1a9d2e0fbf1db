//! Models of localisation side by side: intervals of their recall, and paired tests between them. Phrases of one
//! image form a cluster.

use super::groups::Groups;
use super::holm::{self, Corrected};
use super::inference::Estimate;
use super::paired::Paired;
use super::per_query::Values;
use crate::metric::Unit;
use crate::phrase::localisation::{COLUMNS, Measured, Targets};

/// Two models under the recall at one depth.
#[derive(Debug, Clone)]
pub struct RecallDifference {
    /// The places of the models.
    pub models: [usize; 2],
    /// The place of the depth: [`crate::phrase::localisation::DEPTHS`], and then all boxes.
    pub depth: usize,
    /// Hits as 1, misses as 0, phrase by phrase.
    pub paired: Paired,
    /// Number of images.
    pub clusters: usize,
    /// Interval and p-value of the difference.
    pub estimate: Option<Estimate>,
    /// Its p-value among those of the other differences.
    pub corrected: Corrected,
}

/// The 95 % CI of a model's recall at a depth; `None` for fewer than two images.
pub fn interval(targets: &Targets, of: &Measured, depth: usize) -> Option<[f64; 2]> {
    let hits: Vec<f64> = hits(of, depth).collect();
    let groups = Groups::labelled(&hits, &targets.clusters());
    Some(Estimate::of_mean(&groups, Unit::Share.range())?.interval())
}

/// Tests each two models at each depth; p-values are corrected over all.
pub fn differences(targets: &Targets, models: &[Measured]) -> Vec<RecallDifference> {
    let clusters = targets.clusters();
    let places = places(models.len());
    let paired: Vec<Paired> = places
        .iter()
        .map(|(models_of, depth)| paired(models_of.map(|model| &models[model]), *depth))
        .collect();
    let groups = paired.iter().map(|paired| paired.groups(Some(&clusters)));
    let groups: Vec<Groups> = groups.collect();
    let estimates = groups.iter().map(|of| Estimate::of_difference(of, Unit::Share));
    let estimates: Vec<Option<Estimate>> = estimates.collect();
    let family: Vec<_> = paired
        .iter()
        .zip(&estimates)
        .map(|(paired, estimate)| (paired, estimate.map(Estimate::p)))
        .collect();
    let is_alike = |one: usize, other: usize| places[one].0 == places[other].0;
    let corrected = holm::corrected(&family, is_alike);
    (0..places.len())
        .map(|at| RecallDifference {
            models: places[at].0,
            depth: places[at].1,
            paired: paired[at].clone(),
            clusters: groups[at].len(),
            estimate: estimates[at],
            corrected: corrected[at],
        })
        .collect()
}

/// Each two models, the earlier first, at each depth.
fn places(models: usize) -> Vec<([usize; 2], usize)> {
    let pairs = (0..models).flat_map(|one| (one + 1..models).map(move |other| [one, other]));
    pairs.flat_map(|pair| (0..COLUMNS).map(move |depth| (pair, depth))).collect()
}

fn paired(models: [&Measured; 2], depth: usize) -> Paired {
    let values = models.map(|model| {
        let values: Vec<Option<f64>> = hits(model, depth).map(Some).collect();
        let phrases: Vec<u32> = (0..values.len() as u32).collect();
        Values::new(&phrases, values)
    });
    Paired::of(values.each_ref())
}

fn hits(of: &Measured, depth: usize) -> impl Iterator<Item = f64> {
    of.outcomes.iter().map(move |outcome| f64::from(outcome.is_hit(depth)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phrase::localisation::{Outcome, testing};

    /// One letter a phrase: `x` has a hit, `.` has none.
    fn measured(name: &str, hits: &str) -> Measured {
        let outcome =
            |letter| Outcome { best: [f64::from(letter == 'x'); COLUMNS], ..Outcome::default() };
        Measured {
            name: name.into(),
            source: String::new(),
            outcomes: hits.chars().map(outcome).collect(),
        }
    }

    #[test]
    fn each_two_models_are_compared_phrase_by_phrase_and_images_are_clusters() {
        let targets = testing::targets();
        let models = [measured("a", "xxx.x"), measured("b", "x...x"), measured("c", "x...x")];
        let found = differences(&targets, &models);
        let pairs: Vec<[usize; 2]> = found.iter().map(|of| of.models).collect();
        assert_eq!((pairs.len(), pairs[COLUMNS]), (3 * COLUMNS, [0, 2]));
        let first = &found[0];
        assert_eq!(first.paired.means(), Some([0.8, 0.4]));
        assert_eq!(first.paired.counts(crate::metric::Unit::Share), [2, 3, 0]);
        // Sums 2 and 0 of three and two phrases, then +-2 of 2.5 each.
        assert_eq!(first.clusters, 2);
        assert!(first.estimate.unwrap().p() > 0.5);
        // All depths have the same hits here: one hypothesis.
        assert_eq!(found[1].corrected.same_as, Some(0));
        assert_eq!(found[COLUMNS].corrected.same_as, None);
    }

    #[test]
    fn the_interval_of_a_recall_holds_it() {
        let targets = testing::targets();
        let [low, high] = interval(&targets, &measured("a", "xx.xx"), 0).unwrap();
        assert!(low <= 0.8 && 0.8 <= high, "{low} {high}");
    }
}
