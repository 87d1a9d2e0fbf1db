//! Figures for papers: queries with the best items of each model, as SVG, PNG, PDF, LaTeX and HTML.
//!
//! | step | type | made of |
//! |---|---|---|
//! | content | [`Scene`] | a study and the queries [`FigureQuery`], such as picks of a session |
//! | layout | [`Drawing`] | a scene, [`Options`], fonts, images |
//! | files | [`Output`] | a [`Figure`], which holds all of these, and a [`Format`] |
//!
//! A [`Drawing`] may also show a chart ([`chart::draw_chart`]); [`charts`] has those of a study.
//!
//! SVG is the drawing itself; PNG, PDF and HTML are made from it, and LaTeX includes the PDF. A format is one file and one
//! line in [`FORMATS`]. Signs are those of the explorer; [`style`] gives them hues and frames.

mod arrange;
pub mod chart;
pub mod charts;
mod export;
mod fit;
pub mod fonts;
pub mod images;
mod latex;
pub mod options;
pub mod page;
mod pdf;
mod png;
mod preview;
pub mod scene;
pub mod selection;
pub mod style;
mod svg;
pub mod wrap;

pub use export::{export, format_of};
pub use fit::{fit_to_pages, paginate};
pub use options::{Layout, MIN_TEXT_POINTS, Options, page_height};
pub use page::{Drawing, Page};
pub use png::render_to_fit;
pub use preview::{Preview, preview};
pub use scene::{FigureQuery, Hidden, Scene, find_models, find_query};
pub use style::Sign;
pub use svg::{PALETTE, css_variables, inline_svg, svg, with_css_variables};

use rustc_hash::FxHashSet;

use crate::error::Result;
use crate::image_file::NoImage;
use crate::study::Study;
use fonts::Fonts;
use images::FigureImages;
use options::POINTS_PER_MM;

/// A scene with its layout.
pub struct Figure {
    /// The queries and their rankings.
    pub scene: Scene,
    /// Layout, size, resolution and font.
    pub options: Options,
    /// The scene laid out.
    pub drawing: Drawing,
    /// Height reserved for the LaTeX caption, in millimetres.
    caption_height: f32,
}

/// File format of figures and charts.
#[derive(Debug)]
pub struct Format {
    /// Its key on the command line, also the extension of its files.
    pub key: &'static str,
    /// One line for the help.
    pub doc: &'static str,
    /// Whether a file may have several pages.
    pub has_pages: bool,
    /// Height reserved on a page for the caption, in millimetres.
    caption_height: f32,
    /// Writes drawings, a page each. The second argument is the file name without extension.
    write: fn(&[Drawing], &str) -> Result<Output>,
}

/// The files of a figure in a format.
#[derive(Debug, Default)]
pub struct Output {
    /// Content of the file itself.
    pub bytes: Vec<u8>,
    /// Name and content of files that it includes, in the same folder.
    pub extra_files: Vec<(String, Vec<u8>)>,
    /// Warnings, a line each.
    pub warnings: Vec<String>,
}

/// Every format.
pub const FORMATS: &[Format] = &[
    Format {
        key: "svg",
        doc: "vectors with text as text and images embedded",
        has_pages: false,
        caption_height: 0.0,
        write: |drawings, _| Ok(Output::new(svg(&drawings[0], true).into_bytes())),
    },
    Format {
        key: "png",
        doc: "pixels, 300 dpi (--dpi)",
        has_pages: false,
        caption_height: 0.0,
        write: |drawings, _| Ok(Output::new(png::encode(&drawings[0])?)),
    },
    Format {
        key: "pdf",
        doc: "vectors; text can be searched and copied",
        has_pages: true,
        caption_height: 0.0,
        write: |drawings, _| Ok(Output::new(pdf::encode(drawings)?)),
    },
    Format {
        key: "tex",
        doc: "a LaTeX figure with its caption, and the PDF it includes beside it",
        has_pages: false,
        caption_height: latex::CAPTION_HEIGHT,
        write: |drawings, name| latex::write(drawings, name),
    },
    Format {
        key: "html",
        doc: "the SVG in a page without scripts, light or dark like the reader's system",
        has_pages: false,
        caption_height: 0.0,
        write: |drawings, _| Ok(Output::new(svg::html(&drawings[0]).into_bytes())),
    },
];

impl Output {
    fn new(bytes: Vec<u8>) -> Self {
        Output { bytes, ..Output::default() }
    }
}

impl Figure {
    /// Loads fonts and images, and lays the scene out.
    ///
    /// # Errors
    /// Invalid options, a font that the system lacks.
    pub fn new(study: &Study, scene: Scene, options: Options) -> Result<Self> {
        options.check()?;
        let mut fonts = Fonts::new(options.font.as_deref())?;
        let images = FigureImages::load(study, &scene, &options);
        let page = arrange::lay_out(&scene, &options, &mut fonts, &images);
        let queries = scene.queries.iter().map(|one| one.query.text.as_str());
        let title = format!("Retrieved items for {}", queries.collect::<Vec<_>>().join("; "));
        Ok(Figure {
            drawing: Drawing {
                title,
                caption: caption(&scene),
                page,
                image_warning: image_warning(study, &images),
                fonts,
                images,
                dpi: options.dpi,
            },
            scene,
            options,
            caption_height: 0.0,
        })
    }

    /// Width and height in millimetres.
    pub fn size(&self) -> [f32; 2] {
        [self.options.width, self.drawing.page.height / POINTS_PER_MM]
    }

    /// Height in millimetres, with the LaTeX caption.
    fn height(&self) -> f32 {
        self.size()[1] + self.caption_height
    }
}

/// The LaTeX caption, which names models and ground truths.
fn caption(scene: &Scene) -> String {
    let rankings = scene.queries.iter().flat_map(|query| &query.rows);
    let mut models: Vec<&str> = rankings.map(|row| row.model.as_str()).collect();
    let mut truths: Vec<&str> = scene.queries.iter().map(|query| query.truth.as_str()).collect();
    for names in [&mut models, &mut truths] {
        let mut seen = FxHashSet::default();
        names.retain(|name| seen.insert(*name));
    }
    format!(
        "Items retrieved by {}, best first; ground truth {}.",
        models.join(", "),
        truths.join(", ")
    )
}

/// Warning that lists the images that could not be loaded, with reasons; their captions are shown instead. `None` if
/// all were loaded, or if the study has no image files.
fn image_warning(study: &Study, images: &FigureImages) -> Option<String> {
    study.image_files.as_ref()?;
    let reason =
        |(image, why): (usize, &NoImage)| format!("{} ({why})", study.gallery.image(image));
    let reasons: Vec<String> = images.missing().map(reason).collect();
    (!reasons.is_empty()).then(|| format!("no image file of {}", reasons.join(", ")))
}
