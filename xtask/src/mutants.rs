//! `cargo xtask mutants`: changes the code in small ways and looks whether a test notices, in the modules that keep
//! promises. It takes hours, so no build machine runs it.
//!
//! Changes that no test can tell from the original are listed with their reason in `.cargo/mutants.toml`.

use std::fs::create_dir_all;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::Answer;
use crate::install;
use crate::run::{cargo, program, run, status, target_dir};

/// Modules whose promises belong together, in one package.
struct Area {
    name: &'static str,
    package: &'static str,
    /// Files and folders below the package's `src`.
    sources: &'static [&'static str],
}

/// The quick ones first.
const AREAS: &[Area] = &[
    Area { name: "verify", package: "protocol", sources: &["verify/**", "scan/**"] },
    Area { name: "apply", package: "protocol", sources: &["apply/**"] },
    Area { name: "patch", package: "protocol", sources: &["patch/**"] },
    Area { name: "its", package: "its", sources: &["**"] },
    Area { name: "client", package: "client", sources: &["**"] },
    Area { name: "store", package: "store", sources: &["sqlite/**", "postgres/**"] },
    Area {
        name: "server",
        package: "server",
        sources: &["auth/**", "guard.rs", "once.rs", "intake/**", "dialect/*/rules.rs"],
    },
    Area {
        name: "runtime",
        package: "runtime",
        sources: &["run/**", "decide/**", "thread/**", "log/**", "context/**", "id.rs"],
    },
];

/// What to change, and what to hand on to cargo-mutants.
struct Plan<'a> {
    areas: Vec<&'static Area>,
    rest: Vec<&'a str>,
}

/// Goes through the named areas, or all of them. A change that nobody notices is a no.
pub(crate) fn mutants(arguments: &[String]) -> Answer {
    let plan = parse(arguments)?;
    if !install::on_path("cargo-mutants") {
        println!("cargo-mutants is not installed; installing it");
        run(&mut cargo("install cargo-mutants --locked"))?;
    }
    let mut missed = false;
    for area in plan.areas {
        missed |= !status(&mut campaign(area, &found_in(area)?, &plan.rest))?.success();
    }
    Ok(if missed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The folder for what is found: lists of what was caught and missed. cargo-mutants wants it to be there.
fn found_in(area: &Area) -> Result<PathBuf, String> {
    let folder = target_dir()?.join("mutants").join(area.name);
    create_dir_all(&folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    Ok(folder)
}

/// One area.
fn campaign(area: &Area, output: &Path, rest: &[&str]) -> Command {
    let Area { package, sources, .. } = area;
    let mut command = program("cargo", "mutants");
    command.args(["--package", &format!("forestage-{package}"), "--output"]).arg(output);
    for source in *sources {
        command.args(["--file", &format!("crates/{package}/src/{source}")]);
    }
    if install::on_path("cargo-nextest") {
        command.args(["--test-tool", "nextest"]);
    }
    command.args(rest);
    command
}

fn parse(arguments: &[String]) -> Result<Plan<'_>, String> {
    let names = arguments.iter().take_while(|word| !word.starts_with('-'));
    let areas = names.clone().map(|name| {
        AREAS.iter().find(|area| area.name == name).ok_or_else(|| {
            let known: Vec<_> = AREAS.iter().map(|area| area.name).collect();
            format!("no area is named `{name}`; there are {}", known.join(", "))
        })
    });
    let areas = areas.collect::<Result<Vec<_>, _>>()?;
    let rest = arguments[names.count()..].iter().map(String::as_str).collect();
    Ok(Plan { areas: if areas.is_empty() { AREAS.iter().collect() } else { areas }, rest })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn areas_come_first_and_the_rest_is_for_cargo_mutants() {
        let arguments = words("verify its --shard 1/4 --list");
        let plan = parse(&arguments).expect("legal");
        let names: Vec<_> = plan.areas.iter().map(|area| area.name).collect();
        assert_eq!((names, plan.rest), (vec!["verify", "its"], vec!["--shard", "1/4", "--list"]));
        assert_eq!(parse(&[]).expect("legal").areas.len(), AREAS.len());
        assert!(parse(&words("nothing")).is_err_and(|told| told.contains("there are verify")));
    }

    #[test]
    fn every_area_has_sources() {
        for Area { package, sources, .. } in AREAS {
            for source in *sources {
                let fixed = source.split('*').next().unwrap_or_default();
                let place = Path::new("..").join(format!("crates/{package}/src/{fixed}"));
                assert!(place.exists(), "{}", place.display());
            }
        }
    }
}
