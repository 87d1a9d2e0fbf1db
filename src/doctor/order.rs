//! Whether ids are in the order of the matrix, unshifted: then positive pairs score higher than random ones.

use std::fmt::Display;

use super::Finding;
use super::exam::Exam;
use super::sample::Sample;
use crate::data::scores::{Model, Scores};
use crate::data::{Direction, PerDirection};
use crate::study::percentile::Percentile;
use crate::study::{Note, Topic};

pub(super) fn find(exam: &Exam) -> Vec<Finding> {
    if exam.pairs().is_none() {
        return untold(exam);
    }
    let of_model = |(model, samples): (&Model, &PerDirection<Option<Sample>>)| {
        let by_chance =
            |sample: &Sample| sample.read.filter(|read| read.is_chance() && !sample.is_constant());
        let found = means(samples, by_chance)?;
        if let Scores::Lists(_) = model.scores {
            let subject = format!("model {} ({})", model.name, model.source);
            let finding =
                Finding::problem(subject, "positives rank no higher than other listed items");
            return Some(
                finding
                    .detail(found)
                    .effect(
                        "either the model is at chance, or the ground truth is of other queries",
                    )
                    .mend("check that both files are of one data set and split"),
            );
        }
        let finding = misordered(
            exam,
            model,
            "positive pairs score like random pairs",
            "rows or columns are probably in another order than the ids: every number compares the wrong pairs",
        );
        Some(finding.detail(found))
    };
    exam.samples().filter_map(of_model).collect()
}

/// That the ids of a model are in another order than its scores.
pub(super) fn misordered(
    exam: &Exam,
    model: &Model,
    found: impl Display,
    effect: impl Display,
) -> Finding {
    let is_assumed = |note: &Note| note.topic == Topic::Assumed;
    let mend = if exam.study.notes.iter().any(is_assumed) {
        "name a ground truth or COCO captions: they tell which captions belong to which image"
    } else {
        "--image-ids FILE --caption-ids FILE, in the order in which the scores were computed; where a flag says that \
         captions or images stand first, leave it out"
    };
    Finding::problem(format!("model {} ({})", model.name, model.source), found)
        .effect(effect)
        .mend(mend)
}

/// Without any pairs to look at, that is said.
fn untold(exam: &Exam) -> Vec<Finding> {
    let told = || {
        Finding::note("inputs", "no ground truth tells which pairs belong together")
            .effect("whether ids are in the order of the scores is not known")
            .mend("add the original ground truth, or the captions file")
    };
    let finding = (!exam.study.models.is_empty()).then(told);
    finding.into_iter().collect()
}

/// The mean percentiles that `concern`, in words; `None` where none does.
pub(super) fn means(
    samples: &PerDirection<Option<Sample>>,
    concern: impl Fn(&Sample) -> Option<Percentile>,
) -> Option<String> {
    let of_direction = |direction: Direction| {
        let mean = concern(samples[direction].as_ref()?)?.mean;
        Some(format!("{mean:.2} in {direction}"))
    };
    let found: Vec<String> = Direction::BOTH.into_iter().filter_map(of_direction).collect();
    (!found.is_empty())
        .then(|| format!("mean percentile {} (0.5 is chance, 1 is best)", found.join(", ")))
}

/// So much lower than others is the caption of another image; those of one image differ by a few hundredths.
const APART: f64 = 0.2;
/// Captions of an image, at least: of two, one at chance tells nothing of the other.
const CAPTIONS: usize = 3;

/// Whether captions are shifted by one or two places against rows or columns: most captions of an image are still its own,
/// but the first or the last caption of the images scores far lower than others, as if it were of another one.
pub(super) fn shifted(exam: &Exam) -> Vec<Finding> {
    let of_model = |(model, samples): (&Model, &PerDirection<Option<Sample>>)| {
        let places = &samples[Direction::I2t].as_ref()?.by_place;
        let means: Vec<f64> = places.iter().map(|place| place.mean).collect();
        let [first, .., last] = means[..] else {
            return None;
        };
        // Pairs that score like random ones differ by chance.
        let greatest = places.iter().copied().max_by(|a, b| a.mean.total_cmp(&b.mean))?;
        let is_shifted = greatest.is_high() && greatest.mean > first.min(last) + APART;
        (means.len() >= CAPTIONS && is_shifted).then(|| {
            let shown: Vec<String> = means.iter().map(|mean| format!("{mean:.2}")).collect();
            let found = format!("the {} captions of an image score by their place", means.len());
            misordered(
                exam,
                model,
                found,
                "ids are probably shifted against rows or columns: every number compares some wrong pairs",
            )
            .detail(format!("mean percentiles {}", shown.join(", ")))
        })
    };
    exam.samples().filter_map(of_model).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::data::scores::{Lists, Scores};
    use crate::doctor::testing::{
        assert_note, assert_nothing, assert_problem, good, noise, study, with,
    };

    #[test]
    fn shuffled_ids_are_found_out() {
        assert_nothing(find, &study(good));
        let shuffled = study(|image, caption| good(image * 9 % 20, caption));
        assert_problem(find, &shuffled, &["like random pairs", "--image-ids", "i2t", "t2i"]);
    }

    /// Of which nothing is known, as `ties` tells.
    #[test]
    fn equal_scores_tell_nothing_of_ids() {
        assert_nothing(find, &study(|_, _| 1.0));
    }

    #[test]
    fn a_negated_matrix_is_in_order() {
        assert_nothing(find, &study(|image, caption| -good(image, caption)));
    }

    #[test]
    fn captions_by_their_place_are_found_out() {
        let interleaved = study(|image, caption| good(image, caption % 20 * 3 + caption / 20));
        assert_problem(find, &interleaved, &["like random pairs", "--caption-ids"]);
    }

    #[test]
    fn lists_are_looked_at_by_their_places() {
        let lists = |image: fn(usize) -> usize| {
            let i2t: Vec<[u32; 3]> =
                (0..20).map(|i| [0, 1, 2].map(|n| (image(i) * 3 + n) as u32)).collect();
            let i2t = i2t.iter().map(|list| (&list[..], &[][..]));
            let mut study = study(good);
            let i2t = Lists::new(60, i2t);
            with(
                &mut study,
                Scores::Lists(Arc::new(PerDirection { i2t, t2i: Lists::none(60, 20) })),
            );
            study
        };
        assert_nothing(find, &lists(|image| image));
        assert_problem(find, &lists(|image| image * 7 % 20 + usize::from(image == 0)), &["in i2t"]);
    }

    #[test]
    fn without_pairs_it_is_said_that_nothing_tells() {
        let mut study = study(good);
        study.truths.clear();
        assert_note(find, &study, &["not known"]);
    }

    #[test]
    fn captions_that_are_shifted_by_one_are_found_out() {
        assert_nothing(shifted, &study(good));
        let moved = study(|image, caption| good(image, (caption + 59) % 60));
        assert_problem(shifted, &moved, &["by their place", "--caption-ids"]);
        let moved = study(|image, caption| good(image, (caption + 1) % 60));
        assert_problem(shifted, &moved, &["by their place"]);
        assert_nothing(shifted, &study(noise));
        for by in 3..9 {
            assert_nothing(shifted, &study(|image, caption| good((image + by) % 20, caption)));
        }
    }
}
