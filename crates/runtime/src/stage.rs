//! The stage: agents, a store, and the runs under way.

use std::{
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use forestage_protocol::{
    id::{MessageId, RunId, ThreadId},
    message::Message,
};
use forestage_store::{RunRecord, Seq, Store, StoreError, Thread};
use serde_json::Value;
use tokio::sync::Notify;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    agent::{Agent, Agents},
    decide::Patience,
    error::Refusal,
    id::check_id,
    limits::Limits,
    log::{Cursor, Follower, Outage, Prelude, Until, live::Lives},
    run::{Actives, Mailboxes, Queue, Scribes, StopReason},
    thread::{AtHand, Folded, load},
};

/// Ending is a commit; a store that does not answer so long must not keep us.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Runs agents on durable threads, and lets anybody follow them.
///
/// Everything that concerns a thread names its owner; for anybody else the thread does not exist.
pub struct Stage {
    pub(crate) store: Arc<dyn Store>,
    agents: RwLock<Arc<Agents>>,
    pub(crate) limits: Limits,
    /// Who we are, among the processes that share a store.
    pub(crate) holder: String,
    pub(crate) lives: Arc<Lives>,
    pub(crate) at_hand: AtHand,
    pub(crate) actives: Actives,
    pub(crate) queue: Queue,
    pub(crate) tasks: TaskTracker,
    pub(crate) scribes: Scribes,
    pub(crate) closing: CancellationToken,
    pub(crate) upkeep_soon: Arc<Notify>,
    /// Threads that could not go on yet.
    pub(crate) patience: Arc<Patience>,
    /// Where calls from outside come in.
    pub(crate) mailboxes: Arc<Mailboxes>,
}

/// A conversation as it stands.
#[derive(Clone, Debug)]
pub struct Conversation {
    /// The messages.
    pub messages: Vec<Message>,
    /// The runs that brought in messages of clients, in the order of the log.
    pub origins: Vec<(MessageId, RunId)>,
    /// The state.
    pub state: Value,
    /// The run it stands after.
    pub head: Option<RunId>,
    /// Where the log ended when it was read.
    pub cursor: Cursor,
}

impl Stage {
    /// A stage on this store. Runs that a dead process left behind are closed as their leases expire, and
    /// finished runs are compacted, from now on.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, agents: Agents, limits: Limits) -> Arc<Self> {
        let stage = Arc::new(Self {
            store,
            agents: RwLock::new(Arc::new(agents)),
            limits,
            holder: crate::run::holder::this_process(),
            lives: Arc::default(),
            at_hand: AtHand::default(),
            actives: Actives::default(),
            queue: Queue::default(),
            tasks: TaskTracker::new(),
            scribes: Scribes::start(),
            closing: CancellationToken::new(),
            upkeep_soon: Arc::default(),
            patience: Arc::default(),
            mailboxes: Arc::default(),
        });
        crate::upkeep::start(&stage);
        crate::decide::start_expiry(&stage);
        stage
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// How long viewers wait for a store that fails.
    #[must_use]
    pub fn outage(&self) -> Duration {
        self.limits.outage
    }

    /// The epoch of a thread: what its places are named by, beside their number.
    #[must_use]
    pub fn epoch(&self, thread: &Thread) -> i64 {
        self.store.epoch(thread.created_at)
    }

    /// A place in the log of a thread, in the form that travels.
    #[must_use]
    pub fn cursor(&self, thread: &Thread, seq: Seq) -> Cursor {
        Cursor { epoch: self.epoch(thread), seq }
    }

    /// Whether a cursor names a place that this thread has. One of an earlier thread with the same id does not, nor one from
    /// before the store may have lost what it stands behind, nor one beyond the end, as after an older copy was restored.
    #[must_use]
    pub fn has_place(&self, thread: &Thread, cursor: Cursor) -> bool {
        cursor.epoch == self.epoch(thread) && cursor.seq <= thread.tail
    }

