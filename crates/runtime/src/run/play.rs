//! The agent's part: it speaks until it ends, is stopped, or its time is over.

use std::sync::{Arc, atomic::Ordering};

use forestage_protocol::{
    event::{Custom, Event, RunError, RunFinished},
    id::ToolCallId,
    interrupt::{CancelledOutcome, Interrupt, InterruptOutcome, OneOrMore, RunOutcome, SuccessOutcome},
    message::Message,
};

use super::{
    active::{Active, StopReason},
    outbox::{Outbox, Private},
};
use crate::{
    agent::{Agent, AgentError},
    context::{Core, DECISION, RunContext, lock},
    decide::{self, withdrawn_result},
    error::Stop,
    limits::Limits,
    moderation::Moderator,
};

/// Lets the agent speak, and ends the run.
pub(super) async fn play(agent: Arc<dyn Agent>, core: Arc<Core>, active: Arc<Active>, limits: Limits) {
    let outbox = core.outbox.clone();
    let (part, watched) = (core.clone(), active.clone());
    // A task of its own, so that a panic is an error of the run and nothing else, and so that an agent that does not
    // listen can be stopped all the same. Its last words and the end of the run are one commit.
    if let Some(calls) = &core.withdrawn {
        return withdraw(&outbox, &core, calls);
    }
    let speaking = tokio::spawn(async move {
        match perform(&*agent, &part).await {
            Ok(()) => finish(&part.outbox, &part),
            Err(error) => failed(&part.outbox, &part, &watched, &error).await,
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

/// Nobody wants the run to go on any more.
fn withdraw(outbox: &Outbox, core: &Core, calls: &[ToolCallId]) {
    let results = (1..).zip(calls).filter_map(|(number, call)| withdrawn_result(core, number, call));
    for result in results {
        if let Err(error) = outbox.say(result) {
            tracing::warn!(run = %core.input.run_id, %error, "a call is left without a result");
        }
    }
    stopped(outbox, core, Some(StopReason::Cancel));
}

/// What was decided about a draft comes first. Then the agent speaks, if what it is told may be said to it and if it has
/// not said everything before.
async fn perform(agent: &dyn Agent, core: &Arc<Core>) -> Result<(), AgentError> {
    let house = lock(&core.part).house.clone();
    if let Some(rules) = &house.moderation {
        for message in &core.input.messages {
            if let Message::User(message) = message {
                rules.check_input(&message.content.text()).map_err(Stop::Refused)?;
            }
        }
    }
    let released = std::mem::take(&mut *lock(&core.release));
    let is_over = released.iter().any(|release| release.last);
    for mut release in released {
        *lock(&core.result) = release.result.take().filter(|_| release.last);
        // A run that failed afterwards has shown it.
        if is_shown(core, &release.events) {
            continue;
        }
        core.outbox.say(Custom::new(DECISION, release.told).into())?;
        for event in release.events {
            lock(&core.said).note(&event);
            core.say(event)?;
        }
    }
    if is_over {
        lock(&core.draft).was_looked_at();
        core.muted.store(false, Ordering::Relaxed);
        return Ok(());
    }
    // A run that had nothing but a draft to wait for goes on where it was without being asked anything.
    if core.muted.load(Ordering::Relaxed) && !lock(&core.record).has_any_answers() {
        core.muted.store(false, Ordering::Relaxed);
    }
    let ctx = RunContext::new(core.clone());
    core.review_if(ctx.terms().draft);
    if !ctx.pass_stage().await? {
        return Ok(());
    }
    let ended = agent.run(ctx.clone()).await;
    match &ended {
        Ok(()) => ctx.end_chunks()?,
        Err(error) if error.stop() == Some(&Stop::Asked) => {}
        Err(_) => return ended,
    }
    ctx.end_drawings()?;
    ended
}

/// Whether the conversation has what these events say.
fn is_shown(core: &Core, events: &[Event]) -> bool {
    events.iter().any(|event| {
        let id = match event {
            Event::TextMessageStart(event) => &event.message_id,
            Event::ReasoningMessageStart(event) => &event.message_id,
            Event::ActivitySnapshot(event) => &event.message_id,
            _ => return false,
        };
        core.messages.iter().any(|message| message.id() == id)
    })
}

fn finish(outbox: &Outbox, core: &Core) {
    if core.muted.load(Ordering::Relaxed) {
        let error = Stop::Diverged("it ended before".to_owned());
        return fail(outbox, core, "resume_diverged", &error.to_string());
    }
    if let Err(stop) = show_rest(outbox, core) {
        let code = if let Stop::InvalidCall(error) = &stop { &error.code } else { "agent_error" };
        return fail(outbox, core, code, &stop.to_string());
    }
    if lock(&core.draft).is_reviewed()
        && let Some((question, private)) = review(core, true)
    {
        return wait_for(outbox, core, vec![question], private);
    }
    outbox.end(|unanswered| {
        let outcome = (!unanswered.is_empty()).then(|| RunOutcome::from(success(unanswered)));
        RunFinished { result: lock(&core.result).take(), outcome, ..finished(core) }.into()
    });
}

/// Shows what was held back because it was not complete.
fn show_rest(outbox: &Outbox, core: &Core) -> Result<(), Stop> {
    let rest = lock(&core.held).close(&core.checks)?;
    rest.into_iter().try_for_each(|event| outbox.say(event))
}

fn success(pending: Vec<ToolCallId>) -> SuccessOutcome {
    SuccessOutcome { pending_tool_call_ids: Some(pending) }
}

async fn failed(outbox: &Outbox, core: &Core, active: &Active, error: &AgentError) {
    match error.stop() {
        Some(Stop::Asked) => ask(outbox, core),
        Some(Stop::Cancelled) => stopped(outbox, core, active.reason()),
        Some(stop @ Stop::Violation(violation)) => {
            let text = in_own_words(core, violation.rule.code(), stop.to_string()).await;
            fail(outbox, core, violation.rule.code(), &text);
        }
        Some(stop @ Stop::NotItsPart(_)) => fail(outbox, core, "agent_error", &stop.to_string()),
        Some(stop @ Stop::TooLarge { .. }) => fail(outbox, core, "run_too_large", &stop.to_string()),
        Some(stop @ Stop::Store(_)) => fail(outbox, core, "store_unavailable", &stop.to_string()),
        Some(Stop::Refused(refused)) => fail(outbox, core, &refused.code, &refused.message),
        Some(Stop::InvalidCall(error)) => {
            let text = in_own_words(core, &error.code, error.message.clone()).await;
            fail(outbox, core, &error.code, &text);
        }
        Some(stop @ Stop::Diverged(_)) => fail(outbox, core, "resume_diverged", &stop.to_string()),
        None => {
            let text = in_own_words(core, error.code(), error.message()).await;
            fail(outbox, core, error.code(), &text);
        }
    }
}

/// What an agent says of its failure, unless somebody has to look at what it says first: nobody looks at failures, so it
/// is put on record for those who look after all, and people read a sentence of ours.
async fn in_own_words(core: &Core, code: &str, message: String) -> String {
    if !lock(&core.draft).is_reviewed() {
        return message;
    }
    tracing::warn!(run = %core.input.run_id, code, "a run under review failed; its words are in the audit trail");
    let entry = decide::withheld(&core.agent, &core.input, code, &message);
    if let Err(error) = core.store.audit(entry).await {
        tracing::warn!(%error, "the words of a failure could not be put on record");
    }
    "the run failed; what it said is not shown, because nobody has looked at it".to_owned()
}

/// The run waits for a person.
fn ask(outbox: &Outbox, core: &Core) {
    let mut asked = std::mem::take(&mut *lock(&core.asked));
    let mut private = Private::new();
    if let Some((question, kept)) = review(core, false).filter(|_| !asked.is_empty()) {
        asked.push(question);
        private = kept;
    }
    wait_for(outbox, core, asked, private);
}

/// The question about what was held back.
fn review(core: &Core, last: bool) -> Option<(Interrupt, Private)> {
    let review = lock(&core.part).house.review.clone().unwrap_or_default();
    let id = format!("{}-draft", core.id_prefix);
    // An agent that comes back says again what it returns.
    let result = if last { lock(&core.result).take() } else { None };
    let (question, kept) = lock(&core.draft).question(id, &review, last, result)?;
    let private = Private::from([(question.id.clone(), kept)]);
    Some((question, private))
}

fn wait_for(outbox: &Outbox, core: &Core, asked: Vec<Interrupt>, private: Private) {
    match OneOrMore::new(asked) {
        Some(interrupts) => outbox.end_with(private, |_| {
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
