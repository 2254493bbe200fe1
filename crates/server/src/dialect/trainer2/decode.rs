//! What a client sends: a message with what its screen knows, or an answer at a gate.

use forestage_a2ui::v1::{ACTION_MESSAGE, Action, Faults, View};
use forestage_protocol::{
    id::{RunId, ThreadId, ToolCallId},
    input::RunAgentInput,
    message::Message,
};
use forestage_runtime::TurnTerms;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::gate::Gate;
use crate::{
    dialect::{door::object_of, shape::name_messages},
    error::ApiError,
    route::runs::read_input_value,
};

/// The answers that a client may give, with whether they are a yes.
const ANSWERS: [(&str, bool); 6] = [
    ("RUN_STAGE_APPROVED", true),
    ("RUN_STAGE_DENIED", false),
    ("TOOL_CALL_APPROVED", true),
    ("TOOL_CALL_DENIED", false),
    ("ASSISTANT_FINAL_APPROVED", true),
    ("ASSISTANT_FINAL_DENIED", false),
];

/// A frame of a client.
#[derive(Clone, Debug, PartialEq)]
pub enum Frame {
    /// It wants a run.
    Run(Box<RunAgentInput>),
    /// It answers at a gate.
    Decision(Decision),
}

/// An answer at a gate.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The thread that waits.
    pub thread_id: ThreadId,
    /// The run that waits, as the client knows it.
    pub run_id: Option<RunId>,
    /// The gate.
    pub gate: Gate,
    /// Whether it may pass.
    pub approved: bool,
    /// What passes instead: a payload, arguments, or the `text` and the `view` of an answer, as the gate has it.
    pub edits: Option<Value>,
    /// Why, in the person's words.
    pub reason: Option<String>,
}

/// Which calls of an audit need nobody.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct AuditPolicy {
    auto_approve_stage: bool,
    auto_approve_tool_calls: bool,
    auto_approve_assistant: bool,
}

/// Reads a frame. `audit` says that the client wants to look before anything counts.
pub fn decode(text: &str, audit: bool) -> Result<Frame, ApiError> {
    let object = object_of(text, "frame")?;
    match object.get("type").cloned() {
        None => envelope(object, audit).map(|input| Frame::Run(Box::new(input))),
        Some(Value::String(kind)) => decision(&kind, object).map(Frame::Decision),
        Some(_) => Err(ApiError::bad_request("unknown_event", "a `type` is a text").at("type")),
    }
}

/// What may be changed at the stage.
const EDITS: [&str; 2] = ["message", "context"];

fn decision(kind: &str, object: Map<String, Value>) -> Result<Decision, ApiError> {
    let Some((_, approved)) = ANSWERS.into_iter().find(|(name, _)| *name == kind) else {
        let names: Vec<_> = ANSWERS.iter().map(|(name, _)| format!("`{name}`")).collect();
        let text = format!(
            "a client sends a message without a `type`, or one of {}, and not `{kind}`",
            names.join(", ")
        );
        return Err(ApiError::bad_request("unknown_event", text).at("type"));
    };
    let answer: Answer = serde_json::from_value(Value::Object(object)).map_err(|error| {
        ApiError::bad_request("invalid_decision", format!("the answer cannot be read: {error}"))
    })?;
    let unknown =
        answer.payload_edits.iter().flat_map(Map::keys).find(|name| !EDITS.contains(&name.as_str()));
    if let Some(name) = unknown {
        // A misspelt edit must not mean "as it was".
        let text = format!(
            "`payloadEdits` has {}, and not `{name}`",
            EDITS.map(|name| format!("`{name}`")).join(" and ")
        );
        return Err(ApiError::bad_request("invalid_decision", text).at(format!("payloadEdits.{name}")));
    }
    let (gate, edits) = match kind.split('_').next() {
        Some("RUN") => (Gate::Stage, answer.payload_edits.map(Value::Object)),
        Some("TOOL") => {
            let missing = || ApiError::bad_request("invalid_decision", "which call?").at("toolCallId");
            let id = answer.tool_call_id.ok_or_else(missing)?;
            (Gate::Tool(id), answer.args_override.map(Value::Object))
        }
        _ => (Gate::Draft, draft_edits(&answer)?),
    };
    let Answer { thread_id, run_id, reason, .. } = answer;
    Ok(Decision { thread_id, run_id, gate, approved, edits: edits.filter(|_| approved), reason })
}

