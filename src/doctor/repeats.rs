//! Images or captions with constant scores, or those of an earlier one, as in a padded batch.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::Finding;
use super::exam::{Exam, MatrixFile};
use crate::data::Direction;
use crate::data::parallel;
use crate::data::scores::{Embeddings, Product, Scalar, ScoreMatrix, Scores, are_copies};
use crate::data::text::grouped;

/// Share of repeated images that rules out chance.
const MANY: f64 = 0.01;
/// Scores compared per image (or caption) if it is a row.
const WINDOW: usize = 16;
/// Scores compared per image (or caption) if it is a column: all of this many rows are read.
const LINES: usize = 8;
/// Compared bits of a score's mantissa: copies scored in another batch differ in the last bits of a float32.
const MANTISSA: u32 = 14;
/// Maximum relative difference of copies scored in another batch.
const TOLERANCE: f64 = 1e-4;
/// Candidates compared in full.
const VERIFIED: usize = 64;

/// Finds images and captions with one score for all items, or with the scores of an earlier one.
pub(super) fn find(exam: &Exam) -> Vec<Finding> {
    let of_files = exam.matrix_files.iter().flat_map(find_in_file);
    let of_embeddings = exam.samples().flat_map(|(model, _)| {
        let prints = |side| match &model.scores {
            Scores::Embeddings(embeddings) => match &**embeddings {
                Embeddings::Single(product) => product_fingerprints(product, side),
                Embeddings::Double(product) => product_fingerprints(product, side),
            },
            _ => Vec::new(),
        };
        let subject = format!("{} (model {})", model.source, model.name);
        let of_side = |side| finding(&subject, side, &Repeats::from_prints(prints(side), side));
        Direction::BOTH.into_iter().filter_map(of_side).collect::<Vec<_>>()
    });
    of_files.chain(of_embeddings).collect()
}

/// Findings on the images and on the captions of a matrix file.
fn find_in_file(file: &MatrixFile) -> Vec<Finding> {
    let matrix = file.matrix;
    let of_side = |side| {
        let mut repeats = Repeats::from_prints(fingerprints(matrix, side, file.fill), side);
        repeats.verify(|at| matrix.query_scores(side, at));
        finding(&file.subject(), side, &repeats)
    };
    let [i2t, t2i] = Direction::BOTH;
    let (images, captions) = parallel::both(|| of_side(i2t), || of_side(t2i));
    images.into_iter().chain(captions).collect()
}

/// Fingerprint of sampled scores of an image (or caption).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Print {
    /// One score in all samples.
    Constant,
    /// A hash of its rounded scores; equal for copies.
    Scores(u64),
}

/// The fingerprint of each image (`I2t`) or caption (`T2i`) of a matrix.
fn fingerprints(matrix: &ScoreMatrix, side: Direction, fill: Option<f64>) -> Vec<Option<Print>> {
    let other = matrix.side_len(side.flipped());
    if matrix.rows() == side {
        let window = (other / 2).min(other.saturating_sub(WINDOW))..other.min(other / 2 + WINDOW);
        return parallel::map_with(matrix.row_count(), Vec::new, |buffer, row| {
            fingerprint(matrix.run(row, window.clone(), buffer), fill)
        });
    }
    let lines = other.min(LINES);
    let line = |at: usize| matrix.row_f64(at * other / lines, &mut Vec::new()).to_vec();
    let lines: Vec<Vec<f64>> = (0..lines).map(line).collect();
    let cells = |at: usize| lines.iter().map(|line| line[at]).collect::<Vec<_>>();
    parallel::map_indices(matrix.row_len(), |at| fingerprint(&cells(at), fill))
}

/// The fingerprint of each image (`I2t`) or caption (`T2i`), by its embedding.
fn product_fingerprints<T: Scalar>(product: &Product<T>, side: Direction) -> Vec<Option<Print>> {
    let rows = product.side(side);
    parallel::map_indices(rows.nrows(), |at| {
        let cells: Vec<f64> = rows.row(at).iter().map(|cell| cell.wide()).collect();
        // A constant embedding has equal scores only if it is zero.
        fingerprint(&cells, None).filter(|print| *print != Print::Constant || cells[0] == 0.0)
    })
}

