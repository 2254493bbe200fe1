//! Streams that run one run after the other.

use std::{
    io,
    net::SocketAddr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::{task::JoinSet, time::sleep};

use super::{
    Loaded, Mode, Plan,
    process::usage,
    run_request,
    wire::{Connection, Read},
};
use crate::serve::script::{BURST, EVENTS, PACE_MS, PACED};

/// Large enough that a read takes all that a server writes at once.
const BUFFER: usize = 64 << 10;

#[derive(Default)]
struct Tally {
    measuring: AtomicBool,
    events: AtomicU64,
    runs: AtomicU64,
    first: Mutex<Vec<Duration>>,
}

pub(super) async fn run(plan: &Plan) -> io::Result<Loaded> {
    let tally = Arc::new(Tally::default());
    let agent = if plan.mode == Mode::Paced { PACED } else { BURST };
    let mut streams = JoinSet::new();
    for number in 0..plan.streams {
        // Streams that all begin at once would all speak at once.
        let delay = if plan.mode == Mode::Paced { stagger(number, plan.streams) } else { Duration::ZERO };
        let (path, address, tally) = (plan.path.clone(), plan.address, tally.clone());
        streams.spawn(async move {
            sleep(delay).await;
            stream(address, &path, agent, &tally).await
        });
    }
    tokio::select! {
        // A stream only ends when it fails.
        Some(ended) = streams.join_next() => {
            ended??;
            Err(io::Error::other("a stream ended"))
        }
        loaded = watch(plan, &tally) => Ok(loaded),
    }
}

fn stagger(number: usize, streams: usize) -> Duration {
    let whole = Duration::from_millis(PACE_MS * EVENTS as u64);
    whole.mul_f64(number as f64 / streams as f64)
}

async fn stream(address: SocketAddr, path: &str, agent: &str, tally: &Tally) -> io::Result<()> {
    let mut connection = Connection::open(address, BUFFER).await?;
    loop {
        let sent = Instant::now();
        connection.send(&run_request(path, agent)).await?;
        let mut events = 0;
        loop {
            let Read { events: more, ended } = connection.read().await?;
            if events == 0 && more > 0 && tally.measuring.load(Ordering::Relaxed) {
                tally.first.lock().unwrap_or_else(PoisonError::into_inner).push(sent.elapsed());
            }
            events += more;
            tally.events.fetch_add(more as u64, Ordering::Relaxed);
            if ended {
                break;
            }
        }
        if events != EVENTS {
            return Err(io::Error::other(format!("a run had {events} events instead of {EVENTS}")));
        }
        tally.runs.fetch_add(1, Ordering::Relaxed);
    }
}

async fn watch(plan: &Plan, tally: &Tally) -> Loaded {
    sleep(Duration::from_millis(plan.warm_up)).await;
    tally.measuring.store(true, Ordering::Relaxed);
    let counts = || [&tally.events, &tally.runs].map(|count| count.load(Ordering::Relaxed) as f64);
    let (begin, before, [events, runs]) = (Instant::now(), usage(plan.pid), counts());
    sleep(Duration::from_millis(plan.window)).await;
    let (seconds, after, now) = (begin.elapsed().as_secs_f64(), usage(plan.pid), counts());
    let mut first = tally.first.lock().unwrap_or_else(PoisonError::into_inner).clone();
    first.sort_unstable();
    Loaded {
        events: now[0] - events,
        runs: now[1] - runs,
        seconds,
        first_p50: quantile(&first, 0.5),
        first_p99: quantile(&first, 0.99),
        cpu: after.cpu - before.cpu,
        memory_before: before.memory,
        memory: after.memory,
    }
}

/// In milliseconds; not a number where nothing was seen.
fn quantile(sorted: &[Duration], part: f64) -> f64 {
    let at = ((sorted.len() as f64 * part) as usize).min(sorted.len().saturating_sub(1));
    sorted.get(at).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
}
