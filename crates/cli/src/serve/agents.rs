//! The agents of a server: this is the one place that knows where they come from.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use anyhow::Context;
use forestage_llm::agent_file;
use forestage_runtime::{Stage, script};

use super::{Agents, remotes};
use crate::config::Config;

/// The agents that are served.
#[derive(Debug)]
pub(crate) struct Cast {
    /// Their names.
    pub(crate) names: Vec<String>,
    /// Where they are from.
    pub(crate) origin: String,
    /// Keep up with their folder.
    _watches: Option<(script::Watch, agent_file::Watch)>,
}

/// Puts the agents on the stage, and keeps them up to date for as long as the value lives.
pub(crate) fn load(config: &Config, which: Agents, stage: &Arc<Stage>) -> anyhow::Result<Cast> {
    let folder = &config.agents;
    // Somebody who has written nothing yet should still meet an agent; a folder that was named has to be there.
    let is_missing = *folder == Config::default().agents && !Path::new(folder).exists();
    if which == Agents::BuiltIn {
        return Ok(built_in(stage, "built in".to_owned()));
    }
    if is_missing {
        let cast = built_in(stage, format!("built in; there is no folder `{folder}`"));
        let mut agents = stage.agents().as_ref().clone();
        agents.extend(remotes::agents(&config.remotes)?);
        stage.set_agents(agents);
        return Ok(Cast { names: names(stage), ..cast });
    }
    let elsewhere = remotes::agents(&config.remotes)?;
    let folder = Folder::new(stage, elsewhere);
    let unusable = || format!("the agents in `{}` cannot be used", config.agents);
    let (scripts, script_watch) =
        script::watch_folder(&config.agents, folder.taker(|kinds| &mut kinds.scripts))
            .with_context(unusable)?;
    let setup = folder.setup(config, &scripts);
    folder.take(|kinds| kinds.scripts = scripts);
    let taker = folder.taker(|kinds| &mut kinds.files);
    let (files, file_watch) =
        agent_file::watch_folder(&config.agents, setup, taker).with_context(unusable)?;
    folder.take(|kinds| kinds.files = files);
    let origin = format!("from `{}`, watched", config.agents);
    Ok(Cast { names: names(stage), origin, _watches: Some((script_watch, file_watch)) })
}

/// The agents of a folder by kind. Each kind is watched by itself; the stage has all of them.
#[derive(Clone)]
struct Folder {
    stage: Arc<Stage>,
    kinds: Arc<Mutex<Kinds>>,
}

#[derive(Default)]
struct Kinds {
    scripts: forestage_runtime::Agents,
    files: forestage_runtime::Agents,
    elsewhere: forestage_runtime::Agents,
}

impl Folder {
    fn new(stage: &Arc<Stage>, elsewhere: forestage_runtime::Agents) -> Self {
        let kinds = Kinds { elsewhere, ..Kinds::default() };
        Self { stage: stage.clone(), kinds: Arc::new(Mutex::new(kinds)) }
    }

    /// Changes one kind, and puts all on the stage.
    fn take(&self, change: impl FnOnce(&mut Kinds)) {
        let mut kinds = self.kinds.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut kinds);
        let all = [&kinds.scripts, &kinds.files, &kinds.elsewhere];
        self.stage.set_agents(
            all.into_iter().flatten().map(|(name, agent)| (name.clone(), agent.clone())).collect(),
        );
    }

    /// What a watch of one kind calls.
    fn taker(
        &self,
        kind: fn(&mut Kinds) -> &mut forestage_runtime::Agents,
    ) -> impl Fn(forestage_runtime::Agents) + Send + 'static {
        let folder = self.clone();
        move |agents| folder.take(|kinds| *kind(kinds) = agents)
    }

    /// What agent files are given: they find others on the stage, which does not live on because of them.
    fn setup(&self, config: &Config, scripts: &forestage_runtime::Agents) -> agent_file::Setup {
        let stage = Arc::downgrade(&self.stage);
        let kinds = self.kinds.lock().unwrap_or_else(PoisonError::into_inner);
        agent_file::Setup {
            model_url: Some(config.model_url.clone()).filter(|url| !url.is_empty()),
            others: scripts.keys().chain(kinds.elsewhere.keys()).cloned().collect(),
            find: Arc::new(move |name| stage.upgrade()?.agents().get(name).cloned()),
        }
    }
}

fn built_in(stage: &Arc<Stage>, origin: String) -> Cast {
    stage.set_agents(script::builtin());
    Cast { names: names(stage), origin, _watches: None }
}

fn names(stage: &Arc<Stage>) -> Vec<String> {
    stage.agents().keys().cloned().collect()
}
