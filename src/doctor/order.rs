//! Whether ids are in matrix order, unshifted: then positives score higher than random pairs.

use std::fmt::Display;

use super::Finding;
use super::exam::Exam;
use super::others::MIN_CONCLUSIVE;
use super::sample::{Part, Sample};
use crate::data::scores::{Model, Scores};
use crate::data::text::grouped;
use crate::data::{Direction, PerDirection};
use crate::study::percentile::Percentile;
use crate::study::{Note, Topic};

/// Finds models whose positives score like random pairs, or low in parts, as if ids were in another order; a note if no
/// truth has pairs.
pub(super) fn find(exam: &Exam) -> Vec<Finding> {
    if exam.truth().is_none() {
        return no_pairs(exam);
    }
    let find_in_model = |(model, samples): (&Model, &PerDirection<Option<Sample>>)| {
        let at_chance =
            |sample: &Sample| sample.own.filter(|own| own.is_chance() && !sample.is_constant());
        let Some(found) = describe_means(samples, at_chance) else {
            return disorder(exam, model, samples);
        };
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
                    .fix("check that both files are of one data set and split"),
            );
        }
        let finding = order_finding(
            exam,
            model,
            "positive pairs score like random pairs",
            "rows or columns are probably in another order than the ids: every number compares the wrong pairs",
        );
        Some(finding.detail(found))
    };
    exam.samples().filter_map(find_in_model).collect()
}

/// Finds rows partly out of order: some score far lower than the others, or each query's own positives lower than those
/// of the query before or after; `None` if neither.
fn disorder(exam: &Exam, model: &Model, samples: &PerDirection<Option<Sample>>) -> Option<Finding> {
    let effect = "rows or columns there are probably in another order than the ids: every number compares some wrong pairs";
    let find_in_direction = |direction: Direction| {
        let sample = samples[direction].as_ref()?;
        let own = sample.own.filter(|own| own.is_high())?;
        if let Some(beside) = sample.beside.filter(|beside| beside.mean > own.mean + MIN_GAP) {
            let found = format!(
                "{direction}: positives of the query before or after score higher than a query's own"
            );
            let detail = format!("mean percentiles {:.2} and {:.2}", beside.mean, own.mean);
            return Some(order_finding(exam, model, found, effect).detail(detail));
        }
        let (range, [low, high]) = find_low_parts(&sample.parts)?;
        let [first, last] = range.map(grouped);
        let found = format!(
            "{direction}: positives of queries {first} to {last} score far lower than those of others"
        );
        let detail = format!("mean percentiles {low:.2} and {high:.2}, queries counted from 0");
        Some(order_finding(exam, model, found, effect).detail(detail))
    };
    Direction::BOTH.into_iter().find_map(find_in_direction)
}

/// Two gallery indices, the first query of the first low part and the last query of the last one, then the lowest and
/// the typical mean percentile of parts. `None` if there are few parts, none is far below the typical one, or the
/// typical one is inconclusive.
fn find_low_parts(parts: &[Part]) -> Option<([usize; 2], [f64; 2])> {
    let mut means: Vec<f64> = parts.iter().map(|part| part.mean).collect();
    means.sort_by(f64::total_cmp);
    let typical = *means.get(means.len() * 3 / 4).filter(|mean| **mean >= MIN_CONCLUSIVE)?;
    let mut low = parts.iter().filter(|part| part.mean < typical - MIN_GAP);
    let first = low.next()?;
    let last = low.next_back().unwrap_or(first);
    (parts.len() >= MIN_PARTS).then_some(([first.ends[0], last.ends[1]], [means[0], typical]))
}

/// The finding for ids in another order than the scores of a model.
pub(super) fn order_finding(
    exam: &Exam,
    model: &Model,
    found: impl Display,
    effect: impl Display,
) -> Finding {
    let is_assumed = |note: &Note| note.topic == Topic::Assumed;
    let fix = if exam.study.notes.iter().any(is_assumed) {
        "name a ground truth or COCO captions: they list which captions belong to which image"
    } else {
        "--image-ids FILE --caption-ids FILE, in the order in which the scores were computed; where a flag says that \
         captions or images stand first, leave it out"
    };
    Finding::problem(format!("model {} ({})", model.name, model.source), found)
        .effect(effect)
        .fix(fix)
}

/// The finding that no truth has pairs to check the order against; empty without models.
fn no_pairs(exam: &Exam) -> Vec<Finding> {
    let note = || {
        Finding::note("inputs", "no ground truth lists which pairs belong together")
            .effect("whether ids are in the order of the scores is not known")
            .fix("add the original ground truth, or the captions file")
    };
    (!exam.study.models.is_empty()).then(note).into_iter().collect()
}

