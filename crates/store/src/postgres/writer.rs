//! The tasks that write: whatever waits for one of them is committed together.
//!
//! Work on one thread always goes to the same task, so its order holds. In a commit the threads go first whose ids come
//! first, in every process alike, so that nobody waits for somebody who waits for them; what is asked of different threads
//! travels to the server together.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::{
        Arc,
        atomic::{AtomicI32, Ordering},
    },
};

use futures_util::future::try_join_all;
use tokio::sync::{mpsc, oneshot};

use super::{
    failure::{Failure, in_time},
    pool::{Lent, PATIENCE, Pool},
    transaction::Transaction,
    wake::News,
};
use crate::{BoxFuture, Durability, StoreError, Tails};

/// So many tasks write what people wait for, and one more tidies up.
pub(super) const WRITERS: usize = 4;

/// So many jobs share a commit at most, so that nobody waits for ever longer ones.
const MAX_GROUP: usize = 1024;

/// The same for those that tidy up, each of which may be long.
const MAX_ASIDE: usize = 16;

/// So often a job is begun anew because others were in the way.
const ATTEMPTS: usize = 5;

/// What the writer has to know of a job.
pub(super) struct Terms {
    /// What it is about, mostly a thread: jobs about the same thing follow each other.
    pub(super) about: String,
    pub(super) durability: Durability,
    /// Whether it may have something to say for the audit trail.
    pub(super) audit: bool,
    /// Whether it only tidies up, so that nobody should wait for it.
    pub(super) aside: bool,
}

/// A piece of work in a transaction. It may be run again after a rollback, and is answered once.
trait Job: Send {
    fn run(&mut self, transaction: Arc<Transaction>) -> BoxFuture<'_, Result<(), Failure>>;
    fn answer(self: Box<Self>, committed: Result<(), StoreError>);
}

struct Order {
    terms: Terms,
    job: Box<dyn Job>,
}

/// Hands jobs to the tasks that write. They end when this is dropped.
pub(super) struct Writers {
    desks: Vec<mpsc::UnboundedSender<Order>>,
    aside: mpsc::UnboundedSender<Order>,
    least: Durability,
}

/// What all tasks that write have in common.
#[derive(Clone)]
pub(super) struct Office {
    pub(super) pool: Arc<Pool>,
    pub(super) tails: Arc<Tails>,
    /// The number that our own wake-ups carry.
    pub(super) origin: Arc<AtomicI32>,
    pub(super) channel: Arc<str>,
    /// The name of the lock of the audit trail.
    pub(super) trail: Arc<str>,
}

impl Writers {
    pub(super) fn start(office: &Office, least: Durability) -> Self {
        let desk = |most| {
            let (orders, queue) = mpsc::unbounded_channel();
            tokio::spawn(work(office.clone(), queue, most));
            orders
        };
        Self { desks: (0..WRITERS).map(|_| desk(MAX_GROUP)).collect(), aside: desk(MAX_ASIDE), least }
    }

    /// Runs a job and waits until its commit is as durable as asked. A job that fails leaves nothing behind and does not
    /// harm the others of its group. It is done even if nobody waits for the answer.
    pub(super) fn run<T: Send + 'static>(
        &self,
        mut terms: Terms,
        job: impl FnMut(Arc<Transaction>) -> BoxFuture<'static, Result<T, Failure>> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, StoreError>> {
        terms.durability = terms.durability.max(self.least);
        let desk = if terms.aside { &self.aside } else { &self.desks[place(&terms.about)] };
        let (sender, receiver) = oneshot::channel();
        let _ = desk.send(Order { terms, job: Box::new(Task { job, sender, result: None }) });
        Box::pin(async move { receiver.await.unwrap_or(Err(StoreError::Closed)) })
    }
}

fn place(about: &str) -> usize {
    let mut hasher = DefaultHasher::new();
    about.hash(&mut hasher);
    (hasher.finish() % WRITERS as u64) as usize
}

struct Task<T, J> {
    job: J,
    sender: oneshot::Sender<Result<T, StoreError>>,
    result: Option<T>,
}

