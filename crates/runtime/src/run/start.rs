//! Starting a run: who may, and when the thread is free.

use std::{collections::HashSet, sync::Arc, time::Duration};

use forestage_protocol::{
    id::{RunId, ThreadId},
    input::RunAgentInput,
};
use forestage_store::{ClaimError, Creation, Lease, NewThread, Seq, Thread};
use sha2::{Digest, Sha256};

use super::{
    active::{Active, Entered, StopReason},
    begin, holder,
    queue::Waiting,
};
use crate::{
    Stage,
    agent::{About, Agent, agent_fn},
    clock,
    decide::Decider,
    error::{Refusal, RefusalKind},
    id::check_input,
    log::Cursor,
};

/// How often a thread that another process has is asked for.
const RETRY: Duration = Duration::from_millis(50);

/// A request to run an agent.
#[derive(Clone, Debug)]
pub struct StartRun {
    /// Which.
    pub agent: String,
    /// The input.
    pub input: RunAgentInput,
    /// Who asks; a new thread will be theirs.
    pub owner: String,
    /// What to do if the thread has a run under way.
    pub on_busy: OnBusy,
    /// Who gives the answers that come with it; without it the owner, who has no roles.
    pub decider: Option<Decider>,
    /// Nobody wants to go on: the run begins with the answers and ends as cancelled, and the agent is not called.
    pub withdraw: bool,
}

impl StartRun {
    /// A request that is refused if the thread is busy.
    #[must_use]
    pub fn new(agent: &str, input: RunAgentInput, owner: &str) -> Self {
        let (agent, owner) = (agent.to_owned(), owner.to_owned());
        Self { agent, input, owner, on_busy: OnBusy::default(), decider: None, withdraw: false }
    }

    /// Who answers.
    pub(super) fn decider(&self) -> Decider {
        let owner = || Decider { user: self.owner.clone(), roles: Vec::new(), origin: "resume".to_owned() };
        self.decider.clone().unwrap_or_else(owner)
    }

    /// Tells a repeated request from another one under the same id.
    fn hash(&self) -> u64 {
        let mut hasher = Sha256::new();
        hasher.update(self.agent.as_bytes());
        hasher.update([0]);
        hasher.update(serde_json::to_vec(&self.input).unwrap_or_default());
        let digest = hasher.finalize();
        u64::from_le_bytes(digest[..8].try_into().expect("a digest has 32 bytes"))
    }
}

/// What to do if the thread has a run under way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnBusy {
    /// Refuse.
    #[default]
    Reject,
    /// Wait for its end.
    Queue,
    /// Cancel it.
    Replace,
}

/// A run that is in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Started {
    /// The thread.
    pub thread_id: ThreadId,
    /// The run.
    pub run_id: RunId,
    /// The place before its first entry.
    pub before: Cursor,
    /// How far it was when this was told: nobody has seen anything behind that.
    pub last: Seq,
    /// Whether it had been started before, by the same request.
    pub attached: bool,
}

impl Stage {
    /// Starts a run, or attaches to it if the same request has started it already. When this returns, its
    /// beginning is in the log. Whoever asked may go away meanwhile: a run that waits for its turn still gets it.
    pub async fn start(self: &Arc<Self>, request: StartRun) -> Result<Started, Refusal> {
        if self.is_closing() {
            return Err(Refusal::shutting_down());
        }
        check_ids(&request.input)?;
        let agent = match self.agent(&request.agent) {
            // It is not called, so it need not be there.
            Err(_) if request.withdraw => agent_fn(About::new("is not there"), |_| async { Ok(()) }),
            agent => agent?,
        };
        let stage = self.clone();
        let started = self.tasks.spawn(async move {
            let started = stage.start_or_attach(agent, &request).await;
            if let Err(refusal) = &started {
                stage.put_on_record(&request, refusal).await;
            }
            started
        });
        started.await.unwrap_or_else(|_| Err(Refusal::shutting_down()))
    }

