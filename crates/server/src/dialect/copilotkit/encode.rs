//! What a front end sees: AG-UI as the client inside of CopilotKit 1.74 knows it.
//!
//! That client checks every event against closed shapes and says nothing when one fails: the stream just ends there.

use forestage_protocol::{event::Event, interrupt::RunOutcome};
use serde_json::Value;

use super::{
    message::plain_messages,
    surface::{name_catalog, name_catalogs},
};
use crate::dialect::{Encode, shape::strip};

/// Turns events into those of the older protocol. It remembers nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Encoder;

impl Encode for Encoder {
    fn event(&mut self, event: &Event, out: &mut Vec<Value>) {
        out.extend(encode(event));
    }
}

/// An event as the front end knows it; nothing where it is a record of the engine's.
pub(super) fn encode(event: &Event) -> Option<Value> {
    let mut value = serde_json::to_value(event).ok()?;
    match event {
        // The front end has what it sent, and reads the input against shapes that it need not fit.
        Event::RunStarted(_) => strip(&mut value, &["input", "protocolVersion"]),
        Event::RunFinished(finished) => match &finished.outcome {
            Some(RunOutcome::Success(_)) => strip(&mut value["outcome"], &["pendingToolCallIds"]),
            Some(RunOutcome::Interrupt(_)) | None => {}
            // A run that was stopped ends there without a word about how.
            Some(_) => strip(&mut value, &["outcome"]),
        },
        Event::TextMessageStart(start) if start.role.is_none() => value["role"] = "assistant".into(),
        Event::ToolCallResult(result) => value["content"] = result.content.text().into_owned().into(),
        Event::MessagesSnapshot(_) => {
            plain_messages(&mut value["messages"]);
            name_catalogs(&mut value["messages"]);
        }
        Event::ActivitySnapshot(_) => name_catalog(&mut value["content"]),
        Event::Custom(custom) if custom.name.starts_with("forestage.") => return None,
        _ => {}
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use forestage_protocol::event::Event;
    use serde_json::json;

    use super::*;

    fn check(event: &Value, expected: Option<&Value>) {
        let event = Event::from_json(&event.to_string()).expect("an event");
        assert_eq!(encode(&event).as_ref(), expected);
    }

    fn finished(outcome: &Value) -> Value {
        json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": outcome })
    }

    #[test]
    fn outcomes_are_those_that_the_front_end_knows() {
        let pending = finished(&json!({ "type": "success", "pendingToolCallIds": ["c"] }));
        check(&pending, Some(&finished(&json!({ "type": "success" }))));
        let stopped = json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r" });
        check(&finished(&json!({ "type": "cancelled" })), Some(&stopped));
        let asked = finished(&json!({ "type": "interrupt", "interrupts": [{ "id": "i", "reason": "x" }] }));
        check(&asked, Some(&asked));
    }

    #[test]
    fn what_the_engine_records_is_not_sent() {
        check(&json!({ "type": "CUSTOM", "name": "forestage.record", "value": 1 }), None);
        let other = json!({ "type": "CUSTOM", "name": "mine", "value": 1 });
        check(&other, Some(&other));
    }

    #[test]
    fn a_result_of_parts_is_sent_as_its_text() {
        let parts = json!([{ "type": "text", "text": "It " }, { "type": "text", "text": "rains." }]);
        let result = |content: &Value| json!({ "type": "TOOL_CALL_RESULT", "messageId": "m", "toolCallId": "c", "content": content });
        let event = Event::from_json(&result(&parts).to_string()).expect("an event");
        assert!(encode(&event).is_some_and(|value| value["content"].is_string()));
        let message = json!({ "id": "m", "role": "tool", "toolCallId": "c", "content": parts });
        let snapshot = json!({ "type": "MESSAGES_SNAPSHOT", "messages": [message] });
        let event = Event::from_json(&snapshot.to_string()).expect("an event");
        assert!(encode(&event).is_some_and(|value| value["messages"][0]["content"].is_string()));
    }
}
