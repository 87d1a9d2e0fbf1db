//! Cells that are not numbers.

use super::Finding;
use super::exam::{Exam, MatrixFile};
use crate::data::text::numpy_command;

/// Finds the first NaN of each matrix file.
pub(super) fn find_nan(exam: &Exam) -> Vec<Finding> {
    exam.matrix_files.iter().filter_map(first_nan).collect()
}

/// The finding for the first NaN of a matrix file; `None` without NaN.
fn first_nan(file: &MatrixFile) -> Option<Finding> {
    let cell = file.matrix.describe_first(f64::is_nan)?;
    let last = "n.nan_to_num(a, nan=-n.inf, posinf=n.inf, neginf=-n.inf)";
    let fix = format!(
        "find where the model's score becomes NaN; or rank such cells last: {}",
        numpy_command(last, &file.path(), "without-nan")
    );
    Some(
        Finding::problem(file.subject(), format!("NaN, first at {cell}"))
            .effect("NaN has no rank: the model is refused")
            .fix(fix),
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
        assert_nothing(find_nan, &study(good));
        assert_problem(
            find_nan,
            &with_cell((3, 41), f64::NAN),
            &["image 3, caption 41", "nan_to_num"],
        );
    }
}
