//! Runs: their records, their compaction and their snapshots.

use bytes::Bytes;
use forestage_protocol::id::{RunId, ThreadId};

use super::{MemoryStore, Record};
use crate::{Compacted, Entry, RunRecord, StoreError, log::covers};

impl MemoryStore {
    pub(super) fn runs_of(&self, id: &ThreadId) -> Vec<RunRecord> {
        self.threads().get(id).map(|record| record.runs.clone()).unwrap_or_default()
    }

    pub(super) fn abandoned(&self, now: i64) -> Vec<RunRecord> {
        let threads = self.threads();
        let unheld = |record: &&Record| record.lease.as_ref().is_none_or(|lease| lease.expires_at <= now);
        let runs = threads.values().filter(unheld).flat_map(|record| &record.runs);
        runs.filter(|run| run.end.is_none()).cloned().collect()
    }

    pub(super) fn uncompacted(&self, limit: usize) -> Vec<RunRecord> {
        let threads = self.threads();
        let runs = threads.values().flat_map(|record| &record.runs);
        let mut found: Vec<_> = runs.filter(|run| run.end.is_some() && !run.compacted).cloned().collect();
        found.sort_by(|left, right| age(left).cmp(&age(right)));
        found.truncate(limit);
        found
    }

    pub(super) fn stop(&self, thread_id: &ThreadId, run_id: &RunId) -> bool {
        let mut threads = self.threads();
        let run = threads.get_mut(thread_id).and_then(|record| record.run_mut(run_id));
        let Some(run) = run.filter(|run| run.end.is_none()) else { return false };
        run.cancel_requested = true;
        drop(threads);
        self.tails.nudge(thread_id);
        true
    }

    pub(super) fn replace(
        &self,
        thread_id: &ThreadId,
        run_id: &RunId,
        entries: Vec<Compacted>,
    ) -> Result<bool, StoreError> {
        let mut threads = self.threads();
        let Some(record) = threads.get_mut(thread_id) else { return Ok(false) };
        let Some(run) = record.run_mut(run_id) else { return Ok(false) };
        if run.end.is_none() || run.compacted {
            return Ok(false);
        }
        let (first, last) = (run.first, run.last);
        let start = record.entries.partition_point(|entry| entry.seq < first);
        let end = record.entries.partition_point(|entry| entry.seq <= last);
        let own = record.entries[start..end].iter().all(|entry| entry.run_id == *run_id);
        if !own || !covers(&entries, first, last) {
            return Err(StoreError::NotCovered(run_id.clone()));
        }
        record.entries.splice(start..end, entries.into_iter().map(|entry| entry.into_entry(run_id)));
        if let Some(run) = record.run_mut(run_id) {
            run.compacted = true;
        }
        Ok(true)
    }

    pub(super) fn keep_snapshot(&self, thread_id: &ThreadId, run_id: RunId, body: Bytes) -> bool {
        let mut threads = self.threads();
        let Some(record) = threads.get_mut(thread_id) else { return false };
        let Some(run) = record.run_mut(&run_id) else { return false };
        run.snapshot = true;
        record.snapshots.insert(run_id, body);
        true
    }

    pub(super) fn snapshot_of(&self, thread_id: &ThreadId, run_id: &RunId) -> Option<Bytes> {
        self.threads().get(thread_id).and_then(|record| record.snapshots.get(run_id).cloned())
    }
}

impl Record {
    pub(super) fn run_mut(&mut self, run_id: &RunId) -> Option<&mut RunRecord> {
        self.runs.iter_mut().find(|run| run.run_id == *run_id)
    }
}

impl Compacted {
    fn into_entry(self, run_id: &RunId) -> Entry {
        let Self { first, last, json, cuts } = self;
        Entry { first, seq: last, run_id: run_id.clone(), json, cuts }
    }
}

fn age(run: &RunRecord) -> (Option<i64>, &ThreadId, u64) {
    (run.ended_at, &run.thread_id, run.first.0)
}
