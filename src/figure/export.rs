//! A figure or a chart as files.

use std::io::Write;
use std::path::Path;

use super::{Drawing, FORMATS, Format, Output};
use crate::data::output::{check_writable, ending_of, write_whole};
use crate::error::{Error, Result};

/// The format of a file of this extension.
///
/// # Errors
/// Lists the extensions of all formats.
pub fn format_of(path: &Path) -> Result<&'static Format> {
    let ending = ending_of(path);
    FORMATS.iter().find(|format| format.key == ending).ok_or_else(|| {
        let found = match path.extension() {
            None => "a file without an extension".to_owned(),
            Some(one) => format!("no format has the extension .{}", one.to_string_lossy()),
        };
        let known: Vec<String> = FORMATS.iter().map(|one| format!(".{}", one.key)).collect();
        Error::new(path.display(), found).expected(known.join(", "))
    })
}

impl Drawing {
    /// The drawing in a format; a file beside it is named after `name`, the file name without extension.
    ///
    /// # Errors
    /// An image of too many pixels.
    pub fn write(&self, format: &Format, name: &str) -> Result<Output> {
        write(std::slice::from_ref(self), format, name)
    }
}

fn write(drawings: &[Drawing], format: &Format, name: &str) -> Result<Output> {
    if drawings.len() > 1 && !format.has_pages {
        let found = format!("{} pages for a .{} file, which holds one", drawings.len(), format.key);
        return Err(Error::new("figure", found).expected(".pdf, or fewer images"));
    }
    let mut output = (format.write)(drawings, name)?;
    for drawing in drawings {
        output.warnings.extend(drawing.page.warnings.iter().chain(&drawing.lacking).cloned());
    }
    Ok(output)
}

/// Writes drawings, a page each, to a file of the format of its extension, whole or not at all, with the PDF beside a
/// LaTeX figure; returns warnings, a line each.
///
/// # Errors
/// As [`format_of`] and [`Drawing::write`]; several pages of a format without pages; an existing file beside it with
/// other content, unless `replaces`; when a file cannot be written.
pub fn export(drawings: &[Drawing], path: &Path, replaces: bool) -> Result<Vec<String>> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let output = write(drawings, format_of(path)?, &name)?;
    // Before any file beside it is written.
    check_writable(path)?;
    for (file, bytes) in &output.beside {
        let file = path.with_file_name(file);
        if !replaces && std::fs::read(&file).is_ok_and(|there| there != *bytes) {
            let found = "not written: it is there already, with another content";
            return Err(Error::new(file.display(), found)
                .expected("the drawing of this figure alone")
                .mend("name another file: its drawing is named after it"));
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
