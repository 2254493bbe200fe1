//! Handing over: another agent goes on, and is the one that the person talks to from then on.

use std::sync::Arc;

use forestage_runtime::{Agent, AgentError, RunContext};
use serde_json::{Value, json};

use super::{ModelAgent, call::Called, offer::Road};

/// The member of the state that names who speaks.
const CURRENT: &str = "currentAgent";

/// What names of tools begin with that hand over.
pub(super) const TRANSFER: &str = "transfer_to_";

impl ModelAgent {
    /// The agent that the person talks to, if that is one that this one may hand over to.
    pub(super) fn current(&self, ctx: &RunContext) -> Option<Arc<dyn Agent>> {
        // Whoever is invited speaks for itself, whomever the person talks to.
        if ctx.invited_by().is_some() {
            return None;
        }
        let state = ctx.state();
        let name = state.get(CURRENT)?.as_str()?;
        let may = self.part.handoffs.iter().any(|handoff| handoff == name);
        if may { (self.find)(name) } else { None }
    }

    /// Whoever was called for. The first counts.
    pub(super) async fn handed_over(
        &self,
        ctx: &RunContext,
        calls: &[Called],
    ) -> Result<Option<Arc<dyn Agent>>, AgentError> {
        let Some(call) = calls.iter().find(|call| call.road == Road::Handoff) else { return Ok(None) };
        let name = call.name.trim_start_matches(TRANSFER);
        let Some(other) = (self.find)(name) else {
            return Err(AgentError::new(
                "unknown_agent",
                format!("there is no agent `{name}` to hand over to"),
            ));
        };
        if ctx.invited_by().is_some() {
            return Ok(Some(other));
        }
        ctx.update_state(|state| {
            if !state.is_object() {
                *state = json!({});
            }
            state[CURRENT] = Value::from(name);
        })
        .await?;
        Ok(Some(other))
    }
}
