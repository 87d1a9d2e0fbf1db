//! Images for the screen: loaded, scaled, and encoded for the terminal, with boxes of phrases.

use std::sync::Arc;

use super::{Job, Run, Wanted};
use crate::image_file::{self, Bounded, DynamicImage, Framed, Limits, Why};
use crate::phrase::ImagePhrases;
use crate::study::Study;
use crate::tui::app::App;
use crate::tui::thumbnails::{ImageBackend, Painted};

/// An image at a size on screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ThumbnailKey {
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

/// Minimum side of cached images in pixels: an image is often enlarged after its thumbnail.
const MIN_CACHED_SIDE: u32 = 1024;
/// Maximum size of the cache in bytes.
const MAX_CACHE_BYTES: usize = 24 << 20;

/// Draws thumbnails and enlarged images; caches recent images at a moderate size.
pub struct DrawThumbnails(Bounded<usize, Copy>);

impl Default for DrawThumbnails {
    fn default() -> Self {
        DrawThumbnails(Bounded::new(MAX_CACHE_BYTES))
    }
}

/// An image scaled down to fit `within` pixels.
struct Copy {
    pixels: DynamicImage,
    within: (u32, u32),
}

impl Job for DrawThumbnails {
    const READS_SCORES: bool = false;
    /// Image files do not change.
    type Key = ();
    type Part = ThumbnailKey;
    /// The study, the backend, and the colours of boxes.
    type Input = (Arc<Study>, ImageBackend, Vec<[u8; 3]>);
    type Output = (ThumbnailKey, std::result::Result<Painted, Why>);

    fn run(&mut self, &key: &ThumbnailKey, run: &Run<'_, Self>) {
        let (study, backend, colours) = run.input;
        let place = (key.columns, key.rows);
        let phrases = study.phrases.as_ref();
        let image = phrases.and_then(|phrases| phrases.image(key.image)).filter(|_| key.has_boxes);
        let outlines = image.map_or_else(Vec::new, ImagePhrases::outlines);
        let colour = |chain: usize| colours.get(chain % colours.len().max(1)).copied();
        let framed = outlines.into_iter().filter_map(|of| Some((of.edges, colour(of.chain)?)));
        let framed: Vec<Framed> = framed.collect();
        let painted = self.fitted(study, key.image, backend.pixels(place)).and_then(|pixels| {
            let pixels = image_file::outlined(pixels, &framed);
            backend.paint(pixels, place).map_err(Why::Broken)
        });
        run.send((key, painted));
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let backend = app.ui.thumbnails.backend.as_ref()?;
        let theme = &app.ui.theme;
        let input = move || (app.model.base.clone(), backend.clone(), theme.box_colours());
        Some(Wanted::parts((), app.ui.thumbnails.missing(), input))
    }

    fn take(app: &mut App, (): (), (key, made): Self::Output) {
        app.ui.thumbnails.keep(key, made);
    }
}

impl DrawThumbnails {
    /// The image scaled to fit a size in pixels.
    fn fitted(
        &mut self,
        study: &Study,
        image: usize,
        place: (u32, u32),
    ) -> std::result::Result<DynamicImage, Why> {
        let is_enough = |copy: &&Copy| place.0 <= copy.within.0 && place.1 <= copy.within.1;
        if let Some(copy) = self.0.get(&image).filter(is_enough) {
            return Ok(image_file::fitted(&copy.pixels, place));
        }
        let whole = image_file::load(&study.image_file(image)?, Limits::default())?;
        let within = (place.0.max(MIN_CACHED_SIDE), place.1.max(MIN_CACHED_SIDE));
        let pixels = image_file::shrunk(whole, within);
        let fitted = image_file::fitted(&pixels, place);
        let bytes = pixels.as_bytes().len();
        self.0.insert(image, Copy { pixels, within }, bytes);
        Ok(fitted)
    }
}
