//! `cargo xtask test`: every test there is, one table at the end.

use std::process::Command;

use crate::Answer;
use crate::conformance;
use crate::install;
use crate::interop;
use crate::report::Report;
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
    let mut report = Report::default();
    for group in GROUPS {
        if names.is_empty() || names.iter().any(|name| name == group.name) {
            (group.run)(&mut report);
        }
    }
    Ok(report.close())
}

fn rust(report: &mut Report) {
    // Without it the tests of that store say that they are skipped, so it is counted here.
    report.part("postgres", install::postgres);
    report.part("rust", || Ok(run(&mut unit_tests())?));
    report.part("rust docs", || Ok(run(&mut cargo("test --quiet --doc --workspace"))?));
}

/// nextest runs each test in its own process and is faster, but nobody has to install it.
fn unit_tests() -> Command {
    if install::on_path("cargo-nextest") {
        cargo("nextest run --workspace --no-fail-fast")
    } else {
        cargo("test --workspace --lib --bins --tests --no-fail-fast")
    }
}
