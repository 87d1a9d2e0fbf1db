//! PDF: the SVG on a page of its size, with searchable text.

use krilla::configure::{Configuration, PdfVersion};
use krilla::geom::Size;
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla::{Document, SerializeSettings};
use krilla_svg::{SurfaceExt, SvgSettings};

use super::{Drawing, png};
use crate::error::{Error, Result};

/// Encodes drawings as PDF, a page each.
pub(super) fn encode(drawings: &[Drawing]) -> Result<Vec<u8>> {
    // pdflatex warns of newer versions.
    let configuration = Configuration::new_with_version(PdfVersion::Pdf15);
    let mut document =
        Document::new_with(SerializeSettings { configuration, ..SerializeSettings::default() });
    let titles: Vec<&str> = drawings.iter().map(|drawing| drawing.title.as_str()).collect();
    document.set_metadata(Metadata::new().title(titles.join("; ")));
    for drawing in drawings {
        add_page(&mut document, drawing)?;
    }
    document.finish().map_err(|e| pdf_error(&format!("{e:?}")))
}

/// Adds a page of the size of a drawing.
fn add_page(document: &mut Document, drawing: &Drawing) -> Result<()> {
    let tree = png::svg_tree(drawing)?;
    let (width, height) = (drawing.page.width, drawing.page.height);
    let no_size = || pdf_error(&format!("a page of {width} x {height} points"));
    let size = Size::from_wh(width, height).ok_or_else(no_size)?;
    let mut page = document.start_page_with(PageSettings::new(width, height));
    let mut surface = page.surface();
    surface.draw_svg(&tree, size, SvgSettings::default());
    surface.finish();
    page.finish();
    Ok(())
}

fn pdf_error(what: &str) -> Error {
    Error::new("figure", format!("no PDF: {what}"))
}
