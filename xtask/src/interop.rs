//! Real peers: other people's clients, pages, validators and agents, each in a folder of `interop/`.
//!
//! `cargo xtask test interop` runs them all; `cargo xtask versions` every published version of the official client.

use std::path::Path;
use std::process::Command;

use crate::Answer;
use crate::contracts;
use crate::install;
use crate::report::{Part, Report};
use crate::run::{answer, build_programs, program, run};

const NODE: &str = "interop/node";
const VERSIONS: &str = "interop/ag-ui-versions";
const COPILOTKIT: &str = "interop/copilotkit";
/// CopilotKit's own server, which pins another client than its pages do.
const COPILOTKIT_RUNTIME: &str = "interop/copilotkit/runtime";
const ASSISTANT_UI: &str = "interop/assistant-ui";
const PYTHON: &str = "interop/python";

/// Adds every peer to the report.
pub(crate) fn parts(report: &mut Report) {
    report.part("node", || node(NODE));
    report.part("ag-ui versions", || node(VERSIONS));
    report.part("copilotkit", || {
        install::need("npm")?;
        install::shared_node_modules(Path::new(COPILOTKIT_RUNTIME))?;
        page(COPILOTKIT)
    });
    report.part("assistant-ui", || page(ASSISTANT_UI));
    report.part("python", python);
}

/// Runs every published version of the official client, or the named ones, against a server.
pub(crate) fn versions(arguments: &[String]) -> Answer {
    let programs = build_programs()?;
    install::node_modules(Path::new(VERSIONS))?;
    let mut all = program("npm", "run --silent all --");
    answer(all.args(arguments).current_dir(VERSIONS).env("FORESTAGE_BIN", programs.forestage))
}

/// Clients in JavaScript, driven as black boxes.
fn node(folder: &str) -> Part {
    install::need("node")?;
    install::need("npm")?;
    let programs = build_programs()?;
    install::node_modules(Path::new(folder))?;
    let mut tests = npm_test(Path::new(folder))?;
    Ok(run(tests.env("FORESTAGE_BIN", programs.forestage).env("FORESTAGE_PLAY", programs.play))?)
}

/// The tests of a folder, which write a report named after it.
fn npm_test(folder: &Path) -> Result<Command, String> {
    let name = folder.to_string_lossy().replace('/', "-");
    let mut tests = program("npm", "test --silent");
    tests.current_dir(folder).env("XTASK_REPORT", contracts::reports()?.join(format!("{name}.xml")));
    Ok(tests)
}

/// A page of somebody else's kit in a browser, beside a server.
fn page(folder: &str) -> Part {
    install::need("node")?;
    install::need("npm")?;
    let chromium = install::chromium()?;
    let programs = build_programs()?;
    let folder = Path::new(folder);
    install::shared_node_modules(folder)?;
    if install::is_stale(
        &folder.join("dist/index.html"),
        &["page", "vite.config.js", "package-lock.json"],
        folder,
    ) {
        run(program("npm", "run --silent build").current_dir(folder))?;
    }
    let mut tests = npm_test(folder)?;
    Ok(run(tests.env("FORESTAGE_BIN", programs.forestage).env("FORESTAGE_CHROMIUM", chromium))?)
}

/// Python validators, and agents of other people's frameworks behind our gateway: `unittest`, with packages in the build
/// folder. Agent Framework wants another `ag-ui-protocol` than the others, so it has an environment of its own.
fn python() -> Part {
    install::need_python()?;
    let programs = build_programs()?;
    let folder = Path::new(PYTHON);
    let python = install::python("interop-python", &folder.join("requirements.txt"))?;
    let peers = install::python("interop-peers", &folder.join("peers/requirements.txt"))?;
    let framework =
        install::python("interop-peers-framework", &folder.join("peers/requirements-framework.txt"))?;
    let mut tests = program(python, "-m unittest discover");
    tests.current_dir(folder).env("FORESTAGE_BIN", programs.forestage).env("FORESTAGE_PLAY", programs.play);
    Ok(run(tests.env("FORESTAGE_PEERS", peers).env("FORESTAGE_PEERS_FRAMEWORK", framework))?)
}
