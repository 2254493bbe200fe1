//! Cursors: a place in the log of a thread, in the form that travels.

use std::{fmt, str::FromStr};

use forestage_store::Seq;

/// A place in a log. The epoch tells a thread from an earlier one with the same id, and from itself before its store may have
/// lost something, so that a cursor of the earlier one is recognised as such.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// Which thread in which life of its store: see [`forestage_store::epoch`].
    pub epoch: i64,
    /// The last entry that was seen.
    pub seq: Seq,
}

/// A text that is no cursor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a cursor; one looks like `<epoch>.<seq>`, as the id of an event had it")]
pub struct CursorError(String);

impl fmt::Display for Cursor {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:x}.{}", self.epoch, self.seq.0)
    }
}

impl FromStr for Cursor {
    type Err = CursorError;

    fn from_str(text: &str) -> Result<Self, CursorError> {
        let parse = || {
            let (epoch, seq) = text.split_once('.')?;
            let epoch = i64::from_str_radix(epoch, 16).ok()?;
            Some(Self { epoch, seq: Seq(seq.parse().ok()?) })
        };
        parse().ok_or_else(|| CursorError(beginning(text)))
    }
}

/// Enough of a text to tell which one it is.
fn beginning(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
