//! A stage to try things on.

use std::sync::Arc;

use forestage_protocol::{
    event::Event,
    input::RunAgentInput,
    interrupt::{ResumeEntry, ResumeStatus},
    message::{Message, UserMessage},
};
use forestage_runtime::{
    About, AgentError, Agents, Batch, Follower, Limits, Refusal, RunContext, Stage, StartRun, Started,
    agent_fn,
};
use forestage_store::Store;

pub(crate) const OWNER: &str = "ada";

/// A stage in memory with one agent.
pub(crate) async fn stage<F, R>(agent: F) -> Arc<Stage>
where
    F: Fn(RunContext) -> R + Send + Sync + 'static,
    R: Future<Output = Result<(), AgentError>> + Send + 'static,
{
    stage_on(forestage_store::open("memory:").await.unwrap(), agent)
}

/// A stage on a store.
pub(crate) fn stage_on<F, R>(store: Arc<dyn Store>, agent: F) -> Arc<Stage>
where
    F: Fn(RunContext) -> R + Send + Sync + 'static,
    R: Future<Output = Result<(), AgentError>> + Send + 'static,
{
    stage_with(store, Limits::default(), agent)
}

pub(crate) fn stage_with<F, R>(store: Arc<dyn Store>, limits: Limits, agent: F) -> Arc<Stage>
where
    F: Fn(RunContext) -> R + Send + Sync + 'static,
    R: Future<Output = Result<(), AgentError>> + Send + 'static,
{
    let agents = Agents::from([("it".to_owned(), agent_fn(About::new("for tests"), agent))]);
    Stage::new(store, agents, limits)
}

/// Says what it was told.
pub(crate) async fn echo(ctx: RunContext) -> Result<(), AgentError> {
    let said = ctx.last_user_text().unwrap_or_default();
    let text = ctx.text()?;
    for word in said.split_inclusive(' ') {
        text.push(word).await?;
    }
    Ok(())
}

pub(crate) fn user(id: &str, text: &str) -> Message {
    UserMessage::new(id, text).into()
}

pub(crate) fn input(thread: &str, run: &str, messages: Vec<Message>) -> RunAgentInput {
    RunAgentInput::new(thread, run, messages)
}

pub(crate) fn answer(id: &str, value: serde_json::Value) -> ResumeEntry {
    ResumeEntry { payload: Some(value.into()), ..ResumeEntry::new(id, ResumeStatus::Resolved) }
}

pub(crate) async fn start(stage: &Arc<Stage>, input: RunAgentInput) -> Result<Started, Refusal> {
    stage.start(StartRun::new("it", input, OWNER)).await
}

/// Runs to the end and returns what a viewer saw.
pub(crate) async fn run(stage: &Arc<Stage>, input: RunAgentInput) -> Vec<Event> {
    let started = start(stage, input).await.unwrap();
    events_of(stage, &started).await
}

pub(crate) async fn events_of(stage: &Stage, started: &Started) -> Vec<Event> {
    all(&mut stage.follow_run(&started.thread_id, &started.run_id, started.before)).await
}

/// Everything to the follower's end.
pub(crate) async fn all(follower: &mut Follower) -> Vec<Event> {
    let mut events = Vec::new();
    while let Some(batch) = follower.next().await.unwrap() {
        events.extend(read(&batch));
    }
    events
}

pub(crate) fn read(batch: &Batch) -> Vec<Event> {
    let text = |json: &[u8]| String::from_utf8(json.to_vec()).unwrap();
    batch.entries().iter().map(|entry| Event::from_json(&text(&entry.json)).unwrap()).collect()
}

pub(crate) fn types(events: &[Event]) -> Vec<&'static str> {
    events.iter().map(|event| event.event_type().as_str()).collect()
}

/// The conversation as pairs of role and text.
pub(crate) async fn conversation(stage: &Stage, thread: &str) -> Vec<(String, String)> {
    let thread = stage.thread(OWNER, &thread.into()).await.unwrap();
    let conversation = stage.conversation(&thread, None).await.unwrap();
    conversation.messages.iter().map(role_and_text).collect()
}

pub(crate) fn role_and_text(message: &Message) -> (String, String) {
    let value = serde_json::to_value(message).unwrap();
    (message.role().to_owned(), value["content"].as_str().unwrap_or_default().to_owned())
}

pub(crate) fn pair(role: &str, text: &str) -> (String, String) {
    (role.to_owned(), text.to_owned())
}
