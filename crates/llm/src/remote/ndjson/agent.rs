//! The agent that stands here for one elsewhere.

use std::{sync::Arc, time::Duration};

use forestage_protocol::message::Message;
use forestage_runtime::{
    About, Agent, AgentError, BoxFuture, Calls, RunContext, house::HouseRules, tool::Tools,
};
use reqwest::Client;
use serde_json::{Value, json};

use super::{calls::Made, event::Line, say::Part};
use crate::{
    lines::{Cut, LineError, Lines, MAX_LINE},
    remote::{
        refused::{Corrections, RefusedCalls},
        unwise,
    },
};

/// How long an agent may take to answer the phone.
const CONNECT: Duration = Duration::from_secs(10);

/// So much of what an agent says when it refuses is logged.
const MAX_REFUSAL: usize = 300;

/// Where an agent is, and what it may do.
#[derive(Clone, Debug, Default)]
pub struct NdjsonConfig {
    /// Its address, without `/run`.
    pub url: String,
    /// What it does, for people.
    pub description: String,
    /// Sent along as a bearer token, so that the agent knows who calls.
    pub token: Option<String>,
    /// The tools of ours that it may call.
    pub tools: Arc<Tools>,
    /// What it may do and say.
    pub house: Arc<HouseRules>,
}

/// An agent elsewhere that answers with one JSON event a line. See [the module](super).
#[derive(Debug)]
pub struct Ndjson {
    config: NdjsonConfig,
    client: Client,
}

impl Ndjson {
    /// Stands for the agent at this address.
    pub fn new(config: NdjsonConfig) -> Result<Self, reqwest::Error> {
        let client = Client::builder().connect_timeout(CONNECT).build()?;
        Ok(Self { config, client })
    }

    async fn call(&self, body: &Value) -> Result<Lines, AgentError> {
        let url = format!("{}/run", self.config.url.trim_end_matches('/'));
        let mut request =
            self.client.post(url).header("content-type", "application/json").body(body.to_string());
        if let Some(token) = &self.config.token {
            request = request.bearer_auth(token);
        }
        let response = request.send().await.map_err(|error| {
            AgentError::new("agent_unreachable", format!("the agent cannot be reached: {}", reason(&error)))
        })?;
        let status = response.status();
        if status.is_success() {
            return Ok(Lines::new(response));
        }
        // What it says is for whoever runs it, and not for people on the other side.
        let told = response.text().await.unwrap_or_default();
        let told: String = told.chars().take(MAX_REFUSAL).collect();
        tracing::warn!(%status, %told, "a remote agent refused to run");
        Err(AgentError::new("agent_refused", format!("the agent answered {status}")))
    }

    /// Calls the agent, and again while it has components to correct.
    async fn perform(&self, ctx: RunContext) -> Result<(), AgentError> {
        let (mut calls, mut made) = (ctx.take_calls(), Made::default());
        let (mut part, mut corrections) = (Part::new(&ctx), Corrections::default());
        let mut told = body(&ctx, ctx.turn_messages());
        loop {
            self.hear(&ctx, &told, &mut calls, &mut made, &mut part).await?;
            let refused = part.take_refused();
            if refused.is_empty() {
                return Ok(());
            }
            let conversation = ctx.conversation().await?;
            corrections.note(RefusedCalls::of(&ctx, &conversation, refused).as_ref())?;
            told = body(&ctx, &corrections.tell(conversation));
        }
    }

    /// Has the agent answer, and says what it says.
    async fn hear(
        &self,
        ctx: &RunContext,
        told: &Value,
        calls: &mut Calls,
        made: &mut Made,
        part: &mut Part<'_>,
    ) -> Result<(), AgentError> {
        let mut lines = {
            // Who calls back while it still makes up its answer is heard as well.
            let mut calling = std::pin::pin!(self.call(told));
            loop {
                tokio::select! {
                    lines = &mut calling => break lines?,
                    Some(call) = calls.next() => made.make(ctx, call).await?,
                }
            }
        };
        let mut number = 0_u64;
        loop {
            let line = tokio::select! {
                line = lines.next() => line.map_err(lost)?,
                Some(call) = calls.next() => {
                    part.end_text().await?;
                    made.make(ctx, call).await?;
                    continue;
                }
            };
            number += 1;
            let Some(line) = line else {
                part.end_text().await?;
                return Err(broke_off("its answer has neither RUN_FINISHED nor RUN_ERROR"));
            };
            if part.line(read(&line, number)?).await? {
                return part.end_text().await;
            }
        }
    }
}

/// The agent did not say all that it had to say.
fn broke_off(why: &str) -> AgentError {
    AgentError::new("agent_unreachable", format!("the agent broke off: {why}"))
}

fn lost(error: LineError) -> AgentError {
    match error {
        LineError::BrokeOff(why) => broke_off(&why),
        LineError::TooLong => {
            let text = format!("the agent sent a line of more than {MAX_LINE} bytes");
            AgentError::new("invalid_agent_event", text)
        }
    }
}

/// Reads a line. One that the end of the answer cut off is nobody's mistake but the connection's.
fn read(line: &Cut, number: u64) -> Result<Line, AgentError> {
    Line::read(&line.bytes).map_err(|error| match line.is_whole || !error.is_cut() {
        true => AgentError::new("invalid_agent_event", format!("line {number} of the agent: {error}")),
        false => broke_off(&format!("line {number} of its answer is cut off")),
    })
}

impl Agent for Ndjson {
    fn about(&self) -> About {
        About::new(&self.config.description)
    }

    fn tools(&self) -> Arc<Tools> {
        self.config.tools.clone()
    }

    fn house(&self) -> Arc<HouseRules> {
        self.config.house.clone()
    }

    fn run(&self, ctx: RunContext) -> BoxFuture<'_, Result<(), AgentError>> {
        Box::pin(self.perform(ctx))
    }
}

/// What the agent is told with this conversation.
fn body(ctx: &RunContext, messages: &[Message]) -> Value {
    let mut context = ctx.context();
    context.entry("ui").or_insert_with(|| json!({}));
    context.entry("state").or_insert_with(|| ctx.state());
    if let Some(warnings) = unwise::warnings(ctx, messages) {
        context.insert("componentWarnings".to_owned(), warnings.into());
    }
    // What people see beside the conversation was not said by anybody.
    let heard = messages.iter().filter(|message| !matches!(message, Message::Activity(_)));
    json!({
        "threadId": ctx.thread_id(),
        "runId": ctx.run_id(),
        "message": ctx.last_user_text().unwrap_or_default(),
        "messages": heard.map(without_notes).collect::<Vec<_>>(),
        "context": context,
        "tools": ctx.tools().as_agui(),
        "userId": ctx.owner(),
    })
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

/// Why a request failed, with what is behind it.
fn reason(error: &reqwest::Error) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(inner) = source {
        text = inner.to_string();
        source = inner.source();
    }
    text
}
