//! A folder of agent files.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use forestage_runtime::{
    Agents,
    file::{Place, text_of},
    script::{LoadError, ScriptError},
};

use super::{Setup, check::check, file::AgentFile};

/// Loads every `.md` file of a folder as an agent, except a README. All mistakes of all files come at once.
pub fn load_folder(folder: impl AsRef<Path>, setup: &Setup) -> Result<Agents, LoadError> {
    Ok(agents(&good_files(folder.as_ref(), setup)?, setup))
}

/// The same error, with the mistakes of a folder's agent files beside those of its scripts.
#[must_use]
pub fn with_mistakes(error: LoadError, folder: impl AsRef<Path>, setup: &Setup) -> LoadError {
    match (error, good_files(folder.as_ref(), setup)) {
        (LoadError::Scripts(mut errors), Err(LoadError::Scripts(more))) => {
            errors.extend(more);
            errors.sort();
            LoadError::Scripts(errors)
        }
        (error, _) => error,
    }
}

/// All files of a folder, or all mistakes in them.
pub(super) fn good_files(folder: &Path, setup: &Setup) -> Result<Files, LoadError> {
    let texts = read_folder(folder)?;
    let (files, mut errors) = read_all(&texts, folder);
    errors.extend(check_all(&files, &names_in(&texts, folder), setup));
    if errors.is_empty() {
        return Ok(files);
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

/// The names of the agents in a folder, as far as their files can be read; of others the file tells.
#[must_use]
pub fn names(folder: &Path) -> Vec<String> {
    names_in(&read_folder(folder).unwrap_or_default(), folder)
}

pub(super) fn names_in(texts: &Texts, folder: &Path) -> Vec<String> {
    let name = |(name, text): (&String, &Result<String, ScriptError>)| {
        let file = text.as_ref().ok().and_then(|text| AgentFile::read(name, text, Some(folder)).0);
        file.map_or_else(|| name.trim_end_matches(".md").to_owned(), |file| file.name)
    };
    texts.iter().map(name).collect()
}

/// What files hold, by name: a text, or what is wrong where it should be.
pub(super) type Texts = BTreeMap<String, Result<String, ScriptError>>;

pub(super) fn read_folder(folder: &Path) -> Result<Texts, LoadError> {
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).map_err(|source| LoadError::Io { path: path.clone(), source })?;
        let name = file_name(&path);
        let text = text_of(&name, bytes);
        Ok((name, text))
    };
    agent_files(folder)?.into_iter().map(read).collect()
}

/// Those that are agents, and the mistakes of the others.
pub(super) fn read_all(texts: &Texts, folder: &Path) -> (Files, Vec<ScriptError>) {
    let (mut files, mut errors) = (Files::new(), Vec::new());
    for (name, text) in texts {
        let read = match text {
            Ok(text) => AgentFile::read(name, text, Some(folder)),
            Err(error) => (None, vec![error.clone()]),
        };
        match read {
            (Some(file), faults) if faults.is_empty() => drop(files.insert(name.clone(), Arc::new(file))),
            (_, faults) => errors.extend(faults),
        }
    }
    (files, errors)
}

/// The mistakes that need all agents to be seen. Whoever names an agent whose file is bad has made none.
pub(super) fn check_all(files: &Files, names: &[String], setup: &Setup) -> Vec<ScriptError> {
    let known = setup.others.iter().chain(names).cloned().collect();
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
