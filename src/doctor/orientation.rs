//! Which way round a matrix was understood.
//!
//! Where files are opened, sizes and original pairs decide. What the user says stands against both.

use super::Finding;
use super::exam::{Exam, Table};
use super::sample::Sample;
use crate::data::text::grouped;

pub(super) fn find(exam: &Exam) -> Vec<Finding> {
    exam.tables
        .iter()
        .filter(|table| exam.fits_both_ways(table.matrix))
        .filter_map(|table| of_table(exam, table))
        .collect()
}

fn of_table(exam: &Exam, table: &Table) -> Option<Finding> {
    let (_, samples) = exam.samples().find(|(model, _)| std::ptr::eq(*model, table.model))?;
    let samples = table.directions.iter().filter_map(|&d| samples[d].as_ref());
    let samples: Vec<&Sample> = samples.collect();
    if samples.iter().any(|sample| sample.is_turned()) {
        return Some(wrong(table, &samples));
    }
    None
}

fn wrong(table: &Table, samples: &[&Sample]) -> Finding {
    let mend = if table.matrix.captions_first() { "--images-first" } else { "--captions-first" };
    let found = format!(
        "{}, and positive pairs score high only the other way ({})",
        size(table),
        means(samples)
    );
    Finding::problem(table.subject(), found)
        .effect("images and captions are taken for each other: every number is wrong")
        .mend(mend)
}

fn size(table: &Table) -> String {
    let read = ["images first", "captions first"][usize::from(table.matrix.captions_first())];
    format!(
        "{} images x {} captions, read as {read}, but either way fits",
        grouped(table.matrix.images()),
        grouped(table.matrix.captions())
    )
}

fn means(samples: &[&Sample]) -> String {
    let of_one = |s: &&Sample| Some(format!("{:.2} against {:.2}", s.read?.mean, s.turned?.mean));
    let means: Vec<String> = samples.iter().filter_map(of_one).collect();
    format!("mean percentile {}", means.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::testing::{assert_nothing, assert_problem, good, noise, sized, study};

    /// Twelve images and twelve captions; the caption at `c` was written for the image at `c + 1`.
    fn square(score: impl Fn(usize, usize) -> f64) -> crate::study::Study {
        sized([12, 12], |caption| (caption + 1) % 12, score)
    }

    fn right(image: usize, caption: usize) -> f64 {
        noise(image, caption) + if image == (caption + 1) % 12 { 2.0 } else { 0.0 }
    }

    #[test]
    fn a_square_matrix_with_captions_first_is_found_out() {
        assert_problem(
            find,
            &square(|image, caption| right(caption, image)),
            &["--captions-first", "1.00"],
        );
        assert_nothing(find, &square(right));
    }

    #[test]
    fn a_diagonal_tells_nothing() {
        let diagonal = |image, caption| {
            if image == caption { 2.0 } else { noise(image, caption) }
        };
        assert_nothing(find, &sized([12, 12], |caption| caption, diagonal));
    }

    #[test]
    fn sizes_tell_where_ids_are_known() {
        assert_nothing(find, &study(good));
    }

    #[test]
    fn without_ids_the_right_pairs_tell() {
        let mut wrong = sized([60, 20], |caption| caption, |row, column| good(column, row));
        wrong.gallery.captions = crate::data::id::IdList::counted(20);
        let pairs: Vec<(usize, usize)> = (0..20).map(|caption| (caption / 3, caption)).collect();
        wrong.truths = vec![crate::doctor::testing::truth("original", &pairs, &wrong.gallery)];
        assert_problem(find, &wrong, &["60 images x 20 captions", "--captions-first"]);
    }
}
