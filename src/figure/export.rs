//! Writes figures and charts to files.

use std::io::Write;
use std::path::Path;

use super::{Drawing, FORMATS, Format, Output};
use crate::data::output::{check_writable, ending_of, write_whole};
use crate::error::{Error, Result};

/// The format of a file, by the extension of its path.
///
/// # Errors
/// A missing or unknown extension; the error lists those of all formats.
pub fn format_of(path: &Path) -> Result<&'static Format> {
    let extension = ending_of(path);
    FORMATS.iter().find(|format| format.key == extension).ok_or_else(|| {
        let found = match path.extension() {
            None => "a file without an extension".to_owned(),
            Some(name) => format!("no format has the extension .{}", name.to_string_lossy()),
        };
        let known: Vec<String> = FORMATS.iter().map(|format| format!(".{}", format.key)).collect();
        Error::new(path.display(), found).expected(known.join(", "))
    })
}

impl Drawing {
    /// Converts the drawing to a format. `name` is the file name without extension; extra files are named after it.
    ///
    /// # Errors
    /// An image of too many pixels.
    pub fn convert(&self, format: &Format, name: &str) -> Result<Output> {
        convert(std::slice::from_ref(self), format, name)
    }
}

/// Converts drawings to a format, a page each.
fn convert(drawings: &[Drawing], format: &Format, name: &str) -> Result<Output> {
    if drawings.len() > 1 && !format.has_pages {
        let found = format!("{} pages for a .{} file, which holds one", drawings.len(), format.key);
        return Err(Error::new("figure", found).expected(".pdf, or fewer images"));
    }
    let mut output = (format.write)(drawings, name)?;
    for drawing in drawings {
        output.warnings.extend(drawing.page.warnings.iter().chain(&drawing.image_warning).cloned());
    }
    Ok(output)
}

/// Writes drawings, a page each, to a file in the format of its extension, with the PDF that a LaTeX figure includes.
/// Returns warnings, a line each. Files are written whole or not at all.
///
/// # Errors
/// As [`format_of`] and [`Drawing::convert`]; several pages in a format without pages; an existing extra file with
/// other content, unless `replaces`; a file that cannot be written.
pub fn export(drawings: &[Drawing], path: &Path, replaces: bool) -> Result<Vec<String>> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let output = convert(drawings, format_of(path)?, &name)?;
    // Before an extra file is written.
    check_writable(path)?;
    for (name, bytes) in &output.extra_files {
        let file = path.with_file_name(name);
        if !replaces && std::fs::read(&file).is_ok_and(|existing| existing != *bytes) {
            let found = "not written: it is there already, with another content";
            return Err(Error::new(file.display(), found)
                .expected("the drawing of this figure alone")
                .fix("name another file: its drawing is named after it"));
        }
        write_whole(&file, |out| out.write_all(bytes))?;
    }
    write_whole(path, |out| out.write_all(&output.bytes))?;
    Ok(output.warnings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_tell_the_format() {
        let key = |name: &str| format_of(Path::new(name)).map(|format| format.key);
        assert_eq!(key("a/fig.PDF"), Ok("pdf"));
        for (name, told) in
            [("fig.doc", "no format has the extension .doc"), ("fig", "without an extension")]
        {
            let error = key(name).unwrap_err().to_string();
            assert!(
                error.contains(told) && error.contains(".svg, .png, .pdf, .tex, .html"),
                "{error}"
            );
        }
    }
}
