//! Whether captions are shifted by one or two against their images: most of an image's captions then are still its own.

use super::exam::Exam;
use super::rows;
use super::sample::{Percentile, percentiles, queries};
use super::{Check, Finding, Needs};
use crate::data::Direction;
use crate::data::scores::Model;

pub(super) const CHECK: Check = Check {
    name: "shift",
    doc: "whether the first or the last caption of the images scores far lower than others, as if it were of another one",
    needs: Needs::Pairs,
    find,
};

/// So much lower than others is the caption of another image; those of one image differ by a few hundredths.
const APART: f64 = 0.2;
/// Captions of an image, at least: of two, one at chance tells nothing of the other.
const CAPTIONS: usize = 3;

fn find(exam: &Exam) -> Vec<Finding> {
    let models = exam.study.models.iter();
    models.filter_map(|model| of_model(exam, model)).collect()
}

fn of_model(exam: &Exam, model: &Model) -> Option<Finding> {
    let direction = Direction::I2t;
    let relevance = exam.pairs()?.relevance[direction].as_ref()?;
    let own = |query: usize| {
        relevance
            .place(query)
            .map(|place| relevance.positives(place))
    };
    let queries = queries(exam, model, direction, Some(relevance));
    let each = rows::each(&model.scores, direction, &queries, |query, row| {
        own(query).map_or(Vec::new(), |own| percentiles(&row.scores, own))
    });
    let count = each.first()?.len();
    if count < CAPTIONS || each.iter().any(|of_query| of_query.len() != count) {
        return None;
    }
    let at_place =
        |place: usize| Percentile::over(each.iter().map(|of_query| Some(of_query[place])));
    let places: Vec<Percentile> = (0..count).map(at_place).collect::<Option<_>>()?;
    let lower = |one: &usize, other: &usize| places[*one].mean.total_cmp(&places[*other].mean);
    let end = [0, count - 1].into_iter().min_by(lower)?;
    let greatest = places.iter().map(|place| place.mean).fold(0.0, f64::max);
    (greatest > places[end].mean + APART).then(|| {
        let means: Vec<String> = places.iter().map(|place| format!("{:.2}", place.mean)).collect();
        let found = format!(
            "the {count} captions of an image score by their place: mean percentiles {}",
            means.join(", ")
        );
        Finding::problem(format!("model {} ({})", model.name, model.source), found)
            .effect("ids are probably shifted against rows or columns: every number compares some wrong pairs")
            .mend("--image-ids FILE --caption-ids FILE, in the order in which the scores were computed")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::testing::{assert_nothing, assert_problem, good, noise, study};

    #[test]
    fn captions_that_are_shifted_by_one_are_found_out() {
        assert_nothing(&CHECK, &study(good));
        let shifted = study(|image, caption| good(image, (caption + 59) % 60));
        assert_problem(&CHECK, &shifted, &["by their place", "--caption-ids"]);
        let shifted = study(|image, caption| good(image, (caption + 1) % 60));
        assert_problem(&CHECK, &shifted, &["by their place"]);
        assert_nothing(&CHECK, &study(noise));
    }
}
