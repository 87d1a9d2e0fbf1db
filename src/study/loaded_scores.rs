//! Scores as read from files, before the gallery is known.

use std::sync::Arc;

use super::files::{Files, Ids};
use super::pairing;
use super::runs::RunFile;
use crate::data::arrays::Arrays;
use crate::data::id::{Id, IdList, IdUnion};
use crate::data::npy::Npy;
use crate::data::scores::{Embeddings, Knn, ScoreMatrix, no_matrix_error};
use crate::data::source::Source;
use crate::data::{Direction, PerDirection, arrays, matrix_text};
use crate::error::{Error, Result};
use crate::truth::Listed;
use crate::truth::pairs::Pairs;

/// Scores of one model as read, before the gallery is known.
#[derive(Debug)]
pub(super) struct LoadedScores {
    /// The name of the model, before it is made unique.
    pub name: String,
    /// The paths of its files, for messages.
    pub source: String,
    /// The scores.
    pub form: LoadedForm,
}

/// The kinds of score files.
#[derive(Debug)]
pub(super) enum LoadedForm {
    /// One matrix.
    Matrix(OneMatrix),
    /// A matrix for each direction.
    Two(PerDirection<OneMatrix>),
    /// Embeddings of images and captions, and a description for notes.
    Embeddings { embeddings: Arc<Embeddings>, description: String },
    /// Nearest neighbours, with the direction if a flag gives it.
    Knn(Vec<(Option<Direction>, Knn)>),
    /// Ranked lists.
    Lists(Vec<RunFile>),
}

/// A matrix file.
#[derive(Debug)]
pub(super) struct OneMatrix {
    pub npy: Npy,
    /// The matrix with each image once, if the file repeats images once per caption.
    pub folded: Option<ScoreMatrix>,
}

impl OneMatrix {
    /// A matrix file, folded if its images are repeated once per caption, which makes a matrix square.
    pub(super) fn new(npy: Npy) -> Result<Self> {
        let square = matches!(npy.shape[..], [rows, columns] if rows == columns);
        let mut folded = None;
        for captions_first in [false, true] {
            if square && folded.is_none() {
                let matrix = ScoreMatrix::new(npy.clone(), captions_first)?;
                let length = matrix.image_run_length();
                folded = length.and_then(|length| matrix.fold_images(length));
            }
        }
        Ok(OneMatrix { npy, folded })
    }
}

impl LoadedScores {
    /// One matrix for both directions.
    pub(super) fn from_matrix(npy: Npy) -> Result<Self> {
        let (name, source) = (npy.source().stem(), npy.source().display());
        Ok(LoadedScores { name, source, form: LoadedForm::Matrix(OneMatrix::new(npy)?) })
    }

    /// A matrix for each direction.
    pub(super) fn from_matrices(i2t: OneMatrix, t2i: OneMatrix) -> Self {
        let [of_i2t, of_t2i] = [&i2t, &t2i].map(|one| one.npy.source());
        LoadedScores {
            name: joint_stem(&of_i2t.stem(), &of_t2i.stem()),
            source: format!("{}, {}", of_i2t.display(), of_t2i.display()),
            form: LoadedForm::Two(PerDirection { i2t, t2i }),
        }
    }

    /// Nearest neighbours, at least one array.
    pub(super) fn from_knn(arrays: Vec<(Option<Direction>, Knn)>) -> Self {
        let stem = arrays[0].1.indices().source().stem();
        let files = arrays.iter().map(|(_, knn)| knn.indices().source().display());
        LoadedScores {
            name: pairing::bare_stem(&stem).map_or(stem, |(bare, _)| bare),
            source: files.collect::<Vec<_>>().join(", "),
            form: LoadedForm::Knn(arrays),
        }
    }

    /// Ranked lists of a model with this name.
    pub(super) fn from_lists(name: String, runs: Vec<RunFile>) -> Self {
        let mut files: Vec<&str> = runs.iter().map(|run| run.file.as_str()).collect();
        files.dedup();
        LoadedScores { name, source: files.join(", "), form: LoadedForm::Lists(runs) }
    }

    /// Numbers of images and captions in all readings that shapes and the user allow, the usual one first: images or
    /// captions may be rows, and repeated images may be folded. Empty for ranked lists, and for neighbours without a
    /// direction.
    ///
    /// # Errors
    /// A non-matrix array.
    pub(super) fn readings(&self, captions_first: Option<bool>) -> Result<Vec<[usize; 2]>> {
        let matrix = match &self.form {
            LoadedForm::Matrix(matrix) => matrix,
            LoadedForm::Two(files) => &files.i2t,
            LoadedForm::Embeddings { embeddings, .. } => {
                return Ok(vec![Direction::both(|d| embeddings.side_len(d))]);
            }
            LoadedForm::Knn(found) => return Ok(knn_sizes(found).into_iter().collect()),
            LoadedForm::Lists(_) => return Ok(Vec::new()),
        };
        let npy = &matrix.npy;
        let &[first, second] = npy.shape.as_slice() else {
            return Err(no_matrix_error(&npy.source().display(), npy.shape.len()));
        };
        let folded = matrix.folded.iter().map(|folded| Direction::both(|d| folded.side_len(d)));
        let plain = match captions_first {
            Some(false) => vec![[first, second]],
            Some(true) => vec![[second, first]],
            None => vec![[first, second], [second, first]],
        };
        let mut readings: Vec<[usize; 2]> = folded.chain(plain).collect();
        readings.dedup();
        Ok(readings)
    }

