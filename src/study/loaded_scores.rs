//! Scores as the files have them, the gallery not known yet.

use std::path::PathBuf;
use std::sync::Arc;

use super::inputs::{Ids, Loaded};
use super::pairing;
use super::runs::RunFile;
use crate::data::id::{Id, IdList, IdUnion};
use crate::data::npy::{Element, Npy};
use crate::data::scores::{Embeddings, Knn, ScoreMatrix, no_matrix};
use crate::data::source::Source;
use crate::data::{Direction, PerDirection, matrix_json, npz};
use crate::error::{Error, Result};
use crate::truth::Listed;
use crate::truth::pairs::Pairs;

/// Models from runs in files of their own.
pub(super) fn lists(runs: Vec<RunFile>) -> impl Iterator<Item = LoadedScores> {
    let models = pairing::pair_up(runs).into_iter();
    models.map(|(name, runs)| LoadedScores::Lists(name, runs))
}

/// Scores as the files have them, the gallery not known yet.
#[derive(Debug)]
pub(super) enum LoadedScores {
    /// One matrix.
    Matrix(OneMatrix),
    /// A matrix for each direction.
    Two(PerDirection<OneMatrix>),
    /// Embeddings of both sides, their files and what was understood.
    Embeddings {
        embeddings: Arc<Embeddings>,
        /// Where to write all scores, once the study stands.
        save: Option<PathBuf>,
        files: [Arc<Source>; 2],
        described: String,
    },
    /// Nearest neighbours, with the direction where the flag says it.
    Knn(Vec<(Option<Direction>, Knn)>),
    /// The name of a model and its ranked lists.
    Lists(String, Vec<RunFile>),
}

/// A matrix, and the same with each image once where the file repeats them.
#[derive(Debug)]
pub(super) struct OneMatrix {
    pub npy: Npy,
    pub folded: Option<ScoreMatrix>,
}

impl OneMatrix {
    /// A square matrix is looked at for images that stand several times.
    pub(super) fn new(npy: Npy) -> Result<Self> {
        let square = matches!(npy.shape[..], [rows, columns] if rows == columns);
        let mut folded = None;
        for captions_first in [false, true] {
            if square && folded.is_none() {
                folded = ScoreMatrix::new(npy.clone(), captions_first)?.fold_repeated_images();
            }
        }
        Ok(OneMatrix { npy, folded })
    }
}

impl LoadedScores {
    /// The name of the model, before it is made unique.
    pub(super) fn name(&self) -> String {
        match self {
            LoadedScores::Matrix(matrix) => matrix.npy.source().stem(),
            LoadedScores::Two(files) => {
                let stems = PerDirection::from_fn(|d| files[d].npy.source().stem());
                joint_stem(&stems)
            }
            LoadedScores::Embeddings { files, .. } => {
                let [images, captions] = files.each_ref().map(|file| file.stem());
                format!("{images}+{captions}")
            }
            LoadedScores::Knn(found) => {
                let stem = found[0].1.indices().source().stem();
                pairing::bare_stem(&stem).map_or(stem, |(bare, _)| bare)
            }
            LoadedScores::Lists(name, _) => name.clone(),
        }
    }

    /// The paths of the files that the scores are from, for messages.
    pub(super) fn source(&self) -> String {
        match self {
            LoadedScores::Matrix(matrix) => matrix.npy.source().display(),
            LoadedScores::Two(files) => {
                let name = |direction: Direction| files[direction].npy.source().display();
                format!("{}, {}", name(Direction::I2t), name(Direction::T2i))
            }
            LoadedScores::Embeddings { files, .. } => {
                let [images, captions] = files.each_ref().map(|file| file.display());
                format!("{images}, {captions}")
            }
            LoadedScores::Knn(found) => {
                let names = found
                    .iter()
                    .map(|(_, knn)| knn.indices().source().display());
                names.collect::<Vec<_>>().join(", ")
            }
            LoadedScores::Lists(_, runs) => {
                let mut files: Vec<&str> = runs.iter().map(|run| run.file.as_str()).collect();
                files.dedup();
                files.join(", ")
            }
        }
    }

    /// Numbers of images and captions, as far as shapes and flags tell: the first two lengths, which
    /// known ids may turn round. Lists tell none.
    pub(super) fn sizes(&self, captions_first: bool) -> Result<Option<[usize; 2]>> {
        let matrix = match self {
            LoadedScores::Matrix(matrix) => matrix,
            LoadedScores::Two(files) => &files.i2t,
            LoadedScores::Embeddings { embeddings, .. } => {
                return Ok(Some(Direction::both(|d| embeddings.side_len(d))));
            }
            LoadedScores::Knn(found) => return Ok(knn_sizes(found)),
            LoadedScores::Lists(..) => return Ok(None),
        };
        if let Some(folded) = &matrix.folded {
            return Ok(Some(Direction::both(|d| folded.side_len(d))));
        }
        let npy = &matrix.npy;
        let &[first, second] = npy.shape.as_slice() else {
            return Err(no_matrix(npy));
        };
        Ok(Some(if captions_first {
            [second, first]
        } else {
            [first, second]
        }))
    }
}

/// Images and captions that neighbours tell of, where the flags say the directions: the queries, and
/// at least so many items as the largest index needs.
fn knn_sizes(found: &[(Option<Direction>, Knn)]) -> Option<[usize; 2]> {
    let of = |side: Direction| {
        let queries = found.iter().find(|(direction, _)| *direction == Some(side));
        let items = found
            .iter()
            .find(|(direction, _)| *direction == Some(side.flipped()));
        let queries = queries.map(|(_, knn)| knn.query_count());
        queries.or_else(|| items.map(|(_, knn)| knn.item_bound()))
    };
    Some([of(Direction::I2t)?, of(Direction::T2i)?])
}

