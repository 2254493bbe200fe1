//! Subagents: invocations that a run announces and closes.

use crate::{
    id::{MessageId, SubagentRunId, ToolCallId},
    interrupt::SubagentOutcome,
    json::Json,
    wire::wire,
};

wire! {
    /// A subagent is invoked. Its id names this one invocation and is not used again in the run.
    event "SUBAGENT_STARTED" SubagentStarted {
        required {
            /// The invocation.
            2 subagent_run_id: SubagentRunId,
            /// Name of the subagent.
            3 name: String,
        }
        optional {
            /// What it is to do.
            4 description: String,
            /// The subagent that invoked it.
            5 parent_subagent_run_id: SubagentRunId,
            /// The tool call that invoked it.
            6 parent_tool_call_id: ToolCallId,
            /// The message that invoked it.
            7 parent_message_id: MessageId,
        }
    }
}

wire! {
    /// A subagent is done, or suspended until its questions are answered.
    event "SUBAGENT_FINISHED" SubagentFinished {
        required {
            /// The invocation.
            2 subagent_run_id: SubagentRunId,
        }
        optional {
            /// What it returned.
            3 result: Json,
            /// How it ended; success where absent.
            4 outcome: SubagentOutcome,
        }
    }
}

wire! {
    /// A subagent failed. The run goes on.
    event "SUBAGENT_ERROR" SubagentError {
        required {
            /// The invocation.
            2 subagent_run_id: SubagentRunId,
            /// What happened, for people.
            3 message: String,
        }
        optional {
            /// What happened, for programs.
            4 code: String,
        }
    }
}
