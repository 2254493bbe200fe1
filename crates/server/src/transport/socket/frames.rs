//! Events as frames.

use axum::extract::ws::Message;
use forestage_protocol::id::ThreadId;
use serde_json::json;

use crate::transport::form::Piece;

/// How events are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dress {
    Enveloped,
    Bare,
}

pub(super) fn frames(thread_id: &ThreadId, pieces: &[Piece], dress: Dress) -> Vec<Message> {
    let texts = pieces.iter().map(|piece| {
        let event = std::str::from_utf8(&piece.json).unwrap_or_default();
        match dress {
            Dress::Bare => event.to_owned(),
            Dress::Enveloped => envelope(thread_id, piece.cursor.as_deref(), event),
        }
    });
    texts.map(Message::text).collect()
}

/// The event's own text goes in as it is.
fn envelope(thread_id: &ThreadId, cursor: Option<&str>, event: &str) -> String {
    let thread = json!(thread_id);
    let cursor = cursor.map_or_else(String::new, |cursor| format!(r#","cursor":"{cursor}""#));
    format!(r#"{{"type":"event","threadId":{thread}{cursor},"event":{event}}}"#)
}
