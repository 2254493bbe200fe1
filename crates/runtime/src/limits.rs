//! How far a run may go, and what holds for all agents of a stage.

use std::time::Duration;

/// The limits of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// A run that lasts longer ends with `RUN_ERROR` code `run_timeout`.
    pub run_time: Duration,
    /// A run with more events ends with code `run_too_large`.
    pub run_events: usize,
    /// A run with more bytes of JSON ends with code `run_too_large`.
    pub run_bytes: usize,
    /// An agent waits while so many bytes are not committed yet.
    pub unwritten_bytes: usize,
    /// How long a process keeps a thread without saying so again. A dead one's runs are closed after it.
    pub lease: Duration,
    /// How long shutting down waits for runs before it ends them.
    pub grace: Duration,
    /// How long viewers wait for a store that fails before their streams break off.
    pub outage: Duration,
    /// Whether data of A2UI 0.8 replaces what stands at its path, as that version says, whatever the rules of an agent's
    /// house say.
    pub strict_a2ui_0_8: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            run_time: Duration::from_secs(30 * 60),
            run_events: 1_000_000,
            run_bytes: 256 << 20,
            unwritten_bytes: 256 << 10,
            lease: Duration::from_secs(15),
            grace: Duration::from_secs(5),
            outage: Duration::from_secs(10),
            strict_a2ui_0_8: false,
        }
    }
}
