//! The agents of a server, kept up to date: this is the one place that knows where they come from.

use std::{
    collections::BTreeSet,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use forestage_llm::{agent_file, mcp::Pool};
use forestage_runtime::{Agents, Stage, script, script::LoadError};

/// Keeps up with a folder of agents for as long as it lives.
#[derive(Debug)]
pub(crate) struct Cast {
    /// The MCP servers of agent files.
    mcp: Pool,
    _watches: (script::Watch, agent_file::Watch),
}

impl Cast {
    /// Ends the programs that were started for agents: they do not outlive the server.
    pub(crate) async fn close(self) {
        self.mcp.close().await;
    }
}

/// Puts the agents of a folder on the stage beside those that are there for good, and keeps up with the folder.
pub(crate) fn watch(
    stage: &Arc<Stage>,
    folder: &Path,
    fixed: Agents,
    setup: agent_file::Setup,
) -> Result<Cast, LoadError> {
    let (kinds, mcp) = (Folder::new(stage, fixed), setup.mcp.clone());
    let others = others(folder, kinds.fixed());
    let watched = script::watch_folder_among(folder, others, kinds.taker(|kinds| &mut kinds.scripts));
    let (scripts, script_watch) = match watched {
        Ok(watched) => watched,
        // Whoever mends the scripts wants to know of the agent files, too.
        Err(error) => {
            let setup = kinds.setup(setup, script::names(folder));
            return Err(agent_file::with_mistakes(error, folder, &setup));
        }
    };
    let setup = kinds.setup(setup, scripts.keys().cloned());
    kinds.take(|kinds| kinds.scripts = scripts);
    let taker = kinds.taker(|kinds| &mut kinds.files);
    let (files, file_watch) = agent_file::watch_folder(folder, setup, taker)?;
    kinds.take(|kinds| kinds.files = files);
    Ok(Cast { mcp, _watches: (script_watch, file_watch) })
}

/// The agents that scripts may hand over to beside each other, as they are now.
fn others(folder: &Path, fixed: Vec<String>) -> impl Fn() -> BTreeSet<String> + Send + use<> {
    let folder = folder.to_owned();
    move || agent_file::names(&folder).into_iter().chain(fixed.iter().cloned()).collect()
}

/// The agents of a folder by kind. Each kind is watched by itself; the stage has all of them.
#[derive(Clone)]
struct Folder {
    stage: Arc<Stage>,
    kinds: Arc<Mutex<Kinds>>,
}

#[derive(Default)]
struct Kinds {
    scripts: Agents,
    files: Agents,
    fixed: Agents,
}

impl Folder {
    fn new(stage: &Arc<Stage>, fixed: Agents) -> Self {
        let kinds = Kinds { fixed, ..Kinds::default() };
        Self { stage: stage.clone(), kinds: Arc::new(Mutex::new(kinds)) }
    }

    /// The names of those that are there for good.
    fn fixed(&self) -> Vec<String> {
        let kinds = self.kinds.lock().unwrap_or_else(PoisonError::into_inner);
        kinds.fixed.keys().cloned().collect()
    }

    /// Changes one kind, and puts all on the stage.
    fn take(&self, change: impl FnOnce(&mut Kinds)) {
        let mut kinds = self.kinds.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut kinds);
        let all = [&kinds.scripts, &kinds.files, &kinds.fixed];
        self.stage.set_agents(
            all.into_iter().flatten().map(|(name, agent)| (name.clone(), agent.clone())).collect(),
        );
    }

    /// What a watch of one kind calls.
    fn taker(&self, kind: fn(&mut Kinds) -> &mut Agents) -> impl Fn(Agents) + Send + 'static {
        let folder = self.clone();
        move |agents| folder.take(|kinds| *kind(kinds) = agents)
    }

    /// What agent files are given: they find others on the stage, which does not live on because of them.
    fn setup(
        &self,
        setup: agent_file::Setup,
        scripts: impl IntoIterator<Item = String>,
    ) -> agent_file::Setup {
        let stage = Arc::downgrade(&self.stage);
        let kinds = self.kinds.lock().unwrap_or_else(PoisonError::into_inner);
        agent_file::Setup {
            others: scripts.into_iter().chain(kinds.fixed.keys().cloned()).collect(),
            find: Arc::new(move |name| stage.upgrade()?.agents().get(name).cloned()),
            ..setup
        }
    }
}
