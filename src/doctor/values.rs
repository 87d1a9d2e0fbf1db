//! NaN and infinities.

use super::exam::{Exam, Table};
use super::{Check, Finding, Needs};
use crate::data::text::{grouped, numpy_command};

pub(super) const CHECK: Check = Check {
    name: "values",
    title: "NaN or infinity",
    doc: "NaN and infinities among the scores",
    needs: Needs::Matrix,
    find,
};

fn find(exam: &Exam) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    for table in &exam.tables {
        found.extend(nan(table));
        found.extend(infinities(table));
    }
    found
}

fn nan(table: &Table) -> Option<Finding> {
    let nan = table.scan.nan;
    let (image, caption) = nan.first(table.matrix)?;
    let cells = cells(nan.count);
    let found = format!(
        "NaN in {cells}, the first at image {}, caption {} (counted from 0)",
        grouped(image),
        grouped(caption)
    );
    let last = "n.nan_to_num(a, nan=-n.inf, posinf=n.inf, neginf=-n.inf)";
    let mend = format!(
        "find where the model's score becomes NaN; or rank such cells last: {}",
        numpy_command(last, &table.file(), "without-nan")
    );
    Some(
        Finding::problem(table.subject(), found)
            .effect("NaN has no rank: the model is refused")
            .mend(mend),
    )
}

fn infinities(table: &Table) -> Option<Finding> {
    let [high, low] = [table.scan.high, table.scan.low];
    let told = [("+infinity", high), ("-infinity", low)].into_iter();
    let told = told.filter_map(|(what, found)| {
        let (image, caption) = found.first(table.matrix)?;
        let (image, caption) = (grouped(image), grouped(caption));
        let cells = cells(found.count);
        Some(format!("{what} in {cells}, the first at image {image}, caption {caption}"))
    });
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| {
        Finding::note(table.subject(), told.join("; "))
            .effect("infinities are scores, first and last of all; equal ones rank by index")
    })
}

fn cells(count: usize) -> String {
    match count {
        1 => "1 cell".into(),
        count => format!("{} cells", grouped(count)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::testing::{assert_note, assert_nothing, assert_problem, good, study};

    fn at(place: (usize, usize), value: f64) -> crate::study::Study {
        study(|image, caption| if (image, caption) == place { value } else { good(image, caption) })
    }

    #[test]
    fn nan_is_counted_and_placed() {
        assert_nothing(&CHECK, &study(good));
        assert_problem(
            &CHECK,
            &at((3, 41), f64::NAN),
            &["1 cell,", "image 3, caption 41", "nan_to_num"],
        );
    }

    #[test]
    fn infinities_are_a_note() {
        assert_note(&CHECK, &at((3, 41), f64::INFINITY), &["+infinity in 1 cell", "caption 41"]);
        assert_note(&CHECK, &at((0, 1), f64::NEG_INFINITY), &["-infinity in 1 cell"]);
    }
}
