//! Figures drawn for the screen while a person looks on, and written to files.

use std::path::PathBuf;
use std::sync::Arc;

use super::worker::{Job, Worker};
use super::{Event, Notify};
use crate::error::{Error, Result};
use crate::figure::{self, Figure, Format, Options, Scene, Wanted};
use crate::picture::DynamicImage;
use crate::study::Study;

/// A figure for the screen.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// Of the study that the queries are in.
    pub generation: u64,
    /// The queries.
    pub wanted: Vec<Wanted>,
    /// How they are drawn.
    pub options: Options,
    /// Columns and rows of the place for a picture of it; without, it is told in text.
    pub place: Option<(u16, u16)>,
}

/// A figure as the screen shows it.
#[derive(Debug)]
pub enum Drafted<P> {
    /// In lines of text.
    Lines(Vec<String>),
    /// As a picture.
    Picture(P),
}

/// A figure for a file.
#[derive(Debug)]
pub struct Export {
    /// The study that the queries are in.
    pub study: Arc<Study>,
    /// The queries.
    pub wanted: Vec<Wanted>,
    /// How they are drawn.
    pub options: Options,
    /// What is written.
    pub format: &'static Format,
    /// The file.
    pub path: PathBuf,
    /// Whether it may take the place of a file that is there.
    pub replaces: bool,
}

/// Draws and writes figures in the background; of drafts the newest wins.
pub struct Drafter {
    drafts: Worker<(Arc<Study>, Arc<Draft>)>,
    exports: Worker<Arc<Export>>,
}

impl Drafter {
    /// Starts the threads. A cell of the screen has `cell` pixels across and down; `paint` makes of a
    /// picture, which fits its place of so many columns and rows, what is drawn; `tell` takes each
    /// draft as it is done.
    pub fn new<P>(
        cell: (u16, u16),
        mut paint: impl FnMut(DynamicImage, (u16, u16)) -> std::result::Result<P, String>
        + Send
        + 'static,
        tell: impl Fn(Arc<Draft>, Result<Drafted<P>>) + Send + 'static,
        notify: &Notify,
    ) -> Self {
        let draw = move |(study, draft): (Arc<Study>, Arc<Draft>), _: &Job<_>| {
            let drafted = drafted(&study, &draft, cell, &mut paint);
            tell(draft, drafted);
        };
        let of_worker = notify.clone();
        let write = move |export: Arc<Export>, _: &Job<_>| {
            let written = export.write();
            of_worker(Event::Exported(export, written));
        };
        Drafter {
            drafts: Worker::start("drafts", notify.clone(), draw),
            exports: Worker::start("exports", notify.clone(), write),
        }
    }

    /// Asks for a figure on the screen; one asked for before is given up.
    pub fn draft(&self, study: Arc<Study>, draft: Arc<Draft>) {
        self.drafts.request((study, draft));
    }

    /// Asks for a file. One that waits is forgotten: whoever asks waits for [`Event::Exported`].
    pub fn export(&self, export: Arc<Export>) {
        self.exports.request(export);
    }

    /// Waits until all that was asked for is done.
    pub fn wait_idle(&self) {
        self.drafts.wait_idle();
        self.wait_for_exports();
    }

    /// Waits until the file under way is written.
    pub fn wait_for_exports(&self) {
        self.exports.wait_idle();
    }
}

fn drafted<P>(
    study: &Study,
    draft: &Draft,
    cell: (u16, u16),
    paint: &mut impl FnMut(DynamicImage, (u16, u16)) -> std::result::Result<P, String>,
) -> Result<Drafted<P>> {
    let scene = Scene::of(study, &draft.wanted)?;
    let figure = Figure::new(study, scene, draft.options.clone())?;
    let Some(place) = draft.place else {
        return Ok(Drafted::Lines(figure::preview(&figure)));
    };
    let side = |cells: u16, pixels: u16| u32::from(cells) * u32::from(pixels);
    let within = (side(place.0, cell.0), side(place.1, cell.1));
    let picture = figure::picture(&figure, within)?;
    let painted = paint(picture, place).map_err(|why| Error::new("the preview", why))?;
    Ok(Drafted::Picture(painted))
}

impl Export {
    fn write(&self) -> Result<Vec<String>> {
        if !self.replaces && self.path.exists() {
            return Err(
                Error::new(self.path.display(), "there is such a file by now")
                    .expected("a name that no file has"),
            );
        }
        let scene = Scene::of(&self.study, &self.wanted)?;
        let figure = Figure::new(&self.study, scene, self.options.clone())?;
        figure::export(&figure, self.format, &self.path)
    }
}