/// What is said and shown instead of a draft. A view has to be one.
fn draft_edits(answer: &Answer) -> Result<Option<Value>, ApiError> {
    if let Some(Err(faults)) = answer.final_a2ui.as_ref().map(View::read) {
        return Err(refused("invalid_decision", "the view", "finalA2ui", &faults));
    }
    let text = answer.final_text.clone().map(|text| ("text".to_owned(), text.into()));
    let view = answer.final_a2ui.clone().map(|view| ("view".to_owned(), view));
    let edits: Map<_, _> = text.into_iter().chain(view).collect();
    Ok((!edits.is_empty()).then_some(Value::Object(edits)))
}

/// What is wrong with a part of a frame, at the place of the first fault.
fn refused(code: &'static str, what: &str, path: &str, faults: &Faults) -> ApiError {
    let inner = &faults.first().path;
    let at = if inner.is_empty() { path.to_owned() } else { format!("{path}.{inner}") };
    ApiError::bad_request(code, format!("{what} cannot be read: {faults}")).at(at)
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    #[serde(deserialize_with = "id")]
    thread_id: ThreadId,
    #[serde(default, deserialize_with = "some_id")]
    run_id: Option<RunId>,
    #[serde(default, deserialize_with = "some_id")]
    tool_call_id: Option<ToolCallId>,
    payload_edits: Option<Map<String, Value>>,
    args_override: Option<Map<String, Value>>,
    final_text: Option<String>,
    #[serde(rename = "finalA2ui")]
    final_a2ui: Option<Value>,
    reason: Option<String>,
}

fn id<'de, D: Deserializer<'de>, T: From<String>>(deserializer: D) -> Result<T, D::Error> {
    String::deserialize(deserializer).map(T::from)
}

fn some_id<'de, D: Deserializer<'de>, T: From<String>>(deserializer: D) -> Result<Option<T>, D::Error> {
    id(deserializer).map(Some)
}

fn envelope(mut object: Map<String, Value>, audit: bool) -> Result<RunAgentInput, ApiError> {
    if object.get("threadId").and_then(Value::as_str).is_none_or(str::is_empty) {
        return Err(ApiError::bad_request("invalid_envelope", "which thread?").at("threadId"));
    }
    let said = messages(&mut object)?;
    let properties = object.get("forwardedProps").cloned().unwrap_or_default();
    if !(properties.is_object() || properties.is_null()) {
        return Err(
            ApiError::bad_request("invalid_envelope", "`forwardedProps` is an object").at("forwardedProps")
        );
    }
    let ui = ui_context(&properties, &said)?;
    object.insert("messages".to_owned(), Value::Array(said));
    name_messages(&mut object);
    object.entry("runId").or_insert_with(|| Uuid::new_v4().to_string().into());
    let mut input = read_input_value(Value::Object(object))?;
    let terms = TurnTerms { context: Map::from_iter([("ui".to_owned(), ui)]), ..gates(&properties, audit)? };
    if let Some(last) = input.messages.iter_mut().rfind(|message| matches!(message, Message::User(_))) {
        terms.attach(last);
    }
    Ok(input)
}

/// One message as a text, or several as AG-UI has them.
fn messages(object: &mut Map<String, Value>) -> Result<Vec<Value>, ApiError> {
    let wrong = |text: &str, path: &str| Err(ApiError::bad_request("invalid_envelope", text).at(path));
    match (object.remove("message"), object.remove("messages")) {
        (Some(_), Some(_)) => wrong("a frame has `message` or `messages`, not both", "message"),
        (Some(Value::String(text)), None) if text.trim().is_empty() => {
            wrong("`message` must not be empty", "message")
        }
        (Some(Value::String(text)), None) => Ok(vec![json!({ "role": "user", "content": text })]),
        (Some(_), None) => wrong("`message` is a text", "message"),
        (None, Some(Value::Array(messages))) if !messages.is_empty() => Ok(messages),
        (None, Some(_)) => wrong("`messages` is a list with at least one message", "messages"),
        (None, None) => wrong("`message` is missing", "message"),
    }
}

