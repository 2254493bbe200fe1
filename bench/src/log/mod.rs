//! Threads on the disk: appending, waiting for one event, reading back.

mod append;
mod floor;
mod latency;
mod read;
mod runs;

use crate::{
    mix,
    race::{Effort, race},
    report::{Aim, Report, Section},
};

const FLOOR: &str = "floor: rusqlite, 256 rows per commit";

pub(crate) fn measure(quick: bool) -> Report {
    let effort = if quick { Effort::QUICK_ON_DISK } else { Effort::ON_DISK };
    let folder = tempfile::tempdir().expect("room for files");
    let texts = mix::stream(mix::TURN * 20);
    let mut sections = append::sections(effort, folder.path(), &texts);
    let reading = read::task(folder.path(), &texts);
    let lanes = race(effort, reading.contenders);
    sections.push(Section::new(reading.key, reading.title, &lanes.iter().collect::<Vec<_>>()));
    sections.push(latency::section(folder.path(), &texts, if quick { 2_000 } else { 20_000 }));
    let about = format!(
        "runs of {} events in appends of {}; begin and end of a run are synced, the rest survives a kill",
        mix::TURN,
        runs::BLOCK
    );
    Report { bench: "log", about, aims: aims(&sections), sections, notes: Vec::new(), skipped: Vec::new() }
}

fn aims(sections: &[Section]) -> Vec<Aim> {
    let section = |key: &str| sections.iter().find(|section| section.key == key);
    let over_floor = |key: &str| section(key).and_then(|section| section.ours_over(FLOOR));
    let read = section("read").and_then(|section| section.rows.first()).map(|row| row.events_per_second);
    vec![
        Aim::at_least(0.7, "append from 64 runs at once, against the floor", over_floor("append-64")),
        Aim::at_least(0.7, "append from 512 runs at once, against the floor", over_floor("append-512")),
        Aim::at_least(1_000_000.0, "events read back per second", read),
    ]
}
