//! Runs that many tasks append at once, as a server does.

use std::{path::Path, sync::Arc};

use bytes::Bytes;
use forestage_store::{Append, Boundary, Durability, Lease, NewThread, Seq, Store, sqlite::SqliteStore};
use tokio::runtime::Runtime;

use crate::mix;

/// So many events has an append: what a model says while the append before it is under way.
pub(super) const BLOCK: usize = 8;

/// A store with threads, and a runtime to use them from.
pub(super) struct Runs {
    runtime: Runtime,
    store: Arc<dyn Store>,
    threads: Vec<(Lease, Seq)>,
    events: Arc<Vec<Bytes>>,
    rounds: usize,
}

impl Runs {
    pub(super) fn new(path: &Path, durability: Durability, threads: usize, texts: &[String]) -> Self {
        let runtime = runtime();
        let store: Arc<dyn Store> =
            Arc::new(runtime.block_on(SqliteStore::open_with(path, durability)).expect("a new file"));
        let threads = (0..threads).map(|index| runtime.block_on(thread(&*store, index))).collect();
        let events = texts.iter().cloned().map(Bytes::from).collect();
        Self { runtime, store, threads, events: Arc::new(events), rounds: 0 }
    }

    pub(super) fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    pub(super) fn runtime(&self) -> &Runtime {
        &self.runtime
    }

    /// One run on every thread, all at once.
    pub(super) fn round(&mut self) {
        let round = self.rounds;
        self.rounds += 1;
        let tasks: Vec<_> = self
            .threads
            .iter()
            .enumerate()
            .map(|(index, (lease, after))| {
                let (store, events) = (self.store.clone(), self.events.clone());
                let turn = (index + round) % (events.len() / mix::TURN) * mix::TURN;
                let (lease, after) = (lease.clone(), *after);
                self.runtime.spawn(async move {
                    run(&*store, &lease, after, &format!("run-{round}"), &events[turn..turn + mix::TURN])
                        .await
                })
            })
            .collect();
        for (task, (_, tail)) in tasks.into_iter().zip(&mut self.threads) {
            *tail = self.runtime.block_on(task).expect("a run");
        }
    }
}

pub(super) fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime")
}

pub(super) async fn thread(store: &dyn Store, index: usize) -> (Lease, Seq) {
    let new = NewThread::new(format!("thread-{index:06}"), "ann", "hello", 1);
    let made = store.create_and_claim(new, "bench".into(), 0, 1000).await;
    (made.expect("writable").expect("a new thread").1, Seq::START)
}

async fn run(store: &dyn Store, lease: &Lease, mut after: Seq, run_id: &str, events: &[Bytes]) -> Seq {
    let last = events.len().div_ceil(BLOCK) - 1;
    for (index, block) in events.chunks(BLOCK).enumerate() {
        let mut append = Append::new(&lease.thread_id, run_id, lease.fence, after, block.to_vec());
        if index == 0 {
            append = append.with_boundary(started());
        }
        if index == last {
            append = append.with_boundary(ended());
        }
        after = store.append(append).await.expect("room");
    }
    after
}

pub(super) fn started() -> Boundary {
    Boundary::Started { request_hash: 1, agent: "hello".into(), parent: None, at: 1, answers: Vec::new() }
}

fn ended() -> Boundary {
    Boundary::Ended { end: "success".into(), at: 2, messages: 3, interrupts: Vec::new() }
}
