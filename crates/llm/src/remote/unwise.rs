//! Warnings about components that a remote agent has shown.

use forestage_protocol::message::Message;
use forestage_runtime::RunContext;

/// What stands in front of the warnings in the context of an AG-UI agent.
pub(super) const DESCRIPTION: &str = "Warnings about the components that you showed last";

/// What is unwise about the calls that the agent made last, a line each. `None` if nothing is.
pub(super) fn warnings(ctx: &RunContext, conversation: &[Message]) -> Option<String> {
    let last = conversation.iter().rposition(|message| matches!(message, Message::Assistant(_)))?;
    let is_heard = |message: &Message| matches!(message, Message::User(_) | Message::Tool(_));
    let first = conversation[..last].iter().rposition(is_heard).map_or(0, |at| at + 1);
    let warned = ctx.warned_calls(&conversation[first..=last]);
    let lines: Vec<_> = warned.iter().map(|call| format!("`{}`: {}", call.name, call.message)).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}
