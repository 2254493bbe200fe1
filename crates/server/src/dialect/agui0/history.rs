//! What an older client believes was said, and where that is its own doing.
//!
//! When a person answers a question about a tool, CopilotKit writes the answer into its history as if the tool had given
//! it, and asks for the run that goes on under the id of the run that asked. Older clients send an id twice, flatten
//! parts, and send back messages that were made for them alone. None of that is so in the log, and none of it changes the
//! log: what is left out here is what the log has already, or never had.

use std::collections::HashSet;

use axum::http::StatusCode;
use forestage_protocol::{
    content::Content,
    id::{RunId, ThreadId, ToolCallId},
    input::RunAgentInput,
    interrupt::Interrupt,
    message::{AssistantMessage, Message, ToolMessage, UserMessage},
};
use forestage_runtime::HistoryOwner;
use forestage_store::{InterruptQuery, InterruptRecord, Seq, Thread};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{
    answer::Command,
    encode::{QUESTION_PREFIX, plain_parts},
    said::Said,
    version::{Line, Parts},
};
use crate::{
    app::App,
    auth::Visitor,
    dialect::door::{find, pending},
    error::ApiError,
};

/// The input as the log can take it, with what was said before it and the place up to which that is.
pub(crate) async fn settled(
    app: &App,
    caller: &Visitor,
    agent: &str,
    line: Line,
    mut input: RunAgentInput,
) -> Result<(RunAgentInput, (Vec<Message>, Seq)), ApiError> {
    join_repeated(&mut input.messages);
    input.messages.retain(|message| !is_question_text(message));
    let command = Command::of(&input);
    let Some(thread) = find(app, caller, &input.thread_id).await? else {
        // A thread that does not exist has asked nothing. Going on here would begin a deleted one anew.
        return match command {
            Some(_) => Err(Command::without_thread(&input.thread_id)),
            None => Ok((input, (Vec::new(), Seq::START))),
        };
    };
    if let Some(command) = command {
        let questions = questions(app, caller, &thread, &input.run_id, command.question()).await?;
        command.apply(&mut input, &questions)?;
    }
    if input.resume.is_some() {
        go_on_anew(app, &thread, &mut input).await?;
    }
    let said = Said::new(app.stage.conversation(&thread, None).await?.messages);
    if input.messages.iter().any(|message| matches!(message, Message::Tool(_))) {
        let asked = asked_about(app, caller, &input).await?;
        refuse_other_answers(&input.messages, &said, &asked)?;
        input.messages.retain(|message| !is_own_record(message, &said, &asked));
    }
    if app.stage.agent(agent)?.about().history == HistoryOwner::Server {
        input.messages.retain(|message| !is_aside(message, &said));
    }
    let given = std::mem::take(&mut input.messages);
    input.messages = given.into_iter().flat_map(|message| as_said(message, &said, line.parts())).collect();
    Ok((input, (said.into_messages(), thread.tail)))
}

/// Makes one of messages that have one id: clients of before 0.0.52 note the calls of a message apart from its text, and
/// some send an empty one again.
fn join_repeated(messages: &mut Vec<Message>) {
    let mut ids = HashSet::new();
    if messages.iter().all(|message| ids.insert(message.id().clone())) {
        return;
    }
    let mut joined: Vec<Message> = Vec::with_capacity(messages.len());
    for message in messages.drain(..) {
        match joined.iter_mut().find(|first| first.id() == message.id()) {
            Some(Message::Assistant(first)) => match message {
                Message::Assistant(again) => join(first, again),
                other => joined.push(other),
            },
            // A second one that says something is for the check of the history to refuse.
            Some(first) if is_empty(&message) && first.role() == message.role() => {}
            _ => joined.push(message),
        }
    }
    *messages = joined;
}

fn join(first: &mut AssistantMessage, again: AssistantMessage) {
    // What these clients took for two is one: its pieces, joined, are held against what was said.
    if let Some(more) = again.content {
        first.content.get_or_insert_default().push_str(&more);
    }
    let calls = again.tool_calls.into_iter().flatten();
    for call in calls {
        let known = first.tool_calls.get_or_insert_default();
        if known.iter().all(|other| other.id != call.id) {
            known.push(call);
        }
    }
}

fn is_empty(message: &Message) -> bool {
    match message {
        Message::User(message) => message.content.text().is_empty(),
        Message::Tool(message) => message.content.text().is_empty(),
        Message::Reasoning(message) => message.content.is_empty(),
        _ => false,
    }
}

/// A run that goes on after a question is a run of its own. The same request again has the same id, so it finds the run
/// that it began.
async fn go_on_anew(app: &App, thread: &Thread, input: &mut RunAgentInput) -> Result<(), ApiError> {
    let asked = app.stage.store().run(thread.id.clone(), input.run_id.clone()).await?;
    if asked.is_some_and(|run| run.end.as_deref() == Some("interrupt")) {
        let answers = serde_json::to_vec(&input.resume).unwrap_or_default();
        let digest = Sha256::new().chain_update(answers).finalize();
        let mark: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        input.run_id = RunId::from(format!("{}-{mark}", input.run_id));
    }
    Ok(())
}

