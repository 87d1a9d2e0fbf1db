//! PDF: the SVG on a page of its size, with text that can be searched and copied.

use krilla::Document;
use krilla::geom::Size;
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla_svg::{SurfaceExt, SvgSettings};

use super::svg::title;
use super::{Figure, Format, Output, png};
use crate::error::{Error, Result};

pub(super) const FORMAT: Format = Format {
    key: "pdf",
    doc: "vectors on a page of their size; text can be searched and copied",
    is_text: false,
    is_paper: true,
    pages: Some(pdf),
    write: |figure, _| pdf(std::slice::from_ref(figure)),
};

/// A page for each figure.
fn pdf(figures: &[Figure]) -> Result<Output> {
    let mut document = Document::new();
    let titles: Vec<String> = figures.iter().map(title).collect();
    document.set_metadata(Metadata::new().title(titles.join("; ")));
    for figure in figures {
        add_page(&mut document, figure)?;
    }
    let warnings = figures
        .iter()
        .flat_map(|figure| figure.page.warnings.clone());
    Ok(Output {
        bytes: document.finish().map_err(|e| wrong(&format!("{e:?}")))?,
        warnings: warnings.collect(),
        ..Output::default()
    })
}

fn add_page(document: &mut Document, figure: &Figure) -> Result<()> {
    let tree = png::tree(figure)?;
    let (width, height) = (figure.page.width, figure.page.height);
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
