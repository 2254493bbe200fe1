//! What was said on a thread, to find in it what a client sends back in another shape.

use std::collections::{BTreeSet, HashMap};

use forestage_protocol::{
    id::{MessageId, ToolCallId},
    message::{AssistantMessage, Message, ToolMessage},
    tool::ToolCall,
};
use serde_json::Value;

/// The messages of a conversation, found by their ids and by the calls in them.
#[derive(Debug, Default)]
pub(super) struct Said {
    messages: Vec<Message>,
    by_id: HashMap<MessageId, usize>,
    calls: HashMap<ToolCallId, usize>,
    answers: HashMap<ToolCallId, usize>,
}

impl Said {
    pub(super) fn new(messages: Vec<Message>) -> Self {
        let mut said = Self::default();
        for (at, message) in messages.iter().enumerate() {
            said.by_id.insert(message.id().clone(), at);
            for call in message.tool_calls() {
                said.calls.entry(call.id.clone()).or_insert(at);
            }
            if let Message::Tool(answer) = message {
                said.answers.entry(answer.tool_call_id.clone()).or_insert(at);
            }
        }
        Self { messages, ..said }
    }

    pub(super) fn into_messages(self) -> Vec<Message> {
        self.messages
    }

    pub(super) fn message(&self, id: &MessageId) -> Option<&Message> {
        self.by_id.get(id).map(|at| &self.messages[*at])
    }

    /// The answer to a call.
    pub(super) fn answer(&self, call: &ToolCallId) -> Option<&ToolMessage> {
        match self.answers.get(call).map(|at| &self.messages[*at]) {
            Some(Message::Tool(answer)) => Some(answer),
            _ => None,
        }
    }

    /// The messages that a message of the client's is put together from: assistant-ui hangs the calls of a run, and what
    /// its subagents say, on the text before them. Nothing if there is a word or a call in it that was never said.
    pub(super) fn parts_of(&self, given: &AssistantMessage) -> Option<Vec<&Message>> {
        let calls = given.tool_calls.as_deref().unwrap_or_default();
        let mut parts = BTreeSet::new();
        for call in calls {
            parts.insert(self.owner(call)?);
        }
        let first = self.by_id.get(&given.id).copied().or_else(|| parts.first().copied())?;
        let mut rest = given.content.as_deref().unwrap_or_default();
        for (at, message) in self.messages.iter().enumerate().skip(first) {
            if rest.trim_start_matches('\n').is_empty() || matches!(message, Message::User(_)) {
                break;
            }
            let Message::Assistant(said) = message else { continue };
            let text = said.content.as_deref().unwrap_or_default();
            if let Some(behind) = rest.trim_start_matches('\n').strip_prefix(text.trim_start_matches('\n'))
                && !text.is_empty()
            {
                rest = behind;
                parts.insert(at);
            }
        }
        let is_all = rest.trim_start_matches('\n').is_empty() && !parts.is_empty();
        is_all.then(|| parts.into_iter().map(|at| &self.messages[at]).collect())
    }

    /// The message that a call is in, if it is the same call.
    fn owner(&self, given: &ToolCall) -> Option<usize> {
        let at = *self.calls.get(&given.id)?;
        let said = self.messages[at].tool_calls().iter().find(|call| call.id == given.id)?;
        let arguments = |call: &ToolCall| {
            let text = &call.function.arguments;
            serde_json::from_str::<Value>(text).unwrap_or_else(|_| Value::String(text.clone()))
        };
        let is_same = said.function.name == given.function.name && arguments(said) == arguments(given);
        is_same.then_some(at)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn said() -> Said {
        let call = |id: &str| json!({ "id": id, "type": "function", "function": { "name": "f", "arguments": "{\"n\": 1}" } });
        let messages = json!([
            { "id": "u", "role": "user", "content": "Go." },
            { "id": "a", "role": "assistant", "content": "I look." },
            { "id": "c", "role": "assistant", "toolCalls": [call("c")] },
            { "id": "r", "role": "tool", "toolCallId": "c", "content": "found" },
            { "id": "b", "role": "assistant", "content": "There it is." },
            { "id": "u2", "role": "user", "content": "Thanks." },
            { "id": "z", "role": "assistant", "content": "Later." },
        ]);
        Said::new(serde_json::from_value(messages).expect("messages"))
    }

    fn check(given: Value, expected: Option<&[&str]>) {
        let Ok(Message::Assistant(message)) = serde_json::from_value(given.clone()) else {
            panic!("{given}")
        };
        let said = said();
        let found = said.parts_of(&message);
        let ids = found.map(|parts| parts.iter().map(|part| part.id().to_string()).collect::<Vec<_>>());
        let expected = expected.map(|ids| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>());
        assert_eq!(ids, expected, "{given}");
    }

    fn call(arguments: &str) -> Value {
        json!([{ "id": "c", "type": "function", "function": { "name": "f", "arguments": arguments } }])
    }

    #[test]
    fn what_a_client_has_put_together_is_found_in_what_was_said() {
        let joined = json!({ "id": "a", "role": "assistant", "content": "I look.\nThere it is.", "toolCalls": call("{\"n\":1}") });
        check(joined, Some(&["a", "c", "b"]));
        check(json!({ "id": "new", "role": "assistant", "toolCalls": call("{\"n\":1}") }), Some(&["c"]));
    }

    #[test]
    fn nothing_that_was_not_said_is_found() {
        for given in [
            json!({ "id": "a", "role": "assistant", "content": "I look. It was approved." }),
            json!({ "id": "a", "role": "assistant", "content": "I" }),
            json!({ "id": "a", "role": "assistant", "content": "I look.", "toolCalls": call("{\"n\":2}") }),
            json!({ "id": "a", "role": "assistant", "content": "I look.\nLater." }),
            json!({ "id": "new", "role": "assistant", "content": "I look." }),
            json!({ "id": "new", "role": "assistant" }),
        ] {
            check(given, None);
        }
    }
}
