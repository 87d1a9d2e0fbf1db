//! Models with equal scores: two names for one file, or a copy mistaken for another run.

use std::hash::{DefaultHasher, Hasher};

use super::exam::Exam;
use super::{Finding, rows};
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::data::scores::{Model, Scores};
use crate::study::Study;

/// Number of images compared first.
const FIRST_IMAGES: usize = 2;
/// Minimum number of captions: with fewer, two ranked lists may agree by chance.
const MIN_CAPTIONS: usize = 10;

/// Finds models with the same scores as an earlier one.
pub(super) fn find(exam: &Exam) -> Vec<Finding> {
    let models: Vec<ModelIx> = ModelIx::all(&exam.study.models).collect();
    let finding = |[one, other]: [ModelIx; 2]| {
        let [one, other] = [one, other].map(|model| &exam.study.models[model]);
        let subject = format!("{} (model {})", other.source, other.name);
        Finding::problem(subject, format!("the same scores as {}", one.name))
            .effect("every difference between the two is 0, and as runs of one model they have no spread")
            .fix("name each file once, if one is a copy of the other")
    };
    equal_models(exam.study, &models).into_iter().map(finding).collect()
}

/// Pairs of an earlier model and one with the same scores. Compares the scores of a few images, and of more only if
/// these are equal. Empty if the gallery has no images or few captions.
fn equal_models(study: &Study, models: &[ModelIx]) -> Vec<[ModelIx; 2]> {
    if study.gallery.images.is_empty() || study.gallery.captions.len() < MIN_CAPTIONS {
        return Vec::new();
    }
    let image_count = study.gallery.images.len();
    let hash = |model: ModelIx, images| hash_scores(&study.models[model], image_count, images);
    let few: Vec<Vec<u64>> = models.iter().map(|&model| hash(model, FIRST_IMAGES)).collect();
    let equal_pair = |at: usize| {
        let first = few[..at].iter().position(|before| *before == few[at])?;
        let both = [models[first], models[at]];
        let [one, other] = both.map(|model| hash(model, max_images(&study.models[model])));
        (one == other).then_some(both)
    };
    (1..models.len()).filter_map(equal_pair).collect()
}

/// Maximum number of images compared: all of a matrix, few for computed scores.
fn max_images(model: &Model) -> usize {
    match model.scores {
        Scores::Matrix(_) | Scores::Two(_) | Scores::Lists(_) => usize::MAX,
        _ => 100,
    }
}

/// For each of at most `max_images` evenly sampled images, a hash of its scores for all captions, or of the order of
/// its ranked list.
fn hash_scores(model: &Model, image_count: usize, max_images: usize) -> Vec<u64> {
    let sampled = image_count.min(max_images);
    let images: Vec<usize> = (0..sampled).map(|at| at * image_count / sampled).collect();
    rows::map_queries(&model.scores, Direction::I2t, &images, |_, row| {
        // A faster hasher collides for negated scores if their number is even.
        let mut hasher = DefaultHasher::new();
        row.scores.iter().for_each(|score| hasher.write_u64(score.to_bits()));
        hasher.finish()
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Depth, test_studies};
    use super::*;
    use crate::study::demo;

    #[test]
    fn a_copy_is_told_and_other_models_are_not() {
        let mut study = demo::open().unwrap();
        assert!(find(&Exam::new(&study, Depth::Whole)).is_empty());
        let copy = Model { name: "copy".into(), ..study.models[ModelIx::new(1)].clone() };
        study.models.push(copy);
        let found = find(&Exam::new(&study, Depth::Whole));
        let [one] = &found[..] else {
            panic!("{found:#?}");
        };
        assert!(one.subject.contains("copy") && one.found.ends_with("as broad"), "{one:#?}");
    }

    #[test]
    fn models_that_differ_in_one_score_are_no_copies() {
        let mut study = test_studies::study(test_studies::noise);
        let cell = |image, caption| {
            test_studies::noise(image, caption) + f64::from((image, caption) == (13, 7))
        };
        study.models.extend(test_studies::study(cell).models);
        assert!(find(&Exam::new(&study, Depth::Quick)).is_empty());
    }

    #[test]
    fn negated_scores_are_others() {
        let mut study = test_studies::study(test_studies::noise);
        let negated = test_studies::study(|image, caption| -test_studies::noise(image, caption));
        study.models.extend(negated.models.iter().cloned());
        assert!(equal_models(&study, &[ModelIx::new(0), ModelIx::new(1)]).is_empty());
    }
}
