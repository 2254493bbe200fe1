//! The frames of the socket: one JSON object each.

use std::borrow::Cow;

use forestage_protocol::{
    id::{RunId, ThreadId},
    input::RunAgentInput,
    scan,
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::{cursor::Cursor, error::ClientError, http::Refusal};

/// What a client says.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(super) enum Said {
    Run {
        agent: String,
        input: Box<RunAgentInput>,
        #[serde(skip_serializing_if = "Option::is_none")]
        on_busy: Option<&'static str>,
    },
    Follow {
        thread_id: ThreadId,
        #[serde(skip_serializing_if = "Option::is_none")]
        after: Option<String>,
    },
    Unfollow {
        thread_id: ThreadId,
    },
    Cancel {
        thread_id: ThreadId,
        run_id: RunId,
    },
    Ping {},
}

impl Said {
    /// The frame with the id that its answer will carry.
    pub(super) fn to_text(&self, id: &str) -> Result<String, ClientError> {
        #[derive(Serialize)]
        struct Request<'a> {
            id: &'a str,
            #[serde(flatten)]
            said: &'a Said,
        }
        serde_json::to_string(&Request { id, said: self })
            .map_err(|error| ClientError::unusable("the request", error))
    }
}

/// What a server says: an event, an answer, or something that later servers say and we pass over.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Heard<'a> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) id: Option<Cow<'a, str>>,
    pub(super) thread_id: Option<ThreadId>,
    #[serde(borrow)]
    cursor: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) event: Option<&'a RawValue>,
    pub(super) error: Option<Refusal>,
}

impl<'a> Heard<'a> {
    pub(super) fn read(text: &'a str) -> Result<Self, ClientError> {
        scan::check_event_depth(text)
            .map_err(|error| ClientError::Unreadable(format!("a frame: {error}")))?;
        serde_json::from_str(text).map_err(|error| ClientError::Unreadable(format!("a frame: {error}")))
    }

    pub(super) fn cursor(&self) -> Option<Cursor> {
        self.cursor.as_deref().and_then(Cursor::parse)
    }

    /// Whether the server says, unasked, that its store failed under a thread.
    pub(super) fn is_store_lost(&self) -> bool {
        self.id.is_none() && self.error.as_ref().is_some_and(|error| error.is("store_unavailable"))
    }

    /// What an error frame says.
    pub(super) fn into_refusal(self) -> ClientError {
        match self.error {
            // A socket has no status; the code says what is the matter.
            Some(refusal) => refusal.with_status(0),
            None => ClientError::Unreadable("an error frame without an error".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_look_as_the_server_expects_them() {
        let input = || Box::new(RunAgentInput::new("t", "r", []));
        for (said, expected) in [
            (
                Said::Run { agent: "a".into(), input: input(), on_busy: Some("queue") },
                r#"{"id":"1","type":"run","agent":"a","input":{"threadId":"t","runId":"r","messages":[]},"onBusy":"queue"}"#,
            ),
            (
                Said::Follow { thread_id: "t".into(), after: Some("1.2".into()) },
                r#"{"id":"1","type":"follow","threadId":"t","after":"1.2"}"#,
            ),
            (
                Said::Follow { thread_id: "t".into(), after: None },
                r#"{"id":"1","type":"follow","threadId":"t"}"#,
            ),
            (Said::Unfollow { thread_id: "t".into() }, r#"{"id":"1","type":"unfollow","threadId":"t"}"#),
            (
                Said::Cancel { thread_id: "t".into(), run_id: "r".into() },
                r#"{"id":"1","type":"cancel","threadId":"t","runId":"r"}"#,
            ),
            (Said::Ping {}, r#"{"id":"1","type":"ping"}"#),
        ] {
            assert_eq!(said.to_text("1").expect("writable"), expected);
        }
    }
}
