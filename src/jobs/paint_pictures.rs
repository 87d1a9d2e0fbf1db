//! Pictures for the screen: read, scaled, and painted as the terminal takes them, with boxes of phrases on them.

use std::sync::Arc;

use super::{Job, Run, Wanted};
use crate::phrase::Boxes;
use crate::picture::{self, Bounded, DynamicImage, Folder, Framed, Limits, Source, Why};
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
    type Output = (PictureKey, Result<Painted, Why>);

    fn run(&mut self, &key: &PictureKey, run: &Run<'_, Self>) {
        let (study, backend, colours) = run.input;
        let place = (key.columns, key.rows);
        let phrases = study.phrases.as_ref();
        let image = phrases.and_then(|phrases| phrases.image(key.image));
        let outlines = image.map_or_else(Vec::new, |image| image.outlines(key.boxes));
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

/// A picture with boxes in a place of the screen.
#[derive(Debug, Clone, PartialEq)]
pub struct BoxedPicture {
    /// The name of its file; without it boxes are drawn on a plain ground.
    pub file_name: String,
    /// Its columns and rows of pixels, as annotated.
    pub size: (u32, u32),
    /// The boxes, the first lowest.
    pub boxes: Vec<Framed>,
    /// Columns and rows of its place.
    pub place: (u16, u16),
}

/// Paints pictures with boxes one by one.
pub struct PaintBoxes;

impl Job for PaintBoxes {
    const READS_SCORES: bool = false;
    /// Pictures stay as they are.
    type Key = ();
    type Part = BoxedPicture;
    /// What paints, and where pictures are.
    type Input = (ImageBackend, Option<Arc<Folder>>);
    /// What the terminal takes, and why the picture is not on it.
    type Output = (BoxedPicture, Result<Painted, Why>, Option<Why>);

    fn run(&mut self, part: &BoxedPicture, run: &Run<'_, Self>) {
        let (backend, folder) = run.input;
        let pixels = backend.pixels(part.place);
        let file = folder.as_ref().and_then(|folder| folder.find(&part.file_name));
        let loaded = file.ok_or(Why::Missing);
        let loaded = loaded.and_then(|file| picture::load(&Source::File(file), Limits::default()));
        let lacks = loaded.as_ref().err().cloned();
        let picture = match loaded {
            Ok(picture) => picture::fitted(&picture, pixels),
            Err(_) => ground(part.size, pixels),
        };
        let painted = backend.paint(picture::outlined(picture, &part.boxes), part.place);
        run.send((part.clone(), painted.map_err(Why::Broken), lacks));
    }
}

/// A black ground with the proportions of a picture, as large as so many pixels allow.
fn ground(size: (u32, u32), within: (u32, u32)) -> DynamicImage {
    let [width, height] = [size.0, size.1].map(|side| f64::from(side.max(1)));
    let scale = (f64::from(within.0) / width).min(f64::from(within.1) / height);
    let side = |side: f64, most: u32| ((side * scale).round() as u32).clamp(1, most.max(1));
    DynamicImage::new_rgb8(side(width, within.0), side(height, within.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ground_has_the_proportions_of_the_picture() {
        let size = |size, within| {
            let ground = ground(size, within);
            (ground.width(), ground.height())
        };
        assert_eq!(size((100, 50), (40, 40)), (40, 20));
        assert_eq!(size((50, 100), (40, 40)), (20, 40));
        assert_eq!(size((4000, 1), (40, 40)), (40, 1));
    }
}