    /// Whoever tries to answer for somebody else, or to change what was said, leaves a trace.
    async fn put_on_record(&self, request: &StartRun, refusal: &Refusal) {
        if request.decider.as_ref().is_some_and(Decider::is_server) {
            return;
        }
        let answered = request.input.resume.iter().flatten().next().map(|entry| &entry.interrupt_id);
        let forged = matches!(refusal.kind, RefusalKind::Invalid | RefusalKind::Forbidden);
        if forged || answered.is_some() && refusal.code != "thread_busy" {
            let thread_id = Some(&request.input.thread_id);
            self.note_refused(&request.decider(), &request.owner, thread_id, answered, refusal).await;
        }
    }

    async fn start_or_attach(
        self: &Arc<Self>,
        agent: Arc<dyn Agent>,
        request: &StartRun,
    ) -> Result<Started, Refusal> {
        let hash = request.hash();
        loop {
            let thread = match self.attach(request, hash).await? {
                Attached::Started(started) => return Ok(started),
                Attached::Not(thread) => thread,
            };
            agent.ready().await;
            let entered = match self.enter(request, hash).await? {
                Entry::Entered(entered) => entered,
                Entry::SameRun(active) => {
                    active.begun().await;
                    continue;
                }
                Entry::SameQueued(waiting) => {
                    waiting.over().await;
                    if waiting.stop.is_cancelled() {
                        return Err(cancelled_before());
                    }
                    continue;
                }
            };
            if let Some(started) = self.begin(agent.clone(), request, hash, thread, entered).await? {
                return Ok(started);
            }
        }
    }

    /// Begins a run on a thread that is ours within this process. Nothing if it has begun elsewhere meanwhile.
    async fn begin(
        self: &Arc<Self>,
        agent: Arc<dyn Agent>,
        request: &StartRun,
        hash: u64,
        seen: Option<Thread>,
        entered: Entered,
    ) -> Result<Option<Started>, Refusal> {
        let taken = self.take(request, &entered.active, seen).await;
        let taken = match taken {
            Ok(Some(taken)) => taken,
            other => {
                self.actives.leave(&request.input.thread_id, entered);
                return other.map(|_| None);
            }
        };
        if taken.creation.is_none() {
            entered.active.set_lease(taken.lease.clone());
        }
        begin::begin(self, agent, request, hash, taken, entered).await
    }

    /// The run, if it is in the log already; else its thread, if there is one.
    async fn attach(&self, request: &StartRun, hash: u64) -> Result<Attached, Refusal> {
        let (thread_id, run_id) = (&request.input.thread_id, &request.input.run_id);
        let Some(thread) = self.store.thread(thread_id.clone()).await? else {
            return Ok(Attached::Not(None));
        };
        if thread.owner != request.owner {
            return Err(Refusal::no_thread(thread_id));
        }
        let Some(record) = self.store.run(thread_id.clone(), run_id.clone()).await? else {
            return Ok(Attached::Not(Some(thread)));
        };
        if record.request_hash != hash {
            return Err(is_another(run_id));
        }
        Ok(Attached::Started(Started {
            last: record.last,
            attached: true,
            ..started(self.epoch(&thread), &thread, run_id, record.first)
        }))
    }

    /// Takes the thread within this process.
    async fn enter(&self, request: &StartRun, hash: u64) -> Result<Entry, Refusal> {
        let (thread_id, run_id) = (&request.input.thread_id, &request.input.run_id);
        let busy = match self.actives.try_enter(thread_id, run_id) {
            Ok(entered) => return Ok(Entry::Entered(entered)),
            Err(busy) => busy,
        };
        if let Some(waiting) = self.queue.get(thread_id, run_id) {
            return same_queued(waiting, request, hash);
        }
        match (busy, request.on_busy) {
            (Some(active), _) if active.run_id == *run_id => return Ok(Entry::SameRun(active)),
            (Some(active), OnBusy::Reject) if active.is_ended() => {}
            (busy, OnBusy::Reject) => return Err(is_busy(busy.map(|active| active.run_id.clone()).as_ref())),
            _ => {}
        }
        let place = self.queue.join(request, hash);
        tokio::select! {
            // A run that was stopped does not begin, even if its turn comes at the same moment.
            biased;
            () = place.stopped() => Err(cancelled_before()),
            entered = self.wait_for_turn(request) => Ok(Entry::Entered(entered)),
        }
    }

