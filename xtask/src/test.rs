//! `cargo xtask test`: every test there is, one table at the end.

use std::process::Command;

use crate::Answer;
use crate::conformance;
use crate::contracts;
use crate::install;
use crate::interop;
use crate::report::{Part, Report};
use crate::run::{cargo, run};
use crate::web;

/// A group that can be named on the command line, and the parts it adds to the report.
struct Group {
    name: &'static str,
    run: fn(&mut Report),
}

const GROUPS: &[Group] = &[
    Group { name: "rust", run: rust },
    Group { name: "interop", run: interop::parts },
    Group { name: "web", run: web::parts },
    Group { name: "conformance", run: conformance::parts },
];

/// Runs the named groups, or all of them.
pub(crate) fn test(names: &[String]) -> Answer {
    if let Some(name) = names.iter().find(|name| GROUPS.iter().all(|group| group.name != **name)) {
        return Err(format!(
            "no group of tests is named `{name}`; there are rust, interop, web and conformance"
        ));
    }
    contracts::forget_reports()?;
    let mut report = Report::default();
    for group in GROUPS {
        if names.is_empty() || names.iter().any(|name| name == group.name) {
            (group.run)(&mut report);
        }
    }
    if names.is_empty() {
        report.part("contracts", contracts::part);
    }
    Ok(report.close())
}

fn rust(report: &mut Report) {
    // Without it the tests of that store say that they are skipped, so it is counted here.
    report.part("postgres", install::postgres);
    report.part("rust", || rust_tests(&Selection { profile: "default", ignored: false, filter: "" }));
    report.part("rust docs", || Ok(run(&mut cargo("test --quiet --doc --workspace"))?));
}

/// Which of the workspace's tests to run.
pub(crate) struct Selection {
    /// The profile in `.config/nextest.toml`, which also names the report.
    pub(crate) profile: &'static str,
    /// Runs the tests that are marked as ignored, and no others.
    pub(crate) ignored: bool,
    /// Options of cargo that choose test binaries, then a part of the tests' names.
    pub(crate) filter: &'static str,
}

/// Runs tests of the workspace: of one package alone they would be another build, with the features of that package.
///
/// nextest runs each test in its own process, is faster, and reports which tests have passed, but nobody has to install it.
pub(crate) fn rust_tests(selection: &Selection) -> Part {
    rust_tests_with(selection, |command| command)
}

/// Like [`rust_tests`], with variables for the tests.
pub(crate) fn rust_tests_with(
    selection: &Selection,
    prepare: impl FnOnce(&mut Command) -> &mut Command,
) -> Part {
    if !install::on_path("cargo-nextest") {
        return Ok(run(prepare(&mut libtest(selection)))?);
    }
    let ended = run(prepare(&mut nextest(selection)));
    contracts::keep_report(selection.profile)?;
    Ok(ended?)
}

fn nextest(Selection { profile, ignored, filter }: &Selection) -> Command {
    let ignored = if *ignored { "--run-ignored only" } else { "" };
    cargo(&format!("nextest run --workspace --no-fail-fast --profile {profile} {ignored} {filter}"))
}

fn libtest(Selection { ignored, filter, .. }: &Selection) -> Command {
    let targets = if filter.is_empty() { "--lib --bins --tests" } else { filter };
    let ignored = if *ignored { "-- --ignored" } else { "" };
    cargo(&format!("test --workspace --no-fail-fast {targets} {ignored}"))
}
