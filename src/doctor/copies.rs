//! Models with the same scores: two names for one file, as a copy taken for another run.

use std::hash::{DefaultHasher, Hasher};

use super::exam::Exam;
use super::{Check, Finding, Needs, rows};
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::data::scores::Model;
use crate::study::Study;

pub(super) const CHECK: Check =
    Check { name: "copies", doc: "models with the same scores", needs: Needs::Models, find };

/// Images whose rankings are looked at.
const IMAGES: usize = 8;
/// Of fewer captions two ranked lists may have the same order by chance.
const CAPTIONS: usize = 10;

fn find(exam: &Exam) -> Vec<Finding> {
    let models: Vec<ModelIx> = ModelIx::all(&exam.study.models).collect();
    let finding = |[one, other]: [ModelIx; 2]| {
        let [one, other] = [one, other].map(|model| &exam.study.models[model]);
        Finding::problem(
            format!("{} (model {})", other.source, other.name),
            format!("it scores the captions of the images looked at as {} does", one.name),
        )
        .effect(
            "every difference between the two is 0, and as runs of one model they have no spread",
        )
        .mend("name each file once, if one is a copy of the other")
    };
    alike(exam.study, &models).into_iter().map(finding).collect()
}

/// Each model that scores some images' captions as one before it does, behind that one. A few rows of each are read.
fn alike(study: &Study, models: &[ModelIx]) -> Vec<[ModelIx; 2]> {
    if study.gallery.images.is_empty() || study.gallery.captions.len() < CAPTIONS {
        return Vec::new();
    }
    let scores = models.iter().map(|&model| scores(study, &study.models[model]));
    let scores: Vec<Vec<u64>> = scores.collect();
    let alike = |at: usize| {
        let first = scores[..at].iter().position(|before| *before == scores[at])?;
        Some([models[first], models[at]])
    };
    (1..models.len()).filter_map(alike).collect()
}

/// The scores of all captions for some images, each in one number; of ranked lists their order.
fn scores(study: &Study, model: &Model) -> Vec<u64> {
    let images = study.gallery.images.len();
    let looked_at = images.min(IMAGES);
    let images: Vec<usize> = (0..looked_at).map(|at| at * images / looked_at).collect();
    rows::each(&model.scores, Direction::I2t, &images, |_, row| {
        // A faster one takes scores for their negatives, where these are even in number.
        let mut hasher = DefaultHasher::new();
        row.scores.iter().for_each(|score| hasher.write_u64(score.to_bits()));
        hasher.finish()
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Depth, testing};
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
        assert!(one.subject.contains("copy") && one.found.ends_with("as broad does"), "{one:#?}");
    }

    #[test]
    fn negated_scores_are_others() {
        let mut study = testing::study(testing::noise);
        let negated = testing::study(|image, caption| -testing::noise(image, caption));
        study.models.extend(negated.models.iter().cloned());
        assert!(alike(&study, &[ModelIx::new(0), ModelIx::new(1)]).is_empty());
    }
}