/// Fingerprint of some cells; `None` if fewer than two of them are scores: not NaN, and above `fill`.
fn fingerprint(cells: &[f64], fill: Option<f64>) -> Option<Print> {
    let is_score = |cell: &&f64| !cell.is_nan() && fill.is_none_or(|fill| **cell > fill);
    let rounded = |cell: &f64| cell.to_bits().wrapping_add(1 << (51 - MANTISSA)) >> (52 - MANTISSA);
    let is_same = |cell: &f64| cell.total_cmp(&cells[0]).is_eq();
    if cells.iter().filter(is_score).count() < 2 {
        return None;
    }
    if cells.iter().all(is_same) {
        return Some(Print::Constant);
    }
    let rounded: Vec<u64> = cells.iter().map(rounded).collect();
    Some(Print::Scores(FxBuildHasher.hash_one(rounded)))
}

/// Images (or captions) with repeated scores.
#[derive(Debug, Default, PartialEq, Eq)]
struct Repeats {
    /// Number of all images (or captions), repeated or not.
    all: usize,
    /// Those with one score for all items.
    constant: Vec<usize>,
    /// Those with the scores of an earlier one, and its index.
    copies: Vec<[usize; 2]>,
}

impl Repeats {
    /// Finds repeated fingerprints. Captions with equal text have equal scores and are found by text, so copies of
    /// captions count only as padding.
    fn from_prints(prints: Vec<Option<Print>>, side: Direction) -> Self {
        let mut first: FxHashMap<u64, usize> = FxHashMap::default();
        let mut repeats = Repeats { all: prints.len(), ..Repeats::default() };
        for (at, print) in prints.into_iter().enumerate() {
            match print {
                Some(Print::Constant) => repeats.constant.push(at),
                Some(Print::Scores(hash)) => {
                    let earlier = *first.entry(hash).or_insert(at);
                    if earlier != at {
                        repeats.copies.push([at, earlier]);
                    }
                }
                None => {}
            }
        }
        if side == Direction::T2i && !repeats.is_padding() {
            repeats.copies.clear();
        }
        repeats
    }

    /// Drops candidates that are equal only in the samples: `scores(i)` are all scores of image (or caption) i. If
    /// there are many candidates, a sample decides.
    fn verify(&mut self, scores: impl Fn(usize) -> Vec<f64>) {
        let is_constant = |at: &usize| {
            let scores = scores(*at);
            are_copies(&scores, &vec![scores[0]; scores.len()], TOLERANCE)
        };
        let is_copy =
            |[at, earlier]: &[usize; 2]| are_copies(&scores(*at), &scores(*earlier), TOLERANCE);
        retain_verified(&mut self.constant, is_constant);
        retain_verified(&mut self.copies, is_copy);
    }

    /// Whether the copies are the last ones, consecutive and in order: a padded last batch.
    fn is_padding(&self) -> bool {
        let start = self.all - self.copies.len();
        let mut places = self.copies.iter().zip(start..);
        self.copies.len() > 1
            && self.copies.is_sorted_by_key(|[_, earlier]| *earlier)
            && places.all(|([at, earlier], place)| *at == place && *earlier < start)
    }
}

/// Keeps all candidates if each sampled one `holds`; otherwise only the sampled ones that hold.
fn retain_verified<T: Copy>(candidates: &mut Vec<T>, holds: impl Fn(&T) -> bool) {
    let step = candidates.len().div_ceil(VERIFIED).max(1);
    let sampled: Vec<T> = candidates.iter().copied().step_by(step).collect();
    let kept: Vec<T> = sampled.iter().copied().filter(holds).collect();
    if kept.len() < sampled.len() {
        *candidates = kept;
    }
}

