//! Answers to questions: are they the right ones, and what has the agent done before it asked?

use forestage_protocol::{
    event::Event,
    id::{InterruptId, RunId},
    input::RunAgentInput,
    interrupt::{Interrupt, ResumeEntry, ResumeStatus},
    message::Message,
};
use forestage_store::{Answer, InterruptQuery, RunRecord, Thread};
use serde_json::Value;

use crate::{
    Stage, clock,
    context::Record,
    error::Refusal,
    thread::{Chain, event_of, load, read_run},
};

/// What a run takes over from earlier ones.
#[derive(Debug, Default)]
pub(super) struct Continued {
    pub(super) record: Record,
    /// Whether the agent first has to come back to where it asked.
    pub(super) muted: bool,
    /// The state it began with then.
    pub(super) state: Option<Value>,
}

/// Checks the answers of an input. Nothing if it has none and none are due.
pub(super) async fn check(
    stage: &Stage,
    thread: &Thread,
    chain: &Chain,
    pending: &[Interrupt],
    input: &RunAgentInput,
) -> Result<Option<Continued>, Refusal> {
    let given = input.resume.as_deref().unwrap_or_default();
    for (at, entry) in given.iter().enumerate() {
        let asked = pending.iter().find(|asked| asked.id == entry.interrupt_id);
        match asked {
            Some(asked) => check_expiry(asked, entry, at)?,
            None => return Err(who_decided(stage, thread, &entry.interrupt_id).await?.at(place(at))),
        }
    }
    if let Some(at) = given.iter().enumerate().position(|(at, entry)| is_twice(given, at, entry)) {
        let text = format!("question `{}` is answered twice", given[at].interrupt_id);
        return Err(Refusal::invalid("duplicate_answer", text).at(place(at)));
    }
    let missing: Vec<_> =
        pending.iter().filter(|asked| !answers_it(given, asked)).map(|asked| &*asked.id).collect();
    if !missing.is_empty() {
        return Err(not_covered(&missing));
    }
    if pending.is_empty() {
        return Ok(None);
    }
    let mut continued = turn_so_far(stage, thread, chain).await?;
    continued.record.note_answers(given.to_vec());
    Ok(Some(continued))
}

/// The same for a run that repeats one whose process died: what that one finished is not done again.
pub(super) async fn retried(
    stage: &Stage,
    runs: &[RunRecord],
    instead_of: Option<&RunId>,
    chain: &Chain,
    new: &[Message],
) -> Result<Continued, Refusal> {
    let parent = chain.head().map(|run| &run.run_id).filter(|_| new.is_empty());
    let repeated = runs.iter().find(|run| Some(&run.run_id) == instead_of.or(parent));
    let Some(run) = repeated.filter(|run| run.end.as_deref() == Some("error")) else {
        return Ok(Continued::default());
    };
    let events = events_of(stage, run).await?;
    let was_lost =
        |event: &Event| matches!(event, Event::RunError(error) if is_no_fault(error.code.as_deref()));
    let mut continued = Continued::default();
    if events.last().is_some_and(was_lost) {
        events.iter().for_each(|event| continued.record.note(event));
        continued.record.forget_answers();
    }
    Ok(continued)
}

/// The answers for the index.
pub(super) fn answers(input: &RunAgentInput, by: &str) -> Vec<Answer> {
    let entries = input.resume.iter().flatten();
    let answers = entries.map(|entry| Answer {
        interrupt_id: entry.interrupt_id.clone(),
        status: entry.status.as_str().to_owned(),
        json: serde_json::to_vec(entry).unwrap_or_default().into(),
        by: by.to_owned(),
    });
    answers.collect()
}

pub(super) fn not_pending(id: &InterruptId, decided_by: Option<&str>) -> Refusal {
    match decided_by {
        Some(who) => {
            Refusal::conflict("already_decided", format!("question `{id}` was answered by {who} already"))
        }
        None => {
            Refusal::invalid("unknown_interrupt", format!("question `{id}` does not wait on this thread"))
        }
    }
}