impl<T, J> Job for Task<T, J>
where
    T: Send,
    J: FnMut(Arc<Transaction>) -> BoxFuture<'static, Result<T, Failure>> + Send,
{
    fn run(&mut self, transaction: Arc<Transaction>) -> BoxFuture<'_, Result<(), Failure>> {
        Box::pin(async move {
            self.result = Some((self.job)(transaction).await?);
            Ok(())
        })
    }

    fn answer(self: Box<Self>, committed: Result<(), StoreError>) {
        let Self { sender, result, .. } = *self;
        // Whoever asked may have gone; the work is done all the same.
        let _ = sender.send(committed.and_then(|()| result.ok_or(StoreError::Closed)));
    }
}

/// Why a group was not committed.
struct Broken {
    failure: Failure,
    /// Whether it may have been committed all the same, because the answer was lost.
    perhaps_done: bool,
}

impl From<Failure> for Broken {
    fn from(failure: Failure) -> Self {
        Self { failure, perhaps_done: false }
    }
}

async fn work(office: Office, mut queue: mpsc::UnboundedReceiver<Order>, most: usize) {
    while let Some(first) = queue.recv().await {
        let mut group = vec![first];
        while group.len() < most
            && let Ok(order) = queue.try_recv()
        {
            group.push(order);
        }
        // What comes later on one thread stays later.
        group.sort_by(|one, other| one.terms.about.cmp(&other.terms.about));
        office.commit(group).await;
    }
}

impl Office {
    async fn commit(&self, mut group: Vec<Order>) {
        match self.insist(&mut group).await {
            Ok(news) => {
                news.iter().for_each(|news| news.announce(&self.tails));
                group.into_iter().for_each(|order| order.job.answer(Ok(())));
            }
            // One of them failed and took the others with it, so each gets a commit of its own.
            Err(Broken { failure, perhaps_done: false }) if group.len() > 1 && !failure.is_lost() => {
                for order in group {
                    Box::pin(self.commit(vec![order])).await;
                }
            }
            Err(Broken { failure, .. }) => {
                group.into_iter().for_each(|order| order.job.answer(Err(failure.tell())));
            }
        }
    }

    /// Commits, again where that cannot do anything twice: where the server was lost before it was told to commit, and
    /// where others were in the way of one job.
    async fn insist(&self, group: &mut [Order]) -> Result<Vec<News>, Broken> {
        let mut attempts = 1;
        loop {
            let broken = match self.transact(group).await {
                Ok(news) => return Ok(news),
                Err(broken) => broken,
            };
            let again = match broken.failure.is_lost() {
                true => attempts == 1,
                false => group.len() == 1 && broken.failure.may_pass() && attempts < ATTEMPTS,
            };
            if broken.perhaps_done || !again {
                return Err(broken);
            }
            attempts += 1;
        }
    }

    async fn transact(&self, group: &mut [Order]) -> Result<Vec<News>, Broken> {
        let lent = self.pool.take().await?;
        let ran = in_time("a transaction", PATIENCE, self.run(&lent, group)).await;
        let committed = match ran {
            Ok(news) => in_time("a commit", PATIENCE, lent.db.batch("COMMIT"))
                .await
                .map(|()| news)
                .map_err(|failure| Broken { perhaps_done: failure.is_lost(), failure }),
            Err(failure) => Err(failure.into()),
        };
        match &committed {
            Ok(_) => lent.give_back(),
            Err(broken) if broken.failure.is_lost() => self.pool.forget(),
            Err(_) => {
                if in_time("a rollback", PATIENCE, lent.db.batch("ROLLBACK")).await.is_ok() {
                    lent.give_back();
                }
            }
        }
        committed
    }

    async fn run(&self, lent: &Lent, group: &mut [Order]) -> Result<Vec<News>, Failure> {
        let durability = group.iter().map(|order| order.terms.durability).max().unwrap_or_default();
        let trail = group.iter().any(|order| order.terms.audit).then_some(&*self.trail);
        let transaction = Arc::new(Transaction::begin(lent.db.clone(), durability, trail).await?);
        let lanes = group.chunk_by_mut(|one, other| one.terms.about == other.terms.about);
        try_join_all(lanes.map(|lane| run_lane(lane, &transaction))).await?;
        transaction.finish(&self.channel, self.origin.load(Ordering::Relaxed)).await
    }
}

/// Jobs about one thing, one after the other.
async fn run_lane(lane: &mut [Order], transaction: &Arc<Transaction>) -> Result<(), Failure> {
    for order in lane {
        order.job.run(transaction.clone()).await?;
    }
    Ok(())
}
