//! The agents of a server: this is the one place that knows where they come from.

use std::{path::Path, sync::Arc};

use anyhow::Context;
use forestage_runtime::{
    Stage,
    script::{self, Watch},
};

use super::{Agents, remotes};
use crate::config::Config;

/// The agents that are served.
#[derive(Debug)]
pub(crate) struct Cast {
    /// Their names.
    pub(crate) names: Vec<String>,
    /// Where they are from.
    pub(crate) origin: String,
    /// Keeps up with their folder.
    _watch: Option<Watch>,
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
    let (renew, elsewhere) = (stage.clone(), remotes::agents(&config.remotes)?);
    let all = move |mut agents: forestage_runtime::Agents| {
        agents.extend(elsewhere.clone());
        renew.set_agents(agents);
    };
    let (agents, watch) = script::watch_folder(folder, all.clone())
        .with_context(|| format!("the agents in `{folder}` cannot be used"))?;
    all(agents);
    Ok(Cast { names: names(stage), origin: format!("from `{folder}`, watched"), _watch: Some(watch) })
}

fn built_in(stage: &Arc<Stage>, origin: String) -> Cast {
    stage.set_agents(script::builtin());
    Cast { names: names(stage), origin, _watch: None }
}

fn names(stage: &Arc<Stage>) -> Vec<String> {
    stage.agents().keys().cloned().collect()
}
