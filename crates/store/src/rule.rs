//! Rules: what somebody has allowed once and for all.

use forestage_protocol::id::ThreadId;

/// "Always allow": the calls of a tool by an agent that need no more asking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its id, unique among those of its owner. The same id again replaces it.
    pub id: String,
    /// On whose threads it holds.
    pub owner: String,
    /// For which agent.
    pub agent: String,
    /// For which tool.
    pub tool: String,
    /// Up to which risk: `low`, `medium`, `high` or `critical`. The store does not compare them.
    pub risk: String,
    /// On one thread only; it goes with the thread.
    pub thread_id: Option<ThreadId>,
    /// Who made it.
    pub by: String,
    /// When, in milliseconds since 1970.
    pub at: i64,
}
