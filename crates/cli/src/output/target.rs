//! A file that is written: it has its name only when it is complete.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use anyhow::Context;

use super::plain;

/// Where a stream is written to.
pub(crate) enum Target {
    /// Standard output, or something else that is not a file: it gets the events as they come.
    Direct(Box<dyn Write>),
    /// A file. What is not complete stands beside it, under another name.
    File { partial: PathBuf, path: PathBuf, file: BufWriter<File> },
}

impl Target {
    /// Opens the file, or standard output where there is none.
    pub(crate) fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = path else {
            return Ok(Self::Direct(Box::new(plain())));
        };
        let unwritten = || format!("cannot write {}", path.display());
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            // A device or a pipe, which cannot be exchanged for another file.
            let file = File::options().write(true).open(path).with_context(unwritten)?;
            return Ok(Self::Direct(Box::new(BufWriter::new(file))));
        }
        let partial = partial_of(path);
        let file = File::create(&partial).with_context(unwritten)?;
        Ok(Self::File { partial, path: path.to_owned(), file: BufWriter::new(file) })
    }

    /// Everything has come.
    pub(crate) fn complete(mut self) -> io::Result<()> {
        self.flush()?;
        match self {
            Self::Direct(_) => Ok(()),
            Self::File { partial, path, .. } => fs::rename(partial, path),
        }
    }

    /// Not everything will come. Says where the beginning is.
    pub(crate) fn give_up(mut self) -> String {
        // What cannot be written now is missing from something that is incomplete anyway.
        let _ = self.flush();
        match self {
            Self::Direct(_) => "what was written is only the beginning".to_owned(),
            Self::File { partial, .. } => format!("the beginning is in {}", partial.display()),
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Direct(out) => out.write(bytes),
            Self::File { file, .. } => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Direct(out) => out.flush(),
            Self::File { file, .. } => file.flush(),
        }
    }
}

fn partial_of(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".partial");
    name.into()
}
