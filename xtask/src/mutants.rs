//! `cargo xtask mutants`: changes the code in small ways and looks whether a test notices, in the modules that keep
//! promises. It takes hours, so no build machine runs it; `--sample` measures a part of each area that is spread evenly
//! over its files.
//!
//! A change is tested by its own package alone. Packages that build on it would notice more, but each of them takes longer
//! to link than all tests of the changed one take to run, and a promise should have its test beside it.
//!
//! Changes that no test can tell from the original are listed with their reason in `.cargo/mutants.toml`.

use std::fs::create_dir_all;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use crate::Answer;
use crate::install;
use crate::run::{cargo, output, program, run, status, target_dir};

/// Modules whose promises belong together, in one package.
struct Area {
    name: &'static str,
    package: &'static str,
    /// Features without which some of the sources are not compiled, and so no test could notice a change.
    features: &'static [&'static str],
    /// Files and folders below the package's `src`.
    sources: &'static [&'static str],
}

/// The quick ones first.
const AREAS: &[Area] = &[
    Area { name: "verify", package: "protocol", features: &[], sources: &["verify/**", "scan/**"] },
    Area { name: "apply", package: "protocol", features: &[], sources: &["apply/**"] },
    Area { name: "patch", package: "protocol", features: &[], sources: &["patch/**"] },
    Area { name: "its", package: "its", features: &[], sources: &["**"] },
    Area { name: "client", package: "client", features: &[], sources: &["**"] },
    Area { name: "store", package: "store", features: &["postgres"], sources: &["sqlite/**", "postgres/**"] },
    Area {
        name: "server",
        package: "server",
        features: &[],
        sources: &["auth/**", "guard.rs", "once.rs", "intake/**", "dialect/*/rules.rs"],
    },
    Area {
        name: "runtime",
        package: "runtime",
        features: &[],
        sources: &["run/**", "decide/**", "thread/**", "log/**", "context/**", "id.rs"],
    },
];

/// What to change, and what to hand on to cargo-mutants.
struct Plan<'a> {
    areas: Vec<&'static Area>,
    /// About how many changes to make in each area; all of them if there is no number.
    sample: Option<usize>,
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
        let mut command = campaign(area);
        command.arg("--output").arg(found_in(area)?);
        if let Some(sample) = plan.sample {
            let all = output(campaign(area).arg("--list").args(&plan.rest))?.lines().count();
            command.args(["--sharding", "round-robin", "--shard", &shard(all, sample)]);
        }
        missed |= !status(command.args(&plan.rest))?.success();
    }
    Ok(if missed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The folder for what is found: lists of what was caught and missed. cargo-mutants wants it to be there.
fn found_in(area: &Area) -> Result<PathBuf, String> {
    let folder = target_dir()?.join("mutants").join(area.name);
    create_dir_all(&folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    Ok(folder)
}

/// The part of `all` changes that holds about `sample` of them: every second one, every third one, and so on. The same code
/// has the same sample.
fn shard(all: usize, sample: usize) -> String {
    format!("0/{}", all.div_ceil(sample).max(1))
}

/// One area. Nobody debugs what is built for it, and it links faster without what a debugger needs.
fn campaign(area: &Area) -> Command {
    let Area { package, features, sources, .. } = area;
    let mut command = program("cargo", "mutants");
    command.env("CARGO_PROFILE_DEV_DEBUG", "0").args(["--package", &format!("forestage-{package}")]);
    for feature in *features {
        command.args(["--features", &format!("forestage-{package}/{feature}")]);
    }
    for source in *sources {
        command.args(["--file", &format!("crates/{package}/src/{source}")]);
    }
    if install::on_path("cargo-nextest") {
        command.args(["--test-tool", "nextest"]);
    }
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
    let mut rest: Vec<_> = arguments[names.count()..].iter().map(String::as_str).collect();
    let sample = take_sample(&mut rest)?;
    Ok(Plan { areas: if areas.is_empty() { AREAS.iter().collect() } else { areas }, sample, rest })
}

/// Takes `--sample N` out of the words for cargo-mutants, which does not know it.
fn take_sample(words: &mut Vec<&str>) -> Result<Option<usize>, String> {
    let Some(at) = words.iter().position(|word| *word == "--sample") else { return Ok(None) };
    let sample = words.get(at + 1).and_then(|number| number.parse().ok()).filter(|number| *number > 0);
    let sample = sample.ok_or("`--sample` needs a number above zero")?;
    words.drain(at..=at + 1);
    Ok(Some(sample))
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
    fn a_sample_is_every_nth_change() {
        let arguments = words("store --timeout 60 --sample 40 --list");
        let plan = parse(&arguments).expect("legal");
        assert_eq!((plan.sample, plan.rest), (Some(40), vec!["--timeout", "60", "--list"]));
        for wrong in ["--sample", "--sample 0", "--sample some"] {
            assert!(parse(&words(wrong)).is_err_and(|told| told.contains("a number above zero")), "{wrong}");
        }
        let parts = [(400, 40), (401, 40), (39, 40), (0, 40)].map(|(all, sample)| shard(all, sample));
        assert_eq!(parts, ["0/10", "0/11", "0/1", "0/1"]);
    }

    #[test]
    fn every_area_has_sources() {
        for Area { package, sources, .. } in AREAS {
            for source in *sources {
                let fixed = source.split('*').next().unwrap_or_default();
                let place = PathBuf::from("..").join(format!("crates/{package}/src/{fixed}"));
                assert!(place.exists(), "{}", place.display());
            }
        }
    }
}
