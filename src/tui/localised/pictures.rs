//! The picture of what is looked at, and figures: what is asked of jobs, and what becomes of their answers.

use std::path::PathBuf;
use std::sync::Arc;

use super::viewer::Viewer;
use crate::jobs::{BoxedPicture, Export, ExportFile, Outcome, PaintBoxes, Shows, Wanted};
use crate::phrase::localisation::Rect;
use crate::picture::Why;
use crate::tui::pictures::Painted;

/// Painted pictures that are kept.
const KEPT: usize = 12;

impl Viewer<'_> {
    /// Has a figure of what is marked written, or else of what is looked at.
    pub(super) fn export(&mut self) {
        let some = match (&*self.marked, self.chosen()) {
            ([], None) => return,
            ([], Some(chosen)) => vec![chosen],
            (marked, _) => marked.to_vec(),
        };
        if self.writing.is_some() {
            self.message = Some("a figure is being written".into());
            return;
        }
        let figure = self.of.figure(&some, self.all.len(), self.by);
        let file = free();
        self.message = Some(format!("writing {} …", file.display()));
        let shows = Shows::Boxes(figure);
        self.writing = Some(Arc::new(Export { shows, path: file, replaces: false }));
    }

    /// The figure to be written.
    pub(super) fn wanted_figure(&self) -> Option<Wanted<'_, ExportFile>> {
        let export = self.writing.as_ref()?;
        Some(Wanted::one((), || export.clone()))
    }

    /// Takes what became of it.
    pub(super) fn take_figure(&mut self, outcome: Outcome<ExportFile>) {
        self.writing = None;
        self.message = Some(match outcome {
            Err(panic) => panic,
            Ok((_, Err(error))) => error.to_string().replace("\n ", ";"),
            Ok((export, Ok(exported))) => {
                let figure = match &export.shows {
                    Shows::Boxes(figure) => figure.counted(),
                    _ => String::new(),
                };
                let warnings = exported.warnings.iter().map(|said| format!("; {said}"));
                let warnings = warnings.collect::<Vec<_>>().concat();
                format!("wrote {}: {figure}{warnings}", export.path.display())
            }
        });
    }

    /// What is to be drawn in the place of the picture.
    pub fn picture(&self) -> Option<BoxedPicture> {
        let chosen = self.chosen().filter(|_| self.backend.is_some())?;
        let area = self.parts().picture;
        let [of_truth, of_predicted] = self.ui.theme.localised_colours();
        let framed = |(rect, colour): (Rect, [u8; 3])| (self.of.shares(&chosen, rect), colour);
        let truth = self.of.truth(&chosen).into_iter();
        let first = chosen.outcome.first.filter(|first| first.is_sound());
        let boxes =
            truth.map(|rect| (rect, of_truth)).chain(first.map(|rect| (rect, of_predicted)));
        (area.area() > 0).then(|| BoxedPicture {
            picture: self.of.picture(&chosen),
            size: self.of.image(&chosen).size,
            boxes: boxes.filter(|_| self.has_boxes).map(framed).collect(),
            place: (area.width, area.height),
        })
    }

    /// The picture to be painted.
    pub(super) fn wanted_picture(&self) -> Option<Wanted<'_, PaintBoxes>> {
        let backend = self.backend.as_ref()?;
        let missing = self.picture().filter(|picture| self.known(picture).is_none());
        let missing = Vec::from_iter(missing);
        Some(Wanted::parts((), missing, || backend.clone()))
    }

    fn known(&self, of: &BoxedPicture) -> Option<(&Result<Painted, Why>, Option<&Why>)> {
        let mut painted = self.painted.iter();
        let (_, known, lacks) = painted.find(|(picture, ..)| picture == of)?;
        Some((known, lacks.as_ref()))
    }

    /// The picture as it is painted, and why it is not on it; `None` while it is being painted.
    pub fn shown_picture(&self) -> Option<(&Result<Painted, Why>, Option<&Why>)> {
        self.known(&self.picture()?)
    }

    /// Keeps a picture that was painted.
    pub(super) fn take_picture(&mut self, outcome: Outcome<PaintBoxes>) {
        match outcome {
            Ok(painted) => self.painted.push(painted),
            Err(panic) => self.message = Some(panic),
        }
        let more = self.painted.len().saturating_sub(KEPT);
        self.painted.drain(..more);
    }

    /// Forgets all that was painted: the terminal lost it.
    pub(super) fn forget_pictures(&mut self) {
        self.painted.clear();
    }
}

/// The most names that are tried.
const TRIED: usize = 1000;

/// A name in the present folder that no file has.
fn free() -> PathBuf {
    let named = |count: usize| PathBuf::from(format!("phrases-{count}.pdf"));
    let mut names = (1..TRIED).map(named);
    let free = names.find(|path| !path.exists());
    free.unwrap_or_else(|| named(TRIED))
}
