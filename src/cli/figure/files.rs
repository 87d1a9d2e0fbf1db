//! A figure as a file.

use std::path::Path;

use super::FigureArgs;
use crate::cli::say;
use crate::error::Result;
use crate::figure::{self, Figure, Format, Hidden, Options, Scene, Wanted};
use crate::study::Study;
use crate::truth::verdict::Verdicts;

/// What every figure of a run has in common.
pub(super) struct Drawer<'a> {
    pub args: &'a FigureArgs,
    pub study: &'a Study,
    pub verdicts: Verdicts,
    pub options: Options,
    pub format: &'static Format,
}

impl Drawer<'_> {
    pub(super) fn figure(&self, wanted: &[Wanted]) -> Result<Figure> {
        let hidden =
            Hidden { scores: self.args.no_scores, ids: self.args.no_ids, notes: self.args.no_note };
        let scene = Scene::of(self.study, wanted, &self.verdicts)?.without(hidden);
        Figure::new(self.study, scene, self.options.clone())
    }

    /// Writes the figure of all queries, to standard output where no file is named; says what was shrunk.
    pub fn write(&self, wanted: &[Wanted], file: Option<&Path>) -> Result<()> {
        let page = figure::page_height(self.args.look.columns);
        let most = self.args.max_height.unwrap_or(page);
        let (pages, told) = figure::paged(wanted, most, self.format, |wanted| self.figure(wanted))?;
        if let Some(told) = told {
            say!("{told}");
        }
        say::draw(&pages, file, self.args.input.given.force)
    }
}
