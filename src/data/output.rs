//! Files that appear whole or not at all.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::error::{Error, Result};

/// Writes `out` through a temporary file beside it, which takes its place in one step. What is
/// there and no regular file is never replaced: a link, a pipe or a device is written through.
///
/// # Errors
/// When the folder or the file cannot be written; what stood there before is still there.
pub fn write_whole(out: &Path, write: impl FnOnce(&File) -> io::Result<()>) -> Result<()> {
    replace(out, write).map_err(|e| Error::io(out, &e))
}

fn replace(out: &Path, write: impl FnOnce(&File) -> io::Result<()>) -> io::Result<()> {
    if fs::symlink_metadata(out).is_ok_and(|there| !there.is_file()) {
        return write(&File::options().write(true).truncate(true).open(out)?);
    }
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    let file = tempfile::Builder::new()
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder.unwrap_or(Path::new(".")))?;
    write(file.as_file())?;
    file.persist(out)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn links_stay_links_and_a_failure_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        write_whole(&file, |mut f| f.write_all(b"old and long")).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_whole(&link, |mut f| f.write_all(b"new")).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        let failed = write_whole(&file, |_| Err(io::Error::other("full")));
        assert!(failed.unwrap_err().to_string().contains("full"));
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
