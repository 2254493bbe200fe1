//! Shares: links by which somebody may read a thread that is not theirs.

use forestage_protocol::id::ThreadId;

/// A link to a thread for those who only read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// Its id, unique on its thread: how it is named where it is listed and taken back. It opens nothing.
    pub id: String,
    /// The thread.
    pub thread_id: ThreadId,
    /// SHA-256 of what opens it. That itself is kept by nobody but those who have the link.
    pub hash: [u8; 32],
    /// Who made it.
    pub by: String,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// When it stops to open the thread, if ever. The store does not look at it.
    pub expires_at: Option<i64>,
}
