//! What folding a stream says.

use forestage_protocol::{Warning, apply::RunEnd, event::Event, message::Message, pipeline::StreamError};
use serde::Serialize;
use serde_json::Value;

/// The result of one stream. Where it was refused, everything before the fault is still here.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    /// Whether the stream was taken to its end.
    pub(super) ok: bool,
    /// Why it was refused.
    pub(super) error: Option<StreamError>,
    /// What was repaired, dropped or ignored.
    pub(super) warnings: Vec<Warning>,
    /// The conversation.
    pub(super) messages: Vec<Message>,
    /// The state.
    pub(super) state: Value,
    /// How the last run ended.
    pub(super) outcome: Option<RunEnd>,
    /// What reached the application.
    pub(super) events: Vec<Event>,
    /// What a client would have sent to get this stream, where an input was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) request: Option<Value>,
}
