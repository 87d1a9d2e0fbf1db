//! The pictures of a figure, shrunk to the size at which they are printed.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::options::Options;
use super::scene::{FigureItem, Scene};
use super::svg::dots;
use crate::data::parallel;
use crate::picture::{DynamicImage, FileFormat, Limits, Source, Why, encoded, load, shrunk};
use crate::study::Study;

/// The largest part of a figure's width that a picture takes.
const WIDEST: f32 = 0.36;

/// The pictures of a scene, by gallery index: none larger than it can be printed, with the kind of file that is smaller.
#[derive(Debug, Default)]
pub struct FigureImages(BTreeMap<usize, Result<(DynamicImage, FileFormat), Why>>);

impl FigureImages {
    /// Reads the pictures of a scene.
    pub fn of(study: &Study, scene: &Scene, options: &Options) -> Self {
        let side = dots(options.width() * WIDEST, options.dpi);
        let images = scene.images().into_iter();
        FigureImages::read(images.map(|image| (image, study.picture(image))), side)
    }

    /// Reads pictures by their numbers, to be printed no larger than `side` pixels.
    pub fn read(images: impl Iterator<Item = (usize, Result<Source, Why>)>, side: u32) -> Self {
        let read = |(image, source): &(usize, Result<Source, Why>)| {
            let shrunk = |source| {
                let image = shrunk(load(source, Limits::default())?, (side, side));
                // Drawings are exact, photographs small: whichever file is the smaller.
                let size = |kind| encoded(&image, kind).len();
                let is_photograph = size(FileFormat::Jpeg) < size(FileFormat::Png);
                Ok((image, if is_photograph { FileFormat::Jpeg } else { FileFormat::Png }))
            };
            (*image, source.as_ref().map_err(Why::clone).and_then(shrunk))
        };
        let images: Vec<_> = images.collect();
        FigureImages(parallel::map(&images, read).into_iter().collect())
    }

    /// Why there is no picture of an image; `None` where there is one.
    pub fn lacks(&self, image: usize) -> Option<&Why> {
        match self.0.get(&image) {
            Some(Ok(_)) => None,
            Some(Err(why)) => Some(why),
            None => Some(&Why::Missing),
        }
    }

    /// Whether any of these items is an image with a picture.
    pub fn any(&self, items: &[FigureItem]) -> bool {
        let has =
            |item: &FigureItem| item.subject.is_image && self.lacks(item.subject.index).is_none();
        items.iter().any(has)
    }

    /// How many pictures there are.
    pub fn count(&self) -> usize {
        self.0.values().filter(|read| read.is_ok()).count()
    }

    /// Pictures that cannot be shown, with what is wrong.
    pub fn lacking(&self) -> impl Iterator<Item = (usize, &Why)> {
        let lacking = self.0.iter();
        lacking.filter_map(|(&image, read)| Some((image, read.as_ref().err()?)))
    }

    /// The `data:` address of a picture, at most so many pixels wide and high; `None` where there is none.
    pub fn uri(&self, image: usize, width: u32, height: u32) -> Option<String> {
        let (picture, kind) = self.0.get(&image)?.as_ref().ok()?;
        let bytes = encoded(&shrunk(picture.clone(), (width, height)), *kind);
        Some(format!("data:image/{};base64,{}", kind.word(), STANDARD.encode(&bytes)))
    }
}
