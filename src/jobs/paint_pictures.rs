//! Pictures for the screen: read, scaled, and painted as the terminal takes them.

use std::sync::Arc;

use super::{Asks, Job, Run, Wanted};
use crate::phrase::Boxes;
use crate::picture::{self, Bounded, DynamicImage, Framed, Limits, Why};
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
    /// The boxes that are drawn on it.
    pub boxes: Boxes,
    /// The number of the colours that these have: other ones make another picture.
    pub palette: u32,
}

/// Pixels of the pictures that are kept: what is wanted as a thumbnail is soon wanted larger.
const KEPT_SIDE: u32 = 1024;
/// Bytes of all that are kept.
const KEPT: usize = 24 << 20;

/// Paints pictures; the last ones are kept at a moderate size.
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
    const NAME: &'static str = "pictures";
    const READS_SCORES: bool = false;
    const IS_LONG: bool = false;
    /// Pictures stay as they are.
    type Key = ();
    type Part = PictureKey;
    /// The study, what paints, and the colours of boxes.
    type Input = (Arc<Study>, ImageBackend, Vec<[u8; 3]>);
    type Output = (PictureKey, Result<Painted, Why>);

    fn run(&mut self, &key: &PictureKey, run: &Run<'_, Self>) {
        let (study, paint, colours) = run.input;
        let place = (key.columns, key.rows);
        let picture = self.fitted(study, key.image, paint.pixels(place));
        let framed = framed(study, key, colours);
        let picture = picture.map(|picture| picture::outlined(picture, &framed));
        let painted = picture.and_then(|picture| paint.paint(picture, place).map_err(Why::Broken));
        run.send((key, painted));
    }
}

/// The boxes that are drawn on a picture.
fn framed(study: &Study, key: PictureKey, colours: &[[u8; 3]]) -> Vec<Framed> {
    let phrases = study.phrases.as_ref();
    let image = phrases.and_then(|phrases| phrases.image(key.image));
    let outlines = image.map_or_else(Vec::new, |image| image.outlines(key.boxes));
    let colour = |place: usize| colours.get(place % colours.len().max(1));
    let framed = outlines.into_iter();
    let framed = framed.filter_map(|outline| Some((outline.edges, *colour(outline.chain)?)));
    framed.collect()
}

impl PaintPictures {
    /// The picture as large as a place of so many pixels allows.
    fn fitted(
        &mut self,
        study: &Study,
        image: usize,
        place: (u32, u32),
    ) -> Result<DynamicImage, Why> {
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

impl Asks for PaintPictures {
    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let backend = app.ui.pictures.backend()?;
        let theme = &app.ui.theme;
        let input = move || (app.model.base.clone(), backend.clone(), theme.box_colours());
        Some(Wanted::parts((), app.ui.pictures.missing(), input))
    }

    fn take(app: &mut App, (): (), (key, made): Self::Output) {
        app.ui.pictures.keep(key, made);
    }
}
