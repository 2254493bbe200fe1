//! How a call of an agent elsewhere ended, and what has to happen next.

use forestage_protocol::{
    event::RunFinished,
    interrupt::{Interrupt, ResumeEntry, RunOutcome},
};
use forestage_runtime::{AgentError, ShownCall, Stop};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    ask,
    hear::Hearing,
    judge::{Verdict, judge},
};
use crate::remote::refused::RefusedCalls;

/// How a call of the agent ended.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Ended {
    /// What it asks, with the ids of its calls as they are here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) asked: Vec<Interrupt>,
    /// How long there is to answer each, in milliseconds, where the house says so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) within: Vec<Option<u64>>,
    /// What the house has answered already.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) settled: Vec<ResumeEntry>,
    /// What everybody is told of it.
    #[serde(skip)]
    pub(super) told: Vec<Value>,
    /// The calls of our tools that it proposes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) proposed: Vec<Proposed>,
    /// Whether calls of the client's tools wait as well.
    #[serde(default)]
    pub(super) waits: bool,
    /// The components that are not shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) refused: Option<RefusedCalls>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Proposed {
    id: String,
    name: String,
    arguments: Value,
}

impl Ended {
    /// What has to happen before the run is over.
    pub(super) fn of(hearing: &Hearing<'_>, finished: RunFinished) -> Result<Self, AgentError> {
        let ctx = hearing.ctx;
        finished.usage.into_iter().flatten().for_each(|usage| ctx.add_usage(usage));
        match finished.outcome {
            Some(RunOutcome::Cancelled(_)) => return Err(Stop::Cancelled.into()),
            Some(RunOutcome::Interrupt(outcome)) => {
                return Ok(judged(hearing, outcome.interrupts.as_slice()));
            }
            None if !hearing.asked.is_empty() => {
                let asked = hearing.asked.iter().enumerate().map(|(number, it)| ask::legacy(number, it));
                return Ok(Self { asked: asked.collect(), ..Self::default() });
            }
            _ => {}
        }
        if let Some(result) = finished.result {
            ctx.set_result(&result.to_value()?)?;
        }
        let (tools, waiting) = (ctx.tools(), hearing.calls.open());
        let (proposed, others): (Vec<_>, Vec<_>) = waiting.partition(|call| tools.get(&call.name).is_some());
        let waits = !others.is_empty();
        Ok(Self { proposed: proposed.into_iter().map(Proposed::of).collect(), waits, ..Self::default() })
    }

    /// Whether the agent has to be called again.
    pub(super) fn wants(&self) -> bool {
        !self.asked.is_empty()
            || !self.settled.is_empty()
            || !self.proposed.is_empty()
            || self.is_to_be_corrected()
    }

    /// Whether the agent has to be told of components that are not shown. Where others wait for the person it is not
    /// called before they are answered.
    pub(super) fn is_to_be_corrected(&self) -> bool {
        self.refused.is_some() && !self.waits
    }
}

impl Proposed {
    fn of(call: ShownCall) -> Self {
        Self { id: call.id.to_string(), name: call.name, arguments: call.arguments }
    }

    pub(super) fn into_shown(self) -> ShownCall {
        ShownCall { id: self.id.into(), name: self.name, arguments: self.arguments }
    }
}

/// What the house makes of what an agent asks.
fn judged(hearing: &Hearing<'_>, interrupts: &[Interrupt]) -> Ended {
    let mut ended = Ended::default();
    for interrupt in interrupts {
        let shown = interrupt.tool_call_id.as_ref().and_then(|theirs| hearing.call(theirs));
        let call = shown.or_else(|| ask::named_call(interrupt));
        match judge(hearing.ctx, here(hearing, interrupt), call) {
            Verdict::Asked(asked, within) => {
                ended.asked.push(asked);
                ended.within.push(within.and_then(|time| u64::try_from(time.as_millis()).ok()));
            }
            Verdict::Settled(entry, told) => {
                ended.settled.push(ask::in_its_shape(interrupt, entry));
                ended.told.push(told);
            }
        }
    }
    ended
}

/// A question whose call has the id that it has here.
fn here(hearing: &Hearing<'_>, interrupt: &Interrupt) -> Interrupt {
    let mut interrupt = interrupt.clone();
    // A call that is not shown is nothing to ask about.
    let call = interrupt.tool_call_id.filter(|call| !hearing.calls.is_refused(call));
    interrupt.tool_call_id = call.map(|call| hearing.calls.ours(&call));
    interrupt.subagent_run_id = None;
    ask::without_terms(interrupt)
}
