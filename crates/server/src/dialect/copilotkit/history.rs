//! What a front end believes was said, and where that is its own doing.
//!
//! When a person answers a question about a tool, a front end writes the answer into its history as if the tool had given
//! it, and asks for the run that goes on under the id of the run that asked. Neither is so in the log.

use std::collections::HashSet;

use axum::http::StatusCode;
use forestage_protocol::{
    id::{MessageId, RunId, ToolCallId},
    input::RunAgentInput,
    interrupt::Interrupt,
    message::{Message, ToolMessage},
};
use forestage_store::{InterruptQuery, Thread};
use serde_json::Value;
use uuid::Uuid;

use crate::{app::App, auth::Visitor, error::ApiError};

/// The input as the log can take it.
pub(super) async fn settled(
    app: &App,
    caller: &Visitor,
    mut input: RunAgentInput,
) -> Result<RunAgentInput, ApiError> {
    let Ok(thread) = app.stage.thread(&caller.user, &input.thread_id).await else {
        return Ok(input);
    };
    if input.resume.is_some() {
        go_on_anew(app, &thread, &mut input).await?;
    }
    if input.messages.iter().any(|message| matches!(message, Message::Tool(_))) {
        let said = app.stage.conversation(&thread, None).await?.messages;
        let asked = asked_about(app, caller, &input).await?;
        refuse_other_answers(&input.messages, &said, &asked)?;
        input.messages.retain(|message| !is_own_record(message, &said, &asked));
        input.messages.iter_mut().for_each(|message| as_said(message, &said));
    }
    Ok(input)
}

/// A run that goes on after a question is a run of its own.
async fn go_on_anew(app: &App, thread: &Thread, input: &mut RunAgentInput) -> Result<(), ApiError> {
    let asked = app.stage.store().run(thread.id.clone(), input.run_id.clone()).await?;
    if asked.is_some_and(|run| run.end.as_deref() == Some("interrupt")) {
        input.run_id = RunId::from(Uuid::new_v4().to_string());
    }
    Ok(())
}

/// The calls about which a person was asked.
async fn asked_about(
    app: &App,
    caller: &Visitor,
    input: &RunAgentInput,
) -> Result<HashSet<ToolCallId>, ApiError> {
    let answered: HashSet<_> = input.resume.iter().flatten().map(|entry| &entry.interrupt_id).collect();
    let query = InterruptQuery {
        thread_id: Some(input.thread_id.clone()),
        decided: true,
        limit: 10_000,
        ..InterruptQuery::of(caller.viewer())
    };
    let records = app.stage.store().interrupts(query).await?;
    let asked = records.iter().filter(|record| record.decision.is_some() || answered.contains(&record.id));
    let questions = asked.filter_map(|record| serde_json::from_slice::<Interrupt>(&record.json).ok());
    Ok(questions.filter_map(|question| question.tool_call_id).collect())
}

/// What a front end has to say of a call, if the log does not have it.
fn news<'m>(message: &'m Message, said: &[Message]) -> Option<&'m ToolMessage> {
    match message {
        Message::Tool(noted) if !said.iter().any(|known| known.id() == &noted.id) => Some(noted),
        _ => None,
    }
}

/// What the log has as the answer to a call.
fn answer<'s>(said: &'s [Message], call: &ToolCallId) -> Option<&'s ToolMessage> {
    said.iter().find_map(|known| match known {
        Message::Tool(known) if known.tool_call_id == *call => Some(known),
        _ => None,
    })
}

/// A call is answered once. Who answers it again, with something else, is told; a person's answer to a question about a
/// call is none.
fn refuse_other_answers(
    messages: &[Message],
    said: &[Message],
    asked: &HashSet<ToolCallId>,
) -> Result<(), ApiError> {
    for (at, message) in messages.iter().enumerate() {
        if let Some(noted) = news(message, said)
            && !asked.contains(&noted.tool_call_id)
            && answer(said, &noted.tool_call_id).is_some_and(|known| !is_same(known, noted))
        {
            let text = format!("tool call `{}` has been answered already", noted.tool_call_id);
            let refused = ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "already_answered", text);
            return Err(refused.at(format!("messages[{at}].toolCallId")));
        }
    }
    Ok(())
}

fn is_same(known: &ToolMessage, noted: &ToolMessage) -> bool {
    let (known, noted) = (known.content.text(), noted.content.text());
    let value = |text: &str| serde_json::from_str::<Value>(text).ok();
    known == noted || value(&known).is_some_and(|known| Some(known) == value(&noted))
}

/// Whether the front end noted what the log has, or an answer of a person as one of a tool: the log has what the tool
/// said, or will have it.
fn is_own_record(message: &Message, said: &[Message], asked: &HashSet<ToolCallId>) -> bool {
    news(message, said).is_some_and(|noted| {
        asked.contains(&noted.tool_call_id) || answer(said, &noted.tool_call_id).is_some()
    })
}

/// An answer of a tool was sent as text, whatever it was; it comes back as that.
fn as_said(message: &mut Message, said: &[Message]) {
    let Message::Tool(given) = message else { return };
    let id: &MessageId = &given.id;
    if let Some(Message::Tool(known)) = said.iter().find(|known| known.id() == id)
        && known.content.text() == given.content.text()
    {
        given.content = known.content.clone();
    }
}
