//! User interfaces: checking what agents draw, reading it while it is written, and the tutoring components.
//!
//! The crate `ag-ui-a2ui` checks parsed messages and reads streams, so it takes part in both; it has nothing for tutoring.

mod check;
mod its;
mod material;
mod stream;

use self::material::Material;
use crate::{
    peer,
    race::{Effort, Task, race},
    report::{Aim, Report, Section},
};

/// How many components a payload has.
const COMPONENTS: usize = 1_200;

pub(crate) fn measure(effort: Effort) -> Report {
    let material = Material::new(COMPONENTS);
    let mut sections = Vec::new();
    for Task { key, title, contenders } in [check::task(&material), stream::task(), its::task()] {
        let lanes = race(effort, contenders);
        sections.push(Section::new(key, title, &lanes.iter().collect::<Vec<_>>()));
    }
    let mut skipped = Vec::new();
    let texts = [material.text.clone()];
    for peers in [peer::node("a2ui_check.mjs", &texts, &[]), python(&texts)] {
        match peers {
            Ok(figures) => figures.into_iter().for_each(|figure| figure.add_to(&mut sections)),
            Err(reason) => skipped.push(reason),
        }
    }
    let about = format!(
        "checking: a payload of {} components, {} bytes each, `events` are components; streaming: `events` are bytes, in \
         pieces of {}; tutoring: `events` are calls",
        material.components,
        material.text.len() / material.components,
        stream::PIECE
    );
    let notes = vec![stream::first_release(&material.text)];
    Report { bench: "a2ui", about, aims: aims(&sections, &material), sections, notes, skipped }
}

fn python(texts: &[String]) -> Result<Vec<peer::Figure>, peer::Skip> {
    peer::python_with("a2ui_check.py", "python-a2ui", &["a2ui-agent-sdk==0.9.0", "a2ui-core==0.4.0"], texts)
}

fn aims(sections: &[Section], material: &Material) -> Vec<Aim> {
    let rows = |key: &str| sections.iter().find(|section| section.key == key).map(|section| &section.rows);
    let rate = rows("check").and_then(|rows| rows.first()).map(|row| row.events_per_second);
    let bytes = material.text.len() as f64 / material.components as f64;
    let nanos =
        |name: &str| rows("stream")?.iter().find(|row| row.name == name).map(|row| row.nanos_per_event);
    let growth = nanos(stream::LARGE).zip(nanos(stream::SMALL)).map(|(large, small)| large / small);
    let schema =
        sections.iter().find(|section| section.key == "its").and_then(|it| it.ours_over(its::SCHEMA));
    let peer =
        sections.iter().find(|section| section.key == "check").and_then(|it| it.ours_over(check::PEER));
    vec![
        Aim::at_least(100.0, "checking, in MB/s", rate.map(|rate| rate * bytes / 1e6)),
        Aim::at_least(500_000.0, "checking, in components/s", rate),
        Aim::at_most(1.3, "streaming 1 MB, per byte against 10 kB", growth),
        Aim::at_least(1.5, "checking, against crate ag-ui-a2ui", peer),
        Aim::at_least(1.0, "tutoring calls, against parse and compiled schema", schema),
    ]
}
