//! What an agent elsewhere is told.

use forestage_protocol::{
    Warning,
    compat::{downgrade_input, refresh_input},
    id::RunId,
    input::{Context, RunAgentInput},
    interrupt::ResumeEntry,
    json::Json,
    message::Message,
    pipeline::PROTOCOL_VERSION,
    tool::Tool,
};
use forestage_runtime::RunContext;
use serde_json::{Value, json};

use super::{
    agent::thread_id,
    ask::{alone, take_legacy},
    config::{AgUiConfig, Told},
};
use crate::remote::unwise;

/// The input of a call. Agents of before 1.0 want all members to be there, so they are.
pub(super) fn input(
    config: &AgUiConfig,
    ctx: &RunContext,
    run_id: RunId,
    conversation: &[Message],
    mut resume: Vec<ResumeEntry>,
) -> (String, Vec<Warning>) {
    let messages = told(config.told, conversation).iter().map(without_notes).collect();
    let mut input = RunAgentInput::new(thread_id(ctx), run_id, Vec::<Message>::new());
    input.messages = messages;
    input.protocol_version = Some(PROTOCOL_VERSION.to_owned());
    input.state = Some(state(ctx));
    input.tools = Some(tools(ctx));
    input.context = Some(context(ctx, conversation));
    input.forwarded_props = Some(properties(ctx, take_legacy(&mut resume)));
    input.resume = Some(resume).filter(|resume| !resume.is_empty());
    let mut value = serde_json::to_value(&input).unwrap_or_default();
    let mut warnings = Vec::new();
    refresh_input(&mut value);
    alone(&mut value);
    if let Some(peer) = config.peer {
        downgrade_input(&mut value, peer, &mut warnings);
    }
    (value.to_string(), warnings)
}

/// The part of a conversation that the agent has to be told.
fn told(how: Told, conversation: &[Message]) -> &[Message] {
    let is_said = |message: &Message| matches!(message, Message::User(_));
    match how {
        Told::All => conversation,
        Told::New => &conversation[conversation.iter().rposition(is_said).unwrap_or_default()..],
    }
}

/// A message without what we have noted about it: a reviewer may have taken some of that back.
fn without_notes(message: &Message) -> Message {
    let mut message = message.clone();
    let metadata = message.metadata_mut();
    if let Some(noted) = metadata {
        noted.remove("forestage");
    }
    *metadata = metadata.take().filter(|left| !left.is_empty());
    message
}

fn state(ctx: &RunContext) -> Json {
    match ctx.state() {
        Value::Null => json!({}).into(),
        state => state.into(),
    }
}

/// The tools of ours, and those of the client that have other names.
fn tools(ctx: &RunContext) -> Vec<Tool> {
    let mut tools = ctx.tools().as_agui();
    for tool in ctx.input().tools.iter().flatten() {
        if tools.iter().all(|known| known.name != tool.name) {
            tools.push(tool.clone());
        }
    }
    tools
}

/// Facts of the turn and of the input, and what is unwise about what the agent showed last.
fn context(ctx: &RunContext, conversation: &[Message]) -> Vec<Context> {
    let text = |value: Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let facts = ctx.context().into_iter().map(|(name, value)| Context::new(name, text(value)));
    let warnings = unwise::warnings(ctx, conversation).map(|text| Context::new(unwise::DESCRIPTION, text));
    facts.chain(warnings).collect()
}

/// What the client passes through, without what it means for us, and an answer where that is where it belongs.
fn properties(ctx: &RunContext, answer: Option<Value>) -> Json {
    let properties = ctx.input().forwarded_props.as_ref().and_then(|properties| properties.to_value().ok());
    let mut properties = properties.unwrap_or_else(|| json!({}));
    if let Value::Object(properties) = &mut properties {
        properties.remove("forestage");
        if let Some(answer) = answer {
            properties.insert("command".to_owned(), json!({ "resume": answer }));
        }
    }
    properties.into()
}
