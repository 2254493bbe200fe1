//! What can go wrong, per operation.

use forestage_protocol::id::{InterruptId, RunId, ThreadId};

use crate::{lease::Fence, log::Seq};

/// The store itself failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database said no.
    #[error("the database failed: {0}")]
    Database(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The database cannot hold a value, however often it is asked: an id that is too long for its indexes, or text with
    /// a character that it does not know.
    #[error("the database cannot keep this: {0}")]
    Unfit(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// What was to take the place of a run's entries leaves a hole, or would swallow what is not its own.
    #[error("the compacted entries do not cover run `{0}` from end to end")]
    NotCovered(RunId),
    /// Somebody reads, so the write-ahead log stays beside the database for now.
    #[error("somebody else is using the file, so its `-wal` belongs to it until they are done")]
    Unsettled,
    /// A log ends before a place that it had reached: its thread was deleted, or an older copy took the place of the store.
    #[error("the log of thread `{thread_id}` was cut off at {} while it was read up to {}", read.0, end.0)]
    Shortened {
        /// The thread.
        thread_id: ThreadId,
        /// The last entry that could be read.
        read: Seq,
        /// The last entry that there was.
        end: Seq,
    },
    /// What a run said cannot be written, so its log does not go on until the store can be written again.
    #[error("the store cannot be written: {0}")]
    Unwritable(String),
    /// The store has been closed.
    #[error("the store is closed")]
    Closed,
}

impl StoreError {
    /// Whether the same call may succeed later.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::Database(_) | Self::Unsettled)
    }
}

/// Why a store could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The URL names no store we know.
    #[error("`{0}` is not a store; expected `sqlite:<file>`, `postgres://<host>/<database>` or `memory:`")]
    UnknownScheme(String),
    /// The URL names no file.
    #[error(
        "`{0}` names no file; expected `sqlite:<file>`, or `memory:` for nothing that outlives the process"
    )]
    NoFile(String),
    /// The URL has a setting that its store does not know.
    #[error("`{setting}` is not a setting of this store; there are {known}")]
    UnknownSetting {
        /// What was asked for.
        setting: String,
        /// What there is.
        known: &'static str,
    },
    /// This program was built without the store that the URL names.
    #[error("this program was built without the feature `{feature}`, which `{scheme}:` needs")]
    NotBuilt {
        /// What the URL begins with.
        scheme: String,
        /// The feature of the crate that brings it.
        feature: &'static str,
    },
    /// The URL does not say where the database is.
    #[error("the URL of the database is wrong: {0}")]
    Address(String),
    /// The file was written by a newer version.
    #[error("`{path}` has format {found}, this version reads up to {known}: use a newer forestage")]
    TooNew {
        /// The file.
        path: String,
        /// Its format.
        found: i64,
        /// The newest format we know.
        known: i64,
    },
    /// The file lacks a table of its format, as files of unreleased versions do.
    #[error(
        "`{path}` says it has format {format} but has no table `{table}`: \
         it was written by an unreleased version or is damaged; begin with a new file or schema"
    )]
    Incomplete {
        /// The file.
        path: String,
        /// The format it says it has.
        format: i64,
        /// The first table that is missing.
        table: &'static str,
    },
    /// There is something else than a file.
    #[error("`{0}` is not a file")]
    NotAFile(String),
    /// The file cannot be made where it should be.
    #[error("`{path}` cannot be made: there is no folder `{folder}`")]
    NoFolder {
        /// The file.
        path: String,
        /// What is missing.
        folder: String,
    },
    /// The system does not let us.
    #[error("`{0}` cannot be opened: this user may not read and write it, or not make files beside it")]
    Closed(String),
    /// The file may be read and not written.
    #[error("`{0}` is read-only, and threads are written")]
    ReadOnly(String),
    /// The file is something else.
    #[error("`{0}` is not a database, so it is left as it is")]
    NotADatabase(String),
    /// The file was one of ours.
    #[error("`{path}` is damaged: {reason}")]
    Damaged {
        /// The file.
        path: String,
        /// What the database says.
        reason: String,
    },
    /// The file is a database of something else.
    #[error("`{0}` is a database, but not one of forestage's")]
    Foreign(String),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a thread was not created.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    /// There is one with this id, of whatever owner.
    #[error("thread `{0}` exists already")]
    Exists(ThreadId),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why events were not added.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// There is no such thread.
    #[error("there is no thread `{0}`")]
    NoThread(ThreadId),
    /// The thread was to come into being, but there is one with this id.
    #[error("there is a thread `{0}` already")]
    Exists(ThreadId),
    /// Somebody else has claimed the thread since.
    #[error("the right to write with fence {} has passed to fence {}", given.0, current.0)]
    Fenced {
        /// What the writer has.
        given: Fence,
        /// What counts now.
        current: Fence,
    },
    /// The log does not end where the writer believes.
    #[error("the log ends at {}, not at {}", found.0, expected.0)]
    Conflict {
        /// Where the writer believes it ends.
        expected: Seq,
        /// Where it ends.
        found: Seq,
    },
    /// The run has ended, or was started before.
    #[error("run `{0}` cannot go on: it has ended, or it begins twice")]
    RunClosed(RunId),
    /// An answer to what is no pending interrupt of this thread, nor the decision that waits to be carried in.
    /// Nothing of the append is kept: the first answer wins.
    #[error("interrupt `{interrupt_id}` does not wait for an answer{}", by(decided_by.as_deref()))]
    NotPending {
        /// The interrupt.
        interrupt_id: InterruptId,
        /// Who decided it, if somebody has; otherwise there is none.
        decided_by: Option<String>,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a thread was not claimed.
#[derive(Debug, thiserror::Error)]
pub enum ClaimError {
    /// There is no such thread.
    #[error("there is no thread `{0}`")]
    NoThread(ThreadId),
    /// Somebody holds it.
    #[error("`{holder}` holds the thread until {expires_at}")]
    Held {
        /// Who.
        holder: String,
        /// Until when, in milliseconds since 1970.
        expires_at: i64,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a lease was not renewed.
#[derive(Debug, thiserror::Error)]
pub enum LeaseLost {
    /// Somebody else has claimed the thread, or it is gone.
    #[error("the lease on thread `{0}` is lost")]
    Lost(ThreadId),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn by(decided_by: Option<&str>) -> String {
    decided_by.map_or_else(|| ": there is none".to_owned(), |who| format!(": `{who}` decided it"))
}
