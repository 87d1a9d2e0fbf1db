//! Matrices that only embeddings can be: of images and of captions, told by their shapes; one alone, by its rows.

use super::Note;
use super::inputs::Loaded;
use super::loaded_scores::LoadedScores;
use super::score_inputs::ScoreInputs;
use crate::data::npy::Npy;
use crate::data::scores::ScoreMatrix;
use crate::data::text::grouped;
use crate::error::{Error, Result};

/// Makes one model of two such matrices in files. Arrays in memory are scores: a call names embeddings as such.
///
/// # Errors
/// As for embeddings that flags name; flags about embeddings where there are none.
pub(super) fn pair_up(loaded: &mut Loaded, flags: &ScoreInputs) -> Result<()> {
    if let [
        (_, LoadedScores::Matrix(one)),
        (_, LoadedScores::Matrix(other)),
    ] = loaded.models.as_slice()
        && [one, other]
            .iter()
            .all(|one| one.npy.source().header().is_none())
        && let Some([images, captions]) = sides([&one.npy, &other.npy])
    {
        let note = described(images, captions);
        let given = flags.embeddings([images.clone(), captions.clone()])?;
        loaded.models = vec![(given.name(), given)];
        loaded.notes.push(Note::fine(note));
    }
    let is_embedded =
        |(_, one): &(String, LoadedScores)| matches!(one, LoadedScores::Embeddings { .. });
    match flags.of_embeddings() {
        Some(flag) if !loaded.models.iter().any(is_embedded) => {
            Err(Error::new(flag, "no embeddings among the files")
                .expected("two matrices of as many columns, with as many captions for every image")
                .mend("--image-emb FILE --text-emb FILE"))
        }
        _ => Ok(()),
    }
}

/// Rows of a matrix that are looked at.
const ROWS: usize = 64;
/// How far from 1 the length of an embedding is that was scaled to length 1 and rounded to 16 bits.
const ROUNDED: f64 = 0.01;

/// Checks that no matrix is the embeddings of one side alone.
///
/// # Errors
/// Where all its rows have length 1: those of scores have not.
pub(super) fn check_scores(loaded: &Loaded) -> Result<()> {
    let mut matrices = loaded.models.iter().filter_map(|(_, one)| match one {
        LoadedScores::Matrix(one) => ScoreMatrix::new(one.npy.clone(), false).ok(),
        _ => None,
    });
    match matrices.find(has_rows_of_length_one) {
        None => Ok(()),
        Some(matrix) => Err(Error::new(
            matrix.npy().source().display(),
            "every row has a Euclidean length of 1, as embeddings have",
        )
        .expected("scores of images x captions, or the embeddings of both")
        .mend(
            "--image-emb FILE --text-emb FILE; where these are scores, --captions-per-image K or 0",
        )),
    }
}

fn has_rows_of_length_one(matrix: &ScoreMatrix) -> bool {
    // The rows of an array in Fortran order do not lie together.
    let rows = matrix.row_count();
    if matrix.npy().fortran || rows == 0 {
        return false;
    }
    let mut buffer = Vec::new();
    (0..rows).step_by(rows.div_ceil(ROWS)).all(|row| {
        let row = matrix.row_f64(row, &mut buffer);
        let square: f64 = row.iter().map(|cell| cell * cell).sum();
        // A single 1 among zeros is a score.
        let has_several = row.iter().filter(|cell| cell.abs() > 0.0).count() > 1;
        (square.sqrt() - 1.0).abs() < ROUNDED && has_several
    })
}

/// Images and captions: as many columns, and rows such that every image has as many captions. As scores
/// two such matrices would be of different galleries, unless the second repeats the images of the first.
fn sides(both: [&Npy; 2]) -> Option<[&Npy; 2]> {
    let [&[rows, columns], &[other, same]] = both.map(|npy| npy.shape.as_slice()) else {
        return None;
    };
    let [images, captions] = if rows < other {
        both
    } else {
        [both[1], both[0]]
    };
    let [few, many] = [rows.min(other), rows.max(other)];
    let is_pair = columns == same && few > 0 && few < many && many.is_multiple_of(few);
    (is_pair && columns != many).then_some([images, captions])
}

fn described(images: &Npy, captions: &Npy) -> String {
    let file = |npy: &Npy| npy.source().display();
    let [rows, more] = [images, captions].map(|npy| grouped(npy.shape[0]));
    format!(
        "{}, {}: taken for embeddings, since both have {} columns: of {rows} images and {more} captions \
         (--image-emb and --text-emb name them)",
        file(images),
        file(captions),
        grouped(images.shape[1])
    )
}
