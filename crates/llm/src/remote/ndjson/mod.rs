//! Agents that take a `POST <url>/run` and answer with one JSON event a line.
//!
//! What we send:
//!
//! ```json
//! { "threadId": "t1", "runId": "r1", "message": "HELLO", "messages": [],
//!   "context": { "ui": {}, "state": {} }, "tools": [], "userId": "ada" }
//! ```
//!
//! What may come back, and what it becomes:
//!
//! | line | on the log |
//! |---|---|
//! | `TEXT_MESSAGE_CHUNK {delta, messageId?}` | a message; a fenced `a2ui` block in it becomes a view and is never a part of the text |
//! | `TOOL_CALL_STARTED {toolCallId, toolName, args, label?}`, `TOOL_CALL_RESULT {toolCallId, result}` | a call and its result, for tools of the agent's own. Ours are on the log by their execution, and announcing them says nothing more. A result without a call is an error |
//! | `A2UI_RENDER {view}`, `CUSTOM {name: "A2UI_RENDER", value: {view}}` | `CUSTOM A2UI_RENDER`, if it is a view; else `CUSTOM forestage.invalid_view` with what is wrong |
//! | `CUSTOM {name, value}` | the same |
//! | `STATE_SNAPSHOT {snapshot}` | the state |
//! | `RUN_STARTED` | nothing |
//! | `RUN_FINISHED` | the end |
//! | `RUN_ERROR {message, code?}` | the end, as an error |
//! | anything else with a `type` | `RAW` |
//!
//! An answer ends with `RUN_FINISHED` or `RUN_ERROR`. One that just stops, between lines or within one, ends the run with
//! `agent_unreachable`: where the connection is all that says that a body is over, nobody can tell its end from a death.
//! A line has 4 MiB at most; a longer one, or one that is no event, ends the run with `invalid_agent_event`.
//!
//! While it runs, the agent calls our tools through [`Stage::call_tool`](forestage_runtime::Stage::call_tool). If a person
//! has to decide about a call, the run ends with the question, and so does this request; when it is decided the agent is
//! called again from the top, results of earlier calls are handed out as they were, and nothing is said twice.

mod agent;
mod calls;
mod event;
mod say;

pub use self::{
    agent::{Ndjson, NdjsonConfig},
    event::{Line, LineError},
};
