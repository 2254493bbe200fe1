//! `forestage agents check`: is this an agent, and if not, where is it wrong?

use std::{
    collections::BTreeSet,
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::Context;
use clap::Args;
use forestage_llm::agent_file::{self, Setup};
use forestage_runtime::{
    file::text_of,
    script::{self, LoadError, ScriptError},
};
use serde_json::json;

use super::connect::{self, Listed};
use crate::{
    config::{Config, Given},
    exit::{Answer, Verdict},
    output,
};

/// Check agent files and scripts: every mistake at once, with line and column
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  forestage agents check agents/*.md
  forestage agents check agents --connect
  forestage agents check agents --json")]
pub(crate) struct Check {
    /// Agent files (*.md), scripts (*.yaml), or folders of them
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The configuration file, which names the agents elsewhere [default: forestage.toml, if it is there]
    #[arg(long, value_name = "FILE", env = "FORESTAGE_CONFIG")]
    config: Option<PathBuf>,
    /// Connect to the MCP servers that the files name, and list their tools
    #[arg(long)]
    connect: bool,
    /// Print one JSON object: ok, files, errors; with --connect also servers
    #[arg(long)]
    json: bool,
}

impl Check {
    /// Runs the command.
    pub(crate) fn run(&self) -> Answer {
        let mut paths = Vec::new();
        for path in &self.files {
            if path.is_dir() { paths.extend(files_in(path)?) } else { paths.push(path.clone()) }
        }
        let config = Config::load(&Given { file: self.config.clone(), settings: Vec::new() })?;
        let elsewhere: Vec<_> = config.remotes.iter().map(|remote| remote.name.clone()).collect();
        let mut errors = Vec::new();
        for path in &paths {
            errors.extend(mistakes(path, &elsewhere)?);
        }
        let servers = match self.connect {
            true => Some(connect::connect(&paths, &mut errors)?),
            false => None,
        };
        match self.json {
            true => print_json(&paths, &errors, servers.as_deref())?,
            false => print(&paths, &errors, servers.as_deref().unwrap_or_default())?,
        }
        Ok(Verdict::of(errors.is_empty()))
    }
}

fn files_in(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut paths = agent_file::agent_files(folder)?;
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let scripts = entries.filter_map(|entry| Some(entry.ok()?.path()));
    paths.extend(scripts.filter(|path| is_script(path)));
    paths.sort();
    Ok(paths)
}

pub(super) fn is_script(path: &Path) -> bool {
    matches!(path.extension().and_then(|ending| ending.to_str()), Some("yaml" | "yml"))
}

fn mistakes(path: &Path, elsewhere: &[String]) -> anyhow::Result<Vec<ScriptError>> {
    let name = path.display().to_string();
    let bytes = fs::read(path).with_context(|| format!("cannot read {name}"))?;
    let text = match text_of(&name, bytes) {
        Ok(text) => text,
        Err(error) => return Ok(vec![error]),
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if is_script(path) {
        let named = |error| ScriptError { file: name.clone(), ..error };
        return Ok(script_mistakes(path, folder, elsewhere).into_iter().map(named).collect());
    }
    let others = neighbours(folder).into_iter().chain(elsewhere.iter().cloned()).collect();
    let setup = Setup { others, tools: None, ..Setup::default() };
    Ok(agent_file::mistakes(&name, &text, Some(folder), &setup))
}

/// A script is checked among the others of its folder, as it is loaded.
fn script_mistakes(path: &Path, folder: &Path, elsewhere: &[String]) -> Vec<ScriptError> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let others = agent_file::names(folder).into_iter().chain(elsewhere.iter().cloned()).collect();
    match script::load_folder_among(folder, &others) {
        Err(LoadError::Scripts(errors)) => errors.into_iter().filter(|error| error.file == name).collect(),
        _ => Vec::new(),
    }
}

/// The names that an agent of a folder may hand over to, as far as their files tell.
fn neighbours(folder: &Path) -> BTreeSet<String> {
    script::names(folder).into_iter().chain(agent_file::names(folder)).collect()
}

fn print(paths: &[PathBuf], errors: &[ScriptError], servers: &[Listed]) -> anyhow::Result<()> {
    let mut out = output::screen();
    servers.iter().try_for_each(|server| server.print(&mut out))?;
    for error in errors {
        writeln!(out, "{}", output::safe(&error.to_string()))?;
    }
    let verdict = match errors.len() {
        0 => format!("{}, no mistakes", output::counted(paths.len(), "file")),
        count => format!("{} in {}", output::counted(count, "mistake"), output::counted(paths.len(), "file")),
    };
    output::write_verdict(errors.is_empty(), &verdict, &mut out)?;
    Ok(out.flush()?)
}

fn print_json(paths: &[PathBuf], errors: &[ScriptError], servers: Option<&[Listed]>) -> anyhow::Result<()> {
    let told = |error: &ScriptError| json!({ "file": error.file, "line": error.line, "column": error.column, "path": error.path, "message": error.message });
    let files: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
    let errors: Vec<_> = errors.iter().map(told).collect();
    let mut told = json!({ "ok": errors.is_empty(), "files": files, "errors": errors });
    if let Some(servers) = servers {
        told["servers"] = servers.iter().map(Listed::as_json).collect();
    }
    output::print_json(&told)
}
