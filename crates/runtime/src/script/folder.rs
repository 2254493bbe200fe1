//! A folder of scripts.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    agent::{Cast, agents, name_of},
    check::{check, is_name},
    error::{LoadError, Place, ScriptError, text_of},
    file::{self, File},
};
use crate::Agents;

/// Loads every `.yaml` and `.yml` file of a folder as an agent. The name of the file without its ending is the
/// name of the agent, unless the file says otherwise. All mistakes of all files come at once.
pub fn load_folder(folder: impl AsRef<Path>) -> Result<Agents, LoadError> {
    load_folder_among(folder, &BTreeSet::new())
}

/// The same among agents that are no scripts: scripts may hand over to these as well.
pub fn load_folder_among(folder: impl AsRef<Path>, others: &BTreeSet<String>) -> Result<Agents, LoadError> {
    let folder = folder.as_ref();
    load_texts(read_folder(folder)?, Some(folder), others).map_err(LoadError::Scripts)
}

/// The names of the agents that the scripts of a folder are, as far as these can be read; of others the file tells.
#[must_use]
pub fn names(folder: impl AsRef<Path>) -> Vec<String> {
    let folder = folder.as_ref();
    let texts = read_folder(folder).unwrap_or_default();
    names_in(&texts, Some(folder)).collect()
}

fn names_in(texts: &Texts, folder: Option<&Path>) -> impl Iterator<Item = String> {
    texts.iter().map(move |(file_name, text)| {
        let script = text.as_ref().ok().and_then(|text| file::read(file_name, text, folder).0);
        script.map_or_else(|| stem(file_name).to_owned(), |script| agent_name(file_name, &script))
    })
}

/// All that a script may hand over to: whoever names a script that is bad has made no mistake.
pub(super) fn among(texts: &Texts, folder: Option<&Path>, others: &BTreeSet<String>) -> BTreeSet<String> {
    names_in(texts, folder).chain(others.iter().cloned()).collect()
}

/// What files hold, by name: a text, or what is wrong where it should be.
pub(super) type Texts = BTreeMap<String, Result<String, ScriptError>>;

/// The scripts of a folder.
pub(super) fn read_folder(folder: &Path) -> Result<Texts, LoadError> {
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).map_err(|source| failed(&path, source))?;
        let name = file_name(&path);
        let text = text_of(&name, bytes);
        Ok((name, text))
    };
    script_files(folder)?.into_iter().map(read).collect()
}

/// The script files of a folder. Hidden files are not ours.
pub(super) fn script_files(folder: &Path) -> Result<Vec<PathBuf>, LoadError> {
    let entries = fs::read_dir(folder).map_err(|source| failed(folder, source))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()).map_err(|source| failed(folder, source)));
    let mut paths: Vec<_> = paths.collect::<Result<_, _>>()?;
    paths.retain(|path| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        matches!(ending, Some("yaml" | "yml")) && !file_name(path).starts_with('.') && path.is_file()
    });
    paths.sort();
    Ok(paths)
}

pub(super) fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn failed(path: &Path, source: io::Error) -> LoadError {
    LoadError::Io { path: path.to_owned(), source }
}

/// Makes agents of texts, by name of file. `folder` is where they lie.
pub(super) fn load_texts(
    texts: Texts,
    folder: Option<&Path>,
    others: &BTreeSet<String>,
) -> Result<Agents, Vec<ScriptError>> {
    let known = among(&texts, folder, others);
    let (scripts, mut errors) = read_texts(&texts, folder, &known);
    errors.extend(check_all(&scripts, &known));
    if !errors.is_empty() {
        errors.sort();
        return Err(errors);
    }
    Ok(agents(cast(scripts)))
}

/// Scripts by name of file.
pub(super) type Scripts = BTreeMap<String, Arc<File>>;

/// Reads texts: those that are scripts, and the mistakes of the others. `known` are all agents that there are.
pub(super) fn read_texts(
    texts: &Texts,
    folder: Option<&Path>,
    known: &BTreeSet<String>,
) -> (Scripts, Vec<ScriptError>) {
    let (mut scripts, mut bad, mut errors) = (Scripts::new(), Vec::new(), Vec::new());
    for (file_name, text) in texts {
        let read = match text {
            Ok(text) => file::read(file_name, text, folder),
            Err(error) => (None, vec![error.clone()]),
        };
        match read {
            (Some(script), faults) if faults.is_empty() => {
                scripts.insert(file_name.clone(), Arc::new(script));
            }
            (script, faults) => bad.push((file_name, script, faults)),
        }
    }
    for (file_name, script, faults) in &bad {
        let more = script.as_ref().map(|script| check(file_name, script, known, faults));
        errors.extend(faults.iter().cloned().chain(more.into_iter().flatten()));
    }
    (scripts, errors)
}

/// The mistakes that need all scripts to be seen.
pub(super) fn check_all(scripts: &Scripts, known: &BTreeSet<String>) -> Vec<ScriptError> {
    let mut owners = BTreeMap::new();
    let mut errors = Vec::new();
    for (file_name, script) in scripts {
        errors.extend(check(file_name, script, known, &[]));
        let name = agent_name(file_name, script);
        if !is_name(&name) && script.name.is_none() {
            let message =
                format!("`{name}` is not a name for an agent; rename the file, or say `name:` in it");
            errors.push(ScriptError::new(file_name, first_line(), message));
        }
        if let Some(other) = owners.insert(name.clone(), file_name) {
            let place = script.name.as_ref().map_or_else(first_line, |name| name.place.clone());
            errors.push(ScriptError::new(file_name, place, format!("`{name}` is in `{other}` already")));
        }
    }
    errors
}

/// Scripts by name of agent.
pub(super) fn cast(scripts: Scripts) -> Cast {
    scripts.into_iter().map(|(file_name, script)| (agent_name(&file_name, &script), script)).collect()
}

fn agent_name(file_name: &str, script: &File) -> String {
    name_of(script, stem(file_name))
}

fn stem(file_name: &str) -> &str {
    file_name.rsplit_once('.').map_or(file_name, |(stem, _)| stem)
}

fn first_line() -> Place {
    Place { line: 1, column: 1, path: String::new() }
}
