//! What a client asks: the input of a run.

use crate::{
    id::{RunId, ThreadId},
    interrupt::ResumeEntry,
    json::Json,
    message::Message,
    tool::Tool,
    wire::wire,
};

wire! {
    /// The input of a run.
    plain RunAgentInput {
        required {
            /// The conversation.
            1 thread_id: ThreadId,
            /// The run to start; never used twice on a thread.
            2 run_id: RunId,
            /// The history, activities left out.
            5 messages: Vec<Message>,
        }
        optional {
            /// The version the client speaks, as `MAJOR.MINOR`.
            10 protocol_version: String,
            /// The run that spawned this one.
            3 parent_run_id: RunId,
            /// The state that deltas build on; `{}` where absent.
            4 state: Json,
            /// The tools the client offers.
            6 tools: Vec<Tool>,
            /// What the model should know about the client's situation.
            7 context: Vec<Context>,
            /// Passed to the agent untouched.
            8 forwarded_props: Json,
            /// Answers to the questions that the last run ended on.
            9 resume: Vec<ResumeEntry>,
        }
    }
}

wire! {
    /// Something the model should know.
    plain Context {
        required {
            /// What it is.
            1 description: String,
            /// The thing itself.
            2 value: String,
        }
        optional {}
    }
}