    /// The agents.
    #[must_use]
    pub fn agents(&self) -> Arc<Agents> {
        self.agents.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes other agents from now on. Runs under way keep theirs, and threads that waited for one go on.
    pub fn set_agents(&self, agents: Agents) {
        *self.agents.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(agents);
        self.patience.try_all();
    }

    /// An agent by name.
    pub fn agent(&self, name: &str) -> Result<Arc<dyn Agent>, Refusal> {
        let agents = self.agents();
        agents.get(name).cloned().ok_or_else(|| {
            let names: Vec<_> = agents.keys().map(String::as_str).collect();
            let refusal = Refusal::not_found("unknown_agent", format!("there is no agent `{name}`"));
            if names.is_empty() { refusal } else { refusal.hint(format!("there are: {}", names.join(", "))) }
        })
    }

    /// A thread of this owner.
    pub async fn thread(&self, owner: &str, id: &ThreadId) -> Result<Thread, Refusal> {
        check_id(id, "threadId")?;
        let thread = self.store.thread(id.clone()).await?;
        thread.filter(|thread| thread.owner == owner).ok_or_else(|| Refusal::no_thread(id))
    }

    /// A run of a thread of this owner.
    pub async fn run(&self, owner: &str, thread: &ThreadId, run: &RunId) -> Result<RunRecord, Refusal> {
        self.thread(owner, thread).await?;
        check_id(run, "runId")?;
        let record = self.store.run(thread.clone(), run.clone()).await?;
        record.ok_or_else(|| Refusal::no_run(run))
    }

    /// Stops a run. Its open items are ended, its outcome is `cancelled`, and everybody sees it. One that waits for
    /// people does not wait any more: its questions are withdrawn, and the agent is not called. Says whether it was under
    /// way or waited; one that has ended otherwise stays as it is.
    pub async fn cancel(
        self: &Arc<Self>,
        owner: &str,
        thread: &ThreadId,
        run: &RunId,
    ) -> Result<bool, Refusal> {
        if self.stop_waiting(owner, thread, run) {
            return Ok(true);
        }
        let record = self.run(owner, thread, run).await?;
        match record.end.as_deref() {
            Some("interrupt") => self.withdraw(&self.thread(owner, thread).await?, run).await,
            _ => self.stop_begun(record).await,
        }
    }

    /// Stops a run like [`Stage::cancel`], but only if it is under way or in the queue: one that waits for people goes on
    /// waiting. Says whether there was something to stop.
    pub async fn stop(&self, owner: &str, thread: &ThreadId, run: &RunId) -> Result<bool, Refusal> {
        if self.stop_waiting(owner, thread, run) {
            return Ok(true);
        }
        self.stop_begun(self.run(owner, thread, run).await?).await
    }

    async fn stop_begun(&self, record: RunRecord) -> Result<bool, Refusal> {
        let RunRecord { thread_id, run_id, end, .. } = record;
        if end.is_some() {
            return Ok(false);
        }
        match self.actives.get(&thread_id).filter(|active| active.run_id == run_id) {
            Some(active) => {
                active.stop(StopReason::Cancel);
                Ok(true)
            }
            None => Ok(self.store.request_cancel(thread_id, run_id).await?),
        }
    }

    /// Follows a thread from behind a place: all runs, for ever.
    #[must_use]
    pub fn follow(&self, thread: &Thread, after: Seq) -> Follower {
        self.follower(&thread.id, self.epoch(thread), after, Until::Never)
    }

    /// Follows a thread from behind a place to its present end.
    #[must_use]
    pub fn read(&self, thread: &Thread, after: Seq) -> Follower {
        self.follower(&thread.id, self.epoch(thread), after, Until::Seq(thread.tail))
    }

    /// Follows one run from behind a place to its end.
    #[must_use]
    pub fn follow_run(&self, thread: &ThreadId, run: &RunId, after: Cursor) -> Follower {
        self.follower(thread, after.epoch, after.seq, Until::RunEnd(run.clone()))
    }

    fn follower(&self, thread_id: &ThreadId, epoch: i64, after: Seq, until: Until) -> Follower {
        Follower {
            store: self.store.clone(),
            lives: self.lives.clone(),
            thread_id: thread_id.clone(),
            epoch,
            after,
            until,
            watch: None,
            page: Follower::FIRST_PAGE,
            outage: Outage::new(self.limits.outage),
            deleted: None,
        }
    }

    /// What somebody who joins without a cursor needs first. Nothing on a thread without runs.
    pub async fn prelude(&self, thread: &Thread) -> Result<Option<Prelude>, Refusal> {
        let live = self.lives.get(&thread.id);
        if let Some(live) = live
            && let Some(prelude) = live.prelude().await
        {
            return Ok(Some(prelude));
        }
        // The run may have ended meanwhile, so the thread is read anew.
        let thread =
            self.store.thread(thread.id.clone()).await?.ok_or_else(|| Refusal::no_thread(&thread.id))?;
        let Some(head) = &thread.head else {
            return Ok(None);
        };
        let cursor = self.cursor(&thread, thread.tail);
        let prelude = |folded: &Folded| {
            let Folded { view, open, terminal, .. } = folded;
            Prelude::new(&thread.id, head, view, open, terminal.as_ref(), cursor)
        };
        self.look_at(&thread, Some(head), prelude).await.map(Some)
    }

    /// The conversation at the end of a run, or at the thread's head.
    pub async fn conversation(&self, thread: &Thread, at: Option<&RunId>) -> Result<Conversation, Refusal> {
        let head = at.or(thread.head.as_ref());
        let conversation = |folded: &Folded| Conversation {
            messages: folded.view.messages().cloned().collect(),
            state: folded.view.state().clone(),
            origins: folded.origins.clone(),
            head: head.cloned(),
            cursor: self.cursor(thread, thread.tail),
        };
        self.look_at(thread, head, conversation).await
    }

    /// Looks at the conversation at the end of a run, or at an empty one.
    pub(crate) async fn look_at<T>(
        &self,
        thread: &Thread,
        head: Option<&RunId>,
        look: impl FnOnce(&Folded) -> T,
    ) -> Result<T, Refusal> {
        let Some(head) = head else {
            return Ok(look(&Folded::default()));
        };
        let folded = self.take_up(thread, head).await?.ok_or_else(|| Refusal::no_run(head))?;
        let seen = look(&folded);
        self.put_back(thread, head, folded);
        Ok(seen)
    }

    /// Takes the conversation at the end of a run, from where it is at hand or from the log. Nothing if there is no such
    /// run.
    pub(crate) async fn take_up(&self, thread: &Thread, head: &RunId) -> Result<Option<Folded>, StoreError> {
        match self.at_hand.take(&thread.id, thread.created_at, head) {
            Some(folded) => Ok(Some(folded)),
            None => load(&*self.store, thread, Some(head)).await,
        }
    }

    /// Keeps at hand what was taken up, if the thread goes on from there.
    pub(crate) fn put_back(&self, thread: &Thread, head: &RunId, folded: Folded) {
        if thread.head.as_ref() == Some(head) {
            self.at_hand.put_back(&thread.id, thread.created_at, head, folded);
        }
    }

    /// Whether no new runs are taken.
    #[must_use]
    pub fn is_closing(&self) -> bool {
        self.closing.is_cancelled()
    }

    /// Ends in order: no new runs; those under way get a moment, then they end with `RUN_ERROR` code `shutdown`. At last
    /// the store is settled, so that a copy of its file has everything.
    pub async fn close(&self) {
        self.closing.cancel();
        self.tasks.close();
        if tokio::time::timeout(self.limits.grace, self.tasks.wait()).await.is_err() {
            for (_, active) in self.actives.all() {
                active.stop(StopReason::Shutdown);
            }
            let _ = tokio::time::timeout(LAST_WORDS, self.tasks.wait()).await;
        }
        match tokio::time::timeout(LAST_WORDS, self.store.settle()).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "the store was not settled, and nothing is lost"),
            Err(_) => tracing::warn!("the store does not answer, so it was not settled"),
        }
    }

    pub(crate) fn lease_ms(&self) -> i64 {
        // The end of a lease is a time, so a longer one than this could not be written down.
        const LONGEST: i64 = u32::MAX as i64 * 1000;
        i64::try_from(self.limits.lease.as_millis()).unwrap_or(LONGEST).min(LONGEST)
    }
}

impl std::fmt::Debug for Stage {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Stage").field("holder", &self.holder).finish_non_exhaustive()
    }
}
