//! Instructions per event, counted by `valgrind --tool=callgrind`: a figure that a busy machine does not move.
//!
//! The program starts itself under valgrind, once for a few passes of one contender and once for more; the
//! difference is free of everything that happens around the passes.

use std::env;
use std::process::Command;

use serde_json::json;

use crate::{
    codec, fold,
    race::{Contender, Task},
    table,
};

/// The first argument by which the program asks itself to run one contender.
pub(crate) const COUNT: &str = "count";

/// Few events do: what is counted is the same for each turn of the stream.
const EVENTS: usize = 1_000;
const FEW: u32 = 1;
const MORE: u32 = 4;

/// Counts for every contender of a bench.
pub(crate) fn measure(bench: &str, as_json: bool) -> Result<(), String> {
    if let Err(error) = Command::new("valgrind").arg("--version").output() {
        println!("SKIPPED: instructions are counted by valgrind, which does not start: {error}");
        return Ok(());
    }
    let mut sections = Vec::new();
    with_tasks(bench, |tasks| {
        for task in tasks {
            let counts: Result<Vec<_>, String> =
                task.contenders.iter().map(|contender| per_event(bench, task.key, contender)).collect();
            sections.push((task.title, counts));
        }
    })?;
    let mut printed = Vec::new();
    for (title, counts) in sections {
        let counts = counts?;
        if as_json {
            let rows =
                counts.iter().map(|(name, count)| json!({"name": name, "instructionsPerEvent": count}));
            printed.push(json!({"title": title, "rows": rows.collect::<Vec<_>>()}));
        } else {
            table::print_counts(title, &counts);
        }
    }
    if as_json {
        println!("{}", json!({"bench": bench, "sections": printed}));
    }
    Ok(())
}

fn per_event(bench: &str, key: &str, contender: &Contender<'_>) -> Result<(String, f64), String> {
    let few = collected(bench, key, contender.name, FEW)?;
    let more = collected(bench, key, contender.name, MORE)?;
    let passes = f64::from(MORE - FEW);
    Ok((contender.name.to_owned(), (more - few) / passes / contender.events as f64))
}

fn collected(bench: &str, key: &str, name: &str, passes: u32) -> Result<f64, String> {
    let program = env::current_exe().map_err(|error| format!("cannot find my own file: {error}"))?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args([COUNT, bench, key, name, &passes.to_string()])
        .output()
        .map_err(|error| format!("cannot run valgrind: {error}"))?;
    let log = String::from_utf8_lossy(&output.stderr);
    let count = log.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok());
    count.ok_or_else(|| format!("valgrind counted nothing for {name}:\n{log}"))
}

/// Runs one contender, under valgrind.
pub(crate) fn count(arguments: &[&str]) -> Result<(), String> {
    let &[bench, key, name, passes] = arguments else {
        return Err(format!("usage: forestage-bench {COUNT} <bench> <task> <contender> <passes>"));
    };
    let passes: u32 = passes.parse().map_err(|error| format!("`{passes}` passes: {error}"))?;
    let mut found = false;
    with_tasks(bench, |tasks| {
        let tasks = tasks.into_iter().filter(|task| task.key == key);
        for contender in tasks.flat_map(|task| task.contenders).filter(|contender| contender.name == name) {
            found = true;
            run(contender, passes);
        }
    })?;
    found.then_some(()).ok_or_else(|| format!("{bench} has no `{name}` in `{key}`"))
}

fn run(mut contender: Contender<'_>, passes: u32) {
    for _ in 0..passes {
        (contender.pass)();
    }
}

fn with_tasks(bench: &str, then: impl FnOnce(Vec<Task<'_>>)) -> Result<(), String> {
    match bench {
        "codec" => then(codec::tasks(&codec::Material::new(EVENTS))),
        "fold" => then(fold::tasks(&fold::Material::new(EVENTS))),
        "log" => return Err("the log is a matter of the disk: instructions would say little".to_owned()),
        other => return Err(format!("there is no bench `{other}`")),
    }
    Ok(())
}