    async fn wait_for_turn(&self, request: &StartRun) -> Entered {
        let (thread_id, run_id) = (&request.input.thread_id, &request.input.run_id);
        match request.on_busy {
            OnBusy::Replace => self.replace(thread_id, run_id).await,
            OnBusy::Queue | OnBusy::Reject => self.actives.enter(thread_id, run_id).await,
        }
    }

    /// Stops a run that has not begun yet. Says whether there was one.
    pub(crate) fn stop_waiting(&self, owner: &str, thread_id: &ThreadId, run_id: &RunId) -> bool {
        let waiting = self.queue.get(thread_id, run_id).filter(|waiting| waiting.owner == owner);
        waiting.map(|waiting| waiting.stop.cancel()).is_some()
    }

    /// Waits for the thread, and cancels whatever has it meanwhile: of several who replace, the last one stays.
    async fn replace(&self, thread_id: &ThreadId, run_id: &RunId) -> Entered {
        let mut entering = std::pin::pin!(self.actives.enter(thread_id, run_id));
        loop {
            if let Some(active) = self.actives.get(thread_id) {
                active.stop(StopReason::Cancel);
            }
            tokio::select! {
                entered = &mut entering => return entered,
                () = tokio::time::sleep(RETRY) => {}
            }
        }
    }

    /// Takes the thread among all processes; `seen` is the thread as it was a moment ago. Nothing if the run has
    /// meanwhile begun elsewhere.
    async fn take(
        &self,
        request: &StartRun,
        active: &Active,
        mut seen: Option<Thread>,
    ) -> Result<Option<Taken>, Refusal> {
        let id = &request.input.thread_id;
        loop {
            if active.stop.is_cancelled() {
                return Err(cancelled_before());
            }
            let Some(thread) = seen.take() else {
                return Ok(Some(self.create(request)));
            };
            if thread.owner != request.owner {
                return Err(Refusal::no_thread(id));
            }
            match self.claim(id).await {
                Ok(lease) => return self.look_again(request, lease).await,
                Err(ClaimError::NoThread(_)) => {}
                // Our own upkeep closes a run that was lost, and gives the thread back at once.
                Err(ClaimError::Held { holder, .. }) if holder == self.holder => {
                    tokio::time::sleep(RETRY).await;
                }
                Err(ClaimError::Held { .. }) => {
                    if self.is_begun_elsewhere(request).await? {
                        return Ok(None);
                    }
                    // The thread is about to be given back, or its run is to end.
                    tokio::time::sleep(RETRY).await;
                }
                Err(ClaimError::Store(error)) => return Err(error.into()),
            }
            seen = self.store.thread(id.clone()).await?;
        }
    }

    /// A thread that comes into being with the first commit of the run.
    fn create(&self, request: &StartRun) -> Taken {
        let thread = NewThread::new(&request.input.thread_id, &request.owner, &request.agent, clock::now());
        let creation = Creation { thread, holder: self.holder.clone(), for_ms: self.lease_ms() };
        Taken { thread: creation.thread.thread(), lease: creation.lease(), creation: Some(creation) }
    }

    /// Claims a thread. One that is held by a process of this machine that has ended is free.
    pub(crate) async fn claim(&self, id: &ThreadId) -> Result<Lease, ClaimError> {
        let claim = |now| self.store.claim(id.clone(), self.holder.clone(), now, self.lease_ms());
        match claim(clock::now()).await {
            Err(ClaimError::Held { holder, expires_at }) if holder::is_gone(&holder) => {
                claim(expires_at + 1).await
            }
            answer => answer,
        }
    }

