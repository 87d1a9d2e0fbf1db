//! Distances where similarities are wanted: then right pairs stand at the end.

use super::exam::Exam;
use super::order::means;
use super::sample::Sample;
use super::{Check, Finding};
use crate::data::scores::{Model, Scores};

pub(super) const CHECK: Check = Check {
    name: "distance",
    doc: "whether right pairs score lowest, as they do if scores are distances",
    find,
};

fn find(exam: &Exam) -> Vec<Finding> {
    let Some(truth) = exam.pairs() else {
        return Vec::new();
    };
    let of_model = |(model, samples): (&Model, _)| {
        let low = |sample: &Sample| {
            let low = sample.read?.is_low() && !sample.is_turned();
            low.then_some(())
        };
        let found = means(truth, samples, low)?;
        let subject = format!("model {} ({})", model.name, model.source);
        Some(
            Finding::problem(subject, format!("right pairs score lowest: {found}"))
                .effect("the scores are distances, or negated: every ranking is upside down")
                .mend(mend(model)),
        )
    };
    exam.samples().filter_map(of_model).collect()
}

fn mend(model: &Model) -> String {
    let negate = |what: &str, file: &str| {
        format!("{what}python3 -c \"import numpy as np; np.save('neg.npy', -np.load('{file}'))\"")
    };
    match &model.scores {
        Scores::Matrix(_) => negate("", &model.source),
        Scores::Two(sides) => negate("", &sides.i2t.matrix.npy().source().display()),
        Scores::Embeddings(_) => negate("of one of the two files: ", "F"),
        Scores::Lists(_) => "write the lists best first".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::testing::{assert_nothing, assert_problem, good, study};

    #[test]
    fn a_negated_matrix_is_found_out() {
        assert_nothing(&CHECK, &study(good));
        assert_nothing(
            &CHECK,
            &study(|image, caption| good(image * 7 % 20, caption)),
        );
        let negated = study(|image, caption| -good(image, caption));
        assert_problem(
            &CHECK,
            &negated,
            &["lowest: ", "0.00 in i2t", "-np.load('m.npy')"],
        );
    }
}
