//! The scores that flags name.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::flagged::{self, both};
use super::loaded_scores::{Form, LoadedScores, OneMatrix, joint_stem};
use super::{pairing, runs};
use crate::data::Direction;
use crate::data::npy::Npy;
use crate::data::scores::Embeddings;
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
    /// Ranked lists of a model each: a JSON file of both directions, a TREC run or a table.
    pub runs: Vec<PathBuf>,
    /// Ranked lists of image queries; one model with `run_t2i`.
    pub run_i2t: Option<PathBuf>,
    /// Ranked lists of caption queries.
    pub run_t2i: Option<PathBuf>,
    /// Neighbours of one model, an entry for each direction.
    pub knn: Vec<Neighbours>,
    /// Whether every cell is a score, also where most of a row holds its least value.
    pub dense: bool,
}

/// Arrays as FAISS returns them.
#[derive(Debug, Clone)]
pub struct Neighbours {
    /// The direction, where sizes do not say it.
    pub direction: Option<Direction>,
    /// Indices, queries x k.
    pub indices: PathBuf,
    /// Distances or products, if they are there.
    pub values: Option<PathBuf>,
}

impl Neighbours {
    /// Reads `I.npy` or `I.npy,D.npy`, with `i2t:` or `t2i:` before where sizes do not say the
    /// direction.
    pub fn parse(named: &str) -> Self {
        let prefixed = named.split_once(':').and_then(|(word, files)| {
            let direction = Direction::BOTH.into_iter().find(|d| d.key() == word)?;
            Some((Some(direction), files))
        });
        let (direction, files) = prefixed.unwrap_or((None, named));
        let (indices, values) = match files.split_once(',') {
            Some((indices, values)) => (indices, Some(values.into())),
            None => (files, None),
        };
        Neighbours { direction, indices: indices.into(), values }
    }
}

impl ScoreInputs {
    /// Whether no flag names scores.
    pub fn is_empty(&self) -> bool {
        let matrices = self.i2t.is_none() && self.t2i.is_none();
        let embeddings = self.image_emb.is_none() && self.text_emb.is_none();
        let runs = self.run_i2t.is_none() && self.run_t2i.is_none() && self.runs.is_empty();
        matrices && embeddings && runs && self.knn.is_empty()
    }

    /// All files that are read.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        let one =
            [&self.i2t, &self.t2i, &self.image_emb, &self.text_emb, &self.run_i2t, &self.run_t2i];
        let knn = self.knn.iter();
        let knn = knn.flat_map(|knn| [Some(&knn.indices), knn.values.as_ref()]);
        let files = one.into_iter().flatten().chain(&self.runs);
        files.chain(knn.flatten()).map(PathBuf::as_path)
    }

    /// Reads what the flags name.
    pub(super) fn load(&self) -> Result<Vec<LoadedScores>> {
        let mut given = Vec::new();
        let two = [("--i2t", &self.i2t), ("--t2i", &self.t2i)];
        if let Some([i2t, t2i]) = both(two, "the two matrices of one model", flagged::matrix)? {
            given.push(LoadedScores::two(OneMatrix::new(i2t)?, OneMatrix::new(t2i)?));
        }
        let two = [("--image-emb", &self.image_emb), ("--text-emb", &self.text_emb)];
        if let Some(files) = both(two, "the embeddings of one model", flagged::matrix)? {
            given.push(self.embeddings(files)?);
        }
        given.extend(self.lists()?);
        if !self.knn.is_empty() {
            let open = |named: &Neighbours| flagged::neighbours(named);
            let found = self.knn.iter().map(open).collect::<Result<_>>()?;
            given.push(LoadedScores::knn(found));
        }
        Ok(given)
    }

    /// Refuses `--cosine` without embeddings.
    pub(super) fn require_embeddings(&self, models: &[LoadedScores]) -> Result<()> {
        let is_embedded = |one: &LoadedScores| matches!(one.form, Form::Embeddings { .. });
        if !self.cosine || models.iter().any(is_embedded) {
            return Ok(());
        }
        Err(Error::new("--cosine", "no embeddings among the files")
            .expected("the embeddings of images and captions")
            .mend("--image-emb FILE --text-emb FILE"))
    }

    /// A model of the embeddings of images and captions.
    fn embeddings(&self, [images, captions]: [Npy; 2]) -> Result<LoadedScores> {
        let mut embeddings = Embeddings::new(&images, &captions, self.cosine)?;
        let folded = embeddings.fold_repeated_images();
        let described = format!(
            "dot products of embeddings of {} dimensions{}{}",
            images.shape[1],
            if self.cosine { ", scaled to length one" } else { "" },
            folded.map_or(String::new(), |times| format!(
                ", each image found {times} times in a row and taken once"
            )),
        );
        let (images, captions) = (images.source(), captions.source());
        Ok(LoadedScores {
            name: format!("{}+{}", images.stem(), captions.stem()),
            source: format!("{}, {}", images.display(), captions.display()),
            form: Form::Embeddings { embeddings: Arc::new(embeddings), described },
        })
    }

    fn lists(&self) -> Result<Vec<LoadedScores>> {
        let mut runs = Vec::new();
        for path in &self.runs {
            runs.extend(runs::open(path, None)?);
        }
        let mut given = pairing::pair_up(runs);
        let mut pair = Vec::new();
        let both = [(Direction::I2t, &self.run_i2t), (Direction::T2i, &self.run_t2i)];
        for (direction, path) in both {
            if let Some(path) = path {
                pair.extend(runs::open(path, Some(direction))?);
            }
        }
        if let [i2t, t2i] = pair.as_slice() {
            given.push(LoadedScores::lists(joint_stem(&i2t.stem, &t2i.stem), pair));
        } else {
            given.extend(pairing::pair_up(pair));
        }
        Ok(given)
    }
}
