//! The file of a store, before it is opened: what is wrong with it is told in words, not by numbers of SQLite's.

use std::{fs, path::Path};

use rusqlite::ErrorCode;

use crate::{OpenError, StoreError};

/// No database is smaller than the smallest page, and SQLite would write over what is.
const SMALLEST: u64 = 512;

/// Whether a database can be there, or be made there. The file is not opened: closing it again would take away the locks
/// that other connections of this process have on it.
pub(super) fn check(path: &Path) -> Result<(), OpenError> {
    let name = || path.display().to_string();
    match fs::metadata(path) {
        Err(_) => check_folder(path).map(|()| create(path)),
        Ok(file) if !file.is_file() => Err(OpenError::NotAFile(name())),
        Ok(file) if (1..SMALLEST).contains(&file.len()) => Err(OpenError::NotADatabase(name())),
        Ok(_) => Ok(()),
    }
}

/// Makes an empty file that only its owner can read. SQLite gives the files beside it the same permissions. Where that
/// fails, opening it does, too, and says why.
fn create(path: &Path) {
    let mut options = fs::File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // It is not there, so nobody has a lock on it that closing it would take away.
    drop(options.open(path));
}

fn check_folder(path: &Path) -> Result<(), OpenError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| !folder.is_dir()) {
        Some(folder) => Err(OpenError::NoFolder {
            path: path.display().to_string(),
            folder: folder.display().to_string(),
        }),
        None => Ok(()),
    }
}

/// What an error of SQLite's means for the file.
pub(super) fn explain(path: &Path, error: rusqlite::Error) -> OpenError {
    let name = path.display().to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => OpenError::NotADatabase(name),
        Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => OpenError::Closed(name),
        Some(ErrorCode::ReadOnly) => OpenError::ReadOnly(name),
        Some(ErrorCode::DatabaseCorrupt) => OpenError::Damaged { path: name, reason: error.to_string() },
        _ => OpenError::Store(StoreError::Database(Box::new(error))),
    }
}
