//! The images of a figure, shrunk to their printed size.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::options::Options;
use super::scene::{FigureItem, Scene};
use super::svg::dots;
use crate::data::parallel;
use crate::image_file::{DynamicImage, FileFormat, Limits, Source, Why, encoded, load, shrunk};
use crate::study::Study;

/// Maximum share of a figure's width for an image.
const MAX_WIDTH_SHARE: f32 = 0.36;

/// The images of a scene, by gallery index: none larger than printed, in the file format that is smaller.
#[derive(Debug, Default)]
pub struct FigureImages(BTreeMap<usize, Result<(DynamicImage, FileFormat), Why>>);

impl FigureImages {
    /// Loads the images of a scene.
    pub fn load(study: &Study, scene: &Scene, options: &Options) -> Self {
        let side = dots(options.width() * MAX_WIDTH_SHARE, options.dpi);
        let images = scene.images().into_iter();
        FigureImages::read(images.map(|image| (image, study.image_file(image))), side)
    }

    /// Loads images by index, to be printed with at most `side` pixels.
    pub fn read(images: impl Iterator<Item = (usize, Result<Source, Why>)>, side: u32) -> Self {
        let read = |(image, source): &(usize, Result<Source, Why>)| {
            let shrunk = |source| {
                let image = shrunk(load(source, Limits::default())?, (side, side));
                // Drawings are exact, photographs small: in the smaller format.
                let size = |kind| encoded(&image, kind).len();
                let is_photograph = size(FileFormat::Jpeg) < size(FileFormat::Png);
                Ok((image, if is_photograph { FileFormat::Jpeg } else { FileFormat::Png }))
            };
            (*image, source.as_ref().map_err(Why::clone).and_then(shrunk))
        };
        let images: Vec<_> = images.collect();
        FigureImages(parallel::map(&images, read).into_iter().collect())
    }

    /// Why an image is not shown; `None` if it is.
    pub fn lacks(&self, image: usize) -> Option<&Why> {
        match self.0.get(&image) {
            Some(Ok(_)) => None,
            Some(Err(why)) => Some(why),
            None => Some(&Why::Missing),
        }
    }

    /// Whether any of these items is a shown image.
    pub fn any(&self, items: &[FigureItem]) -> bool {
        let has =
            |item: &FigureItem| item.subject.is_image && self.lacks(item.subject.index).is_none();
        items.iter().any(has)
    }

    /// Number of shown images.
    pub fn count(&self) -> usize {
        self.0.values().filter(|read| read.is_ok()).count()
    }

    /// Images that cannot be shown, with the reason.
    pub fn lacking(&self) -> impl Iterator<Item = (usize, &Why)> {
        let lacking = self.0.iter();
        lacking.filter_map(|(&image, read)| Some((image, read.as_ref().err()?)))
    }

    /// The `data:` URI of an image of at most this width and height in pixels; `None` if not shown.
    pub fn uri(&self, image: usize, width: u32, height: u32) -> Option<String> {
        let (pixels, kind) = self.0.get(&image)?.as_ref().ok()?;
        let bytes = encoded(&shrunk(pixels.clone(), (width, height)), *kind);
        Some(format!("data:image/{};base64,{}", kind.word(), STANDARD.encode(&bytes)))
    }
}
