//! What a person does on a surface: held against what is on the screen, then told to the agent.
//!
//! It comes with a request that says nothing else, and becomes two messages of the conversation: a call of
//! `log_a2ui_event` with the action, and its result in a sentence. What was never offered is refused.

use forestage_a2ui::{act::verify, v0_8::UserAction, v0_9::ClientMessage};
use forestage_protocol::{
    Fault,
    event::Event,
    id::ToolCallId,
    input::RunAgentInput,
    message::{AssistantMessage, Message, ToolMessage},
    tool::{FunctionCall, ToolCall, ToolCallType},
};
use serde_json::{Value, json};

use super::{LOG_EVENT, Screen, view};
use crate::error::Refusal;

/// The member of a request that holds what a person did.
const ACTION: &str = "a2uiAction";

/// What an action comes to.
#[derive(Debug)]
pub(crate) struct Acted {
    /// The messages that tell the agent.
    pub(crate) messages: Vec<Message>,
    /// What tells everybody what was typed.
    pub(crate) events: Vec<Event>,
}

/// Whether a request says that a person did something.
pub(crate) fn is_action(input: &RunAgentInput) -> bool {
    action(input).is_some()
}

/// Takes an action, if there is one and it was possible. It comes with the request, or with a new message.
pub(crate) fn act(
    messages: &[&Message],
    new: &[Message],
    input: &RunAgentInput,
) -> Result<Option<Acted>, Refusal> {
    let Some(value) = action(input) else {
        let sent = view::sent(messages, new)?;
        return Ok(sent.map(|event| Acted { messages: Vec::new(), events: vec![event] }));
    };
    let action = match ClientMessage::read(&value) {
        Ok(ClientMessage::Action(action)) => action,
        Ok(ClientMessage::Error(_)) => {
            let text = "an error of the client's is not an action; send it as a message";
            return Err(Refusal::invalid("invalid_action", text).at(at("")));
        }
        Err(fault) => return Err(Refusal::invalid("invalid_action", fault.message).at(at(&fault.path))),
    };
    if messages.iter().any(|message| has_happened(message, &action)) {
        let text = format!("this was done before: `{}` on surface `{}`", action.name, action.surface_id);
        return Err(Refusal::conflict("already_acted", text)
            .at(at(""))
            .hint("what happens now needs a new timestamp"));
    }
    let mut screen = Screen::of(messages.iter().copied());
    let Some(surface) = screen.surface(&action.surface_id) else {
        let text = format!("there is no surface `{}` on this thread, or not any more", action.surface_id);
        return Err(Refusal::conflict("unknown_surface", text).at(at("/surfaceId")));
    };
    let typed = verify(surface, &action).map_err(|fault| refused(&fault))?;
    if action.surface_id == view::VIEW {
        let id = format!("{}-a2ui-action", input.run_id).into();
        let (message, event) = view::clicked(messages, &action, id)?;
        return Ok(Some(Acted { messages: vec![message], events: vec![event] }));
    }
    let events = screen.write(&action.surface_id, &typed).into_iter().collect();
    Ok(Some(Acted { messages: told(&action, input), events }))
}

fn action(input: &RunAgentInput) -> Option<Value> {
    let mut properties = input.forwarded_props.as_ref()?.to_value().ok()?;
    let action = properties.get_mut(ACTION)?.take();
    (!action.is_null()).then_some(action)
}

/// What the agent reads: a call with the action, and a sentence.
fn told(action: &UserAction, input: &RunAgentInput) -> Vec<Message> {
    let id = |part: &str| format!("{}-a2ui-{part}", input.run_id);
    let call_id: ToolCallId = id("event").into();
    let data = serde_json::to_value(action).unwrap_or_default();
    let call =
        ToolCall::new(&call_id, ToolCallType::Function, FunctionCall::new(LOG_EVENT, data.to_string()));
    let UserAction { name, surface_id, source_component_id, .. } = action;
    let context = json!(action.context);
    let sentence = format!(
        "User performed action \"{name}\" on surface \"{surface_id}\" (component: {source_component_id}). \
         Context: {context}"
    );
    let called = AssistantMessage {
        content: Some(String::new()),
        tool_calls: Some(vec![call]),
        ..AssistantMessage::new(id("action"))
    };
    vec![called.into(), ToolMessage::new(id("result"), sentence, call_id).into()]
}

/// Whether a message tells of this very action.
fn has_happened(message: &Message, action: &UserAction) -> bool {
    let mut calls = message.tool_calls().iter().filter(|call| call.function.name == LOG_EVENT);
    calls.any(|call| {
        let Ok(told) = serde_json::from_str::<Value>(&call.function.arguments) else { return false };
        told["surfaceId"] == *action.surface_id
            && told["sourceComponentId"] == *action.source_component_id
            && told["timestamp"] == *action.timestamp
    })
}

fn refused(fault: &Fault) -> Refusal {
    Refusal::conflict(fault.code, fault.message.clone()).at(at(&fault.path))
}

/// A place in the action, as a place in the request.
pub(super) fn at(path: &str) -> String {
    let path = path.trim_start_matches("/userAction").trim_start_matches("/action");
    format!("forwardedProps.{ACTION}{}", path.replace('/', "."))
}
