//! Answers to questions: are they the right ones, and what has the agent done before it asked?

use std::sync::Arc;

use forestage_protocol::{
    event::Event,
    id::{InterruptId, RunId, ToolCallId},
    input::RunAgentInput,
    interrupt::{Interrupt, ResumeEntry, ResumeStatus},
    message::Message,
};
use forestage_store::{Answer, Decision, InterruptRecord, NewAudit, Rule, RunRecord, Thread};
use serde_json::Value;

use super::{
    begin::wants_review,
    settle::{Settled, settle},
    start::StartRun,
};
use crate::{
    Stage,
    context::{DRAFT_REVIEW, Record, Release},
    decide::{self, Decider},
    error::Refusal,
    thread::{Chain, event_of, read_run},
};

/// What a run takes over from earlier ones.
#[derive(Debug, Default)]
pub(super) struct Continued {
    pub(super) record: Record,
    /// Whether the agent first has to come back to where it asked.
    pub(super) muted: bool,
    /// The state it began with then.
    pub(super) state: Option<Value>,
    /// The answers that the run carries in, for the index.
    pub(super) answers: Vec<Answer>,
    /// The same as everybody may read them in the log.
    pub(super) logged: Option<Vec<ResumeEntry>>,
    /// What was held back until it was decided.
    pub(super) release: Vec<Release>,
    /// Whether somebody wanted to look at what is said in this turn.
    pub(super) review: bool,
    /// The calls that were asked about.
    pub(super) calls: Vec<ToolCallId>,
    /// What goes on record with them.
    pub(super) audit: Vec<NewAudit>,
    /// What nobody needs to be asked about again.
    pub(super) rules: Vec<Rule>,
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
/// wants to go on there: with the answers that were recorded and no others, except that a question may still be
/// cancelled. Who does not, and just says something new, moves on.
pub(super) async fn check(
    stage: &Arc<Stage>,
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
    let who = request.decider();
    let mut records = stage.questions(thread).await?;
    check_each(asked, given, &records, &who)?;
    check_agent(asked, given, &request.agent)?;
    vote(stage, &mut records, given, &who).await?;
    let settled = settle(asked, given, &records, &who)?;
    if given.is_empty() {
        return Ok(None);
    }
    let mut continued = turn_so_far(stage, thread, asked.chain).await?;
    continued.record.note_answers(settled.said);
    let Settled { answers, logged, mut audit, rules, .. } = settled;
    let is_carried = |record: &&InterruptRecord| logged.iter().any(|entry| entry.interrupt_id == record.id);
    let carried: Vec<_> = records.iter().filter(is_carried).collect();
    audit.extend(carried.iter().map(|record| decide::carried(&who, record, &request.input.run_id)));
    let calls = decide::withdrawn_calls(carried.into_iter());
    let release = logged.iter().filter_map(|entry| released(asked, &records, entry)).collect();
    Ok(Some(Continued { answers, logged: Some(logged), release, calls, audit, rules, ..continued }))
}

/// Every answer is to a question that waits, or waits again, and from somebody who may give it.
fn check_each(
    asked: &Asked<'_>,
    given: &[ResumeEntry],
    records: &[InterruptRecord],
    who: &Decider,
) -> Result<(), Refusal> {
    for (at, entry) in given.iter().enumerate() {
        let question = asked.pending.iter().find(|question| question.id == entry.interrupt_id);
        let record = records.iter().find(|record| record.id == entry.interrupt_id);
        let decision = record.and_then(|record| record.decision.as_ref());
        match (question, record, decision) {
            (Some(question), Some(record), None) => {
                let checked = decide::check(record, question, entry, who, &format!("resume[{at}].payload"));
                checked.map_err(|refusal| with_place(refusal, at))?;
            }
            (Some(question), _, Some(decision)) if is_repeated(asked, question, entry, decision) => {}
            (_, _, decision) => {
                let by = decision.map(|decision| decision.by.as_str());
                return Err(not_pending(&entry.interrupt_id, by).at(place(at)));
            }
        }
    }
    Ok(())
}

/// What a decision about a draft lets out.
fn released(asked: &Asked<'_>, records: &[InterruptRecord], entry: &ResumeEntry) -> Option<Release> {
    let question = asked.pending.iter().find(|question| question.id == entry.interrupt_id)?;
    let record = records.iter().find(|record| record.id == entry.interrupt_id)?;
    (question.reason == DRAFT_REVIEW).then(|| Release::of(&record.private, entry)).flatten()
}

/// Whether an answer is the one that was recorded, and waits for a run: no run has begun with it, or that run has
/// failed. Then it may be withdrawn, too. Of what may not be kept, any answer may be the same.
fn is_repeated(asked: &Asked<'_>, question: &Interrupt, entry: &ResumeEntry, decision: &Decision) -> bool {
    let is_same = decide::is_same(&decide::redacted(question, entry), decision);
    match decision.run_id {
        None => is_same,
        Some(_) => asked.failed && (is_same || entry.status == ResumeStatus::Cancelled),
    }
}

fn with_place(refusal: Refusal, at: usize) -> Refusal {
    if refusal.path.is_some() { refusal } else { refusal.at(place(at)) }
}

/// Where several people have to agree, an answer is one of theirs. The run begins when the last of them has answered.
async fn vote(
    stage: &Arc<Stage>,
    records: &mut [InterruptRecord],
    given: &[ResumeEntry],
    who: &Decider,
) -> Result<(), Refusal> {
    for (at, entry) in given.iter().enumerate() {
        let Some(record) = records.iter_mut().find(|record| record.id == entry.interrupt_id) else {
            continue;
        };
        if record.needs > 1 && record.decision.is_none() {
            *record = stage.agree(who, record, entry).await.map_err(|refusal| with_place(refusal, at))?;
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
    let was_lost = |event: &Event| match event {
        // A store that cannot be written is no fault of the agent either, and what was recorded before is good.
        Event::RunError(error) => {
            is_no_fault(error.code.as_deref()) || error.code.as_deref() == Some("store_unavailable")
        }
        _ => false,
    };
    let mut continued = Continued::default();
    if events.last().is_some_and(was_lost) {
        events.iter().for_each(|event| continued.record.note(event));
        continued.record.forget_answers();
    }
    Ok(continued)
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
    let (mut turn, mut review) = (Vec::new(), false);
    let mut before = None;
    for run in chain.0.iter().rev() {
        let events = events_of(stage, run).await?;
        let input = events.first().and_then(input_of);
        let resumes = is_resumed(input);
        review |= input.is_some_and(wants_review);
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
    let state = match brought_state(&turn) {
        Some(state) => state,
        None => stage.look_at(thread, before.as_ref(), |folded| folded.view.state().clone()).await?,
    };
    Ok(Continued { record, muted: true, state: Some(state), review, ..Continued::default() })
}

/// What a run began with.
fn input_of(first: &Event) -> Option<&RunAgentInput> {
    match first {
        Event::RunStarted(event) => event.input.as_deref(),
        _ => None,
    }
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

fn is_twice(given: &[ResumeEntry], at: usize, entry: &ResumeEntry) -> bool {
    given[..at].iter().any(|earlier| earlier.interrupt_id == entry.interrupt_id)
}

/// Whether an input answers questions.
pub(crate) fn is_resumed(input: Option<&RunAgentInput>) -> bool {
    input.is_some_and(|input| input.resume.as_ref().is_some_and(|resume| !resume.is_empty()))
}

/// Whether a run that ended with this code did so for no fault of its agent: its process ended. If somebody's answers
/// were under way in it, a run that goes on with them follows by itself.
#[must_use]
pub fn is_no_fault(code: Option<&str>) -> bool {
    matches!(code, Some("run_lost" | "shutdown"))
}

fn place(at: usize) -> String {
    format!("resume[{at}].interruptId")
}

#[cfg(test)]
mod tests {
    use forestage_protocol::event::{MessagesSnapshot, RunStarted, StateSnapshot, TextMessageStart};
    use serde_json::json;

    use super::*;

    #[test]
    fn the_state_that_was_brought_stands_before_anything_that_was_said() {
        let started = || Event::from(RunStarted::new("t", "r"));
        let messages = || Event::from(MessagesSnapshot::new([]));
        let state = || Event::from(StateSnapshot::new(json!({ "a": 1 })));
        let said = || Event::from(TextMessageStart::new("m"));
        let brought = Some(json!({ "a": 1 }));
        assert_eq!(brought_state(&[vec![started(), state()]]), brought);
        assert_eq!(brought_state(&[vec![started(), messages(), state()]]), brought);
        assert_eq!(brought_state(&[vec![started(), said(), state()]]), None, "that one is the agent's");
        assert_eq!(brought_state(&[vec![started()]]), None);
        assert_eq!(brought_state(&[]), None);
    }
}
