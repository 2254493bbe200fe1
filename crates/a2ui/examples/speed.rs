//! How fast payloads are checked: `cargo run --release -p forestage-a2ui --example speed [FILE…]`.
//!
//! Without files it checks a made-up surface of many cards.

use std::{env, error::Error, fs, hint::black_box, time::Instant};

use forestage_a2ui::{Messages, catalog::Catalogs, check::Checker, surface::Surfaces};

fn main() -> Result<(), Box<dyn Error>> {
    let files: Vec<_> = env::args().skip(1).collect();
    let mut payloads = Vec::new();
    for file in &files {
        payloads.push(fs::read_to_string(file)?);
    }
    if payloads.is_empty() {
        payloads.push(made_up(2_000));
    }
    let bytes: usize = payloads.iter().map(String::len).sum();
    let rounds = (400_000_000 / bytes.max(1)).clamp(1, 200_000);
    let catalogs = Catalogs::basic();
    let (mut components, mut faults) = (0, 0);
    let started = Instant::now();
    for _ in 0..rounds {
        for payload in &payloads {
            let report = Checker::new(&catalogs).check(black_box(payload));
            components += report.components;
            faults += report.faults.len();
        }
    }
    tell("check", started, bytes * rounds, components);
    assert_eq!(faults, 0, "a payload that is measured has no faults");
    let rounds = rounds / 4 + 1;
    let started = Instant::now();
    for _ in 0..rounds {
        for payload in &payloads {
            let mut surfaces = Surfaces::new();
            surfaces.fold(&Messages::read(black_box(payload))?)?;
            black_box(surfaces);
        }
    }
    tell("read and fold", started, bytes * rounds, components / 4);
    Ok(())
}

fn tell(what: &str, started: Instant, bytes: usize, components: usize) {
    let seconds = started.elapsed().as_secs_f64();
    let (megabytes, thousands) = (bytes as f64 / 1e6 / seconds, components as f64 / 1e3 / seconds);
    println!("{what}: {megabytes:.0} MB/s, {thousands:.0} k components/s");
}

fn made_up(cards: usize) -> String {
    let mut children: Vec<_> = (0..cards).map(|card| format!("\"card-{card}\"")).collect();
    let mut parts =
        vec![format!(r#"{{"id":"root","component":"Column","children":[{}]}}"#, children.join(","))];
    children.clear();
    for card in 0..cards {
        parts.push(format!(r#"{{"id":"card-{card}","component":"Card","child":"row-{card}"}}"#));
        parts.push(format!(
            r#"{{"id":"row-{card}","component":"Row","children":["name-{card}","pay-{card}"],"align":"center"}}"#
        ));
        parts.push(format!(
            r#"{{"id":"name-{card}","component":"Text","text":{{"path":"/people/{card}/name"}},"variant":"h3"}}"#
        ));
        parts.push(format!(
            r#"{{"id":"pay-{card}","component":"Button","child":"label-{card}","action":{{"event":{{"name":"pay","context":{{"card":{card},"who":{{"path":"/people/{card}/name"}}}}}}}}}}"#
        ));
        parts.push(format!(r#"{{"id":"label-{card}","component":"Text","text":"Pay number {card}"}}"#));
        children.push(format!(r#"{{"name":"Person number {card}"}}"#));
    }
    let catalog = forestage_a2ui::catalog::BASIC_0_9;
    format!(
        r#"[{{"version":"v0.9","createSurface":{{"surfaceId":"s","catalogId":"{catalog}"}}}},{{"version":"v0.9","updateComponents":{{"surfaceId":"s","components":[{}]}}}},{{"version":"v0.9","updateDataModel":{{"surfaceId":"s","value":{{"people":[{}]}}}}}}]"#,
        parts.join(","),
        children.join(",")
    )
}
