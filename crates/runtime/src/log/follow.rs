//! Following a log from a place, for ever or to the end of a run.

use std::sync::Arc;

use forestage_protocol::id::{RunId, ThreadId};
use forestage_store::{Entry, RunRecord, Seq, Store, StoreError, Watch, epoch};

use super::{
    Batch,
    cut::rest,
    live::{Live, Lives},
    outage::Outage,
};

/// So many entries are read from the store at once, at most.
const PAGE: usize = 1024;

/// About so many bytes are read at once. A viewer who stops reading holds a page, so it must not be large.
const PAGE_BYTES: usize = 64 << 10;

/// Somebody who reads a log. It holds a place and nothing else.
pub struct Follower {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) lives: Arc<Lives>,
    pub(crate) thread_id: ThreadId,
    pub(crate) epoch: i64,
    pub(crate) after: Seq,
    /// Entries behind this place are not ours.
    pub(crate) until: Until,
    /// Only there once it was needed: a run that speaks here tells its viewers itself.
    pub(crate) watch: Option<Watch>,
    /// How many entries are read next, judged by the size of those before.
    pub(crate) page: usize,
    /// How long the store has been failing.
    pub(crate) outage: Outage,
    /// Where it would have stopped, if the thread had not been deleted before.
    pub(crate) deleted: Option<Until>,
}

/// Where a follower stops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Until {
    /// Never.
    Never,
    /// At this place.
    Seq(Seq),
    /// At the end of this run.
    RunEnd(RunId),
}

impl Follower {
    /// What is read first, when nothing is known yet.
    pub(crate) const FIRST_PAGE: usize = 16;

    /// The next entries: what is there at once, or what comes. `None` when the place to stop is reached, or when the thread was
    /// deleted, which [`Follower::is_deleted`] says then.
    ///
    /// A store that fails is asked again, for as long as [`Limits::outage`](crate::Limits::outage) allows. An error is final
    /// and means that entries are missing: a viewer has to see that the stream broke off. Dropping the future loses nothing.
    pub async fn next(&mut self) -> Result<Option<Arc<Batch>>, StoreError> {
        loop {
            match self.read_on().await {
                Ok(batch) => {
                    self.outage.over();
                    return Ok(batch);
                }
                Err(error) => self.outage.wait(error).await?,
            }
        }
    }

    async fn read_on(&mut self) -> Result<Option<Arc<Batch>>, StoreError> {
        let mut heard = None;
        loop {
            if let Until::Seq(end) = self.until
                && self.after >= end
            {
                return Ok(None);
            }
            let live = heard.take().or_else(|| self.lives.get(&self.thread_id));
            if let Some(batch) = self.at_hand(live.as_deref()) {
                return Ok(Some(self.pass(batch)));
            }
            if live.is_none()
                && !matches!(self.until, Until::Seq(_))
                && let Some(ended) = self.lives.just_ended(&self.thread_id)
            {
                if let Some(batch) = self.at_hand(Some(&ended)) {
                    return Ok(Some(self.pass(batch)));
                }
                if self.is_at_end_of(&ended) {
                    return Ok(None);
                }
            }
            match live {
                Some(live) if live.tail() <= self.after => {
                    self.wait_for(&live).await?;
                    // What it said is at hand here, even if so many others have ended that it is forgotten elsewhere.
                    heard = Some(live).filter(|live| live.tail() > self.after);
                }
                live => match self.stored().await? {
                    Some(batch) => return Ok(Some(self.pass(Arc::new(batch)))),
                    None if live.is_some() => {}
                    None => self.wait_elsewhere().await?,
                },
            }
        }
    }

    /// What is there now, without waiting for more.
    pub async fn ready(&mut self) -> Result<Option<Arc<Batch>>, StoreError> {
        if let Some(batch) = self.at_hand(self.lives.get(&self.thread_id).as_deref()) {
            return Ok(Some(self.pass(batch)));
        }
        Ok(self.stored().await?.map(|batch| self.pass(Arc::new(batch))))
    }

    /// Whether it follows one run, which is told to have failed if it cannot be written, rather than a whole thread.
    #[must_use]
    pub fn follows_run(&self) -> bool {
        matches!(self.until, Until::RunEnd(_))
    }

    /// Whether it has ended because the thread was deleted.
    #[must_use]
    pub fn is_deleted(&self) -> bool {
        self.deleted.is_some()
    }

    /// Whether it has ended because the thread was deleted before the end of the run that it follows was read.
    #[must_use]
    pub fn is_run_deleted(&self) -> bool {
        matches!(self.deleted, Some(Until::RunEnd(_)))
    }

