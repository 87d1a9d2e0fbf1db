//! Pictures with boxes written to a file.

use std::path::PathBuf;

use super::job::{Job, Run};
use super::localisation::BoxedFigure;
use super::stamp::Stamp;
use crate::error::Result;

/// The job that writes them.
#[derive(Debug, Default)]
pub struct WriteBoxes;

impl Job for WriteBoxes {
    const NAME: &'static str = "exports";
    const READS_SCORES: bool = false;
    const IS_LONG: bool = false;
    const FINISHES_PART: bool = true;
    /// The request.
    type Key = Stamp;
    type Part = ();
    type Input = (BoxedFigure, PathBuf);
    /// What could not be shown as it is, or why nothing is written.
    type Output = Result<Vec<String>>;

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        let (figure, path) = run.input;
        run.send(figure.write(path));
    }
}
