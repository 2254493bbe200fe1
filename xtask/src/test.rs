//! `cargo xtask test`: every test there is, one table at the end.

use std::path::Path;
use std::process::Command;

use crate::Answer;
use crate::conformance;
use crate::install;
use crate::report::{Part, Report};
use crate::run::{build_programs, cargo, program, run};
use crate::web;

const NODE: &str = "interop/node";
const COPILOTKIT: &str = "interop/copilotkit";
const PYTHON: &str = "interop/python";

/// A group that can be named on the command line, and the parts it adds to the report.
struct Group {
    name: &'static str,
    run: fn(&mut Report),
}

const GROUPS: &[Group] = &[
    Group { name: "rust", run: rust },
    Group { name: "interop", run: interop },
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

fn interop(report: &mut Report) {
    report.part("node", node);
    report.part("copilotkit", copilotkit);
    report.part("python", python);
}

/// The official client and other JavaScript peers, driven as black boxes.
fn node() -> Part {
    install::need("node")?;
    install::need("npm")?;
    let programs = build_programs()?;
    install::node_modules(Path::new(NODE))?;
    let mut tests = program("npm", "test --silent");
    tests.current_dir(NODE).env("FORESTAGE_BIN", programs.forestage).env("FORESTAGE_PLAY", programs.play);
    Ok(run(&mut tests)?)
}

/// A stock CopilotKit page in a browser, beside a server.
fn copilotkit() -> Part {
    install::need("node")?;
    install::need("npm")?;
    let chromium = install::chromium()?;
    let programs = build_programs()?;
    let folder = Path::new(COPILOTKIT);
    install::shared_node_modules(folder)?;
    if install::is_stale(
        &folder.join("dist/index.html"),
        &["page", "vite.config.js", "package-lock.json"],
        folder,
    ) {
        run(program("npm", "run --silent build").current_dir(folder))?;
    }
    let mut tests = program("npm", "test --silent");
    tests.current_dir(folder).env("FORESTAGE_BIN", programs.forestage).env("FORESTAGE_CHROMIUM", chromium);
    Ok(run(&mut tests)?)
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
