//! Shared state and the conversation as a whole.

use crate::{id::SubagentRunId, json::Json, message::Message, patch::Patch, wire::wire};

wire! {
    /// The whole state. Replaces what was there; any JSON value, null included.
    event "STATE_SNAPSHOT" StateSnapshot {
        required {
            /// The state.
            2 snapshot: Json,
        }
        optional {
            /// The subagent it comes from. The state is the run's all the same.
            3 subagent_run_id: SubagentRunId,
        }
    }
}

wire! {
    /// A change of the state as JSON Patch, applied whole or not at all.
    event "STATE_DELTA" StateDelta {
        required {
            /// The operations.
            2 delta: Patch,
        }
        optional {
            /// The subagent it comes from. The state is the run's all the same.
            3 subagent_run_id: SubagentRunId,
        }
    }
}

wire! {
    /// The whole conversation, reconciled with what the consumer holds by message id.
    event "MESSAGES_SNAPSHOT" MessagesSnapshot {
        required {
            /// The messages in order.
            2 messages: Vec<Message>,
        }
        optional {}
    }
}
