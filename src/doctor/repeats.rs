//! Images that stand several times in a row, as in files with a row for each caption's image.

use super::exam::{Exam, Table};
use super::{Check, Finding, Needs};
use crate::data::Direction;
use crate::data::scores::{Embeddings, Product, Rows, Scalar, ScoreMatrix, Scores};
use crate::data::text::grouped;

pub(super) const CHECK: Check = Check {
    name: "repeats",
    doc: "images whose scores are those of the image before",
    needs: Needs::Matrix,
    find,
};

/// Share of repeated images above which it is no chance.
const MANY: f64 = 0.01;
/// Scores of a [`glance`].
const GLANCE: usize = 64;

fn find(exam: &Exam) -> Vec<Finding> {
    let of_tables = exam.tables.iter().filter_map(of_table);
    let of_embeddings = exam.samples().filter_map(|(model, _)| {
        let Scores::Embeddings(embeddings) = &model.scores else {
            return None;
        };
        let images = embeddings.side_len(Direction::I2t);
        let found = match &**embeddings {
            Embeddings::Single(product) => of_product(product),
            Embeddings::Double(product) => of_product(product),
        };
        let subject = format!("{} (model {})", model.source, model.name);
        finding(subject, images, &found, None)
    });
    of_tables.chain(of_embeddings).collect()
}

fn of_table(table: &Table) -> Option<Finding> {
    let matrix = table.matrix;
    if let Some(times) = matrix.folded() {
        let found = format!("each image stands {times} times in a row with equal scores");
        return Some(
            Finding::note(table.subject(), found)
                .effect("each is taken once: numbers are those of the images"),
        );
    }
    let found = if matrix.is_double() {
        repeated::<f64>(matrix, table.fill)
    } else {
        repeated::<f32>(matrix, table.fill)
    };
    if let Some(score) = only_score(matrix, &found) {
        return Some(
            Finding::problem(table.subject(), format!("all scores are {score}"))
                .effect("every ranking is the order of the files")
                .mend("look at what was scored and saved"),
        );
    }
    let run = matrix.image_run_length().filter(|_| !found.is_empty());
    finding(table.subject(), matrix.images(), &found, run)
}

/// The score that all pairs have; `None` where they differ, as they do unless all images have the same scores.
fn only_score(matrix: &ScoreMatrix, repeated: &[usize]) -> Option<f64> {
    if repeated.len() + 1 < matrix.images().max(2) {
        return None;
    }
    let score = glance(matrix, 0)[0];
    let mut buffer = Vec::new();
    let mut same = |row: usize| {
        let run = matrix.run_f64(row, 0..matrix.row_len(), &mut buffer);
        run.iter().all(|other| other.to_bits() == score.to_bits())
    };
    (0..matrix.row_count()).all(&mut same).then_some(score)
}

/// `run` is how often each image stands in a row, where all stand as often.
fn finding(
    subject: String,
    images: usize,
    repeated: &[usize],
    run: Option<usize>,
) -> Option<Finding> {
    let first = repeated.first()?;
    let found = format!(
        "{} of {} images have the scores of the image before (the first is image {first}, counted from 0)",
        grouped(repeated.len()),
        grouped(images)
    );
    let finding = if repeated.len() as f64 > MANY * images as f64 {
        Finding::problem(subject, found)
    } else {
        Finding::note(subject, found)
    };
    let mend = match run {
        _ if repeated.len() + 1 == images => {
            "look at what was scored and saved: no image is told from another".to_owned()
        }
        Some(run) => format!(
            "np.save('once.npy', np.load(F)[::{run}]), if the rows are images, with the ids of these"
        ),
        None => "look whether the same picture or a batch was scored twice".into(),
    };
    Some(
        finding
            .effect("equal images rank by index: the later ones are never found first")
            .mend(mend),
    )
}

/// The images whose scores are those of the image before. Images without any score are not told
/// from each other, and left out.
fn repeated<T: Scalar + PartialOrd>(matrix: &ScoreMatrix, fill: Option<f64>) -> Vec<usize> {
    match matrix.rows() {
        Rows::Images => repeated_runs::<T>(matrix, fill),
        Rows::Captions => repeated_columns::<T>(matrix, fill),
    }
}

fn is_score<T: Scalar>(score: T, fill: Option<f64>) -> bool {
    fill.is_none_or(|fill| score.wide() > fill)
}

fn repeated_runs<T: Scalar>(matrix: &ScoreMatrix, fill: Option<f64>) -> Vec<usize> {
    let (mut one, mut other) = (Vec::new(), Vec::new());
    let mut equal = |row: usize| {
        glance(matrix, row) == glance(matrix, row - 1) && {
            let run = T::run(matrix, row, &mut one);
            run == T::run(matrix, row - 1, &mut other) && run.iter().any(|&s| is_score(s, fill))
        }
    };
    (1..matrix.row_count()).filter(|&row| equal(row)).collect()
}

