//! Whether the order fits other ground truths too: if captions move with their images, original pairs fit any order,
//! but pairs that only another ground truth lists do not.

use super::exam::{Depth, Exam};
use super::order::order_finding;
use super::sample::has_all_scores;
use super::{Finding, rows};
use crate::data::scores::Model;
use crate::data::sets::Set;
use crate::data::{Direction, PerDirection};
use crate::study::percentile::{Percentile, percentile, scatter};
use crate::truth::relevance::Relevance;
use crate::truth::{Kind, Truth};

/// Minimum mean percentile of original pairs: weaker models are inconclusive.
pub(super) const MIN_CONCLUSIVE: f64 = 0.8;
/// Pairs with a higher mean percentile are not random, however few.
const NEAR_CHANCE: f64 = 0.6;

/// Finds models by which positives of other ground truths score like random pairs.
pub(super) fn find(exam: &Exam) -> Vec<Finding> {
    let Some(pairs) = exam.truth() else {
        return Vec::new();
    };
    let is_other = |truth: &&Truth| truth.kind <= Kind::Rich && truth.name != pairs.name;
    let others = exam.study.truths.iter().filter(is_other);
    // The richest adds most positives.
    let count = if exam.depth == Depth::Whole { usize::MAX } else { 1 };
    let others: Vec<&Truth> = others.rev().take(count).collect();
    let mut found = Vec::new();
    for (model, samples) in exam.samples() {
        let originals = PerDirection::from_fn(|direction| samples[direction].as_ref()?.own);
        for truth in &others {
            found.extend(check_truth(exam, model, &originals, [pairs, truth]));
        }
    }
    found
}

/// The finding if positives that only `truth` lists score like random pairs, although those of `pairs`, the original
/// pairing, score high; `originals` has their percentiles.
fn check_truth(
    exam: &Exam,
    model: &Model,
    originals: &PerDirection<Option<Percentile>>,
    [pairs, truth]: [&Truth; 2],
) -> Option<Finding> {
    let describe = |direction: Direction| {
        let original = originals[direction].filter(|original| original.mean >= MIN_CONCLUSIVE)?;
        let [lists, known] = [truth, pairs].map(|truth| truth.relevance[direction].as_ref());
        let others = percentile_of_others(model, direction, [lists?, known?], exam.depth)?;
        (others.is_chance() && others.mean < NEAR_CHANCE).then(|| {
            let [others, original] = [others, original].map(|percentile| percentile.mean);
            format!("{others:.2} in {direction}, where those of {} have {original:.2}", pairs.name)
        })
    };
    let means: Vec<String> = Direction::BOTH.into_iter().filter_map(describe).collect();
    let found = format!("positives that only {} lists score like random pairs", truth.name);
    let effect = format!(
        "the ids are probably in another order than the scores, in which captions still stand with their images: every \
         number by {} is wrong",
        truth.name
    );
    let detail = format!("mean percentile {} (0.5 is chance)", means.join("; "));
    (!means.is_empty()).then(|| order_finding(exam, model, found, effect).detail(detail))
}

/// Percentile of positives in `lists` but not in `known`, for a sample of the queries that both cover; `None` if there
/// are too few, or if some pairs have no score.
fn percentile_of_others(
    model: &Model,
    direction: Direction,
    [lists, known]: [&Relevance; 2],
    depth: Depth,
) -> Option<Percentile> {
    if !has_all_scores(model, direction) {
        return None;
    }
    let others = |query: u32| -> Option<Vec<u32>> {
        let known = known.positives(known.place(query as usize)?);
        let listed = lists.positives(lists.place(query as usize)?);
        let others: Vec<u32> = listed.iter().filter(|item| !known.contains(*item)).collect();
        (!others.is_empty()).then_some(others)
    };
    let queries = lists.queries();
    let able: Vec<u32> = queries.iter().copied().filter(|query| others(*query).is_some()).collect();
    let sample: Vec<usize> =
        scatter(able.len(), depth.max_queries()).map(|at| able[at] as usize).collect();
    let percentiles = rows::map_queries(&model.scores, direction, &sample, |query, row| {
        percentile(&row.scores, Set::from(&others(query as u32)?[..]))
    });
    Percentile::from_values(percentiles.into_iter())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::test_studies::{assert_nothing, assert_problem, good, noise, study, truth};

    /// A third of the near ones: captions of the next image are positives too.
    fn near(image: usize, caption: usize) -> f64 {
        good(image, caption) + if caption / 3 == (image + 1) % 20 { 0.8 } else { 0.0 }
    }

    fn with_richer(score: impl Fn(usize, usize) -> f64) -> crate::study::Study {
        let mut study = study(score);
        let pairs: Vec<(usize, usize)> = (0..60)
            .flat_map(|caption| {
                let image = caption / 3;
                [(image, caption + 100), ((image + 19) % 20, caption + 100)]
            })
            .collect();
        study.truths.push(truth("rich", &pairs, &study.gallery));
        study
    }

    #[test]
    fn images_that_moved_with_their_captions_are_found_out() {
        assert_nothing(find, &with_richer(near));
        let moved = with_richer(|image, caption| {
            let to = |image: usize| image * 7 % 20;
            near(to(image), to(caption / 3) * 3 + caption % 3)
        });
        assert_problem(find, &moved, &["rich", "--image-ids", "i2t", "t2i"]);
    }

    #[test]
    fn a_model_that_tells_nothing_is_not_blamed_on_the_order() {
        assert_nothing(find, &with_richer(noise));
    }
}
