//! Reasoning: spans that bracket it, messages that hold it, and sealed values that go back to the provider.

use crate::{
    id::{MessageId, SubagentRunId},
    wire::{names, wire},
};

names! {
    /// The role of reasoning.
    enum ReasoningRole {
        /// The only one.
        Reasoning = "reasoning",
    }
}

names! {
    /// What an encrypted value belongs to.
    enum EncryptedValueSubtype {
        /// A tool call.
        ToolCall = "tool-call",
        /// A message.
        Message = "message",
    }
}

wire! {
    /// A span of reasoning opens. Its id is not a message's.
    event "REASONING_START" ReasoningStart {
        required {
            /// The span.
            3 message_id: MessageId,
        }
        optional {
            /// The subagent that reasons, where it is not the parent agent.
            2 subagent_run_id: SubagentRunId,
        }
    }
}

wire! {
    /// A reasoning message opens.
    event "REASONING_MESSAGE_START" ReasoningMessageStart {
        required {
            /// The message.
            3 message_id: MessageId,
            /// Always `reasoning`.
            4 role: ReasoningRole,
        }
        optional {
            /// The subagent that reasons, where it is not the parent agent.
            2 subagent_run_id: SubagentRunId,
        }
    }
}

wire! {
    /// A piece of a reasoning message.
    event "REASONING_MESSAGE_CONTENT" ReasoningMessageContent {
        required {
            /// The open message.
            3 message_id: MessageId,
            /// The text to append; may be empty.
            4 delta: String,
        }
        optional {
            /// The subagent that reasons, where it is not the parent agent.
            2 subagent_run_id: SubagentRunId,
        }
    }
}

wire! {
    /// A reasoning message is complete.
    event "REASONING_MESSAGE_END" ReasoningMessageEnd {
        required {
            /// The open message.
            3 message_id: MessageId,
        }
        optional {
            /// The subagent that reasons, where it is not the parent agent.
            2 subagent_run_id: SubagentRunId,
        }
    }
}

wire! {
    /// Start, content and end of a reasoning message in one spelling.
    event "REASONING_MESSAGE_CHUNK" ReasoningMessageChunk {
        required {}
        optional {
            /// The message; needed on the first chunk.
            3 message_id: MessageId,
            /// The text to append.
            4 delta: String,
            /// The subagent that reasons, where it is not the parent agent.
            2 subagent_run_id: SubagentRunId,
        }
    }
}

wire! {
    /// A span of reasoning is over.
    event "REASONING_END" ReasoningEnd {
        required {
            /// The open span.
            3 message_id: MessageId,
        }
        optional {
            /// The subagent that reasons, where it is not the parent agent.
            2 subagent_run_id: SubagentRunId,
        }
    }
}

wire! {
    /// A sealed value of the provider's, to be sent back with the message or call it belongs to.
    event "REASONING_ENCRYPTED_VALUE" ReasoningEncryptedValue {
        required {
            /// What it belongs to.
            3 subtype: EncryptedValueSubtype,
            /// Id of that message or tool call.
            4 entity_id: String,
            /// The value.
            5 encrypted_value: String,
        }
        optional {
            /// What kind of value, in the producer's words. Comes with protocol 1.1.
            6 encrypted_value_type: String,
            /// The subagent that reasons, where it is not the parent agent.
            2 subagent_run_id: SubagentRunId,
        }
    }
}
