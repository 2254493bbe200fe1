//! What a client may say on a socket.

use forestage_protocol::id::{RunId, ThreadId};
use serde::Deserialize;
use serde_json::Value;

use crate::route::runs::Busy;

/// A frame of the client.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(super) enum Command {
    Run {
        agent: String,
        input: Value,
        #[serde(default)]
        on_busy: Busy,
        #[serde(default)]
        id: Option<Value>,
    },
    Follow {
        thread_id: ThreadId,
        after: Option<String>,
        #[serde(default)]
        id: Option<Value>,
    },
    Unfollow {
        thread_id: ThreadId,
        #[serde(default)]
        id: Option<Value>,
    },
    Cancel {
        thread_id: ThreadId,
        run_id: RunId,
        #[serde(default)]
        id: Option<Value>,
    },
    Ping {
        #[serde(default)]
        id: Option<Value>,
    },
}
