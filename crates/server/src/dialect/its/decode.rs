//! What a client sends.

use forestage_protocol::input::RunAgentInput;
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::{
    dialect::{door::object_of, shape::context_as_list},
    error::ApiError,
    route::{names, runs::read_input_value},
};

/// Reads an input in either spelling; interactions become answers to calls.
pub fn decode(text: &str) -> Result<RunAgentInput, ApiError> {
    let mut object = object_of(text, "body")?;
    context_as_list(&mut object);
    object.entry("runId").or_insert_with(|| Uuid::new_v4().to_string().into());
    if let Some(Value::Array(messages)) = object.get_mut("messages") {
        messages.iter_mut().filter_map(Value::as_object_mut).for_each(message);
    }
    read_input_value(Value::Object(object))
}

fn message(message: &mut Map<String, Value>) {
    // AG-UI has no place for it, and a time is a fact about what was said.
    if let Some(at) = message.remove("timestamp") {
        names::note(message, "timestamp", at);
    }
    message.entry("id").or_insert_with(|| Uuid::new_v4().to_string().into());
    if !message.contains_key("toolCallId") || !matches!(message["role"].as_str(), Some("user" | "tool")) {
        return;
    }
    message.insert("role".to_owned(), "tool".into());
    if let Some(content) = message.get_mut("content")
        && !content.is_string()
    {
        *content = content.to_string().into();
    }
    names::keep_of(message);
}

#[cfg(test)]
mod tests {
    use forestage_protocol::message::Message;
    use serde_json::json;

    use super::*;

    #[test]
    fn the_example_of_the_contract_is_an_answer_in_either_role() {
        for role in ["tool", "user"] {
            let answer = json!({
                "id": "msg-tool-resp-002",
                "role": role,
                "tool_call_id": "quiz_capital_france",
                "name": "its:render_quick_quiz",
                "content": "{\"selected_option_id\":\"option_paris\"}",
            });
            let input =
                decode(&json!({ "thread_id": "t", "messages": [answer] }).to_string()).expect("legal");
            let Message::Tool(message) = &input.messages[0] else { panic!("{:?}", input.messages) };
            assert_eq!(message.tool_call_id.as_str(), "quiz_capital_france");
            let name = message.metadata.as_ref().and_then(|metadata| metadata.get("its")?.get("name"));
            assert_eq!(name, Some(&json!("its:render_quick_quiz")));
        }
    }

    #[test]
    fn an_answer_may_be_an_object() {
        let answer = json!({ "role": "tool", "toolCallId": "c", "content": { "value": 3 }, "timestamp": "2024-07-30T10:30:00Z" });
        let input = decode(&json!({ "threadId": "t", "messages": [answer] }).to_string()).expect("legal");
        let Message::Tool(message) = &input.messages[0] else { panic!("{:?}", input.messages) };
        assert_eq!(message.content.text(), r#"{"value":3}"#);
    }
}