/// The runs since the person last said something, all of which ended with a question except the last.
async fn turn_so_far(stage: &Stage, thread: &Thread, chain: &Chain) -> Result<Continued, Refusal> {
    let mut turn = Vec::new();
    let mut before = None;
    for run in chain.0.iter().rev() {
        let events = events_of(stage, run).await?;
        let resumes =
            matches!(events.first(), Some(Event::RunStarted(event)) if is_resumed(event.input.as_deref()));
        turn.push(events);
        if !resumes {
            before = run.parent.clone();
            break;
        }
    }
    let mut record = Record::default();
    turn.iter().rev().flatten().for_each(|event| record.note(event));
    let folded = load(&*stage.store, thread, before.as_ref()).await?.unwrap_or_default();
    let state = brought_state(&turn).unwrap_or_else(|| folded.view.state().clone());
    Ok(Continued { record, muted: true, state: Some(state) })
}

/// The state that the client brought with the first run of the turn: it stands before anything the agent says.
fn brought_state(turn: &[Vec<Event>]) -> Option<Value> {
    let opening = turn.last()?.iter().skip(1).take(2);
    let mut opening =
        opening.take_while(|event| matches!(event, Event::MessagesSnapshot(_) | Event::StateSnapshot(_)));
    opening.find_map(|event| match event {
        Event::StateSnapshot(event) => event.snapshot.to_value().ok(),
        _ => None,
    })
}

async fn events_of(stage: &Stage, run: &RunRecord) -> Result<Vec<Event>, Refusal> {
    Ok(read_run(&*stage.store, run).await?.iter().filter_map(event_of).collect())
}

async fn who_decided(stage: &Stage, thread: &Thread, id: &InterruptId) -> Result<Refusal, Refusal> {
    let query = InterruptQuery {
        owner: thread.owner.clone(),
        thread_id: Some(thread.id.clone()),
        decided: true,
        limit: usize::MAX >> 1,
    };
    let records = stage.store.interrupts(query).await?;
    let decision = records.into_iter().find(|record| record.id == *id).and_then(|record| record.decision);
    Ok(not_pending(id, decision.map(|decision| decision.by).as_deref()))
}

fn check_expiry(asked: &Interrupt, entry: &ResumeEntry, at: usize) -> Result<(), Refusal> {
    let expires_at = asked.expires_at.as_deref().and_then(clock::from_iso);
    if entry.status == ResumeStatus::Cancelled || expires_at.is_none_or(|until| clock::now() <= until) {
        return Ok(());
    }
    let text =
        format!("question `{}` could be answered until {}", asked.id, clock::iso(expires_at.unwrap_or(0)));
    Err(Refusal::conflict("interrupt_expired", text).at(place(at)).hint("cancel it to go on"))
}

fn not_covered(missing: &[&str]) -> Refusal {
    let text = format!("the thread waits for answers to: {}", missing.join(", "));
    Refusal::conflict("interrupts_pending", text)
        .at("resume")
        .hint("answer or cancel every question in `resume`, or branch from an earlier message")
}

fn is_twice(given: &[ResumeEntry], at: usize, entry: &ResumeEntry) -> bool {
    given[..at].iter().any(|earlier| earlier.interrupt_id == entry.interrupt_id)
}

fn answers_it(given: &[ResumeEntry], asked: &Interrupt) -> bool {
    given.iter().any(|entry| entry.interrupt_id == asked.id)
}

fn is_resumed(input: Option<&RunAgentInput>) -> bool {
    input.is_some_and(|input| input.resume.as_ref().is_some_and(|resume| !resume.is_empty()))
}

fn is_no_fault(code: Option<&str>) -> bool {
    matches!(code, Some("run_lost" | "shutdown"))
}

fn place(at: usize) -> String {
    format!("resume[{at}].interruptId")
}
