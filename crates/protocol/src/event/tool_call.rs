//! Tool calls: opened, arguments streamed as text, closed, answered.

use crate::{
    content::Content,
    id::{MessageId, SubagentRunId, ToolCallId},
    wire::{names, wire},
};

names! {
    /// The role of a tool's answer.
    enum ToolRole {
        /// The only one.
        Tool = "tool",
    }
}

wire! {
    /// A tool call opens.
    event "TOOL_CALL_START" ToolCallStart {
        required {
            /// The call.
            2 tool_call_id: ToolCallId,
            /// The tool that is called.
            3 tool_call_name: String,
        }
        optional {
            /// The assistant message that carries the call.
            4 parent_message_id: MessageId,
            /// The subagent that calls, where it is not the parent agent.
            5 subagent_run_id: SubagentRunId,
        }
    }
}

wire! {
    /// A piece of a call's arguments, as text that need not be JSON yet.
    event "TOOL_CALL_ARGS" ToolCallArgs {
        required {
            /// The open call.
            2 tool_call_id: ToolCallId,
            /// The text to append.
            3 delta: String,
        }
        optional {
            /// The subagent that calls, where it is not the parent agent.
            4 subagent_run_id: SubagentRunId,
        }
    }
}

wire! {
    /// A call's arguments are complete, which does not say that they are valid.
    event "TOOL_CALL_END" ToolCallEnd {
        required {
            /// The open call.
            2 tool_call_id: ToolCallId,
        }
        optional {
            /// The subagent that calls, where it is not the parent agent.
            3 subagent_run_id: SubagentRunId,
        }
    }
}

wire! {
    /// Start, arguments and end of a tool call in one spelling.
    event "TOOL_CALL_CHUNK" ToolCallChunk {
        required {}
        optional {
            /// The call; needed on the first chunk.
            2 tool_call_id: ToolCallId,
            /// The tool; needed on the first chunk.
            3 tool_call_name: String,
            /// The assistant message that carries the call.
            4 parent_message_id: MessageId,
            /// The text to append to the arguments.
            5 delta: String,
            /// The subagent that calls, where it is not the parent agent.
            6 subagent_run_id: SubagentRunId,
        }
    }
}

wire! {
    /// A tool has answered; the answer becomes a message of role `tool`.
    event "TOOL_CALL_RESULT" ToolCallResult {
        required {
            /// The tool message that this makes.
            3 message_id: MessageId,
            /// The call that is answered.
            4 tool_call_id: ToolCallId,
            /// The answer.
            5 content: Content,
        }
        optional {
            /// Always `tool`.
            6 role: ToolRole,
            /// The subagent that called, where it is not the parent agent.
            2 subagent_run_id: SubagentRunId,
        }
    }
}