/// The finding on images (`side` i2t) or captions (t2i) with constant scores, else on copies; `None` without either.
fn finding(subject: &str, side: Direction, repeats: &Repeats) -> Option<Finding> {
    let (what, plural) = match side {
        Direction::I2t => ("image", "images"),
        Direction::T2i => ("caption", "captions"),
    };
    let all = grouped(repeats.all);
    if let [first, ..] = repeats.constant[..] {
        let found = format!(
            "{} of {all} {plural} have one score for all items",
            grouped(repeats.constant.len())
        );
        return Some(
            Finding::problem(subject, found)
                .detail(format!("the first is {what} {first}, counted from 0"))
                .effect("their rankings are the order of the files")
                .fix("check how these scores were computed and saved"),
        );
    }
    let [at, earlier] = *repeats.copies.first()?;
    let found = format!(
        "{} of {all} {plural} have the scores of an earlier one",
        grouped(repeats.copies.len())
    );
    let detail = format!("the first is {what} {at}, like {earlier}, counted from 0");
    let is_padding = repeats.is_padding();
    let is_many = repeats.copies.len() as f64 > MANY * repeats.all as f64;
    let finding = if is_padding || is_many {
        Finding::problem(subject, found)
    } else {
        Finding::note(subject, found)
    };
    let fix = if is_padding {
        format!(
            "the last batch was padded with earlier {plural}: score the last {} again, or drop them where they are too \
             many",
            grouped(repeats.copies.len())
        )
    } else {
        "check whether the same image or batch was scored twice".into()
    };
    let effect = format!("equal {plural} rank by index: the later ones are never found first");
    Some(finding.detail(detail).effect(effect).fix(fix))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::data::npy::Npy;
    use crate::doctor::test_studies::{
        assert_nothing, assert_problem, good, matrix, noise, set_scores, study,
    };

    #[test]
    fn rows_that_repeat_are_a_problem_and_folded_ones_are_not() {
        assert_nothing(find, &study(good));
        let twice = study(|image, caption| noise(image / 2, caption));
        assert_problem(find, &twice, &["10 of 20 images", "image 1,"]);
        let last_bits =
            study(|image, caption| noise(image / 2, caption) * (1.0 + (image % 2) as f64 * 6e-8));
        assert_problem(find, &last_bits, &["10 of 20 images"]);
        let cells: Vec<f64> = (0..100 * 60).map(|at| good(at / 300, at % 60)).collect();
        let folded = matrix([100, 60], &cells).fold_images(5).unwrap();
        let mut study = study(good);
        set_scores(&mut study, Scores::Matrix(Arc::new(folded)));
        assert_nothing(find, &study);
    }

    #[test]
    fn constant_rows_are_a_problem() {
        let some = study(|image, caption| if image > 17 { 0.5 } else { good(image, caption) });
        assert_problem(find, &some, &["2 of 20 images", "image 18"]);
        let of_captions = study(|_, caption| noise(0, caption));
        let all = crate::doctor::test_studies::run_check(find, &of_captions);
        assert!(all.iter().any(|one| one.found.starts_with("19 of 20 images")), "{all:#?}");
    }

    #[test]
    fn a_padded_last_batch_is_a_problem_and_equal_captions_are_none() {
        let padded =
            study(|image, caption| good(if image > 17 { image - 18 } else { image }, caption));
        assert_problem(find, &padded, &["2 of 20 images", "score the last 2 again"]);
        let padded =
            study(|image, caption| good(image, if caption > 57 { caption - 58 } else { caption }));
        assert_problem(find, &padded, &["2 of 60 captions", "score the last 2 again"]);
        assert_nothing(
            find,
            &study(|image, caption| good(image, if caption == 9 { 3 } else { caption })),
        );
    }

    #[test]
    fn columns_of_a_captions_first_file_are_compared_too() {
        let turned = |score: &dyn Fn(usize, usize) -> f64| {
            let cells = (0..60 * 20).map(|at| score(at % 20, at / 20));
            let npy = Npy::in_memory("t.npy", [60, 20], cells);
            ScoreMatrix::new(npy, true).unwrap()
        };
        let found = |matrix: &ScoreMatrix, fill| {
            Repeats::from_prints(fingerprints(matrix, Direction::I2t, fill), Direction::I2t)
        };
        assert_eq!(found(&turned(&good), None).copies, [[0; 2]; 0]);
        let once = turned(&|image, caption| noise(image - usize::from(image == 7), caption));
        assert_eq!(found(&once, None).copies, [[7, 6]]);
        let unscored = turned(&|image, caption| {
            if image < 3 { -9.0 } else { noise(image, caption) }
        });
        assert_eq!(found(&unscored, Some(-9.0)).constant, [0; 0]);
        assert_eq!(found(&unscored, None).constant, [0, 1, 2]);
    }

    #[test]
    fn one_pair_of_many_is_a_note() {
        let repeats = Repeats { all: 5_000, constant: Vec::new(), copies: vec![[7, 3]] };
        let found = finding("m", Direction::I2t, &repeats).unwrap();
        assert!(found.severity == crate::doctor::Severity::Note);
    }

    #[test]
    fn embeddings_are_compared_themselves() {
        let side =
            |rows, at: fn(usize) -> f64| Npy::in_memory("e", [rows, 2], (0..rows * 2).map(at));
        let embeddings = |images| {
            let captions = side(60, |at| noise(at, 1));
            let embeddings = Embeddings::new(&images, &captions, false).unwrap();
            let mut study = study(good);
            set_scores(&mut study, Scores::Embeddings(Arc::new(embeddings)));
            study
        };
        assert_nothing(find, &embeddings(side(20, |at| noise(at, 2))));
        assert_problem(find, &embeddings(side(20, |at| noise(at % 2, at / 4))), &["10 of 20"]);
    }
}
