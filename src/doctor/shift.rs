//! Whether captions are shifted by one or two places against rows or columns: most captions of an image are still its
//! own, and [`super::order`] sees nothing.

use super::Finding;
use super::exam::Exam;
use super::order::misordered;
use super::sample::Sample;
use crate::data::scores::Model;
use crate::data::{Direction, PerDirection};

/// So much lower than others is the caption of another image; those of one image differ by a few hundredths.
const APART: f64 = 0.2;
/// Captions of an image, at least: of two, one at chance tells nothing of the other.
const CAPTIONS: usize = 3;

/// Whether the first or the last caption of the images scores far lower than others, as if it were of another one.
pub(super) fn find(exam: &Exam) -> Vec<Finding> {
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
    use super::*;
    use crate::doctor::testing::{assert_nothing, assert_problem, good, noise, study};

    #[test]
    fn captions_that_are_shifted_by_one_are_found_out() {
        assert_nothing(find, &study(good));
        let shifted = study(|image, caption| good(image, (caption + 59) % 60));
        assert_problem(find, &shifted, &["by their place", "--caption-ids"]);
        let shifted = study(|image, caption| good(image, (caption + 1) % 60));
        assert_problem(find, &shifted, &["by their place"]);
        assert_nothing(find, &study(noise));
        for by in 3..9 {
            assert_nothing(find, &study(|image, caption| good((image + by) % 20, caption)));
        }
    }
}
