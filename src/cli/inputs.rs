//! Options that name the inputs of a study, for every command that reads one.

use clap::Args;

use super::{progress, say};
use crate::error::Result;
use crate::rank::pass::CancelToken;
use crate::study::{Inputs, Study};

/// The inputs of every subcommand. They stand at the end of its arguments: its own come first in the help.
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
    pub(super) fn inputs(&self, texts: bool) -> Inputs {
        let given = self.given.clone();
        Inputs {
            demo: given.demo || (given.files.is_empty() && given.scores.is_empty()),
            captions_first: (self.captions_first || self.images_first)
                .then_some(self.captions_first),
            texts: texts || given.phis.need_texts() || given.entities.is_some(),
            ..given
        }
    }

    /// Inputs of commands that browse rankings: no ground truth is required.
    pub(super) fn browsed(&self) -> Inputs {
        let inputs = self.inputs(true);
        Inputs { is_browsed: inputs.phis.named.is_empty(), ..inputs }
    }

    /// The study of the arguments; reports warnings on its files.
    pub(super) fn open(&self, texts: bool) -> Result<Study> {
        Self::open_with(&self.inputs(texts))
    }

    pub(super) fn open_with(inputs: &Inputs) -> Result<Study> {
        let study = Self::read(inputs)?;
        Self::warn(&study);
        Ok(study)
    }

    /// Without ground truths of similarities.
    pub(super) fn open_alone(inputs: &Inputs) -> Result<Study> {
        let study = progress::waiting("reading", || crate::study::open(inputs))?;
        Self::warn(&study);
        Ok(study)
    }

    pub(super) fn read(inputs: &Inputs) -> Result<Study> {
        progress::waiting("reading", || {
            let mut study = crate::study::open(inputs)?;
            crate::semantic::add_truths(&mut study, &CancelToken::default())?;
            Ok(study)
        })
    }

    /// Warns on stderr of misleading numbers; problems that make them meaningless come last, just above the result.
    /// `doctor` prints how inputs were read.
    pub(super) fn warn(study: &Study) {
        let warnings = study.notes.iter().filter(|note| note.is_to_be_heeded());
        say::warn(warnings.map(|note| &note.text));
        let problems = crate::doctor::examine_quickly(study);
        for alike in problems.chunk_by(|one, other| one.check == other.check) {
            say::warn_of_first(alike);
        }
    }
}
