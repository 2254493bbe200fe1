//! Who opened what: a continuation may leave the tag out, but not contradict it.

use super::{Rule, Violation};
use crate::id::SubagentRunId;

/// A subagent, or the parent agent.
pub(super) type Owner = Option<SubagentRunId>;

/// Refuses a tag that differs from the owner on record. No tag never differs.
pub(super) fn check(
    event: &str,
    tag: Option<&SubagentRunId>,
    owner: Option<&Owner>,
    kind: &str,
    id: &str,
) -> Result<(), Violation> {
    let (Some(tag), Some(owner)) = (tag, owner) else {
        return Ok(());
    };
    if owner.as_ref() == Some(tag) {
        return Ok(());
    }
    let message = format!(
        "{event} for {kind} `{id}`: subagentRunId `{tag}` does not match the opener's, {}",
        name(owner.as_ref())
    );
    Err(Violation::new(Rule::OwnerMismatch, message))
}

pub(super) fn name(owner: Option<&SubagentRunId>) -> String {
    owner.map_or_else(|| "the parent agent".to_owned(), |id| format!("subagent `{id}`"))
}
