//! Leases: who may write to a thread.

use forestage_protocol::id::ThreadId;

/// A number that grows with every claim of a thread. Whoever writes with an older one is refused, so a process
/// that was thought dead, and wakes up, can do no harm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fence(pub u64);

impl Fence {
    /// The fence of a thread that was just created.
    pub const FIRST: Fence = Fence(1);
}

/// The right to write to a thread, for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The thread.
    pub thread_id: ThreadId,
    /// Who holds it.
    pub holder: String,
    /// The number that appends carry.
    pub fence: Fence,
    /// When it ends unless it is renewed, in milliseconds since 1970.
    pub expires_at: i64,
    /// Whether somebody had asked to stop an open run of the thread when the lease was claimed or renewed.
    pub cancel_requested: bool,
}
