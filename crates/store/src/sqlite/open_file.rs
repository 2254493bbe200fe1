//! The file that a store has open, and whether it still is where it was. A file that somebody has removed can be written
//! as before, and all of it is lost when the process ends.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// A file by its name and by what the system knows it by.
#[derive(Debug)]
pub(super) struct OpenFile {
    path: PathBuf,
    identity: (u64, u64),
}

impl OpenFile {
    /// The file that is there now.
    pub(super) fn at(path: &Path) -> io::Result<Self> {
        // The process may change its folder later.
        let path = path.canonicalize()?;
        let identity = identity(&path)?;
        Ok(Self { path, identity })
    }

    /// Fails if the file is not there any more, or another one is.
    pub(super) fn check_there(&self) -> io::Result<()> {
        let name = self.path.display();
        match identity(&self.path) {
            Ok(found) if found == self.identity => Ok(()),
            Ok(_) => Err(io::Error::other(format!(
                "{name} is another file than the one that was opened; restart the server"
            ))),
            Err(error) => Err(io::Error::new(
                error.kind(),
                format!("{name} is gone, and what is written is lost: {error}"),
            )),
        }
    }
}

#[cfg(unix)]
fn identity(path: &Path) -> io::Result<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).map(|file| (file.dev(), file.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> io::Result<(u64, u64)> {
    fs::metadata(path).map(|_| (0, 0))
}