    /// The thread may have moved on between the look and the claim.
    async fn look_again(&self, request: &StartRun, lease: Lease) -> Result<Option<Taken>, Refusal> {
        let (thread_id, run_id) = (&request.input.thread_id, &request.input.run_id);
        if self.store.run(thread_id.clone(), run_id.clone()).await?.is_some() {
            self.store.release(lease).await?;
            return Ok(None);
        }
        let thread = self.store.thread(thread_id.clone()).await?;
        let taken = thread.map(|thread| Taken { thread, lease, creation: None });
        taken.map(Some).ok_or_else(|| Refusal::no_thread(thread_id))
    }

    /// Another process has the thread: for this very run, or for another that is in the way.
    async fn is_begun_elsewhere(&self, request: &StartRun) -> Result<bool, Refusal> {
        let thread_id = &request.input.thread_id;
        let runs = self.store.runs(thread_id.clone()).await?;
        match runs.into_iter().find(|run| run.end.is_none()).map(|run| run.run_id) {
            Some(open) if open == request.input.run_id => Ok(true),
            Some(open) => {
                match request.on_busy {
                    OnBusy::Reject => return Err(is_busy(Some(&open))),
                    OnBusy::Replace => drop(self.store.request_cancel(thread_id.clone(), open).await?),
                    OnBusy::Queue => {}
                }
                Ok(false)
            }
            None => Ok(false),
        }
    }
}

/// A thread that is ours among all processes.
pub(super) struct Taken {
    pub(super) thread: Thread,
    pub(super) lease: Lease,
    /// It is yet to come into being, with the first commit; until then nobody has promised us anything.
    pub(super) creation: Option<Creation>,
}

enum Attached {
    Started(Started),
    Not(Option<Thread>),
}

enum Entry {
    Entered(Entered),
    SameRun(Arc<Active>),
    SameQueued(Arc<Waiting>),
}

/// The same request again waits for the same run.
fn same_queued(waiting: Arc<Waiting>, request: &StartRun, hash: u64) -> Result<Entry, Refusal> {
    match () {
        () if waiting.owner != request.owner => Err(Refusal::no_thread(&request.input.thread_id)),
        () if waiting.hash != hash => Err(is_another(&request.input.run_id)),
        () => Ok(Entry::SameQueued(waiting)),
    }
}

/// A run that has just begun.
pub(super) fn started(epoch: i64, thread: &Thread, run_id: &RunId, first: Seq) -> Started {
    let last = Seq(first.0.saturating_sub(1));
    let before = Cursor { epoch, seq: last };
    Started { thread_id: thread.id.clone(), run_id: run_id.clone(), before, last, attached: false }
}

/// Ids have to name something, and messages one thing each.
fn check_ids(input: &RunAgentInput) -> Result<(), Refusal> {
    check_input(input)?;
    let mut seen = HashSet::new();
    match input.messages.iter().position(|message| !seen.insert(message.id())) {
        Some(at) => {
            let text = format!("message `{}` is in the request twice", input.messages[at].id());
            Err(Refusal::invalid("duplicate_message", text).at(format!("messages[{at}].id")))
        }
        None => Ok(()),
    }
}

fn is_another(run_id: &RunId) -> Refusal {
    let text = format!("run `{run_id}` was started with another request");
    Refusal::conflict("run_conflict", text).at("runId").hint("use a new runId")
}

fn cancelled_before() -> Refusal {
    Refusal::conflict("run_cancelled", "the run was cancelled before it began")
}

fn is_busy(run_id: Option<&RunId>) -> Refusal {
    let text = match run_id {
        Some(run_id) => format!("run `{run_id}` is under way on this thread"),
        None => "a run is under way on this thread".to_owned(),
    };
    Refusal::conflict("thread_busy", text).hint("wait for it, cancel it, or ask to queue or to replace it")
}
