//! The explorer over a pool of candidates: whose session, and what others answered.

use std::path::PathBuf;

use clap::Args;

use crate::annotate::others::{OthersFiles, session_of};
use crate::annotate::pool;
use crate::data::source::Source;
use crate::error::Result;
use crate::session::Place;
use crate::study::Study;
use crate::tui::state::pool::PoolToJudge;

#[derive(Debug, Args)]
#[command(next_help_heading = "Judging a pool")]
pub(super) struct PooledArgs {
    /// Judge the pairs of a pool from `annotate pool`, one by one, blind
    ///
    /// Judgments go to POOL.NAME.itm.json beside it, where NAME is the annotator, or to --session.
    #[arg(long, value_name = "POOL.jsonl", conflicts_with = "tour")]
    annotate: Option<PathBuf>,
    /// Other annotators' judgments besides those near the pool; repeatable
    #[arg(long, value_name = "FILE", requires = "annotate")]
    others: Vec<PathBuf>,
}

impl PooledArgs {
    /// Whether `--annotate` is given.
    pub(super) fn is_asked(&self) -> bool {
        self.annotate.is_some()
    }

    /// The session of an annotator; `None` where no pool is judged.
    pub(super) fn session(&self, annotator: &str) -> Option<Place> {
        let pool = self.annotate.as_ref()?;
        Some(session_of(pool, annotator))
    }

    /// The pool, and what all but one annotator answered; `None` where no pool is judged.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub(super) fn open(&self, study: &Study, annotator: &str) -> Result<Option<PoolToJudge>> {
        let Some(path) = &self.annotate else {
            return Ok(None);
        };
        let source = Source::open(path)?;
        let pool = pool::read(&source)?;
        pool.require_in(&study.gallery, source.display())?;
        let files = OthersFiles {
            pool: path.clone(),
            named: self.others.clone(),
            me: annotator.to_owned(),
            overlap: pool.head.overlap,
        };
        Ok(Some(PoolToJudge { pool, others: files.read(&study.gallery)?, files: Some(files) }))
    }
}
