//! LaTeX: a `figure` that includes the drawing, a PDF beside the file.

use super::Output;
use super::options::{POINTS_PER_MM, TWO_COLUMN_WIDTH};
use super::page::Drawing;
use super::pdf;
use crate::data::markup::escape_latex;
use crate::error::Result;

/// Height of a caption of one line and the space above it, in millimetres, in the class article at 10 points; captions
/// of papers need no more.
pub(super) const CAPTION_HEIGHT: f32 = 22.0 / POINTS_PER_MM;

/// Writes the only drawing as a figure. `name` is the file name without extension.
pub(super) fn write(drawings: &[Drawing], name: &str) -> Result<Output> {
    // LaTeX reads no blanks or special signs in names.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
    let name = name.replace(|c| !is_plain(c), "-");
    let is_wide = drawings[0].page.width >= TWO_COLUMN_WIDTH * POINTS_PER_MM;
    let environment = if is_wide { "figure*" } else { "figure" };
    let file = format!("{name}-drawing.pdf");
    let caption = escape_latex(&drawings[0].caption, &mut |_| "[?]".into());
    let text = format!(
        "% needs \\usepackage{{graphicx}}\n\\begin{{{environment}}}[t]\n\\centering\n\
         \\includegraphics{{{file}}}\n\\caption{{{caption}}}\n\\label{{fig:{name}}}\n\
         \\end{{{environment}}}\n"
    );
    Ok(Output {
        bytes: text.into_bytes(),
        extra_files: vec![(file, pdf::encode(drawings)?)],
        warnings: Vec::new(),
    })
}
