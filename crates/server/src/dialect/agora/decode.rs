//! What a client sends: an input, an answer to a request for approval, or that it has come back.

use forestage_protocol::{id::ThreadId, input::RunAgentInput};
use serde::Deserialize;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::payload::{Approval, RESPONSE, Unfit, read};
use crate::{
    dialect::{
        door::object_of,
        shape::{camel, context_as_list, name_messages, without_nulls},
    },
    error::ApiError,
    route::runs::read_input_value,
};

/// The name of the event with which a client says that it has come back to a thread. It is ours, not AGORA's.
const FOLLOW: &str = "forestage.follow";

/// A frame of a client.
#[derive(Clone, Debug, PartialEq)]
pub enum Frame {
    /// It wants a run.
    Run(Box<RunAgentInput>),
    /// It answers a request for approval.
    Approval(Approval),
    /// It has come back to a thread.
    Follow(Follow),
}

/// A thread that a client has come back to.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Follow {
    /// The thread.
    pub thread_id: ThreadId,
    /// The last cursor that it was given there. Without one it gets the conversation first.
    #[serde(default)]
    pub after: Option<String>,
}

/// Reads a frame.
pub fn decode(text: &str) -> Result<Frame, ApiError> {
    let mut object = object_of(text, "frame")?;
    match object.get("type").and_then(Value::as_str) {
        None => input(object),
        Some("CUSTOM") => {
            let mut value = object.remove("value").unwrap_or_default();
            // Where frames name their thread, an answer may name it in the same place.
            if let (Some(thread_id), Value::Object(value)) = (object.remove("threadId"), &mut value) {
                camel(value)?;
                if value.entry("threadId").or_insert_with(|| thread_id.clone()) != &thread_id {
                    let text = "the frame names one thread, and its value another";
                    return Err(ApiError::bad_request("ambiguous_member", text).at("value.threadId"));
                }
            }
            custom(object.get("name").and_then(Value::as_str).unwrap_or_default(), value)
        }
        Some(other) => {
            let text = format!(
                "a client sends an input without a `type`, or a `CUSTOM` event named `{RESPONSE}`, and not `{other}`"
            );
            Err(ApiError::bad_request("unknown_event", text).at("type"))
        }
    }
}

fn custom(name: &str, mut value: Value) -> Result<Frame, ApiError> {
    if let Value::Object(object) = &mut value {
        camel(object)?;
        without_nulls(object);
    }
    match name {
        RESPONSE => approval(value),
        FOLLOW => follow(value),
        _ => {
            let text = format!("the custom events a client sends are `{RESPONSE}` and `{FOLLOW}`");
            Err(ApiError::bad_request("unknown_event", text).at("name"))
        }
    }
}

fn follow(value: Value) -> Result<Frame, ApiError> {
    read(value).map(Frame::Follow).map_err(|unfit| refused("invalid_follow", "that names no thread", unfit))
}

fn approval(value: Value) -> Result<Frame, ApiError> {
    read(value)
        .map(Frame::Approval)
        .map_err(|unfit| refused("invalid_approval", "the answer cannot be read", unfit))
}

fn refused(code: &str, what: &str, unfit: Unfit) -> ApiError {
    let Unfit { member, message } = unfit;
    let path = member.map_or_else(|| "value".to_owned(), |member| format!("value.{member}"));
    ApiError::bad_request(code, format!("{what}: {message}")).at(path)
}

