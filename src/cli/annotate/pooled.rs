//! What `annotate reuse` and `annotate bias` are of: a pool, and a study with the ground truth that it made.

use std::path::PathBuf;

use clap::Args;

use super::super::format::PrintArgs;
use super::super::{InputArgs, progress, report_notes};
use crate::annotate::pool;
use crate::annotate::proposers::Proposers;
use crate::data::source::Source;
use crate::data::text::{grouped, shown};
use crate::error::{Error, Result};
use crate::study::{self, Study};
use crate::truth::Truth;

#[derive(Debug, Args)]
pub(in crate::cli) struct PooledArgs {
    /// Pool that the ground truth was made from
    #[arg(value_name = "POOL.jsonl")]
    pool: PathBuf,
    /// Ground truth [default: the richest]
    #[arg(long, value_name = "NAME")]
    truth: Option<String>,
    /// Earlier ground truth, whose positives stay [default: none]
    #[arg(long, value_name = "NAME")]
    base: Option<String>,
    #[command(flatten)]
    pub(super) print: PrintArgs,
    #[command(flatten)]
    input: InputArgs,
}

/// Both, read.
pub(super) struct Pooled {
    /// The study.
    pub study: Study,
    /// Who proposed what.
    pub proposed: Proposers,
    /// The truth.
    pub truth: Truth,
}

impl PooledArgs {
    /// Reads the pool and the study.
    pub(super) fn read(&self) -> Result<Pooled> {
        let source = Source::open(&self.pool)?;
        let pool = pool::read(&source)?;
        let inputs = self.input.inputs(false);
        let study = progress::waiting("reading", || study::open(&inputs))?;
        report_notes(&study, self.print.quiet);
        let truth = self.truth(&study)?.clone();
        let base = self.base.as_ref().map(|name| study.require_truth(name));
        let proposed = Proposers::of(&pool, &study, &source.display())?;
        let proposed = proposed.beside(base.transpose()?.cloned());
        if proposed.outside > 0 {
            let outside = grouped(proposed.outside);
            say!(
                "warning: {}: {outside} pairs that the gallery lacks are left out",
                source.display()
            );
        }
        for model in &study.models {
            if proposed.place(&model.name).is_none() {
                say!("warning: {} was not in the pool", shown(&model.name));
            }
        }
        Ok(Pooled { study, proposed, truth })
    }

    /// That the base is not the ground truth itself.
    pub(super) fn check_base(&self, truth: &Truth) -> Result<()> {
        if self.base.as_ref() != Some(&truth.name) {
            return Ok(());
        }
        let found = format!("{}, the ground truth that the pool made", truth.name);
        Err(Error::new("--base", found)
            .expected("another one, which was there before the pool: without new positives nothing changes")
            .mend("leave --base out, or name another one with --truth"))
    }

    /// The ground truth that is asked for.
    fn truth<'a>(&self, study: &'a Study) -> Result<&'a Truth> {
        if let Some(name) = &self.truth {
            return study.require_truth(name);
        }
        let richest = study.richest();
        let missing = || Error::new("--truth", "no ground truth among the files");
        Ok(&study.truths[richest.ok_or_else(missing)?])
    }
}
