//! A provider with a script, and a stage with an agent that asks it.

use std::{sync::Arc, time::Duration};

use forestage_llm::{
    agent_file::{self, Setup},
    model::{Key, Kind, Model, ModelError, Patience, Piece, Prompt, Provider, Said, Target, Turn},
    model_server::{ModelServer, Script},
};
use forestage_protocol::{
    input::RunAgentInput,
    interrupt::{ResumeEntry, ResumeStatus},
    message::{Message, UserMessage},
};
use forestage_runtime::{Agents, Conversation, Limits, Stage, StartRun};
use futures_util::StreamExt;
use serde_json::Value;

pub(crate) const KEY: &str = "sk-test-0123456789";

/// A provider that plays this script.
pub(crate) async fn server(script: &str) -> ModelServer {
    let script = Script::parse("script", script).unwrap_or_else(|errors| panic!("{errors:?}"));
    ModelServer::bind("127.0.0.1:0", script).await.unwrap()
}

/// A model of that provider, which waits hardly at all.
pub(crate) fn model(server: &ModelServer, kind: Kind) -> Provider {
    named(server, kind, "test-model")
}

/// The same under another name.
pub(crate) fn named(server: &ModelServer, kind: Kind, name: &str) -> Provider {
    let mut target = Target::new(kind, "testers", name);
    target.url = Some(format!("{}/{}", server.url(), kind.path()));
    target.key = Some(Key::new(KEY));
    target.timeout = Duration::from_millis(400);
    target.patience = Patience { first: Duration::from_millis(5), ..Patience::default() };
    Provider::new(target).unwrap()
}

pub(crate) fn prompt(text: &str) -> Prompt {
    let turns = vec![Turn::Person(vec![Said::Text(text.to_owned())])];
    Prompt { instructions: "Be brief.".to_owned(), turns, ..Prompt::default() }
}

/// Everything that a model answers, and how it failed if it did.
pub(crate) async fn ask(model: &dyn Model, prompt: &Prompt) -> (Vec<Piece>, Option<ModelError>) {
    let mut pieces = match model.ask(prompt).await {
        Ok(pieces) => pieces,
        Err(error) => return (Vec::new(), Some(error)),
    };
    let mut said = Vec::new();
    while let Some(piece) = pieces.next().await {
        match piece {
            Ok(piece) => said.push(piece),
            Err(error) => return (said, Some(error)),
        }
    }
    (said, None)
}

/// The text in some pieces.
pub(crate) fn text(pieces: &[Piece]) -> String {
    let text = |piece: &Piece| if let Piece::Text(text) = piece { Some(text.clone()) } else { None };
    pieces.iter().filter_map(text).collect()
}

/// A stage with agents made of files, by name; their models are at this server.
pub(crate) async fn stage(server: &ModelServer, files: &[(&str, &str)]) -> Arc<Stage> {
    stage_among(server, files, Agents::new()).await
}

/// The same beside other agents.
pub(crate) async fn stage_among(server: &ModelServer, files: &[(&str, &str)], others: Agents) -> Arc<Stage> {
    stage_on("memory:", server, files, others).await
}

/// The same on a store of its own.
pub(crate) async fn stage_on(
    store: &str,
    server: &ModelServer,
    files: &[(&str, &str)],
    others: Agents,
) -> Arc<Stage> {
    let store = forestage_store::open(store).await.unwrap();
    let stage = Stage::new(store, Agents::new(), Limits::default());
    let find = Arc::downgrade(&stage);
    let setup = Setup {
        model_url: Some(server.url()),
        others: files.iter().map(|(name, _)| (*name).to_owned()).chain(others.keys().cloned()).collect(),
        find: Arc::new(move |name| find.upgrade()?.agents().get(name).cloned()),
        ..Setup::default()
    };
    let agent = |(name, text): &(&str, &str)| {
        let agent = agent_file::parse(name, text, &setup).unwrap_or_else(|errors| panic!("{errors:?}"));
        ((*name).to_owned(), Arc::new(agent) as Arc<dyn forestage_runtime::Agent>)
    };
    stage.set_agents(files.iter().map(agent).chain(others).collect());
    stage
}

pub(crate) fn says(run: &str, text: &str) -> RunAgentInput {
    let message = Message::from(UserMessage::new(format!("{run}-said"), text));
    RunAgentInput::new("t", run, vec![message])
}

/// An input that answers a question.
pub(crate) fn answers(run: &str, question: &str, payload: Value) -> RunAgentInput {
    let mut entry = ResumeEntry::new(question, ResumeStatus::Resolved);
    entry.payload = Some(payload.into());
    let mut input = RunAgentInput::new("t", run, vec![]);
    input.resume = Some(vec![entry]);
    input
}

/// Runs an agent to the end of its run: the events as JSON.
pub(crate) async fn run(stage: &Arc<Stage>, agent: &str, input: RunAgentInput) -> Vec<Value> {
    let run = stage.start(StartRun::new(agent, input, "ada")).await.unwrap();
    let mut follower = stage.follow_run(&run.thread_id, &run.run_id, run.before);
    let mut events = Vec::new();
    while let Some(batch) = follower.next().await.unwrap() {
        for entry in batch.entries() {
            let event: Value = serde_json::from_slice(&entry.json).unwrap();
            events.push(event);
        }
    }
    events
}

/// What kinds of events there are, in order, those that follow each other once.
pub(crate) fn kinds(events: &[Value]) -> Vec<&str> {
    let mut kinds: Vec<_> = events.iter().filter_map(|event| event["type"].as_str()).collect();
    kinds.dedup();
    kinds
}

/// The events of one kind.
pub(crate) fn of<'e>(events: &'e [Value], kind: &str) -> Vec<&'e Value> {
    events.iter().filter(|event| event["type"] == kind).collect()
}

/// All that was said in text.
pub(crate) fn said(events: &[Value]) -> String {
    of(events, "TEXT_MESSAGE_CONTENT").iter().filter_map(|event| event["delta"].as_str()).collect()
}

/// The conversation as it stands.
pub(crate) async fn folded(stage: &Arc<Stage>) -> Conversation {
    let thread = stage.thread("ada", &"t".into()).await.unwrap();
    stage.conversation(&thread, None).await.unwrap()
}