/// The first scores of a run: most runs differ there, and need not be decoded whole.
fn glance(matrix: &ScoreMatrix, row: usize) -> Vec<f64> {
    let start = 0..GLANCE.min(matrix.row_len());
    matrix.run_f64(row, start, &mut Vec::new()).to_vec()
}

fn repeated_columns<T: Scalar>(matrix: &ScoreMatrix, fill: Option<f64>) -> Vec<usize> {
    // Each with whether a score was seen.
    let mut alike: Vec<(usize, bool)> = (1..matrix.row_len()).map(|at| (at, false)).collect();
    let mut buffer = Vec::new();
    for row in 0..matrix.row_count() {
        if alike.is_empty() {
            break;
        }
        let run = T::run(matrix, row, &mut buffer);
        alike.retain_mut(|(at, scored)| {
            *scored |= is_score(run[*at], fill);
            run[*at] == run[*at - 1]
        });
    }
    let scored = alike.into_iter().filter(|(_, scored)| *scored);
    scored.map(|(at, _)| at).collect()
}

fn of_product<T: Scalar>(product: &Product<T>) -> Vec<usize> {
    let images = product.side(Direction::I2t);
    let equal = |&at: &usize| images.row(at) == images.row(at - 1);
    (1..images.nrows()).filter(equal).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::data::npy::Npy;
    use crate::doctor::testing::{
        assert_note, assert_nothing, assert_problem, good, matrix, noise, study, with,
    };

    #[test]
    fn rows_that_repeat_are_a_problem_and_folded_ones_are_not() {
        assert_nothing(&CHECK, &study(good));
        let twice = study(|image, caption| noise(image / 2, caption));
        assert_problem(&CHECK, &twice, &["10 of 20 images", "image 1,", "[::2]"]);
        let cells: Vec<f64> = (0..100 * 60).map(|at| good(at / 300, at % 60)).collect();
        let folded = matrix([100, 60], &cells).fold_images(5).unwrap();
        let mut study = study(good);
        with(&mut study, Scores::Matrix(Arc::new(folded)));
        assert_note(&CHECK, &study, &["5 times", "taken once"]);
    }

    #[test]
    fn scores_that_are_all_equal_are_told() {
        let same = study(|_, _| 0.5);
        assert_problem(&CHECK, &same, &["all scores are 0.5", "look at what"]);
        let of_captions = study(|_, caption| noise(0, caption));
        assert_problem(
            &CHECK,
            &of_captions,
            &["19 of 20 images", "no image is told"],
        );
    }

    #[test]
    fn columns_of_a_captions_first_file_are_compared_too() {
        let turned = |score: &dyn Fn(usize, usize) -> f64| {
            let cells = (0..60 * 20).map(|at| score(at % 20, at / 20));
            let npy = Npy::in_memory("t.npy", [60, 20], cells);
            ScoreMatrix::new(npy, true).unwrap()
        };
        let found = |matrix: &ScoreMatrix, fill| repeated::<f64>(matrix, fill);
        assert!(found(&turned(&good), None).is_empty());
        let once = turned(&|image, caption| noise(image - usize::from(image == 7), caption));
        assert_eq!(found(&once, None), [7]);
        let unscored = turned(&|image, caption| {
            if image < 3 {
                -9.0
            } else {
                noise(image, caption)
            }
        });
        assert!(found(&unscored, Some(-9.0)).is_empty());
        assert_eq!(found(&unscored, None), [1, 2]);
    }

    #[test]
    fn one_pair_of_many_is_a_note_and_rows_without_scores_are_none() {
        assert!(
            finding("m".into(), 5_000, &[7], None).unwrap().severity
                == crate::doctor::Severity::Note
        );
        let cells = [1.0, 2.0, -9.0, -9.0, -9.0, -9.0];
        let filled = matrix([3, 2], &cells);
        assert!(repeated::<f64>(&filled, Some(-9.0)).is_empty());
        assert_eq!(repeated::<f64>(&filled, None), [2]);
    }

    #[test]
    fn embeddings_are_compared_themselves() {
        let side =
            |rows, at: fn(usize) -> f64| Npy::in_memory("e", [rows, 2], (0..rows * 2).map(at));
        let embeddings = |images| {
            let captions = side(60, |at| noise(at, 1));
            let embeddings = Embeddings::new(&images, &captions, false).unwrap();
            let mut study = study(good);
            with(&mut study, Scores::Embeddings(Arc::new(embeddings)));
            study
        };
        assert_nothing(&CHECK, &embeddings(side(20, |at| noise(at, 2))));
        assert_problem(
            &CHECK,
            &embeddings(side(20, |at| noise(at % 2, at / 4))),
            &["10 of 20"],
        );
    }
}
