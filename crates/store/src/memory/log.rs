//! The log.

use forestage_protocol::id::ThreadId;

use super::{MemoryStore, Record};
use crate::{Append, AppendError, Boundary, Entry, Fence, RunRecord, Seq};

impl MemoryStore {
    pub(super) fn add(&self, append: Append) -> Result<Seq, AppendError> {
        let mut threads = self.threads();
        let Some(record) = threads.get_mut(&append.thread_id) else {
            return Err(AppendError::NoThread(append.thread_id));
        };
        record.check(&append)?;
        if record.has_already(&append) {
            return Ok(append.tail());
        }
        let (tail, found) = (append.tail(), record.thread.tail);
        if found != append.after {
            return Err(AppendError::Conflict { expected: append.after, found });
        }
        record.note_run(&append)?;
        record.thread.tail = tail;
        for (offset, json) in append.events.into_iter().enumerate() {
            let (seq, run_id) = (append.after.forward(offset + 1), append.run_id.clone());
            record.entries.push(Entry { seq, run_id, json });
        }
        drop(threads);
        self.tails.announce(&append.thread_id, tail);
        Ok(tail)
    }

    pub(super) fn entries(&self, id: &ThreadId, after: Seq, limit: usize) -> Vec<Entry> {
        let threads = self.threads();
        let entries = threads.get(id).map(|record| record.entries.as_slice()).unwrap_or_default();
        let start = usize::try_from(after.0).unwrap_or(usize::MAX).min(entries.len());
        entries[start..].iter().take(limit).cloned().collect()
    }
}

impl Record {
    fn check(&self, append: &Append) -> Result<(), AppendError> {
        if append.fence == Fence(self.fence) {
            return Ok(());
        }
        Err(AppendError::Fenced { given: append.fence, current: Fence(self.fence) })
    }

    /// The same events at the same place.
    fn has_already(&self, append: &Append) -> bool {
        let start = usize::try_from(append.after.0).unwrap_or(usize::MAX);
        let held = self.entries.get(start..start.saturating_add(append.events.len()));
        !append.events.is_empty()
            && held.is_some_and(|held| {
                let mut pairs = held.iter().zip(&append.events);
                pairs.all(|(held, given)| held.run_id == append.run_id && held.json == *given)
            })
    }

    /// Keeps the index of runs in step with the log.
    fn note_run(&mut self, append: &Append) -> Result<(), AppendError> {
        let closed = || AppendError::RunClosed(append.run_id.clone());
        let mut known = self.runs.iter().position(|run| run.run_id == append.run_id);
        for boundary in &append.boundaries {
            if let Boundary::Started { request_hash } = boundary {
                if known.is_some() {
                    return Err(closed());
                }
                known = Some(self.runs.len());
                self.runs.push(RunRecord {
                    thread_id: append.thread_id.clone(),
                    run_id: append.run_id.clone(),
                    request_hash: *request_hash,
                    first: append.after.forward(1),
                    last: append.after,
                    end: None,
                });
            }
        }
        let run = known.map(|at| &mut self.runs[at]).filter(|run| run.end.is_none()).ok_or_else(closed)?;
        run.last = append.tail();
        for boundary in &append.boundaries {
            if let Boundary::Ended { end } = boundary {
                run.end = Some(end.clone());
            }
        }
        Ok(())
    }
}
