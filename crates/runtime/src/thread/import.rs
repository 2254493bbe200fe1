//! Taking in a thread that was recorded elsewhere, or here before.

use std::collections::HashSet;

use bytes::Bytes;
use forestage_protocol::{
    codec::Encoded,
    event::Event,
    id::{RunId, ThreadId},
    interrupt::Interrupt,
    verify::Verifier,
};
use forestage_store::{Append, Boundary, Fence, NewThread, Seq, Thread};

use super::{Folded, recorded::Claims, utterance};
use crate::{
    clock,
    context::DRAFT_REVIEW,
    decide::{self, Decider, Terms},
    error::Refusal,
    id::{check_event, check_id},
    run::{ended, outbox::Private},
    stage::Stage,
};

/// The events of one run.
type RunEvents = Vec<Event>;

impl Stage {
    /// Makes a thread of a recording: one or more whole runs, as AG-UI allows them. All of it is checked before
    /// anything is stored; the events keep their times and get the new thread's id. Nothing in it counts as done here:
    /// results of tools are marked as unverified, and records of ours are kept under names that nobody reads. That it
    /// was brought in is on record. The thread goes on with `agent`, so an agent that does not exist is refused.
    pub async fn import(
        &self,
        owner: &str,
        agent: &str,
        thread_id: &ThreadId,
        events: Vec<Event>,
    ) -> Result<Thread, Refusal> {
        let who = Decider { user: owner.to_owned(), roles: Vec::new(), origin: "import".to_owned() };
        self.import_by(&who, agent, thread_id, events).await
    }

    /// Like [`Stage::import`], for somebody who asks from somewhere.
    pub async fn import_by(
        &self,
        who: &Decider,
        agent: &str,
        thread_id: &ThreadId,
        events: Vec<Event>,
    ) -> Result<Thread, Refusal> {
        let owner = who.user.as_str();
        // The thread goes on with this agent.
        self.agent(agent).map_err(|refusal| refusal.at("agent"))?;
        check_id(thread_id, "threadId")?;
        events.iter().enumerate().try_for_each(|(index, event)| check_event(event, index))?;
        let mut claims = Claims::default();
        let events = events.into_iter().map(|event| claims.mark(event)).collect();
        let runs = runs_of(thread_id, events)?;
        let mut audit =
            vec![decide::imported(who, agent, thread_id, runs.len(), claims.results, claims.records)];
        let now = clock::now();
        let new = NewThread::new(thread_id, owner, agent, now);
        let taken = self.store.create_and_claim(new, self.holder.clone(), now, self.lease_ms()).await?;
        let Some((_, lease)) = taken else {
            let text = format!("thread `{thread_id}` exists already");
            return Err(Refusal::conflict("thread_exists", text).hint("import it under another id"));
        };
        let mut folded = Folded::default();
        let (mut tail, mut parent) = (Seq::START, None);
        for run in runs {
            let mut append = append_of(thread_id, agent, lease.fence, tail, parent.take(), run, &mut folded);
            append.audit = std::mem::take(&mut audit);
            parent = Some(append.run_id.clone());
            match self.store.append(append).await {
                Ok(end) => tail = end,
                Err(error) => {
                    self.store.delete_thread(thread_id.clone()).await?;
                    return Err(Refusal::invalid(
                        "import_failed",
                        format!("the recording was not stored: {error}"),
                    ));
                }
            }
        }
        self.store.release(lease).await?;
        self.upkeep_soon.notify_one();
        self.thread(owner, thread_id).await
    }
}

