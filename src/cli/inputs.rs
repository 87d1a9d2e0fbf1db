//! Options for the inputs of a study, of every command that reads one.

use clap::Args;

use super::{progress, say};
use crate::error::Result;
use crate::rank::pass::CancelToken;
use crate::study::{Inputs, Study};

/// Input options of a subcommand. They are its last field, so that its own options come first in the help.
#[derive(Debug, Clone, Args)]
pub(super) struct InputArgs {
    #[command(flatten)]
    pub(super) given: Inputs,
    /// Rows of matrices are captions
    #[arg(long, help_heading = "Scores in other forms")]
    captions_first: bool,
    /// Rows of matrices are images
    #[arg(long, conflicts_with = "captions_first", help_heading = "Scores in other forms")]
    images_first: bool,
}

impl InputArgs {
    /// The inputs of a study, with the caption texts if the command needs them; the demo if there are no files.
    pub(super) fn inputs(&self, needs_texts: bool) -> Inputs {
        let given = self.given.clone();
        Inputs {
            demo: given.demo || (given.files.is_empty() && given.scores.is_empty()),
            captions_first: (self.captions_first || self.images_first)
                .then_some(self.captions_first),
            texts: needs_texts || given.phis.needs_texts() || given.entities.is_some(),
            ..given
        }
    }

    /// The inputs for commands that browse rankings: with caption texts, and without requiring a ground truth.
    pub(super) fn browsing(&self) -> Inputs {
        let inputs = self.inputs(true);
        Inputs { is_browsed: inputs.phis.named.is_empty(), ..inputs }
    }

    /// Opens the study of [`InputArgs::inputs`] and prints warnings.
    pub(super) fn open(&self, needs_texts: bool) -> Result<Study> {
        Self::open_inputs(&self.inputs(needs_texts))
    }

    /// Opens a study with its ground truths from caption similarities, and prints warnings.
    pub(super) fn open_inputs(inputs: &Inputs) -> Result<Study> {
        let study = Self::read(inputs)?;
        Self::warn(&study);
        Ok(study)
    }

    /// Like [`InputArgs::open_inputs`], without ground truths from caption similarities.
    pub(super) fn open_without_similar(inputs: &Inputs) -> Result<Study> {
        let study = progress::with_spinner("reading", || crate::study::open(inputs))?;
        Self::warn(&study);
        Ok(study)
    }

    /// Opens a study with its ground truths from caption similarities, without printing warnings.
    pub(super) fn read(inputs: &Inputs) -> Result<Study> {
        progress::with_spinner("reading", || {
            let mut study = crate::study::open(inputs)?;
            crate::semantic::add_truths(&mut study, &CancelToken::default())?;
            Ok(study)
        })
    }

    /// Prints warnings about inputs that make numbers misleading, and last, just above the result, problems that make
    /// them meaningless. Only `doctor` prints how inputs were read.
    pub(super) fn warn(study: &Study) {
        let warnings = study.notes.iter().filter(|note| note.is_needed_for_metrics());
        say::warn(warnings.map(|note| &note.text));
        let problems = crate::doctor::examine_quickly(study);
        for alike in problems.chunk_by(|one, next| one.check == next.check) {
            say::warn_alike(alike);
        }
    }
}
