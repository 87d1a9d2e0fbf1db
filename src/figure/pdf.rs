//! PDF: the SVG on one page of its size, with text that can be searched and copied.

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
    write: |figure, _| {
        Ok(Output {
            bytes: pdf(figure)?,
            warnings: figure.page.warnings.clone(),
            ..Output::default()
        })
    },
};

fn pdf(figure: &Figure) -> Result<Vec<u8>> {
    let tree = png::tree(figure)?;
    let wrong = |what: String| Error::new("figure", format!("no PDF: {what}"));
    let (width, height) = (figure.page.width, figure.page.height);
    let no_size = || wrong(format!("a page of {width} x {height} points"));
    let size = Size::from_wh(width, height).ok_or_else(no_size)?;
    let mut document = Document::new();
    document.set_metadata(Metadata::new().title(title(figure)));
    let mut page = document.start_page_with(PageSettings::new(width, height));
    let mut surface = page.surface();
    surface.draw_svg(&tree, size, SvgSettings::default());
    surface.finish();
    page.finish();
    document.finish().map_err(|e| wrong(format!("{e:?}")))
}
