//! Events that carry something of somebody else's.

use crate::{id::SubagentRunId, json::Json, wire::wire};

wire! {
    /// An event of another system, passed through.
    event "RAW" Raw {
        required {
            /// That event.
            2 event: Json,
        }
        optional {
            /// Where it came from.
            3 source: String,
            /// The subagent it came through, where it is not the parent agent.
            4 subagent_run_id: SubagentRunId,
        }
    }
}

wire! {
    /// An application's own event. Names should have a prefix; names without one are the protocol's.
    event "CUSTOM" Custom {
        required {
            /// The name.
            2 name: String,
            /// The value, any JSON.
            3 value: Json,
        }
        optional {
            /// The subagent it comes from, where it is not the parent agent.
            4 subagent_run_id: SubagentRunId,
        }
    }
}