    /// Whether it stops at a place that is known, so that ending before it means that entries are missing.
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        matches!(self.until, Until::Seq(_))
    }

    /// The thread that is followed.
    #[must_use]
    pub fn thread_id(&self) -> &ThreadId {
        &self.thread_id
    }

    /// The place that has been reached.
    #[must_use]
    pub fn after(&self) -> Seq {
        self.after
    }

    fn pass(&mut self, batch: Arc<Batch>) -> Arc<Batch> {
        self.after = batch.last();
        if batch.ends_run() && matches!(self.until, Until::RunEnd(_)) {
            self.until = Until::Seq(self.after);
        }
        batch
    }

    /// A shared commit, if our place is just before it and all of it is ours.
    fn at_hand(&self, live: Option<&Live>) -> Option<Arc<Batch>> {
        let live = live?;
        if let Until::RunEnd(run_id) = &self.until
            && live.run_id != *run_id
        {
            return None;
        }
        let batch = live.batch_after(self.after).filter(|batch| batch.epoch() == self.epoch)?;
        if batch.first() == self.after.forward(1) {
            return Some(batch);
        }
        let ours = batch.entries().iter().filter(|entry| entry.seq > self.after);
        Some(Arc::new(Batch::new(self.epoch, ours.cloned().collect())))
    }

    /// Whether there is nothing more to come, since the run that is followed has ended here.
    fn is_at_end_of(&self, ended: &Live) -> bool {
        matches!(&self.until, Until::RunEnd(run_id) if ended.run_id == *run_id && ended.tail() == self.after)
    }

    async fn stored(&mut self) -> Result<Option<Batch>, StoreError> {
        let until = match &self.until {
            Until::Seq(end) => *end,
            Until::Never | Until::RunEnd(_) => Seq::END,
        };
        let mut entries = self.store.read(self.thread_id.clone(), self.after, until, self.page).await?;
        self.check_epoch()?;
        self.page = next_page(&entries);
        if let Until::RunEnd(run_id) = &self.until {
            let ours = entries.iter().take_while(|entry| entry.run_id == *run_id).count();
            if ours < entries.len() {
                self.until =
                    Until::Seq(entries.get(ours.wrapping_sub(1)).map_or(self.after, |last| last.seq));
                entries.truncate(ours);
            }
        }
        if entries.is_empty() {
            return Ok(None);
        }
        let after = self.after;
        let entries = entries.into_iter().map(|entry| rest(entry, after)).collect();
        Ok(Some(Batch::new(self.epoch, entries)))
    }

    /// Everything that a run of this process has said is read: more comes, or it is over.
    async fn wait_for(&mut self, live: &Live) -> Result<(), StoreError> {
        let after = self.after;
        let mut progress = live.progress();
        self.outage.over();
        let ended = match progress.wait_for(|now| now.tail > after || now.ended || now.gone).await {
            // One that is gone without an end goes on elsewhere: the log knows where.
            Ok(now) => now.tail <= after && now.ended,
            Err(_) => true,
        };
        match &self.until {
            _ if !ended => Ok(()),
            Until::RunEnd(run_id) if live.run_id == *run_id && progress.borrow().ended => {
                self.until = Until::Seq(after);
                Ok(())
            }
            _ => self.wait_elsewhere().await,
        }
    }

    /// Nobody speaks in this process: the run may have ended, or another process may write.
    async fn wait_elsewhere(&mut self) -> Result<(), StoreError> {
        if let Until::Seq(end) = self.until {
            return self.missing_before(end);
        }
        if let Until::RunEnd(run_id) = &self.until {
            let record = self.store.run(self.thread_id.clone(), run_id.clone()).await?;
            if let Some(record) = record
                && record.end.is_some()
            {
                self.until = Until::Seq(record.last);
                return Ok(());
            }
        }
        self.check_failure().await?;
        let Some(watch) = &mut self.watch else {
            // What came between the last look and now is not announced, so look once more.
            self.watch = Some(self.store.watch(&self.thread_id));
            return Ok(());
        };
        let thread = self.store.thread(self.thread_id.clone()).await?;
        if thread.is_none_or(|thread| thread.created_at != epoch::created_at(self.epoch)) {
            // The thread was deleted; one that has its id now is another.
            self.deleted = Some(std::mem::replace(&mut self.until, Until::Seq(self.after)));
            return Ok(());
        }
        self.outage.over();
        if watch.changed_behind(self.after).await { Ok(()) } else { Err(StoreError::Closed) }
    }

    /// What was read may not go on from our place if the store has lost entries since: other ones may have their numbers.
    fn check_epoch(&self) -> Result<(), StoreError> {
        match self.store.epoch(epoch::created_at(self.epoch)) == self.epoch {
            true => Ok(()),
            false => Err(StoreError::Reborn { thread_id: self.thread_id.clone(), read: self.after }),
        }
    }

    /// Whether what is followed stands still because it could not be written. Somebody else may have closed it since.
    async fn check_failure(&self) -> Result<(), StoreError> {
        let Some(failure) = self.lives.failure(&self.thread_id) else { return Ok(()) };
        let is_ours = match &self.until {
            Until::RunEnd(run_id) => *run_id == failure.run_id,
            Until::Never => true,
            Until::Seq(_) => false,
        };
        if !is_ours || self.after < failure.tail {
            return Ok(());
        }
        match self.store.run(self.thread_id.clone(), failure.run_id.clone()).await? {
            Some(RunRecord { end: None, .. }) => Err(StoreError::Unwritable(failure.reason.clone())),
            _ => {
                self.lives.closed(&self.thread_id);
                Ok(())
            }
        }
    }

    /// Nothing is left to read before a place to stop. The entries up to it were there when the place was chosen, so they
    /// were deleted since, and what was read is not all of it.
    fn missing_before(&self, end: Seq) -> Result<(), StoreError> {
        match self.after < end {
            true => {
                let thread_id = self.thread_id.clone();
                Err(StoreError::Shortened { thread_id, read: self.after, end })
            }
            false => Ok(()),
        }
    }
}

fn next_page(entries: &[Entry]) -> usize {
    let bytes: usize = entries.iter().map(|entry| entry.json.len()).sum();
    (PAGE_BYTES * entries.len()).checked_div(bytes).unwrap_or(PAGE).clamp(1, PAGE)
}

impl std::fmt::Debug for Follower {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Follower").field("thread_id", &self.thread_id).field("after", &self.after).finish()
    }
}
