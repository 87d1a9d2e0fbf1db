//! The scores that files and flags name, the gallery not known yet.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::inputs::{Ids, Loaded};
use super::runs::{self, RunFile};
use crate::data::npy::{self, Npy};
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
    /// Ranked lists of a model each: a JSON file of both directions, or a TREC run.
    pub runs: Vec<PathBuf>,
    /// Ranked lists of image queries; one model with `run_t2i`.
    pub run_i2t: Option<PathBuf>,
    /// Ranked lists of caption queries.
    pub run_t2i: Option<PathBuf>,
    /// Whether every cell is a score, also where most of a row holds its least value.
    pub dense: bool,
}

impl ScoreInputs {
    /// Whether no flag names scores.
    pub fn is_empty(&self) -> bool {
        let one = [&self.i2t, &self.t2i, &self.run_i2t, &self.run_t2i];
        self.runs.is_empty() && one.iter().all(|path| path.is_none())
    }

    /// Reads what the flags name.
    pub(super) fn load(&self) -> Result<Vec<Given>> {
        let mut given = Vec::new();
        match (&self.i2t, &self.t2i) {
            (None, None) => {}
            (Some(i2t), Some(t2i)) => given.push(Given::Two(PerDirection {
                i2t: matrix_file(i2t)?,
                t2i: matrix_file(t2i)?,
            })),
            (one, _) => {
                let missing = if one.is_some() { "--t2i" } else { "--i2t" };
                return Err(Error::new(missing, "missing")
                    .expected("--i2t A --t2i B: the two matrices of one model")
                    .mend("a matrix that holds for both directions needs no flag"));
            }
        }
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

fn matrix_file(path: &Path) -> Result<Npy> {
    let source = Arc::new(Source::open(path)?);
    if source.bytes().starts_with(npy::MAGIC) {
        return Npy::open(source);
    }
    Err(Error::new(source.display(), "no score matrix").expected("a .npy file of floats"))
}

/// Scores as the files have them, the gallery not known yet.
#[derive(Debug)]
pub(super) enum Given {
    /// One matrix.
    Matrix(Npy),
    /// A matrix for each direction.
    Two(PerDirection<Npy>),
    /// The name of a model and its ranked lists.
    Lists(String, Vec<RunFile>),
}

impl Given {
    /// The name of the model, before it is made unique.
    pub(super) fn name(&self) -> String {
        match self {
            Given::Matrix(npy) => npy.source().stem(),
            Given::Two(files) => {
                let stems = PerDirection::from_fn(|d| files[d].source().stem());
                joint_stem(&stems)
            }
            Given::Lists(name, _) => name.clone(),
        }
    }

    /// The files, for messages.
    pub(super) fn source(&self) -> String {
        match self {
            Given::Matrix(npy) => npy.source().display(),
            Given::Two(files) => {
                let name = |direction: Direction| files[direction].source().display();
                format!("{}, {}", name(Direction::I2t), name(Direction::T2i))
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
            Given::Matrix(npy) => npy,
            Given::Two(files) => &files.i2t,
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
