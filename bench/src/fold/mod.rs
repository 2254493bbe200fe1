//! A stream into messages and state: verified and applied, typed or from SSE text.

mod material;
mod text;
mod typed;

pub(crate) use self::material::Material;

use crate::{
    codec::CRATE,
    mix, peer,
    race::{Effort, Task, race},
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
    let (mut sections, growth) = measure_here(effort, &materials);
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
    let aims = aims(&sections, growth.first().map(|(_, growth)| *growth));
    Report { bench: "fold", about, sections, notes: growth.iter().map(note).collect(), aims, skipped }
}

/// How many times as much an event costs in the longest conversation as in the shortest, by contender.
type Growth = Vec<(&'static str, f64)>;

fn note((name, growth): &(&str, f64)) -> String {
    format!("cost per event at 100,000 against 1,000: {growth:.2} for {name}")
}

/// The conversations to fold, and after how many seconds to give up on one and extrapolate.
fn official_arguments(quick: bool) -> &'static [&'static str] {
    if quick { &["1000,10000", "30"] } else { &["1000,10000,100000", "240"] }
}

/// All lengths take turns in one race, for their cost per event is compared too.
fn measure_here(effort: Effort, materials: &[Material]) -> (Vec<Section>, Growth) {
    let (mut sections, mut growth) = (Vec::new(), Vec::new());
    for index in 0..tasks(&materials[0]).len() {
        let of_each: Vec<Task<'_>> =
            materials.iter().map(|material| tasks(material).swap_remove(index)).collect();
        let (key, title) = (of_each[0].key, of_each[0].title);
        let lanes = race(effort, of_each.into_iter().flat_map(|task| task.contenders).collect());
        let of_size = |events| lanes.iter().filter(move |lane| lane.events == events);
        for events in SIZES {
            let (key, title) = (format!("{key}-{events}"), format!("{title}, {events} events"));
            sections.push(Section::new(key, title, &of_size(events).collect::<Vec<_>>()));
        }
        if key == typed::KEY {
            let pairs = of_size(SIZES[0]).zip(of_size(SIZES[2]));
            growth.extend(pairs.map(|(short, long)| (short.name, short.speed_over(long))));
        }
    }
    (sections, growth)
}

fn aims(sections: &[Section], growth: Option<f64>) -> Vec<Aim> {
    let over = |events: usize, name: &str| {
        let key = format!("{}-{events}", typed::KEY);
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
