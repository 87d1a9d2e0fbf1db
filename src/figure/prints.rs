//! The pictures of a figure, shrunk to the size at which they are printed.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::scene::Scene;
use crate::study::Study;

/// A picture as bytes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Print {
    /// The file.
    pub bytes: Vec<u8>,
    /// `png` or `jpeg`.
    pub kind: &'static str,
}

impl Print {
    /// The picture as a `data:` address.
    pub fn uri(&self) -> String {
        format!(
            "data:image/{};base64,{}",
            self.kind,
            STANDARD.encode(&self.bytes)
        )
    }
}

/// The pictures of a scene, by gallery index.
#[derive(Debug, Default)]
pub struct Prints {
    lacks: BTreeMap<usize, String>,
}

impl Prints {
    /// Finds the pictures of a scene.
    pub fn of(_study: &Study, scene: &Scene) -> Self {
        let lacks = scene.images().into_iter();
        Prints {
            lacks: lacks
                .map(|image| (image, "no pictures".to_owned()))
                .collect(),
        }
    }

    /// Why there is no picture of an image; `None` where there is one.
    pub fn lacks(&self, image: usize) -> Option<&str> {
        self.lacks.get(&image).map(String::as_str)
    }

    /// The kind of file that [`Prints::print`] gives of an image.
    pub fn kind(&self, _image: usize) -> &'static str {
        "png"
    }

    /// The picture, at most so many pixels wide and high.
    pub fn print(&self, _image: usize, _width: u32, _height: u32) -> Option<Print> {
        None
    }
}
