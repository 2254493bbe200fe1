//! Notes: what tools remember of somebody, on whatever thread.

use bytes::Bytes;

/// What is remembered of somebody under a name. The store does not look inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Whose it is.
    pub owner: String,
    /// What it is about, unique among the notes of its owner.
    pub name: String,
    /// What it says.
    pub body: Bytes,
    /// How often it was written. To write one, give the version that was read, or 0 if there was none.
    pub version: u64,
}