/// The recording run by run, each verified and on the new thread.
fn runs_of(thread_id: &ThreadId, events: Vec<Event>) -> Result<Vec<RunEvents>, Refusal> {
    let mut verifier = Verifier::default();
    let mut runs: Vec<RunEvents> = Vec::new();
    for (index, event) in events.into_iter().enumerate() {
        let event = on_thread(event, thread_id);
        verifier
            .check(&event)
            .map_err(|violation| refused(violation.rule.code(), index, violation.message))?;
        match (&event, runs.last_mut()) {
            (Event::RunStarted(_), _) | (_, None) => runs.push(vec![event]),
            // An error after the end of a run has no place of its own in the log.
            (Event::RunError(_), Some(run)) if run.last().is_some_and(is_end) => {
                run.pop();
                run.push(event);
            }
            (_, Some(run)) => run.push(event),
        }
    }
    let text = "the recording has no run, or its last run does not end".to_owned();
    let count = runs.iter().map(Vec::len).sum();
    verifier.finish().map_err(|violation| refused(violation.rule.code(), count, text))?;
    match same_id(&runs) {
        Some(id) => Err(refused("duplicate_run", 0, format!("run `{id}` is in the recording twice"))),
        None => Ok(runs),
    }
}

fn refused(code: &'static str, index: usize, message: String) -> Refusal {
    Refusal::invalid(code, message).at(format!("[{index}]"))
}

fn same_id(runs: &[RunEvents]) -> Option<RunId> {
    let mut seen = HashSet::new();
    runs.iter().filter_map(|run| run_id(run)).find(|id| !seen.insert(*id)).cloned()
}

fn run_id(run: &[Event]) -> Option<&RunId> {
    match run.first() {
        Some(Event::RunStarted(started)) => Some(&started.run_id),
        _ => None,
    }
}

fn is_end(event: &Event) -> bool {
    matches!(event, Event::RunFinished(_) | Event::RunError(_))
}

fn on_thread(event: Event, thread_id: &ThreadId) -> Event {
    let thread_id = thread_id.clone();
    match event {
        Event::RunStarted(mut event) => {
            event.thread_id = thread_id.clone();
            if let Some(input) = &mut event.input {
                input.thread_id = thread_id;
            }
            event.into()
        }
        Event::RunFinished(mut event) => {
            event.thread_id = thread_id;
            event.into()
        }
        other => other,
    }
}

fn append_of(
    thread_id: &ThreadId,
    agent: &str,
    fence: Fence,
    after: Seq,
    parent: Option<RunId>,
    run: RunEvents,
    folded: &mut Folded,
) -> Append {
    run.iter().for_each(|event| folded.apply(event));
    let time = |event: Option<&Event>| {
        let timestamp = event.and_then(|event| event.base().timestamp);
        timestamp.map_or_else(clock::now, |time| time.get())
    };
    let id = run_id(&run).cloned().unwrap_or_else(|| "imported".into());
    let started = Boundary::Started {
        request_hash: 0,
        agent: agent.to_owned(),
        parent,
        at: time(run.first()),
        answers: Vec::new(),
    };
    let last =
        run.last().map(|event| without_terms(ended(event, folded, time(Some(event)), &Private::default())));
    let json: Vec<Bytes> = run.iter().map(|event| Encoded::new(event).json().clone()).collect();
    let append = Append::new(thread_id, id, fence, after, json).with_boundary(started);
    let append = Append { utterances: utterance::of_turn(folded), ..append };
    last.into_iter().fold(append, Append::with_boundary)
}

/// Of what a recording asks, only plain questions wait: what is about a tool or a draft, or has terms, is for our own runs
/// to ask, or anybody could bring in terms of their own.
fn without_terms(ended: Boundary) -> Boundary {
    match ended {
        Boundary::Ended { end, at, messages, mut interrupts } => {
            interrupts
                .retain(|asked| serde_json::from_slice(&asked.json).is_ok_and(|asked| is_plain(&asked)));
            Boundary::Ended { end, at, messages, interrupts }
        }
        other => other,
    }
}

fn is_plain(asked: &Interrupt) -> bool {
    asked.tool_call_id.is_none() && asked.reason != DRAFT_REVIEW && Terms::of(asked) == Terms::default()
}
