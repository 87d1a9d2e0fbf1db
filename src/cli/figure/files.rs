//! Figures as files: one of all queries, or of a query each.

use std::path::{Path, PathBuf};

use super::FigureArgs;
use crate::cli::say::{self, warn};
use crate::data::output::check_free;
use crate::data::text::shown;
use crate::error::Result;
use crate::figure::{self, Drawing, Figure, Format, Hidden, Options, Scene, Wanted};
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

    /// The pages of a figure; says what was shrunk.
    fn pages(&self, wanted: &[Wanted]) -> Result<Vec<Drawing>> {
        let page = figure::page_height(self.args.look.columns);
        let most = self.args.max_height.unwrap_or(page);
        let (pages, told) = figure::paged(wanted, most, self.format, |wanted| self.figure(wanted))?;
        if let Some(told) = told {
            say!("{told}");
        }
        Ok(pages)
    }

    /// Writes the figure of all queries to standard output.
    pub fn print(&self, wanted: &[Wanted]) -> Result<()> {
        let output = self.pages(wanted)?[0].write(self.format, "")?;
        warn(output.warnings);
        say::put(&output.bytes)
    }

    /// A figure for each query, named after it.
    pub fn each(&self, wanted: &[Wanted], folder: &Path) -> Result<()> {
        let file = |one: &Wanted| {
            let id = self.study.gallery.queries(one.direction)[one.query].to_string();
            let plain = |c: char| if c.is_alphanumeric() { c } else { '-' };
            let id: String = id.chars().map(plain).collect();
            folder.join(format!("{}-{id}.{}", one.direction.key(), self.format.key))
        };
        let files: Vec<PathBuf> = wanted.iter().map(file).collect();
        files.iter().try_for_each(|file| check_free(file, self.args.input.force))?;
        let mut both = wanted.chunks(1).zip(&files);
        both.try_for_each(|(one, file)| self.write(one, file))
    }

    /// The figure of all queries.
    pub fn write(&self, wanted: &[Wanted], file: &Path) -> Result<()> {
        let pages = self.pages(wanted)?;
        warn(figure::export(&pages, self.format, file, self.args.input.force)?);
        let pages = match pages.len() {
            1 => String::new(),
            count => format!(", {count} pages"),
        };
        say!("wrote {}{pages}", shown(&file.display().to_string()));
        Ok(())
    }
}
