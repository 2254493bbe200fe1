//! Calls of our tools by the agent, while its answer comes in.

use std::collections::HashMap;

use forestage_runtime::{AgentError, OutsideCall, RunContext, Used};
use serde_json::Value;

/// The calls of a run that came with a key.
#[derive(Default)]
pub(super) struct Made(HashMap<String, Call>);

struct Call {
    name: String,
    arguments: Value,
    used: Used,
}

impl Made {
    /// Makes a call, once for each key. Where a person has to decide, the run ends.
    pub(super) async fn make(&mut self, ctx: &RunContext, call: OutsideCall) -> Result<(), AgentError> {
        let known = call.key.as_ref().and_then(|key| self.0.get(key));
        if let Some(known) = known {
            match known.name == call.name && known.arguments == call.arguments {
                true => call.answer(known.used.clone()),
                false => call.refuse("idempotency_conflict", "this key belongs to another call"),
            }
            return Ok(());
        }
        match ctx.use_tool(&call.name, call.arguments.clone()).await {
            Ok(used) => {
                if let Some(key) = call.key.clone() {
                    let (name, arguments) = (call.name.clone(), call.arguments.clone());
                    self.0.insert(key, Call { name, arguments, used: used.clone() });
                }
                call.answer(used);
                Ok(())
            }
            Err(stop) => {
                call.stopped(&stop);
                Err(stop.into())
            }
        }
    }
}
