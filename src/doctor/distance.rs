//! Distances instead of similarities: positives then rank last.

use super::Finding;
use super::exam::Exam;
use super::order::describe_means;
use super::sample::Sample;
use crate::data::scores::{Model, Scores};
use crate::data::text::numpy_command;
use crate::data::{Direction, PerDirection};
use crate::study::percentile::Percentile;

/// Finds models whose positives rank last.
pub(super) fn find(exam: &Exam) -> Vec<Finding> {
    let find_in_model = |(model, samples): (&Model, &PerDirection<Option<Sample>>)| {
        let found = describe_means(samples, low_percentile)?;
        let subject = format!("model {} ({})", model.name, model.source);
        Some(
            Finding::problem(subject, "positive pairs score lowest")
                .detail(found)
                .effect("the scores are negated, or distances: every ranking is upside down")
                .fix(fix(model, samples)),
        )
    };
    exam.samples().filter_map(find_in_model).collect()
}

/// The percentile that shows that positives rank last; `None` if they do not. For ranked lists, the percentile among
/// listed items counts too: positives in a list rank above all unlisted items.
fn low_percentile(sample: &Sample) -> Option<Percentile> {
    [sample.own, sample.in_lists].into_iter().flatten().find(|percentile| percentile.is_low())
}

/// The fix: commands that negate the scores, where files have them.
fn fix(model: &Model, samples: &PerDirection<Option<Sample>>) -> String {
    let negate = |file: &str| numpy_command("-a", file, "negated");
    match &model.scores {
        Scores::Matrix(_) => negate(&model.source),
        Scores::Two(sides) => {
            let is_low = |d: &Direction| samples[*d].as_ref().and_then(low_percentile).is_some();
            let low = Direction::BOTH.into_iter().filter(is_low);
            let mut files: Vec<String> =
                low.map(|d| sides[d].matrix.npy().source().display()).collect();
            files.dedup();
            files.iter().map(|file| negate(file)).collect::<Vec<_>>().join("; ")
        }
        Scores::Mixture(_) => format!("for each model that scores so: {}", negate("FILE")),
        Scores::Embeddings(_) => format!("for one of the two files: {}", negate("FILE")),
        Scores::Phi(_) => "name the captions of this gallery".into(),
        Scores::Lists(_) => "write the lists best first".into(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::data::npy::Npy;
    use crate::data::scores::{Lists, ScoreMatrix, Side};
    use crate::doctor::test_studies::{
        assert_nothing, assert_problem, good, run_check, set_scores, study,
    };

    #[test]
    fn a_negated_matrix_is_found_out() {
        assert_nothing(find, &study(good));
        assert_nothing(find, &study(|image, caption| good(image * 7 % 20, caption)));
        let negated = study(|image, caption| -good(image, caption));
        assert_problem(find, &negated, &["lowest: ", "0.00 in i2t", "m.npy m-negated.npy"]);
    }

    #[test]
    fn lists_that_end_with_the_best_are_found_out() {
        let lists = |of: fn(u32) -> [u32; 4]| {
            let i2t: Vec<[u32; 4]> = (0..20).map(of).collect();
            let i2t = Lists::new(60, i2t.iter().map(|list| (&list[..], &[][..])));
            let mut study = study(good);
            let both = PerDirection { i2t, t2i: Lists::empty(60, 20) };
            set_scores(&mut study, Scores::Lists(Arc::new(both)));
            study
        };
        assert_nothing(find, &lists(|i| [3 * i, 3 * i + 1, (3 * i + 7) % 60, (3 * i + 11) % 60]));
        let reversed = lists(|i| [(3 * i + 7) % 60, (3 * i + 11) % 60, 3 * i, 3 * i + 1]);
        assert_problem(find, &reversed, &["lowest", "in i2t", "best first"]);
    }

    #[test]
    fn of_two_files_the_wrong_one_is_named() {
        let side = |name, sign: f64| {
            let cells = (0..20 * 60).map(|at| sign * good(at / 60, at % 60));
            let matrix = ScoreMatrix::new(Npy::in_memory(name, [20, 60], cells), false).unwrap();
            Side::new(matrix, Direction::I2t, None)
        };
        let two = PerDirection { i2t: side("a.npy", 1.0), t2i: side("b.npy", -1.0) };
        let mut study = study(good);
        set_scores(&mut study, Scores::Two(Arc::new(two)));
        let one = run_check(find, &study).remove(0);
        assert!(
            one.found_with_detail().contains("t2i") && !one.found_with_detail().contains("i2t"),
            "{one:?}"
        );
        let fix = one.fix.unwrap();
        assert!(fix.contains("b.npy") && !fix.contains("a.npy"), "{fix}");
    }
}
