//! Previews of figures, and export of figures, charts and rows to files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Job, ListedRows, Run, Stamp, Wanted};
use crate::error::{Error, Result};
use crate::figure::chart::{Chart, draw_chart};
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
    /// Stamp of the study that the queries are from.
    pub study: Stamp,
    /// Queries of the figure, with their items.
    pub queries: Vec<figure::FigureQuery>,
    /// Judgments of the annotator.
    pub judgments: Judgments,
    /// Figure options.
    pub options: Options,
    /// Height of a page in millimetres.
    pub page_height: f32,
    /// Columns and rows of the terminal for a preview as image; `None`: preview in text.
    pub image_cells: Option<(u16, u16)>,
}

/// Preview of a figure.
#[derive(Debug)]
pub struct DraftPreview {
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
    /// A draft has the stamp of its study. An outdated preview is shown until the next one is drawn.
    type Key = ();
    type Part = Arc<Draft>;
    /// The study, and the image backend if the terminal shows images.
    type Input = (Arc<Study>, Option<ImageBackend>);
    type Output = (Arc<Draft>, Result<DraftPreview>);

    fn run(&mut self, draft: &Arc<Draft>, run: &Run<'_, Self>) {
        let (study, backend) = run.input;
        run.send((draft.clone(), draw_preview(study, draft, backend.as_ref())));
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let draft = app.picks_screen().and_then(Context::<Picks>::wanted_draft);
        let draft = Vec::from_iter(draft.map(Arc::new));
        let input = || (app.model.study.clone(), app.ui.thumbnails.backend.clone());
        Some(Wanted::with_parts((), draft, input))
    }

    fn apply(app: &mut App, (): (), drawn: Self::Output) {
        if let Some(picks) = app.screen_mut::<Picks>() {
            picks.preview = Some(drawn);
        }
    }
}

/// Draws a figure as an image if there is a backend and the draft has `image_cells`, else as text.
fn draw_preview(
    study: &Study,
    draft: &Draft,
    backend: Option<&ImageBackend>,
) -> Result<DraftPreview> {
    let draw = |queries: &[figure::FigureQuery]| {
        let scene = Scene::new(study, queries, &draft.judgments)?;
        Figure::new(study, scene, draft.options.clone())
    };
    let mut figure = draw(&draft.queries)?;
    let fits = figure.shrink_to_height(draft.page_height).is_ok();
    let size = figure.size();
    let Some((backend, cells)) = backend.zip(draft.image_cells) else {
        let pages =
            if fits { 1 } else { figure::paginate(&draft.queries, draft.page_height, draw)?.len() };
        let view = DraftView::Lines(figure::preview(&figure, pages));
        return Ok(DraftPreview { size, view });
    };
    let pixels = figure::render_to_fit(&figure, backend.pixel_size(cells))?;
    let painted = backend.paint(pixels, cells);
    let painted = painted.map_err(|why| Error::new("the preview", why))?;
    Ok(DraftPreview { size, view: DraftView::Image(painted) })
}

/// An export to a file.
#[derive(Debug)]
pub struct Export {
    /// Its content.
    pub content: Arc<ExportContent>,
    /// Path as typed; its extension sets the format.
    pub path: PathBuf,
    /// Extension to append if the path has none.
    pub ending: &'static str,
    /// Whether to replace an existing file.
    pub replaces: bool,
    /// The session file, which must not be overwritten.
    pub session: Option<PathBuf>,
}

/// Content of an export.
#[derive(Debug)]
pub enum ExportContent {
    /// Queries with the top items of each model.
    Queries(PickedQueries),
    /// A chart.
    Chart(Box<Chart>),
    /// The rows of a list of items.
    Rows(ListedRows),
}

/// Picked queries to draw as a figure.
#[derive(Debug)]
pub struct PickedQueries {
    /// The study.
    pub study: Arc<Study>,
    /// Queries of the figure, with their items.
    pub queries: Vec<figure::FigureQuery>,
    /// Errors of the excluded picks, whose items the study lacks.
    pub excluded: Vec<Error>,
    /// Judgments of the annotator.
    pub judgments: Judgments,
    /// Figure options.
    pub options: Options,
    /// Page height in millimetres: paged formats break there, others are at most this high.
    pub page_height: f32,
}

/// A file that was written.
#[derive(Debug)]
pub struct Exported {
    /// Its path, with an extension.
    pub path: PathBuf,
    /// Number of pages.
    pub pages: usize,
    /// Warnings on content that is not drawn exactly, one line each.
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
        Some(Wanted::new((), || export.clone()))
    }

    fn apply(app: &mut App, (): (), (export, outcome): Self::Output) {
        app.model.finish_export(&export, outcome);
    }

    fn on_panic(app: &mut App) {
        app.model.exporting = None;
        app.model.dirty |= Dirty::POPUP;
    }
}

impl Export {
    /// Writes the content to the path; replaces a file only if requested.
    fn write(&self) -> Result<Exported> {
        let path = self.writable_path()?;
        let (pages, warnings) = match &*self.content {
            ExportContent::Queries(picked) => picked.write(&path, self.replaces)?,
            ExportContent::Chart(content) => {
                let chart = draw_chart(content, &Options::default())?;
                (1, figure::export(&[chart], &path, self.replaces)?)
            }
            ExportContent::Rows(rows) => rows.write(&path).map(|()| (1, Vec::new()))?,
        };
        Ok(Exported { path, pages, warnings })
    }

    /// The path with an extension, if it may be written; an error says why not.
    fn writable_path(&self) -> Result<PathBuf> {
        let mut path = self.path.clone();
        let refuse = |path: &Path, why| Err(Error::new(path.display(), why));
        if path.is_dir() || path.to_string_lossy().ends_with('/') {
            return refuse(&path, "this is a folder");
        }
        if path.extension().is_none() {
            path.set_extension(self.ending);
        }
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if self.session.as_ref().is_some_and(|session| real(session) == real(&path)) {
            return refuse(&path, "this file has the session");
        }
        if path.exists() && !self.replaces {
            return refuse(&path, "file exists: Enter again replaces it");
        }
        Ok(path)
    }
}

impl PickedQueries {
    /// Writes the figure; returns its number of pages, and warnings.
    fn write(&self, path: &Path, replaces: bool) -> Result<(usize, Vec<String>)> {
        let format = figure::format_of(path)?;
        let draw = |queries: &[figure::FigureQuery]| {
            let scene = Scene::new(&self.study, queries, &self.judgments)?;
            Figure::new(&self.study, scene, self.options.clone())
        };
        let (pages, notes) = figure::fit_to_pages(&self.queries, self.page_height, format, draw)?;
        let mut warnings = figure::export(&pages, path, replaces)?;
        warnings.extend(notes);
        Ok((pages.len(), warnings))
    }
}
