//! Pictures for the screen: read, scaled, and painted as the terminal takes them, with boxes of phrases on them; and
//! their files, handed to the system's viewer.

use std::fmt::Display;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use super::{Job, Run, Wanted};
use crate::data::id::Id;
use crate::error::{Error, Result};
use crate::picture::{self, Bounded, DynamicImage, Framed, Limits, Source, Why, check};
use crate::rank::pass::CancelToken;
use crate::study::Study;
use crate::tui::app::App;
use crate::tui::pictures::{ImageBackend, Painted};

/// A picture in a place of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PictureKey {
    /// Gallery index of the image.
    pub image: usize,
    /// Columns of its place.
    pub columns: u16,
    /// Rows of its place.
    pub rows: u16,
    /// Whether boxes of phrases are drawn on it.
    pub has_boxes: bool,
    /// The number of the colours that these have: other ones make another picture.
    pub palette: u32,
}

/// Pixels of the pictures that are kept: what is wanted as a thumbnail is soon wanted larger.
const KEPT_SIDE: u32 = 1024;
/// Bytes of all that are kept.
const KEPT: usize = 24 << 20;

/// Paints pictures; the last ones are kept at a moderate size, by image.
pub struct PaintPictures(Bounded<usize, Copy>);

impl Default for PaintPictures {
    fn default() -> Self {
        PaintPictures(Bounded::new(KEPT))
    }
}

/// A picture, scaled down to fit into so many pixels.
struct Copy {
    picture: DynamicImage,
    within: (u32, u32),
}

impl Job for PaintPictures {
    const READS_SCORES: bool = false;
    /// Pictures stay as they are.
    type Key = ();
    type Part = PictureKey;
    /// The study, what paints, and the colours of boxes.
    type Input = (Arc<Study>, ImageBackend, Vec<[u8; 3]>);
    type Output = (PictureKey, std::result::Result<Painted, Why>);

    fn run(&mut self, &key: &PictureKey, run: &Run<'_, Self>) {
        let (study, backend, colours) = run.input;
        let place = (key.columns, key.rows);
        let phrases = study.phrases.as_ref();
        let image = phrases.and_then(|phrases| phrases.image(key.image)).filter(|_| key.has_boxes);
        let outlines = image.map_or_else(Vec::new, |image| image.outlines());
        let colour = |chain: usize| colours.get(chain % colours.len().max(1)).copied();
        let framed = outlines.into_iter().filter_map(|of| Some((of.edges, colour(of.chain)?)));
        let framed: Vec<Framed> = framed.collect();
        let painted = self.fitted(study, key.image, backend.pixels(place)).and_then(|picture| {
            let picture = picture::outlined(picture, &framed);
            backend.paint(picture, place).map_err(Why::Broken)
        });
        run.send((key, painted));
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let backend = app.ui.pictures.backend.as_ref()?;
        let theme = &app.ui.theme;
        let input = move || (app.model.base.clone(), backend.clone(), theme.box_colours());
        Some(Wanted::parts((), app.ui.pictures.missing(), input))
    }

    fn take(app: &mut App, (): (), (key, made): Self::Output) {
        app.ui.pictures.keep(key, made);
    }
}

impl PaintPictures {
    /// The picture as large as a place of so many pixels allows.
    fn fitted(
        &mut self,
        study: &Study,
        image: usize,
        place: (u32, u32),
    ) -> std::result::Result<DynamicImage, Why> {
        let is_enough = |copy: &&Copy| place.0 <= copy.within.0 && place.1 <= copy.within.1;
        if let Some(copy) = self.0.get(&image).filter(is_enough) {
            return Ok(picture::fitted(&copy.picture, place));
        }
        let whole = picture::load(&study.picture(image)?, Limits::default())?;
        let within = (place.0.max(KEPT_SIDE), place.1.max(KEPT_SIDE));
        let picture = picture::shrunk(whole, within);
        let fitted = picture::fitted(&picture, place);
        let bytes = picture.as_bytes().len();
        self.0.insert(image, Copy { picture, within }, bytes);
        Ok(fitted)
    }
}

