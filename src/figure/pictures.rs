//! Pictures that stand as files beside a figure, each once.

use std::collections::BTreeMap;

use super::Figure;
use super::svg::dots;

/// The files beside a figure.
pub(super) struct Beside<'a> {
    figure: &'a Figure,
    /// Their folder; `None` where there is no file that they are beside.
    folder: Option<String>,
    /// The largest width at which an image is shown, in points.
    widths: BTreeMap<usize, f32>,
}

impl<'a> Beside<'a> {
    /// None yet, beside a file of this name without extension, empty where there is none, in the folder `kind` of it: those
    /// of two formats differ in size, and neither takes the place of the other.
    pub fn new(figure: &'a Figure, name: &str, kind: &str) -> Self {
        Beside {
            figure,
            folder: (!name.is_empty()).then(|| folder(name, kind)),
            widths: BTreeMap::new(),
        }
    }

    /// The path of an image's file from the figure on, for a width in points; `None` where there is no
    /// picture, or no place to put it.
    pub fn file(&mut self, image: usize, width: f32) -> Option<String> {
        let path = self.path(image)?;
        let widest = self.widths.entry(image).or_insert(width);
        *widest = widest.max(width);
        Some(path)
    }

    /// The files that were asked for.
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let of = |(&image, &width): (&usize, &f32)| {
            let side = dots(width, self.figure.options.dpi);
            let print = self.figure.drawing.images.print(image, side, side)?;
            Some((self.path(image)?, print.bytes))
        };
        self.widths.iter().filter_map(of).collect()
    }

    /// Named by its place in the gallery: ids may hold anything.
    fn path(&self, image: usize) -> Option<String> {
        let kind = self.figure.drawing.images.kind(image)?.word();
        Some(format!("{}/{image}.{kind}", self.folder.as_ref()?))
    }
}

/// The folder of the pictures. LaTeX reads no name with blanks or signs of its own.
fn folder(name: &str, kind: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || matches!(c, '-' | '.') { c } else { '-' }
    };
    let name: String = name.chars().map(plain).collect();
    format!("{name}-{kind}")
}

#[cfg(test)]
mod tests {
    #[test]
    fn folders_have_plain_names() {
        assert_eq!(super::folder("fig 1_ä", "pictures"), "fig-1---pictures");
    }
}
