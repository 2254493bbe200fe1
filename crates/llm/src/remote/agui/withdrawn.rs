//! Questions of an agent elsewhere that nobody answers any more.
//!
//! Who resumes has to say something to every question, and an agent that keeps its own threads waits until somebody does.
//! So what it asked is remembered with the thread until it has its answer, and what is left when the next turn begins was
//! withdrawn: the run was cancelled, or the answer never arrived and the person moved on.

use std::collections::HashSet;

use forestage_protocol::{
    compat::net,
    id::{InterruptId, MessageId, ToolCallId},
    interrupt::{Interrupt, ResumeEntry, ResumeStatus},
    message::Message,
};
use forestage_runtime::{RunContext, Stop};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::ask::{in_its_shape, is_cancellable};

/// What an agent asked before and was not told anything about.
#[derive(Debug)]
pub(super) struct Withdrawn(Vec<Asked>);

#[derive(Debug, Serialize, Deserialize)]
struct Asked {
    id: InterruptId,
    /// The call that it was about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call: Option<ToolCallId>,
    /// The question in the shape of AGUI.Protocol, if it came in that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    net: Option<net::Interrupt>,
}

impl Asked {
    fn of(interrupt: &Interrupt) -> Self {
        let (id, call) = (interrupt.id.clone(), interrupt.tool_call_id.clone());
        Self { id, call, net: net::Interrupt::of(interrupt) }
    }

    fn cancelled(&self) -> ResumeEntry {
        let entry = ResumeEntry::new(&self.id, ResumeStatus::Cancelled);
        match &self.net {
            Some(asked) => in_its_shape(&asked.clone().into(), entry),
            None => entry,
        }
    }
}

impl Withdrawn {
    /// Remembers what the agent asks now; nothing is what it waits for no more.
    pub(super) async fn remember(ctx: &RunContext, agent: &str, asked: &[Interrupt]) -> Result<(), Stop> {
        // Whoever was invited is not called again on the same thread of its own.
        if ctx.invited_by().is_some() {
            return Ok(());
        }
        let asked = asked.iter().filter(|asked| is_cancellable(&asked.id));
        let asked: Vec<_> = asked.map(Asked::of).collect();
        let value = if asked.is_empty() { Value::Null } else { json!(asked) };
        ctx.remember(&name(agent), &value).await
    }

    /// What is left from before. A run that goes on with answers has none.
    pub(super) fn of(ctx: &RunContext, agent: &str) -> Option<Self> {
        if ctx.is_replaying() || ctx.invited_by().is_some() {
            return None;
        }
        let asked: Vec<Asked> = serde_json::from_value(ctx.remembered(&name(agent))?).ok()?;
        Some(Self(asked)).filter(|asked| !asked.0.is_empty())
    }

    /// What the agent is told.
    pub(super) fn entries(&self) -> Vec<ResumeEntry> {
        self.0.iter().map(Asked::cancelled).collect()
    }

    /// The conversation as it stood when it was asked: the agent says itself what came of its calls.
    pub(super) fn before(&self, ctx: &RunContext, conversation: Vec<Message>) -> Vec<Message> {
        let new: HashSet<&MessageId> = ctx.input().messages.iter().map(Message::id).collect();
        let is_answer = |message: &Message| match message {
            Message::Tool(result) => {
                self.0.iter().any(|asked| asked.call.as_ref() == Some(&result.tool_call_id))
            }
            _ => false,
        };
        conversation
            .into_iter()
            .filter(|message| !new.contains(message.id()) && !is_answer(message))
            .collect()
    }
}

/// A conversation in which what the agent said to the withdrawal stands before what the person said next, which is what it
/// has to answer.
pub(super) fn in_turn(ctx: &RunContext, conversation: Vec<Message>, first: &[MessageId]) -> Vec<Message> {
    let new = &ctx.input().messages;
    let is_new = |message: &Message| new.iter().any(|new| new.id() == message.id());
    let Some(at) = conversation.iter().position(is_new).filter(|_| !first.is_empty()) else {
        return conversation;
    };
    let is_first = |message: &&Message| first.contains(message.id());
    let (mut told, rest) = (conversation[..at].to_vec(), &conversation[at..]);
    told.extend(rest.iter().filter(is_first).cloned());
    told.extend(rest.iter().filter(|message| !is_first(message)).cloned());
    told
}

/// Whether a message is the result that the stage gave a call when the question about it was withdrawn.
pub(super) fn is_withdrawal(message: &Message) -> bool {
    message
        .metadata()
        .and_then(|metadata| metadata.get("forestage"))
        .is_some_and(|it| it["failed"] == "cancelled")
}

/// The name under which it is remembered.
fn name(agent: &str) -> String {
    format!("asked:{agent}")
}