/// What the client's screen knows. An action in it has to be one.
fn ui_context(properties: &Value, said: &[Value]) -> Result<Value, ApiError> {
    const PATH: &str = "forwardedProps.uiContext";
    let ui = match properties.get("uiContext") {
        None | Some(Value::Null) => json!({}),
        Some(ui) if ui.is_object() => ui.clone(),
        Some(_) => return Err(ApiError::bad_request("invalid_envelope", "`uiContext` is an object").at(PATH)),
    };
    let path = format!("{PATH}.a2uiAction");
    match ui.get("a2uiAction") {
        Some(action) => {
            Action::read(action).map_err(|faults| refused("invalid_action", "the action", &path, &faults))?;
        }
        None if said.last().is_some_and(|message| message["content"] == ACTION_MESSAGE) => {
            let text = format!("`{ACTION_MESSAGE}` comes with an action");
            return Err(ApiError::bad_request("missing_action", text).at(path));
        }
        None => {}
    }
    Ok(ui)
}

/// The gates of an audit, without those that the client wants to be open.
fn gates(properties: &Value, audit: bool) -> Result<TurnTerms, ApiError> {
    let policy = match properties.get("auditPolicy").filter(|policy| !policy.is_null()) {
        Some(policy) => serde_json::from_value(policy.clone()).map_err(|error| {
            let text = format!("the policy cannot be read: {error}");
            ApiError::bad_request("invalid_envelope", text).at("forwardedProps.auditPolicy")
        })?,
        None => AuditPolicy::default(),
    };
    Ok(TurnTerms {
        stage: audit && !policy.auto_approve_stage,
        tools: audit && !policy.auto_approve_tool_calls,
        draft: audit && !policy.auto_approve_assistant,
        ..TurnTerms::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(value: &Value, audit: bool) -> RunAgentInput {
        match decode(&value.to_string(), audit) {
            Ok(Frame::Run(input)) => *input,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_message_becomes_an_input_with_what_the_screen_knows() {
        let input = run(
            &json!({ "threadId": "t", "runId": "r", "message": "HELLO", "extra": 1,
            "forwardedProps": { "uiContext": { "page": "coach" } } }),
            false,
        );
        assert_eq!((input.thread_id.as_str(), input.run_id.as_str(), input.messages.len()), ("t", "r", 1));
        let terms = TurnTerms::of(&input.messages[0]);
        let expected = TurnTerms {
            context: Map::from_iter([("ui".to_owned(), json!({ "page": "coach" }))]),
            ..TurnTerms::default()
        };
        assert_eq!(terms, expected);
    }

    #[test]
    fn a_screen_that_knows_nothing_is_an_empty_object() {
        for properties in [json!(null), json!({}), json!({ "uiContext": null })] {
            let input =
                run(&json!({ "thread_id": "t", "message": "HELLO", "forwardedProps": properties }), false);
            assert_eq!(TurnTerms::of(&input.messages[0]).context["ui"], json!({}));
            assert!(!input.run_id.is_empty());
        }
    }

    #[test]
    fn several_messages_are_taken_too() {
        let says = |role: &str, text: &str| json!({ "role": role, "content": text });
        let input =
            run(&json!({ "threadId": "t", "messages": [says("assistant", "a"), says("user", "b")] }), true);
        assert_eq!(input.messages.len(), 1);
        assert!(TurnTerms::of(&input.messages[0]).draft);
    }

    #[test]
    fn an_audit_has_the_gates_that_its_policy_leaves_closed() {
        let frame = json!({ "threadId": "t", "message": "x",
            "forwardedProps": { "auditPolicy": { "autoApproveToolCalls": true } } });
        let terms = TurnTerms::of(&run(&frame, true).messages[0]);
        assert_eq!((terms.stage, terms.tools, terms.draft), (true, false, true));
        let terms = TurnTerms::of(&run(&frame, false).messages[0]);
        assert_eq!((terms.stage, terms.tools, terms.draft), (false, false, false));
    }

    #[test]
    fn an_answer_names_its_gate() {
        let read = |value: Value| match decode(&value.to_string(), true) {
            Ok(Frame::Decision(decision)) => decision,
            other => panic!("{other:?}"),
        };
        let stage = read(
            json!({ "type": "RUN_STAGE_APPROVED", "threadId": "t", "runId": "r", "payloadEdits": { "message": "m" } }),
        );
        assert_eq!(
            (stage.gate, stage.approved, stage.edits),
            (Gate::Stage, true, Some(json!({ "message": "m" })))
        );
        let tool =
            read(json!({ "type": "TOOL_CALL_DENIED", "threadId": "t", "toolCallId": "c", "reason": "no" }));
        assert_eq!(
            (tool.gate, tool.approved, tool.reason.as_deref()),
            (Gate::Tool("c".into()), false, Some("no"))
        );
        let draft = read(json!({ "type": "ASSISTANT_FINAL_APPROVED", "threadId": "t", "finalText": "x" }));
        assert_eq!((draft.gate, draft.edits), (Gate::Draft, Some(json!({ "text": "x" }))));
    }

    #[test]
    fn whatever_else_comes_is_told_what_is_wrong_with_it() {
        let action = |action: Value| {
            json!({ "threadId": "t", "message": "A2UI_ACTION",
            "forwardedProps": { "uiContext": { "a2uiAction": action } } })
            .to_string()
        };
        for (text, code, path) in [
            ("{".to_owned(), "invalid_json", None),
            ("[]".to_owned(), "invalid_frame", None),
            (r#"{"threadId":"t"}"#.to_owned(), "invalid_envelope", Some("message")),
            (r#"{"threadId":"t","message":" "}"#.to_owned(), "invalid_envelope", Some("message")),
            (r#"{"threadId":"t","message":7}"#.to_owned(), "invalid_envelope", Some("message")),
            (
                r#"{"threadId":"t","message":"x","messages":[]}"#.to_owned(),
                "invalid_envelope",
                Some("message"),
            ),
            (
                r#"{"threadId":"t","message":"x","forwardedProps":[]}"#.to_owned(),
                "invalid_envelope",
                Some("forwardedProps"),
            ),
            (r#"{"message":"x"}"#.to_owned(), "invalid_envelope", Some("threadId")),
            (r#"{"type":"RUN_STARTED"}"#.to_owned(), "unknown_event", Some("type")),
            (
                r#"{"type":"TOOL_CALL_APPROVED","threadId":"t"}"#.to_owned(),
                "invalid_decision",
                Some("toolCallId"),
            ),
            (r#"{"type":"RUN_STAGE_APPROVED"}"#.to_owned(), "invalid_decision", None),
            (
                r#"{"type":"RUN_STAGE_APPROVED","threadId":"t","payloadEdits":{"mesage":"x"}}"#.to_owned(),
                "invalid_decision",
                Some("payloadEdits.mesage"),
            ),
            (
                r#"{"type":"ASSISTANT_FINAL_APPROVED","threadId":"t","finalA2ui":{"kind":"a2ui.v1","viewId":""}}"#
                    .to_owned(),
                "invalid_decision",
                Some("finalA2ui.viewId"),
            ),
            (
                r#"{"threadId":"t","message":"A2UI_ACTION"}"#.to_owned(),
                "missing_action",
                Some("forwardedProps.uiContext.a2uiAction"),
            ),
            (
                action(json!({ "kind": "a2ui.action.v1", "viewId": "" })),
                "invalid_action",
                Some("forwardedProps.uiContext.a2uiAction.viewId"),
            ),
        ] {
            let error = decode(&text, false).expect_err(&text);
            let told = error.to_value()["error"]["path"].clone();
            assert_eq!((error.code(), told.as_str()), (code, path), "{text}");
        }
    }
}
