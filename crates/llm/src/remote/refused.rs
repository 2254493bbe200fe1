//! Components of a remote agent that are not shown, and what the agent is told of them.
//!
//! A call that does not fit the schema of its component never reaches the log. The agent is called again with that call
//! and an error as its result, as a model is, so that it can correct itself. Only the agent reads these messages.

use forestage_protocol::{
    id::{MessageId, ToolCallId},
    message::{AssistantMessage, Message, ToolMessage},
    tool::{FunctionCall, ToolCall, ToolCallType},
};
use forestage_runtime::{AgentError, RunContext, tool::ToolError};
use serde::{Deserialize, Serialize};

use crate::agent::error_text;

/// So many answers in a row may have components that are refused. The next one ends the run with the error.
const MAX_CORRECTIONS: usize = 3;

/// A call that was refused.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct RefusedCall {
    pub(super) id: ToolCallId,
    pub(super) name: String,
    /// The arguments as the agent wrote them, valid JSON or not.
    pub(super) arguments: String,
    /// The error as the agent is told.
    told: String,
    code: String,
    pub(super) message: String,
}

impl RefusedCall {
    /// The call of a tool with these arguments, and why it is not shown.
    pub(super) fn new(id: ToolCallId, name: &str, arguments: &str, error: &ToolError) -> Self {
        Self {
            id,
            name: name.to_owned(),
            arguments: arguments.to_owned(),
            told: error_text(error),
            code: error.code.clone(),
            message: error.message.clone(),
        }
    }

    fn error(&self) -> AgentError {
        AgentError::new(&self.code, self.message.clone())
    }
}

/// The refused calls of one answer, and their place in the conversation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct RefusedCalls {
    /// The message behind which they stand.
    after: Option<MessageId>,
    /// The message that carries them.
    carrier: MessageId,
    calls: Vec<RefusedCall>,
}

impl RefusedCalls {
    /// The refused calls of an answer that has ended with this conversation. `None` if nothing was refused.
    pub(super) fn of(ctx: &RunContext, conversation: &[Message], calls: Vec<RefusedCall>) -> Option<Self> {
        let after = conversation.last().map(|message| message.id().clone());
        (!calls.is_empty()).then(|| Self { after, carrier: ctx.new_id("m").into(), calls })
    }

    /// The calls.
    pub(super) fn calls(&self) -> &[RefusedCall] {
        &self.calls
    }

    /// The message with the calls, and the errors that are their results.
    fn messages(&self) -> Vec<Message> {
        let call = |call: &RefusedCall| {
            let function = FunctionCall::new(&call.name, &call.arguments);
            ToolCall::new(&call.id, ToolCallType::Function, function)
        };
        let mut carrier = AssistantMessage::new(&self.carrier);
        carrier.tool_calls = Some(self.calls.iter().map(call).collect());
        let results = self.calls.iter().enumerate().map(|(at, call)| {
            let mut result = ToolMessage::new(format!("{}-{at}", self.carrier), call.told.as_str(), &call.id);
            result.error = Some(call.message.clone());
            result.into()
        });
        std::iter::once(carrier.into()).chain(results).collect()
    }
}

/// Everything of one run that was refused.
#[derive(Debug, Default)]
pub(super) struct Corrections {
    all: Vec<RefusedCalls>,
    in_a_row: usize,
}

impl Corrections {
    /// Notes what was refused of an answer. Fails where the agent does not correct itself.
    pub(super) fn note(&mut self, refused: Option<&RefusedCalls>) -> Result<(), AgentError> {
        let Some(refused) = refused else {
            self.in_a_row = 0;
            return Ok(());
        };
        self.in_a_row += 1;
        match refused.calls.first().filter(|_| self.in_a_row > MAX_CORRECTIONS) {
            Some(call) => Err(call.error()),
            None => {
                self.all.push(refused.clone());
                Ok(())
            }
        }
    }

    /// A conversation with the refused calls where the agent made them.
    pub(super) fn tell(&self, mut conversation: Vec<Message>) -> Vec<Message> {
        // The last first: those behind the same message then stand in their order.
        for refused in self.all.iter().rev() {
            let at = conversation.iter().rposition(|message| Some(message.id()) == refused.after.as_ref());
            let at = at.map_or(conversation.len(), |at| at + 1);
            conversation.splice(at..at, refused.messages());
        }
        conversation
    }

    /// Whether a call of this id was refused in this run.
    pub(super) fn has(&self, id: &str) -> bool {
        self.all.iter().flat_map(RefusedCalls::calls).any(|call| call.id.as_str() == id)
    }
}
