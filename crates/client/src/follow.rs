//! The events of a thread, as they happen.

use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll},
};

use forestage_protocol::{Warning, apply::ThreadView, id::ThreadId, pipeline::PROTOCOL_VERSION};
use futures_util::{Stream, StreamExt};

use crate::{
    client::Client,
    cursor::Cursor,
    error::ClientError,
    folded::Folded,
    pump::{Ask, Delivered, Ends, Pump},
};

/// Where to begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum After {
    /// With the present: the conversation as it stands, told in snapshots, then what happens from now on.
    #[default]
    Now,
    /// With the first event there is.
    Start,
    /// Behind a cursor that was kept.
    Cursor(Cursor),
}

/// The events of a thread, of all its runs, over any number of connections.
#[must_use = "a thread that nobody reads is not followed"]
pub struct Follow {
    thread_id: ThreadId,
    folded: Folded,
}

impl Follow {
    pub(crate) async fn open(
        client: &Client,
        thread_id: &ThreadId,
        after: After,
        live: bool,
    ) -> Result<Self, ClientError> {
        let mut url = client.url(&["threads", thread_id, "events"])?;
        // A request without a body states its protocol in the address.
        url.query_pairs_mut().append_pair("protocol", PROTOCOL_VERSION);
        if !live {
            url.query_pairs_mut().append_pair("live", "false");
        }
        let from_start = after == After::Start;
        let cursor = match after {
            After::Cursor(cursor) => Some(cursor),
            After::Now | After::Start => None,
        };
        let ends = if live { Ends::Never } else { Ends::WithBody };
        let pump = Pump::new(client.http(), thread_id, Ask::Follow { url, from_start }, ends);
        let items = pump.after(cursor.clone()).open().await?;
        let folded = Folded::new(items, ThreadView::default(), cursor);
        Ok(Self { thread_id: thread_id.clone(), folded })
    }

    /// Folds onto a conversation that the caller has already: the one at the cursor.
    pub fn onto(mut self, view: ThreadView) -> Self {
        self.folded.view = view;
        self
    }

    /// The thread.
    #[must_use]
    pub fn thread_id(&self) -> &ThreadId {
        &self.thread_id
    }

    /// The next event. May be dropped before it is ready without losing anything.
    pub async fn next(&mut self) -> Option<Result<Delivered, ClientError>> {
        StreamExt::next(self).await
    }

    /// The conversation, folded from what was delivered so far.
    #[must_use]
    pub fn view(&self) -> &ThreadView {
        &self.folded.view
    }

    pub(crate) fn into_view(self) -> ThreadView {
        self.folded.view
    }

    /// The place behind what was delivered so far.
    #[must_use]
    pub fn cursor(&self) -> Option<&Cursor> {
        self.folded.cursor.as_ref()
    }

    /// What there was to say about the stream so far; each warning is handed out once.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.folded.warnings)
    }
}

impl Stream for Follow {
    type Item = Result<Delivered, ClientError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.folded.poll_next_unpin(context)
    }
}

impl fmt::Debug for Follow {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = out.debug_struct("Follow");
        out.field("thread_id", &self.thread_id).field("cursor", &self.folded.cursor).finish_non_exhaustive()
    }
}
