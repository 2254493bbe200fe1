//! A stage with scripts on it.

use std::sync::Arc;

use forestage_protocol::{
    event::Event,
    input::RunAgentInput,
    interrupt::{ResumeEntry, ResumeStatus},
    message::{Message, ToolMessage, UserMessage},
};
use forestage_runtime::{Agent, Agents, Limits, OnBusy, Stage, StartRun, script};
use forestage_store::Store;
use serde_json::{Value, json};

pub(crate) const OWNER: &str = "ada";

/// A script as the agent `it` of a stage in memory.
pub(crate) async fn stage(text: &str) -> Arc<Stage> {
    stage_on(forestage_store::open("memory:").await.unwrap(), text)
}

pub(crate) fn stage_on(store: Arc<dyn Store>, text: &str) -> Arc<Stage> {
    let agent: Arc<dyn Agent> =
        Arc::new(script::parse("it", text).unwrap_or_else(|errors| panic!("{errors:#?}")));
    Stage::new(store, Agents::from([("it".to_owned(), agent)]), Limits::default())
}

/// A rule that always fits with these steps.
pub(crate) async fn stage_doing(steps: &str) -> Arc<Stage> {
    stage(&format!("rules:\n  - do:\n{}", indent(steps))).await
}

fn indent(text: &str) -> String {
    text.lines().map(|line| format!("      {line}\n")).collect()
}

pub(crate) fn user(id: &str, text: &str) -> Message {
    UserMessage::new(id, text).into()
}

pub(crate) fn tool_answer(id: &str, call: &str, text: &str) -> Message {
    ToolMessage::new(id, text, call).into()
}

pub(crate) fn input(run: &str, messages: Vec<Message>) -> RunAgentInput {
    RunAgentInput::new("t1", run, messages)
}

/// An input that only answers.
pub(crate) fn answering(run: &str, entries: Vec<ResumeEntry>) -> RunAgentInput {
    RunAgentInput { resume: Some(entries), ..input(run, vec![]) }
}

pub(crate) fn answer(id: &str, value: Value) -> ResumeEntry {
    ResumeEntry { payload: Some(value.into()), ..ResumeEntry::new(id, ResumeStatus::Resolved) }
}

pub(crate) fn cancelled(id: &str) -> ResumeEntry {
    ResumeEntry::new(id, ResumeStatus::Cancelled)
}

/// Says something to the agent and returns what a viewer saw.
pub(crate) async fn say(stage: &Arc<Stage>, run: &str, text: &str) -> Vec<Value> {
    play(stage, "it", input(run, vec![user(&format!("u-{run}"), text)])).await
}

/// Runs to the end and returns what a viewer saw, as JSON without the times.
pub(crate) async fn play(stage: &Arc<Stage>, agent: &str, input: RunAgentInput) -> Vec<Value> {
    // A viewer sees the end of a run a moment before its thread is free again.
    let request = StartRun { on_busy: OnBusy::Queue, ..StartRun::new(agent, input, OWNER) };
    let started = stage.start(request).await.unwrap();
    let mut follower = stage.follow_run(&started.thread_id, &started.run_id, started.before);
    let mut events = Vec::new();
    while let Some(batch) = follower.next().await.unwrap() {
        events.extend(batch.entries().iter().map(|entry| read(&entry.json)));
    }
    events
}

fn read(json: &[u8]) -> Value {
    let text = std::str::from_utf8(json).unwrap();
    Event::from_json(text).expect("a viewer sees AG-UI only");
    let mut event: Value = serde_json::from_str(text).unwrap();
    event.as_object_mut().unwrap().remove("timestamp");
    event
}

pub(crate) fn types(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["type"].as_str().unwrap()).collect()
}

/// All text that was said, messages apart.
pub(crate) fn text(events: &[Value]) -> String {
    let said = events.iter().filter(|event| event["type"] == "TEXT_MESSAGE_CONTENT");
    said.map(|event| event["delta"].as_str().unwrap()).collect()
}

/// The question that the run ended with.
pub(crate) fn question(events: &[Value]) -> Value {
    let last = events.last().unwrap();
    assert_eq!(last["outcome"]["type"], "interrupt", "{last}");
    last["outcome"]["interrupts"][0].clone()
}

pub(crate) fn question_id(events: &[Value]) -> String {
    question(events)["id"].as_str().unwrap().to_owned()
}

/// Code and sentence of the error that the run ended with.
pub(crate) fn error(events: &[Value]) -> (String, String) {
    let last = events.last().unwrap();
    assert_eq!(last["type"], "RUN_ERROR", "{last}");
    (last["code"].as_str().unwrap().to_owned(), last["message"].as_str().unwrap().to_owned())
}

pub(crate) fn find<'a>(events: &'a [Value], kind: &str) -> &'a Value {
    events.iter().find(|event| event["type"] == kind).unwrap_or_else(|| panic!("no {kind} in {events:#?}"))
}

pub(crate) async fn state(stage: &Stage) -> Value {
    let thread = stage.thread(OWNER, &"t1".into()).await.unwrap();
    stage.conversation(&thread, None).await.unwrap().state
}

/// The conversation as pairs of role and content.
pub(crate) async fn conversation(stage: &Stage) -> Vec<Value> {
    let thread = stage.thread(OWNER, &"t1".into()).await.unwrap();
    let messages = stage.conversation(&thread, None).await.unwrap().messages;
    let values = messages.iter().map(|message| serde_json::to_value(message).unwrap());
    values.map(|message| json!([message["role"], message["content"]])).collect()
}
