//! Withdrawing all that a run waits for: what cancelling means for a run that has ended with questions.
//!
//! A run follows that carries the questions in as cancelled and ends at once as cancelled, too. The agent is not called,
//! and a call that was asked about gets a result that says so, because a conversation needs one.

use std::sync::Arc;

use forestage_protocol::{
    event::{Event, ToolCallResult},
    id::{RunId, ToolCallId},
    input::RunAgentInput,
    interrupt::{ResumeEntry, ResumeStatus},
    message::Message,
};
use forestage_store::{InterruptRecord, Thread, Viewer};
use serde_json::json;

use super::{Decider, question, recorded};
use crate::{Stage, context::Core, error::Refusal, run::StartRun};

/// What the run that withdraws the questions is called.
const CANCELLED: &str = "-cancelled";

impl Stage {
    /// Withdraws what the head of a thread waits for. Says whether it waited for anything.
    pub(crate) async fn withdraw(self: &Arc<Self>, thread: &Thread, run_id: &RunId) -> Result<bool, Refusal> {
        let records = self.questions(thread).await?;
        let asked: Vec<_> = records.iter().filter(|record| record.run_id == *run_id).collect();
        let waits = asked.iter().any(|record| !is_carried(record));
        if thread.head.as_ref() != Some(run_id) || !waits {
            return Ok(false);
        }
        let resume = asked.iter().map(|record| recorded(record).unwrap_or_else(|| cancelled(record)));
        let next = RunId::from(format!("{run_id}{CANCELLED}"));
        let input = RunAgentInput {
            resume: Some(resume.collect()),
            ..RunAgentInput::new(&thread.id, &next, Vec::new())
        };
        // Whoever asked for something may stop asking, whoever may decide about it.
        let roles = vec![Viewer::EVERY_ROLE.to_owned()];
        let decider = Decider { user: thread.owner.clone(), roles, origin: "cancel".to_owned() };
        let agent = &asked[0].agent;
        let request =
            StartRun { decider: Some(decider), withdraw: true, ..StartRun::new(agent, input, &thread.owner) };
        self.start(request).await?;
        Ok(true)
    }
}

fn is_carried(record: &InterruptRecord) -> bool {
    record.decision.as_ref().is_some_and(|decision| decision.run_id.is_some())
}

fn cancelled(record: &InterruptRecord) -> ResumeEntry {
    ResumeEntry::new(record.id.clone(), ResumeStatus::Cancelled)
}

/// The calls that were asked about.
pub(crate) fn calls<'r>(records: impl Iterator<Item = &'r InterruptRecord>) -> Vec<ToolCallId> {
    records.filter_map(|record| question(record).ok()?.tool_call_id).collect()
}

/// What the conversation says of a call that nobody decides about any more.
pub(crate) fn result(core: &Core, number: usize, call: &ToolCallId) -> Option<Event> {
    let is_told =
        |message: &Message| matches!(message, Message::Tool(result) if result.tool_call_id == *call);
    if core.messages.iter().any(is_told) {
        return None;
    }
    let text = "the question about this call was withdrawn, so it is not called";
    let error = json!({ "error": { "code": "cancelled", "message": text } }).to_string();
    let mut event = ToolCallResult::new(format!("{}-r{number}", core.id_prefix), call, error.as_str());
    event
        .base
        .metadata
        .get_or_insert_default()
        .insert("forestage".to_owned(), json!({ "failed": "cancelled" }));
    Some(event.into())
}
