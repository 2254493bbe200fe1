//! The thread that a socket shows from a place on.
//!
//! A client that comes back names its thread and sends its last message again, both at once. Whether that message is answered
//! by what is shown anyway depends on where the showing began and how far it has come. Whether the run goes on says less: it
//! may end in between, and would then be shown twice at a time.

use forestage_protocol::id::ThreadId;
use forestage_store::Seq;
use tokio::sync::watch;

#[derive(Debug)]
pub(super) struct Home {
    thread_id: Option<ThreadId>,
    state: watch::Sender<State>,
}

#[derive(Clone, Copy, Debug)]
enum State {
    /// The place to begin at is being looked up.
    Opening,
    Shown(Span),
    /// Nothing is shown any more.
    Left,
}

/// What has been shown: all behind one place, up to another one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) after: Seq,
    pub(super) to: Seq,
}

impl Home {
    /// The home of a client that names a thread, or none.
    pub(super) fn new(thread_id: Option<ThreadId>) -> Self {
        let state = if thread_id.is_some() { State::Opening } else { State::Left };
        Self { thread_id, state: watch::Sender::new(state) }
    }

    /// Everything behind a place is shown from now on.
    pub(super) fn begin(&self, after: Seq) {
        self.state.send_replace(State::Shown(Span { after, to: after }));
    }

    /// Everything up to a place has been sent.
    pub(super) fn has_shown(&self, place: Seq) {
        self.state.send_modify(|state| {
            if let State::Shown(span) = state {
                span.to = place;
            }
        });
    }

    /// Nothing is shown any more.
    pub(super) fn leave(&self) {
        self.state.send_replace(State::Left);
    }

    /// What of a thread has been shown, as soon as it is known where that begins; nothing for any other thread.
    pub(super) async fn span_of(&self, thread_id: &ThreadId) -> Option<Span> {
        if self.thread_id.as_ref() != Some(thread_id) {
            return None;
        }
        let mut state = self.state.subscribe();
        let known = state.wait_for(|state| !matches!(state, State::Opening)).await;
        match known.map(|state| *state) {
            Ok(State::Shown(span)) => Some(span),
            _ => None,
        }
    }
}
