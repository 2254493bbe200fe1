//! A lone stream: append one event, wait until it is kept, go on.

use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use forestage_store::{Append, Durability, Seq, Store, memory::MemoryStore, sqlite::SqliteStore};
use tokio::runtime::Runtime;

use super::{floor::Floor, runs};
use crate::report::Section;

/// The median of each, with the slowest percent beside it.
pub(super) fn section(folder: &Path, texts: &[String], count: usize) -> Section {
    let runtime = runs::runtime();
    let open = |file: &str, least| {
        let opened = runtime.block_on(SqliteStore::open_with(folder.join(file), least));
        Arc::new(opened.expect("a new file")) as Arc<dyn Store>
    };
    let mut section = Section::new("lone", "one event at a time, awaited", &[]);
    let process = open("lone.db", Durability::Process);
    let disk = open("lone-synced.db", Durability::Disk);
    let mut floor = Floor::new(&folder.join("lone-floor.db"));
    let mut add = |name: &str, samples| add(&mut section, name, samples);
    add("ours, survives a kill", sample(&runtime, &process, texts, count));
    add("ours, survives the machine", sample(&runtime, &disk, texts, count / 10));
    let memory: Arc<dyn Store> = Arc::new(MemoryStore::default());
    add("ours, in memory", sample(&runtime, &memory, texts, count));
    let times = texts.iter().cycle().take(count).map(|text| timed(|| floor.append_one(text)));
    add("floor: rusqlite, one row per commit, same thread", times.collect());
    section
}

fn add(section: &mut Section, name: &str, mut samples: Vec<Duration>) {
    samples.sort();
    let micros = |share: usize| samples[samples.len() * share / 1000].as_nanos() as f64 / 1000.0;
    let note = format!("p50 {:.1} µs, p99 {:.1} µs", micros(500), micros(990));
    section.add(name.to_owned(), micros(500) * 1000.0, note);
}

fn timed(work: impl FnOnce()) -> Duration {
    let begin = Instant::now();
    work();
    begin.elapsed()
}

fn sample(runtime: &Runtime, store: &Arc<dyn Store>, texts: &[String], count: usize) -> Vec<Duration> {
    let store = store.clone();
    let events: Vec<Bytes> = texts.iter().cycle().take(count).cloned().map(Bytes::from).collect();
    // On a worker, as a server's task is.
    let task = runtime.spawn(async move {
        let (lease, mut after) = runs::thread(&*store, 0).await;
        let first = Append::new(&lease.thread_id, "run", lease.fence, after, vec![]);
        store.append(first.with_boundary(runs::started())).await.expect("room");
        let mut samples = Vec::with_capacity(events.len());
        for event in events {
            let append = Append::new(&lease.thread_id, "run", lease.fence, after, vec![event]);
            let begin = Instant::now();
            after = store.append(append).await.expect("room");
            samples.push(begin.elapsed());
        }
        assert_eq!(after, Seq(samples.len() as u64));
        samples
    });
    runtime.block_on(task).expect("a stream")
}
