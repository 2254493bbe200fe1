//! The conversation as its client has seen it: without calls that nobody has agreed to.

use std::collections::HashSet;

use forestage_protocol::{
    id::ToolCallId,
    interrupt::{Interrupt, ResumeEntry},
    message::Message,
};
use forestage_store::{InterruptQuery, InterruptRecord, Thread};

use super::{call_gate::is_yes, desk::Desk};
use crate::error::ApiError;

impl Desk {
    /// The calls of a thread about which somebody was asked who has not agreed.
    pub(super) async fn refused_calls(&self, thread: &Thread) -> Result<HashSet<ToolCallId>, ApiError> {
        let query = InterruptQuery {
            thread_id: Some(thread.id.clone()),
            decided: true,
            limit: 10_000,
            ..InterruptQuery::of(self.caller.user.as_str())
        };
        let records = self.app.stage.store().interrupts(query).await?;
        Ok(records.iter().filter(|record| !is_agreed(record)).filter_map(call).collect())
    }
}

fn is_agreed(record: &InterruptRecord) -> bool {
    let answer = record.decision.as_ref().and_then(|decision| serde_json::from_slice(&decision.json).ok());
    answer.is_some_and(|answer: ResumeEntry| is_yes(&answer))
}

/// The call that a question is about.
fn call(record: &InterruptRecord) -> Option<ToolCallId> {
    serde_json::from_slice::<Interrupt>(&record.json).ok()?.tool_call_id
}

/// Leaves out calls and their results, and messages in which nothing else is.
pub(super) fn without_calls(messages: Vec<Message>, refused: &HashSet<ToolCallId>) -> Vec<Message> {
    let stays = |message: Message| match message {
        Message::Tool(result) if refused.contains(&result.tool_call_id) => None,
        Message::Assistant(mut message) if message.tool_calls.is_some() => {
            let mut calls = message.tool_calls.take().unwrap_or_default();
            let before = calls.len();
            calls.retain(|call| !refused.contains(&call.id));
            let is_empty = calls.is_empty() && message.content.as_ref().is_none_or(String::is_empty);
            let has_lost = calls.len() < before;
            message.tool_calls = Some(calls).filter(|calls| !calls.is_empty());
            (!(is_empty && has_lost)).then_some(Message::Assistant(message))
        }
        other => Some(other),
    };
    messages.into_iter().filter_map(stays).collect()
}
