//! How runs ended: the events that their records only name.

use forestage_protocol::event::Event;
use forestage_store::{RunRecord, Seq, Store, StoreError};

use super::event_of;
use crate::stage::Stage;

impl Stage {
    /// The event that ended a run: with its outcome, what it used, or what went wrong. Nothing while it is under way.
    pub async fn end_of(&self, run: &RunRecord) -> Result<Option<Event>, StoreError> {
        match run.end {
            Some(_) => last_event(&*self.store, run).await,
            None => Ok(None),
        }
    }
}

async fn last_event(store: &dyn Store, run: &RunRecord) -> Result<Option<Event>, StoreError> {
    let before = Seq(run.last.0.saturating_sub(1));
    let entries = store.read(run.thread_id.clone(), before, run.last, 1).await?;
    let event = entries.first().filter(|entry| entry.run_id == run.run_id).and_then(event_of);
    Ok(event.filter(|event| matches!(event, Event::RunFinished(_) | Event::RunError(_))))
}
