//! `cargo xtask bench a2ui|codec|fold|log|serve`: Forestage measured beside its peers and the floors, all in one run.
//!
//! ```text
//! forestage-bench a2ui|codec|fold|log|serve [--quick] [--json]
//! forestage-bench codec|fold --instructions
//! forestage-bench serve burst|paced|crowd|long    only some of it
//! ```

mod a2ui;
mod codec;
mod fold;
mod log;
mod serve;

mod mix;

mod floor;

mod instructions;
mod peer;
mod race;
mod report;
mod table;

use std::env;
use std::process::ExitCode;

use crate::race::Effort;

/// The allocator of the binary that is shipped, for every contender in Rust alike.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const USAGE: &str = "usage: forestage-bench a2ui|codec|fold|log|serve [--quick] [--json] [--instructions]";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match run(&arguments.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("forestage-bench: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[&str]) -> Result<(), String> {
    let Some((&bench, options)) = arguments.split_first() else {
        return Err(USAGE.to_owned());
    };
    match (bench, options) {
        (instructions::COUNT, options) => return instructions::count(options),
        ("server", [kind]) => return serve::server(kind),
        ("load", [plan]) => return serve::load(plan),
        _ => {}
    }
    let (only, options): (Vec<&str>, Vec<&str>) =
        options.iter().partition(|option| bench == "serve" && !option.starts_with("--"));
    let is_unknown = |option: &&&str| !matches!(**option, "--quick" | "--json" | "--instructions");
    if let Some(option) = options.iter().find(is_unknown) {
        return Err(format!("there is no option `{option}`; {USAGE}"));
    }
    let has = |option: &str| options.contains(&option);
    if has("--instructions") {
        return instructions::measure(bench, has("--json"));
    }
    let report = match bench {
        "a2ui" => a2ui::measure(effort(has("--quick"))),
        "codec" => codec::measure(effort(has("--quick"))),
        "fold" => fold::measure(effort(has("--quick")), has("--quick")),
        "log" => log::measure(has("--quick")),
        "serve" => serve::measure(has("--quick"), only.first().copied()),
        other => return Err(format!("there is no bench `{other}`; {USAGE}")),
    };
    if has("--json") {
        println!("{}", serde_json::to_string_pretty(&report).map_err(|error| error.to_string())?);
    } else {
        table::print(&report);
    }
    Ok(())
}

fn effort(quick: bool) -> Effort {
    if quick { Effort::QUICK } else { Effort::FULL }
}
