//! Whether ids are shifted by a few places against rows or columns.
//!
//! Where captions are shifted by one or two, most captions of an image are still its own. Where images are shifted, pairs of
//! neighbours score higher than those that belong together; where neighbours are alike, as in data sets sorted by what
//! pictures show, shifted pairs still score higher than random ones, and [`super::order`] sees nothing.

use super::Finding;
use super::exam::Exam;
use super::order::misordered;
use super::sample::{DISTANCES, Sample};
use crate::data::scores::Model;
use crate::data::{Direction, PerDirection};
use crate::study::percentile::Percentile;

/// So much lower than others is the caption of another image; those of one image differ by a few hundredths.
const APART: f64 = 0.2;
/// Captions of an image, at least: of two, one at chance tells nothing of the other.
const CAPTIONS: usize = 3;

/// Whether the first or the last caption of the images scores far lower than others, as if it were of another one.
pub(super) fn captions(exam: &Exam) -> Vec<Finding> {
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

/// So much higher in the mean is no chance: of 500 queries the mean of random pairs has a standard error of 0.013.
const HIGHER: f64 = 0.05;

/// Whether the captions of an earlier or a later image score higher than an image's own.
pub(super) fn images(exam: &Exam) -> Vec<Finding> {
    let found = exam
        .samples()
        .filter_map(|(model, samples)| of_sample(exam, model, samples[Direction::I2t].as_ref()?));
    found.collect()
}

fn of_sample(exam: &Exam, model: &Model, sample: &Sample) -> Option<Finding> {
    let [own, others @ ..] = sample.beside;
    // Pairs that score like random ones, or lower, are told of by other checks.
    let own = own.filter(|own| own.is_high())?.mean;
    let others = DISTANCES[1..].iter().zip(others);
    let others = others
        .filter_map(|(distance, of): (&isize, Option<Percentile>)| Some((*distance, of?.mean)));
    let (distance, mean) = others.max_by(|(_, one), (_, other)| one.total_cmp(other))?;
    let (count, side) = (distance.unsigned_abs(), ["later", "earlier"][usize::from(distance < 0)]);
    (mean > own + HIGHER).then(|| {
        misordered(
            exam,
            model,
            format!("the captions of the image {count} {side} in order score higher than an image's own"),
            "ids are probably shifted against rows or columns: every number compares the wrong pairs",
        )
        .detail(format!("mean percentile {mean:.2} against {own:.2} (0.5 is chance, 1 is best)"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::testing::{assert_nothing, assert_problem, good, noise, study};

    #[test]
    fn captions_that_are_shifted_by_one_are_found_out() {
        assert_nothing(captions, &study(good));
        let shifted = study(|image, caption| good(image, (caption + 59) % 60));
        assert_problem(captions, &shifted, &["by their place", "--caption-ids"]);
        let shifted = study(|image, caption| good(image, (caption + 1) % 60));
        assert_problem(captions, &shifted, &["by their place"]);
        assert_nothing(captions, &study(noise));
        for by in 3..9 {
            assert_nothing(captions, &study(|image, caption| good((image + by) % 20, caption)));
        }
    }

    #[test]
    fn images_that_are_shifted_are_found_out_where_neighbours_are_alike() {
        // Captions of the images beside score high, too.
        let alike = |image: usize, caption: usize| {
            let beside = |distance| good((image + distance) % 20, caption);
            good(image, caption) + 0.5 * (beside(1) + beside(19))
        };
        assert_nothing(images, &study(alike));
        let shifted = study(|image, caption| alike((image + 1) % 20, caption));
        assert_problem(images, &shifted, &["the image 1 later", "--image-ids"]);
        let shifted = study(|image, caption| alike((image + 19) % 20, caption));
        assert_problem(images, &shifted, &["the image 1 earlier"]);
        // By as much that nothing is alike: no pair scores higher than random ones, which is told of the order.
        assert_nothing(images, &study(|image, caption| alike((image + 9) % 20, caption)));
        assert_nothing(images, &study(noise));
    }
}
