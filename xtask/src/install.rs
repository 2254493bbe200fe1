//! What the tests need beyond cargo: found where it is, fetched where it can be.
//!
//! A browser and a database server are system packages, so they are only installed where that needs no question: by root,
//! with apt. When a test needs another one, its name and the way to install it belong here, so that `cargo xtask test` stays
//! the only command a newcomer types.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::SystemTime;

use crate::report::{Part, Setback};
use crate::run::{in_ci, output, program, run, target_dir};

/// True when a program of this name can be started.
pub(crate) fn on_path(name: &str) -> bool {
    path_of(name).is_some()
}

/// Where a program of this name is.
fn path_of(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(&file)).find(|file| file.is_file())
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

/// Names of the browser that the tests drive, as systems have it.
const CHROMIUM: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Where the browser is, installed first if need be.
pub(crate) fn chromium() -> Result<PathBuf, Setback> {
    if let Some(found) = CHROMIUM.into_iter().find_map(path_of) {
        return Ok(found);
    }
    apt_install("chromium")?;
    match CHROMIUM.into_iter().find_map(path_of) {
        Some(found) => Ok(found),
        None => missing("there is no Chromium: install the package `chromium`".to_owned())
            .map(|()| PathBuf::new()),
    }
}

/// The server that tests of the store start; one that runs already will do, too.
pub(crate) fn postgres() -> Part {
    if env::var_os("FORESTAGE_TEST_POSTGRES").is_some_and(|url| !url.is_empty()) || has_postgres() {
        return Ok(());
    }
    apt_install("postgresql")?;
    if has_postgres() {
        return Ok(());
    }
    missing(
        "there is no Postgres: install the package `postgresql`, or set FORESTAGE_TEST_POSTGRES".to_owned(),
    )
}

/// Whether a server can be made and started. Debian keeps its programs apart, by version.
fn has_postgres() -> bool {
    let kept = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut kept = kept.map(|version| version.path().join("bin"));
    on_path("initdb") && on_path("pg_ctl")
        || kept.any(|folder| folder.join("initdb").is_file() && folder.join("pg_ctl").is_file())
}

/// Installs a system package where nobody has to be asked.
fn apt_install(package: &str) -> Result<(), String> {
    if !is_root() || !on_path("apt-get") {
        return Ok(());
    }
    run(&mut program("apt-get", "update --quiet"))?;
    run(program("apt-get", "install --yes --quiet --no-install-recommends").arg(package))
}

fn is_root() -> bool {
    output(&mut program("id", "-u")).is_ok_and(|id| id.trim() == "0")
}

/// What a part says that cannot run: a skip, or a failure on a build machine.
pub(crate) fn missing(reason: String) -> Part {
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

/// True unless `built` is younger than all of these files, and files in these folders, of `folder`.
pub(crate) fn is_stale(built: &Path, sources: &[&str], folder: &Path) -> bool {
    let newest = sources.iter().filter_map(|source| newest(&folder.join(source))).max();
    changed(built).is_none_or(|built| newest.is_some_and(|newest| built < newest))
}

/// When something at this place last changed.
fn newest(place: &Path) -> Option<SystemTime> {
    let inside = fs::read_dir(place).into_iter().flatten().flatten();
    inside.filter_map(|entry| newest(&entry.path())).chain(changed(place)).max()
}

/// The same in the build folder, with a link to it: for packages that are large, and needed in every fresh checkout that
/// builds into the same folder.
#[cfg(unix)]
pub(crate) fn shared_node_modules(folder: &Path) -> Result<(), String> {
    let link = folder.join("node_modules");
    if link.is_dir() && !link.is_symlink() {
        return node_modules(folder);
    }
    let name = folder.to_string_lossy().replace('/', "-");
    let shared = target_dir()?.join("npm").join(name);
    let failed = |error: std::io::Error| format!("cannot prepare {}: {error}", shared.display());
    fs::create_dir_all(&shared).map_err(failed)?;
    let mut same = true;
    for file in ["package.json", ".npmrc", "package-lock.json"] {
        let wanted = fs::read(folder.join(file)).map_err(failed)?;
        if fs::read(shared.join(file)).ok().as_ref() != Some(&wanted) {
            same = false;
            fs::write(shared.join(file), wanted).map_err(failed)?;
        }
    }
    if !same || changed(&shared.join("node_modules/.package-lock.json")).is_none() {
        run(program("npm", "ci --no-audit --no-fund --prefer-offline").current_dir(&shared))?;
    }
    if link.is_symlink() {
        fs::remove_file(&link).map_err(failed)?;
    }
    std::os::unix::fs::symlink(shared.join("node_modules"), &link).map_err(failed)
}

/// Where links are not for everybody, each checkout has its own.
#[cfg(not(unix))]
pub(crate) fn shared_node_modules(folder: &Path) -> Result<(), String> {
    node_modules(folder)
}

/// Makes a virtual environment of this name with these requirements unless there is one younger than them, and says
/// where its interpreter is.
pub(crate) fn python(name: &str, requirements: &Path) -> Result<PathBuf, String> {
    let environment = target_dir()?.join(name);
    let interpreter = environment.join("bin/python");
    let stamp = environment.join("installed");
    if changed(&stamp).is_some() && changed(&stamp) >= changed(requirements) {
        return Ok(interpreter);
    }
    run(program("python3", "-m venv").arg(&environment))?;
    run(program(&interpreter, "-m pip install --quiet --requirement").arg(requirements))?;
    fs::write(&stamp, "").map_err(|error| format!("cannot write {}: {error}", stamp.display()))?;
    Ok(interpreter)
}

/// When the file last changed; nothing if it is not there.
fn changed(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|metadata| metadata.modified()).ok()
}
