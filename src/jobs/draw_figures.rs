//! Previews of figures, and export of figures, charts and rows to files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Job, ListedRows, Run, Stamp, Wanted};
use crate::error::{Error, Result};
use crate::figure::chart::{Chart, chart};
use crate::figure::{self, Figure, Options, Preview, Scene};
use crate::study::Study;
use crate::truth::judgment::Judgments;
use crate::tui::app::App;
use crate::tui::context::Context;
use crate::tui::screens::picks::Picks;
use crate::tui::state::changes::Dirty;
use crate::tui::thumbnails::{ImageBackend, Painted};

/// A figure to preview.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// Stamp of the queries' study.
    pub study: Stamp,
    /// The queries.
    pub queries: Vec<figure::Wanted>,
    /// Judgments of their pairs.
    pub judgments: Judgments,
    /// Figure options.
    pub options: Options,
    /// The height of a page, in millimetres.
    pub page_height: f32,
    /// Columns and rows of the terminal for a preview as image; `None`: preview in text.
    pub image_cells: Option<(u16, u16)>,
}

/// Preview of a figure.
#[derive(Debug)]
pub struct Drafted {
    /// Width and height in millimetres.
    pub size: [f32; 2],
    /// Text or image.
    pub view: DraftView,
}

/// Content of a preview.
#[derive(Debug)]
pub enum DraftView {
    /// Lines of text.
    Lines(Preview),
    /// An image.
    Image(Painted),
}

/// Draws the preview of a figure.
pub struct PreviewFigure;

impl Job for PreviewFigure {
    /// A draft holds its study's stamp: a late one is shown until the next is drawn.
    type Key = ();
    type Part = Arc<Draft>;
    /// The study, and the image backend, if images are shown.
    type Input = (Arc<Study>, Option<ImageBackend>);
    type Output = (Arc<Draft>, Result<Drafted>);

    fn run(&mut self, draft: &Arc<Draft>, run: &Run<'_, Self>) {
        let (study, paint) = run.input;
        run.send((draft.clone(), drafted(study, draft, paint.as_ref())));
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let draft = app.picks().and_then(Context::<Picks>::wanted_draft);
        let draft = Vec::from_iter(draft.map(Arc::new));
        let input = || (app.model.study.clone(), app.ui.thumbnails.backend.clone());
        Some(Wanted::parts((), draft, input))
    }

    fn take(app: &mut App, (): (), drawn: Self::Output) {
        if let Some(picks) = app.on_mut::<Picks>() {
            picks.drawn = Some(drawn);
        }
    }
}

fn drafted(study: &Study, draft: &Draft, paint: Option<&ImageBackend>) -> Result<Drafted> {
    let drawn = |wanted: &[figure::Wanted]| {
        let scene = Scene::new(study, wanted, &draft.judgments)?;
        Figure::new(study, scene, draft.options.clone())
    };
    let mut figure = drawn(&draft.queries)?;
    let fits = figure.fit(draft.page_height).is_ok();
    let size = figure.size();
    let Some((paint, cells)) = paint.zip(draft.image_cells) else {
        let pages = if fits {
            1
        } else {
            figure::in_pages(&draft.queries, draft.page_height, drawn)?.len()
        };
        let view = DraftView::Lines(figure::preview(&figure, pages));
        return Ok(Drafted { size, view });
    };
    let pixels = figure::pixels(&figure, paint.pixels(cells))?;
    let painted = paint.paint(pixels, cells);
    let painted = painted.map_err(|why| Error::new("the preview", why))?;
    Ok(Drafted { size, view: DraftView::Image(painted) })
}

/// An export to a file.
#[derive(Debug)]
pub struct Export {
    /// Its content.
    pub content: Arc<ExportContent>,
    /// File name as typed; the extension sets the format.
    pub path: PathBuf,
    /// Default extension.
    pub ending: &'static str,
    /// Whether to replace an existing file.
    pub replaces: bool,
    /// Session file, never overwritten.
    pub session: Option<PathBuf>,
}

/// Content of an export.
#[derive(Debug)]
pub enum ExportContent {
    /// Queries with the top items of each model.
    Queries(Picked),
    /// A chart.
    Chart(Box<Chart>),
    /// The rows of a list of items.
    Rows(ListedRows),
}

/// The queries of a figure.
#[derive(Debug)]
pub struct Picked {
    /// The study.
    pub study: Arc<Study>,
    /// The queries.
    pub queries: Vec<figure::Wanted>,
    /// Errors of excluded picks, whose items the study lacks.
    pub left_out: Vec<Error>,
    /// Judgments of their pairs.
    pub judgments: Judgments,
    /// Figure options.
    pub options: Options,
    /// Page height in millimetres: paged formats break there, others are at most this high.
    pub page_height: f32,
}

/// A file that was written.
#[derive(Debug)]
pub struct Exported {
    /// The file.
    pub path: PathBuf,
    /// Number of pages.
    pub pages: usize,
    /// Content not shown exactly, one line each.
    pub warnings: Vec<String>,
}

/// Writes figures, charts and rows to files.
pub struct ExportFile;

impl Job for ExportFile {
    /// Overwritten inputs are detected before the file appears.
    const READS_SCORES: bool = false;
    /// An export never goes stale.
    type Key = ();
    type Part = ();
    type Input = Arc<Export>;
    type Output = (Arc<Export>, Result<Exported>);

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        run.send((run.input.clone(), run.input.write()));
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let export = app.model.exporting.as_ref()?;
        Some(Wanted::one((), || export.clone()))
    }

    fn take(app: &mut App, (): (), (export, outcome): Self::Output) {
        app.model.take_export(&export, outcome);
    }

    fn fail(app: &mut App) {
        app.model.exporting = None;
        app.model.dirty |= Dirty::POPUP;
    }
}

impl Export {
    fn write(&self) -> Result<Exported> {
        let path = self.path()?;
        let (pages, warnings) = match &*self.content {
            ExportContent::Queries(picked) => picked.write(&path, self.replaces)?,
            ExportContent::Chart(of) => {
                let chart = chart(of, &Options::default())?;
                (1, figure::export(&[chart], &path, self.replaces)?)
            }
            ExportContent::Rows(rows) => rows.write(&path).map(|()| (1, Vec::new()))?,
        };
        Ok(Exported { path, pages, warnings })
    }

    /// Path with its extension.
    fn path(&self) -> Result<PathBuf> {
        let mut path = self.path.clone();
        let refused = |path: &Path, why| Err(Error::new(path.display(), why));
        if path.is_dir() || path.to_string_lossy().ends_with('/') {
            return refused(&path, "this is a folder");
        }
        if path.extension().is_none() {
            path.set_extension(self.ending);
        }
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if self.session.as_ref().is_some_and(|session| real(session) == real(&path)) {
            return refused(&path, "this file has the session");
        }
        if path.exists() && !self.replaces {
            return refused(&path, "file exists: Enter again replaces it");
        }
        Ok(path)
    }
}

impl Picked {
    fn write(&self, path: &Path, replaces: bool) -> Result<(usize, Vec<String>)> {
        let format = figure::format_of(path)?;
        let figure = |wanted: &[figure::Wanted]| {
            let scene = Scene::new(&self.study, wanted, &self.judgments)?;
            Figure::new(&self.study, scene, self.options.clone())
        };
        let (pages, told) = figure::paged(&self.queries, self.page_height, format, figure)?;
        let mut warnings = figure::export(&pages, path, replaces)?;
        warnings.extend(told);
        Ok((pages.len(), warnings))
    }
}
