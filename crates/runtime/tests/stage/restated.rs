//! Messages as the events that say them.

use forestage_protocol::{apply::ThreadView, message::Message};
use forestage_runtime::events_of;
use serde_json::{Value, json};

#[test]
fn the_events_that_say_a_message_add_up_to_it() {
    let call =
        json!({ "id": "c", "type": "function", "function": { "name": "search", "arguments": "{\"q\":1}" } });
    for message in [
        json!({ "role": "developer", "id": "m", "content": "be brief" }),
        json!({ "role": "system", "id": "m", "content": "be kind" }),
        json!({ "role": "user", "id": "m", "content": "hello" }),
        json!({ "role": "assistant", "id": "m", "content": "hello", "subagentRunId": "s" }),
        json!({ "role": "assistant", "id": "m", "toolCalls": [call], "subagentRunId": "s" }),
        json!({ "role": "assistant", "id": "m", "content": "hello", "toolCalls": [call] }),
        json!({ "role": "reasoning", "id": "m", "content": "hm", "subagentRunId": "s" }),
        json!({ "role": "activity", "id": "m", "activityType": "PLAN", "content": { "done": 1 }, "subagentRunId": "s" }),
        json!({ "role": "tool", "id": "m", "content": "found", "toolCallId": "c", "subagentRunId": "s" }),
    ] {
        let read: Message = serde_json::from_value(message.clone()).unwrap();
        let mut view = ThreadView::default();
        for event in events_of(read) {
            view.apply(&event);
        }
        let said: Vec<Value> =
            view.messages().map(|message| serde_json::to_value(message).unwrap()).collect();
        assert_eq!(said, [message]);
    }
}