/// A folder for files that a viewer is shown, as long as the program lives.
#[derive(Debug, Default)]
pub struct Scratch(Mutex<Option<TempDir>>);

impl Scratch {
    /// A file with these bytes of an image, named after its id.
    fn write(&self, id: &Id, bytes: &[u8]) -> Result<PathBuf> {
        let ending = picture::extension(bytes).map_err(|why| Error::new(id, why))?;
        let mut folder = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || tempfile::Builder::new().prefix("itm-explore-").tempdir();
        let made = folder.take().map_or_else(new, Ok);
        let path = made.map(|made| folder.insert(made).path().join(format!("{id}.{ending}")));
        let written = path.and_then(|path| std::fs::write(&path, bytes).map(|()| path));
        written.map_err(|e| Error::new(format!("picture {id}"), e))
    }
}

/// Opens the file of an image in the system's viewer. The first search for a file walks a folder, and a viewer takes
/// a moment to fail.
pub struct OpenImage;

impl Job for OpenImage {
    /// What is opened is opened.
    type Key = ();
    /// Gallery index of the image.
    type Part = usize;
    /// The study, and where built-in images are written.
    type Input = (Arc<Study>, Arc<Scratch>);
    /// The path, absolute.
    type Output = Result<PathBuf>;

    fn run(&mut self, &image: &usize, run: &Run<'_, Self>) {
        let path = path(run.input, image);
        run.send(path.and_then(|path| open(&path, run.token).map(|()| path)));
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let image = model.image_to_open?;
        Some(Wanted::parts((), vec![image], || (model.base.clone(), model.scratch.clone())))
    }

    fn take(app: &mut App, (): (), opened: Self::Output) {
        app.model.take_opened(opened);
    }

    fn fail(app: &mut App) {
        app.model.image_to_open = None;
    }
}

/// The file of an image; absolute, so that none begins with a dash.
fn path((study, scratch): &(Arc<Study>, Arc<Scratch>), image: usize) -> Result<PathBuf> {
    let name = study.gallery.image(image);
    if study.pictures.is_none() {
        return Err(
            Error::new(name, "no image files are loaded").mend("--images names their folder")
        );
    }
    let source = study.picture(image).map_err(|why| Error::new(&name, why))?;
    if let Source::File(path) = &source {
        check(path).map_err(|why| Error::new(path.display(), why))?;
        return std::path::absolute(path).map_err(|e| Error::io(path, &e));
    }
    let bytes = picture::read(&source, Limits::default());
    scratch.write(&study.gallery.images[image], &bytes.map_err(|why| Error::new(name, why))?)
}

/// The program that opens a file as a click on it would.
const OPENER: &str = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };

/// How often it is asked whether it ended.
const PAUSE: Duration = Duration::from_millis(10);
/// How often it is asked at most: it has this long to fail; some openers end only with the viewer.
const MOST_PAUSES: usize = 200;

/// Opens a file in the system's viewer, which is no part of the terminal's group of processes: Ctrl-C here is
/// nothing to it.
fn open(path: &Path, token: &CancelToken) -> Result<()> {
    let fail =
        |why: &dyn Display| Error::new(path.display(), format!("not opened, {OPENER}: {why}"));
    let mut command = Command::new(OPENER);
    command.arg(path).process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| fail(&error))?;
    for _ in (0..MOST_PAUSES).take_while(|_| !token.is_cancelled()) {
        match child.try_wait().map_err(|error| fail(&error))? {
            None => thread::sleep(PAUSE),
            Some(status) if status.success() => return Ok(()),
            Some(status) => return Err(fail(&status)),
        }
    }
    // It goes on: a thread waits for its end.
    thread::spawn(move || child.wait());
    Ok(())
}
