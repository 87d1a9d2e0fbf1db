//! Comparison of localisation models: intervals of recall, and paired tests. Phrases of one image form a cluster.

use super::holm::{self, HolmTest};
use super::paired_values::{Paired, all_pairs};
use super::per_query::Values;
use crate::metric::Unit;
use crate::phrase::localisation::{COLUMNS, Outcomes, Targets};

/// Two models by index, and the index of a depth of recall: [`crate::phrase::localisation::DEPTHS`], then all boxes.
pub type RecallDifference = ([usize; 2], usize);

/// The 95 % CI of a model's recall; `None` for fewer than two images. `depth` is an index as in [`RecallDifference`].
pub fn recall_interval(targets: &Targets, model: &Outcomes, depth: usize) -> Option<[f64; 2]> {
    hit_values(model, depth).interval(Unit::Share, Some(&targets.clusters()))
}

/// Tests the difference in recall of all pairs of models at each depth; p-values are corrected over all.
pub fn test_differences(targets: &Targets, models: &[Outcomes]) -> Vec<HolmTest<RecallDifference>> {
    let clusters = targets.clusters();
    let keys = all_pairs(models.len()).flat_map(|two| (0..COLUMNS).map(move |depth| (two, depth)));
    let pair = |(two, depth): RecallDifference| {
        let hits = two.map(|at| hit_values(&models[at], depth));
        ((two, depth), Paired::from_values(hits.each_ref()))
    };
    holm::test_family(
        keys.map(pair),
        |_| (Unit::Share, Some(&clusters)),
        |one, other| one.0 == other.0,
    )
}

/// Value of each phrase at the depth with this index: 1 for a hit, 0 for a miss.
fn hit_values(model: &Outcomes, depth: usize) -> Values {
    let hits = model.outcomes.iter().map(|outcome| Some(f64::from(outcome.is_hit(depth))));
    let phrases: Vec<u32> = (0..model.outcomes.len() as u32).collect();
    Values::new(&phrases, hits.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phrase::localisation::{Outcome, test_entities};

    /// One letter per phrase: `x` is a hit, `.` is none.
    fn measured(name: &str, hits: &str) -> Outcomes {
        let outcome =
            |letter| Outcome { best: [f64::from(letter == 'x'); COLUMNS], ..Outcome::default() };
        Outcomes {
            name: name.into(),
            source: String::new(),
            outcomes: hits.chars().map(outcome).collect(),
        }
    }

    #[test]
    fn every_two_models_are_compared_by_phrase_with_images_as_clusters() {
        let targets = test_entities::targets();
        let models = [measured("a", "xxx.x"), measured("b", "x...x"), measured("c", "x...x")];
        let found = test_differences(&targets, &models);
        let pairs: Vec<[usize; 2]> = found.iter().map(|of| of.key.0).collect();
        assert_eq!((pairs.len(), pairs[COLUMNS]), (3 * COLUMNS, [0, 2]));
        let first = &found[0];
        assert_eq!(first.paired.means(), Some([0.8, 0.4]));
        assert_eq!(first.paired.counts(crate::metric::Unit::Share), [2, 3, 0]);
        // Sums 2 and 0 of three and two phrases, then +-2 of 2.5 each.
        assert_eq!(first.clusters, 2);
        assert!(first.estimate.unwrap().p() > 0.5);
        // All depths have equal hits here: one hypothesis.
        assert_eq!(found[1].corrected.same_as, Some(0));
        assert_eq!(found[COLUMNS].corrected.same_as, None);
    }

    #[test]
    fn the_interval_of_a_recall_contains_it() {
        let targets = test_entities::targets();
        let [low, high] = recall_interval(&targets, &measured("a", "xx.xx"), 0).unwrap();
        assert!(low <= 0.8 && 0.8 <= high, "{low} {high}");
    }
}
