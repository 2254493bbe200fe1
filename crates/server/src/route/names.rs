//! Names of tools on the answers to them.
//!
//! The tutoring contract has `name` on an answer; AG-UI has none. It is kept as `metadata.its.name`, and where a component is
//! answered it has to be the name of that component. Other clients write other things there, which decide nothing.

use axum::http::StatusCode;
use forestage_its::is_component;
use forestage_protocol::{input::RunAgentInput, message::Message};
use serde_json::{Map, Value, json};

use crate::{app::App, auth::Visitor, error::ApiError};

/// Keeps the names on the answers of an input.
pub(crate) fn keep(input: &mut Value) {
    let messages = input.get_mut("messages").and_then(Value::as_array_mut).into_iter().flatten();
    let messages = messages.filter_map(Value::as_object_mut);
    messages.filter(|message| message.get("role").is_some_and(|role| role == "tool")).for_each(keep_of);
}

/// Keeps the name on one answer.
pub(crate) fn keep_of(message: &mut Map<String, Value>) {
    if let Some(name) = message.remove("name") {
        note(message, "name", name);
    }
}

/// Keeps a fact about a message that AG-UI has no place for.
pub(crate) fn note(message: &mut Map<String, Value>, name: &str, value: Value) {
    let metadata = message.entry("metadata").or_insert_with(|| json!({}));
    if let Value::Object(metadata) = metadata
        && let Value::Object(its) = metadata.entry("its").or_insert_with(|| json!({}))
    {
        its.insert(name.to_owned(), value);
    }
}

/// Whoever names the component that they answer has to name the one that was shown.
pub(crate) async fn check(app: &App, caller: &Visitor, input: &RunAgentInput) -> Result<(), ApiError> {
    let named: Vec<_> = input.messages.iter().enumerate().filter_map(named).collect();
    if named.is_empty() {
        return Ok(());
    }
    // A new thread may begin with a history, calls included.
    let shown = match app.stage.thread(&caller.user, &input.thread_id).await {
        Ok(thread) => app.stage.conversation(&thread, None).await?.messages,
        Err(_) => input.messages.clone(),
    };
    let calls = || shown.iter().flat_map(Message::tool_calls);
    for (at, call_id, name) in named {
        if let Some(call) = calls().find(|call| call.id.as_str() == call_id)
            && call.function.name != name
            && (is_component(&call.function.name) || is_component(name))
        {
            let text = format!("call `{call_id}` is of `{}`, not of `{name}`", call.function.name);
            let refused = ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "wrong_tool_name", text);
            return Err(refused.at(format!("messages[{at}].name")));
        }
    }
    Ok(())
}

fn named((at, message): (usize, &Message)) -> Option<(usize, &str, &str)> {
    let Message::Tool(message) = message else { return None };
    let name = message.metadata.as_ref()?.get("its")?.get("name").and_then(Value::as_str)?;
    Some((at, message.tool_call_id.as_str(), name))
}
