//! Ties at the usual cutoffs: ranks 1, 5 and 10.

use super::Finding;
use super::exam::Exam;
use super::sample::{RANKS, Sample};
use crate::data::scores::{Model, Scores};
use crate::data::text::grouped;
use crate::data::{Direction, PerDirection};

/// Minimum number of queries with a tie: one may be chance.
const MIN_QUERIES: usize = 2;
/// Share of tied queries above which there is a note.
const NOTE_SHARE: f64 = 0.01;
/// Share of tied queries above which it is a problem: ties change metrics more than models do.
const PROBLEM_SHARE: f64 = 0.05;

/// Finds models with ties at ranks 1, 5 or 10.
pub(super) fn find(exam: &Exam) -> Vec<Finding> {
    let find_in_model = |(model, samples): (_, &PerDirection<Option<Sample>>)| {
        let sample = |direction: Direction| samples[direction].as_ref();
        let found = Direction::both(|d| sample(d).and_then(|s| find_in_sample(model, d, s)));
        found.into_iter().flatten()
    };
    exam.samples().flat_map(find_in_model).collect()
}

/// The finding for ties in one direction; `None` if too few queries are tied, a query has one score for all items, or
/// there are no scores.
fn find_in_sample(model: &Model, direction: Direction, sample: &Sample) -> Option<Finding> {
    let subject = format!("model {} ({})", model.name, model.source);
    // `repeats` reports queries with one score for all items.
    if sample.constant > 0 {
        return None;
    }
    let ties = sample.ties?;
    let most = ties.into_iter().max()?;
    if most < MIN_QUERIES {
        return None;
    }
    let share = |tied: usize| tied as f64 / sample.queries as f64;
    let shares = ties.map(|tied| format!("{:.1} %", share(tied) * 100.0)).join(", ");
    let ranks = RANKS.map(|rank| rank.to_string()).join(", R@");
    let found = format!(
        "{direction}: the order of equal scores decides R@{ranks} of {shares} of {} sampled queries",
        grouped(sample.queries)
    );
    let finding = match share(most) {
        most if most > PROBLEM_SHARE => Finding::problem(subject, found),
        most if most > NOTE_SHARE => Finding::note(subject, found),
        _ => return None,
    };
    let effect = format!(
        "equal scores rank by index: another order changes R@K by up to {:.1} points",
        share(most) * 100.0
    );
    Some(finding.effect(effect).fix(fix(model)))
}

/// The fix, which depends on the kind of scores.
fn fix(model: &Model) -> &'static str {
    match &model.scores {
        Scores::Matrix(_) | Scores::Two(_) => {
            "compute the scores in float32 and save them so, not rounded (no float16, bfloat16 or autocast); else look for \
             captions of equal text, clipping, a sigmoid or a softmax at the model's end, equal embeddings"
        }
        Scores::Mixture(_) => "see the models that are mixed",
        Scores::Embeddings(_) => "save the embeddings as float32; look for equal ones",
        Scores::Phi(_) => "none: captions that share no words are all alike",
        Scores::Lists(_) => "write the scores with all digits",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::text::Text;
    use crate::doctor::test_studies::{
        assert_nothing, assert_problem, good, noise, run_check, study,
    };

    #[test]
    fn coarse_scores_are_a_problem() {
        assert_nothing(find, &study(good));
        let coarse = study(|image, caption| (noise(image, caption) * 16.0).floor() / 16.0);
        let findings = run_check(find, &coarse);
        assert_eq!(findings.len(), 2, "{findings:#?}");
        assert!(findings[0].found.contains("i2t: "));
        assert!(findings[0].fix.as_deref().unwrap().contains("not rounded"));
    }

    #[test]
    fn one_score_for_all_is_found_by_repeats() {
        assert_nothing(find, &study(|_, _| 1.0));
    }

    #[test]
    fn captions_of_equal_text_may_tie() {
        let mut study = study(|image, caption| noise(image, caption % 30));
        assert_problem(find, &study, &["i2t"]);
        let text = |caption: usize| Text::new(&format!("caption {}", caption % 30));
        study.gallery.texts = (0..60).map(text).collect();
        assert_nothing(find, &study);
    }

    #[test]
    fn a_few_ties_are_a_note() {
        let sample = |tied, queries| Sample {
            queries,
            own: None,
            in_lists: None,
            by_place: Vec::new(),
            beside: None,
            parts: Vec::new(),
            ties: Some([0, tied, 0]),
            constant: 0,
        };
        let study = study(good);
        let severity = |tied, queries| {
            let found = find_in_sample(&study.models[0], Direction::T2i, &sample(tied, queries));
            found.map(|finding| finding.severity.to_string())
        };
        assert_eq!(severity(5, 500), None);
        assert_eq!(severity(1, 10), None);
        assert_eq!(severity(15, 500).as_deref(), Some("note"));
        assert_eq!(severity(30, 500).as_deref(), Some("problem"));
    }
}
