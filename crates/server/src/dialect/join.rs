//! Joining: a client of an event stream sees a run that somebody else began, at whatever door.
//!
//! | the client | sees |
//! |---|---|
//! | says nothing new on a thread where a run is under way or waits | that run, from its beginning |
//! | asks with `?follow=true` | the same; where no run is open, the next one that begins |
//! | asks with `?after=RUN` | the run that began next after that one, as soon as there is one |
//!
//! A stream is one run, as the contracts have it. Who asks with the id of the run that was shown last misses none.

use axum::response::Response;
use forestage_protocol::{
    id::{InterruptId, RunId, ThreadId},
    input::RunAgentInput,
    message::Message,
};
use forestage_runtime::Follower;
use forestage_store::{RunRecord, Seq, Thread, ThreadStatus};
use serde::Deserialize;

use super::{
    Encode, agent,
    door::{before, find, object_of, pending},
    stream::{respond, respond_when_there},
};
use crate::{app::App, auth::Visitor, error::ApiError};

/// What may stand in the address of a door whose answer is an event stream.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StreamQuery {
    /// The agent to talk to.
    agent: Option<String>,
    /// Whether the client wants to see a run, and to begin none.
    #[serde(default)]
    follow: bool,
    /// The run behind which it wants to see one.
    after: Option<RunId>,
}

/// What a request is about.
pub(super) enum Wanted {
    /// A run that somebody else began.
    Shown(Response),
    /// A run of its own, of this agent.
    Run(String, Box<RunAgentInput>),
}

impl Wanted {
    /// Reads a request at a door for which this agent is configured, and whose dialect has these ways to read and to
    /// write.
    pub(super) async fn read<E: Encode + Send + 'static>(
        app: &App,
        caller: &Visitor,
        (query, body): (StreamQuery, &str),
        configured: Option<&String>,
        decode: fn(&str) -> Result<RunAgentInput, ApiError>,
        encoder: fn(&Joined) -> E,
    ) -> Result<Self, ApiError> {
        if query.follow || query.after.is_some() {
            let next = next(app, caller, &query, body).await?;
            return Ok(Self::Shown(respond_when_there(app, next, encoder)));
        }
        let agent = agent(app, query.agent, configured)?;
        let input = decode(body)?;
        Ok(match joined(app, caller, &input).await? {
            Some(joined) => Self::Shown(respond(app, encoder(&joined), &[], Some(joined.follower))),
            None => Self::Run(agent, Box::new(input)),
        })
    }
}

/// A run that somebody else began.
pub(super) struct Joined {
    pub(super) follower: Follower,
    /// If it waits: what still has no answer.
    pub(super) waits_for: Option<Vec<InterruptId>>,
}

/// The run that is open on the thread of an input, if the input says nothing that is not known there.
async fn joined(app: &App, caller: &Visitor, input: &RunAgentInput) -> Result<Option<Joined>, ApiError> {
    let Some(thread) = find(app, caller, &input.thread_id).await? else { return Ok(None) };
    let Some(open) = open_run(app, &thread).await? else { return Ok(None) };
    // The same request again is answered by what it began.
    let answers = input.resume.as_ref().is_some_and(|answers| !answers.is_empty());
    let is_new = open.run_id != input.run_id && !answers;
    match is_new && says_nothing(app, &thread, input).await? {
        true => Ok(Some(join(app, caller, &thread, &open).await?)),
        false => Ok(None),
    }
}

/// Whether everything in an input is known on its thread.
async fn says_nothing(app: &App, thread: &Thread, input: &RunAgentInput) -> Result<bool, ApiError> {
    let known = app.stage.conversation(thread, None).await?;
    let is_known = |said: &Message| known.messages.iter().any(|message| message.id() == said.id());
    let state = input.state.as_ref().and_then(|state| state.to_value().ok()).unwrap_or_default();
    let same_state = state.is_null() || state == serde_json::json!({}) || state == known.state;
    Ok(same_state && input.messages.iter().all(is_known))
}

/// A run to be shown, as soon as there is one.
pub(super) struct Next {
    app: App,
    caller: Visitor,
    thread_id: ThreadId,
    /// The place behind which it begins, and when the thread was created that the place is on.
    place: (Option<i64>, Seq),
}

/// What a client that begins nothing wants to see. Its body need not say more than the thread.
async fn next(app: &App, caller: &Visitor, query: &StreamQuery, body: &str) -> Result<Next, ApiError> {
    let body = object_of(body, "body")?;
    let thread_id = body.get("threadId").and_then(|id| id.as_str()).filter(|id| !id.is_empty());
    let missing = || ApiError::bad_request("missing_field", "which thread?").at("threadId");
    let thread_id = ThreadId::from(thread_id.ok_or_else(missing)?);
    let thread = find(app, caller, &thread_id).await?;
    let behind = match (&thread, &query.after) {
        (_, Some(seen)) => app.stage.run(&caller.user, &thread_id, seen).await?.first,
        (Some(thread), None) => open_run(app, thread).await?.as_ref().map_or(thread.tail, before),
        (None, None) => Seq::START,
    };
    let place = (thread.map(|thread| thread.created_at), behind);
    Ok(Next { app: app.clone(), caller: caller.clone(), thread_id, place })
}

impl Next {
    /// Waits for the run. Nothing if the server ends.
    pub(super) async fn wait(self) -> Result<Option<Joined>, ApiError> {
        let mut news = self.app.stage.store().watch(&self.thread_id);
        loop {
            if let Some(thread) = find(&self.app, &self.caller, &self.thread_id).await? {
                let (created_at, place) = self.place;
                // A thread that was deleted and begun anew has another log.
                let is_same = created_at.is_none_or(|at| at == thread.created_at);
                let place = if is_same { place } else { Seq::START };
                let runs = self.app.stage.store().runs(thread.id.clone()).await?;
                if let Some(run) = runs.iter().find(|run| run.first > place) {
                    return Ok(Some(join(&self.app, &self.caller, &thread, run).await?));
                }
            }
            if !news.changed().await {
                return Ok(None);
            }
        }
    }
}

async fn join(app: &App, caller: &Visitor, thread: &Thread, run: &RunRecord) -> Result<Joined, ApiError> {
    let cursor = app.stage.cursor(thread, before(run));
    let follower = app.stage.follow_run(&thread.id, &run.run_id, cursor);
    let is_waiting = run.end.as_deref() == Some("interrupt") && thread.head.as_ref() == Some(&run.run_id);
    let waits_for = match is_waiting {
        true => Some(pending(app, caller, &thread.id).await?.into_iter().map(|asked| asked.id).collect()),
        false => None,
    };
    Ok(Joined { follower, waits_for })
}

/// The run that is under way on a thread, or waits.
async fn open_run(app: &App, thread: &Thread) -> Result<Option<RunRecord>, ApiError> {
    let is_open = matches!(thread.status, ThreadStatus::Running | ThreadStatus::Waiting);
    match thread.head.clone().filter(|_| is_open) {
        Some(head) => Ok(app.stage.store().run(thread.id.clone(), head).await?),
        None => Ok(None),
    }
}
