//! Reading: files or standard input, whole documents or streams of frames.

mod frames;
mod objects;

use std::{
    fmt,
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use anyhow::Context;
use clap::{Args, ValueEnum};
use forestage_protocol::{codec::Format, pipeline::Reader, scan};

pub(crate) use self::frames::{Frames, Payload, Step};

/// The names of the formats on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatName {
    /// One JSON array
    #[value(alias = "array")]
    Json,
    /// One JSON text per line
    #[value(alias = "ndjson")]
    Jsonl,
    /// Server-sent events
    Sse,
    /// Length-prefixed protobuf
    #[value(alias = "protobuf")]
    Proto,
}

impl From<FormatName> for Format {
    fn from(name: FormatName) -> Self {
        match name {
            FormatName::Json => Self::Array,
            FormatName::Jsonl => Self::Jsonl,
            FormatName::Sse => Self::Sse,
            FormatName::Proto => Self::Protobuf,
        }
    }
}

/// What a stream may be in: a format, or a contract whose shapes are older than AG-UI 1.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SourceName {
    /// One JSON array
    #[value(alias = "array")]
    Json,
    /// One JSON text per line
    #[value(alias = "ndjson")]
    Jsonl,
    /// Server-sent events
    Sse,
    /// Length-prefixed protobuf
    #[value(alias = "protobuf")]
    Proto,
    /// The shapes of AGUI.Protocol in any format, read as AG-UI 1.0
    Net,
}

impl SourceName {
    /// The format; `None` where the first bytes tell.
    fn format(self) -> Option<Format> {
        match self {
            Self::Json => Some(Format::Array),
            Self::Jsonl => Some(Format::Jsonl),
            Self::Sse => Some(Format::Sse),
            Self::Proto => Some(Format::Protobuf),
            Self::Net => None,
        }
    }
}

/// Where a stream comes from.
#[derive(Args, Debug)]
pub(crate) struct StreamInput {
    /// The stream: a file, or - for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub(crate) file: Source,
    /// The format of the stream; detected from the first bytes by default
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) from: Option<SourceName>,
}

impl StreamInput {
    /// Opens the stream and finds out its format.
    pub(crate) fn open(&self) -> anyhow::Result<Frames> {
        Frames::open(&self.file, self.from.and_then(SourceName::format))
    }

    /// Whether the stream is in the shapes of AGUI.Protocol.
    pub(crate) fn is_net(&self) -> bool {
        self.from == Some(SourceName::Net)
    }

    /// A reader of the stream.
    pub(crate) fn reader(&self) -> Reader {
        if self.is_net() { Reader::default().with_net() } else { Reader::default() }
    }
}

/// A file, or standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// What `-` stands for.
    Stdin,
    /// A file.
    File(PathBuf),
}

impl From<&str> for Source {
    fn from(name: &str) -> Self {
        match name {
            "-" => Self::Stdin,
            path => Self::File(path.into()),
        }
    }
}

impl From<std::ffi::OsString> for Source {
    fn from(name: std::ffi::OsString) -> Self {
        if name == "-" { Self::Stdin } else { Self::File(name.into()) }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdin => out.write_str("standard input"),
            Self::File(path) => path.display().fmt(out),
        }
    }
}

impl Source {
    /// Opens it for reading.
    pub(crate) fn open(&self) -> anyhow::Result<Box<dyn Read>> {
        match self {
            Self::Stdin => Ok(Box::new(io::stdin().lock())),
            Self::File(path) => {
                let file = File::open(path).with_context(|| format!("cannot read {self}"))?;
                Ok(Box::new(file))
            }
        }
    }

    /// Reads all of it.
    pub(crate) fn read(&self) -> anyhow::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.open()?.read_to_end(&mut bytes).with_context(|| format!("cannot read {self}"))?;
        Ok(bytes)
    }

    /// Reads all of it as one JSON document.
    pub(crate) fn read_json(&self) -> anyhow::Result<serde_json::Value> {
        let bytes = self.read()?;
        let text = without_mark(&bytes);
        // Bytes that are not text are refused below, with their place.
        if let Ok(text) = std::str::from_utf8(text) {
            scan::check_depth(text).with_context(|| format!("{self} cannot be read"))?;
        }
        serde_json::from_slice(text).with_context(|| format!("{self} is not a JSON document"))
    }

    /// Whether it is this file.
    pub(crate) fn is(&self, path: &Path) -> bool {
        let Self::File(own) = self else { return false };
        match (own.canonicalize(), path.canonicalize()) {
            (Ok(own), Ok(other)) => own == other,
            _ => false,
        }
    }
}

/// How many of something are wanted: a number for which there is something to show.
pub(crate) fn count(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "expected a whole number of at least 1".to_owned())
}

/// The text without a byte order mark, which some editors put in front.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}
