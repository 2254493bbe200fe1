//! What others wrote and we are held against: the official AG-UI conformance streams, folded by our command and judged by
//! their runner, and the text of the tutoring contract.
//!
//! The data is upstream's and not part of this repository. `FORESTAGE_CONFORMANCE` names a folder that holds
//! it: `streams/run.py` (the runner), `streams/*.json`, `fixtures/` (read by a Rust test). Without the
//! variable the part is skipped, on a build machine too. So it is with `FORESTAGE_CONTRACTS`, a folder that holds the text
//! of the contract as `000-*.md`.

use std::env;
use std::path::PathBuf;

use crate::install;
use crate::report::{Part, Report, Setback};
use crate::run::{build_programs, cargo, program, run};

/// The variable that names the folder with the official data.
const CONFORMANCE: &str = "FORESTAGE_CONFORMANCE";

/// The variable that names the folder with the text of the contracts.
const CONTRACTS: &str = "FORESTAGE_CONTRACTS";

/// The variables that tests in Rust look at.
pub(crate) const VARIABLES: [&str; 2] = [CONFORMANCE, CONTRACTS];

/// Adds the streams and the contract to the report.
pub(crate) fn parts(report: &mut Report) {
    report.part("conformance", streams);
    report.part("contract", contract);
}

/// The folder that a variable names as an absolute path, if it names one; an error if it is named and not there.
pub(crate) fn data(variable: &str) -> Result<Option<PathBuf>, String> {
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
        return Err(Setback::Skipped(format!("{CONTRACTS} names no folder with the text of the contract")));
    };
    // Of one package alone it would be another build, with the features that this package asks for.
    let mut tests = cargo("test --quiet --workspace --test contract");
    Ok(run(tests.env(CONTRACTS, folder))?)
}

fn streams() -> Part {
    let Some(folder) = data(CONFORMANCE)? else {
        return Err(Setback::Skipped(format!("{CONFORMANCE} names no folder with the official data")));
    };
    install::need("python3")?;
    let programs = build_programs()?;
    // Where the reference client falls short, the specification counts; so do warnings and outcomes.
    let mut judge = program("python3", "");
    judge.arg(folder.join("streams/run.py")).args("--draft --gaps spec --warnings --outcomes --".split(' '));
    judge.arg(programs.forestage).args("stream fold --json".split(' '));
    Ok(run(&mut judge)?)
}
