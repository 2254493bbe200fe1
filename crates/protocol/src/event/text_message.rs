//! Text messages: opened, filled delta by delta, closed.

use crate::{
    id::{MessageId, SubagentRunId},
    wire::{names, wire},
};

names! {
    /// Who a text message is from. Absent means the assistant.
    enum TextRole {
        /// Instructions of the developer.
        Developer = "developer",
        /// Instructions of the system.
        System = "system",
        /// The agent.
        Assistant = "assistant",
        /// The person.
        User = "user",
    }
}

wire! {
    /// A text message opens. An id that was closed before is continued, not replaced.
    event "TEXT_MESSAGE_START" TextMessageStart {
        required {
            /// The message.
            2 message_id: MessageId,
        }
        optional {
            /// Who it is from; the assistant where absent.
            3 role: TextRole,
            /// Name of the participant.
            4 name: String,
            /// The subagent that speaks, where it is not the parent agent.
            5 subagent_run_id: SubagentRunId,
        }
    }
}

wire! {
    /// A piece of a text message.
    event "TEXT_MESSAGE_CONTENT" TextMessageContent {
        required {
            /// The open message.
            2 message_id: MessageId,
            /// The text to append. May be empty, which serves as a sign of life.
            3 delta: String,
        }
        optional {
            /// The subagent that speaks, where it is not the parent agent.
            4 subagent_run_id: SubagentRunId,
        }
    }
}

wire! {
    /// A text message is complete.
    event "TEXT_MESSAGE_END" TextMessageEnd {
        required {
            /// The open message.
            2 message_id: MessageId,
        }
        optional {
            /// The subagent that speaks, where it is not the parent agent.
            3 subagent_run_id: SubagentRunId,
        }
    }
}

wire! {
    /// Start, content and end in one spelling: the first chunk opens, later ones continue, and whatever
    /// comes next in the same lane closes.
    event "TEXT_MESSAGE_CHUNK" TextMessageChunk {
        required {}
        optional {
            /// The message; needed on the first chunk.
            2 message_id: MessageId,
            /// Who it is from; if repeated it has to agree with the first chunk.
            3 role: TextRole,
            /// The text to append.
            4 delta: String,
            /// Name of the participant.
            5 name: String,
            /// The subagent that speaks, where it is not the parent agent.
            6 subagent_run_id: SubagentRunId,
        }
    }
}
