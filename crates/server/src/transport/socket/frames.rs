//! Events as frames.

use axum::extract::ws::Message;
use forestage_protocol::{codec::Encoded, event::Event, id::ThreadId};
use forestage_runtime::{Batch, Prelude};
use serde_json::json;

/// How events are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dress {
    Enveloped,
    Bare,
}

pub(super) fn frames(thread_id: &ThreadId, batch: &Batch, dress: Dress) -> Vec<Message> {
    let texts = batch.entries().iter().map(|entry| {
        let event = std::str::from_utf8(&entry.json).unwrap_or_default();
        match dress {
            Dress::Bare => event.to_owned(),
            Dress::Enveloped => envelope(thread_id, Some(&batch.cursor(entry).to_string()), event),
        }
    });
    texts.map(Message::text).collect()
}

/// As on event streams, only the last one has a cursor.
pub(super) fn prelude_frames(thread_id: &ThreadId, prelude: &Prelude) -> Vec<Message> {
    let last = prelude.events.len().saturating_sub(1);
    let texts = prelude.events.iter().enumerate().map(|(at, event)| {
        let cursor = (at == last).then(|| prelude.cursor.to_string());
        let encoded = Encoded::new(event);
        envelope(thread_id, cursor.as_deref(), std::str::from_utf8(encoded.json()).unwrap_or_default())
    });
    texts.map(Message::text).collect()
}

/// The end of a run that is not in the log, so it has no cursor.
pub(super) fn end_frame(thread_id: &ThreadId, end: &Event, dress: Dress) -> Message {
    let encoded = Encoded::new(end);
    let event = std::str::from_utf8(encoded.json()).unwrap_or_default();
    Message::text(match dress {
        Dress::Bare => event.to_owned(),
        Dress::Enveloped => envelope(thread_id, None, event),
    })
}

/// The event's own text goes in as it is.
fn envelope(thread_id: &ThreadId, cursor: Option<&str>, event: &str) -> String {
    let thread = json!(thread_id);
    let cursor = cursor.map_or_else(String::new, |cursor| format!(r#","cursor":"{cursor}""#));
    format!(r#"{{"type":"event","threadId":{thread}{cursor},"event":{event}}}"#)
}