    /// Numbers of images and captions in the usual reading; `None` for lists and arrays that are no matrix.
    pub(super) fn sizes(&self) -> Option<[usize; 2]> {
        self.readings(None).ok()?.first().copied()
    }
}

/// Numbers of images and captions from neighbours: the queries, and items up to the largest index. `None` if no flag
/// gives a direction.
fn knn_sizes(arrays: &[(Option<Direction>, Knn)]) -> Option<[usize; 2]> {
    let size = |side: Direction| {
        let queries = arrays.iter().find(|(direction, _)| *direction == Some(side));
        let items = arrays.iter().find(|(direction, _)| *direction == Some(side.flipped()));
        let queries = queries.map(|(_, knn)| knn.query_count());
        queries.or_else(|| items.map(|(_, knn)| knn.item_bound()))
    };
    Some([size(Direction::I2t)?, size(Direction::T2i)?])
}

/// Name of a model with two files: their common name without direction words, else both.
pub(super) fn joint_stem(i2t: &str, t2i: &str) -> String {
    match (pairing::bare_stem(i2t), pairing::bare_stem(t2i)) {
        (Some((one, Direction::I2t)), Some((other, Direction::T2i))) if one == other => one,
        _ if i2t == t2i => i2t.to_owned(),
        _ => format!("{i2t}+{t2i}"),
    }
}

/// Ids of images (`side` i2t) or captions (t2i) in ranked lists, then in truths; `None` if there are none, or if a
/// model has scores other than ranked lists. Truths do not give a matrix order: without ranked lists, they are used
/// only if any order is allowed.
///
/// # Errors
/// A table with unreadable ids.
pub(super) fn listed_ids(loaded: &Files, side: Direction) -> Result<Option<Ids>> {
    let mut files = Vec::new();
    for model in &loaded.models {
        let LoadedForm::Lists(runs) = &model.form else {
            return Ok(None);
        };
        files.extend(runs);
    }
    let first_truth = loaded.truths().next();
    let first_truth = first_truth.filter(|_| loaded.any_order);
    let file = files.first().map(|run| &run.file);
    let Some(file) = file.or(first_truth.map(|listed| &listed.file)) else {
        return Ok(None);
    };
    let mut union = IdUnion::default();
    for run in &files {
        if let Some(direction) = run.direction {
            let ids = run.listing.ids(direction == side)?;
            check_ids_in_truths(&ids, run, loaded, side)?;
            union.add(&ids);
        }
    }
    for listed in loaded.truths() {
        union.add(ids_of_side(&listed.pairs.listed(), listed.direction, side));
    }
    let ids = union.into_ids();
    Ok((!ids.is_empty()).then(|| Ids::new(file.clone(), ids)))
}

/// Ids of images (`side` i2t) or captions (t2i) in pairs of this direction; empty if `direction` is unknown.
fn ids_of_side(pairs: &Pairs, direction: Option<Direction>, side: Direction) -> &[Id] {
    match direction {
        Some(direction) if direction == side => pairs.keys(),
        Some(_) => pairs.values(),
        None => &[],
    }
}

/// Checks that any of a run's `ids` is in the ground truths, if both have ids of this side.
///
/// # Errors
/// No common id: names both files, with an id of each.
fn check_ids_in_truths(ids: &[Id], run: &RunFile, loaded: &Files, side: Direction) -> Result<()> {
    let mut union = IdUnion::default();
    let mut first = None;
    for listed in loaded.truths() {
        let Listed { pairs, direction, .. } = listed;
        let ids = ids_of_side(pairs, *direction, side);
        union.add(ids);
        first = first.or(ids.first().map(|id| (&listed.file, id)));
    }
    let known = IdList::new(union.into_ids()).unwrap_or_default();
    let (Some(example), Some((truth, other))) = (ids.first(), first) else {
        return Ok(());
    };
    if ids.iter().any(|id| known.find(id).is_some()) {
        return Ok(());
    }
    let [what, option] = match side {
        Direction::I2t => ["images", "--image-ids"],
        Direction::T2i => ["captions", "--caption-ids"],
    };
    let found =
        format!("none of its {what} (for instance {example}) is in {truth} (which has {other})");
    Err(Error::new(&run.file, found)
        .expected("the same ids in both files")
        .fix(format!(
            "write the ids alike; if the ground truth lacks these {what}, name a list of all of the gallery with {option}"
        )))
}

/// Whether the sizes of a model match no list of ids, so that a captions file may have the missing ids.
pub(super) fn has_unlisted_sizes(loaded: &Files) -> bool {
    let bundled = loaded.parts.iter().flat_map(|(_, parts)| &parts.gallery.caption_ids);
    let lists = loaded.ids.iter().map(|ids| ids.ids.len()).chain(bundled.map(Vec::len));
    let lengths: Vec<usize> = lists.collect();
    let fits = |model: &LoadedScores| {
        model.sizes().is_none_or(|sizes| sizes.iter().any(|size| lengths.contains(size)))
    };
    !loaded.models.iter().all(fits)
}

/// Reads a file of several arrays, or nested JSON lists; `None` for other files.
pub(super) fn read_arrays(source: &Arc<Source>) -> Result<Option<Arrays>> {
    if let Some(arrays) = arrays::open(source)? {
        arrays.check_sizes(source)?;
        return Ok(Some(arrays));
    }
    let listed = matrix_text::is_nested_list(source).then(|| matrix_text::read_lists(source));
    Ok(listed.transpose()?.map(|matrix| Arrays { opened: vec![matrix], skipped: Vec::new() }))
}
