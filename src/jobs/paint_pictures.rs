//! Images for the screen: loaded, scaled, and encoded for the terminal, with boxes of phrases.

use std::sync::Arc;

use super::{Job, Run, Wanted};
use crate::phrase::ImagePhrases;
use crate::picture::{self, Bounded, DynamicImage, Framed, Limits, Why};
use crate::study::Study;
use crate::tui::app::App;
use crate::tui::pictures::{ImageBackend, Painted};

/// An image at a size on screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PictureKey {
    /// Gallery index of the image.
    pub image: usize,
    /// Width in columns.
    pub columns: u16,
    /// Height in rows.
    pub rows: u16,
    /// Whether boxes of phrases are drawn on it.
    pub has_boxes: bool,
    /// Version of the box colours, which are part of the image.
    pub palette: u32,
}

/// Side in pixels of cached images: a thumbnail is soon wanted larger.
const KEPT_SIDE: u32 = 1024;
/// Bytes of the cache.
const KEPT: usize = 24 << 20;

/// Paints images; caches the last ones at a moderate size.
pub struct PaintPictures(Bounded<usize, Copy>);

impl Default for PaintPictures {
    fn default() -> Self {
        PaintPictures(Bounded::new(KEPT))
    }
}

/// An image scaled down to fit `within` pixels.
struct Copy {
    picture: DynamicImage,
    within: (u32, u32),
}

impl Job for PaintPictures {
    const READS_SCORES: bool = false;
    /// Image files do not change.
    type Key = ();
    type Part = PictureKey;
    /// The study, the backend, and the colours of boxes.
    type Input = (Arc<Study>, ImageBackend, Vec<[u8; 3]>);
    type Output = (PictureKey, std::result::Result<Painted, Why>);

    fn run(&mut self, &key: &PictureKey, run: &Run<'_, Self>) {
        let (study, backend, colours) = run.input;
        let place = (key.columns, key.rows);
        let phrases = study.phrases.as_ref();
        let image = phrases.and_then(|phrases| phrases.image(key.image)).filter(|_| key.has_boxes);
        let outlines = image.map_or_else(Vec::new, ImagePhrases::outlines);
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
    /// The image scaled to fit a size in pixels.
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
