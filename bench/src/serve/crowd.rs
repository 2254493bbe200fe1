//! Many viewers: what one that waits weighs, what a whole hall costs, and what one that stalls does.

use super::{
    FLOOR, OURS,
    contender::{Contender, Times},
    load::{Loaded, Mode},
};

/// What the aims need.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Crowd {
    /// Kilobytes per viewer of a thread that waits.
    pub(crate) idle_kilobytes: Option<f64>,
    /// Megabytes that viewers who do not read cost together.
    pub(crate) stalled_megabytes: Option<f64>,
}

const IDLE: usize = 5_000;
const HALL: usize = 10_000;
/// Few, because the system itself keeps some megabytes for each.
const STALLED: usize = 50;

pub(crate) fn measure(
    contenders: &[Contender],
    quick: bool,
    notes: &mut Vec<String>,
    skipped: &mut Vec<String>,
) -> Crowd {
    let mut crowd = Crowd::default();
    for contender in contenders {
        let is_ours = contender.name == OURS;
        if is_ours || contender.name == FLOOR || !quick {
            let waiting = held(contender, Mode::Waiting, skipped);
            notes.extend(
                waiting.map(|kb| format!("{IDLE} open runs that wait: {kb:.1} kB each, {}", contender.name)),
            );
        }
        if is_ours {
            crowd.idle_kilobytes = held(contender, Mode::IdleViewers, skipped);
            let text =
                |kb| format!("{IDLE} viewers of a thread that is idle: {kb:.1} kB each, {}", contender.name);
            notes.extend(crowd.idle_kilobytes.map(text));
            notes.extend(try_measure(contender, Mode::FanOut, HALL, skipped).map(|loaded| hall(&loaded)));
            // A server that has run for a while holds more than one that has just begun, whoever watches.
            let alone = try_measure(contender, Mode::Stalled, 1, skipped);
            let stalled = try_measure(contender, Mode::Stalled, STALLED, skipped);
            crowd.stalled_megabytes =
                alone.as_ref().zip(stalled.as_ref()).map(|(alone, stalled)| grown(stalled) - grown(alone));
            notes.extend(alone.into_iter().zip(stalled).map(|(alone, loaded)| stall(&alone, &loaded)));
        }
    }
    crowd
}

fn held(contender: &Contender, mode: Mode, skipped: &mut Vec<String>) -> Option<f64> {
    let loaded = try_measure(contender, mode, IDLE, skipped)?;
    Some(grown(&loaded) * 1024.0 / IDLE as f64)
}

fn try_measure(
    contender: &Contender,
    mode: Mode,
    streams: usize,
    skipped: &mut Vec<String>,
) -> Option<Loaded> {
    eprintln!("{mode:?}, {streams} streams: {}", contender.name);
    let window = if mode == Mode::Stalled { 8_000 } else { 2_000 };
    let times = Times { warm_up: 0, window };
    contender.measure(mode, streams, times).map_err(|reason| skipped.push(reason)).ok()
}

fn grown(loaded: &Loaded) -> f64 {
    (loaded.memory - loaded.memory_before) / f64::from(1 << 20)
}

/// Had each viewer a copy of its own, the memory would grow with what is delivered.
fn hall(loaded: &Loaded) -> String {
    format!(
        "{HALL} viewers of one run: {:.0} events/s delivered, {:.2} µs of processor time each, memory grows by {:.1} MB",
        loaded.events / loaded.seconds,
        loaded.cpu * 1e6 / loaded.events,
        grown(loaded)
    )
}

fn stall(alone: &Loaded, loaded: &Loaded) -> String {
    format!(
        "{STALLED} viewers who do not read while {:.0} runs ({:.0} events) pass: memory grows by {:.1} MB, with one such viewer by {:.1} MB",
        loaded.runs,
        loaded.events,
        grown(loaded),
        grown(alone)
    )
}
