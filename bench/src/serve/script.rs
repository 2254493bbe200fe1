//! The run that every server streams: 217 events.

use std::sync::LazyLock;

use serde_json::{Value, json};

/// How many events a run has.
pub(crate) const EVENTS: usize = 217;

/// The name of the agent that says everything as fast as it can.
pub(crate) const BURST: &str = "bench";
/// The name of the agent that says an event every [`PACE_MS`].
pub(crate) const PACED: &str = "paced";
/// The name of the agent that begins a run and then says nothing.
pub(crate) const WAITING: &str = "waiting";

/// Like a fast model: 100 tokens a second.
pub(crate) const PACE_MS: u64 = 10;

/// The pieces of the text, 12 bytes each.
pub(crate) static DELTAS: LazyLock<Vec<String>> =
    LazyLock::new(|| (0..200).map(|number| format!("word{number:03} and ")).collect());

/// The pieces of the tool's arguments.
pub(crate) const ARGUMENTS: [&str; 7] =
    ["{\"city\":", "\"Hamburg\",", "\"days\":", "3,", "\"unit\":", "\"celsius\"", "}"];

/// What the tool answers.
pub(crate) const RESULT: &str = "{\"high\":[21,19,17],\"low\":[12,11,9],\"rain\":[0.1,0.4,0.8]}";

/// The state at the end.
pub(crate) fn state() -> Value {
    json!({ "city": "Hamburg", "days": 3, "forecast": [21, 19, 17], "done": true })
}

/// All events as JSON, as the floor and the peers send them.
pub(crate) fn events() -> Vec<Value> {
    let mut events = vec![
        json!({"type": "RUN_STARTED", "threadId": "thread-1", "runId": "run-1"}),
        json!({"type": "STEP_STARTED", "stepName": "answer"}),
        json!({"type": "TEXT_MESSAGE_START", "messageId": "message-1", "role": "assistant"}),
    ];
    let content =
        |delta: &String| json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "message-1", "delta": delta});
    events.extend(DELTAS.iter().map(content));
    events.push(json!({"type": "TEXT_MESSAGE_END", "messageId": "message-1"}));
    events.push(json!({"type": "STEP_FINISHED", "stepName": "answer"}));
    events.push(json!({"type": "TOOL_CALL_START", "toolCallId": "call-1", "toolCallName": "forecast"}));
    let piece = |delta: &&str| json!({"type": "TOOL_CALL_ARGS", "toolCallId": "call-1", "delta": delta});
    events.extend(ARGUMENTS.iter().map(piece));
    events.push(json!({"type": "TOOL_CALL_END", "toolCallId": "call-1"}));
    events.push(json!({
        "type": "TOOL_CALL_RESULT", "messageId": "message-2", "toolCallId": "call-1", "content": RESULT,
    }));
    events.push(json!({"type": "STATE_SNAPSHOT", "snapshot": state()}));
    events.push(json!({"type": "RUN_FINISHED", "threadId": "thread-1", "runId": "run-1"}));
    events
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_has_as_many_events_as_the_load_expects() {
        assert_eq!(events().len(), EVENTS);
    }
}
