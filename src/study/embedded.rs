//! Two matrices that only the embeddings of images and of captions can be, told by their shapes.

use super::Note;
use super::inputs::Loaded;
use super::loaded_scores::LoadedScores;
use super::score_inputs::ScoreInputs;
use crate::data::npy::Npy;
use crate::data::text::grouped;
use crate::error::{Error, Result};

/// Makes one model of two such matrices.
///
/// # Errors
/// As for embeddings that flags name; flags about embeddings where there are none.
pub(super) fn pair_up(loaded: &mut Loaded, flags: &ScoreInputs) -> Result<()> {
    if let [
        (_, LoadedScores::Matrix(one)),
        (_, LoadedScores::Matrix(other)),
    ] = loaded.models.as_slice()
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
