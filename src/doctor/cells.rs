//! Cells that are no scores, or no numbers.

use super::Finding;
use super::exam::{Exam, Table};
use crate::data::Direction;
use crate::data::scores::{Model, Scores};
use crate::data::text::{grouped, numpy_command};

/// The first NaN of each matrix.
pub(super) fn values(exam: &Exam) -> Vec<Finding> {
    exam.tables.iter().filter_map(nan).collect()
}

fn nan(table: &Table) -> Option<Finding> {
    let (cell, _) = table.matrix.first_named(f64::is_nan)?;
    let last = "n.nan_to_num(a, nan=-n.inf, posinf=n.inf, neginf=-n.inf)";
    let mend = format!(
        "find where the model's score becomes NaN; or rank such cells last: {}",
        numpy_command(last, &table.file(), "without-nan")
    );
    Some(
        Finding::problem(table.subject(), format!("NaN, first at {cell}"))
            .effect("NaN has no rank: the model is refused")
            .mend(mend),
    )
}

/// The fill value of re-ranked matrices, and how far their rankings go.
pub(super) fn fill(exam: &Exam) -> Vec<Finding> {
    let sides = exam.study.models.iter().flat_map(|model| {
        Direction::both(|direction| of_side(model, direction)).into_iter().flatten()
    });
    sides.collect()
}

fn of_side(model: &Model, direction: Direction) -> Option<Finding> {
    let Scores::Two(sides) = &model.scores else {
        return None;
    };
    let side = &sides[direction];
    let (fill, depths) = (side.fill?, side.depths.as_ref()?);
    let (least, most) = (*depths.iter().min()?, *depths.iter().max()?);
    let depth = if least == most { least.to_string() } else { format!("{least} to {most}") };
    let items = grouped(side.matrix.side_len(direction.flipped()));
    let found = format!(
        "{direction}: cells of {fill} are not scored; {depth} of {items} items are, for each query"
    );
    let subject = format!("{} (model {})", side.matrix.npy().source().display(), model.name);
    Some(
        Finding::note(subject, found)
            .effect("rankings end there: a metric that looks deeper is refused where a positive is among the unscored")
            .mend("score more items of each query; --dense, if these cells are scores"),
    )
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::data::PerDirection;
    use crate::data::scores::Side;
    use crate::doctor::testing::{assert_nothing, assert_problem, found, good, study, with};
    use crate::study::Study;

    /// The own captions of each image and some others are scored.
    fn filled(fill: f64, others: usize) -> Study {
        let scored = |i: usize, c: usize| c / 3 == i || (c + i) % 20 < others;
        study(move |i, c| if scored(i, c) { good(i, c) } else { fill })
    }

    fn sides(mut study: Study, fill: f64) -> Study {
        let Scores::Matrix(matrix) = study.models[0].scores.clone() else {
            unreachable!("made as one matrix");
        };
        let side = |direction| Side::new((*matrix).clone(), direction, Some(fill));
        with(&mut study, Scores::Two(Arc::new(PerDirection::from_fn(side))));
        study
    }

    #[test]
    fn a_fill_is_told_with_its_depth() {
        assert_nothing(fill, &study(good));
        let notes = found(fill, &sides(filled(-800.0, 4), -800.0));
        assert_eq!(notes.len(), 2, "{notes:#?}");
        assert!(
            notes[0].found.contains("i2t: cells of -800") && notes[0].found.contains("of 60 items")
        );
        assert_eq!(notes[0].severity, crate::doctor::Severity::Note);
    }

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
