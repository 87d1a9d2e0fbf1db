//! Whether ids are in the order of the matrix: then positive pairs score higher than random ones.

use std::fmt::Display;

use super::exam::Exam;
use super::sample::{Percentile, Sample};
use super::{Check, Finding, Needs};
use crate::data::scores::Model;
use crate::data::text::grouped;
use crate::data::{Direction, PerDirection};
use crate::study::{Note, Topic};
use crate::truth::Truth;

pub(super) const CHECK: Check = Check {
    name: "order",
    doc: "whether positive pairs score higher than random ones, as they do if ids are in order",
    needs: Needs::Pairs,
    find,
};

fn find(exam: &Exam) -> Vec<Finding> {
    let Some(truth) = exam.pairs() else {
        return untold(exam);
    };
    let of_model = |(model, samples): (&Model, _)| {
        let by_chance = |sample: &Sample| {
            let is_chance = sample.read.is_some_and(Percentile::is_chance);
            is_chance && !sample.is_turned() && !sample.is_constant
        };
        let found = means(truth, samples, by_chance)?;
        Some(misordered(
            exam,
            model,
            format!("positive pairs score no higher than random ones: {found}"),
            "ids are probably in another order than rows or columns: every number compares the wrong pairs",
        ))
    };
    exam.samples().filter_map(of_model).collect()
}

/// That the ids of a model are in another order than its scores.
pub(super) fn misordered(
    exam: &Exam,
    model: &Model,
    found: String,
    effect: impl Display,
) -> Finding {
    let is_assumed = |note: &Note| note.topic == Topic::Assumed;
    let mend = if exam.study.notes.iter().any(is_assumed) {
        "name a ground truth or COCO captions: they tell which captions belong to which image"
    } else {
        "--image-ids FILE --caption-ids FILE, in the order in which the scores were computed"
    };
    Finding::problem(format!("model {} ({})", model.name, model.source), found)
        .effect(effect)
        .mend(mend)
}

/// Without any pairs to look at, that is said.
fn untold(exam: &Exam) -> Vec<Finding> {
    let told = || {
        Finding::note(
            "inputs",
            "no ground truth tells which pairs belong together",
        )
        .effect("whether ids are in the order of the scores is not known")
        .mend("add the original ground truth, or the captions file")
    };
    let finding = (!exam.study.models.is_empty()).then(told);
    finding.into_iter().collect()
}

/// The mean percentiles of the directions that `concern`, in words; `None` where none does.
pub(super) fn means(
    truth: &Truth,
    samples: &PerDirection<Option<Sample>>,
    concern: impl Fn(&Sample) -> bool,
) -> Option<String> {
    let of_direction = |direction: Direction| {
        let sample = samples[direction].as_ref()?;
        let (mean, queries) = (sample.read?.mean, grouped(sample.queries));
        concern(sample).then(|| format!("{mean:.2} in {direction} over {queries} queries"))
    };
    let found: Vec<String> = Direction::BOTH
        .into_iter()
        .filter_map(of_direction)
        .collect();
    let found_in = found.join(", ");
    (!found.is_empty()).then(|| {
        format!(
            "mean percentile of the pairs of ground truth {} {found_in} (0.5 is chance, 1 is best)",
            truth.name
        )
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::data::scores::{Lists, Scores};
    use crate::doctor::testing::{assert_note, assert_nothing, assert_problem, good, study, with};

    #[test]
    fn shuffled_ids_are_found_out() {
        assert_nothing(&CHECK, &study(good));
        let shuffled = study(|image, caption| good(image * 7 % 20, caption));
        assert_problem(
            &CHECK,
            &shuffled,
            &["no higher than random", "--image-ids", "i2t", "t2i"],
        );
    }

    /// Of which nothing is known, as `ties` tells.
    #[test]
    fn equal_scores_tell_nothing_of_ids() {
        assert_nothing(&CHECK, &study(|_, _| 1.0));
    }

    #[test]
    fn a_negated_matrix_is_in_order() {
        assert_nothing(&CHECK, &study(|image, caption| -good(image, caption)));
    }

    #[test]
    fn lists_are_looked_at_by_their_places() {
        let lists = |image: fn(usize) -> usize| {
            let i2t: Vec<[u32; 3]> = (0..20)
                .map(|i| [0, 1, 2].map(|n| (image(i) * 3 + n) as u32))
                .collect();
            let i2t = i2t.iter().map(|list| (&list[..], &[][..]));
            let mut study = study(good);
            let i2t = Lists::new(60, i2t);
            with(
                &mut study,
                Scores::Lists(Arc::new(PerDirection {
                    i2t,
                    t2i: Lists::none(60, 20),
                })),
            );
            study
        };
        assert_nothing(&CHECK, &lists(|image| image));
        assert_problem(
            &CHECK,
            &lists(|image| image * 7 % 20 + usize::from(image == 0)),
            &["i2t over 20"],
        );
    }

    #[test]
    fn without_pairs_it_is_said_that_nothing_tells() {
        let mut study = study(good);
        study.truths.clear();
        assert_note(&CHECK, &study, &["not known"]);
    }
}
