//! Partition of the covered queries: correct at top-1, missing labels, and other failures by distance.

use super::evidence::Evidence;
use crate::data::text::grouped;
use crate::filter::value_of_truth;
use crate::study::{Study, View};
use crate::truth::Kind as TruthKind;

/// One part of a [`Breakdown`].
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Name of the error type, or "correct", "other", "uncovered".
    pub name: &'static str,
    /// Where the first positive of its queries ranks, in words.
    pub meaning: &'static str,
    /// Filter expression for its queries.
    pub condition: String,
    /// Gallery indices of its queries, ascending.
    pub queries: Vec<u32>,
}

/// Partition of a view's covered queries.
#[derive(Debug, Clone, PartialEq)]
pub struct Breakdown {
    /// Correct, missing label, near miss, far miss, other: each query is in one. A missing label never counts as correct;
    /// with one ground truth none is known. Under the original also uncovered: failures without a positive in the richest
    /// ground truth.
    pub parts: Vec<Part>,
    /// Number of covered queries.
    pub covered: usize,
    /// Covered queries whose top-1 is not a positive.
    pub failures: usize,
    /// Failures under the original ground truth among the covered queries of a richer one, including missing labels. 0
    /// without two such ground truths.
    pub original_failures: usize,
}

impl Breakdown {
    /// Assigns the covered queries of a view to parts, by the conditions of the parts; `covered` is their number.
    ///
    /// Under the original ground truth a missing label is the error type of that name. Under others it is a query whose
    /// top-1 is a positive there but not in the original.
    pub fn new(evidence: &Evidence<'_>, view: View, covered: usize) -> Self {
        let study = evidence.study;
        let original = view.truth_of_kind(study, TruthKind::Original);
        let is_original = original == Some(view.truth);
        let other = if is_original { view.truth_of_kind(study, TruthKind::Rich) } else { original };
        let other = other
            .map(|other| ["covered", "r", "r1"].map(|value| value_of_truth(study, other, value)));
        let matching = |filter: &str| evidence.matching_queries(filter, view).unwrap_or_default();
        // Without another ground truth, no failure is known to be a missing label.
        let [correct, missing, failed, uncovered] = match &other {
            None => ["r1 == 1".into(), String::new(), "r1 == 0".into(), String::new()],
            Some([judged, r, r1]) if is_original => [
                "r1 == 1".into(),
                format!("r1 == 0 and {judged} and {r1} == 1"),
                format!("r1 == 0 and {r} > 0 and {r1} == 0"),
                format!("r1 == 0 and (not {judged} or {r} == 0)"),
            ],
            Some([judged, _, r1]) => [
                format!("r1 == 1 and not ({judged} and {r1} == 0)"),
                format!("r1 == 1 and {judged} and {r1} == 0"),
                "r1 == 0".into(),
                String::new(),
            ],
        };
        let near = format!("{failed} and r5 == 1");
        let after_5 = format!("{failed} and r5 == 0");
        let to_100 = format!("{after_5} and positives_in_top(100) > 0");
        let far = format!("{failed} and positives_in_top(100) == 0");
        // Ranked lists may end before rank 100: then far misses are unknown.
        let is_known = matching(&far).len() + matching(&to_100).len() == matching(&after_5).len();
        let [far, rest] = if is_known { [far, to_100] } else { [String::new(), after_5] };
        let parts: [(&'static str, String, &'static str); 6] = [
            ("correct", correct, "top-1 is a positive, and no missing label"),
            (
                "missing label",
                missing,
                "top-1 is a positive that the original annotation does not list",
            ),
            ("near miss", near, "top-1 is no positive, a positive in the top 5"),
            ("far miss", far, "no positive in the top 100"),
            ("other", rest, "top-1 is no positive, no positive in the top 5, no far miss"),
            ("uncovered", uncovered, "top-1 is no positive; the richest ground truth has none"),
        ];
        let known = parts.into_iter().filter(|(_, condition, _)| !condition.is_empty());
        let parts = known.map(|(name, condition, meaning)| {
            let queries = matching(&condition);
            Part { name, meaning, condition, queries }
        });
        let failure = other.as_ref().map(|[judged, _, r1]| {
            if is_original { format!("r1 == 0 and {judged}") } else { format!("{r1} == 0") }
        });
        Breakdown {
            parts: parts.collect(),
            covered,
            failures: matching("r1 == 0").len(),
            original_failures: failure.map_or(0, |condition| matching(&condition).len()),
        }
    }

    /// R@1, and the percentage of missing labels if it is known: one sentence, or a long and a short version of it.
    /// `name` is the display name of the ground truth.
    pub fn sentences(&self, study: &Study, view: View, name: &str) -> Vec<String> {
        let rounded = |count: usize, total: usize| format!("{:.1}", percent(count, total));
        let model = &study.models[view.model].name;
        let r1 = rounded(self.covered - self.failures, self.covered);
        let whole = format!("{model}, {}, {name}: R@1 {r1}", view.direction);
        let original = view.truth_of_kind(study, TruthKind::Original);
        let Some(original) = original.filter(|_| self.original_failures > 0) else {
            return vec![whole];
        };
        let missing = self.parts[1].queries.len();
        let share = rounded(missing, self.original_failures);
        let all = grouped(self.original_failures);
        if original == view.truth {
            let rich = view.truth_of_kind(study, TruthKind::Rich);
            let rich = rich.map_or("", |rich| study.truths[rich].name.as_str());
            return vec![
                format!(
                    "{whole}; {share} % of the {all} failures that {rich} covers are missing labels"
                ),
                format!("{whole}; of the failures {share} % are missing labels"),
            ];
        }
        let original = &study.truths[original].name;
        let correct = rounded(self.parts[0].queries.len(), self.covered);
        let missing = rounded(missing, self.covered);
        let sum = format!("{whole} = {correct} correct + {missing} missing labels");
        vec![format!("{sum} ({share} % of the {all} failures under {original})"), sum]
    }
}

/// `count` in percent of `total`; 0 if both are 0.
pub fn percent(count: usize, total: usize) -> f64 {
    100.0 * count as f64 / total.max(1) as f64
}
