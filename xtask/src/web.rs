//! `cargo xtask web`: the packages for the browser, built and tested.

use std::path::Path;
use std::process::ExitCode;

use crate::Answer;
use crate::install;
use crate::no_arguments;
use crate::report::{Part, Report};
use crate::run::{build_forestage, build_play, program, run};

const WEB: &str = "web";

/// Installs what the packages need and builds them.
pub(crate) fn web(arguments: &[String]) -> Answer {
    no_arguments("web", arguments)?;
    install::node_modules(Path::new(WEB))?;
    npm("run --silent build")?;
    Ok(ExitCode::SUCCESS)
}

/// The tests of the packages, against real servers.
pub(crate) fn parts(report: &mut Report) {
    report.part("web", packages);
}

fn packages() -> Part {
    install::need("node")?;
    install::need("npm")?;
    let (forestage, play) = (build_forestage()?, build_play()?);
    install::node_modules(Path::new(WEB))?;
    npm("run --silent check")?;
    npm("run --silent build")?;
    let mut tests = program("npm", "test --silent");
    Ok(run(tests.current_dir(WEB).env("FORESTAGE_BIN", forestage).env("FORESTAGE_PLAY", play))?)
}

fn npm(arguments: &str) -> Result<(), String> {
    run(program("npm", arguments).current_dir(WEB))
}
