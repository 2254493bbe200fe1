//! A folder of agent files.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use forestage_runtime::{
    Agents,
    file::Place,
    script::{LoadError, ScriptError},
};

use super::{Setup, check::check, file::AgentFile};

/// Loads every `.md` file of a folder as an agent, except a README. All mistakes of all files come at once.
pub fn load_folder(folder: impl AsRef<Path>, setup: &Setup) -> Result<Agents, LoadError> {
    let folder = folder.as_ref();
    let (files, mut errors) = read_all(&read_folder(folder)?, folder);
    errors.extend(check_all(&files, setup));
    if errors.is_empty() {
        return Ok(agents(&files, setup));
    }
    errors.sort();
    Err(LoadError::Scripts(errors))
}

/// Agent files by name of file.
pub(super) type Files = BTreeMap<String, Arc<AgentFile>>;

/// The agent files of a folder. Hidden files are not ours, and a README is for people.
pub fn agent_files(folder: &Path) -> Result<Vec<PathBuf>, LoadError> {
    let failed = |source: io::Error| LoadError::Io { path: folder.to_owned(), source };
    let entries = fs::read_dir(folder).map_err(failed)?;
    let mut paths = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(failed)?;
    paths.retain(|path| {
        let name = file_name(path);
        let is_ours =
            name.ends_with(".md") && !name.starts_with('.') && !name.eq_ignore_ascii_case("readme.md");
        is_ours && path.is_file()
    });
    paths.sort();
    Ok(paths)
}

/// The names of the agents in a folder, as far as their files can be read.
#[must_use]
pub fn names(folder: &Path) -> Vec<String> {
    let files = read_folder(folder).map(|texts| read_all(&texts, folder).0).unwrap_or_default();
    files.values().map(|file| file.name.clone()).collect()
}

pub(super) fn read_folder(folder: &Path) -> Result<BTreeMap<String, String>, LoadError> {
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).map_err(|source| LoadError::Io { path: path.clone(), source })?;
        Ok((file_name(&path), String::from_utf8_lossy(&bytes).into_owned()))
    };
    agent_files(folder)?.into_iter().map(read).collect()
}

/// Those that are agents, and the mistakes of the others.
pub(super) fn read_all(texts: &BTreeMap<String, String>, folder: &Path) -> (Files, Vec<ScriptError>) {
    let (mut files, mut errors) = (Files::new(), Vec::new());
    for (name, text) in texts {
        match AgentFile::read(name, text, Some(folder)) {
            (Some(file), faults) if faults.is_empty() => drop(files.insert(name.clone(), Arc::new(file))),
            (_, faults) => errors.extend(faults),
        }
    }
    (files, errors)
}

/// The mistakes that need all agents to be seen.
pub(super) fn check_all(files: &Files, setup: &Setup) -> Vec<ScriptError> {
    let known = setup.others.iter().cloned().chain(files.values().map(|file| file.name.clone())).collect();
    let mut owners = BTreeMap::new();
    let mut errors = Vec::new();
    for (file_name, file) in files {
        errors.extend(check(file_name, file, &known, setup.tools.as_ref()));
        let taken = setup.others.contains(&file.name).then(|| "another place".to_owned());
        if let Some(other) = owners.insert(file.name.clone(), file_name.clone()).or(taken) {
            let first = || Place { line: 1, column: 1, path: String::new() };
            let place = file.front.name.as_ref().map_or_else(first, |name| name.place.clone());
            let text = format!("the agent `{}` is in {other} already", file.name);
            errors.push(ScriptError::new(file_name, place, text));
        }
    }
    errors
}

pub(super) fn agents(files: &Files, setup: &Setup) -> Agents {
    let agent = |file: &Arc<AgentFile>| {
        (file.name.clone(), Arc::new(file.build(setup)) as Arc<dyn forestage_runtime::Agent>)
    };
    files.values().map(agent).collect()
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
