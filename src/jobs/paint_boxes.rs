//! A picture with boxes for the screen, whatever study it is of.

use std::sync::Arc;

use super::{Job, Run};
use crate::picture::{self, DynamicImage, Folder, Framed, Limits, Source, Why};
use crate::tui::pictures::{ImageBackend, Painted};

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
#[derive(Default)]
pub struct PaintBoxes;

impl Job for PaintBoxes {
    const NAME: &'static str = "boxes";
    const READS_SCORES: bool = false;
    const IS_LONG: bool = false;
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
        let picture = loaded.map_or_else(
            |_| ground(part.size, pixels),
            |picture| Some(picture::fitted(&picture, pixels)),
        );
        let painted = picture.ok_or(Why::Missing).and_then(|picture| {
            let picture = picture::outlined(picture, &part.boxes);
            let painted = backend.paint(picture, part.place);
            painted.map_err(Why::Broken)
        });
        run.send((part.clone(), painted, lacks));
    }
}

/// Grey of a ground.
const GREY: u8 = 96;

/// A ground with the proportions of a picture, as large as so many pixels allow.
fn ground(size: (u32, u32), within: (u32, u32)) -> Option<DynamicImage> {
    let [width, height] = [size.0, size.1].map(|side| f64::from(side.max(1)));
    let scale = (f64::from(within.0) / width).min(f64::from(within.1) / height);
    let side = |side: f64, most: u32| ((side * scale).round() as u32).clamp(1, most.max(1));
    let (width, height) = (side(width, within.0), side(height, within.1));
    picture::of_pixels((width, height), vec![GREY; width as usize * height as usize * 3])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ground_has_the_proportions_of_the_picture() {
        let size = |size, within| {
            let ground = ground(size, within).unwrap();
            (ground.width(), ground.height())
        };
        assert_eq!(size((100, 50), (40, 40)), (40, 20));
        assert_eq!(size((50, 100), (40, 40)), (20, 40));
        assert_eq!(size((4000, 1), (40, 40)), (40, 1));
    }
}