/// Whether a message is the text of a question, which only the clients of older lines have.
fn is_question_text(message: &Message) -> bool {
    matches!(message, Message::Assistant(_)) && message.id().starts_with(QUESTION_PREFIX)
}

/// The questions that an answer may be for: those that wait. A request that is sent again comes after its answer, so then it
/// is the one that it names, and without a name those of its run, or of the run which that one goes on from. The engine
/// says who was first.
async fn questions(
    app: &App,
    caller: &Visitor,
    thread: &Thread,
    run_id: &RunId,
    named: Option<&str>,
) -> Result<Vec<Interrupt>, ApiError> {
    let waiting = pending(app, caller, &thread.id).await?;
    if !waiting.is_empty() {
        return Ok(waiting);
    }
    let run = app.stage.store().run(thread.id.clone(), run_id.clone()).await?;
    let is_of_run = |record: &InterruptRecord| {
        run.as_ref()
            .is_some_and(|run| record.run_id == run.run_id || Some(&record.run_id) == run.parent.as_ref())
    };
    let mut records = records(app, caller, &thread.id).await?;
    records.retain(|record| named.map_or_else(|| is_of_run(record), |id| record.id.as_str() == id));
    Ok(records.iter().filter_map(|record| serde_json::from_slice(&record.json).ok()).collect())
}

/// Every question of a thread, decided or not.
async fn records(
    app: &App,
    caller: &Visitor,
    thread_id: &ThreadId,
) -> Result<Vec<InterruptRecord>, ApiError> {
    let query = InterruptQuery {
        thread_id: Some(thread_id.clone()),
        decided: true,
        limit: 10_000,
        ..InterruptQuery::of(caller.viewer())
    };
    Ok(app.stage.store().interrupts(query).await?)
}

/// The calls about which a person was asked.
async fn asked_about(
    app: &App,
    caller: &Visitor,
    input: &RunAgentInput,
) -> Result<HashSet<ToolCallId>, ApiError> {
    let answered: HashSet<_> = input.resume.iter().flatten().map(|entry| &entry.interrupt_id).collect();
    let records = records(app, caller, &input.thread_id).await?;
    let asked = records.iter().filter(|record| record.decision.is_some() || answered.contains(&record.id));
    let questions = asked.filter_map(|record| serde_json::from_slice::<Interrupt>(&record.json).ok());
    Ok(questions.filter_map(|question| question.tool_call_id).collect())
}

/// What a front end has to say of a call, if the log does not have it.
fn news<'m>(message: &'m Message, said: &Said) -> Option<&'m ToolMessage> {
    match message {
        Message::Tool(noted) if said.message(&noted.id).is_none() => Some(noted),
        _ => None,
    }
}

/// Refuses a second, different answer to a call. A person's answer to a question about a call is not an answer of the
/// tool.
fn refuse_other_answers(
    messages: &[Message],
    said: &Said,
    asked: &HashSet<ToolCallId>,
) -> Result<(), ApiError> {
    for (at, message) in messages.iter().enumerate() {
        if let Some(noted) = news(message, said)
            && !asked.contains(&noted.tool_call_id)
            && said.answer(&noted.tool_call_id).is_some_and(|known| !is_same(known, noted))
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
fn is_own_record(message: &Message, said: &Said, asked: &HashSet<ToolCallId>) -> bool {
    news(message, said).is_some_and(|noted| {
        asked.contains(&noted.tool_call_id) || said.answer(&noted.tool_call_id).is_some()
    })
}

/// Whether a message is reasoning, or an activity, under an id that the client made up for it.
fn is_aside(message: &Message, said: &Said) -> bool {
    matches!(message, Message::Reasoning(_) | Message::Activity(_)) && said.message(message.id()).is_none()
}

/// A message as it was said, where the client sends it back in another form. One that says something else stays what it
/// is, and is refused like anybody's.
fn as_said(message: Message, said: &Said, parts: Parts) -> Vec<Message> {
    let known = said.message(message.id());
    match (&message, known) {
        (Message::Tool(given), Some(Message::Tool(known)))
            if given.content.text() == known.content.text() =>
        {
            vec![Message::Tool(ToolMessage { content: known.content.clone(), ..given.clone() })]
        }
        (Message::User(given), Some(Message::User(known)))
            if is_same_content(&given.content, &known.content, parts) =>
        {
            vec![Message::User(UserMessage { content: known.content.clone(), ..given.clone() })]
        }
        (Message::Assistant(given), _) => match said.parts_of(given) {
            Some(parts) => parts.into_iter().cloned().collect(),
            None => vec![message],
        },
        _ => vec![message],
    }
}

/// Whether two contents are the same in the form in which parts are sent to the client. A file is `binary` for everybody.
fn is_same_content(given: &Content, known: &Content, parts: Parts) -> bool {
    let parts = if parts == Parts::Text { Parts::Text } else { Parts::Binary };
    let plain = |content: &Content| {
        let mut value = serde_json::to_value(content).unwrap_or_default();
        plain_parts(&mut value, parts);
        value
    };
    plain(given) == plain(known)
}
