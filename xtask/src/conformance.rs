//! The official AG-UI conformance streams, folded by our command and judged by their runner.
//!
//! The data is upstream's and not part of this repository. `FORESTAGE_CONFORMANCE` names a folder that holds
//! it: `streams/run.py` (the runner), `streams/*.json`, `fixtures/` (read by a Rust test). Without the
//! variable the part is skipped, on a build machine too.

use std::env;
use std::path::PathBuf;

use crate::install;
use crate::report::{Part, Report, Setback};
use crate::run::{build_forestage, program, run};

/// The variable that names the folder.
pub(crate) const VARIABLE: &str = "FORESTAGE_CONFORMANCE";

/// Adds the streams to the report.
pub(crate) fn parts(report: &mut Report) {
    report.part("conformance", streams);
}

/// The folder as an absolute path, if one is named; an error if it is named and not there.
pub(crate) fn data() -> Result<Option<PathBuf>, String> {
    let Some(folder) = env::var_os(VARIABLE).filter(|folder| !folder.is_empty()) else {
        return Ok(None);
    };
    let folder = PathBuf::from(folder);
    let absolute =
        folder.canonicalize().map_err(|error| format!("{VARIABLE} {}: {error}", folder.display()))?;
    Ok(Some(absolute))
}

fn streams() -> Part {
    let Some(folder) = data()? else {
        return Err(Setback::Skipped(format!("{VARIABLE} names no folder with the official data")));
    };
    install::need("python3")?;
    let forestage = build_forestage()?;
    // Where the reference client falls short, the specification counts; so do warnings and outcomes.
    let mut judge = program("python3", "");
    judge.arg(folder.join("streams/run.py")).args("--draft --gaps spec --warnings --outcomes --".split(' '));
    judge.arg(forestage).args("stream fold --json".split(' '));
    Ok(run(&mut judge)?)
}
