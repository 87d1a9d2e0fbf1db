//! Scores given by flags.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde::Deserialize;

use super::flags::{self, open_both};
use super::loaded_scores::{LoadedForm, LoadedScores, OneMatrix, joint_stem};
use super::{description, pairing, runs};
use crate::data::Direction;
use crate::data::npy::Npy;
use crate::data::scores::Embeddings;
use crate::error::{Error, Result};

/// Ids of the options that give scores.
pub const SCORES: [&str; 8] =
    ["i2t", "t2i", "image_emb", "text_emb", "run", "run_i2t", "run_t2i", "knn"];

/// Scores given by options of their own: a file per direction, embeddings, ranked lists or nearest neighbours.
#[derive(Debug, Clone, Default, Args, Deserialize)]
#[command(next_help_heading = "Scores in other forms")]
#[serde(default)]
pub struct ScoreInputs {
    /// Scores of image queries, as re-ranking models write; with --t2i
    #[arg(long, value_name = "FILE")]
    pub i2t: Option<PathBuf>,
    /// Scores of caption queries; with --i2t
    #[arg(long, value_name = "FILE")]
    pub t2i: Option<PathBuf>,
    /// Image embeddings (.npy or Parquet); with --text-emb
    #[arg(long, value_name = "FILE")]
    pub image_emb: Option<PathBuf>,
    /// Caption embeddings; the scores are dot products
    #[arg(long, value_name = "FILE")]
    pub text_emb: Option<PathBuf>,
    /// Normalize embeddings, so that scores are cosines
    #[arg(long)]
    pub cosine: bool,
    /// Ranked lists of both directions (JSON, TREC run, Parquet); repeatable
    ///
    /// JSON: {"i2t": {query id: [item ids, best first]}, "t2i": {..}}
    #[arg(long, value_name = "FILE")]
    #[serde(deserialize_with = "description::deserialize_paths")]
    pub run: Vec<PathBuf>,
    /// Ranked captions of image queries (JSON, TREC run, Parquet)
    #[arg(long, value_name = "FILE")]
    pub run_i2t: Option<PathBuf>,
    /// Ranked images of caption queries (JSON, TREC run, Parquet)
    #[arg(long, value_name = "FILE")]
    pub run_t2i: Option<PathBuf>,
    /// Neighbours from FAISS: indices, optional distances; per direction
    ///
    /// Prefix `i2t:` or `t2i:` if the sizes do not tell the direction.
    #[arg(long, value_name = "I.npy[,D.npy]")]
    pub knn: Vec<Neighbours>,
    /// Take every cell as a score, even if most of a row are its minimum
    #[arg(long)]
    #[serde(skip)]
    pub dense: bool,
}

/// Files with the arrays that FAISS returns.
#[derive(Debug, Clone, Deserialize)]
#[serde(from = "String")]
pub struct Neighbours {
    /// The direction, if given.
    pub direction: Option<Direction>,
    /// Indices, queries x k.
    pub indices: PathBuf,
    /// Distances or products, queries x k, if given.
    pub values: Option<PathBuf>,
}

impl From<String> for Neighbours {
    /// Parses `I.npy` or `I.npy,D.npy`, with prefix `i2t:` or `t2i:` if the sizes are ambiguous.
    fn from(named: String) -> Self {
        let named = named.as_str();
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
    /// Whether no flag gives scores.
    pub fn is_empty(&self) -> bool {
        self.files().next().is_none()
    }

    /// Prepends a folder to all relative paths.
    pub(super) fn with_folder(mut self, folder: &Path) -> Self {
        let one = [
            &mut self.i2t,
            &mut self.t2i,
            &mut self.image_emb,
            &mut self.text_emb,
            &mut self.run_i2t,
            &mut self.run_t2i,
        ];
        let knn = self.knn.iter_mut();
        let knn = knn.flat_map(|knn| [Some(&mut knn.indices), knn.values.as_mut()]);
        for file in one.into_iter().flatten().chain(&mut self.run).chain(knn.flatten()) {
            *file = folder.join(&*file);
        }
        self
    }

    /// Paths of all given files.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        let one =
            [&self.i2t, &self.t2i, &self.image_emb, &self.text_emb, &self.run_i2t, &self.run_t2i];
        let knn = self.knn.iter();
        let knn = knn.flat_map(|knn| [Some(&knn.indices), knn.values.as_ref()]);
        let files = one.into_iter().flatten().chain(&self.run);
        files.chain(knn.flatten()).map(PathBuf::as_path)
    }

    /// The scores of every model given by these flags.
    pub(super) fn load(&self) -> Result<Vec<LoadedScores>> {
        let mut given = Vec::new();
        let two = [("--i2t", &self.i2t), ("--t2i", &self.t2i)];
        if let Some(both) = open_both(two, "the two matrices of one model", flags::read_matrix)? {
            let [i2t, t2i] = both.map(OneMatrix::new);
            given.push(LoadedScores::from_matrices(i2t?, t2i?));
        }
        let two = [("--image-emb", &self.image_emb), ("--text-emb", &self.text_emb)];
        if let Some(files) = open_both(two, "the embeddings of one model", flags::read_matrix)? {
            given.push(self.load_embeddings(files)?);
        }
        given.extend(self.load_lists()?);
        if !self.knn.is_empty() {
            let found = self.knn.iter().map(flags::open_neighbours).collect::<Result<_>>()?;
            given.push(LoadedScores::from_knn(found));
        }
        Ok(given)
    }

    /// Rejects `--cosine` without embeddings.
    pub(super) fn require_embeddings(&self, models: &[LoadedScores]) -> Result<()> {
        let is_embedded = |one: &LoadedScores| matches!(one.form, LoadedForm::Embeddings { .. });
        if !self.cosine || models.iter().any(is_embedded) {
            return Ok(());
        }
        Err(Error::new("--cosine", "no embeddings among the files")
            .expected("the embeddings of images and captions")
            .fix("--image-emb FILE --text-emb FILE"))
    }

    /// The scores of image and caption embeddings.
    fn load_embeddings(&self, [images, captions]: [Npy; 2]) -> Result<LoadedScores> {
        let mut embeddings = Embeddings::new(&images, &captions, self.cosine)?;
        let folded = embeddings.fold_repeated_images();
        let description = format!(
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
            form: LoadedForm::Embeddings { embeddings: Arc::new(embeddings), description },
        })
    }

    /// The models of all flags for ranked lists.
    fn load_lists(&self) -> Result<Vec<LoadedScores>> {
        let mut runs = Vec::new();
        for path in &self.run {
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
            given.push(LoadedScores::from_lists(joint_stem(&i2t.stem, &t2i.stem), pair));
        } else {
            given.extend(pairing::pair_up(pair));
        }
        Ok(given)
    }
}
