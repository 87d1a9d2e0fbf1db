//! Cells that are not numbers.

use super::Finding;
use super::exam::{Exam, MatrixFile};
use crate::data::text::numpy_command;

/// The first NaN of each matrix.
pub(super) fn values(exam: &Exam) -> Vec<Finding> {
    exam.matrix_files.iter().filter_map(nan).collect()
}

fn nan(file: &MatrixFile) -> Option<Finding> {
    let (cell, _) = file.matrix.first_named(f64::is_nan)?;
    let last = "n.nan_to_num(a, nan=-n.inf, posinf=n.inf, neginf=-n.inf)";
    let mend = format!(
        "find where the model's score becomes NaN; or rank such cells last: {}",
        numpy_command(last, &file.path(), "without-nan")
    );
    Some(
        Finding::problem(file.subject(), format!("NaN, first at {cell}"))
            .effect("NaN has no rank: the model is refused")
            .mend(mend),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::test_studies::{assert_nothing, assert_problem, good, study};

    fn with_cell(place: (usize, usize), value: f64) -> crate::study::Study {
        study(|image, caption| if (image, caption) == place { value } else { good(image, caption) })
    }

    #[test]
    fn nan_is_counted_and_placed() {
        assert_nothing(values, &study(good));
        assert_problem(
            values,
            &with_cell((3, 41), f64::NAN),
            &["image 3, caption 41", "nan_to_num"],
        );
    }
}
