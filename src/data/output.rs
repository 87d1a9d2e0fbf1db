//! Files written whole or not at all.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::{in_use, mmap};
use crate::data::text::shell_word;
use crate::error::{Error, Result};

/// Writes `out` through a temporary file beside it, which replaces it in one step. Pipes and devices are
/// written directly.
///
/// # Errors
/// Those of [`check_folder`] and [`check_writable`]; an input of this run; a folder or file that cannot be written. The
/// old file is then unchanged.
pub fn write_whole(
    out: &Path,
    write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
) -> Result<()> {
    check_folder(out)?;
    check_writable(out)?;
    in_use::note_write(out)?;
    let write_all = |file: &File| {
        let mut buffer = BufWriter::new(file);
        write(&mut buffer)?;
        buffer.flush()?;
        drop(buffer);
        mmap::change_error().map_or(Ok(()), |error| Err(io::Error::other(error.to_string())))
    };
    let written = if fs::metadata(out).is_ok_and(|metadata| !metadata.is_file()) {
        File::options().write(true).truncate(true).open(out).and_then(|file| write_all(&file))
    } else {
        replace(out, write_all)
    };
    written.map_err(|e| Error::io(out, &e))
}

/// The lower-case extension of a file, which selects its format: `md` for `.markdown`, `html` for `.htm`; empty if
/// there is none.
pub fn ending_of(file: &Path) -> String {
    let ending = file.extension().unwrap_or_default().to_string_lossy();
    match ending.to_lowercase().as_str() {
        "htm" => "html".into(),
        "markdown" => "md".into(),
        ending => ending.into(),
    }
}

