//! A figure as files.

use std::io::Write;
use std::path::Path;

use super::{Drawing, FORMATS, Figure, Format, Output};
use crate::data::output::{check_writable, ending_of, write_whole};
use crate::error::{Error, Result};

/// The format of this word.
pub fn format_named(word: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.key == word)
}

/// The format that a file's extension tells.
///
/// # Errors
/// Names the extensions that there are.
pub fn format_of(path: &Path) -> Result<&'static Format> {
    named_by(path)
        .ok_or_else(|| unknown(path).expected(known(|_| true)).mend("another name, or --format"))
}

/// The format of a drawing that is no scene, such as a chart, which a file's extension tells.
///
/// # Errors
/// Names the extensions of those that hold one.
pub fn format_of_drawing(path: &Path) -> Result<&'static Format> {
    let error = match named_by(path) {
        Some(format) if format.draws() => return Ok(format),
        Some(format) => {
            let found = format!(".{} holds queries and rankings alone", format.key);
            Error::new(path.display(), found)
        }
        None => unknown(path),
    };
    Err(error.expected(known(Format::draws)))
}

fn named_by(path: &Path) -> Option<&'static Format> {
    format_named(&ending_of(path))
}

fn unknown(path: &Path) -> Error {
    let found = match path.extension() {
        None => "a file without an extension".to_owned(),
        Some(one) => format!("no format has the extension .{}", one.to_string_lossy()),
    };
    Error::new(path.display(), found)
}

/// Writes a figure, or the pages of one in a format that has pages, to a file, which appears whole or not at all, and what it refers to in a folder
/// beside it; gives what could not be shown as it is, a line each.
///
/// # Errors
/// As [`Figure::write`]; several pages of a format that has none; a picture beside it that is there with another content,
/// unless it `replaces` what is there; when a file or a folder cannot be written.
pub fn export(
    figures: &[Figure],
    format: &Format,
    path: &Path,
    replaces: bool,
) -> Result<Vec<String>> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let output = super::write(figures, format, &name)?;
    if !replaces {
        spare_pictures(&output, path)?;
    }
    put(output, path)
}

/// Checks that the pictures of another figure stay as they are, whose file went or has another ending.
fn spare_pictures(output: &Output, path: &Path) -> Result<()> {
    for (file, bytes) in &output.beside {
        let file = path.with_file_name(file);
        if std::fs::read(&file).is_ok_and(|there| there != *bytes) {
            let found = "not written: it is there already, with another content";
            return Err(Error::new(file.display(), found)
                .expected("a picture of this figure alone")
                .mend("name another file: its pictures go into a folder of that name"));
        }
    }
    Ok(())
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
    let format = format_of_drawing(path)?;
    let output = match (pages, format.draw, format.pages) {
        ([page], Some(draw), _) => draw(page)?,
        (pages, _, Some(write)) => write(&pages.iter().collect::<Vec<_>>())?,
        (pages, ..) => {
            let found = format!("{} pages, of which a .{} has one", pages.len(), format.key);
            let able = known(|format| format.draws() && format.pages.is_some());
            return Err(
                Error::new(path.display(), found).expected(format!("{able}, or fewer pictures"))
            );
        }
    };
    put(output, path)
}

/// The extensions of formats.
fn known(is_meant: fn(&Format) -> bool) -> String {
    let meant = FORMATS.iter().filter(|format| is_meant(format));
    let meant: Vec<String> = meant.map(|format| format!(".{}", format.key)).collect();
    meant.join(", ")
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
            assert!(error.contains(".svg, .png, .pdf") && !error.contains(".html"), "{error}");
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
