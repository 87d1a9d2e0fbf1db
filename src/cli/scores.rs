//! Flags that name scores in forms that a file alone does not tell.

use std::path::PathBuf;

use clap::Args;

use crate::study::ScoreInputs;

#[derive(Debug, Args)]
#[command(next_help_heading = "Scores in other forms")]
pub(super) struct ScoreArgs {
    /// Scores of image queries, as re-ranking models write them; goes with --t2i
    #[arg(long, value_name = "FILE")]
    i2t: Option<PathBuf>,
    /// Scores of caption queries, captions first or images first
    #[arg(long, value_name = "FILE")]
    t2i: Option<PathBuf>,
    /// Ranked lists {"i2t": {query id: [item ids, best first]}, "t2i": {..}}, or a TREC run; repeatable
    #[arg(long, value_name = "FILE")]
    run: Vec<PathBuf>,
    /// Ranked lists {image id: [caption ids, best first]}, or a TREC run
    #[arg(long, value_name = "FILE")]
    run_i2t: Option<PathBuf>,
    /// Ranked lists {caption id: [image ids, best first]}, or a TREC run
    #[arg(long, value_name = "FILE")]
    run_t2i: Option<PathBuf>,
    /// Take every cell as a score, also where most of a row holds its least value
    #[arg(long)]
    dense: bool,
}

impl ScoreArgs {
    pub(super) fn inputs(&self) -> ScoreInputs {
        ScoreInputs {
            i2t: self.i2t.clone(),
            t2i: self.t2i.clone(),
            runs: self.run.clone(),
            run_i2t: self.run_i2t.clone(),
            run_t2i: self.run_t2i.clone(),
            dense: self.dense,
        }
    }
}
