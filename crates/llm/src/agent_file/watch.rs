//! A folder of agent files that is being edited.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use forestage_runtime::{
    Agents,
    script::{LoadError, ScriptError},
};
use tokio::task::JoinHandle;

use super::{
    Setup,
    folder::{Files, Texts, agent_files, agents, check_all, good_files, names_in, read_all, read_folder},
};

/// How often the folder is looked at.
const EVERY: Duration = Duration::from_millis(500);

/// Watches a folder until it is dropped.
#[derive(Debug)]
pub struct Watch(JoinHandle<()>);

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Loads a folder and keeps up with it: whenever a file changes, `on_change` gets all its agents anew. A file that has
/// become bad is told in the log, and its last good version stays. Needs a Tokio runtime.
pub fn watch_folder(
    folder: impl Into<PathBuf>,
    setup: Setup,
    on_change: impl Fn(Agents) + Send + 'static,
) -> Result<(Agents, Watch), LoadError> {
    let folder = folder.into();
    let seen = look(&folder, &Files::new())?;
    let files = good_files(&folder, &setup)?;
    let made = agents(&files, &setup);
    Ok((made, Watch(tokio::spawn(keep_up(folder, setup, seen, files, on_change)))))
}

type Seen = BTreeMap<PathBuf, Option<(SystemTime, u64)>>;

/// Looks at the files, and at those that they name.
fn look(folder: &Path, files: &Files) -> Result<Seen, LoadError> {
    let facts = |path: PathBuf| {
        let data = path.metadata().and_then(|data| Ok((data.modified()?, data.len()))).ok();
        (path, data)
    };
    let houses = files.values().filter_map(|file| file.front.house.as_ref()?.path());
    let named = houses.map(|path| folder.join(path));
    Ok(agent_files(folder)?.into_iter().chain(named).map(facts).collect())
}

async fn keep_up(folder: PathBuf, setup: Setup, mut seen: Seen, mut good: Files, on_change: impl Fn(Agents)) {
    loop {
        tokio::time::sleep(EVERY).await;
        let now = match look(&folder, &good) {
            Ok(now) if now == seen => continue,
            Ok(now) => now,
            Err(error) => {
                tracing::warn!(folder = %folder.display(), %error, "the agents cannot be read now");
                continue;
            }
        };
        seen = now;
        match read_folder(&folder) {
            Ok(texts) => {
                let (files, errors) = renew(&good, &texts, &folder, &setup);
                errors.iter().for_each(|error| {
                    tracing::warn!(%error, "an agent file is bad, its last good version stays");
                });
                good = files;
                on_change(agents(&good, &setup));
            }
            Err(error) => tracing::warn!(%error, "an agent file cannot be read now"),
        }
    }
}

/// The files of now, each in its last good version.
fn renew(good: &Files, texts: &Texts, folder: &Path, setup: &Setup) -> (Files, Vec<ScriptError>) {
    let (mut files, mut errors) = read_all(texts, folder);
    for round in 0..2 {
        if round == 1 {
            errors.extend(check_all(&files, &names_in(texts, folder), setup));
        }
        for name in texts.keys().filter(|name| errors.iter().any(|error| error.file == **name)) {
            match good.get(name) {
                Some(file) => drop(files.insert(name.clone(), file.clone())),
                None => drop(files.remove(name)),
            }
        }
    }
    (files, errors)
}
