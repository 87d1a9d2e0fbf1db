//! Figures drawn for the screen while a person looks on.

use std::sync::Arc;

use super::{Job, Run, Stamp, Wanted};
use crate::error::{Error, Result};
use crate::figure::{self, Figure, Options, Preview, Scene};
use crate::study::Study;
use crate::truth::verdict::Verdicts;
use crate::tui::app::App;
use crate::tui::pictures::{ImageBackend, Painted};
use crate::tui::screens::picks::Picks;
use crate::tui::ui::Context;

/// A figure for the screen.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The state of the study that the queries are in.
    pub study: Stamp,
    /// The queries.
    pub wanted: Vec<figure::Wanted>,
    /// What a person said of their pairs.
    pub verdicts: Verdicts,
    /// How they are drawn.
    pub options: Options,
    /// The height of a page, in millimetres.
    pub page_height: f32,
    /// Columns and rows of the place for a picture of it; without, it is told in text.
    pub place: Option<(u16, u16)>,
}

/// A figure as the screen shows it.
#[derive(Debug)]
pub enum Drafted {
    /// In lines of text.
    Lines(Preview),
    /// As a picture.
    Picture(Painted),
}

/// Draws the preview of a figure.
pub struct PreviewFigure;

impl Job for PreviewFigure {
    /// The draft knows its study: one that is drawn too late is shown until the next one is.
    type Key = ();
    type Part = Arc<Draft>;
    /// The study, and what paints pictures where they are shown.
    type Input = (Arc<Study>, Option<ImageBackend>);
    type Output = (Arc<Draft>, Result<Drafted>);

    fn run(&mut self, draft: &Arc<Draft>, run: &Run<'_, Self>) {
        let (study, paint) = run.input;
        run.send((draft.clone(), drafted(study, draft, paint.as_ref())));
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let draft = app.picks().and_then(Context::<Picks>::wanted_draft);
        let draft = Vec::from_iter(draft.map(Arc::new));
        let input = || (app.model.study.clone(), app.ui.pictures.backend.clone());
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
        let scene = Scene::of(study, wanted, &draft.verdicts)?;
        Figure::new(study, scene, draft.options.clone())
    };
    let figure = drawn(&draft.wanted)?;
    let Some((paint, place)) = paint.zip(draft.place) else {
        let pages = figure::in_pages(&draft.wanted, draft.page_height, drawn)?;
        return Ok(Drafted::Lines(figure::preview(&figure, pages.len())));
    };
    let picture = figure::picture(&figure, paint.pixels(place))?;
    let painted = paint.paint(picture, place);
    let painted = painted.map_err(|why| Error::new("the preview", why))?;
    Ok(Drafted::Picture(painted))
}
