//! Images for the screen: loaded, scaled, and encoded for the terminal, with boxes of phrases.

use std::sync::Arc;

use super::{Job, Run, Wanted};
use crate::image_file::{self, BoundedCache, ColouredBox, DynamicImage, ImageLimits, NoImage};
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

/// Cached images are scaled to at least this width and height in pixels: many are enlarged after their thumbnail.
const MIN_CACHED_SIDE: u32 = 1024;
/// Maximum size of the cache in bytes.
const MAX_CACHE_BYTES: usize = 24 << 20;

/// Draws thumbnails and enlarged images; caches recent images, scaled down to a moderate size.
pub struct DrawThumbnails(BoundedCache<usize, CachedImage>);

impl Default for DrawThumbnails {
    fn default() -> Self {
        DrawThumbnails(BoundedCache::new(MAX_CACHE_BYTES))
    }
}

/// An image, scaled down to fit `max_size`: width and height in pixels.
struct CachedImage {
    pixels: DynamicImage,
    max_size: (u32, u32),
}

impl Job for DrawThumbnails {
    const READS_SCORES: bool = false;
    /// Image files are assumed not to change.
    type Key = ();
    type Part = ThumbnailKey;
    /// The study, the backend, and the colours of boxes.
    type Input = (Arc<Study>, ImageBackend, Vec<[u8; 3]>);
    type Output = (ThumbnailKey, std::result::Result<Painted, NoImage>);

    fn run(&mut self, &key: &ThumbnailKey, run: &Run<'_, Self>) {
        let (study, backend, colours) = run.input;
        let cells = (key.columns, key.rows);
        let phrases = study.phrases.as_ref();
        let image = phrases.and_then(|phrases| phrases.image(key.image)).filter(|_| key.has_boxes);
        let outlines = image.map_or_else(Vec::new, ImagePhrases::outlines);
        let colour = |chain: usize| colours.get(chain % colours.len().max(1)).copied();
        let boxes = outlines.into_iter().filter_map(|of| Some((of.edges, colour(of.chain)?)));
        let boxes: Vec<ColouredBox> = boxes.collect();
        let painted = self.load(study, key.image, backend.pixel_size(cells)).and_then(|pixels| {
            let pixels = image_file::draw_boxes(pixels, &boxes);
            backend.paint(pixels, cells).map_err(NoImage::Broken)
        });
        run.send((key, painted));
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let backend = app.ui.thumbnails.backend.as_ref()?;
        let theme = &app.ui.theme;
        let input = move || (app.model.base.clone(), backend.clone(), theme.box_colours());
        Some(Wanted::with_parts((), app.ui.thumbnails.unpainted(), input))
    }

    fn apply(app: &mut App, (): (), (key, thumbnail): Self::Output) {
        app.ui.thumbnails.insert(key, thumbnail);
    }
}

impl DrawThumbnails {
    /// Loads an image from the cache or its file, scaled to fit `size`: width and height in pixels.
    fn load(
        &mut self,
        study: &Study,
        image: usize,
        size: (u32, u32),
    ) -> std::result::Result<DynamicImage, NoImage> {
        let fits = |copy: &&CachedImage| size.0 <= copy.max_size.0 && size.1 <= copy.max_size.1;
        if let Some(copy) = self.0.get(&image).filter(fits) {
            return Ok(image_file::scale_to_fit(&copy.pixels, size));
        }
        let whole = image_file::load(&study.image_file(image)?, ImageLimits::default())?;
        let max_size = (size.0.max(MIN_CACHED_SIDE), size.1.max(MIN_CACHED_SIDE));
        let pixels = image_file::shrink_to_fit(whole, max_size);
        let fitted = image_file::scale_to_fit(&pixels, size);
        let bytes = pixels.as_bytes().len();
        self.0.insert(image, CachedImage { pixels, max_size }, bytes);
        Ok(fitted)
    }
}
