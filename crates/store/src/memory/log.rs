//! The log.

use std::collections::HashMap;

use forestage_protocol::id::{RunId, ThreadId};

use super::{MemoryStore, Record};
use crate::{Append, AppendError, Boundary, Entry, Fence, NewAudit, Rule, RunRecord, Seq};

impl MemoryStore {
    pub(super) fn add(&self, append: Append) -> Result<Seq, AppendError> {
        let mut threads = self.threads();
        let (thread_id, tail) = (append.thread_id.clone(), append.tail());
        let (audit, rules) = (append.audit.clone(), append.rules.clone());
        let inbox = append.concerns_the_inbox();
        let is_new = match (&append.creation, threads.get_mut(&thread_id)) {
            (None, None) => return Err(AppendError::NoThread(thread_id)),
            (None, Some(record)) => record.add(append)?,
            (Some(_), Some(record)) if record.has_already(&append) => false,
            (Some(_), Some(_)) => return Err(AppendError::Exists(thread_id)),
            (Some(creation), None) => {
                let mut record = Record::new(creation.thread.clone());
                record.lend(creation.holder.clone(), creation.lease().expires_at);
                record.add(append)?;
                threads.insert(thread_id.clone(), record);
                true
            }
        };
        if !is_new {
            return Ok(tail);
        }
        self.note_books(&threads, audit, rules);
        drop(threads);
        self.tails.announce(&thread_id, tail);
        if inbox {
            self.tails.nudge_inbox();
        }
        Ok(tail)
    }

    /// Keeps what comes with an append or a decision.
    pub(super) fn note_books(
        &self,
        threads: &HashMap<ThreadId, Record>,
        audit: Vec<NewAudit>,
        rules: Vec<Rule>,
    ) {
        let mut books = self.books();
        for entry in audit {
            books.enter(entry);
        }
        for rule in rules {
            books.allow(threads, rule);
        }
    }

    pub(super) fn entries(&self, id: &ThreadId, after: Seq, until: Seq, limit: usize) -> Vec<Entry> {
        let threads = self.threads();
        let entries = threads.get(id).map(|record| record.entries.as_slice()).unwrap_or_default();
        let start = entries.partition_point(|entry| entry.seq <= after);
        let wanted = entries[start..].iter().take_while(|entry| entry.first <= until);
        wanted.take(limit).cloned().collect()
    }
}

impl Record {
    /// Whether it is new; one that is there already changes nothing.
    fn add(&mut self, append: Append) -> Result<bool, AppendError> {
        self.check(&append)?;
        if self.has_already(&append) {
            return Ok(false);
        }
        if self.thread.tail != append.after {
            return Err(AppendError::Conflict { expected: append.after, found: self.thread.tail });
        }
        self.note(&append)?;
        self.thread.tail = append.tail();
        self.keep_utterances(&append.utterances);
        if append.release {
            self.lease = None;
        }
        for (offset, json) in append.events.iter().enumerate() {
            let (seq, run_id) = (append.after.forward(offset + 1), append.run_id.clone());
            self.entries.push(Entry::event(seq, run_id, json.clone()));
        }
        Ok(true)
    }

    fn check(&self, append: &Append) -> Result<(), AppendError> {
        if append.fence == Fence(self.fence) {
            return Ok(());
        }
        Err(AppendError::Fenced { given: append.fence, current: Fence(self.fence) })
    }

    /// The same events at the same place.
    fn has_already(&self, append: &Append) -> bool {
        let start = self.entries.partition_point(|entry| entry.seq <= append.after);
        let held = self.entries.get(start..start.saturating_add(append.events.len()));
        !append.events.is_empty()
            && held.is_some_and(|held| {
                let mut pairs = held.iter().zip(&*append.events);
                pairs.all(|(held, given)| {
                    held.first == held.seq && held.run_id == append.run_id && held.json == *given
                })
            })
    }

    /// Keeps the index in step with the log. What can be refused is refused before anything is changed.
    fn note(&mut self, append: &Append) -> Result<(), AppendError> {
        let known = self.runs.iter().find(|run| run.run_id == append.run_id);
        let begins = append.boundaries.iter().any(|boundary| matches!(boundary, Boundary::Started { .. }));
        let fits = if begins { known.is_none() } else { known.is_some_and(|run| run.end.is_none()) };
        if !fits {
            return Err(AppendError::RunClosed(append.run_id.clone()));
        }
        for boundary in &append.boundaries {
            if let Boundary::Started { answers, .. } = boundary {
                self.check_answers(answers)?;
            }
        }
        for boundary in &append.boundaries {
            self.note_boundary(append, boundary);
        }
        if let Some(run) = self.run_mut(&append.run_id) {
            run.last = append.tail();
        }
        Ok(())
    }

    fn note_boundary(&mut self, append: &Append, boundary: &Boundary) {
        match boundary {
            Boundary::Started { request_hash, agent, parent, at, answers } => {
                self.runs.push(begun(append, *request_hash, agent, parent.clone(), *at));
                self.thread.head = Some(append.run_id.clone());
                self.thread.runs += 1;
                self.thread.updated_at = *at;
                answers.iter().for_each(|answer| self.carry(answer, *at, &append.run_id));
            }
            Boundary::Ended { end, at, messages, interrupts } => {
                if let Some(run) = self.run_mut(&append.run_id) {
                    (run.end, run.ended_at) = (Some(end.clone()), Some(*at));
                }
                self.thread.messages = *messages;
                self.thread.updated_at = *at;
                interrupts.iter().for_each(|interrupt| self.ask(interrupt, *at, &append.run_id));
            }
        }
    }
}

/// The record of a run that begins with an append.
fn begun(append: &Append, request_hash: u64, agent: &str, parent: Option<RunId>, at: i64) -> RunRecord {
    RunRecord {
        thread_id: append.thread_id.clone(),
        run_id: append.run_id.clone(),
        agent: agent.to_owned(),
        parent,
        request_hash,
        first: append.after.forward(1),
        last: append.after,
        end: None,
        started_at: at,
        ended_at: None,
        cancel_requested: false,
        compacted: false,
        snapshot: false,
    }
}