fn input(mut object: Map<String, Value>) -> Result<Frame, ApiError> {
    context_as_list(&mut object);
    name_messages(&mut object);
    object.entry("runId").or_insert_with(|| Uuid::new_v4().to_string().into());
    let input = read_input_value(Value::Object(object))?;
    Ok(Frame::Run(Box::new(input)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn run(value: Value) -> RunAgentInput {
        match decode(&value.to_string()) {
            Ok(Frame::Run(input)) => *input,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_input_needs_neither_ids_nor_a_list_of_context() {
        let message = json!({ "role": "user", "content": "Start" });
        let input =
            run(json!({ "thread_id": "t", "runId": null, "messages": [message], "context": { "a": 1 } }));
        assert_eq!(input.thread_id.as_str(), "t");
        assert!(!input.run_id.is_empty() && !input.messages[0].id().is_empty());
        let context = &input.context.as_deref().unwrap_or_default()[0];
        assert_eq!((context.description.as_str(), context.value.as_str()), ("a", "1"));
    }

    #[test]
    fn of_messages_without_ids_the_last_words_of_the_client_are_new() {
        let says = |role: &str, text: &str| json!({ "role": role, "content": text });
        let messages = [says("user", "a"), says("assistant", "b"), says("user", "c"), says("user", "d")];
        let input = run(json!({ "threadId": "t", "messages": messages }));
        assert_eq!(input.messages.len(), 2);
    }

    #[test]
    fn an_approval_is_read_in_either_case() {
        for name in ["approvalId", "approval_id"] {
            let value = json!({ name: "i", "approved": false, "feedback": "no" });
            let frame = json!({ "type": "CUSTOM", "name": RESPONSE, "value": value });
            let expected = Approval {
                approval_id: "i".into(),
                thread_id: None,
                approved: false,
                feedback: Some("no".to_owned()),
            };
            assert_eq!(decode(&frame.to_string()).expect("legal"), Frame::Approval(expected));
        }
    }

    #[test]
    fn an_approval_may_name_its_thread_in_the_value_or_beside_it() {
        let value = json!({ "approvalId": "i", "approved": true });
        let beside = json!({ "type": "CUSTOM", "name": RESPONSE, "value": value, "threadId": "t" });
        let mut within = json!({ "type": "CUSTOM", "name": RESPONSE, "value": value });
        within["value"]["thread_id"] = json!("t");
        for frame in [beside, within] {
            let Ok(Frame::Approval(approval)) = decode(&frame.to_string()) else { panic!("{frame}") };
            assert_eq!(approval.thread_id, Some("t".into()));
        }
    }

    #[test]
    fn what_is_wrong_with_a_payload_is_told_by_its_member() {
        let follow = "forestage.follow";
        for (name, value, path) in [
            (RESPONSE, json!({ "approved": true }), "value.approvalId"),
            (RESPONSE, json!({ "approvalId": "i" }), "value.approved"),
            (RESPONSE, json!({ "approvalId": 7, "approved": true }), "value.approvalId"),
            (RESPONSE, json!({ "approvalId": "i", "approved": "yes" }), "value.approved"),
            (RESPONSE, json!({ "approvalId": "i", "approved": true, "feedback": 7 }), "value.feedback"),
            (RESPONSE, json!("yes"), "value"),
            (follow, json!({}), "value.threadId"),
            (follow, json!({ "threadId": "t", "after": 7 }), "value.after"),
            (follow, json!({ "threadId": "t", "behind": "c" }), "value.behind"),
        ] {
            let frame = json!({ "type": "CUSTOM", "name": name, "value": value });
            let refused = decode(&frame.to_string()).expect_err("unfit").to_value();
            assert_eq!(refused["error"]["path"], path, "{value} {refused}");
        }
    }

    #[test]
    fn whatever_else_comes_is_told_what_is_wrong_with_it() {
        for (text, code) in [
            ("{", "invalid_json"),
            ("[]", "invalid_frame"),
            (r#"{"type":"RUN_STARTED"}"#, "unknown_event"),
            (r#"{"type":"CUSTOM","name":"x","value":1}"#, "unknown_event"),
            (
                r#"{"type":"CUSTOM","name":"agora:tool_approval_response","value":{"approved":true}}"#,
                "invalid_approval",
            ),
            (r#"{"type":"CUSTOM","name":"forestage.follow","value":{}}"#, "invalid_follow"),
        ] {
            assert_eq!(decode(text).expect_err(text).code(), code);
        }
    }
}
