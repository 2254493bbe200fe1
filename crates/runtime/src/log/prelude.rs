//! Joining in the middle: the conversation as snapshots, and what is under way opened again.
//!
//! History is restated, never streamed a second time, so any AG-UI client ends with the same conversation as one
//! that was there from the start.

use forestage_protocol::{
    apply::ThreadView,
    event::{Event, MessagesSnapshot, RunStarted, StateSnapshot},
    id::{RunId, ThreadId},
    open::OpenItems,
    pipeline::PROTOCOL_VERSION,
};

use super::Cursor;

/// What a viewer without a cursor gets first.
#[derive(Clone, Debug)]
pub struct Prelude {
    /// The events, in order.
    pub events: Vec<Event>,
    /// Where the log goes on behind them.
    pub cursor: Cursor,
}

impl Prelude {
    /// The prelude of a conversation whose last run is under way, or ended with `terminal`.
    pub(crate) fn new(
        thread_id: &ThreadId,
        run_id: &RunId,
        view: &ThreadView,
        open: &OpenItems,
        terminal: Option<&Event>,
        cursor: Cursor,
    ) -> Self {
        let version = Some(PROTOCOL_VERSION.to_owned());
        let started = RunStarted { protocol_version: version, ..RunStarted::new(thread_id, run_id) };
        let messages: Vec<_> = view.messages().cloned().collect();
        let mut events = vec![
            started.into(),
            MessagesSnapshot::new(messages).into(),
            StateSnapshot::new(view.state()).into(),
        ];
        events.extend(open.reopening());
        events.extend(terminal.cloned());
        Self { events, cursor }
    }
}
