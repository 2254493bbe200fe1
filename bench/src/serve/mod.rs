//! What a server costs over HTTP, with durability on, beside peers and floors.
//!
//! Every server is a process of its own and is started anew for each figure; so is the load. Contenders take turns,
//! and a figure is the median of the rounds.

mod aims;
mod contender;
mod crowd;
mod figure;
mod load;
mod long;
mod script;
mod server;

pub(crate) use self::{figure::Figure, load::run as load, server::serve as server};

use self::{
    contender::{Contender, Times},
    figure::median,
    load::{Loaded, Mode},
};
use crate::report::{Report, Row, Section};

pub(crate) const OURS: &str = "ours, SQLite on disk";
pub(crate) const FLOOR: &str = "floor: axum Sse, one event per write";
pub(crate) const BODY: &str = "floor: axum, prepared, 32 events per write";
pub(crate) const CRATE: &str = crate::codec::CRATE;
pub(crate) const NODE: &str = "Node http, @ag-ui/encoder 1.0.0";
pub(crate) const FAST_API: &str = "FastAPI, ag-ui-protocol 1.0.0";
pub(crate) const COPILOTKIT: &str = "CopilotKit runtime 1.75, in memory";

/// How many streams at once.
const STREAMS: [usize; 3] = [1, 64, 512];

/// How often and how long everybody is measured. Warming up takes as long as compilers at run time need.
#[derive(Clone, Copy)]
struct Effort {
    rounds: usize,
    burst: Times,
    paced: Times,
}

const FULL: Effort = Effort {
    rounds: 3,
    burst: Times { warm_up: 2_000, window: 3_000 },
    paced: Times { warm_up: 3_000, window: 5_000 },
};
const QUICK: Effort = Effort {
    rounds: 1,
    burst: Times { warm_up: 1_500, window: 2_000 },
    paced: Times { warm_up: 2_500, window: 3_000 },
};

/// Measures everything, or only the sections whose key begins with `only`.
pub(crate) fn measure(quick: bool, only: Option<&str>) -> Report {
    let effort = if quick { QUICK } else { FULL };
    let mut skipped = Vec::new();
    let contenders = contenders(&mut skipped);
    let wanted = |key: &str| only.is_none_or(|only| key.starts_with(only));
    let mut sections = Vec::new();
    for streams in STREAMS {
        let key = format!("burst-{streams}");
        if wanted(&key) {
            let title = format!("burst, {streams} streams");
            let lanes = race(&contenders, Mode::Burst, streams, effort.burst, effort.rounds, &mut skipped);
            sections.push(section(key, title, lanes));
        }
    }
    if wanted("paced") {
        // The floor that gathers has nothing to gather here.
        let speakers: Vec<_> =
            contenders.iter().filter(|contender| contender.name != BODY).cloned().collect();
        let lanes = race(&speakers, Mode::Paced, 512, effort.paced, 1, &mut skipped);
        sections.push(section("paced".to_owned(), "paced, 512 streams × 100 events/s".to_owned(), lanes));
    }
    let mut notes = Vec::new();
    let crowd = wanted("crowd").then(|| crowd::measure(&contenders, quick, &mut notes, &mut skipped));
    let long = wanted("long").then(|| long::measure(&contenders, &mut notes, &mut skipped)).flatten();
    let about = format!(
        "a run of {} events over SSE; ours keeps every event in SQLite on the disk before it is sent, the others keep nothing",
        script::EVENTS
    );
    Report { bench: "serve", about, aims: aims::aims(&sections, crowd, long), sections, notes, skipped }
}

fn contenders(skipped: &mut Vec<String>) -> Vec<Contender> {
    let mut contenders = vec![
        Contender::own(OURS, "ours"),
        Contender::own(FLOOR, "floor-sse"),
        Contender::own(BODY, "floor-body"),
        Contender::own(CRATE, "crate"),
    ];
    for peer in [Contender::node(), Contender::fast_api(), Contender::copilotkit()] {
        match peer {
            Ok(contender) => contenders.push(contender),
            Err(reason) => skipped.push(reason),
        }
    }
    contenders
}

type Lane = (&'static str, Vec<Loaded>);

fn race(
    contenders: &[Contender],
    mode: Mode,
    streams: usize,
    times: Times,
    rounds: usize,
    skipped: &mut Vec<String>,
) -> Vec<Lane> {
    let mut lanes: Vec<Lane> = contenders.iter().map(|contender| (contender.name, Vec::new())).collect();
    for round in 1..=rounds {
        for (contender, (_, lane)) in contenders.iter().zip(&mut lanes) {
            eprintln!("{mode:?}, {streams} streams, round {round} of {rounds}: {}", contender.name);
            match contender.measure(mode, streams, times) {
                Ok(loaded) => lane.push(loaded),
                Err(reason) => skipped.push(reason),
            }
        }
    }
    lanes.retain(|(_, lane)| !lane.is_empty());
    lanes
}

/// The first lane is ours; a ratio is the median of the rounds' ratios.
fn section(key: String, title: String, lanes: Vec<Lane>) -> Section {
    let ours = lanes.iter().find(|(name, _)| *name == OURS).map(|(_, lane)| lane.clone()).unwrap_or_default();
    let rows = lanes.into_iter().map(|(name, lane)| {
        let rate = |loaded: &Loaded| loaded.events / loaded.seconds;
        let ratios = ours.iter().zip(&lane).map(|(ours, this)| rate(ours) / rate(this)).collect();
        let figure = Figure::of(&lane);
        let events_per_second = median(lane.iter().map(rate).collect());
        Row {
            name: name.to_owned(),
            events_per_second,
            nanos_per_event: 1e9 / events_per_second,
            ours_over_this: median(ratios),
            note: figure.to_string(),
            serving: Some(figure),
        }
    });
    Section { key, title, rows: rows.collect() }
}

/// Every stream is a file; the usual limit is too low for thousands.
fn allow_many_files() {
    if let Err(error) = rlimit::increase_nofile_limit(u64::MAX) {
        eprintln!("the limit of open files stays as it is: {error}; `ulimit -n 20000` raises it");
    }
}
