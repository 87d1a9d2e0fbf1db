//! The picture of what is looked at, and figures: what is asked of jobs, and what becomes of their answers.

use std::sync::Arc;

use super::viewer::Viewer;
use crate::data::text::count;
use crate::jobs::{
    BoxedPicture, Export, ExportFile, IfExists, NotWritten, Outcome, PaintBoxes, Shows, Wanted,
};
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
        self.message = Some("writing a figure …".into());
        let shows = Shows::Boxes(figure);
        self.writing = Some(Arc::new(Export {
            shows,
            path: "phrases.pdf".into(),
            ending: "pdf",
            if_exists: IfExists::Number,
            session: None,
        }));
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
            Ok((_, Err(NotWritten::Refused(_, why)))) => why,
            Ok((_, Err(NotWritten::Failed(error)))) => error.to_string().replace("\n ", ";"),
            Ok((export, Ok(exported))) => {
                let figure = match &export.shows {
                    Shows::Boxes(figure) => count(figure.count(), "phrase"),
                    _ => String::new(),
                };
                let warnings = exported.warnings.iter().map(|said| format!("; {said}"));
                let warnings = warnings.collect::<Vec<_>>().concat();
                format!("wrote {}: {figure}{warnings}", exported.path.display())
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
            file_name: self.of.image(&chosen).file_name.clone(),
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
        Some(Wanted::parts((), missing, || (backend.clone(), self.of.pictures.cloned())))
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