/// The folder of a file: the current one if its path has none.
pub fn folder_of(file: &Path) -> &Path {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Checks that a file is new or may be overwritten (`force`), and that its folder exists.
///
/// # Errors
/// Those of [`check_folder`] and [`check_new`].
pub fn check_free(out: &Path, force: bool) -> Result<()> {
    check_folder(out)?;
    check_new(out, force)
}

/// Checks that the folder of a file exists and that the file is not a folder itself. Called before hours of work.
///
/// # Errors
/// A missing folder; a file that is a folder.
pub fn check_folder(out: &Path) -> Result<()> {
    if out.is_dir() {
        return Err(Error::new(out.display(), "not written: it is a folder")
            .expected("the name of a file")
            .fix(format!("name one in it, such as {}", out.join("FILE").display())));
    }
    let folder = folder_of(out);
    if folder.is_dir() {
        return Ok(());
    }
    let found = format!("not written: there is no folder {}", folder.display());
    let folder = shell_word(&folder.to_string_lossy());
    Err(Error::new(out.display(), found).fix(format!("mkdir -p {folder}, or name another")))
}

/// Checks that a file is new or may be overwritten (`force`), and notes it as an output of this run; its folder may be
/// missing.
///
/// # Errors
/// The name `-`; an input or output of this run; an existing regular file, without `force`; those of
/// [`check_writable`].
pub fn check_new(out: &Path, force: bool) -> Result<()> {
    if out.as_os_str() == "-" {
        return Err(Error::new("-", "not written: it names no file")
            .expected("the name of a file")
            .fix("/dev/stdout is standard output, ./- a file of that name"));
    }
    in_use::note_output(out)?;
    check_writable(out)?;
    if !force && fs::metadata(out).is_ok_and(|metadata| metadata.is_file()) {
        return Err(Error::new(out.display(), "not written: it is there already")
            .fix("name another file, or write over it with --force"));
    }
    Ok(())
}

/// Checks that an existing file may be overwritten. A rename only needs permission to write the folder.
///
/// # Errors
/// Those of [`check_no_link`]; a file that is read-only for everybody, or that the system refuses to open.
pub fn check_writable(out: &Path) -> Result<()> {
    check_no_link(out)?;
    let Ok(metadata) = fs::metadata(out) else {
        return Ok(());
    };
    if is_read_only(&metadata) {
        return Err(Error::new(out.display(), "not written: it is read-only")
            .fix("chmod u+w it, or name another file"));
    }
    if metadata.is_file() {
        let opened = File::options().write(true).open(out);
        opened.map_err(|e| Error::io(out, &e))?;
    }
    Ok(())
}

/// Whether this is a file that its permissions let nobody write. Root could write it, but is refused, too.
pub fn is_read_only(metadata: &Metadata) -> bool {
    metadata.is_file() && metadata.permissions().readonly()
}

/// Refuses a symbolic link: somebody else may have created it. Those of the system, such as /dev/stdout, are accepted.
///
/// # Errors
/// A symbolic link; the fix names its target.
pub fn check_no_link(out: &Path) -> Result<()> {
    if out.starts_with("/dev") || out.starts_with("/proc") {
        return Ok(());
    }
    fs::read_link(out).map_or(Ok(()), |target| {
        Err(Error::new(out.display(), "not written: it is a symbolic link")
            .expected("the file itself")
            .fix(format!("name {}", folder_of(out).join(target).display())))
    })
}

/// Replaces a regular file by the output of `write`, whole or not at all. Permissions stay.
///
/// # Errors
/// A symbolic link; a folder or file that cannot be written. The old file is then unchanged.
pub fn replace(out: &Path, write: impl FnOnce(&File) -> io::Result<()>) -> io::Result<()> {
    let unfinished = tempfile::Builder::new()
        .suffix(".tmp")
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder_of(out))?;
    let file = unfinished.as_file();
    if let Ok(metadata) = fs::symlink_metadata(out) {
        if metadata.is_symlink() {
            return Err(io::Error::other("it is a symbolic link"));
        }
        // A rename needs no permission to write the file: this does.
        File::options().write(true).open(out)?;
        file.set_permissions(metadata.permissions())?;
    }
    write(file)?;
    unfinished.persist(out)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_refused_and_a_failure_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        write_whole(&file, |f| f.write_all(b"old and long")).unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink("file", &link).unwrap();
        for error in [write_whole(&link, |f| f.write_all(b"new")), check_free(&link, true)] {
            let error = error.unwrap_err().to_string();
            assert!(error.contains("symbolic link") && error.contains("name "), "{error}");
        }
        let failed = write_whole(&file, |_| Err(io::Error::other("full")));
        assert!(failed.unwrap_err().to_string().contains("full"));
        assert_eq!(fs::read(&file).unwrap(), b"old and long");
        write_whole(&file, |f| f.write_all(b"new")).unwrap();
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        assert_eq!(check_free(Path::new("/dev/stdout"), true), Ok(()));
    }

    #[test]
    fn only_force_writes_over_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        assert_eq!(check_free(&file, false), Ok(()));
        fs::write(&file, "precious").unwrap();
        let said = check_free(&file, false).unwrap_err().to_string();
        assert!(said.contains("there already") && said.contains("--force"), "{said}");
        assert_eq!(check_free(&file, true), Ok(()));
        assert_eq!(check_free(Path::new("/dev/null"), false), Ok(()));
    }

    #[test]
    fn a_file_needs_a_folder_and_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let none = folder.path().join("none");
        for said in
            [check_free(&none.join("file"), true), write_whole(&none.join("file"), |_| Ok(()))]
        {
            let said = said.unwrap_err().to_string();
            let fix = format!("mkdir -p {}", none.display());
            assert!(said.contains("there is no folder") && said.contains(&fix), "{said}");
        }
        assert_eq!(check_new(&none.join("file"), false), Ok(()));
        let said = check_free(folder.path(), true).unwrap_err().to_string();
        assert!(said.contains("it is a folder") && said.contains("FILE"), "{said}");
        assert_eq!(check_folder(Path::new("file")), Ok(()));
    }

    #[test]
    fn read_only_files_stay_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "precious").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o444)).unwrap();
        let said = write_whole(&file, |f| f.write_all(b"new")).unwrap_err().to_string();
        assert!(said.contains("read-only") && said.contains("chmod u+w"), "{said}");
        assert_eq!(fs::read(&file).unwrap(), b"precious");
    }
}
