//! Many streams at once: those that wait, those that watch one run, those that do not read. And many runs on one thread.

use std::{io, time::Duration};

use tokio::{task::JoinSet, time::Instant};

use super::{
    Loaded, Mode, Plan,
    process::usage,
    run_on, run_request,
    wire::{self, Connection},
};
use crate::serve::script::{BURST, EVENTS, WAITING};

/// So many connections are opened at once; a server has room for about a thousand that it has not accepted.
const AT_ONCE: usize = 256;

/// A viewer needs little room, and there are many of them.
const BUFFER: usize = 8 << 10;

/// The thread that everybody watches.
const THREAD: &str = "watched";

/// Opens streams that wait, and weighs the server before and after.
pub(super) async fn hold(plan: &Plan) -> io::Result<Loaded> {
    if plan.mode == Mode::IdleViewers {
        run_whole(plan, 0).await?;
    }
    let before = usage(plan.pid);
    let _open = open(plan, |_| match plan.mode {
        Mode::Waiting => run_request(&plan.path, WAITING),
        // Without a cursor, so that each gets the conversation first and the answer has begun.
        _ => wire::get(&format!("/v1/threads/{THREAD}/events?protocol=1.0")),
    })
    .await?;
    tokio::time::sleep(Duration::from_millis(plan.window)).await;
    let after = usage(plan.pid);
    Ok(Loaded { cpu: after.cpu - before.cpu, ..weighed(before.memory, after.memory) })
}

/// Lets everybody watch one thread, then runs an agent on it, and waits until everybody has seen all of it.
pub(super) async fn fan_out(plan: &Plan) -> io::Result<Loaded> {
    run_whole(plan, 0).await?;
    let viewers = open(plan, |_| wire::get(&format!("/v1/threads/{THREAD}/events?protocol=1.0"))).await?;
    let (before, begin) = (usage(plan.pid), Instant::now());
    let mut watching = JoinSet::new();
    for mut viewer in viewers {
        watching.spawn(async move {
            let mut events = 0;
            while events < EVENTS {
                events += viewer.read().await?.events;
            }
            io::Result::Ok(events)
        });
    }
    run_whole(plan, 1).await?;
    let mut events = 0;
    while let Some(seen) = watching.join_next().await {
        events += seen??;
    }
    let (seconds, after) = (begin.elapsed().as_secs_f64(), usage(plan.pid));
    let cpu = after.cpu - before.cpu;
    Ok(Loaded { events: events as f64, runs: 1.0, seconds, cpu, ..weighed(before.memory, after.memory) })
}

/// Lets everybody watch one thread without reading, while runs follow each other on it.
pub(super) async fn stall(plan: &Plan) -> io::Result<Loaded> {
    run_whole(plan, 0).await?;
    let _stalled = open(plan, |_| wire::get(&format!("/v1/threads/{THREAD}/events?protocol=1.0"))).await?;
    let (before, begin) = (usage(plan.pid), Instant::now());
    let mut runs = 0;
    while begin.elapsed() < Duration::from_millis(plan.window) {
        runs += 1;
        run_whole(plan, runs).await?;
    }
    let (seconds, after) = (begin.elapsed().as_secs_f64(), usage(plan.pid));
    let events = runs as f64 * EVENTS as f64;
    Ok(Loaded { events, runs: runs as f64, seconds, ..weighed(before.memory, after.memory) })
}

/// So many runs are measured on a thread that has become long.
const MORE: u64 = 100;

/// Lets a thread become long, and measures how it goes on.
pub(super) async fn go_on(plan: &Plan) -> io::Result<Loaded> {
    let behind = plan.streams as u64;
    for number in 0..behind {
        run_whole(plan, number).await?;
    }
    let (before, begin) = (usage(plan.pid), Instant::now());
    for number in behind..behind + MORE {
        run_whole(plan, number).await?;
    }
    let (seconds, after) = (begin.elapsed().as_secs_f64(), usage(plan.pid));
    let (runs, cpu) = (MORE as f64, after.cpu - before.cpu);
    Ok(Loaded { events: runs * EVENTS as f64, runs, seconds, cpu, ..weighed(before.memory, after.memory) })
}

fn weighed(memory_before: f64, memory: f64) -> Loaded {
    Loaded { memory_before, memory, ..Loaded::default() }
}

/// Opens all streams, and waits for the first event of each.
async fn open(plan: &Plan, request: impl Fn(usize) -> Vec<u8>) -> io::Result<Vec<Connection>> {
    let mut opening = JoinSet::new();
    let mut open = Vec::with_capacity(plan.streams);
    for number in 0..plan.streams {
        if opening.len() >= AT_ONCE {
            open.extend(opening.join_next().await.transpose()?.transpose()?);
        }
        let (address, request) = (plan.address, request(number));
        opening.spawn(async move { begun(address, &request).await });
    }
    while let Some(opened) = opening.join_next().await {
        open.push(opened??);
    }
    Ok(open)
}

async fn begun(address: std::net::SocketAddr, request: &[u8]) -> io::Result<Connection> {
    let mut connection = Connection::open(address, BUFFER).await?;
    connection.send(request).await?;
    // What is sent at once is read at once, so that it is not taken for what comes later.
    while connection.read().await?.events == 0 {}
    Ok(connection)
}

/// Runs the agent on the thread that everybody watches.
async fn run_whole(plan: &Plan, number: u64) -> io::Result<()> {
    let mut connection = Connection::open(plan.address, BUFFER).await?;
    connection.send(&run_on(&plan.path, BURST, THREAD, number)).await?;
    while !connection.read().await?.ended {}
    Ok(())
}