/// The name of a model in two files: what their names share once the words for the direction are
/// taken off, else both.
pub(super) fn joint_stem(stems: &PerDirection<String>) -> String {
    match (
        pairing::bare_stem(&stems.i2t),
        pairing::bare_stem(&stems.t2i),
    ) {
        (Some((i2t, Direction::I2t)), Some((t2i, Direction::T2i))) if i2t == t2i => i2t,
        _ if stems.i2t == stems.t2i => stems.i2t.clone(),
        _ => format!("{}+{}", stems.i2t, stems.t2i),
    }
}

/// The ids of one side where no matrix has a size: those that ranked lists and truths mention, in
/// this order. It is that of no matrix: without lists it serves only where any order does.
///
/// # Errors
/// A table whose ids cannot be read.
pub(super) fn listed_ids(loaded: &Loaded, queries_of: Direction) -> Result<Option<Ids>> {
    let mut files = Vec::new();
    for (_, given) in &loaded.models {
        let LoadedScores::Lists(_, runs) = given else {
            return Ok(None);
        };
        files.extend(runs);
    }
    let first_truth = super::gallery::truths(loaded).next();
    let first_truth = first_truth.filter(|_| loaded.any_order);
    let file = files.first().map(|run| &run.file);
    let Some(file) = file.or(first_truth.map(|listed| &listed.file)) else {
        return Ok(None);
    };
    let mut union = IdUnion::default();
    for run in &files {
        if let Some(direction) = run.direction {
            let ids = run.listing.ids(direction == queries_of)?;
            check_listed(&ids, run, loaded, queries_of)?;
            union.add(&ids);
        }
    }
    for listed in super::gallery::truths(loaded) {
        union.add(of_side(&listed.pairs, listed.direction, queries_of));
    }
    let ids = union.into_ids();
    Ok((!ids.is_empty()).then(|| Ids::new(file.clone(), ids)))
}

/// The ids of one side that lists name whose queries are those of `direction`; none where that is not known.
fn of_side(pairs: &Pairs, direction: Option<Direction>, side: Direction) -> &[Id] {
    match direction {
        Some(direction) if direction == side => pairs.keys(),
        Some(_) => pairs.values(),
        None => &[],
    }
}

/// Checks that the ids of a run are those of the ground truths, where nothing else tells the gallery.
///
/// # Errors
/// No id is: both files are named, with an id of each.
fn check_listed(ids: &[Id], run: &RunFile, loaded: &Loaded, side: Direction) -> Result<()> {
    let mut union = IdUnion::default();
    let mut first = None;
    for listed in super::gallery::truths(loaded) {
        let Listed {
            pairs, direction, ..
        } = listed;
        let judged = [Some(pairs), pairs.nonrelevant(), pairs.pooled()];
        for pairs in judged.into_iter().flatten() {
            let ids = of_side(pairs, *direction, side);
            union.add(ids);
            first = first.or(ids.first().map(|id| (&listed.file, id)));
        }
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
        .mend(format!(
            "write the ids alike; if the ground truth lacks these {what}, name a list of all of the gallery with {option}"
        )))
}

/// Whether a matrix has more captions than the ids: a captions file may tell which they are.
pub(super) fn has_other_widths(loaded: &Loaded) -> bool {
    let bundled = loaded
        .parts
        .iter()
        .flat_map(|(_, parts)| &parts.gallery.caption_ids);
    let lists = loaded
        .ids
        .iter()
        .map(|ids| ids.ids.len())
        .chain(bundled.map(Vec::len));
    let lengths: Vec<usize> = lists.collect();
    let fits = |(_, given): &(String, LoadedScores)| match given.sizes(false) {
        Ok(Some(sizes)) => sizes.iter().any(|size| lengths.contains(size)),
        _ => true,
    };
    !loaded.models.iter().all(fits)
}

/// That an array of an archive is scores: ids in it are not looked for.
fn of_scores(npy: &Npy) -> Result<()> {
    if matches!(
        (npy.element, npy.shape.len()),
        (Element::Float(_), _) | (_, 2)
    ) {
        return Ok(());
    }
    let name = npy.source().stem();
    let found = "an array in an archive of scores that is no matrix of floats";
    Err(Error::new(npy.source().display(), found)
        .expected("an .npz archive of score matrices alone")
        .mend(format!(
            "if these are ids, numpy.save(\"{name}.npy\", numpy.load(FILE)[\"{name}\"]), and name {name}.npy with \
             --image-ids or --caption-ids; save the scores without them"
        )))
}

/// The matrices in an archive or in nested JSON lists; `None` where a file is neither.
pub(super) fn contained(source: &Arc<Source>) -> Result<Option<Vec<LoadedScores>>> {
    let matrices = if source.bytes().starts_with(npz::MAGIC) {
        let members = npz::members(source)?;
        members.iter().try_for_each(of_scores)?;
        members
    } else if matrix_json::is_matrix(source) {
        vec![matrix_json::read(source)?]
    } else {
        return Ok(None);
    };
    let given = matrices.into_iter();
    let given = given.map(|npy| OneMatrix::new(npy).map(LoadedScores::Matrix));
    given.collect::<Result<_>>().map(Some)
}
