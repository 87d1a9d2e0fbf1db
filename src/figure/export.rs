//! A figure or a chart as files.

use std::io::Write;
use std::path::Path;

use super::{Drawing, FORMATS, Figure, Format, Output, Writer, latex};
use crate::data::output::{check_writable, ending_of, write_whole};
use crate::error::{Error, Result};

/// The format of this word.
pub fn format_named(word: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.key == word)
}

/// The format of a figure in a file of this extension.
///
/// # Errors
/// Names the extensions of all formats.
pub fn format_of(path: &Path) -> Result<&'static Format> {
    format_for(path, |_| true).map_err(|error| error.mend("another name, or --format"))
}

/// The format of a drawing without queries, such as a chart, in a file of this extension.
///
/// # Errors
/// Names the extensions of those that hold one.
pub fn format_of_drawing(path: &Path) -> Result<&'static Format> {
    format_for(path, Format::draws)
}

fn format_for(path: &Path, is_possible: fn(&Format) -> bool) -> Result<&'static Format> {
    let ending = ending_of(path);
    let found = match (format_named(&ending), path.extension()) {
        (Some(format), _) if is_possible(format) => return Ok(format),
        (Some(_), _) => format!(".{ending} holds queries and rankings alone"),
        (None, None) => "a file without an extension".to_owned(),
        (None, Some(one)) => format!("no format has the extension .{}", one.to_string_lossy()),
    };
    Err(Error::new(path.display(), found).expected(extensions(is_possible)))
}

/// The extensions of the formats that meet a condition.
fn extensions(condition: fn(&Format) -> bool) -> String {
    let formats = FORMATS.iter().filter(|format| condition(format));
    formats.map(|format| format!(".{}", format.key)).collect::<Vec<_>>().join(", ")
}

/// Figures in a format, as pages where there are several.
pub(super) fn write(figures: &[Figure], format: &Format, name: &str) -> Result<Output> {
    let mut output = match (&format.writer, figures) {
        (Writer::Latex, [figure]) => latex::write(figure, name),
        _ => write_drawings(figures.iter().map(|figure| &figure.drawing).collect(), format)?,
    };
    output.warnings.extend(figures.iter().filter_map(|figure| figure.lacking.clone()));
    Ok(output)
}

fn write_drawings(drawings: Vec<&Drawing>, format: &Format) -> Result<Output> {
    let bytes = match (&format.writer, drawings.as_slice()) {
        (Writer::Drawing(write), [drawing]) => write(drawing)?,
        (Writer::Pages(write), drawings) => write(drawings)?,
        (_, several) => {
            let found = format!("{} pages, of which a .{} has one", several.len(), format.key);
            let expected = format!("{}, or fewer pictures", extensions(Format::has_pages));
            return Err(Error::new("figure", found).expected(expected));
        }
    };
    let warnings = drawings.iter().flat_map(|drawing| drawing.page.warnings.clone());
    Ok(Output { bytes, beside: Vec::new(), warnings: warnings.collect() })
}

/// Writes a figure, or the pages of one in a format that has pages, to a file, which appears whole or not at all, and its
/// images in a folder beside it; gives what could not be shown as it is, a line each.
///
/// # Errors
/// As [`Figure::write`]; several pages of a format that has none; an image beside it that is there with another content,
/// unless it `replaces` what is there; when a file or a folder cannot be written.
pub fn export(
    figures: &[Figure],
    format: &Format,
    path: &Path,
    replaces: bool,
) -> Result<Vec<String>> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let output = write(figures, format, &name)?;
    for (file, bytes) in &output.beside {
        let file = path.with_file_name(file);
        if !replaces && std::fs::read(&file).is_ok_and(|there| there != *bytes) {
            let found = "not written: it is there already, with another content";
            return Err(Error::new(file.display(), found)
                .expected("a picture of this figure alone")
                .mend("name another file: its pictures go into a folder of that name"));
        }
    }
    put(output, path)
}

/// Writes a drawing to a file whose extension tells the format; gives what could not be shown as it is, a line
/// each.
///
/// # Errors
/// A format that lays out queries alone; when the file cannot be written.
pub fn draw(drawing: &Drawing, path: &Path) -> Result<Vec<String>> {
    draw_pages(std::slice::from_ref(drawing), path)
}

/// The same of several drawings, a page each.
///
/// # Errors
/// As [`draw`]; several pages of a format that has none.
pub fn draw_pages(pages: &[Drawing], path: &Path) -> Result<Vec<String>> {
    put(write_drawings(pages.iter().collect(), format_of_drawing(path)?)?, path)
}

fn put(output: Output, path: &Path) -> Result<Vec<String>> {
    let Output { bytes, beside, warnings } = output;
    // Before anything beside it is written.
    check_writable(path)?;
    for (file, bytes) in &beside {
        let file = path.with_file_name(file);
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, &e))?;
        }
        write_whole(&file, |out| out.write_all(bytes))?;
    }
    write_whole(path, |out| out.write_all(&bytes))?;
    Ok(warnings)
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_tell_the_format() {
        let key = |name: &str| format_of(Path::new(name)).map(|format| format.key);
        assert_eq!(key("a/fig.PDF"), Ok("pdf"));
        assert_eq!(key("fig.htm"), Ok("html"));
        for (name, told) in
            [("fig.doc", "no format has the extension .doc"), ("fig", "without an extension")]
        {
            let error = key(name).unwrap_err().to_string();
            assert!(error.contains(told) && error.contains(".svg, .png, .pdf, .tex"), "{error}");
        }
    }

    #[test]
    fn a_drawing_is_offered_the_formats_that_hold_one() {
        let told = |name: &str| format_of_drawing(Path::new(name)).map_err(|e| e.to_string());
        assert_eq!(told("m.PNG").map(|format| format.key), Ok("png"));
        for (name, found) in
            [("m.jpg", "the extension .jpg"), ("m.tex", "queries and rankings alone")]
        {
            let error = told(name).unwrap_err();
            assert!(error.contains(found), "{error}");
            assert!(error.contains(".svg, .png, .pdf"), "{error}");
        }
    }

    #[test]
    fn formats_have_words_of_their_own() {
        for format in FORMATS {
            assert!(!format.doc.is_empty());
            assert_eq!(format_named(format.key).unwrap().doc, format.doc);
        }
    }
}
