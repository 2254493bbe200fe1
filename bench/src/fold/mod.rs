//! A stream into messages and state: verified and applied, typed or from SSE text.

mod material;
mod text;
mod typed;

pub(crate) use self::material::Material;

use crate::{
    codec::CRATE,
    mix, peer,
    race::{Effort, Lane, Task, race},
    report::{Aim, Report, Section},
};

/// How long the conversations are.
const SIZES: [usize; 3] = [1_000, 10_000, 100_000];
const OURS: &str = "ours";
const FLOOR: &str = "floor: a map, strings, no checks";
const OFFICIAL: &str = "official @ag-ui/client 1.0.0";

/// Everything there is to measure with a conversation of one length.
pub(crate) fn tasks(material: &Material) -> Vec<Task<'_>> {
    vec![typed::task(material), text::task(material)]
}

pub(crate) fn measure(effort: Effort, quick: bool) -> Report {
    let materials = SIZES.map(Material::new);
    let mut sections = measure_ours(effort, &materials);
    let growth = growth(&sections);
    let mut skipped = Vec::new();
    let texts = mix::stream(SIZES[2]);
    match peer::node("fold.mjs", &texts, official_arguments(quick)) {
        Ok(figures) => figures.into_iter().for_each(|figure| figure.add_to(&mut sections)),
        Err(reason) => skipped.push(reason),
    }
    if quick {
        skipped.push(format!("{OFFICIAL} at 100,000 events: it takes minutes, run without --quick"));
    }
    let about = "one conversation of many runs: text, tool calls, state".to_owned();
    Report { bench: "fold", about, aims: aims(&sections, growth), sections, skipped }
}

/// The conversations to fold, and after how many seconds to give up on one and extrapolate.
fn official_arguments(quick: bool) -> &'static [&'static str] {
    if quick { &["1000,10000", "30"] } else { &["1000,10000,100000", "240"] }
}

/// All lengths take turns in one race, for their cost per event is compared too.
fn measure_ours(effort: Effort, materials: &[Material]) -> Vec<Section> {
    let mut sections = Vec::new();
    for index in 0..tasks(&materials[0]).len() {
        let mut contenders = Vec::new();
        let mut titles = Vec::new();
        for material in materials {
            let task = tasks(material).swap_remove(index);
            titles.push((task.key, task.title));
            contenders.extend(task.contenders);
        }
        let lanes = race(effort, contenders);
        for ((key, title), events) in titles.into_iter().zip(SIZES) {
            let mine: Vec<&Lane> = lanes.iter().filter(|lane| lane.events == events).collect();
            sections.push(Section::new(
                format!("{key}-{events}"),
                format!("{title}, {events} events"),
                &mine,
            ));
        }
    }
    sections
}

fn nanos(sections: &[Section], key: &str) -> Option<f64> {
    let section = sections.iter().find(|section| section.key == key)?;
    section.rows.first().map(|row| row.nanos_per_event)
}

fn growth(sections: &[Section]) -> Option<f64> {
    Some(nanos(sections, "fold-100000")? / nanos(sections, "fold-1000")?)
}

fn aims(sections: &[Section], growth: Option<f64>) -> Vec<Aim> {
    let over = |events: usize, name: &str| {
        let key = format!("fold-{events}");
        sections.iter().find(|section| section.key == key).and_then(|section| section.ours_over(name))
    };
    let mut aims = Vec::new();
    for events in SIZES {
        aims.push(Aim::at_least(1.3, format!("{events} events, against crate ag-ui"), over(events, CRATE)));
        aims.push(Aim::at_least(0.6, format!("{events} events, against the floor"), over(events, FLOOR)));
    }
    aims.push(Aim::at_most(1.4, "cost per event at 100,000 against 1,000", growth));
    aims.push(Aim::at_least(5_000.0, "100,000 events, against the official client", over(100_000, OFFICIAL)));
    aims
}
