//! Files that appear whole or not at all.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::{in_use, mapped};
use crate::error::{Error, Result};

/// Writes `out` through a temporary file beside it, which takes its place in one step. What is
/// there and no regular file is never replaced: a link, a pipe or a device is written through.
///
/// # Errors
/// As [`check_place`] and [`check_writable`]; a file that this run reads, or has written; when the folder or the file
/// cannot be written. What stood there before is still there.
pub fn write_whole(
    out: &Path,
    write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
) -> Result<()> {
    check_place(out)?;
    check_writable(out)?;
    in_use::writes(out)?;
    let mut write = Some(write);
    let mut buffered = |file: &File| {
        let mut buffer = BufWriter::new(file);
        write.take().expect("one file is written")(&mut buffer)?;
        buffer.flush()
    };
    replace(out, &mut buffered).map_err(|e| Error::io(out, &e))
}

/// The ending of a file's name, which tells its format, in its usual form; empty where there is none.
pub fn ending_of(file: &Path) -> String {
    let ending = file.extension().unwrap_or_default().to_string_lossy();
    match ending.to_lowercase().as_str() {
        "htm" => "html".into(),
        "markdown" => "md".into(),
        ending => ending.into(),
    }
}

/// The folder that a file lies in: that of the process, where its name has none.
pub fn folder_of(file: &Path) -> &Path {
    let folder = file.parent();
    let named = folder.filter(|folder| !folder.as_os_str().is_empty());
    named.unwrap_or(Path::new("."))
}

/// Checks that a file is new, or may be written over where `force` says so, and that it has a folder.
///
/// # Errors
/// As [`check_place`] and [`check_new`].
pub fn check_free(out: &Path, force: bool) -> Result<()> {
    check_place(out)?;
    check_new(out, force)
}

/// Checks that the folder of a file is there, and that the file is no folder: before hours of work, not after.
///
/// # Errors
/// Names the folder.
pub fn check_place(out: &Path) -> Result<()> {
    if out.is_dir() {
        return Err(Error::new(out.display(), "not written: it is a folder")
            .expected("the name of a file")
            .mend(format!("name one in it, such as {}", out.join("FILE").display())));
    }
    let folder = folder_of(out);
    if folder.is_dir() {
        return Ok(());
    }
    let folder = folder.display();
    let found = format!("not written: there is no folder {folder}");
    Err(Error::new(out.display(), found).mend(format!("mkdir -p {folder}, or name another")))
}

/// Checks that a file is new, or may be written over where `force` says so; its folder may have to be made. From then
/// on this run neither reads it nor writes another one of its name.
///
/// # Errors
/// `-`; a file that this run reads, or is going to write; a regular file that is there, itself or behind a link; as
/// [`check_writable`].
pub fn check_new(out: &Path, force: bool) -> Result<()> {
    if out.as_os_str() == "-" {
        return Err(Error::new("-", "not written: it names no file")
            .expected("the name of a file")
            .mend("/dev/stdout is standard output, ./- a file of that name"));
    }
    in_use::promises(out)?;
    check_writable(out)?;
    if !force && fs::metadata(out).is_ok_and(|facts| facts.is_file()) {
        return Err(Error::new(out.display(), "not written: it is there already")
            .mend("name another file, or write over it with --force"));
    }
    Ok(())
}

/// Checks that a file which is there, itself or behind a link, may be written over. A rename asks
/// only for the right to write the folder.
///
/// # Errors
/// When it is read-only, whoever asks, or the system refuses to open it.
pub fn check_writable(out: &Path) -> Result<()> {
    let Ok(facts) = fs::metadata(out) else {
        return Ok(());
    };
    if is_read_only(&facts) {
        return Err(Error::new(out.display(), "not written: it is read-only")
            .mend("chmod u+w it, or name another file"));
    }
    if facts.is_file() {
        let opened = File::options().write(true).open(out);
        opened.map_err(|e| Error::io(out, &e))?;
    }
    Ok(())
}

/// Whether the permissions of a file let nobody write it. These bits do not stop root, who is held
/// to them all the same.
pub fn is_read_only(facts: &Metadata) -> bool {
    facts.is_file() && facts.permissions().readonly()
}

fn replace(out: &Path, write: &mut dyn FnMut(&File) -> io::Result<()>) -> io::Result<()> {
    let unchanged =
        || mapped::changed().map_or(Ok(()), |error| Err(io::Error::other(error.to_string())));
    if fs::symlink_metadata(out).is_ok_and(|there| !there.is_file()) {
        unchanged()?;
        return write(&File::options().write(true).truncate(true).open(out)?);
    }
    let file = tempfile::Builder::new()
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder_of(out))?;
    write(file.as_file())?;
    unchanged()?;
    file.persist(out)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::in_use::Run;

    /// Files of another test's run are none of these.
    fn alone() -> Run {
        Run::start(true)
    }

    #[test]
    fn links_stay_links_and_a_failure_leaves_the_old_file() {
        let _alone = alone();
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        write_whole(&file, |f| f.write_all(b"old and long")).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_whole(&link, |f| f.write_all(b"new")).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        let failed = write_whole(&file, |_| Err(io::Error::other("full")));
        assert!(failed.unwrap_err().to_string().contains("full"));
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn only_force_writes_over_a_file() {
        let _alone = alone();
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        assert_eq!(check_free(&file, false), Ok(()));
        fs::write(&file, "precious").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        for out in [&file, &link] {
            let said = check_free(out, false).unwrap_err().to_string();
            assert!(said.contains("there already") && said.contains("--force"), "{said}");
            assert_eq!(check_free(out, true), Ok(()));
        }
        assert_eq!(check_free(Path::new("/dev/null"), false), Ok(()));
    }

    #[test]
    fn a_file_needs_a_folder_and_is_none() {
        let _alone = alone();
        let folder = tempfile::tempdir().unwrap();
        let none = folder.path().join("none");
        for said in
            [check_free(&none.join("file"), true), write_whole(&none.join("file"), |_| Ok(()))]
        {
            let said = said.unwrap_err().to_string();
            let mend = format!("mkdir -p {}", none.display());
            assert!(said.contains("there is no folder") && said.contains(&mend), "{said}");
        }
        assert_eq!(check_new(&none.join("file"), false), Ok(()));
        let said = check_free(folder.path(), true).unwrap_err().to_string();
        assert!(said.contains("it is a folder") && said.contains("FILE"), "{said}");
        assert_eq!(check_place(Path::new("file")), Ok(()));
    }

    #[test]
    fn read_only_files_stay_as_they_are() {
        let _alone = alone();
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "precious").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o444)).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        for out in [&file, &link] {
            let failed = write_whole(out, |f| f.write_all(b"new")).unwrap_err();
            let said = failed.to_string();
            assert!(said.contains("read-only") && said.contains("chmod u+w"), "{said}");
            assert_eq!(fs::read(&file).unwrap(), b"precious");
        }
    }
}
