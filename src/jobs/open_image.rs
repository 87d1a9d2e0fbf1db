//! Hands the file of a picture to the system's viewer, or tells where it is.

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
use crate::picture::{Source, check};
use crate::rank::pass::CancelToken;
use crate::study::Study;
use crate::tui::app::App;

/// A folder for files that a viewer is shown, as long as the program lives.
#[derive(Debug, Default)]
pub struct Scratch(Mutex<Option<TempDir>>);

impl Scratch {
    /// A file with these bytes, named after a picture's id.
    fn write(&self, id: &Id, bytes: &[u8]) -> Result<PathBuf> {
        let mut folder = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || tempfile::Builder::new().prefix("itm-explore-").tempdir();
        let made = folder.take().map_or_else(new, Ok);
        let path = made.map(|made| folder.insert(made).path().join(format!("{id}.png")));
        let written = path.and_then(|path| std::fs::write(&path, bytes).map(|()| path));
        written.map_err(|e| Error::new(format!("picture {id}"), e))
    }
}

/// What becomes of the file of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PassTo {
    /// The system's viewer opens it.
    Viewer,
    /// Its path is told.
    Path,
}

/// A picture whose file is to be passed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passing {
    /// Gallery index of the image.
    pub image: usize,
    /// Where to.
    pub to: PassTo,
}

/// The job that passes on the files of pictures: the first search for one walks a folder, and a viewer takes
/// a moment to fail.
pub struct OpenImage;

impl Job for OpenImage {
    /// What is opened is opened.
    type Key = ();
    type Part = Passing;
    /// The study, and where pictures are put that are no files.
    type Input = (Arc<Study>, Arc<Scratch>);
    /// The path, absolute.
    type Output = (Passing, Result<PathBuf>);

    fn run(&mut self, &passing: &Passing, run: &Run<'_, Self>) {
        let path = path(run.input, passing);
        let passed = path.and_then(|path| {
            if passing.to == PassTo::Viewer {
                open(&path, run.token)?;
            }
            Ok(path)
        });
        run.send((passing, passed));
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let passing = model.passing?;
        Some(Wanted::parts((), vec![passing], || (model.base.clone(), model.scratch.clone())))
    }

    fn take(app: &mut App, (): (), (passing, passed): Self::Output) {
        app.model.take_passed(passing.to, passed);
    }

    fn fail(app: &mut App) {
        app.model.passing = None;
    }
}

/// The file of an image's picture; absolute, so that none begins with a dash.
fn path((study, scratch): &(Arc<Study>, Arc<Scratch>), passing: Passing) -> Result<PathBuf> {
    let Passing { image, to } = passing;
    let name = study.gallery.image(image);
    if study.pictures.is_none() {
        return Err(Error::new(name, "no pictures are known").mend("--images names their folder"));
    }
    match study.picture(image) {
        Ok(Source::File(path)) => {
            if to == PassTo::Viewer {
                check(&path).map_err(|why| Error::new(path.display(), why))?;
            }
            std::path::absolute(&path).map_err(|e| Error::io(&path, &e))
        }
        Ok(Source::BuiltIn(bytes)) if to == PassTo::Viewer => {
            scratch.write(&study.gallery.images[image], bytes)
        }
        Ok(Source::BuiltIn(_)) => Err(Error::new(name, "part of the program, not a file")),
        Err(why) => Err(Error::new(name, why)),
    }
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
        |why: String| Err(Error::new(path.display(), format!("not opened, {OPENER}: {why}")));
    let mut command = Command::new(OPENER);
    command.arg(path).process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return fail(error.to_string()),
    };
    for _ in (0..MOST_PAUSES).take_while(|_| !token.is_cancelled()) {
        match child.try_wait() {
            Ok(None) => thread::sleep(PAUSE),
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return fail(status.to_string()),
            Err(error) => return fail(error.to_string()),
        }
    }
    // It goes on: a thread waits for its end.
    thread::spawn(move || child.wait());
    Ok(())
}