/// The mean percentiles that `select` returns for the directions, as text; `None` if it returns none.
pub(super) fn describe_means(
    samples: &PerDirection<Option<Sample>>,
    select: impl Fn(&Sample) -> Option<Percentile>,
) -> Option<String> {
    let describe_mean = |direction: Direction| {
        let mean = select(samples[direction].as_ref()?)?.mean;
        Some(format!("{mean:.2} in {direction}"))
    };
    let found: Vec<String> = Direction::BOTH.into_iter().filter_map(describe_mean).collect();
    (!found.is_empty())
        .then(|| format!("mean percentile {} (0.5 is chance, 1 is best)", found.join(", ")))
}

/// Minimum gap between mean percentiles that shows a wrong order; means within one model differ by a few hundredths.
const MIN_GAP: f64 = 0.2;
/// Minimum number of parts of the sample to compare with each other.
const MIN_PARTS: usize = 3;
/// Minimum number of captions per image: of two, one at chance is inconclusive.
const MIN_CAPTIONS: usize = 3;

/// Finds captions shifted by one or two places against rows or columns: most captions are still at their image, but the
/// first or the last ones score far lower, as if they were of another image.
pub(super) fn find_shifts(exam: &Exam) -> Vec<Finding> {
    let find_in_model = |(model, samples): (&Model, &PerDirection<Option<Sample>>)| {
        let places = &samples[Direction::I2t].as_ref()?.by_place;
        let means: Vec<f64> = places.iter().map(|place| place.mean).collect();
        let [first, .., last] = means[..] else {
            return None;
        };
        // Random-like scores differ by chance.
        let highest = places.iter().copied().max_by(|a, b| a.mean.total_cmp(&b.mean))?;
        let is_shifted = highest.is_high() && highest.mean > first.min(last) + MIN_GAP;
        (means.len() >= MIN_CAPTIONS && is_shifted).then(|| {
            let shown: Vec<String> = means.iter().map(|mean| format!("{mean:.2}")).collect();
            let found = format!("the {} captions of an image score by their place", means.len());
            order_finding(
                exam,
                model,
                found,
                "ids are probably shifted against rows or columns: every number compares some wrong pairs",
            )
            .detail(format!("mean percentiles {}", shown.join(", ")))
        })
    };
    exam.samples().filter_map(find_in_model).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::data::scores::{Lists, Scores};
    use crate::doctor::test_studies::{
        assert_note, assert_nothing, assert_problem, good, noise, set_scores, study, study_of_size,
    };

    #[test]
    fn shuffled_ids_are_found_out() {
        assert_nothing(find, &study(good));
        let shuffled = study(|image, caption| good(image * 9 % 20, caption));
        assert_problem(find, &shuffled, &["like random pairs", "--image-ids", "i2t", "t2i"]);
    }

    /// Nothing is known of these, see `ties`.
    #[test]
    fn a_part_of_the_rows_that_is_out_of_order_is_found_out() {
        let large =
            |score: &dyn Fn(usize, usize) -> f64| study_of_size([200, 600], |c| c / 3, score);
        assert_nothing(find, &large(&good));
        let moved =
            large(&|image, caption| good(if image < 140 { image } else { 339 - image }, caption));
        assert_problem(find, &moved, &["i2t: positives of queries 1", "to 1", "--image-ids"]);
        let negated =
            large(&|image, caption| good(image, caption) * if image < 140 { 1.0 } else { -1.0 });
        assert_problem(find, &negated, &["far lower"]);
    }

    #[test]
    fn neighbouring_rows_that_changed_places_are_found_out() {
        // Captions of the next image score higher than others.
        let near = |image: usize, caption: usize| {
            noise(image, caption)
                + match (caption / 3).abs_diff(image) {
                    0 => 1.0,
                    1 => 0.2,
                    _ => 0.0,
                }
        };
        let large =
            |score: &dyn Fn(usize, usize) -> f64| study_of_size([200, 600], |c| c / 3, score);
        assert_nothing(find, &large(&near));
        assert_problem(
            find,
            &large(&|image, caption| near(image ^ 1, caption)),
            &["before or after"],
        );
    }

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
            set_scores(
                &mut study,
                Scores::Lists(Arc::new(PerDirection { i2t, t2i: Lists::empty(60, 20) })),
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
        assert_nothing(find_shifts, &study(good));
        let moved = study(|image, caption| good(image, (caption + 59) % 60));
        assert_problem(find_shifts, &moved, &["by their place", "--caption-ids"]);
        let moved = study(|image, caption| good(image, (caption + 1) % 60));
        assert_problem(find_shifts, &moved, &["by their place"]);
        assert_nothing(find_shifts, &study(noise));
        for by in 3..9 {
            assert_nothing(find_shifts, &study(|image, caption| good((image + by) % 20, caption)));
        }
    }
}
