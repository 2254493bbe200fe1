//! Asking: other agents do a part of the work, all at the same time, and their answers come back as results.

use forestage_runtime::{AgentError, RunContext, Stop, Used, tool::ToolError};
use futures_util::future::join_all;
use serde_json::Value;

use super::{ModelAgent, call::Called, offer::Road};

/// What names of tools begin with that ask another agent.
pub(super) const ASK: &str = "ask_";

impl ModelAgent {
    /// Asks all who are called for, and waits until all are done: one that has to ask a person ends the run, but not the
    /// others' work. Results stand in the order of the calls, and calls that ask nobody have none.
    pub(super) async fn ask_all(
        &self,
        ctx: &RunContext,
        calls: &[Called],
    ) -> Result<Vec<Option<Used>>, AgentError> {
        let asked = join_all(calls.iter().map(|call| async move {
            match call.road == Road::Ask && call.outcome.is_none() {
                true => self.ask_one(ctx, call).await.map(Some),
                false => Ok(None),
            }
        }))
        .await;
        // What makes the run fail goes before what makes it wait.
        if let Some(stop) = asked.iter().filter_map(|it| it.as_ref().err()).find(|stop| **stop != Stop::Asked)
        {
            return Err(stop.clone().into());
        }
        Ok(asked.into_iter().collect::<Result<_, _>>()?)
    }

    async fn ask_one(&self, ctx: &RunContext, call: &Called) -> Result<Used, Stop> {
        let name = call.name.trim_start_matches(ASK);
        let shown = call.as_shown();
        ctx.answer_shown(&shown, async |arguments| {
            let Some(task) = arguments.get("task").and_then(Value::as_str) else {
                let error = ToolError::new("invalid_arguments", "`task` is a text").at("arguments.task");
                return Ok(Err(error));
            };
            match (self.find)(name) {
                Some(other) => ctx.invite(&*other, name, &shown, task).await,
                None => Ok(Err(ToolError::new("unknown_agent", format!("there is no agent `{name}`")))),
            }
        })
        .await
    }
}
