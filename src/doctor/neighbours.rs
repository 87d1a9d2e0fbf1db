//! Whether images are shifted against their captions by a few places: pairs of neighbours then score higher than those
//! that belong together. Where neighbours are alike, as in data sets sorted by what pictures show, shifted pairs still
//! score higher than random ones, and [`super::order`] sees nothing.

use super::exam::Exam;
use super::order::misordered;
use super::sample::{DISTANCES, Sample};
use super::{Check, Finding, Needs};
use crate::data::Direction;
use crate::data::scores::Model;
use crate::study::percentile::Percentile;

pub(super) const CHECK: Check = Check {
    name: "neighbours",
    title: "images shifted",
    doc: "whether the captions of an earlier or a later image score higher than an image's own",
    needs: Needs::Pairs,
    find,
};

/// So much higher in the mean is no chance: of 500 queries the mean of random pairs has a standard error of 0.013.
const HIGHER: f64 = 0.05;

fn find(exam: &Exam) -> Vec<Finding> {
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
    fn images_that_are_shifted_are_found_out_where_neighbours_are_alike() {
        // Captions of the images beside score high, too.
        let alike = |image: usize, caption: usize| {
            let beside = |distance| good((image + distance) % 20, caption);
            good(image, caption) + 0.5 * (beside(1) + beside(19))
        };
        assert_nothing(&CHECK, &study(alike));
        let shifted = study(|image, caption| alike((image + 1) % 20, caption));
        assert_problem(&CHECK, &shifted, &["the image 1 later", "--image-ids"]);
        let shifted = study(|image, caption| alike((image + 19) % 20, caption));
        assert_problem(&CHECK, &shifted, &["the image 1 earlier"]);
        // By as much that nothing is alike: no pair scores higher than random ones, which is told of the order.
        assert_nothing(&CHECK, &study(|image, caption| alike((image + 9) % 20, caption)));
        assert_nothing(&CHECK, &study(noise));
    }
}
