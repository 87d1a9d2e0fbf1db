//! The scores that files and flags name, the gallery not known yet.

use std::path::PathBuf;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::flagged::{self, both, save};
use super::inputs::{Ids, Loaded};
use super::runs::{self, RunFile};
use crate::data::npy::Npy;
use crate::data::scores::{Embeddings, Knn, ScoreMatrix};
use crate::data::source::Source;
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};

/// Scores that flags name: forms that a file alone does not tell.
#[derive(Debug, Clone, Default)]
pub struct ScoreInputs {
    /// A matrix for image queries; goes with `t2i`.
    pub i2t: Option<PathBuf>,
    /// A matrix for caption queries.
    pub t2i: Option<PathBuf>,
    /// Embeddings of the images; one model with `text_emb`.
    pub image_emb: Option<PathBuf>,
    /// Embeddings of the captions.
    pub text_emb: Option<PathBuf>,
    /// Whether embeddings are scaled to length one.
    pub cosine: bool,
    /// Where to write the scores of the embeddings.
    pub save_scores: Option<PathBuf>,
    /// Ranked lists of a model each: a JSON file of both directions, or a TREC run.
    pub runs: Vec<PathBuf>,
    /// Ranked lists of image queries; one model with `run_t2i`.
    pub run_i2t: Option<PathBuf>,
    /// Ranked lists of caption queries.
    pub run_t2i: Option<PathBuf>,
    /// FAISS arrays `I.npy` or `I.npy,D.npy` of one model, with `i2t:` or `t2i:` before where sizes do
    /// not tell the direction.
    pub knn: Vec<String>,
    /// Whether every cell is a score, also where most of a row holds its least value.
    pub dense: bool,
}

impl ScoreInputs {
    /// Whether no flag names scores.
    pub fn is_empty(&self) -> bool {
        let matrices = self.i2t.is_none() && self.t2i.is_none();
        let embeddings = self.image_emb.is_none() && self.text_emb.is_none();
        let runs = self.run_i2t.is_none() && self.run_t2i.is_none() && self.runs.is_empty();
        matrices && embeddings && runs && self.knn.is_empty()
    }

    /// Reads what the flags name.
    pub(super) fn load(&self) -> Result<Vec<Given>> {
        let mut given = Vec::new();
        let two = [("--i2t", &self.i2t), ("--t2i", &self.t2i)];
        if let Some([i2t, t2i]) = both(two, "the two matrices of one model")? {
            given.push(Given::Two(PerDirection { i2t, t2i }));
        }
        let two = [
            ("--image-emb", &self.image_emb),
            ("--text-emb", &self.text_emb),
        ];
        if let Some(files) = both(two, "the embeddings of one model")? {
            given.push(self.embeddings(files)?);
        }
        given.extend(self.lists()?);
        if !self.knn.is_empty() {
            let open = |named: &String| flagged::neighbours(named);
            given.push(Given::Knn(
                self.knn.iter().map(open).collect::<Result<_>>()?,
            ));
        }
        Ok(given)
    }

    fn embeddings(&self, [images, captions]: [Npy; 2]) -> Result<Given> {
        let mut embeddings = Embeddings::new(&images, &captions, self.cosine)?;
        let folded = embeddings.fold_repeated_images();
        if let Some(out) = &self.save_scores {
            save(&embeddings, out)?;
        }
        Ok(Given::Embeddings {
            embeddings: Arc::new(embeddings),
            files: [&images, &captions].map(|npy| npy.source().clone()),
            described: format!(
                "dot products of embeddings of {} dimensions{}{}",
                images.shape[1],
                if self.cosine {
                    ", scaled to length one"
                } else {
                    ""
                },
                if folded {
                    ", each image found five times and taken once"
                } else {
                    ""
                },
            ),
        })
    }

    fn lists(&self) -> Result<Vec<Given>> {
        let mut given = Vec::new();
        let mut runs = Vec::new();
        for path in &self.runs {
            runs.extend(runs::open(path, None)?);
        }
        given.extend(lists(runs));
        let mut pair = Vec::new();
        for direction in Direction::BOTH {
            let path = [&self.run_i2t, &self.run_t2i][usize::from(direction == Direction::T2i)];
            if let Some(path) = path {
                pair.extend(runs::open(path, Some(direction))?);
            }
        }
        if let [i2t, t2i] = pair.as_slice() {
            let stems = PerDirection {
                i2t: i2t.stem.clone(),
                t2i: t2i.stem.clone(),
            };
            given.push(Given::Lists(joint_stem(&stems), pair));
        } else {
            given.extend(lists(pair));
        }
        Ok(given)
    }
}

/// Models from runs in files of their own.
pub(super) fn lists(runs: Vec<RunFile>) -> impl Iterator<Item = Given> {
    let models = runs::pair_up(runs).into_iter();
    models.map(|(name, runs)| Given::Lists(name, runs))
}

