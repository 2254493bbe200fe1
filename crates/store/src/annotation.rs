//! Annotations: what people say about a thread, beside its log.

use bytes::Bytes;
use forestage_protocol::id::{MessageId, RunId, ThreadId};

/// A remark about a thread, a run or a message: a thumb, a tag, a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// Its id, unique on its thread.
    pub id: String,
    /// The thread.
    pub thread_id: ThreadId,
    /// The run it is about.
    pub run_id: Option<RunId>,
    /// The message it is about.
    pub message_id: Option<MessageId>,
    /// What kind of remark it is.
    pub kind: String,
    /// The remark as JSON; the store does not look inside.
    pub json: Bytes,
    /// Who made it.
    pub by: String,
    /// When, in milliseconds since 1970.
    pub at: i64,
}
