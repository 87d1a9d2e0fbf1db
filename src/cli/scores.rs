//! Flags that name scores in forms that a file alone does not tell.

use std::path::PathBuf;

use clap::Args;

use crate::study::{Neighbours, ScoreInputs};

#[derive(Debug, Clone, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
#[command(next_help_heading = "Scores in other forms")]
pub(super) struct ScoreArgs {
    /// Rows of matrices are captions
    #[arg(long)]
    captions_first: bool,
    /// Rows of matrices are images
    #[arg(long, conflicts_with = "captions_first")]
    images_first: bool,
    /// Scores of image queries, as re-ranking models write; with --t2i
    #[arg(long, value_name = "FILE")]
    i2t: Option<PathBuf>,
    /// Scores of caption queries; with --i2t
    #[arg(long, value_name = "FILE")]
    t2i: Option<PathBuf>,
    /// Image embeddings (.npy or Parquet); with --text-emb
    #[arg(long, value_name = "FILE")]
    image_emb: Option<PathBuf>,
    /// Caption embeddings; the scores are dot products
    #[arg(long, value_name = "FILE")]
    text_emb: Option<PathBuf>,
    /// Normalize embeddings, so that scores are cosines
    #[arg(long)]
    cosine: bool,
    /// Write the scores of the embeddings as a matrix
    #[arg(long, value_name = "OUT.npy")]
    save_scores: Option<PathBuf>,
    /// Ranked lists of both directions (JSON, TREC run, Parquet); repeatable
    ///
    /// JSON: {"i2t": {query id: [item ids, best first]}, "t2i": {..}}
    #[arg(long, value_name = "FILE")]
    run: Vec<PathBuf>,
    /// Ranked captions of image queries (JSON, TREC run, Parquet)
    #[arg(long, value_name = "FILE")]
    run_i2t: Option<PathBuf>,
    /// Ranked images of caption queries (JSON, TREC run, Parquet)
    #[arg(long, value_name = "FILE")]
    run_t2i: Option<PathBuf>,
    /// Neighbours from FAISS: indices, optional distances; per direction
    ///
    /// Prefix `i2t:` or `t2i:` if the sizes do not tell the direction.
    #[arg(long, value_name = "I.npy[,D.npy]")]
    knn: Vec<String>,
    /// Take every cell as a score, even if most of a row are its minimum
    #[arg(long)]
    dense: bool,
}

impl ScoreArgs {
    /// Whether rows of matrices are captions, if an option sets it.
    pub(super) fn captions_first(&self) -> Option<bool> {
        (self.captions_first || self.images_first).then_some(self.captions_first)
    }

    pub(super) fn inputs(&self) -> ScoreInputs {
        ScoreInputs {
            i2t: self.i2t.clone(),
            t2i: self.t2i.clone(),
            image_emb: self.image_emb.clone(),
            text_emb: self.text_emb.clone(),
            cosine: self.cosine,
            save_scores: self.save_scores.clone(),
            runs: self.run.clone(),
            run_i2t: self.run_i2t.clone(),
            run_t2i: self.run_t2i.clone(),
            knn: self.knn.iter().map(|named| Neighbours::parse(named)).collect(),
            dense: self.dense,
        }
    }
}
