//! Activities: structured things that happen between messages and are shown, never sent back.

use crate::{
    id::{MessageId, SubagentRunId},
    json::Object,
    patch::Patch,
    wire::wire,
};

wire! {
    /// An activity as it stands.
    event "ACTIVITY_SNAPSHOT" ActivitySnapshot {
        required {
            /// The activity's message.
            3 message_id: MessageId,
            /// What kind of activity.
            4 activity_type: String,
            /// The content, an open object.
            5 content: Object,
        }
        optional {
            /// `false` leaves an activity that exists as it is; absent means `true`.
            6 replace: bool,
            /// The subagent that acts, where it is not the parent agent.
            2 subagent_run_id: SubagentRunId,
        }
    }
}

wire! {
    /// A change of an activity's content as JSON Patch.
    event "ACTIVITY_DELTA" ActivityDelta {
        required {
            /// The activity's message.
            3 message_id: MessageId,
            /// What kind of activity it is from now on.
            4 activity_type: String,
            /// The operations.
            5 patch: Patch,
        }
        optional {
            /// The subagent that acts, where it is not the parent agent.
            2 subagent_run_id: SubagentRunId,
        }
    }
}
