//! Events from and to bytes.

mod decode;
mod encode;
mod material;
pub(crate) mod sse;

pub(crate) use self::material::Material;

use crate::{
    peer,
    race::{Effort, Task, race},
    report::{Aim, Report, Section},
};

/// How many events a pass handles: enough to be a mix, few enough to stay in the processor's cache.
const EVENTS: usize = 4_000;

pub(crate) const CRATE: &str = "crate ag-ui 0.5.0-alpha.3";
const PROTOBUF: &str = "ours, protobuf";

/// Everything there is to measure.
pub(crate) fn tasks(material: &Material) -> Vec<Task<'_>> {
    vec![
        decode::task(material),
        sse::reading(material),
        encode::reused(material),
        encode::shared(material),
        sse::writing(material),
    ]
}

pub(crate) fn measure(effort: Effort) -> Report {
    let material = Material::new(EVENTS);
    let mut sections = Vec::new();
    for Task { key, title, contenders } in tasks(&material) {
        let lanes = race(effort, contenders);
        sections.push(Section::new(key, title, &lanes.iter().collect::<Vec<_>>()));
    }
    let mut skipped = Vec::new();
    for peers in [peer::node("codec.mjs", &material.texts, &[]), peer::python("codec.py", &material.texts)] {
        match peers {
            Ok(figures) => figures.into_iter().for_each(|figure| figure.add_to(&mut sections)),
            Err(reason) => skipped.push(reason),
        }
    }
    let about = format!(
        "{EVENTS} events, {} bytes each on average; the same texts for everybody",
        material.mean_bytes()
    );
    Report { bench: "codec", about, aims: aims(&sections), sections, notes: Vec::new(), skipped }
}

fn aims(sections: &[Section]) -> Vec<Aim> {
    let over = |key: &str, name: &str| {
        sections.iter().find(|section| section.key == key).and_then(|section| section.ours_over(name))
    };
    let inverse = |key: &str, name: &str| over(key, name).map(f64::recip);
    vec![
        Aim::at_least(1.8, "decode, against crate ag-ui", over("decode", CRATE)),
        Aim::at_least(0.8, "decode, against floor A", over("decode", decode::FLOOR_A)),
        Aim::at_least(2.5, "encode into a reused buffer, against crate ag-ui", over("encode", CRATE)),
        Aim::at_least(
            0.9,
            "encode into a reused buffer, against the serde floor",
            over("encode", encode::FLOOR),
        ),
        Aim::at_least(2.5, "encode into bytes to share, against crate ag-ui", over("share", CRATE)),
        Aim::at_least(
            0.9,
            "encode into bytes to share, against the serde floor",
            over("share", encode::FLOOR),
        ),
        Aim::at_least(2.5, "encode as an SSE frame, against crate ag-ui", over("sse-write", CRATE)),
        Aim::at_least(1.0, "protobuf decode, against our JSON decode", inverse("decode", PROTOBUF)),
        Aim::at_least(1.0, "protobuf encode, against our JSON encode", inverse("encode", PROTOBUF)),
    ]
}
