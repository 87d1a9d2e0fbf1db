//! PDF: the SVG on a page of its size, with text that can be searched and copied.

use krilla::Document;
use krilla::geom::Size;
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla_svg::{SurfaceExt, SvgSettings};

use super::{Drawing, Figure, Format, Output, png};
use crate::error::{Error, Result};

pub(super) const FORMAT: Format = Format {
    key: "pdf",
    doc: "vectors on a page of their size; text can be searched and copied",
    is_text: false,
    is_paper: true,
    caption_height: None,
    pages: Some(pdf),
    draw: Some(|drawing| pdf(&[drawing])),
    write: |figure: &Figure, _| pdf(&[&figure.drawing]),
};

/// A page for each drawing.
fn pdf(drawings: &[&Drawing]) -> Result<Output> {
    let mut document = Document::new();
    let titles: Vec<&str> = drawings.iter().map(|drawing| drawing.title.as_str()).collect();
    document.set_metadata(Metadata::new().title(titles.join("; ")));
    for drawing in drawings {
        add_page(&mut document, drawing)?;
    }
    let warnings = drawings.iter().flat_map(|drawing| drawing.page.warnings.clone());
    Ok(Output {
        bytes: document.finish().map_err(|e| wrong(&format!("{e:?}")))?,
        warnings: warnings.collect(),
        ..Output::default()
    })
}

fn add_page(document: &mut Document, drawing: &Drawing) -> Result<()> {
    let tree = png::tree(drawing)?;
    let (width, height) = (drawing.page.width, drawing.page.height);
    let no_size = || wrong(&format!("a page of {width} x {height} points"));
    let size = Size::from_wh(width, height).ok_or_else(no_size)?;
    let mut page = document.start_page_with(PageSettings::new(width, height));
    let mut surface = page.surface();
    surface.draw_svg(&tree, size, SvgSettings::default());
    surface.finish();
    page.finish();
    Ok(())
}

fn wrong(what: &str) -> Error {
    Error::new("figure", format!("no PDF: {what}"))
}
