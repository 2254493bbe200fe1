//! What others wrote and we are held against: the official AG-UI conformance streams, folded by our command and judged by
//! their runner, and the text of the tutoring contract.
//!
//! The data is upstream's and not part of this repository. `FORESTAGE_CONFORMANCE` names a folder that holds
//! it: `streams/run.py` (the runner), `streams/*.json`, `fixtures/` (read by Rust tests). `FORESTAGE_CONTRACTS` names one
//! that holds the text of the contract as `000-*.md`. Tests that need them are ignored unless they are asked for, and
//! counted as such; they are asked for here. Without the variables the parts are skipped, and fail on a build machine.

use std::env;
use std::path::{Path, PathBuf};

use crate::install;
use crate::report::{Part, Report};
use crate::run::{build_programs, program, run};
use crate::test::{Selection, rust_tests_with};

/// The variable that names the folder with the official data.
const CONFORMANCE: &str = "FORESTAGE_CONFORMANCE";

/// The variable that names the folder with the text of the contracts.
const CONTRACTS: &str = "FORESTAGE_CONTRACTS";

/// Adds the streams and the contract to the report.
pub(crate) fn parts(report: &mut Report) {
    report.part("conformance", streams);
    report.part("fixtures", fixtures);
    report.part("contract", contract);
    report.part("contract in the page", drawn);
}

/// The folder that a variable names as an absolute path, if it names one; an error if it is named and not there.
fn data(variable: &str) -> Result<Option<PathBuf>, String> {
    let Some(folder) = env::var_os(variable).filter(|folder| !folder.is_empty()) else {
        return Ok(None);
    };
    let folder = PathBuf::from(folder);
    let absolute =
        folder.canonicalize().map_err(|error| format!("{variable} {}: {error}", folder.display()))?;
    Ok(Some(absolute))
}

/// The schemas and examples of the tutoring contract, as its text has them.
fn contract() -> Part {
    let Some(folder) = data(CONTRACTS)? else {
        return install::missing(format!("{CONTRACTS} names no folder with the text of the contract"));
    };
    let filter = "--test spec --test dialect contract::";
    let selection = Selection { profile: "contract", ignored: true, filter };
    rust_tests_with(&selection, |tests| tests.env(CONTRACTS, folder))
}

/// The same examples, as the page draws them.
fn drawn() -> Part {
    let Some(folder) = data(CONTRACTS)? else {
        return install::missing(format!("{CONTRACTS} names no folder with the text of the contract"));
    };
    install::need("node")?;
    install::need("npm")?;
    install::node_modules(Path::new("web"))?;
    let mut tests =
        program("npm", "test --silent --workspace packages/react -- src/its/test/contract.test.tsx");
    Ok(run(tests.current_dir("web").env(CONTRACTS, folder))?)
}

/// The official fixtures and the official schema.
fn fixtures() -> Part {
    let Some(folder) = data(CONFORMANCE)? else { return no_official_data() };
    let selection = Selection { profile: "fixtures", ignored: true, filter: "--test fixtures" };
    rust_tests_with(&selection, |tests| tests.env(CONFORMANCE, folder))
}

fn no_official_data() -> Part {
    install::missing(format!("{CONFORMANCE} names no folder with the official data"))
}

fn streams() -> Part {
    let Some(folder) = data(CONFORMANCE)? else { return no_official_data() };
    install::need("python3")?;
    let programs = build_programs()?;
    // Where the reference client falls short, the specification counts; so do warnings and outcomes.
    let mut judge = program("python3", "");
    judge.arg(folder.join("streams/run.py")).args("--draft --gaps spec --warnings --outcomes --".split(' '));
    judge.arg(programs.forestage).args("stream fold --json".split(' '));
    Ok(run(&mut judge)?)
}
