//! Answers to questions: are they the right ones, and what has the agent done before it asked?

use forestage_protocol::{
    event::Event,
    id::{InterruptId, RunId},
    input::RunAgentInput,
    interrupt::{Interrupt, ResumeEntry, ResumeStatus},
    message::Message,
};
use forestage_store::{Answer, Decision, InterruptQuery, InterruptRecord, RunRecord, Thread};
use serde_json::Value;

use super::{schema, start::StartRun};
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
    /// The answers that are new, for the index.
    pub(super) fresh: Vec<ResumeEntry>,
}

/// What a thread waits for.
pub(super) struct Asked<'t> {
    /// The runs that led to the questions.
    pub(super) chain: &'t Chain,
    /// The questions, as the conversation has them.
    pub(super) pending: &'t [Interrupt],
    /// Whether the run that was to go on after them has failed.
    pub(super) failed: bool,
}

/// Checks the answers of an input. Nothing if it has none and none are due.
///
/// An answer counts once. But if the run that it continued has failed, the questions are open again for whoever
/// wants to go on there: the recorded answers are taken, and a question may still be cancelled. Who does not, and
/// just says something new, moves on.
pub(super) async fn check(
    stage: &Stage,
    thread: &Thread,
    asked: &Asked<'_>,
    request: &StartRun,
) -> Result<Option<Continued>, Refusal> {
    let given = request.input.resume.as_deref().unwrap_or_default();
    if asked.pending.is_empty() && given.is_empty() {
        return Ok(None);
    }
    if let Some(at) = given.iter().enumerate().position(|(at, entry)| is_twice(given, at, entry)) {
        let text = format!("question `{}` is answered twice", given[at].interrupt_id);
        return Err(Refusal::invalid("duplicate_answer", text).at(place(at)));
    }
    let records = records(stage, thread).await?;
    check_each(asked, given, &records)?;
    check_agent(asked, given, &request.agent)?;
    let (answers, fresh) = settle(asked, given, &records)?;
    if given.is_empty() {
        return Ok(None);
    }
    let mut continued = turn_so_far(stage, thread, asked.chain).await?;
    continued.record.note_answers(answers);
    continued.fresh = fresh;
    Ok(Some(continued))
}

/// Every answer is to a question that waits, or waits again.
fn check_each(asked: &Asked<'_>, given: &[ResumeEntry], records: &[InterruptRecord]) -> Result<(), Refusal> {
    for (at, entry) in given.iter().enumerate() {
        let question = asked.pending.iter().find(|question| question.id == entry.interrupt_id);
        let decision = decision(records, &entry.interrupt_id);
        match (question, decision) {
            (Some(question), None) => {
                check_expiry(question, entry, at)?;
                schema::check(question, entry, at)?;
            }
            (Some(_), Some(_)) if asked.failed => {}
            (_, decision) => {
                let by = decision.map(|decision| decision.by.as_str());
                return Err(not_pending(&entry.interrupt_id, by).at(place(at)));
            }
        }
    }
    Ok(())
}

/// Only who asked can do something with an answer.
fn check_agent(asked: &Asked<'_>, given: &[ResumeEntry], agent: &str) -> Result<(), Refusal> {
    match asked.chain.head() {
        Some(run) if !given.is_empty() && run.agent != agent => {
            let text = format!("the question was asked by agent `{}`, not by `{agent}`", run.agent);
            Err(Refusal::conflict("wrong_agent", text).at("resume"))
        }
        _ => Ok(()),
    }
}

/// The answers with which the run goes on, and those of them that are new.
fn settle(
    asked: &Asked<'_>,
    given: &[ResumeEntry],
    records: &[InterruptRecord],
) -> Result<(Vec<ResumeEntry>, Vec<ResumeEntry>), Refusal> {
    let (mut answers, mut fresh, mut missing) = (Vec::new(), Vec::new(), Vec::new());
    for question in asked.pending {
        let entry = given.iter().find(|entry| entry.interrupt_id == question.id);
        let recorded =
            decision(records, &question.id).and_then(|decided| serde_json::from_slice(&decided.json).ok());
        match (entry, recorded) {
            (Some(entry), Some(_)) if entry.status == ResumeStatus::Cancelled => answers.push(entry.clone()),
            (_, Some(recorded)) => answers.push(recorded),
            (Some(entry), None) => {
                answers.push(entry.clone());
                fresh.push(entry.clone());
            }
            (None, None) => missing.push(question.id.as_str()),
        }
    }
    if missing.is_empty() { Ok((answers, fresh)) } else { Err(not_covered(&missing)) }
}

fn decision<'r>(records: &'r [InterruptRecord], id: &InterruptId) -> Option<&'r Decision> {
    records.iter().find(|record| record.id == *id).and_then(|record| record.decision.as_ref())
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
pub(super) fn answers(entries: &[ResumeEntry], by: &str) -> Vec<Answer> {
    let answers = entries.iter().map(|entry| Answer {
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
        // What a run that failed was answered is answered again by the next one; what it finished stays finished.
        let repeated = resumes && run.end.as_deref() == Some("error");
        turn.push(events.into_iter().skip(usize::from(repeated)).collect::<Vec<_>>());
        if !resumes {
            before = run.parent.clone();
            break;
        }
    }
    let mut record = Record::default();
    turn.iter().rev().flatten().for_each(|event| record.note(event));
    let folded = load(&*stage.store, thread, before.as_ref()).await?.unwrap_or_default();
    let state = brought_state(&turn).unwrap_or_else(|| folded.view.state().clone());
    Ok(Continued { record, muted: true, state: Some(state), fresh: Vec::new() })
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

/// The questions of a thread, with their decisions.
async fn records(stage: &Stage, thread: &Thread) -> Result<Vec<InterruptRecord>, Refusal> {
    let query = InterruptQuery {
        thread_id: Some(thread.id.clone()),
        decided: true,
        limit: i32::MAX as usize,
        ..InterruptQuery::of(thread.owner.as_str())
    };
    Ok(stage.store.interrupts(query).await?)
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

fn is_resumed(input: Option<&RunAgentInput>) -> bool {
    input.is_some_and(|input| input.resume.as_ref().is_some_and(|resume| !resume.is_empty()))
}

fn is_no_fault(code: Option<&str>) -> bool {
    matches!(code, Some("run_lost" | "shutdown"))
}

fn place(at: usize) -> String {
    format!("resume[{at}].interruptId")
}
