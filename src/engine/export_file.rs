//! Figures, charts and rows written to files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::ListedRows;
use super::job::{Job, Run};
use crate::error::{Error, Result};
use crate::figure::chart::{Chart, chart};
use crate::figure::{self, Figure, Format, HeightAdvice, Options, Scene, Wanted};
use crate::study::Study;
use crate::truth::verdict::Verdicts;

/// What is said of a figure that is higher than a page: what the screen of the picks can change.
const ADVICE: HeightAdvice = HeightAdvice {
    fewer: "fewer items",
    split: "a .pdf, which has pages, `of` this pick or its group, another layout or column, or `figure --pages`",
    narrow: "another layout or column, or `figure --width MM --max-height MM`",
};

/// What is to be written to a file.
#[derive(Debug)]
pub struct Export {
    /// What it shows.
    pub shows: Shows,
    /// The file, whose ending tells the format.
    pub path: PathBuf,
    /// Whether it may take the place of a file that is there.
    pub replaces: bool,
}

/// What a file shows.
#[derive(Debug)]
pub enum Shows {
    /// Queries with the best items of each model.
    Queries(Picked),
    /// A chart.
    Chart(Box<Chart>),
    /// The rows of a list of items.
    Rows(Arc<ListedRows>),
}

/// The queries of a figure.
#[derive(Debug)]
pub struct Picked {
    /// The study that the queries are in.
    pub study: Arc<Study>,
    /// The queries.
    pub wanted: Vec<Wanted>,
    /// Why others were left out: what they show is not in the study.
    pub left_out: Vec<Error>,
    /// What a person said of their pairs.
    pub verdicts: Verdicts,
    /// How they are drawn.
    pub options: Options,
    /// The height of a page, in millimetres: a format that has pages begins another one there, no other for paper
    /// is higher.
    pub page_height: f32,
}

/// A file that was written.
#[derive(Debug)]
pub struct Exported {
    /// How many pages it has.
    pub pages: usize,
    /// What could not be shown as it is, a line each.
    pub warnings: Vec<String>,
}

/// The job that writes files.
#[derive(Default)]
pub struct ExportFile;

impl Job for ExportFile {
    const NAME: &'static str = "exports";
    /// What is written over meanwhile is found before the file is there.
    const READS_SCORES: bool = false;
    const IS_LONG: bool = false;
    /// What is written is written.
    type Key = ();
    type Part = ();
    type Input = Arc<Export>;
    type Output = (Arc<Export>, Result<Exported>);

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        run.send((run.input.clone(), run.input.write()));
    }
}

impl Export {
    fn write(&self) -> Result<Exported> {
        if !self.replaces && self.path.exists() {
            return Err(Error::new(self.path.display(), "file exists by now")
                .expected("a name that no file has"));
        }
        match &self.shows {
            Shows::Queries(picked) => picked.write(&self.path, self.replaces),
            Shows::Chart(of) => Ok(Exported {
                pages: 1,
                warnings: figure::draw(&chart(of, &Options::default())?, &self.path)?,
            }),
            Shows::Rows(rows) => {
                rows.write(&self.path)?;
                Ok(Exported { pages: 1, warnings: Vec::new() })
            }
        }
    }
}

impl Picked {
    fn write(&self, path: &Path, replaces: bool) -> Result<Exported> {
        let format = figure::format_of(path)?;
        let mut figures = match format.pages {
            Some(_) => {
                figure::in_pages(&self.wanted, self.page_height, |some| self.figure(some, format))?
            }
            None => vec![self.figure(&self.wanted, format)?],
        };
        for figure in figures.iter_mut().filter(|_| format.is_paper) {
            figure.check_height(self.page_height, ADVICE)?;
        }
        Ok(Exported {
            pages: figures.len(),
            warnings: figure::export(&figures, format, path, replaces)?,
        })
    }

    fn figure(&self, wanted: &[Wanted], format: &Format) -> Result<Figure> {
        let scene = Scene::of(&self.study, wanted, &self.verdicts)?;
        let figure = Figure::new(&self.study, scene, self.options.clone())?;
        Ok(figure.as_format(format))
    }
}
