//! What the tests need beyond cargo: found where it is, fetched where it can be.
//!
//! Nothing needs a system package today. When a test does (a browser, a database server), its name and the
//! way to install it belong here, so that `cargo xtask test` stays the only command a newcomer types.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::SystemTime;

use crate::report::{Part, Setback};
use crate::run::{in_ci, program, run, target_dir};

/// True when a program of this name can be started.
pub(crate) fn on_path(name: &str) -> bool {
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    env::var_os("PATH").is_some_and(|path| env::split_paths(&path).any(|folder| folder.join(&file).is_file()))
}

/// Passes when the program is there. Where it is not: a failure on a build machine, a skip elsewhere.
pub(crate) fn need(name: &str) -> Part {
    if on_path(name) { Ok(()) } else { missing(format!("`{name}` is not on the PATH")) }
}

/// The same for Python, with what makes virtual environments. Some systems ship these apart.
pub(crate) fn need_python() -> Part {
    need("python3")?;
    let test = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))";
    let tested = program("python3", "-c").arg(test).stderr(Stdio::null()).status();
    if tested.is_ok_and(|status| status.success()) {
        return Ok(());
    }
    missing("`python3` is older than 3.11, or has no venv and pip".to_owned())
}

fn missing(reason: String) -> Part {
    Err(if in_ci() { Setback::Failed(reason) } else { Setback::Skipped(reason) })
}

/// Installs the packages of a folder's `package-lock.json` unless that was done since the file last changed.
pub(crate) fn node_modules(folder: &Path) -> Result<(), String> {
    // npm writes this file last, so its age is the age of the installation.
    let installed = changed(&folder.join("node_modules/.package-lock.json"));
    let wanted = changed(&folder.join("package-lock.json"));
    if installed.is_some() && installed >= wanted {
        return Ok(());
    }
    run(program("npm", "ci --no-audit --no-fund").current_dir(folder))
}

/// Makes a virtual environment with a folder's `requirements.txt` unless there is one younger than that file,
/// and says where its interpreter is.
pub(crate) fn python(folder: &Path) -> Result<PathBuf, String> {
    let requirements = folder.join("requirements.txt");
    let environment = target_dir()?.join("interop-python");
    let interpreter = environment.join("bin/python");
    let stamp = environment.join("installed");
    if changed(&stamp).is_some() && changed(&stamp) >= changed(&requirements) {
        return Ok(interpreter);
    }
    run(program("python3", "-m venv").arg(&environment))?;
    run(program(&interpreter, "-m pip install --quiet --requirement").arg(&requirements))?;
    fs::write(&stamp, "").map_err(|error| format!("cannot write {}: {error}", stamp.display()))?;
    Ok(interpreter)
}

/// When the file last changed; nothing if it is not there.
fn changed(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|metadata| metadata.modified()).ok()
}
