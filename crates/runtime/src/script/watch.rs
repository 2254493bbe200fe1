//! A folder of scripts that is being edited.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use tokio::task::JoinHandle;

use super::{
    agent::agents,
    error::{LoadError, ScriptError},
    folder::{Scripts, Texts, among, cast, check_all, read_folder, read_texts, script_files},
};
use crate::Agents;

/// How often the folder is looked at. Looking costs one listing, and needs no service of the system's.
const EVERY: Duration = Duration::from_millis(500);

/// Watches a folder until it is dropped.
#[derive(Debug)]
pub struct Watch(JoinHandle<()>);

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Loads a folder and keeps up with it: whenever a file changes, `on_change` gets all agents anew. A file that
/// has become bad is told in the log, and its last good version stays. Needs a Tokio runtime.
///
/// ```no_run
/// # fn f(stage: std::sync::Arc<forestage_runtime::Stage>) -> Result<(), forestage_runtime::script::LoadError> {
/// use forestage_runtime::script;
///
/// let (agents, watch) = script::watch_folder("agents", {
///     let stage = stage.clone();
///     move |agents| stage.set_agents(agents)
/// })?;
/// stage.set_agents(agents);
/// # drop(watch);
/// # Ok(()) }
/// ```
pub fn watch_folder(
    folder: impl Into<PathBuf>,
    on_change: impl Fn(Agents) + Send + 'static,
) -> Result<(Agents, Watch), LoadError> {
    watch_folder_among(folder, BTreeSet::new, on_change)
}

/// The same among agents that are no scripts, as they are whenever the folder is read: scripts may hand over to these as
/// well.
pub fn watch_folder_among(
    folder: impl Into<PathBuf>,
    others: impl Fn() -> BTreeSet<String> + Send + 'static,
    on_change: impl Fn(Agents) + Send + 'static,
) -> Result<(Agents, Watch), LoadError> {
    let folder = folder.into();
    // Looked at before it is read, so that a change in between is seen; the files that scripts name are new to the first
    // look of the watch, which costs one reading.
    let seen = look(&folder, &Scripts::new())?;
    let texts = read_folder(&folder)?;
    let known = among(&texts, Some(&folder), &others());
    let (scripts, mut errors) = read_texts(&texts, Some(&folder), &known);
    errors.extend(check_all(&scripts, &known));
    if !errors.is_empty() {
        errors.sort();
        return Err(LoadError::Scripts(errors));
    }
    let agents = agents(cast(scripts.clone()));
    Ok((agents, Watch(tokio::spawn(keep_up(folder, seen, scripts, others, on_change)))))
}

/// When files were changed, and how long they are.
type Seen = BTreeMap<PathBuf, Option<(SystemTime, u64)>>;

/// Looks at the scripts, and at the files that they name.
fn look(folder: &Path, scripts: &Scripts) -> Result<Seen, LoadError> {
    let facts = |path: PathBuf| {
        let data = path.metadata().and_then(|data| Ok((data.modified()?, data.len()))).ok();
        (path, data)
    };
    let named = scripts.values().filter_map(|script| script.house_path()).map(|path| folder.join(path));
    Ok(script_files(folder)?.into_iter().chain(named).map(facts).collect())
}

async fn keep_up(
    folder: PathBuf,
    mut seen: Seen,
    mut good: Scripts,
    others: impl Fn() -> BTreeSet<String>,
    on_change: impl Fn(Agents),
) {
    loop {
        tokio::time::sleep(EVERY).await;
        let now = match look(&folder, &good) {
            Ok(now) if now == seen => continue,
            Ok(now) => now,
            Err(error) => {
                tracing::warn!(folder = %folder.display(), %error, "the scripts cannot be read now");
                continue;
            }
        };
        seen = now;
        match read_folder(&folder) {
            Ok(texts) => {
                let (scripts, errors) = renew(&good, &texts, &folder, &others());
                errors
                    .iter()
                    .for_each(|error| tracing::warn!(%error, "a script is bad, its last good version stays"));
                good = scripts;
                on_change(agents(cast(good.clone())));
            }
            Err(error) => tracing::warn!(%error, "a script cannot be read now"),
        }
    }
}

/// The scripts of now, each in its last good version.
fn renew(
    good: &Scripts,
    texts: &Texts,
    folder: &Path,
    others: &BTreeSet<String>,
) -> (Scripts, Vec<ScriptError>) {
    let known = &among(texts, Some(folder), others);
    let (mut scripts, mut errors) = read_texts(texts, Some(folder), known);
    let is_bad = |errors: &[ScriptError], file: &String| errors.iter().any(|error| error.file == *file);
    let fill = |scripts: &mut Scripts, errors: &[ScriptError]| {
        for file in texts.keys().filter(|file| is_bad(errors, file)) {
            match good.get(file) {
                Some(script) => drop(scripts.insert(file.clone(), script.clone())),
                None => drop(scripts.remove(file)),
            }
        }
    };
    fill(&mut scripts, &errors);
    errors.extend(check_all(&scripts, known));
    fill(&mut scripts, &errors);
    (scripts, errors)
}
