//! Figures as files: one of all queries, of a page each, or of a query each.

use std::path::{Path, PathBuf};

use super::FigureArgs;
use crate::cli::say::{self, warn};
use crate::data::output::check_free;
use crate::data::text::shown;
use crate::error::{Error, Result};
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
        let figure = Figure::new(self.study, scene, self.options.clone())?;
        Ok(figure.as_format(self.format))
    }

    /// The figure, shrunk to a page; where it may be split, one of as many queries as fit a page, and so on.
    fn figures(&self, wanted: &[Wanted]) -> Result<Vec<Figure>> {
        let page = figure::page_height(self.args.look.columns);
        let most = self.args.max_height.unwrap_or(page);
        let mut figures = if self.args.pages {
            figure::in_pages(wanted, most, |wanted| self.figure(wanted))?
        } else {
            vec![self.figure(wanted)?]
        };
        for figure in &mut figures {
            let mend = if figure.scene.queries.len() > 1 { "--pages" } else { "fewer items, -k" };
            if let Some(told) = figure.fit(most).map_err(|error| error.mend(mend))? {
                say!("{told}");
            }
        }
        Ok(figures)
    }

    /// Writes the figure of all queries to standard output.
    pub fn print(&self, wanted: &[Wanted]) -> Result<()> {
        let figures = self.figures(wanted)?;
        let [figure] = figures.as_slice() else {
            let found = format!("{} figures for standard output", figures.len());
            return Err(Error::new("--pages", found)
                .expected("a file to number")
                .mend(format!("-o FILE.{}", self.format.key)));
        };
        let output = figure.write(self.format, "")?;
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
        self.check_free(&files)?;
        let mut both = wanted.chunks(1).zip(&files);
        both.try_for_each(|(one, file)| self.write(one, file))
    }

    fn check_free(&self, files: &[PathBuf]) -> Result<()> {
        let force = self.args.input.force;
        files.iter().try_for_each(|file| check_free(file, force))
    }

    /// The figure of all queries: one file, or where it is split and the format has no pages, numbered ones.
    pub fn write(&self, wanted: &[Wanted], file: &Path) -> Result<()> {
        let figures = self.figures(wanted)?;
        let of_file = if self.format.has_pages { figures.len() } else { 1 };
        let files = numbered(file, figures.len() / of_file);
        if files.len() > 1 {
            self.check_free(&files)?;
        }
        for (figures, file) in figures.chunks(of_file).zip(&files) {
            warn(figure::export(figures, self.format, file, self.args.input.force)?);
            let pages = match figures.len() {
                1 => String::new(),
                count => format!(", {count} pages"),
            };
            say!("wrote {}{pages}", shown(&file.display().to_string()));
        }
        Ok(())
    }
}

/// The file; of several, `figure.svg` becomes `figure-1.svg` and so on, in the order of their names.
pub(in crate::cli) fn numbered(file: &Path, count: usize) -> Vec<PathBuf> {
    if count == 1 {
        return vec![file.to_owned()];
    }
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let ending = file.extension().map(|ending| format!(".{}", ending.to_string_lossy()));
    let (ending, digits) = (ending.unwrap_or_default(), count.to_string().len());
    let one = |at: usize| file.with_file_name(format!("{name}-{at:0digits$}{ending}"));
    (1..=count).map(one).collect()
}
