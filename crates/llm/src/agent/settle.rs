//! What comes of the calls of a turn.

use std::sync::Arc;

use forestage_runtime::{
    Agent, AgentError, RunContext, Stop, Used,
    tool::{ClientTools, ToolError},
};
use serde_json::json;

use super::{
    ModelAgent,
    answer::Answer,
    call::{Called, error_text},
    offer::Road,
};
use crate::model::CallResult;

/// What became of the calls of a turn.
pub(super) enum Settled {
    /// All have results.
    Results(Vec<CallResult>),
    /// Some wait for the client.
    Pending,
    /// Somebody else goes on.
    HandedOver(Arc<dyn Agent>),
}

impl ModelAgent {
    /// What is ours to do is done: first what nobody has to be asked about, then the tools, all at once, so that people are
    /// asked about all of them together.
    pub(super) async fn settle(&self, ctx: &RunContext, answer: &Answer) -> Result<Settled, AgentError> {
        let calls = &answer.calls;
        let mut results: Vec<Option<String>> = Vec::new();
        for call in calls {
            results.push(self.settle_own(ctx, call).await?);
        }
        for (at, used) in self.ask_all(ctx, calls).await?.into_iter().enumerate() {
            results[at] = used.as_ref().map(text_of).or(results[at].take());
        }
        let is_open = |(at, call): &(usize, &Called)| call.road == Road::Tool && results[*at].is_none();
        let (places, shown): (Vec<_>, Vec<_>) =
            calls.iter().enumerate().filter(is_open).map(|(at, call)| (at, call.as_shown())).unzip();
        for (at, used) in places.into_iter().zip(ctx.use_shown(shown).await?) {
            results[at] = Some(text_of(&used));
        }
        if let Some(other) = self.handed_over(ctx, calls).await? {
            return Ok(Settled::HandedOver(other));
        }
        let results: Option<Vec<_>> =
            calls.iter().zip(results).map(|(call, text)| Some(self.result(call, text?))).collect();
        Ok(results.map_or(Settled::Pending, Settled::Results))
    }

    fn result(&self, call: &Called, text: String) -> CallResult {
        CallResult { id: call.id.clone(), name: super::offer::wire_name(&call.name), text }
    }

    /// What needs neither a tool nor the client.
    async fn settle_own(&self, ctx: &RunContext, call: &Called) -> Result<Option<String>, Stop> {
        if let Some(outcome) = &call.outcome {
            // What is drawn has its result from the stage; what is not shown needs none.
            if call.is_shown() && call.road != Road::Draw {
                let told = ToolError::new("invalid_arguments", "the arguments are no JSON object");
                let _ = ctx.answer_shown(&call.as_shown(), async |_| Ok(Err(told))).await?;
            }
            return Ok(Some(outcome.clone()));
        }
        match (call.road, &self.part.state) {
            (Road::State, Some(state)) => {
                let used = ctx
                    .answer_shown(&call.as_shown(), async |arguments| {
                        state.call(ctx, &call.name, arguments).await
                    })
                    .await?;
                Ok(Some(text_of(&used)))
            }
            (Road::Handoff, _) => {
                let told = Ok(json!({ "status": "transferred" }).to_string());
                let used = ctx.answer_shown(&call.as_shown(), async |_| Ok(told)).await?;
                Ok(Some(text_of(&used)))
            }
            (Road::Client, _) => match misfit(ctx, call) {
                Some(error) => {
                    let used = ctx.answer_shown(&call.as_shown(), async |_| Ok(Err(error))).await?;
                    Ok(Some(text_of(&used)))
                }
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }
}

/// Why the client could do nothing with a call. Components were judged before they were shown.
fn misfit(ctx: &RunContext, call: &Called) -> Option<ToolError> {
    let offered = ClientTools::new(ctx.input().tools.as_deref().unwrap_or_default());
    offered.get(&call.name)?;
    offered.check(&call.name, &call.arguments_or_empty()).err()
}

fn text_of(used: &Used) -> String {
    match used {
        Ok(text) => text.clone(),
        Err(error) => error_text(error),
    }
}
