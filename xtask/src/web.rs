//! `cargo xtask web`: the packages for the browser and the web app, built and tested.

use std::path::Path;
use std::process::ExitCode;

use crate::Answer;
use crate::contracts::{REPORTS, reports};
use crate::install;
use crate::no_arguments;
use crate::report::{Part, Report};
use crate::run::{build_programs, program, run};

const WEB: &str = "web";

/// What the app is made of. A folder stands for all that is in it.
const SOURCES: &[&str] = &[
    "app/src",
    "app/build",
    "app/public",
    "app/index.html",
    "app/vite.config.ts",
    "packages/client/src",
    "packages/react/src",
    "package-lock.json",
];

/// Installs what the packages need and builds them, the app included.
pub(crate) fn web(arguments: &[String]) -> Answer {
    no_arguments("web", arguments)?;
    install::node_modules(Path::new(WEB))?;
    npm("run --silent build")?;
    Ok(ExitCode::SUCCESS)
}

/// Builds the app where that was not done since its sources last changed. Without Node there is no app, and everything
/// else works: the page then says how to get it.
pub(crate) fn app() -> Result<(), String> {
    if !is_stale() {
        return Ok(());
    }
    if !install::on_path("node") || !install::on_path("npm") {
        eprintln!(
            "There is no Node here, so the web app is not built: the API and the terminal have everything."
        );
        return Ok(());
    }
    println!("Building the web app, as its sources have changed …");
    install::node_modules(Path::new(WEB))?;
    npm("run --silent build --workspace app")
}

fn is_stale() -> bool {
    let web = Path::new(WEB);
    install::is_stale(&web.join("app/dist/index.html"), SOURCES, web)
}

/// The tests of the packages against real servers, and of the app in a browser.
pub(crate) fn parts(report: &mut Report) {
    report.part("web", packages);
    report.part("web in a browser", browser);
}

fn packages() -> Part {
    install::need("node")?;
    install::need("npm")?;
    let programs = build_programs()?;
    install::node_modules(Path::new(WEB))?;
    npm("run --silent check")?;
    npm("run --silent build")?;
    let mut tests = program("npm", "test --silent");
    Ok(run(tests
        .current_dir(WEB)
        .env(REPORTS, reports()?)
        .env("FORESTAGE_BIN", programs.forestage)
        .env("FORESTAGE_PLAY", programs.play)
        .env("FORESTAGE_EXAMPLES", programs.examples))?)
}

fn browser() -> Part {
    install::need("node")?;
    install::need("npm")?;
    let chromium = install::chromium()?;
    app()?;
    let programs = build_programs()?;
    let mut tests = program("npm", "run --silent e2e");
    tests.env(REPORTS, reports()?);
    tests.env("FORESTAGE_BIN", programs.forestage).env("FORESTAGE_EXAMPLES", programs.examples);
    Ok(run(tests.current_dir(WEB).env("FORESTAGE_CHROMIUM", chromium))?)
}

fn npm(arguments: &str) -> Result<(), String> {
    run(program("npm", arguments).current_dir(WEB))
}
