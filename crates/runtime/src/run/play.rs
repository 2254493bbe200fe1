//! The agent's part: it speaks until it ends, is stopped, or its time is over.

use std::sync::{Arc, atomic::Ordering};

use forestage_protocol::{
    event::{Event, RunError, RunFinished},
    id::ToolCallId,
    interrupt::{CancelledOutcome, InterruptOutcome, OneOrMore, RunOutcome, SuccessOutcome},
};

use super::{
    active::{Active, StopReason},
    outbox::Outbox,
};
use crate::{
    agent::{Agent, AgentError},
    context::{Core, RunContext, lock},
    error::Stop,
    limits::Limits,
};

/// Lets the agent speak, and ends the run.
pub(super) async fn play(agent: Arc<dyn Agent>, core: Arc<Core>, active: Arc<Active>, limits: Limits) {
    let outbox = core.outbox.clone();
    let (part, watched) = (core.clone(), active.clone());
    // A task of its own, so that a panic is an error of the run and nothing else, and so that an agent that does not
    // listen can be stopped all the same. Its last words and the end of the run are one commit.
    let speaking = tokio::spawn(async move {
        match agent.run(RunContext::new(part.clone())).await {
            Ok(()) => finish(&part.outbox, &part),
            Err(error) => failed(&part.outbox, &part, &watched, &error),
        }
    });
    let abort = speaking.abort_handle();
    tokio::select! {
        ended = speaking => if let Err(panic) = ended {
            tracing::error!(run = %core.input.run_id, %panic, "the agent panicked");
            fail(&outbox, &core, "agent_panicked", "the agent crashed");
        },
        () = active.stop.cancelled() => {
            abort.abort();
            stopped(&outbox, &core, active.reason());
        }
        () = tokio::time::sleep(limits.run_time) => {
            abort.abort();
            let text = format!("the run exceeds its limit of {} seconds", limits.run_time.as_secs());
            fail(&outbox, &core, "run_timeout", &text);
        }
    }
}

fn finish(outbox: &Outbox, core: &Core) {
    if core.muted.load(Ordering::Relaxed) {
        let error = Stop::Diverged("it ended before".to_owned());
        return fail(outbox, core, "resume_diverged", &error.to_string());
    }
    outbox.end(|unanswered| {
        let outcome = (!unanswered.is_empty()).then(|| RunOutcome::from(success(unanswered)));
        RunFinished { result: lock(&core.result).take(), outcome, ..finished(core) }.into()
    });
}

fn success(pending: Vec<ToolCallId>) -> SuccessOutcome {
    SuccessOutcome { pending_tool_call_ids: Some(pending) }
}

fn failed(outbox: &Outbox, core: &Core, active: &Active, error: &AgentError) {
    match error.stop() {
        Some(Stop::Asked) => ask(outbox, core),
        Some(Stop::Cancelled) => stopped(outbox, core, active.reason()),
        Some(stop @ Stop::Violation(violation)) => {
            fail(outbox, core, violation.rule.code(), &stop.to_string())
        }
        Some(stop @ Stop::NotItsPart(_)) => fail(outbox, core, "agent_error", &stop.to_string()),
        Some(stop @ Stop::TooLarge { .. }) => fail(outbox, core, "run_too_large", &stop.to_string()),
        Some(Stop::Refused(refused)) => fail(outbox, core, &refused.code, &refused.message),
        Some(stop @ Stop::Diverged(_)) => fail(outbox, core, "resume_diverged", &stop.to_string()),
        None => fail(outbox, core, error.code(), &error.message()),
    }
}

/// The run waits for a person.
fn ask(outbox: &Outbox, core: &Core) {
    let asked = std::mem::take(&mut *lock(&core.asked));
    match OneOrMore::new(asked) {
        Some(interrupts) => outbox.end(|_| {
            let outcome = Some(InterruptOutcome { interrupts }.into());
            RunFinished { outcome, ..finished(core) }.into()
        }),
        None => fail(outbox, core, "agent_error", "the run waits for an answer, but nothing was asked"),
    }
}

fn stopped(outbox: &Outbox, core: &Core, reason: Option<StopReason>) {
    match reason {
        Some(StopReason::Shutdown) => {
            fail(outbox, core, "shutdown", "the server was stopped while the run was under way");
        }
        Some(StopReason::Lost) => outbox.abandon(),
        Some(StopReason::Cancel) | None => outbox.end(|_| {
            let outcome = Some(CancelledOutcome::new().into());
            RunFinished { outcome, ..finished(core) }.into()
        }),
    }
}

fn fail(outbox: &Outbox, core: &Core, code: &str, message: &str) {
    outbox.end(|_| {
        let usage = usage(core);
        Event::from(RunError { code: Some(code.to_owned()), usage, ..RunError::new(message) })
    });
}

fn finished(core: &Core) -> RunFinished {
    RunFinished { usage: usage(core), ..RunFinished::new(&core.input.thread_id, &core.input.run_id) }
}

fn usage(core: &Core) -> Option<Vec<forestage_protocol::usage::TokenUsage>> {
    Some(std::mem::take(&mut *lock(&core.usage))).filter(|usage| !usage.is_empty())
}
