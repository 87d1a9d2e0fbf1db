//! Figures for papers: queries with the best items of each model, as SVG, PNG, PDF, LaTeX, HTML,
//! Markdown and JSON.
//!
//! | step | type | made of |
//! |---|---|---|
//! | what is shown | [`Scene`] | a study and the queries [`Wanted`], such as picks of a session |
//! | where it stands | [`Page`] | a scene, [`Options`], fonts, pictures |
//! | a file | [`Output`] | a [`Figure`], which holds all of these, and a [`Format`] |
//!
//! A [`Drawing`] is a page that shows something else: a [`chart()`](chart::chart), or [`boxes`] on pictures. [`charts`] has those of
//! a study.
//!
//! SVG is the page itself; PNG and PDF are drawn from it. LaTeX, HTML and Markdown lay out the scene
//! by their own means, and JSON is the scene. A format is one file and one line in [`FORMATS`].
//! Standings have the words and glyphs of the explorer; [`style`] gives them hues and frames.

mod arrange;
pub mod boxes;
pub mod chart;
pub mod charts;
pub mod chosen;
mod drawing;
mod export;
mod fit;
pub mod fonts;
mod html;
pub mod images;
mod json;
mod latex;
pub mod localisation;
mod markdown;
pub mod options;
pub mod page;
mod pages;
mod pdf;
mod pictures;
mod png;
mod preview;
mod rows;
pub mod scene;
mod shown;
pub mod sign;
pub mod style;
mod svg;
pub mod wrap;

pub use drawing::Drawing;
pub use export::{draw, draw_pages, export, format_named, format_of, format_of_drawing};
pub use options::{LEAST_TEXT, Layout, Options, Preset, page_height};
pub use page::Page;
pub use pages::in_pages;
pub use png::picture;
pub use preview::{Preview, preview};
pub use scene::{Scene, Wanted, models_named, query_named};
pub use shown::Hidden;
pub use sign::Sign;
pub use svg::{PALETTE, in_variables, inline, svg_of, variables};

use crate::error::{Error, Result};
use crate::picture::Why;
use crate::study::Study;
use fonts::Fonts;
use images::FigureImages;
use options::POINTS_PER_MM;

/// Everything that a format needs.
pub struct Figure {
    /// What is shown.
    pub scene: Scene,
    /// How.
    pub options: Options,
    /// The scene laid out.
    pub drawing: Drawing,
    /// Which pictures are not there, in a line.
    lacking: Option<String>,
    /// Millimetres left for what its format writes below.
    below: f32,
}

/// Writes several pages as one file.
pub type Pages = fn(&[&Drawing]) -> Result<Output>;

/// A way of writing a [`Figure`].
#[derive(Debug)]
pub struct Format {
    /// Its word on the command line, which is also the extension of its files.
    pub key: &'static str,
    /// One line for the help.
    pub doc: &'static str,
    /// Whether it is text, which a terminal may show.
    pub is_text: bool,
    /// Whether it stands on a page of paper as a whole.
    pub is_paper: bool,
    /// Millimetres that the text takes which it writes below the figure, of a scene in so many; `None` where it writes
    /// none.
    caption_height: Option<fn(&Scene, f32) -> f32>,
    /// Writes several pages as one file; `None` where a file is one page.
    pub pages: Option<Pages>,
    /// Writes what is no scene, such as a chart; `None` where the scene is laid out by other means.
    draw: Option<fn(&Drawing) -> Result<Output>>,
    write: fn(&Figure, &str) -> Result<Output>,
}

/// A figure in a format.
#[derive(Debug, Default)]
pub struct Output {
    /// The file.
    pub bytes: Vec<u8>,
    /// Files that it refers to: paths from its folder on, and their content.
    pub beside: Vec<(String, Vec<u8>)>,
    /// What could not be shown as it is, a line each.
    pub warnings: Vec<String>,
}

/// Every format.
pub const FORMATS: &[Format] = &[
    svg::FORMAT,
    png::FORMAT,
    pdf::FORMAT,
    latex::FORMAT,
    html::FORMAT,
    markdown::FORMAT,
    json::FORMAT,
];

impl Format {
    /// Whether it writes what is no scene, such as a chart.
    pub fn draws(&self) -> bool {
        self.draw.is_some()
    }
}

impl Figure {
    /// Finds fonts and pictures, and lays the scene out.
    ///
    /// # Errors
    /// Options that cannot be drawn, a font that the system lacks.
    pub fn new(study: &Study, scene: Scene, options: Options) -> Result<Self> {
        options.check()?;
        let mut fonts = Fonts::new(options.font.as_deref())?;
        let images = FigureImages::of(study, &scene, &options);
        let page = arrange::page(&scene, &options, &mut fonts, &images);
        let lacking = without_pictures(study, &images);
        Ok(Figure {
            drawing: Drawing { title: title(&scene), page, fonts, images, dpi: options.dpi },
            scene,
            options,
            lacking,
            below: 0.0,
        })
    }

    /// Width and height in millimetres.
    pub fn size(&self) -> [f32; 2] {
        [self.options.width, self.drawing.page.height / POINTS_PER_MM]
    }

    /// The same with room below for what a format writes there.
    #[must_use]
    pub fn as_format(mut self, format: &Format) -> Self {
        let height = format.caption_height;
        self.below = height.map_or(0.0, |of| of(&self.scene, self.options.width));
        self
    }

    /// Height in millimetres, with what a format writes below.
    fn height(&self) -> f32 {
        self.drawing.page.height / POINTS_PER_MM + self.below
    }

    /// The figure in a format. Files beside it are named after `name`, that of the file without its
    /// extension.
    ///
    /// # Errors
    /// A picture of too many pixels.
    pub fn write(&self, format: &Format, name: &str) -> Result<Output> {
        let mut output = (format.write)(self, name)?;
        output.warnings.extend(self.lacking.clone());
        Ok(output)
    }
}

/// What a figure is about.
fn title(scene: &Scene) -> String {
    let queries = scene.queries.iter();
    let queries: Vec<&str> = queries.map(|asked| asked.query.text.as_str()).collect();
    format!("Retrieved items for {}", queries.join("; "))
}

/// One figure in a format, or several as its pages.
fn write(figures: &[Figure], format: &Format, name: &str) -> Result<Output> {
    match (figures, format.pages) {
        ([figure], _) => figure.write(format, name),
        (pages, Some(write)) => {
            let drawings: Vec<&Drawing> = pages.iter().map(|page| &page.drawing).collect();
            let mut output = write(&drawings)?;
            output.warnings.extend(pages.iter().filter_map(|page| page.lacking.clone()));
            Ok(output)
        }
        (pages, None) => {
            let found = format!("{} pages of .{}", pages.len(), format.key);
            Err(Error::new("figure", found).expected("one"))
        }
    }
}

/// What is wrong with pictures, where the study has any: without them a figure shows captions.
fn without_pictures(study: &Study, images: &FigureImages) -> Option<String> {
    study.pictures.as_ref()?;
    let told = |(image, why): (usize, &Why)| format!("{} ({why})", study.gallery.image(image));
    let told: Vec<String> = images.lacking().map(told).collect();
    (!told.is_empty()).then(|| format!("no picture of {}", told.join(", ")))
}

impl Output {
    fn text(text: String, warnings: Vec<String>) -> Self {
        Output { bytes: text.into_bytes(), beside: Vec::new(), warnings }
    }
}
