//! The runs of this process, and who waits for their threads.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use forestage_protocol::id::{RunId, ThreadId};
use forestage_store::Lease;
use tokio::sync::{Mutex as Turn, OwnedMutexGuard, watch};
use tokio_util::sync::CancellationToken;

/// Why a run is stopped from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StopReason {
    /// A person wants it.
    Cancel,
    /// The server goes down.
    Shutdown,
    /// Another process has the thread.
    Lost,
}

/// A run of this process, from before it begins until its thread is free again.
#[derive(Debug)]
pub(crate) struct Active {
    pub(crate) run_id: RunId,
    pub(crate) stop: CancellationToken,
    reason: Mutex<Option<StopReason>>,
    lease: Mutex<Option<Lease>>,
    begun: watch::Sender<bool>,
    ended: AtomicBool,
}

impl Active {
    fn new(run_id: RunId) -> Self {
        Self {
            run_id,
            stop: CancellationToken::new(),
            reason: Mutex::default(),
            lease: Mutex::default(),
            begun: watch::Sender::new(false),
            ended: AtomicBool::new(false),
        }
    }

    /// Stops the run. The first reason counts.
    pub(crate) fn stop(&self, reason: StopReason) {
        lock(&self.reason).get_or_insert(reason);
        self.stop.cancel();
    }

    pub(crate) fn reason(&self) -> Option<StopReason> {
        *lock(&self.reason)
    }

    pub(crate) fn lease(&self) -> Option<Lease> {
        lock(&self.lease).clone()
    }

    pub(crate) fn set_lease(&self, lease: Lease) {
        *lock(&self.lease) = Some(lease);
    }

    /// The same for a thread that has just come into being.
    pub(crate) fn set_lease_if_none(&self, lease: Lease) {
        lock(&self.lease).get_or_insert(lease);
    }

    /// The run is in the log, or will not be.
    pub(crate) fn has_begun(&self) {
        self.begun.send_replace(true);
    }

    /// The end of the run is in the log; all that is left is to give the thread back.
    pub(crate) fn has_ended(&self) {
        self.ended.store(true, Ordering::Release);
    }

    pub(crate) fn is_ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }

    /// Waits until it is known whether the run begins.
    pub(crate) async fn begun(&self) {
        // The sender is ours, so it is there.
        let _ = self.begun.subscribe().wait_for(|begun| *begun).await;
    }
}

/// The right to run on a thread, within this process. Those who queue get it in order.
#[derive(Debug)]
pub(crate) struct Entered {
    pub(crate) active: Arc<Active>,
    /// Held until the run is over.
    _turn: OwnedMutexGuard<()>,
}

/// All runs of this process.
#[derive(Debug, Default)]
pub(crate) struct Actives(Mutex<HashMap<ThreadId, Slot>>);

#[derive(Debug, Default)]
struct Slot {
    turn: Arc<Turn<()>>,
    active: Option<Arc<Active>>,
}

impl Actives {
    /// The run that has a thread.
    pub(crate) fn get(&self, thread_id: &str) -> Option<Arc<Active>> {
        lock(&self.0).get(thread_id).and_then(|slot| slot.active.clone())
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        lock(&self.0).is_empty()
    }

    /// All of them.
    pub(crate) fn all(&self) -> Vec<(ThreadId, Arc<Active>)> {
        let slots = lock(&self.0);
        slots.iter().filter_map(|(id, slot)| Some((id.clone(), slot.active.clone()?))).collect()
    }

    /// Takes a thread for a run, if nobody has it; else tells who has.
    pub(crate) fn try_enter(
        &self,
        thread_id: &ThreadId,
        run_id: &RunId,
    ) -> Result<Entered, Option<Arc<Active>>> {
        let mut slots = lock(&self.0);
        let slot = slots.entry(thread_id.clone()).or_default();
        match slot.turn.clone().try_lock_owned() {
            Ok(turn) => Ok(slot.enter(turn, run_id)),
            Err(_) => Err(slot.active.clone()),
        }
    }

    /// Takes a thread for a run when its turn comes.
    pub(crate) async fn enter(&self, thread_id: &ThreadId, run_id: &RunId) -> Entered {
        let turn = lock(&self.0).entry(thread_id.clone()).or_default().turn.clone();
        let turn = turn.lock_owned().await;
        lock(&self.0).entry(thread_id.clone()).or_default().enter(turn, run_id)
    }

    /// The run is over; whoever waits for the thread is next.
    pub(crate) fn leave(&self, thread_id: &ThreadId, entered: Entered) {
        let mut slots = lock(&self.0);
        entered.active.has_begun();
        drop(entered);
        if let Some(slot) = slots.get_mut(thread_id) {
            slot.active = None;
            // Whoever waits holds the turn too; nobody new can come to it while we hold the slots.
            if Arc::strong_count(&slot.turn) == 1 {
                slots.remove(thread_id);
            }
        }
    }
}

impl Slot {
    fn enter(&mut self, turn: OwnedMutexGuard<()>, run_id: &RunId) -> Entered {
        let active = Arc::new(Active::new(run_id.clone()));
        self.active = Some(active.clone());
        Entered { active, _turn: turn }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
