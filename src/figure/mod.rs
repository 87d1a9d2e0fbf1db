//! Figures for papers: queries with the best items of each model, as SVG, PNG, PDF, LaTeX and HTML.
//!
//! | step | type | made of |
//! |---|---|---|
//! | what is shown | [`Scene`] | a study and the queries [`Wanted`], such as picks of a session |
//! | where it stands | [`Drawing`] | a scene, [`Options`], fonts, images |
//! | a file | [`Output`] | a [`Figure`], which holds all of these, and a [`Format`] |
//!
//! A [`Drawing`] may also show a [`chart()`](chart::chart), or [`boxes`] on images. [`charts`] has those of a study.
//!
//! SVG is the drawing itself; PNG, PDF and HTML are made from it, LaTeX from the same marks. A format is one file and one
//! line in [`FORMATS`]. Signs are those of the explorer; [`style`] gives them hues and frames.

mod arrange;
pub mod boxes;
pub mod chart;
pub mod charts;
pub mod chosen;
mod export;
mod fit;
pub mod fonts;
pub mod images;
mod latex;
pub mod localisation;
pub mod options;
pub mod page;
mod pdf;
mod png;
mod preview;
pub mod scene;
pub mod style;
mod svg;
pub mod wrap;

pub use export::{draw, export, format_named, format_of};
pub use fit::in_pages;
pub use options::{LEAST_TEXT, Layout, Options, page_height};
pub use page::{Drawing, Page};
pub use png::picture;
pub use preview::{Preview, preview};
pub use scene::{Hidden, Scene, Wanted, models_named, query_named};
pub use style::Sign;
pub use svg::{PALETTE, in_variables, inline, svg, variables};

use crate::error::Result;
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
    /// Names the images without a file, where the study has any files of images.
    lacking: Option<String>,
    /// Millimetres left for the caption that LaTeX writes below.
    below: f32,
}

/// A way of writing figures and charts.
#[derive(Debug)]
pub struct Format {
    /// Its word on the command line, which is also the extension of its files.
    pub key: &'static str,
    /// One line for the help.
    pub doc: &'static str,
    /// Whether it is text, which a terminal may show.
    pub is_text: bool,
    /// Whether a file is one sheet of paper, which bounds its height.
    pub is_paper: bool,
    writer: Writer,
}

/// What a format writes.
#[derive(Debug)]
enum Writer {
    /// One drawing.
    Drawing(fn(&Drawing) -> Result<Vec<u8>>),
    /// Several drawings, a page each.
    Pages(fn(&[&Drawing]) -> Result<Vec<u8>>),
    /// One drawing, with its images in files beside that of this name.
    WithImages(fn(&Drawing, &str) -> Output),
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

/// The caption of a figure of queries in LaTeX.
const CAPTION: &str = "Retrieved items, best first.";

/// Every format.
pub const FORMATS: &[Format] = &[
    Format {
        key: "svg",
        doc: "vectors; text stays text, pictures are inside",
        is_text: true,
        is_paper: true,
        writer: Writer::Drawing(|drawing| Ok(svg(drawing, true).into_bytes())),
    },
    Format {
        key: "png",
        doc: "pixels, 300 to the inch unless --dpi says otherwise",
        is_text: false,
        is_paper: true,
        writer: Writer::Drawing(png::png),
    },
    Format {
        key: "pdf",
        doc: "vectors on a page of their size; text can be searched and copied",
        is_text: false,
        is_paper: true,
        writer: Writer::Pages(pdf::pdf),
    },
    Format {
        key: "tex",
        doc: "LaTeX: a figure of text and TikZ frames, pictures in a folder beside the file",
        is_text: true,
        is_paper: true,
        writer: Writer::WithImages(latex::write),
    },
    Format {
        key: "html",
        doc: "the SVG in one page without scripts, light or dark as the reader's system",
        is_text: true,
        is_paper: false,
        writer: Writer::Drawing(|drawing| Ok(svg::html(drawing).into_bytes())),
    },
];

impl Format {
    /// Whether a file may have several pages.
    pub fn has_pages(&self) -> bool {
        matches!(self.writer, Writer::Pages(_))
    }
}

impl Figure {
    /// Finds fonts and images, and lays the scene out.
    ///
    /// # Errors
    /// Options that cannot be drawn, a font that the system lacks.
    pub fn new(study: &Study, scene: Scene, options: Options) -> Result<Self> {
        options.check()?;
        let mut fonts = Fonts::new(options.font.as_deref())?;
        let images = FigureImages::of(study, &scene, &options);
        let page = arrange::page(&scene, &options, &mut fonts, &images);
        let queries = scene.queries.iter().map(|one| one.query.text.as_str());
        let title = format!("Retrieved items for {}", queries.collect::<Vec<_>>().join("; "));
        Ok(Figure {
            lacking: lacking(study, &images),
            drawing: Drawing {
                title,
                caption: CAPTION.into(),
                page,
                fonts,
                images,
                dpi: options.dpi,
            },
            scene,
            options,
            below: 0.0,
        })
    }

    /// Width and height in millimetres.
    pub fn size(&self) -> [f32; 2] {
        [self.options.width, self.drawing.page.height / POINTS_PER_MM]
    }

    /// The same with room below for the caption that a format writes there.
    #[must_use]
    pub fn as_format(mut self, format: &Format) -> Self {
        if matches!(format.writer, Writer::WithImages(_)) {
            self.below = latex::CAPTION;
        }
        self
    }

    /// Height in millimetres, with the caption.
    fn height(&self) -> f32 {
        self.size()[1] + self.below
    }

    /// The figure in a format. Files beside it are named after `name`, that of the file without its
    /// extension.
    ///
    /// # Errors
    /// An image of too many pixels.
    pub fn write(&self, format: &Format, name: &str) -> Result<Output> {
        export::write(std::slice::from_ref(self), format, name)
    }
}

/// The images that cannot be shown, each with the reason: without them a figure shows captions.
fn lacking(study: &Study, images: &FigureImages) -> Option<String> {
    study.pictures.as_ref()?;
    let reason = |(image, why): (usize, &Why)| format!("{} ({why})", study.gallery.image(image));
    let reasons: Vec<String> = images.lacking().map(reason).collect();
    (!reasons.is_empty()).then(|| format!("no picture of {}", reasons.join(", ")))
}