/// Scores as the files have them, the gallery not known yet.
#[derive(Debug)]
pub(super) enum Given {
    /// One matrix; with each image once where the file repeats them.
    Matrix(Npy, Option<ScoreMatrix>),
    /// A matrix for each direction.
    Two(PerDirection<Npy>),
    /// Embeddings of both sides, their files and what was understood.
    Embeddings {
        embeddings: Arc<Embeddings>,
        files: [Arc<Source>; 2],
        described: String,
    },
    /// Nearest neighbours, with the direction where the flag says it.
    Knn(Vec<(Option<Direction>, Knn)>),
    /// The name of a model and its ranked lists.
    Lists(String, Vec<RunFile>),
}

impl Given {
    /// One matrix. A square one is looked at for images that stand several times.
    pub(super) fn matrix(npy: Npy) -> Result<Self> {
        let square = matches!(npy.shape[..], [rows, columns] if rows == columns);
        let mut folded = None;
        for captions_first in [false, true] {
            if square && folded.is_none() {
                folded = ScoreMatrix::new(npy.clone(), captions_first)?.fold_repeated_images();
            }
        }
        Ok(Given::Matrix(npy, folded))
    }

    /// The name of the model, before it is made unique.
    pub(super) fn name(&self) -> String {
        match self {
            Given::Matrix(npy, _) => npy.source().stem(),
            Given::Two(files) => {
                let stems = PerDirection::from_fn(|d| files[d].source().stem());
                joint_stem(&stems)
            }
            Given::Embeddings { files, .. } => {
                let [images, captions] = files.each_ref().map(|file| file.stem());
                format!("{images}+{captions}")
            }
            Given::Knn(found) => {
                let stem = found[0].1.indices().source().stem();
                runs::bare_stem(&stem).map_or(stem, |(bare, _)| bare)
            }
            Given::Lists(name, _) => name.clone(),
        }
    }

    /// The files, for messages.
    pub(super) fn source(&self) -> String {
        match self {
            Given::Matrix(npy, _) => npy.source().display(),
            Given::Two(files) => {
                let name = |direction: Direction| files[direction].source().display();
                format!("{}, {}", name(Direction::I2t), name(Direction::T2i))
            }
            Given::Embeddings { files, .. } => {
                let [images, captions] = files.each_ref().map(|file| file.display());
                format!("{images}, {captions}")
            }
            Given::Knn(found) => {
                let names = found
                    .iter()
                    .map(|(_, knn)| knn.indices().source().display());
                names.collect::<Vec<_>>().join(", ")
            }
            Given::Lists(_, runs) => {
                let mut files: Vec<&str> = runs.iter().map(|run| run.file.as_str()).collect();
                files.dedup();
                files.join(", ")
            }
        }
    }

    /// Numbers of images and captions, as far as shapes and flags tell: the first two lengths, which
    /// known ids may turn round. Lists tell none.
    pub(super) fn sizes(&self, captions_first: bool) -> Result<Option<[usize; 2]>> {
        let npy = match self {
            Given::Matrix(_, Some(folded)) => {
                return Ok(Some(Direction::BOTH.map(|d| folded.side_len(d))));
            }
            Given::Matrix(npy, None) => npy,
            Given::Two(files) => &files.i2t,
            Given::Embeddings { embeddings, .. } => {
                return Ok(Some(Direction::BOTH.map(|d| embeddings.side_len(d))));
            }
            Given::Knn(found) => return Ok(knn_sizes(found)),
            Given::Lists(..) => return Ok(None),
        };
        let &[first, second] = npy.shape.as_slice() else {
            return Err(Error::new(
                npy.source().display(),
                format!("an array of {} dimensions", npy.shape.len()),
            )
            .expected("a matrix: images x captions"));
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
fn joint_stem(stems: &PerDirection<String>) -> String {
    match (runs::bare_stem(&stems.i2t), runs::bare_stem(&stems.t2i)) {
        (Some((i2t, Direction::I2t)), Some((t2i, Direction::T2i))) if i2t == t2i => i2t,
        _ if stems.i2t == stems.t2i => stems.i2t.clone(),
        _ => format!("{}+{}", stems.i2t, stems.t2i),
    }
}

/// The ids of one side where ranked lists are all there is: those that the lists and the truths
/// mention, in this order.
pub(super) fn listed_ids(loaded: &Loaded, queries_of: Direction) -> Option<Ids> {
    let mut files = Vec::new();
    for given in &loaded.models {
        let Given::Lists(_, runs) = given else {
            return None;
        };
        files.extend(runs);
    }
    let file = files.first()?.file.clone();
    let runs = files.iter().map(|run| (run.direction, &run.pairs));
    let truths = super::gallery::truths(loaded).map(|listed| (listed.direction, &listed.pairs));
    let mut seen = FxHashSet::default();
    let mut ids = Vec::new();
    for (direction, pairs) in runs.chain(truths) {
        let mentioned = match direction {
            Some(direction) if direction == queries_of => pairs.keys(),
            Some(_) => pairs.values(),
            None => &[],
        };
        ids.extend(mentioned.iter().filter(|id| seen.insert(*id)).cloned());
    }
    (!ids.is_empty()).then_some(Ids { file, ids })
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
    let fits = |given: &Given| match given.sizes(false) {
        Ok(Some(sizes)) => sizes.iter().any(|size| lengths.contains(size)),
        _ => true,
    };
    !loaded.models.iter().all(fits)
}
