//! The images of a figure, shrunk to their printed size.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::options::Options;
use super::scene::{FigureItem, Scene};
use super::svg::to_pixels;
use crate::data::parallel;
use crate::image_file::{
    DynamicImage, FileFormat, ImageFile, ImageLimits, NoImage, encode, load, shrink_to_fit,
};
use crate::study::Study;

/// Maximum width of an image, relative to the figure.
const MAX_WIDTH_SHARE: f32 = 0.36;

/// The images of a scene, by gallery index: none larger than printed, in the file format that is smaller.
#[derive(Debug, Default)]
pub struct FigureImages(BTreeMap<usize, Result<(DynamicImage, FileFormat), NoImage>>);

impl FigureImages {
    /// Loads the images of a scene.
    pub fn load(study: &Study, scene: &Scene, options: &Options) -> Self {
        let side = to_pixels(options.width_points() * MAX_WIDTH_SHARE, options.dpi);
        let images = scene.images().into_iter();
        FigureImages::decode(images.map(|image| (image, study.image_file(image))), side)
    }

    /// Loads images, given by gallery index and file, shrunk to at most `side` pixels in width and height.
    pub fn decode(
        images: impl Iterator<Item = (usize, Result<ImageFile, NoImage>)>,
        side: u32,
    ) -> Self {
        let load_one = |(image, source): &(usize, Result<ImageFile, NoImage>)| {
            let load_shrunk = |source| {
                let image = shrink_to_fit(load(source, ImageLimits::default())?, (side, side));
                // Drawings are exact, photographs small: in the smaller format.
                let size = |kind| encode(&image, kind).len();
                let is_photograph = size(FileFormat::Jpeg) < size(FileFormat::Png);
                Ok((image, if is_photograph { FileFormat::Jpeg } else { FileFormat::Png }))
            };
            (*image, source.as_ref().map_err(NoImage::clone).and_then(load_shrunk))
        };
        let images: Vec<_> = images.collect();
        FigureImages(parallel::map(&images, load_one).into_iter().collect())
    }

    /// Whether an image was loaded.
    pub fn is_shown(&self, image: usize) -> bool {
        self.0.get(&image).is_some_and(Result::is_ok)
    }

    /// Whether any of these items is an image that was loaded.
    pub fn any_shown(&self, items: &[FigureItem]) -> bool {
        items.iter().any(|item| item.subject.is_image && self.is_shown(item.subject.index))
    }

    /// Number of images that were loaded.
    pub fn count(&self) -> usize {
        self.0.values().filter(|image| image.is_ok()).count()
    }

    /// Gallery index of each image that could not be loaded, and the reason.
    pub fn missing(&self) -> impl Iterator<Item = (usize, &NoImage)> {
        self.0.iter().filter_map(|(&index, image)| Some((index, image.as_ref().err()?)))
    }

    /// The `data:` URI of an image of at most this width and height in pixels; `None` if it was not loaded.
    pub fn uri(&self, image: usize, width: u32, height: u32) -> Option<String> {
        let (pixels, kind) = self.0.get(&image)?.as_ref().ok()?;
        let bytes = encode(&shrink_to_fit(pixels.clone(), (width, height)), *kind);
        Some(format!("data:image/{};base64,{}", kind.media_subtype(), STANDARD.encode(&bytes)))
    }
}
