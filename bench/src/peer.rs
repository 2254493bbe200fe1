//! Peers in other languages: scripts in `peers/` that measure themselves and print figures.
//!
//! A peer that cannot run is skipped with a reason, which the report shows and counts.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::report::Section;

/// What a script measured.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Figure {
    section: String,
    name: String,
    nanos_per_event: f64,
    #[serde(default)]
    note: String,
}

impl Figure {
    pub(crate) fn add_to(self, sections: &mut [Section]) {
        if let Some(section) = sections.iter_mut().find(|section| section.key == self.section) {
            section.add(self.name, self.nanos_per_event, self.note);
        }
    }
}

/// Why there are no figures.
pub(crate) type Skip = String;

/// Runs a script with the official packages, which the interoperability tests install.
pub(crate) fn node(script: &str, texts: &[String], arguments: &[&str]) -> Result<Vec<Figure>, Skip> {
    let packages = node_packages().map_err(|reason| format!("{script}: {reason}"))?;
    let mut command = Command::new("node");
    command.env("NODE_ENV", "production").arg(file_of(script));
    command.arg(packages).arg(stream_file(script, texts)?).args(arguments);
    figures(script, &mut command)
}

/// The folder with the official packages.
pub(crate) fn node_packages() -> Result<PathBuf, Skip> {
    let packages = repository().join("interop/node");
    let there = packages.join("node_modules/@ag-ui/client").is_dir();
    let missing = || "the official packages are missing; `npm ci` in interop/node installs them".to_owned();
    there.then_some(packages).ok_or_else(missing)
}

/// Installs packages into a folder of the build folder, once.
pub(crate) fn install_node_packages(name: &str, packages: &[&str]) -> Result<PathBuf, Skip> {
    let folder = workshop().join(name);
    let marker = folder.join("installed");
    if fs::read_to_string(&marker).is_ok_and(|installed| installed == packages.join(" ")) {
        return Ok(folder);
    }
    eprintln!("installing {} into {}", packages.join(" "), folder.display());
    let written = fs::create_dir_all(&folder).and_then(|()| fs::write(folder.join("package.json"), "{}"));
    written.map_err(|error| format!("cannot write {}: {error}", folder.display()))?;
    let npm = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock"];
    succeed(Command::new("npm").args(npm).args(packages).current_dir(&folder))?;
    fs::write(&marker, packages.join(" ")).map_err(|error| error.to_string())?;
    Ok(folder)
}

/// A script of ours, as a path.
pub(crate) fn file_of(script: &str) -> PathBuf {
    repository().join("bench/peers").join(script)
}

/// Runs a script with the official Python package, in an environment made on demand.
pub(crate) fn python(script: &str, texts: &[String]) -> Result<Vec<Figure>, Skip> {
    python_with(script, "python", &["ag-ui-protocol==1.0.0"], texts)
}

/// The same with other packages, in an environment of its own name.
pub(crate) fn python_with(
    script: &str,
    environment: &str,
    packages: &[&str],
    texts: &[String],
) -> Result<Vec<Figure>, Skip> {
    let python = python_environment(environment, packages);
    let mut command = Command::new(python.map_err(|reason| format!("{script}: {reason}"))?);
    command.arg(file_of(script)).arg(stream_file(script, texts)?);
    figures(script, &mut command)
}

/// An environment with these packages, made on demand.
pub(crate) fn python_environment(name: &str, packages: &[&str]) -> Result<PathBuf, Skip> {
    let folder = workshop().join(name);
    let python = folder.join("bin/python");
    let marker = folder.join("installed");
    if fs::read_to_string(&marker).is_ok_and(|installed| installed == packages.join(" ")) {
        return Ok(python);
    }
    eprintln!("installing {} into {}", packages.join(" "), folder.display());
    succeed(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    succeed(Command::new(&python).args(pip).args(packages))?;
    fs::write(&marker, packages.join(" "))
        .map_err(|error| format!("cannot write {}: {error}", marker.display()))?;
    Ok(python)
}

fn figures(script: &str, command: &mut Command) -> Result<Vec<Figure>, Skip> {
    eprintln!("measuring {script}");
    let printed = succeed(command).map_err(|reason| format!("{script}: {reason}"))?;
    serde_json::from_str(&printed).map_err(|error| format!("{script} printed no figures: {error}"))
}

/// Runs a command and hands back what it printed, or why it failed.
fn succeed(command: &mut Command) -> Result<String, Skip> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("cannot run `{name}`: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    let last = complaint.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
    Err(format!("`{name}` failed with {}: {last}", output.status))
}

/// The texts in a file, one per line.
pub(crate) fn stream_file(script: &str, texts: &[String]) -> Result<PathBuf, Skip> {
    let file = workshop().join(script).with_extension("jsonl");
    let write = || fs::create_dir_all(workshop()).and_then(|()| fs::write(&file, texts.join("\n")));
    write().map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    Ok(file)
}

/// Where files of a run go: beside the program, in the build folder.
fn workshop() -> PathBuf {
    let program = env::current_exe().unwrap_or_default();
    program.parent().unwrap_or(Path::new(".")).join("peers")
}

/// The repository. Asked at run time, because a build folder may serve several checkouts.
fn repository() -> PathBuf {
    let bench = env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from("bench"), PathBuf::from);
    // Node wants absolute paths.
    std::path::absolute(bench.join("..")).unwrap_or(bench)
}
